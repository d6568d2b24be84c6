import type { App } from '../app.ts'
import { withinCaller } from '../casos/statistics/alcance.ts'
import { countMonths, type RecorteDeEpizootias } from '../epizootias/contagens.ts'
import { findSerie } from '../series/series.ts'
import { type Lugar, type LugarPedido, lugarOf } from '../territorios/lugar.ts'

/** Events in animals for everybody: by municipality and month, with source and licence. */

export interface EpizootiasPublicasPedidas extends LugarPedido {
  ano: number
  suspeita?: string | undefined
  especie_grupo?: string | undefined
  classificacao?: string | undefined
}

interface Numeros {
  eventos: number
  animais_mortos: number
}

export interface EpizootiasPublicas extends Numeros {
  lugar: Lugar
  fonte: string
  licenca: string
  /** Events of the year of which not even the month is known. */
  sem_mes: number
  items: (Numeros & { municipio: number; mes: string })[]
}

/** Series whose source and licence are those of the events. */
const ORIGEM = 'epizootias_pnh'
const WITHOUT_SERIES = { fonte: 'Vigilância de epizootias', licenca: 'Dados abertos' }

export async function epizootiasPublicas(
  app: Pick<App, 'db' | 'municipios' | 'territorios'>,
  { ano, suspeita, especie_grupo, classificacao, ...lugarPedido }: EpizootiasPublicasPedidas,
): Promise<EpizootiasPublicas> {
  const { lugar, lugares } = withinCaller(app, { territorio: null }, lugarOf(app, lugarPedido))
  const recorte: RecorteDeEpizootias = {
    lugares,
    suspeita: suspeita ?? null,
    especie_grupo: especie_grupo ?? null,
    classificacao: classificacao ?? null,
    inicio: `${ano}-01-01`,
    fim: `${ano}-12-31`,
  }
  const rows = await countMonths(app.db, recorte)
  const { fonte, licenca } = (await findSerie(app.db, ORIGEM)) ?? WITHOUT_SERIES
  const sum = (name: keyof Numeros) => rows.reduce((total, row) => total + row[name], 0)
  return {
    lugar,
    fonte,
    licenca,
    eventos: sum('eventos'),
    animais_mortos: sum('animais_mortos'),
    sem_mes: rows.filter(({ mes }) => mes === null).reduce((total, { eventos }) => total + eventos, 0),
    items: rows.flatMap((row) => (row.mes === null ? [] : [{ ...row, mes: row.mes }])),
  }
}
