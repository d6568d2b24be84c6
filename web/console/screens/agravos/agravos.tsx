import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { ApiError } from '../../api/errors.ts'
import type { AnswerOf } from '../../api/rows.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { api, cache, loadAgravos } from '../../state/session.ts'
import { agravosTexts } from '../../state/texts/agravos.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Answer, errorText, RequestId } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { StartDialog } from './start-dialog.tsx'
import './styles.ts'

type Lido = AnswerOf<'GET', '/api/v1/agravos/tipos/{codigo}'>

interface Agravo {
  codigo: string
  nome: string
  isAtivo: boolean
  /** Its definition, or the error of reading it. */
  lido: Lido | ApiError
}

/** Each disease with what is known of it, at once: a row that grows moves all below it. One that fails leaves the others. */
async function askAgravos(signal: AbortSignal): Promise<Agravo[]> {
  const { tipos, inativos } = await api.get(
    '/api/v1/agravos/tipos',
    { query: { inativos: true } },
    { signal },
  )
  const ask = (codigo: string) =>
    api.get('/api/v1/agravos/tipos/{codigo}', { params: { codigo } }, { signal })
  const all = [
    ...tipos.map(({ codigo, nome }) => ({ codigo, nome, isAtivo: true })),
    ...(inativos ?? []).map(({ codigo, nome }) => ({ codigo, nome, isAtivo: false })),
  ]
  return Promise.all(all.map(async (one) => ({ ...one, lido: await ask(one.codigo).catch(refusalOf) })))
}

/** Without a connection the whole list waits for it. */
function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError && error.status !== 0) return error
  throw error
}

/** Its screen is its editor. */
const agravoHref = ({ codigo }: Agravo) => pathTo(PATHS.agravo, { codigo })

/** Diseases with their state, and the way to a new one. */
export default function Agravos() {
  const t = texts()
  const own = agravosTexts()
  const [isStarting, setStarting] = useState(false)
  const [asked, setAsked] = useState<{ acao: Acao; agravo: Agravo } | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const list = useQuery({
    queryKey: ['agravos', 'lista'],
    queryFn: ({ signal }) => askAgravos(signal),
  })
  const add = (
    <Button kind="primary" icon="add" onClick={() => setStarting(true)}>
      {own.add}
    </Button>
  )
  return (
    <Page title={t.screens.agravos} lead={own.lead} actions={add}>
      {done !== null && <Notice key={done} kind="done" text={done} />}
      <Answer query={list} lines={6}>
        {(rows) => (
          <div class="imports agravos">
            <Table
              caption={t.screens.agravos}
              columns={columns((acao, agravo) => setAsked({ acao, agravo }))}
              rows={rows}
              keyOf={({ codigo }) => codigo}
              keys={{ open: agravoHref, edit: agravoHref }}
            />
          </div>
        )}
      </Answer>
      {isStarting && <StartDialog tipos={list.data ?? []} onClose={() => setStarting(false)} />}
      {asked !== null && (
        <ActDialog
          {...asked}
          onClose={() => setAsked(null)}
          onDone={(text) => {
            setAsked(null)
            setDone(text)
          }}
        />
      )}
    </Page>
  )
}

type Acao = 'activate' | 'deactivate' | 'remove'

const knownOf = ({ lido }: Agravo): Lido | null => (lido instanceof ApiError ? null : lido)
const estadoOf = (agravo: Agravo) =>
  agravo.isAtivo ? 'ativa' : knownOf(agravo)?.estado === 'rascunho' ? 'rascunho' : 'inativa'
const COLOURS = { ativa: 'green', inativa: '', rascunho: 'amber' } as const

/** Fields that a definition adds to the standard ones, retired ones left out. */
const countOwn = ({ definicao }: Lido) =>
  ((definicao.campos ?? []) as { nome?: string; ativo?: boolean }[]).filter(
    ({ nome, ativo }) => nome !== undefined && ativo !== false,
  ).length

