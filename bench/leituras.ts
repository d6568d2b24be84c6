// Write-then-read pairs with a synchronous standby: no read is older than its caller's own write.
// `npx node bench/leituras.ts [pairs of the reader] [pairs by exports]`; for its figures run it alone on the machine.
import type { Db } from '../src/db/db.ts'
import { createPool } from '../src/db/pool.ts'
import { createReader, type Reader } from '../src/db/reader.ts'
import { sql } from '../src/db/sql.ts'
import { ADMIN_EMAIL, PASSWORD } from '../test/harness/app.ts'
import { untilOver } from '../test/process/import-setup.ts'
import { type ReplicatedPair, replicatedPair } from '../test/process/replicated-pair.ts'
import { dataFolder } from '../test/process/service.ts'

const [pairs = 2_000, exports = 5] = process.argv.slice(2).map(Number)
const CALLERS = 8

const closing: (() => Promise<void>)[] = []
const owner = { after: (done: () => Promise<void>) => void closing.unshift(done) }

type Way = keyof Reader

/** Callers at once, each with a row of its own: writes the next number, then reads it back as an export or a statistic would. */
async function readOwnWrites(pair: ReplicatedPair, way: Way): Promise<number> {
  const primary = createPool({ connection: pair.primary() })
  const standby = createPool({ connection: { ...pair.standby(), readOnly: true } })
  const reader = createReader(primary, standby)
  const read = <T>(work: (from: Db) => Promise<T>) =>
    way === 'read' ? reader.read(primary, work) : reader.snapshot(work)
  await primary.run(sql`drop table if exists numeros`)
  await primary.run(sql`create table numeros (dono int primary key, n int)`)
  const found = { stale: 0, standby: 0 }
  let left = pairs
  async function call(dono: number): Promise<void> {
    await primary.run(sql`insert into numeros values (${dono}, 0)`)
    for (let n = 1; left > 0; n++) {
      left -= 1
      await primary.run(sql`update numeros set n = ${n} where dono = ${dono}`)
      const [row] = await read((tx) =>
        tx.rows<{ n: number; replica: boolean }>(
          sql`select n, pg_is_in_recovery() as replica from numeros where dono = ${dono}`,
        ),
      )
      if (row?.n !== n) found.stale += 1
      if (row?.replica) found.standby += 1
    }
  }
  const begun = performance.now()
  await Promise.all(Array.from({ length: CALLERS }, (_, dono) => call(dono)))
  const seconds = (performance.now() - begun) / 1000
  await Promise.all([primary.end(), standby.end()])
  console.log(
    `${way}: ${pairs} pairs by ${CALLERS} callers in ${seconds.toFixed(0)} s, ${found.standby} read from the standby, ${found.stale} older than the write`,
  )
  return found.stale
}

/** A case, then an export, which must hold it. */
async function exportOwnWrites(pair: ReplicatedPair): Promise<number> {
  const folder = await dataFolder(owner)
  const service = await folder.start({
    DATABASE_URL: pair.url,
    DATABASE_READ_URL: pair.standbyUrl(),
    ADMIN_EMAIL,
    ADMIN_PASSWORD: PASSWORD,
  })
  const token = await service.login(ADMIN_EMAIL, PASSWORD)
  let stale = 0
  const begun = performance.now()
  for (let i = 1; i <= exports; i++) {
    const body = {
      tipo_agravo: 'dengue',
      numero_notificacao: `PAR-${i}-FIM`,
      data_notificacao: '2024-03-12',
      paciente_nome: 'Maria da Silva',
      municipio_residencia: 'Recife',
      estado_residencia: 'PE',
    }
    const created = await service.request('/api/v1/agravos/casos', { token, body })
    const asked = await service.request('/api/v1/agravos/casos/exportar', { token, body: { formato: 'csv' } })
    if (created.status !== 201 || asked.status !== 202) throw new Error(`${created.text} ${asked.text}`)
    const job = await untilOver(service, token, asked.body.job_id)
    if (job.status !== 'completed') throw new Error(JSON.stringify(job))
    const file = await service.request(`/api/v1/jobs/${asked.body.job_id}/arquivo`, { token })
    if (!file.text.includes(body.numero_notificacao)) stale += 1
  }
  const seconds = (performance.now() - begun) / 1000
  console.log(`exports: ${exports} pairs in ${seconds.toFixed(0)} s, ${stale} without the case before them`)
  return stale
}

try {
  const pair = await replicatedPair(owner)
  let stale = 0
  for (const way of ['snapshot', 'read'] as const) stale += await readOwnWrites(pair, way)
  stale += await exportOwnWrites(pair)
  process.exitCode = stale === 0 ? 0 : 1
} finally {
  for (const close of closing) await close()
}
