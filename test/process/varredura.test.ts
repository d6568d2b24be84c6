import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type pg from 'pg'
import { until } from '../harness/eventually.ts'
import { enqueue, formOf, untilOver } from './import-setup.ts'
import { instancesOf } from './instances.ts'
import type { Service } from './service.ts'

/** Kills in each test; `VIGIA_KILLS=50 npm test -- test/process/varredura.test.ts` for the long run. */
const KILLS = Number(process.env.VIGIA_KILLS ?? 4)
const PEOPLE = 40
/** Written by each of the two phases: keys, then pairs. */
const PHASES = ['casos_chaves', 'duplicidades'] as const

/** Everybody twice, five days apart, the second time misspelt. */
function arquivo(): Buffer {
  const header =
    'tipo_agravo;numero_notificacao;data_notificacao;paciente_nome;paciente_data_nascimento;paciente_sexo;municipio_residencia;estado_residencia\n'
  const lines = Array.from({ length: PEOPLE }, (_, i) => {
    const [month, day] = [1 + (i % 12), 1 + (i % 20)].map((part) => String(part).padStart(2, '0'))
    const surname = `${'BCDFGJLMNPRSTV'[i % 14]}${'aeiou'[i % 5]}r${'aeiou'[(i + 2) % 5]}bel`
    const rest = `1980-${month}-${day};F;Recife;PE`
    return [
      `dengue;V${i};2024-03-02;Rita ${surname} Lobato;${rest}\n`,
      `dengue;W${i};2024-03-07;RITTA ${surname.toUpperCase()} LOBATTO;${rest}\n`,
    ].join('')
  })
  return Buffer.from(header + lines.join(''))
}

/** All that a scan writes, by what it means. */
async function scanned(client: pg.ClientBase) {
  const rows = async (text: string) => (await client.query(text)).rows
  return {
    pares: await rows('select caso_1, caso_2, escore, faixa, situacao from duplicidades order by 1, 2'),
    chaves: await rows('select caso_id, count(*)::int as total from casos_chaves group by 1 order by 1'),
    nomes: await rows('select chave::text, total from nomes_frequencia order by 1'),
    pendentes: await rows('select caso_id from duplicidades_pendentes'),
  }
}

async function forget(client: pg.ClientBase): Promise<void> {
  await client.query(`truncate casos_identidade, casos_chaves, nomes_frequencia, duplicidades_pendentes;
    delete from duplicidades where situacao = 'pendente'`)
}

describe('a scan for duplicates through the death of its process', async () => {
  const instances = await instancesOf({ after }, { count: 1, tuning: {} })
  const { client } = instances

  const scan = async (service: Service, token: string): Promise<string> => {
    const { status, body } = await service.request('/api/v1/agravos/duplicidades/varredura', {
      token,
      method: 'POST',
    })
    assert.equal(status, 202)
    return body.job_id
  }
  const over = async (service: Service, token: string, id: string) => {
    const job = await untilOver(service, token, id)
    assert.equal(job.status, 'completed', JSON.stringify(job))
    return job
  }
  const somebodyWaitsFor = (table: string) =>
    until(
      `somebody waits for ${table}`,
      async () =>
        (await client.query('select from pg_locks where relation = $1::regclass and not granted', [table]))
          .rowCount,
    )

  it(`writes after ${KILLS} kills what it writes without any, every pair once, no decision lost`, async () => {
    let service = await instances.start(0)
    const token = await instances.logIn(service)
    await over(service, token, await enqueue(service, token, formOf(arquivo())))
    await until('all are compared', async () => (await scanned(client)).pendentes.length === 0)
    await client.query(`update duplicidades set situacao = 'outra_pessoa', decidida_em = now(), decidida_por_nome = 'x'
      where id = (select min(id) from duplicidades)`)
    await forget(client)
    await over(service, token, await scan(service, token))
    const expected = await scanned(client)
    assert.ok(expected.pares.length >= PEOPLE)
    assert.equal(expected.pares.filter(({ situacao }) => situacao === 'outra_pessoa').length, 1)

    await forget(client)
    await client.query(`begin; lock table ${PHASES[0]} in access exclusive mode`)
    const id = await scan(service, token)
    for (let kills = 0; kills < KILLS; kills++) {
      const table = PHASES[kills < KILLS / 2 ? 0 : 1] as string
      await somebodyWaitsFor(table)
      await service.kill()
      await client.query('rollback')
      await client.query('update jobs_fila set vence_em = now(), tentativas = 0 where job_id = $1', [id])
      const isLast = kills === KILLS - 1
      const next = PHASES[kills + 1 < KILLS / 2 ? 0 : 1] as string
      if (!isLast) await client.query(`begin; lock table ${next} in access exclusive mode`)
      service = await instances.start(0)
    }
    await over(service, token, id)
    assert.deepEqual(await scanned(client), expected)
    assert.equal((await service.stop()).code, 0)
  })
})
