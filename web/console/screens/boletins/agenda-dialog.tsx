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
import { Notice } from '../../ui/notice.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { errorText } from '../../ui/states.tsx'
import { type Agenda, DIAS, type NewAgenda, type Pedido, toPedido, usePedidoWords } from './agenda-data.ts'
import { NEW_SUBJECT, PlaceFields, subjectBody } from './place-fields.tsx'
import '../../ui/gestao.ts'

adopt(agendasCss)

const MAX_NOME = 100
const MOST_PEDIDOS = 20

interface AgendaDialogProps {
  /** Null: a new one. */
  agenda: Agenda | null
  onClose(): void
  onDone(): void
}

/** Name, day and hour, the bulletins to make, and the groups that are told of them. */
export function AgendaDialog({ agenda, onClose, onDone }: AgendaDialogProps) {
  const t = texts()
  const own = boletinsTexts().agendas
  const [nome, setNome] = useState(agenda?.nome ?? '')
  const [dia, setDia] = useState(agenda?.dia_semana ?? 'terca')
  const [hora, setHora] = useState(agenda?.hora ?? '08:00')
  const [pedidos, setPedidos] = useState<Pedido[]>(agenda?.pedidos.map(toPedido) ?? [])
  const [grupos, setGrupos] = useState<number[]>(agenda?.grupos.map(({ id }) => id) ?? [])
  const [isTried, setTried] = useState(false)
  const sending = useSending(async () => {
    setTried(true)
    if (nome.trim() === '' || hora === '' || pedidos.length === 0)
      return focusFirstProblem(sending.form.current)
    const body: NewAgenda = { nome: nome.trim(), dia_semana: dia, hora, pedidos, grupos }
    await (agenda === null
      ? api.post('/api/v1/agravos/agendas', { body })
      : api.put('/api/v1/agravos/agendas/{id}', { params: { id: agenda.id }, body }))
    onDone()
  })
  const { error } = sending
  const problemOf = (value: string, field: string) =>
    isTried && value === '' ? own.missing : error instanceof ApiError ? error.of(field) : undefined
  return (
    <Dialog title={agenda === null ? own.new : own.edit} kind="broad" onClose={onClose}>
      <form class="form agenda" ref={sending.form} onSubmit={sending.submit} noValidate>
        {error !== null && <Notice kind="error" text={errorText(error)} />}
        <Field
          label={own.name}
          value={nome}
          maxLength={MAX_NOME}
          onInput={setNome}
          problem={problemOf(nome.trim(), 'nome')}
        />
        <div class="two">
          <SelectField
            label={own.day}
            value={dia}
            options={DIAS.map((value) => ({ value, label: own.days[value] }))}
            onChange={(value: Agenda['dia_semana']) => setDia(value)}
          />
          <Field
            label={own.hour}
            type="time"
            value={hora}
            onInput={setHora}
            problem={problemOf(hora, 'hora')}
          />
        </div>
        <Pedidos
          pedidos={pedidos}
          problem={isTried && pedidos.length === 0 ? own.noPedidos : undefined}
          onChange={setPedidos}
        />
        <Groups agenda={agenda} chosen={grupos} onChange={setGrupos} />
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button type="submit" kind="primary" aria-disabled={sending.isSending}>
            {own.save}
          </Button>
        </div>
      </form>
    </Dialog>
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
            const next = { ...subjectBody(subject), publico }
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
  agenda: Agenda | null
  chosen: number[]
  onChange(chosen: number[]): void
}

/** Groups of the person, and those that the schedule has already. */
function Groups({ agenda, chosen, onChange }: GroupsProps) {
  const own = boletinsTexts().agendas
  const mine = session.value.kind === 'open' ? (session.value.perfil.grupos ?? []) : []
  const offered = [...new Map([...mine, ...(agenda?.grupos ?? [])].map((one) => [one.id, one])).values()]
  if (offered.length === 0) return null
  return (
    <fieldset class="form">
      <legend>{own.groups}</legend>
      <p class="note">{own.groupsNote}</p>
      {offered.map(({ id, nome }) => (
        <Check
          key={id}
          label={nome}
          checked={chosen.includes(id)}
          onChange={(isOn) => onChange(isOn ? [...chosen, id] : chosen.filter((one) => one !== id))}
        />
      ))}
    </fieldset>
  )
}
