import { addDays, dateInBrazil } from '../../../brasil/calendar.ts'
import { ESTADOS_IBGE } from '../../../brasil/uf.ts'
import { type Caller, mayIdentify } from '../../../caller/caller.ts'
import { invalid } from '../../../errors/catalogue.ts'
import { type Histogram, quantileOfCounts, sizeOf } from '../../../statistics/histogram.ts'
import { round, roundOrNull } from '../../../statistics/rounding.ts'
import type { App } from '../../app.ts'
import { type Lugar, type LugarPedido, lugarOf } from '../../territorios/lugar.ts'
import { perguntadoOf } from '../agravos/condicoes.sql.ts'
import { conhecidosOf, sentName } from '../agravos/nomes.ts'
import { obrigatoriosOf } from '../agravos/obrigatorios.ts'
import type { ScopePlace } from '../counters/scope.ts'
import type { TipoAgravo } from '../enumeracoes.ts'
import { withinCaller } from '../statistics/alcance.ts'
import { latestChange } from '../statistics/mudancas.ts'
import {
  type CampoPedido,
  countGrupos,
  countObrigatorios,
  countPares,
  countQualidade,
  type Grupos,
  type Tally,
} from './qualidade.sql.ts'
import {
  COMPLETUDE,
  CONTRADICOES,
  type Divisao,
  DUPLICADO,
  ENCERRADO_AUTOMATICO,
  type Faixa,
  FIELD_OF,
  type FieldRule,
  faixaOf,
  hasBit,
  MEDIDAS,
  type Medida,
} from './regras.ts'
import { placesOf, type Selecao } from './selecao.ts'

/** Completeness, timeliness and inconsistencies of the records of a place and a period, as a whole and by groups. */

type Needs = Pick<App, 'db' | 'clock' | 'municipios' | 'territorios' | 'agravos'>

export interface QualidadePedida extends LugarPedido {
  tipo_agravo: TipoAgravo | null
  data_inicio: string | null
  data_fim: string | null
  agrupar_por: Divisao | null
  page: number
  size: number
}

export interface Completude {
  campo: string
  preenchidos: number
  de: number
  pct: number | null
  faixa: Faixa | null
}

export interface Oportunidade {
  n: number
  p25: number | null
  mediana: number | null
  p75: number | null
  p90: number | null
  no_prazo: number
  de: number
  pct: number | null
}

export interface Qualidade {
  casos: number
  completude: Completude[]
  oportunidade: Record<Medida, Oportunidade>
  encerrado_automatico: number
  /** Null: only for callers who may identify patients. */
  inconsistencias: { codigo: string; total: number | null }[]
}

export interface GrupoDeFichas extends Qualidade {
  /** UF, five or seven digits, CNES; null: unknown. */
  codigo: string | null
  nome: string | null
  estado: string | null
}

export interface QualidadeDoLugar extends Qualidade {
  lugar: Lugar
  parcial: boolean
  data_inicio: string
  data_fim: string
  grupos: { items: GrupoDeFichas[]; total: number }
  /** Moment of the latest change that the numbers could show; null without any case. */
  dados_ate: string | null
}

const DEFAULT_DAYS = 365

export async function qualidadeOf(
  app: Needs,
  caller: Pick<Caller, 'territorio' | 'permissoes' | 'holdsAll'>,
  pedido: QualidadePedida,
): Promise<QualidadeDoLugar> {
  const hoje = dateInBrazil(app.clock.now())
  const lugar = lugarOf(app, pedido)
  const { parcial, lugares } = withinCaller(app, caller, lugar)
  const periodo = periodOf(pedido, hoje)
  const selecao: Selecao = { ...placesOf(app, lugares), ...periodo, tipo_agravo: pedido.tipo_agravo }
  const counting: Counting = {
    ...{ hoje, pairs: mayIdentify(caller) },
    proprios: propriosOf(app, pedido.tipo_agravo),
  }
  const [[whole], grupos, dados_ate] = await Promise.all([
    countedBy(app, selecao, counting, null, [null]),
    pedido.agrupar_por === null
      ? { items: [], total: 0 }
      : pageOfGrupos(app, selecao, counting, pedido.agrupar_por, pedido),
    latestOf(app, pedido.tipo_agravo, lugares),
  ])
  const asked = askedBy(app, pedido.tipo_agravo)
  const items = grupos.items.map((grupo) => ({ ...grupo, completude: grupo.completude.filter(asked) }))
  const { completude, ...others } = whole as Qualidade
  return {
    ...{ lugar, parcial, ...periodo, ...others, completude: completude.filter(asked) },
    ...{ grupos: { ...grupos, items }, dados_ate },
  }
}

/** Fields that the form of the disease has; of all diseases together, every one. */
function askedBy(
  { agravos }: Needs,
  tipo: TipoAgravo | null,
): (completude: Pick<Completude, 'campo'>) => boolean {
  const agravo = tipo === null ? undefined : agravos.vigentes().get(tipo)
  if (agravo === undefined) return () => true
  const lacking = new Set<string>(agravo.fora)
  if (agravo.criterios.size === 0) lacking.add('criterio_confirmacao')
  if (agravo.evolucoes.size === 0) lacking.add('evolucao')
  return ({ campo }) => !lacking.has(FIELD_OF[campo] ?? campo)
}

