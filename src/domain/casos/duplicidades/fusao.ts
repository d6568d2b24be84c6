import { dateInBrazil } from '../../../brasil/calendar.ts'
import type { Caller } from '../../../caller/caller.ts'
import type { Db } from '../../../db/db.ts'
import { AppError, because, invalid } from '../../../errors/catalogue.ts'
import type { ListQuery, ListRules, Page } from '../../../filter.ts'
import type { App } from '../../app.ts'
import { by } from '../../auditoria/auditoria.ts'
import { announceCasos } from '../announce.ts'
import { type CasoWithSigilo, findCasoWithSigilo, lockCaso, markFundido } from '../casos.sql.ts'
import { lockLive, rewriteCaso, subjectOfCampos, writeHistory } from '../create.ts'
import { TIPOS_AGRAVO } from '../enumeracoes.ts'
import { describeChange, NOTHING_SECRET } from '../historico.ts'
import type { RuleContext } from '../regras.ts'
import { toCampos } from '../sigilo.ts'
import { assertAcesso } from '../territorio.ts'
import { type FusaoRow, findFusao, insertFusao, markFundidos, pageOfFusaoRows } from './fusoes.sql.ts'
import { avisarMuitasFusoes } from './muitas-fusoes.ts'
import { type CasoAberto, type Plano, planFusao } from './plano.ts'

/**
 * Merge of two cases. The principal takes over what it lacks; the absorbed case is excluded with the principal's id, and both keep
 * their rows, attachments and histories: nothing is lost, so that an undo is exact.
 */

export type FusaoNeeds = Pick<
  App,
  'db' | 'clock' | 'cipher' | 'chaves' | 'auditoria' | 'municipios' | 'agravos'
>

export interface PedidoDeFusao {
  /** Absent: the earlier notification. */
  principal_id?: number | undefined
  /** Case whose value a field gets. */
  campos: Readonly<Record<string, number>>
  motivo: string | null
}

/** Versions of both cases that a client expects, the smaller id first; null: any. */
export type VersoesEsperadas = readonly [number, number] | null

export interface FusaoPlanejada extends Plano {
  principal: CasoAberto & { versao: number }
  absorvido: CasoAberto & { versao: number }
}

interface Locked {
  row: CasoWithSigilo
  aberto: CasoAberto & { versao: number }
}

/** Locks both cases, the smaller id first, and plans their merge; writes nothing. */
export async function planejarFusao(
  app: FusaoNeeds,
  tx: Db,
  caller: Caller,
  ids: readonly [number, number],
  pedido: PedidoDeFusao,
  versoes: VersoesEsperadas,
): Promise<{ plano: FusaoPlanejada; rows: ReadonlyMap<number, CasoWithSigilo> }> {
  const [one, other] = ids.toSorted((a, b) => a - b) as [number, number]
  const first = await lockAberto(app, tx, caller, one)
  const second = await lockAberto(app, tx, caller, other)
  if (versoes !== null && (first.aberto.versao !== versoes[0] || second.aberto.versao !== versoes[1]))
    throw new AppError('PRECONDITION_FAILED')
  if (first.row.tipo_agravo !== second.row.tipo_agravo)
    throw invalid('body', ['caso_id'], 'INCONSISTENT', { field: 'tipo_agravo' })
  const [principal, absorvido] = inOrder(first.aberto, second.aberto, pedido.principal_id)
  const context = contextNow(app)
  const plano = planFusao({ principal, absorvido, escolhas: pedido.campos, context })
  return {
    plano: { ...plano, principal, absorvido },
    rows: new Map([first, second].map(({ row }) => [row.id, row])),
  }
}

async function lockAberto(app: FusaoNeeds, tx: Db, caller: Caller, id: number): Promise<Locked> {
  const locked = await lockCaso(tx, id)
  if (locked !== null && locked.fundido_com !== null) {
    assertAcesso(caller, locked)
    throw because('CASE_MERGED')
  }
  await lockLive(tx, caller, id, null)
  const row = await findCasoWithSigilo(tx, id)
  if (row === null) throw new AppError('NOT_FOUND')
  return { row, aberto: { id, versao: row.versao, campos: toCampos(app.cipher, row) } }
}

function inOrder<C extends CasoAberto>(one: C, other: C, principal: number | undefined): [C, C] {
  if (principal !== undefined && principal !== one.id && principal !== other.id)
    throw invalid('body', ['principal_id'], 'INVALID_VALUE', { allowed: `${one.id}, ${other.id}` })
  const isOther = principal === undefined ? isEarlier(other, one) : principal === other.id
  return isOther ? [other, one] : [one, other]
}

const isEarlier = (one: CasoAberto, other: CasoAberto) =>
  one.campos.data_notificacao < other.campos.data_notificacao

