import { useId, useState } from 'preact/hooks'
import { ApiError } from '../../api/errors.ts'
import { api, session } from '../../state/session.ts'
import { boletinsTexts } from '../../state/texts/boletins.ts'
import { texts } from '../../state/texts.ts'
import agendasCss from '../../styles/agendas.screen.css'
import { adopt } from '../../ui/adopt.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { Refusal } from '../../ui/refusal.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { useVersions } from '../../ui/versions.tsx'
import type { Worded } from '../../ui/versions-dialog.tsx'
import {
  type Agenda,
  type AgendaAberta,
  DIAS,
  openAgenda,
  type Pedido,
  PedidoWords,
  toPedido,
  usePedidoWords,
} from './agenda-data.ts'
import { NEW_SUBJECT, PlaceFields, subjectBody } from './place-fields.tsx'
import '../../ui/gestao.ts'

adopt(agendasCss)

const MAX_NOME = 100
const MOST_PEDIDOS = 20

interface AgendaDialogProps {
  /** Null: a new one. */
  agenda: AgendaAberta | null
  onClose(): void
  onDone(): void
}

interface Grupo {
  id: number
  nome: string
}

interface Form {
  nome: string
  dia_semana: Agenda['dia_semana']
  hora: string
  pedidos: Pedido[]
  grupos: Grupo[]
}

const formOf = ({ nome, dia_semana, hora, pedidos, grupos }: Agenda): Form => ({
  ...{ nome, dia_semana, hora, grupos },
  pedidos: pedidos.map(toPedido),
})
const NEW: Form = { nome: '', dia_semana: 'terca', hora: '08:00', pedidos: [], grupos: [] }

const idsOf = (grupos: readonly Grupo[]) => grupos.map(({ id }) => id)

function wordsOf(field: keyof Form, value: unknown): Worded {
  const own = boletinsTexts().agendas
  const text = String(value)
  const words: Record<keyof Form, () => Worded> = {
    nome: () => ({ label: own.name, value: text }),
    dia_semana: () => ({ label: own.day, value: own.days[text as Agenda['dia_semana']] }),
    hora: () => ({ label: own.hour, value: text }),
    pedidos: () => ({ label: own.what, value: <PedidoWords pedido={value as Pedido} /> }),
    grupos: () => ({ label: own.groups, value: (value as Grupo).nome }),
  }
  return words[field]()
}

/** Name, day and hour, the bulletins to make, and the groups that are told of them. */
export function AgendaDialog({ agenda, onClose, onDone }: AgendaDialogProps) {
  const t = texts()
  const own = boletinsTexts().agendas
  const [form, setForm] = useState(() => (agenda === null ? NEW : formOf(agenda)))
  const { nome, hora, pedidos, grupos } = form
  const set = (more: Partial<Form>) => setForm((last) => ({ ...last, ...more }))
  const [isTried, setTried] = useState(false)
  const sending = useSending(async () => {
    setTried(true)
    if (nome.trim() === '' || hora === '' || pedidos.length === 0)
      return focusFirstProblem(sending.form.current)
    const typed = { ...form, nome: nome.trim() }
    if (agenda !== null) return save(typed)
    await api.post('/api/v1/agravos/agendas', { body: { ...typed, grupos: idsOf(grupos) } })
    onDone()
  })
  const { error } = sending
  const id = agenda?.id ?? 0
  const { save, conflict } = useVersions<Agenda, Form>({
    opened: agenda,
    read: () => openAgenda(id),
    about: ({ atualizado_em }) => ({ recurso: 'agenda_de_boletim', id, em: atualizado_em }),
    formOf,
    put: ({ grupos: groups, ...rest }, ifMatch) => {
      const body = { ...rest, ...(groups && { grupos: idsOf(groups) }) }
      return api.put('/api/v1/agravos/agendas/{id}', { params: { id }, body }, { ifMatch })
    },
    words: wordsOf,
    onMerged: setForm,
    onError: sending.setError,
    onDone,
  })
  const problemOf = (value: string, field: string) =>
    isTried && value === '' ? own.missing : error instanceof ApiError ? error.of(field) : undefined
  return (
    <>
      <Dialog title={agenda === null ? own.new : own.edit} kind="broad" onClose={onClose}>
        <form class="form agenda" ref={sending.form} onSubmit={sending.submit} noValidate>
          {error !== null && <Refusal error={error} />}
          <Field
            label={own.name}
            value={nome}
            maxLength={MAX_NOME}
            onInput={(value) => set({ nome: value })}
            problem={problemOf(nome.trim(), 'nome')}
          />
          <div class="two">
            <SelectField
              label={own.day}
              value={form.dia_semana}
              options={DIAS.map((value) => ({ value, label: own.days[value] }))}
              onChange={(dia_semana: Agenda['dia_semana']) => set({ dia_semana })}
            />
            <Field
              label={own.hour}
              type="time"
              value={hora}
              onInput={(value) => set({ hora: value })}
              problem={problemOf(hora, 'hora')}
            />
          </div>
          <Pedidos
            pedidos={pedidos}
            problem={isTried && pedidos.length === 0 ? own.noPedidos : undefined}
            onChange={(next) => set({ pedidos: next })}
          />
          <Groups
            offered={[...(agenda?.grupos ?? []), ...grupos]}
            chosen={grupos}
            onChange={(next) => set({ grupos: next })}
          />
          <div class="row">
            <Button onClick={onClose}>{t.app.cancel}</Button>
            <Button type="submit" kind="primary" aria-disabled={sending.isSending}>
              {own.save}
            </Button>
          </div>
        </form>
      </Dialog>
      {conflict}
    </>
  )
}

