import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { addDays, dateInBrazil } from '../../../src/brasil/calendar.ts'
import { consultaApp } from './casos-consulta-app.ts'

const { t, newCaso, read } = await consultaApp()
after(() => t.close())

const PENDENCIAS = '/agravos/casos/qualidade/pendencias'
const hoje = dateInBrazil(t.clock.now())
const ago = (days: number) => addDays(hoje, -days)
const DAY = 24 * 60 * 60 * 1000

/** Nothing to do about it but what a test says. */
const CLOSED = {
  data_notificacao: ago(30),
  data_inicio_sintomas: ago(31),
  hospitalizacao: false,
  classificacao_final: 'dengue_sem_sinais_alarme',
  criterio_confirmacao: 'laboratorial',
  data_encerramento: ago(5),
}
const OPEN = {
  ...CLOSED,
  classificacao_final: null,
  criterio_confirmacao: 'em_investigacao',
  data_encerramento: null,
}

async function codesOf(id: number): Promise<string[]> {
  const { items } = await read(PENDENCIAS, { id: String(id) })
  return (items[0]?.pendencias ?? []).map(({ codigo }: { codigo: string }) => codigo)
}

const idsWith = async (pendencia: string): Promise<number[]> =>
  (await read(PENDENCIAS, { pendencia, sort: 'id', order: 'asc' })).items.map(({ id }: { id: number }) => id)

describe('obito_sem_investigacao', () => {
  const isListed = async (input: object) =>
    (await codesOf(await newCaso(input))).includes('obito_sem_investigacao')
  const died = (days: number) => ({ data_obito: ago(days) })

  it('is a death of an open case, or of an unsettled cause, whose investigation has no date', async () => {
    assert.equal(await isListed({ ...OPEN, ...died(9), evolucao: 'obito' }), true)
    assert.equal(await isListed({ ...CLOSED, ...died(9), evolucao: 'obito_em_investigacao' }), true)
    assert.equal(await isListed({ ...OPEN, evolucao: 'obito_em_investigacao' }), true, 'day unknown')
    assert.equal(await isListed({ ...CLOSED, ...died(9), evolucao: 'obito' }), false)
    assert.equal(await isListed({ ...OPEN, ...died(9), evolucao: 'obito_outras_causas' }), false)
    assert.equal(await isListed({ ...OPEN, ...died(9), evolucao: 'obito', data_investigacao: ago(8) }), false)
  })
})

describe('sem_inicio_sintomas and sem_hospitalizacao', () => {
  it('are what completeness misses, closed cases included', async () => {
    const without = { data_inicio_sintomas: null, hospitalizacao: null }
    const id = await newCaso({ ...CLOSED, ...without, municipio_residencia: 'Olinda' })
    assert.deepEqual(await codesOf(id), ['sem_inicio_sintomas', 'sem_hospitalizacao'])
    await newCaso({ ...CLOSED, municipio_residencia: 'Olinda' })
    const place = { municipio: '2609600' }
    const { completude } = await read('/agravos/casos/qualidade', place)
    const { por_codigo } = await read(`${PENDENCIAS}/resumo`, place)
    for (const campo of ['data_inicio_sintomas', 'hospitalizacao']) {
      const { de, preenchidos } = completude.find((one: { campo: string }) => one.campo === campo)
      assert.equal(de - preenchidos, 1, campo)
    }
    assert.deepEqual(por_codigo, { sem_inicio_sintomas: 1, sem_hospitalizacao: 1 })
  })

  it('do not ask for a hospitalisation where the form has none', async () => {
    const admin = await t.person({ admin: true })
    const { status, text } = await t.as(admin).post('/agravos/tipos', { modelo: 'hanseniase', ativar: true })
    assert.equal(status, 201, text)
    const caruaru = { ...CLOSED, hospitalizacao: null, municipio_residencia: 'Caruaru' }
    await newCaso({ ...caruaru, tipo_agravo: 'zika', classificacao_final: 'confirmado' })
    const { data_notificacao, data_inicio_sintomas, data_encerramento, municipio_residencia } = caruaru
    await newCaso({
      tipo_agravo: 'hanseniase',
      ...{ data_notificacao, data_inicio_sintomas, data_encerramento, municipio_residencia },
    })
    const place = { municipio: '2604106' }
    assert.equal((await read(PENDENCIAS, place)).total, 0)
    assert.deepEqual((await read(`${PENDENCIAS}/resumo`, place)).por_codigo, {})
    await newCaso(caruaru)
    assert.deepEqual((await read(`${PENDENCIAS}/resumo`, place)).por_codigo, { sem_hospitalizacao: 1 })
  })
})

/** The last one: the clock goes on, and whoever was signed in is no more. */
describe('A death', () => {
  it('counts when the day after it is over, by the day of the reading', async () => {
    const ofToday = await newCaso({ ...OPEN, data_obito: hoje, evolucao: 'obito' })
    const ofTheDayBefore = await newCaso({ ...OPEN, data_obito: ago(1), evolucao: 'obito' })
    const before = await idsWith('obito_sem_investigacao')
    assert.ok(!before.includes(ofToday) && !before.includes(ofTheDayBefore))
    for (const those of [[ofTheDayBefore], [ofToday, ofTheDayBefore]]) {
      t.clock.advance(DAY)
      const pessoa = await t.person({ permissoes: ['agravos.listar'] })
      const query = { 'id[in]': `${ofToday},${ofTheDayBefore}` }
      const { por_codigo } = await read(`${PENDENCIAS}/resumo`, query, pessoa)
      assert.equal(por_codigo.obito_sem_investigacao, those.length)
      const asked = { ...query, pendencia: 'obito_sem_investigacao', sort: 'id', order: 'asc' }
      const { items } = await read(PENDENCIAS, asked, pessoa)
      assert.deepEqual(
        items.map(({ id }: { id: number }) => id),
        those,
      )
      assert.deepEqual(items.at(-1).pendencias[1], {
        ...{ codigo: 'obito_sem_investigacao', desde: ago(1), prazo: null, dias: null },
      })
    }
  })
})
