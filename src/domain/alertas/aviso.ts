import { semanaAt } from '../../brasil/epi-week.ts'
import type { Db } from '../../db/db.ts'
import type { App } from '../app.ts'
import type { TipoAgravo } from '../casos/enumeracoes.ts'
import { emit, type NewEvento } from '../eventos/eventos.ts'
import type { Lugar } from '../territorios/lugar.ts'
import { insertAlertas, listLastTold, type NewAlertaRow, type Told } from './alertas.sql.ts'
import { chaveOf } from './dados.ts'
import type { NivelDaSemana } from './nivel.ts'
import { grauOf, notifySubidas, type Subida } from './subidas.ts'

/** Tells a level of the last week that differs from the one told before: an alert, and an event about it. */

export interface NivelAtual {
  lugar: Lugar
  nivel: NivelDaSemana
}

/** In the transaction that stores the levels. Number of alerts. */
export async function tell(
  app: Pick<App, 'territories'>,
  tx: Db,
  tipo: TipoAgravo,
  atuais: readonly NivelAtual[],
  { regra_versao, now }: { regra_versao: number; now: Date },
): Promise<number> {
  const told = await listLastTold(
    tx,
    tipo,
    atuais.map(({ lugar }) => chaveOf(lugar)),
  )
  const toldOf = new Map(told.map((one) => [one.lugar, one]))
  const changed = atuais.flatMap((atual) => {
    const before = toldOf.get(chaveOf(atual.lugar)) ?? null
    // A place that was never told of is green.
    if (atual.nivel.nivel === (before?.nivel ?? 'verde')) return []
    return [{ lugar: atual.lugar, row: toRow(tipo, atual, before, regra_versao) }]
  })
  if (changed.length === 0) return 0
  const ids = await insertAlertas(
    tx,
    changed.map(({ row }) => row),
    now,
  )
  await emit(
    tx,
    changed.map(({ lugar, row }, i) => toEvento(ids[i] as number, lugar, row, now)),
  )
  await notifySubidas(app, tx, { tipo_agravo: tipo, semana: ultima(changed) }, subidasOf(changed), now)
  return changed.length
}

type Changed = { lugar: Lugar; row: NewAlertaRow }

const ultima = ([first]: readonly Changed[]) => (first as Changed).row.semana

const subidasOf = (changed: readonly Changed[]): Subida[] =>
  changed.flatMap(({ lugar, row: { nivel, nivel_anterior, casos_estimados } }) =>
    grauOf(nivel) > grauOf(nivel_anterior ?? 'verde') ? [{ lugar, nivel, casos: casos_estimados }] : [],
  )

function toRow(
  tipo: TipoAgravo,
  { lugar, nivel: { week, motivos, ...numeros } }: NivelAtual,
  before: Told | null,
  regra_versao: number,
): NewAlertaRow {
  const { nivel, estado, municipios } = lugar
  const semana = semanaAt(week).codigo
  const part = nivel === 'municipio' || nivel === 'regiao_saude' ? municipios[0] : undefined
  return {
    ...numeros,
    tipo_agravo: tipo,
    lugar: chaveOf(lugar),
    nivel_lugar: nivel,
    estado,
    regiao_saude: part?.regiao?.codigo ?? null,
    municipio: nivel === 'municipio' ? (part?.codigo ?? null) : null,
    semana,
    nivel_anterior: before?.nivel ?? null,
    motivos: before?.semana === semana ? [...motivos, 'dados_alterados'] : motivos,
    regra_versao,
  }
}

/** Figures of a place, nobody's case: `dados` names no patient. */
function toEvento(id: number, lugar: Lugar, row: NewAlertaRow, em: Date): NewEvento {
  const { nivel, codigo, nome, estado } = lugar
  const { tipo_agravo, semana, nivel_anterior, motivos, casos, casos_estimados, incidencia } = row
  const { p_rt_maior_1, limite_superior, qualidade } = row
  return {
    tipo: 'alerta.alterado',
    chave: `lugar:${codigo ?? 'BR'}`,
    dados: {
      ...{
        id,
        tipo_agravo,
        lugar: { nivel, codigo, nome, estado },
        semana,
        nivel: row.nivel,
        nivel_anterior,
        motivos,
      },
      ...{ casos, casos_estimados, incidencia, p_rt_maior_1, limite_superior, qualidade },
    },
    lugar: {
      tipo_agravo,
      estado,
      regiao_saude: row.nivel_lugar === 'regiao_saude' ? row.regiao_saude : null,
      municipio: row.municipio,
      niveis: [row.nivel, nivel_anterior],
    },
    em,
  }
}
