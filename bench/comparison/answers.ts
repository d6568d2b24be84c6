import type { Municipio } from '../../src/brasil/municipios.ts'
import { UFS } from '../../src/brasil/uf.ts'
import { createRandom, type Random } from '../../src/demo/random.ts'
import { type Loaded, quantilesOf, requestOf, type Times } from './load.ts'
import { EMAIL, PASSWORD } from './prepare.ts'
import { cpuOf, type Loader, memoryOf, type Running, treeOf } from './processes.ts'

/** Requests for one answer at a time, with the time that it may take. */
interface Question {
  name: string
  paths: string[]
  p50AtMost: number
  p99AtMost: number
}

const API = '/api/v1/agravos/casos'
export const DIFFERENT = 2_000
/** Passes over all of them: the best one tells the answer's own time, the others what else the machine did. */
const PASSES = 3
const TIPOS = ['dengue', 'zika', 'chikungunya']
const pick = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)] as T

/** Epidemiology of one place: half municipalities, the rest health regions, states and the country. */
function questionsOf(random: Random, municipios: readonly Municipio[], different: number): Question[] {
  const place = () => {
    const municipio = pick(random, municipios)
    const kind = random.below(10)
    if (kind < 5) return `municipio=${municipio.codigo}`
    if (kind < 7 && municipio.regiao !== null) return `regiao_saude=${municipio.regiao.codigo}`
    return kind < 9 ? `estado=${pick(random, UFS)}` : ''
  }
  const paths = (route: string, more = '') =>
    Array.from(
      { length: different },
      () => `${API}/${route}?tipo_agravo=${pick(random, TIPOS)}&${place()}${more}`,
    )
  const OF_ONE_PLACE = { p50AtMost: 10, p99AtMost: 50 }
  return [
    { name: 'curve', paths: paths('estatisticas/curva'), ...OF_ONE_PLACE },
    { name: 'control diagram', paths: paths('estatisticas/diagrama-controle'), ...OF_ONE_PLACE },
    { name: 'reproduction number', paths: paths('estatisticas/rt', '&nowcast=false'), ...OF_ONE_PLACE },
    { name: 'delays', paths: paths('estatisticas/atrasos'), ...OF_ONE_PLACE },
    // Some of the requests estimate hyperparameters, which may take 250 ms.
    { name: 'nowcast', paths: paths('estatisticas/nowcast'), p50AtMost: 30, p99AtMost: 250 },
    {
      name: 'indicators',
      paths: paths('estatisticas/indicadores', '&semana_inicio=202401&semana_fim=202452'),
      ...OF_ONE_PLACE,
    },
    { name: 'painel', paths: paths('painel', '&classificacao=provavel'), p50AtMost: 20, p99AtMost: 100 },
  ]
}

/** The diagrams of all municipalities and diseases, page by page. */
const allDiagrams = (municipios: number, size: number): string[] =>
  TIPOS.flatMap((tipo) =>
    Array.from(
      { length: Math.ceil(municipios / size) },
      (_, i) =>
        `${API}/estatisticas/diagrama-controle?tipo_agravo=${tipo}&nivel=municipio&resumo=true&page=${i + 1}&size=${size}`,
    ),
  )
const ALL_DIAGRAMS_SECONDS = 8
const ALL_DIAGRAMS_MIB = 300
const PAGE_SIZE = 100

/** Header of a proxy that terminates TLS. */
export const FORWARDED = { 'x-forwarded-proto': 'https' }

/** Access token, valid for all processes on the same database. */
export async function logIn({ port }: Running): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/auth/login`, {
    method: 'POST',
    headers: { ...FORWARDED, 'content-type': 'application/json' },
    body: JSON.stringify({ username: EMAIL, password: PASSWORD }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

interface Asked {
  running: Running
  headers: Record<string, string>
}

/** One request at a time: the time of an answer, not of a queue. Bars that were missed. */
export async function measureAnswers(
  loader: Loader,
  { running, headers }: Asked,
  municipios: readonly Municipio[],
  seed: number,
  different = DIFFERENT,
): Promise<string[]> {
  const missed: string[] = []
  const expect = (what: string, value: number, atMost: number) => {
    if (value > atMost) missed.push(`${what}: ${value.toFixed(1)}, at most ${atMost}`)
  }
  console.log(
    `\nEpidemiology of one place, one request at a time, ${PASSES} passes over ${different} requests:`,
  )
  for (const { name, paths, p50AtMost, p99AtMost } of questionsOf(
    createRandom(seed),
    municipios,
    different,
  )) {
    const pass = (atMost: number) =>
      loader.run({
        port: running.port,
        secure: false,
        connections: 1,
        seconds: 3_600,
        requests: paths.map((path) => requestOf('GET', path, headers)),
        status: 200,
        atMost,
        kinds: paths.length,
      })
    await pass(paths.length / 4)
    const before = cpuOf(treeOf(running.pid))
    const passes: Loaded[] = []
    while (passes.length < PASSES) passes.push(await pass(paths.length))
    const cpu = (1_000 * (cpuOf(treeOf(running.pid)) - before)) / (PASSES * paths.length)
    const [p50, p99] = (['p50', 'p99'] as const).map((q) => Math.min(...passes.map((one) => one[q]))) as [
      number,
      number,
    ]
    const all = passes.map((one) => `${one.p50.toFixed(1)}/${one.p99.toFixed(0)}`).join(', ')
    const own = quantilesOf(
      paths.map((_, i) => Math.min(...passes.map(({ byKind }) => (byKind[i] as Times).p50))),
    )
    console.log(
      `${name.padEnd(24)} p50 ${p50.toFixed(1)} ms (≤ ${p50AtMost}), p99 ${p99.toFixed(1)} (≤ ${p99AtMost}); passes ${all}; least of each request ${own.p50.toFixed(1)}/${own.p99.toFixed(0)}; CPU of the service ${cpu.toFixed(1)} ms`,
    )
    expect(`${name}: p50 in ms`, p50, p50AtMost)
    expect(`${name}: p99 in ms`, p99, p99AtMost)
  }
  const seconds: number[] = []
  while (seconds.length < PASSES) seconds.push(await secondsOfAll(running, headers, municipios.length))
  const memory = memoryOf(treeOf(running.pid))
  console.log(
    `diagrams of all municipalities × 3: ${seconds.map((one) => one.toFixed(1)).join(', ')} s (≤ ${ALL_DIAGRAMS_SECONDS}), memory then ${memory.toFixed(0)} MiB`,
  )
  expect('diagrams of all municipalities: seconds', Math.min(...seconds), ALL_DIAGRAMS_SECONDS)
  expect('diagrams of all municipalities: memory in MiB', memory, ALL_DIAGRAMS_MIB)
  return missed
}

async function secondsOfAll(
  { port }: Running,
  headers: Record<string, string>,
  municipios: number,
): Promise<number> {
  const begun = performance.now()
  for (const path of allDiagrams(municipios, PAGE_SIZE)) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    await response.text()
  }
  return (performance.now() - begun) / 1_000
}
