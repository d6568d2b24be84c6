import { UFS } from '../../../brasil/uf.ts'
import type { Caller } from '../../../caller/caller.ts'
import type { Db } from '../../../db/db.ts'
import { AppError, because } from '../../../errors/catalogue.ts'
import type { Filter, FilterField, ListQuery, ListRules, Page } from '../../../filter.ts'
import type { App } from '../../app.ts'
import { by } from '../../auditoria/auditoria.ts'
import { TIPOS_AGRAVO } from '../enumeracoes.ts'
import { openCaso, recordIdentifiedRead } from '../reading/read.ts'
import { unseal } from '../sigilo.ts'
import {
  type CasoDoPar,
  countByFaixa,
  type DuplicidadeRow,
  decide,
  findDuplicidade,
  listCasosDosPares,
  listOfCaso,
  listSealed,
  pageOfDuplicidadeRows,
  type QualidadeRow,
} from './duplicidades.sql.ts'
import { FAIXAS, type FaixaDoPar } from './escore.ts'
import {
  type FusaoNeeds,
  type FusaoPlanejada,
  fundir,
  type PedidoDeFusao,
  planejarFusao,
  type VersoesEsperadas,
} from './fusao.ts'
import { type DECISOES, SITUACOES, type SituacaoDoPar } from './situacao.ts'

/** Pairs of cases that may be one, and what people decide about them. */

type Needs = Pick<App, 'db' | 'municipios' | 'cipher' | 'auditoria'>

const oneOf = (values: readonly string[]): FilterField => ({
  type: 'text',
  operators: ['eq', 'ne', 'in'],
  values,
})
const limit: FilterField = { type: 'date', operators: ['eq'] }

export const DUPLICIDADES_LIST: ListRules = {
  fields: {
    id: { type: 'integer' },
    situacao: oneOf(SITUACOES),
    faixa: oneOf(FAIXAS),
    escore: { type: 'number' },
    tipo_agravo: oneOf(TIPOS_AGRAVO),
    estado: oneOf(UFS),
    regiao_saude: {
      type: 'text',
      operators: ['eq', 'in'],
      form: { pattern: /^\d{5}$/, name: 'regiao_saude' },
    },
    municipio: { type: 'text', operators: ['eq', 'in'] },
    data_inicio: limit,
    data_fim: limit,
    importacao_id: { type: 'integer', operators: ['eq', 'in'] },
    encontrada_em: { type: 'datetime' },
    decidida_em: { type: 'datetime' },
  },
  sortable: ['escore', 'id', 'encontrada_em', 'decidida_em'],
  defaultSort: { field: 'escore', order: 'desc' },
}

/** A pair with both its cases. */
export interface Duplicidade extends Omit<DuplicidadeRow, 'motivo' | 'caso_1' | 'caso_2'> {
  casos: readonly [CasoDoPar, CasoDoPar]
  /** Null unless patients are identified. */
  nomes: readonly [string | null, string | null] | null
  motivo: string | null
}

export async function pageOfDuplicidades(
  app: Needs,
  caller: Caller,
  list: ListQuery,
  identificado: boolean,
): Promise<Page<Duplicidade>> {
  const filter = withSituacao(list.filter)
  const page = await pageOfDuplicidadeRows(app.db, app.municipios, caller, { ...list, filter })
  return { ...page, items: await withCasos(app, caller, page.items, identificado) }
}

/** Undecided ones, unless the filter says which. */
function withSituacao(filter: Filter): Filter {
  if (names(filter, 'situacao')) return filter
  const pendente: Filter = { kind: 'test', field: 'situacao', op: 'eq', value: 'pendente' }
  return { kind: 'and', of: [filter, pendente] }
}

function names(filter: Filter, field: string): boolean {
  if (filter.kind === 'search') return false
  return filter.kind === 'test' ? filter.field === field : filter.of.some((one) => names(one, field))
}

/** Of one case that the caller may open. */
export async function duplicidadesDoCaso(
  app: Needs,
  caller: Caller,
  casoId: number,
  identificado: boolean,
): Promise<Duplicidade[]> {
  await openCaso(app, caller, casoId)
  const rows = await listOfCaso(app.db, app.municipios, caller, casoId)
  return withCasos(app, caller, rows, identificado)
}

async function withCasos(
  app: Needs,
  caller: Caller,
  rows: readonly DuplicidadeRow[],
  identificado: boolean,
): Promise<Duplicidade[]> {
  const ids = [...new Set(rows.flatMap(({ caso_1, caso_2 }) => [caso_1, caso_2]))].sort((a, b) => a - b)
  if (identificado) await recordIdentifiedRead(app, caller, null, { duplicidades: true, casos: ids })
  const casos = await listCasosDosPares(app.db, ids)
  const nomes = identificado ? await nomesOf(app, ids) : null
  return rows.flatMap(({ caso_1, caso_2, motivo, ...row }) => {
    const [um, outro] = [casos.get(caso_1), casos.get(caso_2)]
    // Removed since the pair was read.
    if (um === undefined || outro === undefined) return []
    return [
      {
        ...row,
        casos: [um, outro] as const,
        nomes: nomes && ([nomes.get(caso_1) ?? null, nomes.get(caso_2) ?? null] as const),
        motivo: nomes && motivo && app.cipher.decrypt(motivo, contextOf(row.id)).toString('utf8'),
      },
    ]
  })
}

