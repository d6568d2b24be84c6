import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { loadMunicipios } from '../src/brasil/municipios.ts'
import { sql } from '../src/db/sql.ts'
import { fillSemanas } from '../src/domain/series/semanas-em-falta.ts'
import { type Person, testApp } from '../test/harness/app.ts'
import { MULTIPART, multipart } from '../test/harness/multipart.ts'
import { startTestServer } from '../test/harness/server.ts'

/**
 * Series against their bars: reading one place, a panel, a map and a state over ten years of daily values, and an import of a long
 * table with its repetition and its undoing. `npx node bench/series.ts [municipalities [values of the import [part of a name]]]`; all
 * 5,570 are 162 million values. The service runs in this process, on a database like that of the tests; exit code 1 where a bar is
 * missed. CPU is that of the service and that of the database (Linux): on a machine with other work they tell more than the clock.
 */
const PLACES = Number(process.argv[2] ?? 853)
const VALUES = Number(process.argv[3] ?? 1_000_000)
const ONLY = process.argv[4] ?? ''
const SERIES = [
  'temp_min',
  'temp_med',
  'temp_max',
  'umid_min',
  'umid_med',
  'umid_max',
  'chuva',
  'agua_diaria',
]
const FIRST_YEAR = 2016
const YEARS = 10
/** Different years of values; places share them, each in blocks of its own. */
const MODELS = 50
const RUNS = 60
/** Unit of times in `/proc`. */
const JIFFY_MS = 10
const WEEKS = 'semana_inicio=201601&semana_fim=202552'

const missed: string[] = []
await using server = await startTestServer()
process.env.VIGIA_TEST_SERVER = JSON.stringify(server.address)
const t = await testApp({ checked: false })
try {
  const { pool } = t.database
  const admin = await t.administrador()
  const { all } = await loadMunicipios()
  const minas = all.filter(({ uf }) => uf === 'MG')
  const places = [...minas, ...all.filter(({ uf }) => uf !== 'MG')].slice(0, PLACES)
  await register(admin)
  const begun = performance.now()
  for (const codigo of SERIES)
    await pool.run(sql`
      with modelos as materialized (
        select a.ano, m.modelo, array(
            select case when d = 60 and a.ano % 4 <> 0 then null
              else round((20 + 5 * sin(d / 58.0) + random())::numeric, 1)::float8 end
            from generate_series(1, 366) d where a.ano > 0 and m.modelo >= 0) as valores
        from generate_series(${FIRST_YEAR}::integer, ${FIRST_YEAR + YEARS - 1}::integer) as a (ano),
          generate_series(0, ${MODELS - 1}::integer) as m (modelo))
      insert into series_blocos (serie_id, lugar, ano, valores, contagem, primeiro, ultimo, revisao, atualizado_em)
      select s.id, l.lugar, m.ano, m.valores, 365, 0, 365, 1, now()
      from series s, unnest(${places.map(({ uf, codigo: code }) => `${uf}${code}`)}::text[]) with ordinality as l (lugar, n)
        join modelos m on m.modelo = l.n % ${MODELS}::integer
      where s.codigo = ${codigo}`)
  await pool.run(
    sql`update series set primeiro = '2016-01-01', ultimo = '2025-12-31' where codigo = any(${SERIES})`,
  )
  await fillSemanas(pool)
  await pool.run(sql`vacuum (full, analyze) series_blocos`)
  const bytes = await pool.value<number>(sql`select pg_total_relation_size('series_blocos')::float8`)
  const stored = places.length * SERIES.length * YEARS * 365.25
  console.log(
    `${millions(stored)} million values of ${places.length} places in ${((performance.now() - begun) / 1000).toFixed(0)} s: ${(bytes / 1e6).toFixed(0)} MB, ${(((bytes / stored) * 162e6) / 1e9).toFixed(2)} GB for 162 million`,
  )

  const at = (i: number) => places[(i * 97) % places.length]?.codigo
  await timed(
    'one place, ten years weekly of daily',
    [8, 40],
    (i) => `/series/temp_min/valores?municipio=${at(i)}&periodo=semana&${WEEKS}`,
  )
  await timed(
    'panel of eight series with cases, 522 weeks',
    [25],
    (i) => `/series/painel?series=${SERIES}&tipo_agravo=dengue&municipio=${at(i)}&${WEEKS}`,
  )
  await timed(
    'correlation, 27 lags',
    [30],
    (i) => `/series/temp_min/correlacao?com=chuva&defasagem_max=26&municipio=${at(i)}&${WEEKS}`,
  )
  await timed('all municipalities of one week', [80], () => '/series/temp_min/lugares?semana=202310', 10)
  const state = `/series/temp_min/valores?estado=MG&periodo=semana&semana_inicio=201601&semana_fim=`
  await timed(`a state of ${minas.length} municipalities, 522 weeks`, [250], () => `${state}202552`, 5)
  await timed('a state, no one asked before', [250], (i) => `${state}${202552 - i}`, 5)
  if ('import'.includes(ONLY)) await importing(admin)
} finally {
  await t.close()
}
for (const one of missed) console.log(`missed: ${one}`)
process.exitCode = missed.length > 0 ? 1 : 0

async function register(admin: Person): Promise<void> {
  const { status, text } = await t.as(admin).post('/series', {
    ...{ codigo: 'agua_diaria', nome: 'Água', descricao: 'Nível diário', dominio: 'ambiental', tema: 'agua' },
    ...{ unidade: '1', tipo_valor: 'numero', periodo: 'dia', nivel: 'municipio', agrega_tempo: 'media' },
    ...{ agrega_lugar: 'media', fonte: 'Medição', licenca: 'CC BY' },
  })
  assert.equal(status, 201, text)
}

