import { semanaAt, sundayOfWeek } from '../../brasil/epi-week.ts'
import type { Caller } from '../../caller/caller.ts'
import type { Filter } from '../../filter.ts'
import { ratePer100k } from '../../statistics/rate.ts'
import { roundOrNull } from '../../statistics/rounding.ts'
import { NIVEIS_DE_ALERTA } from '../alertas/nivel.ts'
import { situacao } from '../alertas/situacao.ts'
import type { ScopePlace } from '../casos/counters/scope.ts'
import { type NivelContado, sumWeeksByPlace } from '../casos/counters/semanas.ts'
import type { TipoAgravo } from '../casos/enumeracoes.ts'
import { summaryOf } from '../casos/statistics/estatisticas.ts'
import type { Needs } from '../epidemiologia/pedido.ts'
import type { Lugar, LugarPedido } from '../territorios/lugar.ts'
import type { LugarDoMapa, MapaDoBoletim, MunicipiosDoBoletim } from './dados.ts'

/** Parts of the place of a bulletin: their levels, and their probable cases of the last four weeks. */

export const RECENT_WEEKS = 4

export interface Recorte {
  tipo: TipoAgravo
  lugar: Lugar
  /** Place as the request named it. */
  pedido: LugarPedido
  /** Week of the bulletin. */
  week: number
  ano: number
}

/** Probable cases of the last four weeks by UF or seven digits; places without any are absent. */
export async function countRecent(
  { db }: Pick<Needs, 'db'>,
  nivel: Exclude<NivelContado, 'pais'>,
  lugares: readonly ScopePlace[],
  { tipo, week }: Pick<Recorte, 'tipo' | 'week'>,
): Promise<Map<string, number>> {
  const period = { from: sundayOfWeek(week - RECENT_WEEKS + 1), to: sundayOfWeek(week) }
  const rows = await sumWeeksByPlace(db, nivel, { tipo, lugares, ...period })
  return new Map(
    rows.map(({ lugar, provaveis }) => [
      nivel === 'estado' ? lugar : lugar.slice(2),
      provaveis.reduce((sum, cases) => sum + cases, 0),
    ]),
  )
}

export const incidenciaRecente = (casos: number, populacao: number | null): number | null =>
  roundOrNull(ratePer100k(casos, populacao), 4)

/** States of the country, municipalities of a smaller place, in the order of their codes. */
export async function partesOf(
  app: Needs,
  caller: Pick<Caller, 'territorio'>,
  recorte: Recorte,
  nivel: 'estado' | 'municipio',
): Promise<LugarDoMapa[]> {
  const { tipo, pedido, week, ano } = recorte
  const levelsOf = async (at: number) => {
    const asked = {
      tipo_agravo: tipo,
      ...pedido,
      semana: semanaAt(at).codigo,
      nivel_lugar: nivel,
      detalhe: false,
    }
    return (await situacao(app, caller, asked)).lugares
  }
  const now = await levelsOf(week)
  const before = new Map((await levelsOf(week - 1)).map(({ lugar, nivel }) => [lugar.codigo, nivel]))
  const casos = await countRecent(
    app,
    nivel,
    now.map(({ lugar }) => placeOf(lugar)),
    recorte,
  )
  return now.map(({ lugar, nivel: level }) => {
    const codigo = lugar.codigo as string
    const populacao = app.populacao.populationOfAll(lugar.municipios, ano)
    const recent = casos.get(codigo) ?? 0
    const seat = nivel === 'municipio' ? lugar.municipios[0] : undefined
    return {
      codigo,
      nome: lugar.nome,
      estado: lugar.estado as string,
      latitude: seat?.latitude ?? null,
      longitude: seat?.longitude ?? null,
      nivel: level,
      nivel_anterior: before.get(codigo) ?? level,
      casos_4_semanas: recent,
      incidencia_4_semanas: incidenciaRecente(recent, populacao),
      populacao,
      suprimido: false,
    }
  })
}

const placeOf = ({ nivel, codigo, estado }: Lugar): ScopePlace => ({
  uf: estado as string,
  codigo: nivel === 'municipio' ? Number(codigo) : null,
})