/** Merges in the caller's transaction; returns the merge's id. */
export async function fundir(
  app: FusaoNeeds,
  tx: Db,
  caller: Caller,
  ids: readonly [number, number],
  pedido: PedidoDeFusao,
  versoes: VersoesEsperadas,
): Promise<{ fusao_id: number; plano: FusaoPlanejada }> {
  const now = app.clock.now()
  const { plano, rows } = await planejarFusao(app, tx, caller, ids, pedido, versoes)
  const { principal, absorvido, campos, alterados } = plano
  const principalVersao = await rewriteCaso(
    app,
    tx,
    rows.get(principal.id) as CasoWithSigilo,
    principal.campos,
    campos,
    { acao: 'fundido', alterados, usuario: caller, now, outros: { absorvido: brief(absorvido) } },
  )
  const absorvidoVersao = absorvido.versao + 1
  await markFundido(tx, absorvido.id, absorvidoVersao, { principal: principal.id, by: caller, now })
  const line = { id: absorvido.id, versao: absorvidoVersao, acao: 'fundido_com' }
  const sigilo = pedido.motivo === null ? {} : { motivo: pedido.motivo }
  await writeHistory(app, tx, caller, { ...line, alteracoes: { principal: brief(principal) }, sigilo }, now)
  const fusao_id = await storeFusao(app, tx, caller, plano, { principalVersao, absorvidoVersao }, now)
  await announceFusao(tx, plano, { principalVersao, absorvidoVersao }, now)
  await avisarMuitasFusoes(tx, caller, now)
  await app.auditoria.record(tx, {
    acao: 'caso.fundido',
    ...by(caller),
    recurso: 'caso',
    recurso_id: principal.id,
    detalhes: { fusao_id, absorvido_id: absorvido.id, campos: alterados },
  })
  return { fusao_id, plano }
}

export const brief = ({ id, campos }: CasoAberto) => ({ id, numero_notificacao: campos.numero_notificacao })

interface Versoes {
  principalVersao: number
  absorvidoVersao: number
}

/** Surroundings that the result of a merge is judged in. */
export const contextNow = ({
  clock,
  municipios,
  agravos,
}: Pick<App, 'clock' | 'municipios' | 'agravos'>): RuleContext => ({
  today: dateInBrazil(clock.now()),
  municipios,
  agravos: agravos.vigentes(),
})

export const contextOf = (principalId: number, versao: number) => `fusoes/${principalId}/${versao}`

async function storeFusao(
  { cipher }: FusaoNeeds,
  tx: Db,
  caller: Caller,
  { principal, absorvido, campos, alterados }: FusaoPlanejada,
  { principalVersao, absorvidoVersao }: Versoes,
  now: Date,
): Promise<number> {
  const { alteracoes, sigilo } = describeChange(principal.campos, campos, alterados, [null, null])
  const isSecret = Object.keys(sigilo).length > 0
  const context = contextOf(principal.id, principalVersao)
  const fusao_id = await insertFusao(
    tx,
    {
      principal_id: principal.id,
      absorvido_id: absorvido.id,
      principal_versao: principalVersao,
      absorvido_versao: absorvidoVersao,
      alteracoes,
      sigilo: isSecret ? cipher.encrypt(Buffer.from(JSON.stringify(sigilo)), context) : NOTHING_SECRET,
    },
    caller,
    now,
  )
  const [caso_1, caso_2] = [principal.id, absorvido.id].toSorted((a, b) => a - b) as [number, number]
  await markFundidos(tx, { caso_1, caso_2, fusao_id }, caller, now)
  return fusao_id
}

/** Fields that a merge changed, with their values. */
export function openMudancas(
  { cipher }: Pick<App, 'cipher'>,
  fusao: FusaoRow,
): Record<string, [unknown, unknown]> {
  const { principal_id, principal_versao, alteracoes, sigilo } = fusao
  const secret =
    sigilo === null
      ? {}
      : JSON.parse(cipher.decrypt(sigilo, contextOf(principal_id, principal_versao)).toString('utf8'))
  return { ...(alteracoes as Record<string, [unknown, unknown]>), ...secret }
}

async function announceFusao(
  tx: Db,
  { principal, absorvido, campos, alterados }: FusaoPlanejada,
  { principalVersao, absorvidoVersao }: Versoes,
  em: Date,
): Promise<void> {
  if (alterados.length > 0) {
    const before = subjectOfCampos(principal.campos)
    const about = { ...subjectOfCampos(campos), id: principal.id, versao: principalVersao, em, before }
    await announceCasos(tx, 'agravo.atualizado', [about])
  }
  const about = { ...subjectOfCampos(absorvido.campos), id: absorvido.id, versao: absorvidoVersao, em }
  await announceCasos(tx, 'agravo.excluido', [{ ...about, definitivo: false, fundido_com: principal.id }])
}

export const FUSOES_LIST: ListRules = {
  fields: {
    id: { type: 'integer' },
    tipo_agravo: { type: 'text', operators: ['eq', 'ne', 'in'], values: TIPOS_AGRAVO },
    principal_id: { type: 'integer' },
    absorvido_id: { type: 'integer' },
    desfeita: { type: 'boolean' },
    feita_em: { type: 'datetime' },
  },
  sortable: ['id', 'feita_em'],
  defaultSort: { field: 'id', order: 'desc' },
}

export function pageOfFusoes(
  { db, municipios }: Pick<App, 'db' | 'municipios'>,
  caller: Caller,
  list: ListQuery,
): Promise<Page<FusaoRow>> {
  return pageOfFusaoRows(db, municipios, caller, list)
}

export async function getFusao(
  db: Db,
  { municipios }: Pick<App, 'municipios'>,
  caller: Caller,
  id: number,
): Promise<FusaoRow> {
  const fusao = await findFusao(db, municipios, caller, id)
  if (fusao === null) throw new AppError('NOT_FOUND')
  return fusao
}