/** Required own fields of the disease; of all diseases together, none. */
function propriosOf({ agravos }: Needs, tipo: TipoAgravo | null): ProprioContado[] {
  const agravo = tipo === null ? undefined : agravos.vigentes().get(tipo)
  if (agravo === undefined) return []
  const conhecidos = conhecidosOf(agravo.definicao)
  return obrigatoriosOf(agravo.definicao).map((campo) => ({
    campo: sentName(campo.nome),
    ...perguntadoOf(campo, conhecidos),
  }))
}

/** Latest change of a case of the disease, or of any, in the states of the place. */
async function latestOf(
  { db, agravos }: Needs,
  tipo: TipoAgravo | null,
  lugares: readonly ScopePlace[] | null,
) {
  const tipos = tipo === null ? agravos.vigentes().codigos : [tipo]
  const changes = await Promise.all(tipos.map((one) => latestChange(db, one, lugares)))
  return changes.filter((one) => one !== null).reduce<string | null>(later, null)
}

const later = (a: string | null, b: string) => (a === null || b > a ? b : a)

function periodOf({ data_inicio, data_fim }: QualidadePedida, hoje: string) {
  const fim = data_fim ?? (data_inicio !== null && data_inicio > hoje ? data_inicio : hoje)
  const inicio = data_inicio ?? addDays(fim, 1 - DEFAULT_DAYS)
  if (fim < inicio) throw invalid('query', ['data_fim'], 'BEFORE', { field: 'data_inicio' })
  return { data_inicio: inicio, data_fim: fim }
}

interface Counting {
  hoje: string
  /** Counts pairs of possible duplicates, too. */
  pairs: boolean
  proprios: readonly ProprioContado[]
}

interface ProprioContado extends CampoPedido {
  campo: string
}

/** Numbers of each key, in the order of the keys. */
async function countedBy(
  { db }: Needs,
  selecao: Selecao,
  { hoje, pairs, proprios }: Counting,
  grupos: Grupos | null,
  keys: readonly (string | null)[],
): Promise<Qualidade[]> {
  const regiaoOf = new Map(grupos?.regioes.map(([municipio, regiao]) => [String(municipio), regiao]))
  const keyOf = (chave: string | null) =>
    grupos?.por === 'regiao_saude' ? (regiaoOf.get(chave ?? '') ?? null) : chave
  const [tallies, pares, asked] = await Promise.all([
    countQualidade(db, selecao, hoje, grupos),
    pairs ? countPares(db, selecao, grupos?.por ?? null) : null,
    proprios.length === 0 ? [] : countObrigatorios(db, selecao, proprios, grupos),
  ])
  const byKey = Map.groupBy(tallies, ({ grupo }) => grupo)
  const paresByKey = new Map<string | null, number>()
  for (const { chave, pares: found } of pares ?? [])
    paresByKey.set(keyOf(chave), (paresByKey.get(keyOf(chave)) ?? 0) + found)
  const askedByKey = new Map(asked.map(({ grupo, contagens }) => [grupo, contagens]))
  return keys.map((key) => {
    const summary = summaryOf(byKey.get(key) ?? [], pares && (paresByKey.get(key) ?? 0))
    const own = proprios.map(({ campo }, at) => {
      const [de = 0, preenchidos = 0] = askedByKey.get(key)?.slice(2 * at, 2 * at + 2) ?? []
      return completudeOf(campo, preenchidos, de)
    })
    return { ...summary, completude: [...summary.completude, ...own] }
  })
}

const completudeOf = (campo: string, preenchidos: number, de: number): Completude => ({
  ...{ campo, preenchidos, de, pct: percentOf(preenchidos, de), faixa: faixaOf(preenchidos, de) },
})

/** Adds up what a group has in common. `pares` null: not counted. */
export function summaryOf(tallies: readonly Tally[], pares: number | null): Qualidade {
  const bits = tallies.filter(({ medida }) => medida === null)
  const sum = (of: (tally: Tally) => boolean) =>
    bits.reduce((total, tally) => (of(tally) ? total + tally.total : total), 0)
  const casos = sum(() => true)
  return {
    casos,
    completude: COMPLETUDE.map(({ campo, bit, asked }: FieldRule) => {
      const preenchidos = sum(({ qualidade }) => hasBit(qualidade, bit))
      const de = asked === undefined ? casos : sum(({ qualidade }) => hasBit(qualidade, asked))
      return completudeOf(campo, preenchidos, de)
    }),
    oportunidade: Object.fromEntries(
      MEDIDAS.map((medida) => [medida, timelinessOf(tallies, medida)]),
    ) as Record<Medida, Oportunidade>,
    encerrado_automatico: sum(({ qualidade }) => hasBit(qualidade, ENCERRADO_AUTOMATICO)),
    inconsistencias: [
      ...CONTRADICOES.map(({ codigo, bit }) => ({
        codigo,
        total: sum(({ pendencias }) => hasBit(pendencias, bit)),
      })),
      { codigo: DUPLICADO, total: pares },
    ],
  }
}