const MOST = 10

/** Highest incidence first, then the code: the order does not depend on the database. */
export function tabelasOf(
  partes: readonly LugarDoMapa[],
  municipios: readonly LugarDoMapa[],
): MunicipiosDoBoletim {
  const byIncidence = (a: LugarDoMapa, b: LugarDoMapa) =>
    (b.incidencia_4_semanas ?? 0) - (a.incidencia_4_semanas ?? 0) || compareCodes(a, b)
  const byLevel = (a: LugarDoMapa, b: LugarDoMapa) =>
    NIVEIS_DE_ALERTA.indexOf(b.nivel) - NIVEIS_DE_ALERTA.indexOf(a.nivel) || compareCodes(a, b)
  return {
    maior_incidencia: municipios
      .filter(({ incidencia_4_semanas }) => (incidencia_4_semanas ?? 0) > 0)
      .toSorted(byIncidence)
      .slice(0, MOST),
    mudaram_de_nivel: partes
      .filter(({ nivel, nivel_anterior }) => nivel !== nivel_anterior)
      .toSorted(byLevel),
  }
}

const compareCodes = (a: LugarDoMapa, b: LugarDoMapa) => (a.codigo < b.codigo ? -1 : 1)

/** Ten municipalities of the whole country with the highest incidence, and their levels. */
export async function maioresDoPais(
  app: Needs,
  caller: Pick<Caller, 'territorio'>,
  recorte: Recorte,
  isShown: (codigo: string) => boolean,
): Promise<LugarDoMapa[]> {
  const { ano } = recorte
  const all = app.municipios.all.map(({ uf, codigo }) => ({ uf, codigo }))
  const casos = await countRecent(app, 'municipio', all, recorte)
  const ranked = app.municipios.all
    .flatMap((municipio) => {
      const codigo = String(municipio.codigo)
      const recent = casos.get(codigo) ?? 0
      const incidencia = ratePer100k(recent, app.populacao.populationOf(municipio, ano))
      return recent === 0 || incidencia === null || !isShown(codigo) ? [] : [{ codigo, incidencia }]
    })
    .toSorted((a, b) => b.incidencia - a.incidencia || (a.codigo < b.codigo ? -1 : 1))
    .slice(0, MOST)
  const found: LugarDoMapa[] = []
  for (const { codigo } of ranked)
    found.push(...(await partesOf(app, caller, { ...recorte, pedido: { municipio: codigo } }, 'municipio')))
  return found
}

/** Bairros of a municipality; those of few cases are one number without a name, whoever reads. */
export async function bairrosOf(app: Needs, { tipo, lugar, week }: Recorte): Promise<MapaDoBoletim> {
  const test = (field: string, op: 'eq' | 'gte' | 'lte', value: string): Filter => ({
    kind: 'test',
    field,
    op,
    value,
  })
  const onset = 'semana_epidemiologica_sintomas'
  const filter: Filter = {
    kind: 'and',
    of: [
      test('tipo_agravo', 'eq', tipo),
      test('municipio', 'eq', lugar.codigo as string),
      test('classificacao', 'eq', 'provavel'),
      test(onset, 'gte', semanaAt(week - RECENT_WEEKS + 1).codigo),
      test(onset, 'lte', semanaAt(week).codigo),
    ],
  }
  const asked = { filter, agregacao: null, dataBase: 'sintomas', agruparPor: ['bairro'] } as const
  const grupos = (await summaryOf(app, { ...asked, agruparPor: [...asked.agruparPor] })).grupos.bairro ?? []
  const named = grupos.flatMap(({ valor, total }) =>
    valor === null ? [] : [{ nome: valor, casos_4_semanas: total, suprimido: false }],
  )
  const others = grupos.find(({ valor }) => valor === null)?.total ?? 0
  return {
    tipo: 'bairro',
    bairros: named.toSorted((a, b) => b.casos_4_semanas - a.casos_4_semanas || (a.nome < b.nome ? -1 : 1)),
    demais: { valor: others, suprimido: false },
  }
}