interface PedidosProps {
  pedidos: Pedido[]
  problem: string | undefined
  onChange(pedidos: Pedido[]): void
}

/** Bulletins of the schedule: each can be taken out, and others put in. */
function Pedidos({ pedidos, problem, onChange }: PedidosProps) {
  const own = boletinsTexts()
  const t = own.agendas
  const id = useId()
  const [subject, setSubject] = useState(NEW_SUBJECT)
  const [publico, setPublico] = useState(false)
  return (
    <fieldset class="form" aria-describedby={problem === undefined ? undefined : id}>
      <legend>{t.what}</legend>
      {pedidos.length > 0 && (
        <ul>
          {pedidos.map((pedido, at) => (
            <PedidoItem
              key={JSON.stringify(pedido)}
              pedido={pedido}
              onRemove={() => onChange(pedidos.filter((_, one) => one !== at))}
            />
          ))}
        </ul>
      )}
      {problem !== undefined && (
        <p class="problem" role="alert" id={id}>
          {problem}
        </p>
      )}
      <PlaceFields subject={subject} onChange={setSubject} />
      <Check label={own.publish} note={own.publishNote} checked={publico} onChange={setPublico} />
      <div>
        <Button
          icon="add"
          aria-invalid={problem !== undefined}
          aria-disabled={pedidos.length >= MOST_PEDIDOS}
          onClick={() => {
            const next = { ...subjectBody(subject), publico, texto: { destaques: [] } }
            const isThere = pedidos.some((one) => isSame(one, next))
            if (!isThere && pedidos.length < MOST_PEDIDOS) onChange([...pedidos, next])
          }}
        >
          {t.add}
        </Button>
      </div>
    </fieldset>
  )
}

const isSame = (a: Pedido, b: Pedido) =>
  a.tipo_agravo === b.tipo_agravo &&
  a.estado === b.estado &&
  a.regiao_saude === b.regiao_saude &&
  a.municipio === b.municipio &&
  Boolean(a.publico) === Boolean(b.publico)

function PedidoItem({ pedido, onRemove }: { pedido: Pedido; onRemove(): void }) {
  const words = usePedidoWords(pedido)
  return (
    <li class="row start">
      <span>{words}</span>
      <Button
        kind="quiet"
        icon="remove"
        aria-label={boletinsTexts().agendas.takeOut(words)}
        onClick={onRemove}
      >
        {''}
      </Button>
    </li>
  )
}

interface GroupsProps {
  /** Beside those of the person. */
  offered: Grupo[]
  chosen: Grupo[]
  onChange(chosen: Grupo[]): void
}

/** Groups of the person, and those that the schedule has already. */
function Groups({ offered: more, chosen, onChange }: GroupsProps) {
  const own = boletinsTexts().agendas
  const mine = session.value.kind === 'open' ? (session.value.perfil.grupos ?? []) : []
  const offered = [...new Map([...mine, ...more].map((one) => [one.id, one])).values()]
  if (offered.length === 0) return null
  return (
    <fieldset class="form">
      <legend>{own.groups}</legend>
      <p class="note">{own.groupsNote}</p>
      {offered.map(({ id, nome }) => (
        <Check
          key={id}
          label={nome}
          checked={chosen.some((one) => one.id === id)}
          onChange={(isOn) => {
            const rest = chosen.filter((one) => one.id !== id)
            onChange(isOn ? [...rest, { id, nome }] : rest)
          }}
        />
      ))}
    </fieldset>
  )
}