function columns(ask: (acao: Acao, agravo: Agravo) => void): Column<Agravo>[] {
  const own = agravosTexts()
  const ofLido = (say: (lido: Lido) => string) => ({
    isNumber: true,
    cell: (agravo: Agravo) => {
      const lido = knownOf(agravo)
      return lido === null ? '' : say(lido)
    },
  })
  return [
    {
      key: 'nome',
      title: own.name,
      cell: (agravo) => <a href={agravoHref(agravo)}>{agravo.nome}</a>,
    },
    {
      key: 'estado',
      title: own.state,
      cell: (agravo) => (
        <>
          <span class={`tag ${COLOURS[estadoOf(agravo)]}`}>{own.states[estadoOf(agravo)]}</span>
          {hasDraft(agravo) && <small> {own.withDraft}</small>}
        </>
      ),
    },
    { key: 'versao', title: own.version, ...ofLido(({ versao }) => own.number(versao)) },
    { key: 'casos', title: own.cases, ...ofLido(({ casos }) => own.number(casos)) },
    { key: 'campos', title: own.fields, ...ofLido((lido) => own.number(countOwn(lido))) },
    {
      key: 'acoes',
      title: own.actions,
      cell: (agravo) =>
        agravo.lido instanceof ApiError ? (
          <Unknown error={agravo.lido} />
        ) : (
          <span class="row">
            {actionsOf(agravo.isAtivo, agravo.lido).map((acao) => (
              <Button
                key={acao}
                kind="quiet"
                aria-label={own.of(own[acao], agravo.nome)}
                onClick={() => ask(acao, agravo)}
              >
                {own[acao]}
              </Button>
            ))}
          </span>
        ),
    },
  ]
}

function hasDraft(agravo: Agravo): boolean {
  const lido = knownOf(agravo)
  return lido !== null && lido.estado === 'ativa' && lido.ultima_versao > lido.versao
}

/** In the place of what can be done with a disease of which too little is known. */
function Unknown({ error }: { error: ApiError }) {
  return (
    <>
      <small role="alert">{errorText(error)}</small>
      <RequestId of={error} />
      <Button
        kind="quiet"
        icon="retry"
        onClick={() => void cache.invalidateQueries({ queryKey: ['agravos', 'lista'] })}
      >
        {texts().states.retry}
      </Button>
    </>
  )
}

function actionsOf(isAtivo: boolean, lido: Lido): Acao[] {
  const hasDraft = lido.ultima_versao > lido.versao || lido.estado === 'rascunho'
  return [
    ...(!isAtivo || hasDraft ? ['activate' as const] : []),
    ...(isAtivo ? ['deactivate' as const] : []),
    ...(!lido.protegido && lido.casos === 0 ? ['remove' as const] : []),
  ]
}

interface ActDialogProps {
  acao: Acao
  agravo: Agravo
  onClose(): void
  onDone(text: string): void
}

/** Says what an action does before it is done. */
function ActDialog({ acao, agravo: { codigo, nome }, onClose, onDone }: ActDialogProps) {
  const t = texts()
  const own = agravosTexts()
  const params = { codigo }
  const { form, isSending, error, submit } = useSending(async () => {
    if (acao === 'remove') await api.delete('/api/v1/agravos/tipos/{codigo}', { params })
    else
      await api.post(`/api/v1/agravos/tipos/{codigo}/${acao === 'activate' ? 'ativar' : 'desativar'}`, {
        params,
      })
    await loadAgravos()
    void cache.invalidateQueries({ queryKey: ['agravos'] })
    onDone({ activate: own.activated, deactivate: own.deactivated, remove: own.removed }[acao](nome))
  })
  return (
    <Dialog
      title={
        {
          activate: own.of(own.activate, nome),
          deactivate: own.deactivateTitle(nome),
          remove: own.removeTitle(nome),
        }[acao]
      }
      onClose={onClose}
    >
      <form class="form" ref={form} onSubmit={submit}>
        {error !== null && <Notice kind="error" text={errorText(error)} />}
        {acao !== 'activate' && <p>{acao === 'remove' ? own.removeNote : own.deactivateNote}</p>}
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button
            type="submit"
            kind="primary"
            class={acao === 'remove' ? 'button danger' : 'button primary'}
            aria-disabled={isSending}
          >
            {own[acao]}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
