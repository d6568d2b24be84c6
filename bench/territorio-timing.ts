import { type Person, type TestApp, testApp } from '../test/harness/app.ts'
import { bind } from '../test/harness/bound.ts'
import { MULTIPART, multipart } from '../test/harness/multipart.ts'
import { startTestServer } from '../test/harness/server.ts'

/**
 * Timing of refusals: the 404 of a case outside of the caller's territory against that of an id that does not exist, by turns.
 * Medians may differ by 2 ms at most, so that the time tells nobody that a case is there.
 * `npx node bench/territorio-timing.ts [pairs]`; exit code 1 where they differ by more.
 */
const PAIRS = Number(process.argv[2] ?? 1_000)
const AT_MOST_MS = 2
const WARM_UP = 100
const NOBODY = 2_000_000_000
const OUTSIDE_CASES = 50

const json = { 'content-type': 'application/json' }
type Options = { headers?: Record<string, string>; payload?: string | Buffer }
const anexo = multipart(
  { field: 'tipo', content: 'exame' },
  { field: 'arquivo', filename: 'exame.pdf', content: '%PDF-1.7\n%%EOF\n' },
)
const OPERATIONS: [method: string, rest: string, options?: Options][] = [
  ['GET', ''],
  ['GET', '?identificado=true'],
  ['PUT', '', { headers: json, payload: '{"evolucao":"cura"}' }],
  ['PATCH', '', { headers: json, payload: '{"evolucao":"cura"}' }],
  ['DELETE', '?motivo=engano'],
  ['POST', '/restaurar'],
  ['GET', '/historico'],
  ['GET', '/anexos'],
  ['POST', '/anexos', { headers: MULTIPART, payload: anexo }],
  ['GET', '/anexos/1'],
  ['DELETE', '/anexos/1'],
]

await using server = await startTestServer()
process.env.VIGIA_TEST_SERVER = JSON.stringify(server.address)
const t = await testApp()
const missed: string[] = []
try {
  const person = await boundGestor(t)
  const outside = await outsideCases(t)
  console.log(`${PAIRS} pairs each, milliseconds\n${'operation'.padEnd(45)} outside  missing  difference`)
  for (const [method, rest, options] of OPERATIONS) {
    const time = (id: number) => timeOf(t, person, method, `/agravos/casos/${id}${rest}`, options)
    const [there, missing]: [number[], number[]] = [[], []]
    for (let i = -WARM_UP; i < PAIRS; i++) {
      const id = outside[(i + WARM_UP) % outside.length] as number
      // The order alternates, too: the second of a pair might find something warm.
      const pair =
        i % 2 === 0 ? [await time(id), await time(NOBODY)] : [await time(NOBODY), await time(id)].reverse()
      if (i < 0) continue
      there.push(pair[0] as number)
      missing.push(pair[1] as number)
    }
    const [a, b] = [median(there), median(missing)]
    const name = `${method} /agravos/casos/{id}${rest}`
    console.log(
      `${name.padEnd(45)} ${a.toFixed(3).padStart(7)}  ${b.toFixed(3).padStart(7)}  ${(a - b).toFixed(3).padStart(10)}`,
    )
    if (Math.abs(a - b) >= AT_MOST_MS) missed.push(name)
  }
} finally {
  await t.close()
}
if (missed.length > 0) console.log(`\n${AT_MOST_MS} ms or more apart: ${missed.join(', ')}`)
process.exitCode = missed.length > 0 ? 1 : 0

async function boundGestor(app: TestApp): Promise<Person> {
  return bind(app, await app.person({ grupos: ['gestor'] }), 'uf:AC')
}

async function outsideCases(app: TestApp): Promise<number[]> {
  const admin = await app.administrador()
  const ids: number[] = []
  for (let i = 0; i < OUTSIDE_CASES; i++) {
    const { status, body, text } = await app.as(admin).post('/agravos/casos', {
      tipo_agravo: 'dengue',
      numero_notificacao: `T-${i}`,
      data_notificacao: '2026-03-12',
      paciente_nome: 'Fulana de Teste',
      municipio_residencia: 'Recife',
      estado_residencia: 'PE',
    })
    if (status !== 201) throw new Error(text)
    ids.push(body.id)
  }
  return ids
}

async function timeOf(
  app: TestApp,
  person: Person,
  method: string,
  path: string,
  options: Options = {},
): Promise<number> {
  const begun = performance.now()
  const { status } = await app.as(person).request(method, path, options)
  const ms = performance.now() - begun
  if (status !== 404) throw new Error(`${method} ${path} answered ${status}`)
  return ms
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
}
