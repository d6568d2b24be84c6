import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createRandom } from '../../../fuzz/random.ts'
import { verifyContagens } from '../../../src/domain/casos/counters/counters.ts'
import { duplicidadesApp } from './duplicidades-app.ts'

/**
 * Random merges, undos, edits and new cases. After an undo both cases are byte by byte as they were before the merge, but for the
 * fields that were edited since; at every check list, statistics, map and exported file tell the same, and the counters agree with the
 * cases. `PROPERTY_RUNS` asks for more steps than a test run should take, `PROPERTY_SEED` for others.
 */
const SEED = Number(process.env.PROPERTY_SEED ?? 20_260_311)
const STEPS = Number(process.env.PROPERTY_RUNS ?? 160)
const CHECK_EVERY = 40

const app = await duplicidadesApp()
const { t, gestor, caso, whole } = app
after(() => t.close())

const random = createRandom(SEED)
const maybe = <T>(value: T): T | null => (random.chance(0.5) ? value : null)

type Whole = Awaited<ReturnType<typeof whole>>

interface Merge {
  id: number
  principal: number
  absorvido: number
  before: { principal: Whole; absorvido: Whole }
  /** Paths of fields of the principal that were edited since. */
  edited: Set<string>
  /** Another merge of the principal was undone since: what that changed is not this one's. */
  disturbed: boolean
}

const live = new Set<number>()
const merges: Merge[] = []

const newFields = () => ({
  data_notificacao: `2026-0${random.integer(1, 3)}-1${random.integer(0, 9)}`,
  municipio_residencia: random.pick(['Recife', 'Olinda']),
  paciente_nome: random.pick(['Rita Pacheco Lobato', 'Ritta Lobato', 'Vera Quadros']),
  paciente_data_nascimento: maybe('1990-05-06'),
  bairro_residencia: maybe(random.pick(['Pina', 'Carmo'])),
  logradouro_residencia: maybe('Rua da Aurora'),
  paciente_sexo: maybe('F'),
  paciente_raca: maybe(random.pick(['parda', 'preta'])),
  evolucao: maybe(random.pick(['cura', 'obito', 'ignorado'])),
  hospitalizacao: maybe(random.chance(0.5)),
  classificacao_final: maybe('descartado'),
  dados_clinicos: { comorbidades: maybe([random.pick(['asma', 'diabetes']), 'outra']) },
})

async function create(): Promise<void> {
  live.add(await caso(newFields()))
}

async function merge(): Promise<void> {
  const principal = random.pick([...live])
  const absorvido = random.pick([...live])
  if (principal === absorvido) return
  const before = { principal: await whole(principal), absorvido: await whole(absorvido) }
  const { status, body, text } = await t
    .as(gestor)
    .post(`/agravos/casos/${principal}/fundir`, { caso_id: absorvido, principal_id: principal })
  assert.equal(status, 200, text)
  live.delete(absorvido)
  merges.push({ id: body.fusao_id, principal, absorvido, before, edited: new Set(), disturbed: false })
}

/** Fields that an edit changes, with their places in answers. */
const EDITS: [path: string, make: () => object][] = [
  ['paciente.ocupacao', () => ({ paciente_ocupacao: `Ofício ${random.integer(1, 99)}` })],
  ['paciente.raca', () => ({ paciente_raca: random.pick(['branca', 'amarela']) })],
  ['endereco.numero', () => ({ numero_residencia: String(random.integer(1, 999)) })],
]

async function edit(): Promise<void> {
  const id = random.pick([...live])
  const [path, make] = random.pick(EDITS)
  const { status, text } = await t.as(gestor).put(`/agravos/casos/${id}`, make())
  assert.equal(status, 200, text)
  for (const one of merges) if (one.principal === id) one.edited.add(path)
}

function put(target: Record<string, unknown>, path: string, source: Record<string, unknown>): void {
  const [group = '', leaf = ''] = path.split('.')
  ;(target[group] as Record<string, unknown>)[leaf] = (source[group] as Record<string, unknown>)[leaf]
}

async function undo(): Promise<void> {
  const one = random.pick(merges)
  const { status, text } = await t.as(gestor).post(`/agravos/fusoes/${one.id}/desfazer`)
  if (!live.has(one.principal)) {
    assert.equal(status, 409, text)
    return
  }
  assert.equal(status, 200, text)
  const at = merges.indexOf(one)
  const isLast = !merges.slice(at + 1).some(({ principal }) => principal === one.principal)
  merges.splice(at, 1)
  live.add(one.absorvido)
  assert.deepEqual(await whole(one.absorvido), one.before.absorvido)
  for (const other of merges) if (other.principal === one.principal && !isLast) other.disturbed = true
  if (!isLast || one.disturbed) return
  const now = await whole(one.principal)
  const expected = structuredClone(one.before.principal)
  for (const path of one.edited) put(expected, path, now)
  assert.deepEqual(now, expected)
}

async function check(): Promise<void> {
  const list = (await t.as(gestor).get('/agravos/casos?size=1')).body.total
  const resumo = (await t.as(gestor).get('/agravos/casos/estatisticas/resumo')).body.total
  const mapa = (await t.as(gestor).get('/agravos/casos/mapa-calor?nivel=municipio')).body.features as {
    properties: { total?: number; casos?: number }
  }[]
  const onMap = mapa.reduce((sum, { properties }) => sum + (properties.total ?? properties.casos ?? 0), 0)
  const { body } = await t.as(gestor).post('/agravos/casos/exportar', { formato: 'csv' })
  await t.jobWorker.runAll()
  const { text } = await t.as(gestor).get(`/jobs/${body.job_id}/arquivo`)
  const exported = text.trimEnd().split('\n').length - 1
  assert.deepEqual([list, resumo, onMap, exported], Array(4).fill(live.size))
  assert.deepEqual(await verifyContagens(t.database.pool), [])
}

describe('Random merges, undos and edits', () => {
  it(`leave every case and every number right (seed ${SEED}, ${STEPS} steps)`, async () => {
    for (let i = 0; i < 12; i++) await create()
    for (let step = 1; step <= STEPS; step++) {
      const acts = [create, edit, merge, merge, ...(merges.length > 0 ? [undo, undo] : [])]
      if (live.size < 6) await create()
      await random.pick(acts)()
      if (step % CHECK_EVERY === 0) await check()
    }
    while (merges.length > 0) await undo()
    await check()
  })
})
