import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { addDays, dateInBrazil } from '../src/brasil/calendar.ts'
import { sundayOfWeek, weekOf } from '../src/brasil/epi-week.ts'
import { loadMunicipios, type Municipio } from '../src/brasil/municipios.ts'
import { EMAIL, type Ground, PASSWORD } from './comparison/prepare.ts'
import { startService } from './comparison/processes.ts'

/** Time from the end of an import to the delivery of the alert it raises, through the service itself. */

/** Cases of a small municipality, week by week up to the last one: orange, or red. */
const OUTBREAK = [2, 5, 12, 30, 60]
/** Every third file is large, with rows of the whole country. */
const LARGE = 10_000

interface Alerta {
  tipo: string
  dados: { lugar: { codigo: string | null } }
}

/** Seconds, the 95th percentile. */
export async function measureDelivery(
  ground: Ground,
  imports: number,
  reset: () => Promise<void>,
): Promise<number> {
  const arrived = new Map<string, number>()
  const receiver = createServer(async (request, response) => {
    const { tipo, dados } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Alerta
    const { codigo } = dados.lugar ?? {}
    if (tipo === 'alerta.alterado' && codigo && !arrived.has(codigo)) arrived.set(codigo, Date.now())
    response.end()
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  await reset()
  const service = await startService({ ...ground.env, TRUST_PROXY: '127.0.0.1', RATE_LIMITS: 'off' })
  const seconds: number[] = []
  try {
    const call = createCall(service.port)
    await call.logIn()
    await levelsComputed(ground)
    console.log(`\nAs a job of the service, from nothing: ${(await lastJobSeconds(ground)).toFixed(1)} s`)
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    const { id } = await call.json('POST', '/webhooks', { url, eventos: ['alerta.alterado'] })
    const { all } = await loadMunicipios()
    const run = Date.now().toString(36)
    for (let i = 0; i < imports; i++) {
      const place = all[(i * 523 + (Date.now() % 5_000)) % all.length] as Municipio
      const rows = i % 3 === 2 ? all : []
      const committed = await call.importFile(fileOf(`${run}-${i}`, place, rows))
      while (!arrived.has(String(place.codigo))) await sleep(20)
      const took = ((arrived.get(String(place.codigo)) as number) - committed) / 1_000
      seconds.push(took)
      console.log(
        `  import of ${rows.length > 0 ? LARGE : 109} rows: delivered ${took.toFixed(1)} s after its commit`,
      )
      await levelsComputed(ground)
    }
    await call.json('DELETE', `/webhooks/${id}`)
  } finally {
    await service.stop()
    receiver.close()
  }
  const p95 = seconds.toSorted((a, b) => a - b)[Math.ceil(0.95 * seconds.length) - 1] ?? 0
  console.log(`  import → webhook delivered: p95 ${p95.toFixed(1)} s of ${seconds.length}`)
  return p95
}

/** Nothing is asked for, and nothing waits. */
async function levelsComputed({ client }: Ground): Promise<void> {
  for (;;) {
    const { rows } = await client.query(`
      select semana_completa is not null and not exists (select from casos_mudancas_em_massa)
        and not exists (select from jobs_fila) as done from alertas_execucao`)
    if (rows[0].done) return
    await sleep(200)
  }
}

async function lastJobSeconds({ client }: Ground): Promise<number> {
  const { rows } = await client.query(`
    select extract(epoch from completed_at - created_at)::float as seconds from jobs
    where tipo = 'alertas' and completed_at is not null order by completed_at desc limit 1`)
  return rows[0]?.seconds ?? Number.NaN
}

/** An outbreak in one place, and, in a large file, old cases all over the country. */
function fileOf(run: string, place: Municipio, everywhere: readonly Municipio[]): string {
  const last = weekOf(dateInBrazil(new Date())) - 1
  const line = (numero: string, { codigo, uf }: Municipio, onset: string) =>
    `dengue;${numero};${addDays(onset, 1)};${onset};Maria da Silva;${codigo};${uf};${addDays(onset, 2)}\n`
  let text =
    'tipo_agravo;numero_notificacao;data_notificacao;data_inicio_sintomas;paciente_nome;municipio_residencia;estado_residencia;dados_especificos.data_digitacao\n'
  for (const [i, casos] of OUTBREAK.entries())
    for (let n = 0; n < casos; n++)
      text += line(`${run}-${i}-${n}`, place, sundayOfWeek(last - OUTBREAK.length + 1 + i))
  if (everywhere.length > 0)
    for (let n = 0; n < LARGE; n++)
      text += line(
        `${run}-x-${n}`,
        everywhere[(n * 7) % everywhere.length] as Municipio,
        sundayOfWeek(last - 30 - (n % 90)),
      )
  return text
}

function createCall(port: number) {
  let token = ''
  const send = async (method: string, path: string, body?: string | FormData, type?: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method,
      headers: {
        'x-forwarded-proto': 'https',
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(type !== undefined && { 'content-type': type }),
      },
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
  const json = (method: string, path: string, body?: unknown) =>
    body === undefined ? send(method, path) : send(method, path, JSON.stringify(body), 'application/json')
  return {
    json,
    async logIn(): Promise<void> {
      token = (await json('POST', '/auth/login', { username: EMAIL, password: PASSWORD })).access_token
    },
    /** When it was committed, in milliseconds. */
    async importFile(text: string): Promise<number> {
      const form = new FormData()
      form.set('formato', 'csv')
      form.set('modo', 'importar')
      form.set('file', new Blob([text]), 'casos.csv')
      const { job_id } = await send('POST', '/agravos/casos/bulk', form)
      for (;;) {
        const job = await json('GET', `/jobs/${job_id}`)
        if (job.status === 'failed') throw new Error(JSON.stringify(job))
        if (job.status === 'completed') return Date.parse(job.completed_at)
        await sleep(50)
      }
    },
  }
}
