import { dateInBrazil } from '../../brasil/calendar.ts'
import { anoOfWeek, firstWeekOf, semanaAt, weekOf } from '../../brasil/epi-week.ts'
import { ESTADOS_IBGE } from '../../brasil/uf.ts'
import { invalid } from '../../errors/catalogue.ts'
import { ratePer100k } from '../../statistics/rate.ts'
import { roundOrNull } from '../../statistics/rounding.ts'
import type { App } from '../app.ts'
import { type Lugar, type LugarPedido, lugarOf, NIVEIS_DE_LUGAR } from '../territorios/lugar.ts'
import { CHAVE_DO_PAIS, chaveDesconhecida, GRUPOS_DA_PIRAMIDE } from './contagem.ts'
import type { ChaveDoRetrato, LugarRetratado, Retrato } from './retratos.sql.ts'
import { numerosDoDia, type PublicoNeeds } from './retratos.ts'
import { type AgregacaoPublica, blocoOf, type NumerosDoLugar } from './tabelas.ts'

/** Answers for everybody, from the day's snapshot alone. */

export interface PedidoPublico extends LugarPedido, ChaveDoRetrato {}

export interface RespostaPublica {
  lugar: Lugar
  retrato: Retrato
  populacao: number | null
  populacao_ano: number | null
}

export interface PontoDaCurva {
  semana: string
  /** Last week of an entry of several. */
  ate_semana?: string
  inicio: string
  fim: string
  casos: number | null
  incidencia: number | null
  /** Since the first week of the year; null from the first hidden number on. */
  acumulado: number | null
  suprimido: boolean
}

export interface CurvaPublica extends RespostaPublica {
  agregacao: AgregacaoPublica
  semanas: PontoDaCurva[]
  total: number | null
  incidencia: number | null
}

const RATE_DECIMALS = 4
const rateOf = (casos: number | null, populacao: number | null) =>
  casos === null ? null : roundOrNull(ratePer100k(casos, populacao), RATE_DECIMALS)

export async function curvaPublica(app: PublicoNeeds, pedido: PedidoPublico): Promise<CurvaPublica> {
  const { head, numeros } = await read(app, pedido)
  const { populacao, retrato } = head
  return {
    ...head,
    agregacao: numeros.agregacao,
    semanas: pontosOf(numeros, pedido.ano, retrato.semanas, populacao),
    total: numeros.provaveis,
    incidencia: rateOf(numeros.provaveis, populacao),
  }
}

function pontosOf(
  { agregacao, serie, provaveis }: NumerosDoLugar,
  ano: number,
  semanas: number,
  populacao: number | null,
): PontoDaCurva[] {
  const weeks = Array.from({ length: semanas }, (_, week) => week)
  const entryOf = { semana: (week: number) => week, '4_semanas': blocoOf, ano: () => 0 }[agregacao]
  const counts = agregacao === 'ano' ? [provaveis] : serie
  let acumulado: number | null = 0
  return [...Map.groupBy(weeks, entryOf).values()].map((those, i) => {
    const casos = counts[i] ?? null
    acumulado = acumulado === null || casos === null ? null : acumulado + casos
    const [begin, end] = [those[0] as number, those.at(-1) as number].map((week) =>
      semanaAt(firstWeekOf(ano) + week),
    ) as [ReturnType<typeof semanaAt>, ReturnType<typeof semanaAt>]
    return {
      semana: begin.codigo,
      ...(agregacao !== 'semana' && { ate_semana: end.codigo }),
      inicio: begin.inicio,
      fim: end.fim,
      casos,
      incidencia: rateOf(casos, populacao),
      acumulado,
      suprimido: casos === null,
    }
  })
}

export interface GrupoPublico {
  sexo: string
  faixa: string
  casos: number | null
  suprimido: boolean
}

export interface PiramidePublica extends RespostaPublica {
  celulas: GrupoPublico[]
  sem_sexo_ou_idade: number | null
  total: number | null
}

export async function piramidePublica(app: PublicoNeeds, pedido: PedidoPublico): Promise<PiramidePublica> {
  const { head, numeros } = await read(app, pedido)
  const celulas = GRUPOS_DA_PIRAMIDE.map((grupo, i) => {
    const casos = numeros.piramide[i] ?? null
    return { ...grupo, casos, suprimido: casos === null }
  })
  const unknown = numeros.piramide.at(-1) ?? null
  return { ...head, celulas, sem_sexo_ou_idade: unknown, total: numeros.provaveis }
}

export const NIVEIS_DAS_LINHAS = ['municipio', 'regiao_saude', 'estado'] as const
export type NivelDasLinhas = (typeof NIVEIS_DAS_LINHAS)[number]

export type LugarDaLinha = Omit<Lugar, 'municipios'>

export interface LinhaDaClassificacao {
  lugar: LugarDaLinha
  confirmados: number | null
  descartados: number | null
  inconclusivos: number | null
  em_investigacao: number | null
  total: number | null
  suprimido: boolean
}

export interface ClassificacaoPublica extends RespostaPublica {
  linhas: LinhaDaClassificacao[]
  total: Omit<LinhaDaClassificacao, 'lugar'>
}

