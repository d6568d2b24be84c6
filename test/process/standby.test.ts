import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import pg from 'pg'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { eventually } from '../harness/eventually.ts'
import { untilOver } from './import-setup.ts'
import { replicatedPair } from './replicated-pair.ts'
import { dataFolder } from './service.ts'

describe('DATABASE_READ_URL', async () => {
  const pair = await replicatedPair({ after })
  const folder = await dataFolder({ after })
  const service = await folder.start({
    DATABASE_URL: pair.url,
    DATABASE_READ_URL: pair.standbyUrl(),
    ADMIN_EMAIL,
    ADMIN_PASSWORD: PASSWORD,
  })
  const token = await service.login(ADMIN_EMAIL, PASSWORD)

  async function newCaso(numero_notificacao: string, more: object = {}): Promise<void> {
    const body = {
      tipo_agravo: 'dengue',
      numero_notificacao,
      data_notificacao: '2024-03-12',
      paciente_nome: 'Maria da Silva',
      municipio_residencia: 'Recife',
      estado_residencia: 'PE',
      ...more,
    }
    const { status, text } = await service.request('/api/v1/agravos/casos', { method: 'POST', token, body })
    assert.equal(status, 201, text)
  }

  async function exported(): Promise<string> {
    const body = { formato: 'csv' }
    const asked = await service.request('/api/v1/agravos/casos/exportar', { method: 'POST', token, body })
    const job = await untilOver(service, token, asked.body.job_id)
    assert.equal(job.status, 'completed', JSON.stringify(job))
    return (await service.request(`/api/v1/jobs/${asked.body.job_id}/arquivo`, { token })).text
  }

  const client = new pg.Client(pair.standby())
  await client.connect()
  after(() => client.end().catch(() => {}))
  client.on('error', () => {})

  /** Reads of a table on the standby, which are told when a connection ends or is idle for a while. */
  async function reads(table = 'casos'): Promise<number> {
    const { rows } = await client.query(
      'select coalesce(sum(seq_scan + idx_scan), 0)::int as n from pg_stat_user_tables where relname = $1',
      [table],
    )
    return rows[0].n as number
  }

  it('is where exports are read, with every write before them', async () => {
    const before = await reads()
    await newCaso('NO-STANDBY')
    assert.match(await exported(), /NO-STANDBY/)
    await eventually(async () => assert.ok((await reads()) > before))
  })

  it('is where statistics are counted that counters cannot answer, with every write before them', async () => {
    const countOf = async (query: string): Promise<number> => {
      const { body, text } = await service.request(`/api/v1/agravos/casos/estatisticas/resumo?${query}`, {
        token,
      })
      assert.equal(typeof body.total, 'number', text)
      return body.total
    }
    const before = await reads()
    for (let n = 1; n <= 20; n++) {
      const earlier = await countOf('raca=parda')
      await newCaso(`CONTADO-${n}`, { paciente_raca: 'parda' })
      assert.equal(await countOf('raca=parda'), earlier + 1)
    }
    await eventually(async () => {
      await countOf('raca=parda')
      assert.ok((await reads()) > before)
    })
  })

  it('is where a scan for duplicates reads, and finds the pairs of cases made just before it', async () => {
    const before = await reads('casos_chaves')
    const born = { paciente_data_nascimento: '1980-05-17', paciente_sexo: 'F' }
    for (const n of [1, 2]) await newCaso(`PAR-${n}`, { paciente_nome: 'Leocádia Fragoso Tenório', ...born })
    const scan = async () => {
      const path = '/api/v1/agravos/duplicidades/varredura'
      const asked = await service.request(path, { method: 'POST', token, body: {} })
      assert.equal(asked.status, 202, asked.text)
      const job = await untilOver(service, token, asked.body.job_id)
      assert.equal(job.status, 'completed', JSON.stringify(job))
      assert.ok(job.result.duplicidades.quase_certas >= 1, JSON.stringify(job))
    }
    // A standby that is found behind is left alone for a second: a scan of few cases is over by then.
    await eventually(async () => {
      await scan()
      assert.ok((await reads('casos_chaves')) > before)
    })
  })

  it('is done without when the standby has become the primary, or is gone', async () => {
    await pair.failOver()
    await eventually(() => newCaso('DEPOIS'))
    const file = await exported()
    for (const numero of ['NO-STANDBY', 'DEPOIS']) assert.match(file, new RegExp(numero))
  })
})
