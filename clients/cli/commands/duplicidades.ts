import type {
  DecidirDuplicidade,
  Duplicidade,
  DuplicidadeDecidida,
  FundirCasos,
  Fusao,
  QualidadeDaFaixa,
} from '../../ts/src/index.ts'
import { confirm } from '../ask.ts'
import { CliError, EXIT, say } from '../context.ts'
import { follow } from '../follow.ts'
import { type Listing, list } from '../lists.ts'
import { type Column, printList, printObject } from '../output.ts'
import { command } from '../run.ts'
import type { Session } from '../session.ts'
import type { Texts } from '../texts.ts'
import { namesOf } from './agravos.ts'

const columns = (nameOf: (codigo: string) => string): Column<Duplicidade>[] => {
  const caso = ({ casos }: Duplicidade, i: number) => casos[i]?.caso
  return [
    ['id', ({ id }) => id],
    ['faixa', ({ faixa }) => faixa],
    ['escore', ({ escore }) => escore],
    ['agravo', (par) => nameOf(caso(par, 0)?.tipo_agravo ?? '')],
    ...[0, 1].flatMap((i): Column<Duplicidade>[] => [
      [`caso_${i + 1}`, (par) => caso(par, i)?.id],
      [`notificacao_${i + 1}`, (par) => caso(par, i)?.data_notificacao?.slice(0, 10)],
      [`paciente_${i + 1}`, (par) => caso(par, i)?.paciente?.nome],
      [`municipio_${i + 1}`, (par) => caso(par, i)?.endereco?.municipio_residencia],
    ]),
    ['situacao', ({ situacao }) => situacao],
  ]
}

export const listar = command<Listing & { identificado: boolean }>(async (session, flags) => {
  const { identificado } = flags
  const query = identificado ? { identificado } : {}
  await list(session, '/agravos/duplicidades', columns(await namesOf(session, flags)), flags, query)
})

const FUSOES: Column<Fusao>[] = [
  ['id', ({ id }) => id],
  ['agravo', ({ tipo_agravo }) => tipo_agravo],
  ['principal', ({ principal }) => principal.id],
  ['absorvido', ({ absorvido }) => absorvido.id],
  ['feita_em', ({ feita_em }) => feita_em],
  ['feita_por', ({ feita_por }) => feita_por?.nome],
  ['desfeita_em', ({ desfeita_em }) => desfeita_em],
]

export const listarFusoes = command<Listing>((session, flags) =>
  list(session, '/agravos/fusoes', FUSOES, flags),
)

const QUALIDADE: Column<QualidadeDaFaixa>[] = [
  ['faixa', ({ faixa }) => faixa],
  ['total', ({ total }) => total],
  ['decididas', ({ decididas }) => decididas],
  ['mesmo_caso', ({ por_situacao }) => por_situacao.mesmo_caso],
  ['outro_episodio', ({ por_situacao }) => por_situacao.outro_episodio],
  ['outra_pessoa', ({ por_situacao }) => por_situacao.outra_pessoa],
  ['precisao', ({ precisao }) => precisao],
]

export const qualidade = command(async ({ io, vigia, given }, { json }) => {
  const { faixas } = await vigia.get('/agravos/duplicidades/qualidade', {}, given)
  await printList(io, faixas, QUALIDADE, { json, head: true })
})

export const varredura = command<{ simular: boolean; acompanhar: boolean }>(async (session, flags) => {
  const { io, t, vigia, given } = session
  if (flags.simular) return say(io, t.would(t.scan))
  const { job_id } = await vigia.post('/agravos/duplicidades/varredura', {}, given)
  if (!flags.acompanhar) return printObject(io, { job_id }, flags)
  const job = await follow(session, job_id)
  say(io, job.message)
  await printObject(io, flags.json ? job : { job_id, ...job.resultado }, flags)
  return job.status === 'completed' ? EXIT.done : EXIT.failed
})

interface Merging {
  simular: boolean
  sim: boolean
  principal?: number
  campo?: readonly string[]
  motivo?: string
}
type Json = { json: boolean }