const percentOf = (part: number, of: number) => (of === 0 ? null : round((100 * part) / of, 2))

/** Days within which it is in time; closing has its deadline by disease, and is judged with the case. */
const IN_TIME: Record<Exclude<Medida, 'encerramento'>, number> = { notificacao: 7, digitacao: 7, obito: 1 }

function timelinessOf(tallies: readonly Tally[], medida: Medida): Oportunidade {
  const ofMeasure = tallies.filter((tally) => tally.medida === medida)
  const histogram = histogramOf(ofMeasure)
  const n = sizeOf(histogram)
  const count = (of: (tally: Tally) => boolean) =>
    ofMeasure.reduce((total, tally) => (of(tally) ? total + tally.total : total), 0)
  const isInTime =
    medida === 'encerramento'
      ? ({ no_prazo }: Tally) => no_prazo
      : ({ dias }: Tally) => dias !== null && dias <= IN_TIME[medida]
  const no_prazo = count(isInTime)
  const de = medida === 'encerramento' ? count(({ devido }) => devido) : n
  const quantile = (p: number) => roundOrNull(quantileOfCounts(histogram, p), 4)
  return {
    n,
    p25: quantile(0.25),
    mediana: quantile(0.5),
    p75: quantile(0.75),
    p90: quantile(0.9),
    no_prazo,
    de,
    pct: percentOf(no_prazo, de),
  }
}

function histogramOf(tallies: readonly Tally[]): Histogram {
  const counts = new Map<number, number>()
  for (const { dias, total } of tallies) if (dias !== null) counts.set(dias, (counts.get(dias) ?? 0) + total)
  return [...counts].toSorted(([a], [b]) => a - b)
}

/** Groups that have cases, in the order of their codes; the unknown one comes last. */
async function pageOfGrupos(
  app: Needs,
  selecao: Selecao,
  counting: Counting,
  por: Divisao,
  { page, size }: Pick<QualidadePedida, 'page' | 'size'>,
): Promise<{ items: GrupoDeFichas[]; total: number }> {
  const regioes = regioesOf(app, selecao)
  const regiaoOf = new Map(regioes.map(([municipio, regiao]) => [String(municipio), regiao]))
  const found = await countGrupos(app.db, selecao, por)
  const keyOf = (chave: string | null) =>
    por === 'regiao_saude' ? (regiaoOf.get(chave ?? '') ?? null) : chave
  const keys = [...new Set(found.map(({ chave }) => keyOf(chave)))].toSorted(byCode)
  const shown = keys.slice((page - 1) * size, page * size)
  if (shown.length === 0) return { items: [], total: keys.length }
  const part = partOf(app, selecao, por, shown)
  const counted = await countedBy(app, part, counting, { por, regioes }, shown)
  return {
    items: shown.map((codigo, i) => ({ ...nameOf(app, por, codigo), ...(counted[i] as Qualidade) })),
    total: keys.length,
  }
}

const byCode = (a: string | null, b: string | null) =>
  a === null || b === null ? Number(a === null) - Number(b === null) : a < b ? -1 : 1

const regioesOf = ({ municipios }: Needs, { codigos }: Selecao) =>
  codigos.flatMap((codigo) => {
    const regiao = municipios.byCodigo(codigo)?.regiao
    return regiao ? [[codigo, String(regiao.codigo)] as const] : []
  })

/** Selection without the places of other groups. */
function partOf(
  { municipios }: Needs,
  selecao: Selecao,
  por: Divisao,
  keys: readonly (string | null)[],
): Selecao {
  if (por === 'unidade') return { ...selecao, unidades: keys }
  const isShown = (key: string | null) => keys.includes(key)
  const keyOf = (codigo: number) => {
    const municipio = municipios.byCodigo(codigo)
    if (por === 'municipio') return String(codigo)
    return por === 'estado' ? (municipio?.uf ?? null) : (municipio?.regiao?.codigo.toString() ?? null)
  }
  const withoutPlace = por === 'estado' ? keys.filter((key) => key !== null) : []
  return {
    ...selecao,
    codigos: selecao.codigos.filter((codigo) => isShown(keyOf(codigo))),
    semMunicipio: isShown(null)
      ? selecao.semMunicipio
      : withoutPlace.filter((uf) => selecao.semMunicipio === null || selecao.semMunicipio.includes(uf)),
  }
}

function nameOf(
  { municipios, territorios }: Needs,
  por: Divisao,
  codigo: string | null,
): Pick<GrupoDeFichas, 'codigo' | 'nome' | 'estado'> {
  if (codigo === null || por === 'unidade') return { codigo, nome: null, estado: null }
  if (por === 'estado')
    return { codigo, nome: ESTADOS_IBGE.find(({ uf }) => uf === codigo)?.nome ?? null, estado: codigo }
  const place =
    por === 'municipio' ? municipios.byCodigo(Number(codigo)) : territorios.regiaoByCodigo(Number(codigo))
  return { codigo, nome: place?.nome ?? null, estado: place?.uf ?? null }
}
