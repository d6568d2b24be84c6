import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import pg from 'pg'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { eventually, until } from '../harness/eventually.ts'
import { untilOver } from './import-setup.ts'
import { replicatedPair } from './replicated-pair.ts'
import { dataFolder } from './service.ts'

const GATE = 4243

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

  const ask = () =>
    service.request('/api/v1/agravos/casos/exportar', { method: 'POST', token, body: { formato: 'csv' } })

  async function exported(): Promise<string> {
    const asked = await ask()
    const job = await untilOver(service, token, asked.body.job_id)
    assert.equal(job.status, 'completed', JSON.stringify(job))
    return (await service.request(`/api/v1/jobs/${asked.body.job_id}/arquivo`, { token })).text
  }

  async function connect(to: pg.ClientConfig): Promise<pg.Client> {
    const client = new pg.Client(to)
    client.on('error', () => {})
    await client.connect()
    after(() => client.end().catch(() => {}))
    return client
  }
  const client = await connect(pair.standby())

  /** Reads of a table on the standby, which are told when a connection ends or is idle for a while. */
  async function reads(table = 'casos'): Promise<number> {
    const { rows } = await client.query(
      'select coalesce(sum(seq_scan + idx_scan), 0)::int as n from pg_stat_user_tables where relname = $1',
      [table],
    )
    return rows[0].n as number
  }

  /** Transactions of the service on the standby. */
  async function readers(): Promise<number> {
    const { rows } = await client.query(
      `select count(*)::int as n from pg_stat_activity where application_name = 'vigia' and xact_start is not null`,
    )
    return rows[0].n
  }

  /** Lets exports come as far as telling their first progress, and no further, until `release`. */
  async function holdProgress() {
    const client = await connect(pair.primary())
    await client.query(`
      create function hold() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(${GATE}); return new; end $$;
      create trigger hold before update of progress on jobs for each row
        when (new.tipo = 'exportacao_casos' and new.progress between 1 and 99) execute function hold()`)
    await client.query(`select pg_advisory_lock(${GATE})`)
    const waiting = `select from pg_locks where locktype = 'advisory' and objid = ${GATE} and not granted`
    return {
      client,
      untilSomebodyWaits: () => until('somebody waits', async () => (await client.query(waiting)).rowCount),
      release: () => client.query(`select pg_advisory_unlock(${GATE})`),
    }
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

  it('is killed in the middle of an export, which goes on at the primary: every case is in the file once', async () => {
    const held = await holdProgress()
    const filled = await folder.run(['demo', '5000', '--only-cases'], {
      DATABASE_URL: pair.url,
      ADMIN_EMAIL,
      ADMIN_PASSWORD: PASSWORD,
    })
    assert.equal(filled.code, 0, filled.stderr)
    const { text, body: asked } = await ask()
    assert.ok(asked.job_id, text)
    await held.untilSomebodyWaits()
    assert.equal(await readers(), 1, 'its snapshot is of the standby')
    await pair.loseStandby()
    await held.release()

    const job = await untilOver(service, token, asked.job_id)
    assert.equal(job.status, 'completed', JSON.stringify(job))
    const file = await service.request(`/api/v1/jobs/${asked.job_id}/arquivo`, { token })
    const ids = file.text
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => line.split(/[;,]/)[0])
    const { rows } = await held.client.query('select count(*)::int as n from casos')
    assert.deepEqual([ids.length, new Set(ids).size], [rows[0].n, rows[0].n])
    await pair.replicate()
  })

  it('is done without when the standby has become the primary, or is gone', async () => {
    await pair.failOver()
    await eventually(() => newCaso('DEPOIS'))
    const file = await exported()
    for (const numero of ['NO-STANDBY', 'DEPOIS']) assert.match(file, new RegExp(numero))
  })
})
