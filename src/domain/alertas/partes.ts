import type { Caller } from '../../caller/caller.ts'
import type { Filter } from '../../filter.ts'
import type { App } from '../app.ts'
import { NEXT_LEVEL } from '../casos/painel/painel.ts'
import { type ResumoDasPendencias, resumoOfPendencias } from '../casos/qualidade/pendencias.ts'
import { heatMap, type MapCell } from '../casos/statistics/mapa.ts'
import { lugarOfFilter, soleTipoOf } from '../casos/statistics/recorte.ts'
import { withinTerritorio } from '../casos/territorio.ts'
import { assertHolds } from '../usuarios/grants.ts'
import type { AlertasNeeds } from './dados.ts'
import { type Situacao, situacao } from './situacao.ts'

/** Parts of the painel that are not made of its counters: slower than its numbers, and asked for after them, together. */
export const PARTES = ['pendencias', 'bairros', 'niveis'] as const
export type ParteDoPainel = (typeof PARTES)[number]

export interface PartesDoPainel {
  pendencias?: ResumoDasPendencias['porCodigo']
  bairros?: MapCell[]
  niveis?: Situacao
}

type Needs = AlertasNeeds & Parameters<typeof heatMap>[0] & Pick<App, 'territorios'>

/** Work list for those who may list cases; neighbourhoods as on the map; levels of the places of the next level. */
export async function partesOf(
  app: Needs,
  caller: Caller,
  filter: Filter,
  partes: ReadonlySet<ParteDoPainel>,
): Promise<PartesDoPainel> {
  if (partes.has('pendencias')) assertHolds(caller, 'agravos.listar')
  const [pendencias, bairros, niveis] = await Promise.all([
    partes.has('pendencias') ? pendenciasOf(app, caller, filter) : undefined,
    partes.has('bairros') ? bairrosOf(app, caller, filter) : undefined,
    partes.has('niveis') ? niveisOf(app, caller, filter) : undefined,
  ])
  return { ...(pendencias && { pendencias }), ...(bairros && { bairros }), ...(niveis && { niveis }) }
}

async function pendenciasOf(app: Needs, caller: Caller, filter: Filter) {
  const asked = { filter, sort: 'total', order: 'desc', page: 1, size: 1 } as const
  return (await resumoOfPendencias(app, caller, asked)).porCodigo
}

const bairrosOf = (app: Needs, caller: Caller, filter: Filter) =>
  heatMap(app, caller, { filter, nivel: 'bairro', periodo: null, bounds: null, identificado: false })

/** None where the place has nothing below it. */
async function niveisOf(app: Needs, caller: Caller, filter: Filter): Promise<Situacao | undefined> {
  const { nivel, codigo } = lugarOfFilter(app, withinTerritorio(filter, caller))
  const nivelDosLugares = NEXT_LEVEL[nivel]
  if (nivelDosLugares === null) return undefined
  return situacao(app, caller, {
    tipo_agravo: soleTipoOf(filter, app.municipios),
    nivel_lugar: nivelDosLugares,
    detalhe: false,
    ...(codigo !== null && { [nivel]: codigo }),
  })
}