async function timed(
  name: string,
  bars: [p50: number, p99?: number],
  path: (i: number) => string,
  runs = RUNS,
) {
  if (!name.includes(ONLY)) return
  const admin = t.as(await t.administrador())
  const times: number[] = []
  const cpus: number[] = []
  let cpu = await cpuUsed()
  for (let i = -5; i < runs; i++) {
    const begun = performance.now()
    const before = process.cpuUsage()
    const { status, text } = await admin.get(path(i + 5))
    assert.equal(status, 200, text)
    const { user, system } = process.cpuUsage(before)
    if (i >= 0) {
      times.push(performance.now() - begun)
      cpus.push((user + system) / 1000)
    } else if (i === -1) cpu = await cpuUsed()
  }
  const used = await cpuUsed(cpu)
  times.sort((a, b) => a - b)
  cpus.sort((a, b) => a - b)
  const at = (share: number) => Math.min(times.length - 1, Math.floor(share * times.length))
  const p = (share: number) => times[at(share)] as number
  console.log(
    `${name}: p50 ${p(0.5).toFixed(1)} ms, p99 ${p(0.99).toFixed(1)} ms (wanted ${bars.join(', ')}); CPU p50 ${cpus[at(0.5)]?.toFixed(1)} ms, mean of the database ${(used.database / runs).toFixed(1)} ms`,
  )
  if (p(0.5) > bars[0]) missed.push(`${name}: p50 ${p(0.5).toFixed(1)} ms`)
  if (bars[1] !== undefined && p(0.99) > bars[1]) missed.push(`${name}: p99 ${p(0.99).toFixed(1)} ms`)
}

interface Cpu {
  service: number
  database: number
}

/** Milliseconds since a measurement */
async function cpuUsed(since: Cpu = { service: 0, database: 0 }): Promise<Cpu> {
  const { user, system } = process.cpuUsage()
  const backend = await t.database.pool.value<number>(sql`select pg_backend_pid()`)
  const server = statOf(String(backend))?.parent
  const jiffies = readdirSync('/proc')
    .map(statOf)
    .reduce(
      (sum, stat) => sum + (stat?.parent === server ? (stat?.own ?? 0) : 0),
      statOf(String(server))?.ended ?? 0,
    )
  return { service: (user + system) / 1000 - since.service, database: jiffies * JIFFY_MS - since.database }
}

/** Times of a process, and of those of its children that have ended. */
function statOf(pid: string): { parent: number; own: number; ended: number } | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number)
    const [, parent, own, ended] = [
      0,
      fields[1],
      (fields[11] ?? 0) + (fields[12] ?? 0),
      (fields[13] ?? 0) + (fields[14] ?? 0),
    ]
    return { parent: parent as number, own, ended }
  } catch {
    return null
  }
}

/** A long table of two series, from the stored file to the end of the job. */
async function importing(admin: Person): Promise<void> {
  const lines = ['municipio;data;valor']
  const days = Math.ceil(VALUES / 500)
  for (let i = 0; i < VALUES; i++) {
    const day = new Date(Date.UTC(1990, 0, 1 + (i % days))).toISOString().slice(0, 10)
    const { codigo } = all500()[Math.floor(i / days)] as { codigo: number }
    lines.push(`${codigo};${day};${(15 + ((i * 7919) % 200) / 10).toFixed(1)}`)
  }
  const file = lines.join('\n')
  const hash = () =>
    t.database.pool.value<string>(sql`
      select md5(string_agg(md5(serie_id || lugar || ano || encode(array_send(valores), 'hex')), '' order by serie_id, lugar, ano))
      from series_blocos`)
  const before = await hash()
  const first = await run('import', file, admin)
  await run('the same again', file, admin)
  const begun = performance.now()
  const { status } = await t.as(admin).post(`/series/importacoes/${first}/desfazer`)
  assert.equal(status, 202)
  await t.jobWorker.runAll()
  console.log(`undo: ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  assert.equal(await hash(), before, 'every block is as it was')
}

function all500() {
  return t.app.municipios.all.slice(0, 500)
}

async function run(name: string, content: string, admin: Person): Promise<number> {
  const parts = [
    { field: 'modo', content: 'importar' },
    { field: 'serie', content: 'temp_min' },
    { field: 'file', content, filename: 'longa.csv' },
  ]
  const sent = await t
    .as(admin)
    .request('POST', '/series/bulk', { headers: MULTIPART, payload: multipart(...parts) })
  assert.equal(sent.status, 202, sent.text)
  const begun = performance.now()
  const held = process.memoryUsage.rss()
  let most = held
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 20)
  const cpu = await cpuUsed()
  await t.jobWorker.runAll()
  clearInterval(watch)
  const used = await cpuUsed(cpu)
  const seconds = (performance.now() - begun) / 1000
  const { body } = await t.as(admin).get(`/jobs/${sent.body.job_id}`)
  assert.equal(body.status, 'completed', JSON.stringify(body).slice(0, 500))
  const rate = VALUES / seconds
  console.log(
    `${name}: ${seconds.toFixed(1)} s, ${Math.round(rate)} values a second (wanted 100000); CPU ${(used.service / 1000).toFixed(1)} s, of the database ${(used.database / 1000).toFixed(1)} s; memory ${Math.round(held / 1e6)} MB before, ${Math.round(most / 1e6)} MB at most`,
  )
  if (rate < 100_000) missed.push(`${name}: ${Math.round(rate)} values a second`)
  return body.resultado.importacao_id
}

function millions(values: number): string {
  return (values / 1e6).toFixed(1)
}
