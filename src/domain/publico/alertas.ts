import { type Semana, semanaAt } from '../../brasil/epi-week.ts'
import { lugaresDoNivel } from '../alertas/lugares.ts'
import type { NivelDeAlerta } from '../alertas/nivel.ts'
import { niveisElevados } from '../alertas/publicaveis.ts'
import type { TipoAgravo } from '../casos/enumeracoes.ts'
import { type Lugar, type LugarPedido, lugarOf, type NivelDeLugar } from '../territorios/lugar.ts'
import { findRetratoDeAlertas, type RetratoDeAlertas, storeRetratoDeAlertas } from './alertas.sql.ts'
import { diaPublico, type PublicoNeeds } from './retratos.ts'

/**
 * Levels of alert for everybody, from the day's snapshot alone: places above green, without numbers and reasons. A level of fewer
 * known cases than are shown elsewhere is left out, and so are green ones: a place that is not listed has any number of cases.
 */

export interface AlertasPublicosPedidos extends LugarPedido {
  tipo_agravo: TipoAgravo
  nivel_lugar: NivelDeLugar
}

export interface AlertasPublicos {
  lugar: Lugar
  retrato: RetratoDeAlertas
  semana: Semana | null
  items: { lugar: Lugar; nivel: NivelDeAlerta }[]
}

export async function alertasPublicos(
  app: PublicoNeeds,
  pedido: AlertasPublicosPedidos,
): Promise<AlertasPublicos> {
  const lugares = lugaresDoNivel(app, pedido)
  const retrato = await alertasDoDia(app, pedido.tipo_agravo)
  const { semana, niveis } = retrato
  return {
    lugar: lugarOf(app, pedido),
    retrato,
    semana: semana === null ? null : semanaAt(semana),
    items: lugares.flatMap((lugar) => {
      const nivel = niveis[lugar.codigo ?? '']
      return nivel === undefined ? [] : [{ lugar, nivel }]
    }),
  }
}

/** Made first where there is none of the day. */
async function alertasDoDia(app: PublicoNeeds, tipo: TipoAgravo): Promise<RetratoDeAlertas> {
  const dia = diaPublico(app.clock.now())
  const found = await findRetratoDeAlertas(app.db, tipo)
  if (found !== null && found.dia >= dia) return found
  const { minimo } = app.publico
  const { semana, elevados } = await niveisElevados(app.db, tipo, minimo)
  const niveis = Object.fromEntries(elevados.map(({ lugar, nivel }) => [lugar, nivel]))
  const made = { dia, feito_em: app.clock.now(), semana, minimo, niveis }
  // Before the first computation there is nothing to keep for a day.
  if (semana === null) return made
  await storeRetratoDeAlertas(app.db, tipo, made)
  // As it was stored: by another instance, perhaps.
  return (await findRetratoDeAlertas(app.db, tipo)) ?? made
}

/** Makes the day's snapshots that are missing. */
export async function refreshAlertasPublicos(app: PublicoNeeds): Promise<void> {
  for (const tipo of app.agravos.vigentes().comAlertas) await alertasDoDia(app, tipo)
}
