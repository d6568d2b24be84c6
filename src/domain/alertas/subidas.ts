import { lugaresFrom } from '../../caller/territorio.ts'
import type { Db } from '../../db/db.ts'
import type { App } from '../app.ts'
import { type AlertasAvisados, listLeitores, notifyAlertas } from '../notificacoes/notificacoes.ts'
import type { Lugar } from '../territorios/lugar.ts'
import { seesWhole } from '../territorios/vistos.ts'
import { NIVEIS_DE_ALERTA, type NivelDeAlerta } from './nivel.ts'

/** Levels that rose, as notifications of the accounts that may know the place. */

export interface Subida {
  lugar: Lugar
  nivel: NivelDeAlerta
  /** Expected in the week. */
  casos: number
}

export const grauOf = (nivel: string): number => (NIVEIS_DE_ALERTA as readonly string[]).indexOf(nivel)

/** In the transaction that tells the alerts. */
export async function notifySubidas(
  { territories }: Pick<App, 'territories'>,
  tx: Db,
  { tipo_agravo, semana }: Pick<AlertasAvisados, 'tipo_agravo' | 'semana'>,
  subidas: readonly Subida[],
  now: Date,
): Promise<void> {
  if (subidas.length === 0) return
  const seen = new Map<number, Subida[]>()
  for (const { id, admin, territorios } of await listLeitores(tx, 'agravos.estatisticas')) {
    const territorio = admin ? null : territories.of(lugaresFrom(territorios))
    const inside = subidas.filter(({ lugar }) => seesWhole({ territorio }, lugar))
    if (inside.length > 0) seen.set(id, inside)
  }
  if (seen.size === 0) return
  const sumUp = (id: number, unread: AlertasAvisados | null) =>
    summed({ tipo_agravo, semana }, seen.get(id) as Subida[], unread)
  await notifyAlertas(tx, { tipo_agravo, semana }, [...seen.keys()], sumUp, now)
}

/** The highest level names the place; of equal ones the smallest place, which says most, with the most cases. */
function summed(
  about: Pick<AlertasAvisados, 'tipo_agravo' | 'semana'>,
  subidas: readonly Subida[],
  unread: AlertasAvisados | null,
): AlertasAvisados {
  const known = unread === null ? [] : [unread]
  const all: Pick<AlertasAvisados, 'nivel' | 'lugar' | 'casos'>[] = [...known, ...subidas]
  const [highest] = all.sort(
    (one, other) =>
      grauOf(other.nivel) - grauOf(one.nivel) ||
      sizeOf(one.lugar) - sizeOf(other.lugar) ||
      other.casos - one.casos,
  ) as [(typeof all)[number]]
  const { nivel, codigo, nome, estado } = highest.lugar
  return {
    ...about,
    nivel: highest.nivel,
    casos: highest.casos,
    lugar: { nivel, codigo, nome, estado },
    total: subidas.length + (unread?.total ?? 0),
  }
}

const SIZES: Record<Lugar['nivel'], number> = { municipio: 0, regiao_saude: 1, estado: 2, pais: 3 }
const sizeOf = ({ nivel }: Pick<Lugar, 'nivel'>) => SIZES[nivel]