export const contextOf = (id: number) => `duplicidades/${id}/motivo`

async function nomesOf(
  { db, cipher }: Needs,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string | null>> {
  const rows = await listSealed(db, ids)
  return new Map(rows.map((row) => [row.id, unseal(cipher, row).paciente_nome]))
}

export interface Decisao extends PedidoDeFusao {
  decisao: (typeof DECISOES)[number]
}

export interface Decidida {
  situacao: SituacaoDoPar
  fusao_id: number | null
  plano: FusaoPlanejada | null
}

/** Decides about a pair; cases that are one are merged in the same transaction. `simular`: tells the result alone. */
export async function decidirDuplicidade(
  app: FusaoNeeds,
  caller: Caller,
  id: number,
  { decisao, ...pedido }: Decisao,
  { versoes, simular }: { versoes: VersoesEsperadas; simular: boolean },
): Promise<Decidida> {
  return app.db.transaction(async (tx) => {
    const par = await findDuplicidade(tx, app.municipios, caller, id)
    if (par === null) throw new AppError('NOT_FOUND')
    if (par.situacao !== 'pendente') throw because('ALREADY_DECIDED')
    const ids = [par.caso_1, par.caso_2] as const
    if (decisao !== 'mesmo_caso') {
      await assertVersoes(tx, ids, versoes)
      if (!simular) await writeDecisao(app, tx, caller, { id, decisao, motivo: pedido.motivo, ids })
      return { situacao: decisao, fusao_id: null, plano: null }
    }
    if (simular) {
      const { plano } = await planejarFusao(app, tx, caller, ids, pedido, versoes)
      return { situacao: decisao, fusao_id: null, plano }
    }
    const feita = await fundir(app, tx, caller, ids, pedido, versoes)
    return { situacao: decisao, ...feita }
  })
}

async function assertVersoes(
  tx: Db,
  [one, other]: readonly [number, number],
  versoes: VersoesEsperadas,
): Promise<void> {
  if (versoes === null) return
  const casos = await listCasosDosPares(tx, [one, other])
  if (casos.get(one)?.versao !== versoes[0] || casos.get(other)?.versao !== versoes[1])
    throw new AppError('PRECONDITION_FAILED')
}

async function writeDecisao(
  app: FusaoNeeds,
  tx: Db,
  caller: Caller,
  {
    id,
    decisao,
    motivo,
    ids,
  }: { id: number; decisao: SituacaoDoPar; motivo: string | null; ids: readonly number[] },
): Promise<void> {
  const sealed = motivo === null ? null : app.cipher.encrypt(Buffer.from(motivo), contextOf(id))
  const decided = await decide(
    tx,
    id,
    { situacao: decisao, motivo: sealed, fusao_id: null },
    caller,
    app.clock.now(),
  )
  if (decided === 0) throw because('ALREADY_DECIDED')
  await app.auditoria.record(tx, {
    acao: 'duplicidade.decidida',
    ...by(caller),
    recurso: 'duplicidade',
    recurso_id: id,
    detalhes: { decisao, casos: ids },
  })
}

/** Merges two cases that nobody proposed. */
export async function fundirCasos(
  app: FusaoNeeds,
  caller: Caller,
  ids: readonly [number, number],
  pedido: PedidoDeFusao,
  { versoes, simular }: { versoes: VersoesEsperadas; simular: boolean },
): Promise<Decidida> {
  return app.db.transaction(async (tx) => {
    if (simular) {
      const { plano } = await planejarFusao(app, tx, caller, ids, pedido, versoes)
      return { situacao: 'mesmo_caso' as const, fusao_id: null, plano }
    }
    return { situacao: 'mesmo_caso' as const, ...(await fundir(app, tx, caller, ids, pedido, versoes)) }
  })
}

export interface QualidadeDaFaixa {
  faixa: FaixaDoPar
  total: number
  decididas: number
  por_situacao: Record<SituacaoDoPar, number>
  /** Share of the decided ones that were one case; null: none is decided. */
  precisao: number | null
}

/** Precision of each band by the decisions of this installation. */
export async function qualidadeDasDuplicidades(
  { db, municipios }: Needs,
  caller: Caller,
): Promise<QualidadeDaFaixa[]> {
  const rows = await countByFaixa(db, municipios, caller)
  return FAIXAS.map((faixa) => qualityOf(faixa, rows))
}

function qualityOf(faixa: FaixaDoPar, rows: readonly QualidadeRow[]): QualidadeDaFaixa {
  const of = (situacao: SituacaoDoPar) =>
    rows.find((row) => row.faixa === faixa && row.situacao === situacao)?.total ?? 0
  const por_situacao = Object.fromEntries(SITUACOES.map((one) => [one, of(one)])) as Record<
    SituacaoDoPar,
    number
  >
  const decididas = por_situacao.mesmo_caso + por_situacao.outro_episodio + por_situacao.outra_pessoa
  const precisao = decididas === 0 ? null : Math.round((por_situacao.mesmo_caso / decididas) * 1_000) / 1_000
  return { faixa, total: decididas + por_situacao.pendente, decididas, por_situacao, precisao }
}
