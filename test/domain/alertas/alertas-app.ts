// What the tests of alerts share: cases by week, a computation in this process, and what it left behind.
import { addDays, dateInBrazil } from '../../../src/brasil/calendar.ts'
import { semanaAt, sundayOfWeek, weekOf } from '../../../src/brasil/epi-week.ts'
import { sql } from '../../../src/db/sql.ts'
import { calcularAlertas, type Passos } from '../../../src/domain/alertas/calculo.ts'
import { epidemiologiaApp } from '../../contracts/b/epidemiologia-app.ts'

const FREELY: Passos = { proceed() {}, async done() {} }

export async function alertasApp() {
  const base = await epidemiologiaApp()
  const { t, pool, insert } = base
  /** Last week that is over. */
  const ended = weekOf(dateInBrazil(t.clock.now())) - 1

  /** So many cases in each of the weeks up to the last one, each typed in within its week. */
  const outbreak = (weekly: readonly number[], more: Parameters<typeof insert>[0][number] | object = {}) =>
    insert(
      weekly.flatMap((cases, i) => {
        const inicio = sundayOfWeek(ended - weekly.length + 1 + i)
        return Array.from({ length: cases }, () => ({
          inicio,
          notificacao: addDays(inicio, 1),
          digitacao: addDays(inicio, 2),
          ...more,
        }))
      }),
    )

  const compute = (passos: Partial<Passos> = {}) =>
    calcularAlertas(t.app, { ...FREELY, ...passos }, async () => {})

  const stored = () =>
    pool.rows<
      Record<string, unknown> & { lugar: string; tipo_agravo: string; semana: number; nivel: string }
    >(sql`
      select lugar, tipo_agravo, semana, nivel, motivos, casos, casos_estimados, incidencia, p_rt_maior_1, limite_superior,
        qualidade, regra_versao, calculado_em
      from alertas_niveis order by tipo_agravo, lugar, semana`)
  const told = () =>
    pool.rows<{
      id: number
      lugar: string
      semana: string
      nivel: string
      nivel_anterior: string | null
      motivos: string[]
    }>(sql`select id, lugar, semana, nivel, nivel_anterior, motivos from alertas order by id`)
  const events = () =>
    pool.rows<{ tipo: string; chave: string; dados: Record<string, unknown> }>(sql`
      select tipo, chave, dados from (
        select tipo, chave, dados, 0 as parte, ordem from eventos
        union all select tipo, chave, dados, 1, numero from eventos_novos) e
      where tipo = 'alerta.alterado' order by parte, ordem`)

  return { ...base, ended, semana: semanaAt(ended).codigo, outbreak, compute, stored, told, events }
}