/** `nivel`: the parts of the place that have a line each; without it, the place itself. */
export async function classificacaoPublica(
  app: PublicoNeeds,
  pedido: PedidoPublico,
  nivel: NivelDasLinhas | undefined,
): Promise<ClassificacaoPublica> {
  const lugar = placeOf(app, pedido)
  if (nivel !== undefined && NIVEIS_DE_LUGAR.indexOf(nivel) < NIVEIS_DE_LUGAR.indexOf(lugar.nivel))
    throw invalid('query', ['nivel_lugar'], 'INCONSISTENT', { field: lugar.nivel })
  const partes = nivel === undefined || nivel === lugar.nivel ? [lugar] : partesOf(app, lugar, nivel)
  const keys = partes.map(chaveOf)
  const { retrato, lugares } = await numerosDoDia(app, pedido, [...keys, chaveOf(lugar)])
  const known = (parte: LugarDaLinha) =>
    parte.codigo !== null || lugares.some((one) => one.lugar === chaveOf(parte))
  return {
    ...headOf(app, lugar, retrato, pedido.ano),
    linhas: partes
      .filter((parte) => parte === lugar || known(parte))
      .map(({ nivel, codigo, nome, estado }) => ({
        lugar: { nivel, codigo, nome, estado },
        ...classesOf(numerosIn(lugares, chaveOf({ nivel, codigo, nome, estado }), retrato)),
      })),
    total: classesOf(numerosIn(lugares, chaveOf(lugar), retrato)),
  }
}

function classesOf(numeros: NumerosDoLugar): Omit<LinhaDaClassificacao, 'lugar'> {
  const { confirmados, descartados, inconclusivos, em_investigacao, notificados: total } = numeros
  const counts = { confirmados, descartados, inconclusivos, em_investigacao, total }
  return { ...counts, suprimido: Object.values(counts).includes(null) }
}

/** Places of a level inside a place, in the order of their codes; cases of an unknown one come last. */
function partesOf(
  { territorios, municipios }: Pick<App, 'territorios' | 'municipios'>,
  lugar: Lugar,
  nivel: NivelDasLinhas,
): LugarDaLinha[] {
  if (nivel === 'estado')
    return [
      ...ESTADOS_IBGE.map(({ uf, nome }) => ({ nivel, codigo: uf, nome, estado: uf })),
      { nivel, codigo: null, nome: IGNORADO, estado: null },
    ]
  const ufs = lugar.estado === null ? ESTADOS_IBGE.map(({ uf }) => uf) : [lugar.estado]
  if (nivel === 'regiao_saude')
    return ufs
      .flatMap((uf) => territorios.regioesOf(uf))
      .map(({ codigo, nome, uf }) => ({ nivel, codigo: String(codigo), nome, estado: uf }))
  const inside = lugar.nivel === 'pais' ? municipios.all : lugar.municipios
  const unknown = lugar.nivel === 'regiao_saude' ? [] : ufs
  return [
    ...inside.map(({ codigo, nome, uf }) => ({ nivel, codigo: String(codigo), nome, estado: uf })),
    ...unknown.map((uf) => ({ nivel, codigo: null, nome: IGNORADO, estado: uf })),
  ]
}

const IGNORADO = 'Ignorado'

function chaveOf({ nivel, codigo, estado }: LugarDaLinha): string {
  if (nivel === 'pais') return CHAVE_DO_PAIS
  return codigo ?? chaveDesconhecida(estado ?? '')
}

/** Refuses years that have not begun before anything is read. */
function placeOf(app: PublicoNeeds, pedido: PedidoPublico): Lugar {
  const lugar = lugarOf(app, pedido)
  if (pedido.ano > anoOfWeek(weekOf(dateInBrazil(app.clock.now()))))
    throw invalid('query', ['ano'], 'IN_FUTURE', {})
  return lugar
}

async function read(
  app: PublicoNeeds,
  pedido: PedidoPublico,
): Promise<{ head: RespostaPublica; numeros: NumerosDoLugar }> {
  const lugar = placeOf(app, pedido)
  const { retrato, lugares } = await numerosDoDia(app, pedido, [chaveOf(lugar)])
  return {
    head: headOf(app, lugar, retrato, pedido.ano),
    numeros: numerosIn(lugares, chaveOf(lugar), retrato),
  }
}

function headOf({ populacao }: PublicoNeeds, lugar: Lugar, retrato: Retrato, ano: number): RespostaPublica {
  const residents = populacao.populationOfAll(lugar.municipios, ano)
  return {
    lugar,
    retrato,
    populacao: residents,
    populacao_ano: residents === null ? null : populacao.knownYear(ano),
  }
}

/** A place that is not in the snapshot has no cases. */
function numerosIn(lugares: readonly LugarRetratado[], chave: string, { semanas }: Retrato): NumerosDoLugar {
  const found = lugares.find(({ lugar }) => lugar === chave)
  if (found !== undefined) return found.numeros
  return {
    agregacao: 'semana',
    serie: new Array<number>(semanas).fill(0),
    piramide: new Array<number>(GRUPOS_DA_PIRAMIDE.length + 1).fill(0),
    ...{ provaveis: 0, confirmados: 0, inconclusivos: 0, em_investigacao: 0, descartados: 0, notificados: 0 },
  }
}
