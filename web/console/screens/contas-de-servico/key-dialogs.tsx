import { useState } from 'preact/hooks'
import type { Permission } from '../../../../src/caller/permissions.ts'
import { ApiError } from '../../api/errors.ts'
import { api, holds } from '../../state/session.ts'
import { servicoTexts } from '../../state/texts/servico.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Copy, errorText } from '../../ui/states.tsx'
import { type Chave, type Conta, outdateContas } from './servico-data.ts'

const DAYS = '90'
const OVERLAP_HOURS = 24

/** A key shown once; null where a repeated request's first answer was lost. Only its reader's word closes it. */
function ShownKey({ chave, old, onKept }: { chave: string | null; old: Date | null; onKept(): void }) {
  const t = texts()
  const own = servicoTexts().show
  return (
    <Dialog title={own.title}>
      <div class="form">
        {chave === null ? (
          <Notice kind="error" text={own.lost} />
        ) : (
          <>
            <p>{own.lead}</p>
            <p>
              <code class="breaks">{chave}</code> <Copy text={chave} />
            </p>
          </>
        )}
        {old !== null && <p class="note">{own.old(old)}</p>}
        <div class="row end">
          <Button kind="primary" onClick={onKept}>
            {chave === null ? t.app.close : own.kept}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

const textOf = (error: unknown) =>
  [
    errorText(error),
    ...(error instanceof ApiError ? error.details : []).map((one) =>
      typeof one === 'string' ? one : one.message,
    ),
  ].join(' ')

export function NewKeyDialog({ conta, onClose }: { conta: Conta; onClose(): void }) {
  const t = texts()
  const own = servicoTexts()
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const [nome, setNome] = useState('')
  const [escopos, setEscopos] = useState<readonly string[]>([])
  const [redes, setRedes] = useState('')
  const [dias, setDias] = useState(DAYS)
  const [isTried, setTried] = useState(false)
  const [made, setMade] = useState<{ chave: string | null } | null>(null)
  const sending = useSending(async () => {
    setTried(true)
    if (nome.trim() === '' || escopos.length === 0 || !/^\d{1,3}$/.test(dias.trim()))
      return focusFirstProblem(sending.form.current)
    const body = {
      nome: nome.trim(),
      escopos: [...escopos],
      redes: redes.split(/[\s,;]+/).filter((one) => one !== ''),
      validade_dias: Number(dias),
    }
    const params = { id: conta.id }
    const answer = await api.post(
      '/api/v1/contas-de-servico/{id}/chaves',
      { params, body },
      { idempotencyKey },
    )
    void outdateContas()
    setMade({ chave: answer.chave ?? null })
  })
  if (made !== null) return <ShownKey chave={made.chave} old={null} onKept={onClose} />
  const { error } = sending
  return (
    <Dialog title={own.newKey} onClose={onClose}>
      <form class="form" ref={sending.form} onSubmit={sending.submit} noValidate>
        {error !== null && <Notice kind="error" text={textOf(error)} />}
        <Field
          label={own.name}
          value={nome}
          maxLength={100}
          autocomplete="off"
          onInput={setNome}
          problem={isTried && nome.trim() === '' ? own.required : undefined}
          isFirst
        />
        <Scopes
          offered={conta.permissoes_efetivas.filter((one) => one !== 'admin')}
          chosen={escopos}
          onChange={setEscopos}
          isMissing={isTried && escopos.length === 0}
        />
        <Field
          label={own.networks}
          value={redes}
          maxLength={2600}
          autocomplete="off"
          onInput={setRedes}
          note={own.networksNote}
        />
        <Field
          label={own.days}
          value={dias}
          maxLength={3}
          inputMode="numeric"
          autocomplete="off"
          onInput={setDias}
          note={own.daysNote}
          problem={isTried && !/^\d{1,3}$/.test(dias.trim()) ? own.daysNote : undefined}
        />
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button type="submit" kind="primary" aria-disabled={sending.isSending}>
            {own.create}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface ScopesProps {
  offered: string[]
  chosen: readonly string[]
  onChange(escopos: string[]): void
  isMissing: boolean
}

/** Permissions of the account; those that the person lacks cannot be chosen, and say why. */
function Scopes({ offered, chosen, onChange, isMissing }: ScopesProps) {
  const own = servicoTexts()
  const toggle = (nome: string) =>
    onChange(chosen.includes(nome) ? chosen.filter((one) => one !== nome) : [...chosen, nome])
  return (
    <fieldset class="options" aria-describedby={isMissing ? 'escopos-problem' : undefined}>
      <legend>{own.scopes}</legend>
      {isMissing && (
        <p class="problem" id="escopos-problem">
          {own.scopesMissing}
        </p>
      )}
      {offered.length === 0 && <p>{own.noRights}</p>}
      <div class="two">
        {offered.map((nome) => (
          <label class="option" key={nome}>
            <input
              type="checkbox"
              checked={chosen.includes(nome)}
              disabled={!holds([nome as Permission])}
              aria-invalid={isMissing}
              onChange={() => toggle(nome)}
            />
            <span>
              <code>{nome}</code>
              {!holds([nome as Permission]) && <small>{own.lacking}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

interface KeyDialogProps {
  contaId: number
  chave: Chave
  onClose(): void
}

export function RenewDialog({ contaId, chave, onClose }: KeyDialogProps) {
  const own = servicoTexts()
  const [made, setMade] = useState<{ chave: string | null; old: Date } | null>(null)
  const params = { id: contaId, chave_id: chave.id }
  const send = async () => {
    const body = { sobreposicao_horas: OVERLAP_HOURS }
    const answer = await api.post('/api/v1/contas-de-servico/{id}/chaves/{chave_id}/renovar', {
      params,
      body,
    })
    void outdateContas()
    const overlap = new Date(answer.criada_em).getTime() + OVERLAP_HOURS * 3_600_000
    const old = new Date(Math.min(overlap, new Date(chave.expira_em).getTime()))
    setMade({ chave: answer.chave ?? null, old })
  }
  if (made !== null) return <ShownKey {...made} onKept={onClose} />
  return (
    <Confirm
      title={own.renewTitle}
      note={own.renewNote}
      label={own.renew}
      send={send}
      {...{ chave, onClose }}
    />
  )
}

export function RevokeDialog({ contaId, chave, onClose }: KeyDialogProps) {
  const own = servicoTexts()
  const params = { id: contaId, chave_id: chave.id }
  const send = async () => {
    await api.delete('/api/v1/contas-de-servico/{id}/chaves/{chave_id}', { params })
    void outdateContas()
    onClose()
  }
  return (
    <Confirm
      title={own.revokeTitle}
      note={own.revokeNote}
      label={own.revoke}
      isDanger
      {...{ chave, send, onClose }}
    />
  )
}

interface ConfirmProps {
  title: string
  note: string
  label: string
  chave: Chave
  isDanger?: boolean
  send(): Promise<void>
  onClose(): void
}

function Confirm({ title, note, label, chave, isDanger = false, send, onClose }: ConfirmProps) {
  const t = texts()
  const { form, isSending, error, submit } = useSending(send)
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        {error !== null && <Notice kind="error" text={errorText(error)} />}
        <p>
          {chave.nome}, <code>{chave.prefixo}…</code>
        </p>
        <p>{note}</p>
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button
            type="submit"
            kind="primary"
            aria-disabled={isSending}
            {...(isDanger && { class: 'button danger' })}
          >
            {label}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
