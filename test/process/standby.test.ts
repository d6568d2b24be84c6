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

  async function newCaso(numero_notificacao: string): Promise<void> {
    const body = {
      tipo_agravo: 'dengue',
      numero_notificacao,
      data_notificacao: '2024-03-12',
      paciente_nome: 'Maria da Silva',
      municipio_residencia: 'Recife',
      estado_residencia: 'PE',
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

  it('is where exports are read, with every write before them', async () => {
    const client = new pg.Client(pair.standby())
    await client.connect()
    after(() => client.end())
    const reads = async () => {
      const { rows } = await client.query(
        `select coalesce(sum(seq_scan + idx_scan), 0)::int as n from pg_stat_user_tables where relname = 'casos'`,
      )
      return rows[0].n as number
    }
    const before = await reads()
    await newCaso('NO-STANDBY')
    assert.match(await exported(), /NO-STANDBY/)
    // Counts of reads are told when a connection ends.
    await eventually(async () => assert.ok((await reads()) > before))
  })

  it('is done without when the standby has become the primary, or is gone', async () => {
    await pair.failOver()
    await eventually(() => newCaso('DEPOIS'))
    const file = await exported()
    for (const numero of ['NO-STANDBY', 'DEPOIS']) assert.match(file, new RegExp(numero))
  })
})
