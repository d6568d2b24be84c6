// What the tests of bulletins share: an outbreak, people who may make and download them, and one way to have one made.
import assert from 'node:assert/strict'
import { addDays, dateInBrazil } from '../../../src/brasil/calendar.ts'
import { semanaAt, sundayOfWeek, weekOf } from '../../../src/brasil/epi-week.ts'
import type { Person } from '../../harness/app.ts'
import { bind } from '../../harness/bound.ts'
import { type CasoDaSemana, epidemiologiaApp } from './epidemiologia-app.ts'

export const RELATORIOS = [
  'relatorios.gerar',
  'relatorios.exportar',
  'agravos.estatisticas',
  'agravos.listar',
]

export async function boletinsApp() {
  const base = await epidemiologiaApp()
  const { t, insert } = base
  const autora = await t.person({ permissoes: RELATORIOS })
  /** Last week that is over. */
  const ended = weekOf(dateInBrazil(t.clock.now())) - 1

  /** So many cases in each of the weeks up to that of the bulletin, each typed in within its week. */
  const outbreak = (weekly: readonly number[], more: Partial<CasoDaSemana> = {}) =>
    insert(
      weekly.flatMap((cases, i) => {
        const inicio = sundayOfWeek(ended - weekly.length + 1 + i)
        const days = { inicio, notificacao: addDays(inicio, 1), digitacao: addDays(inicio, 2) }
        return Array.from({ length: cases }, (_, j) => ({
          ...days,
          ...{
            sexo: j % 2 === 0 ? 'F' : 'M',
            idade: 20 + (j % 40),
            classe: j % 5 === 0 ? null : 'confirmado',
          },
          ...more,
        }))
      }),
    )

  /** Asks for a bulletin and has its job done; the id. */
  async function make(pedido: object, person: Person = autora): Promise<number> {
    const asked = await t.as(person).post('/agravos/boletins', pedido)
    assert.equal(asked.status, 202, asked.text)
    await t.jobWorker.runAll()
    const { body } = await t.as(person).get(`/jobs/${asked.body.job_id}`)
    assert.equal(body.status, 'completed', JSON.stringify(body))
    return body.result.boletim_id
  }

  async function read(id: number, person: Person = autora) {
    const answer = await t.as(person).get(`/agravos/boletins/${id}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }

  const bound = async (...lugares: string[]) =>
    bind(t, await t.person({ permissoes: RELATORIOS }), ...lugares)

  return {
    ...base,
    autora,
    ended,
    semana: semanaAt(ended).codigo,
    outbreak,
    make,
    bound,
    readBoletim: read,
    readRoute: base.read,
  }
}