const bodyOf = ({ principal, campo = [], motivo }: Merging, t: Texts) => ({
  ...(principal !== undefined && { principal_id: principal }),
  ...(campo.length > 0 && { campos: Object.fromEntries(campo.map((text) => choiceOf(text, t))) }),
  ...(motivo !== undefined && { motivo }),
})

/** `evolucao=124`: the case whose value stays. */
function choiceOf(text: string, t: Texts): [string, number] {
  const [, name, id] = /^(\w+)=([1-9]\d{0,8})$/.exec(text) ?? []
  if (name === undefined) throw new CliError(t.badChoice(text), EXIT.usage)
  return [name, Number(id)]
}

/**
 * Simulates, asks, and does what was shown: `headers` name the versions of the cases, so that a change in between is refused.
 */
async function simulated(
  { io, t }: Session,
  flags: Merging & Json,
  send: (simular: boolean) => Promise<DuplicidadeDecidida>,
  what: (planned: DuplicidadeDecidida) => string,
): Promise<void> {
  if (flags.simular || !flags.sim) {
    const planned = await send(true)
    if (flags.simular) {
      say(io, t.would(what(planned)))
      return tell(io, planned, flags)
    }
    await confirm(io, what(planned), false, t)
  }
  await tell(io, await send(false), flags)
}

/** Without JSON, of the fields those that the merge changes. */
function tell(io: Session['io'], decided: DuplicidadeDecidida, { json }: Json): Promise<void> {
  const { campos, ...rest } = decided
  const alterados = campos.filter(({ alterado }) => alterado).map(({ campo }) => campo)
  return printObject(io, json ? decided : { ...rest, alterados }, { json })
}

export const decidir = command<Merging, [number, DecidirDuplicidade['decisao']]>(
  async (session, flags, id, decisao) => {
    const { t, vigia, given } = session
    const { items } = await vigia.get('/agravos/duplicidades', { query: { id } }, given)
    const headers: Record<string, string> = items[0] === undefined ? {} : { 'If-Match': items[0].etag }
    const body: DecidirDuplicidade = { decisao, ...bodyOf(flags, t) }
    const send = (simular: boolean) =>
      vigia.post(
        '/agravos/duplicidades/{id}/decidir',
        { params: { id }, query: { simular }, body },
        { ...given, headers },
      )
    await simulated(session, flags, send, ({ principal_id, absorvido_id }) =>
      principal_id === null ? t.decide(id, decisao) : t.merge(principal_id, absorvido_id),
    )
  },
)

export const fundir = command<Merging, [number, number]>(async (session, flags, id, caso_id) => {
  const { t, vigia, given } = session
  const versions = [id, caso_id].toSorted((a, b) => a - b).map((one) => versionOf(session, one))
  const headers = { 'If-Match': `"${(await Promise.all(versions)).join('/')}"` }
  const body: FundirCasos = { caso_id, ...bodyOf(flags, t) }
  const send = (simular: boolean) =>
    vigia.post(
      '/agravos/casos/{id}/fundir',
      { params: { id }, query: { simular }, body },
      { ...given, headers },
    )
  await simulated(session, flags, send, ({ principal_id, absorvido_id }) =>
    t.merge(principal_id, absorvido_id),
  )
})

async function versionOf({ vigia, given }: Session, id: number): Promise<string> {
  const answer = await vigia.response({ method: 'GET', path: '/agravos/casos/{id}', params: { id } }, given)
  await answer.body?.cancel()
  return /\d+/.exec(answer.headers.get('etag') ?? '')?.[0] ?? ''
}

export const desfazerFusao = command<{ simular: boolean; sim: boolean }, [number]>(
  async (session, flags, id) => {
    const { io, t, vigia, given } = session
    const undo = (simular: boolean) =>
      vigia.post('/agravos/fusoes/{id}/desfazer', { params: { id }, query: { simular } }, given)
    if (flags.simular) {
      const planned = await undo(true)
      say(io, t.would(t.unmerge(id, planned.absorvido_id)))
      return printObject(io, planned, flags)
    }
    if (!flags.sim) await confirm(io, t.unmerge(id, (await undo(true)).absorvido_id), false, t)
    await printObject(io, await undo(false), flags)
  },
)
