import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type CasoDaSemana, epidemiologiaApp, OLINDA } from './epidemiologia-app.ts'

const { t, insert, read, ask, bound } = await epidemiologiaApp()
after(() => t.close())

const times = (count: number, caso: CasoDaSemana) => Array.from({ length: count }, () => caso)
const OF_OLINDA = { municipio: OLINDA, sexo: 'F', idade: 33, classe: 'confirmado' }

before(() =>
  insert([
    ...times(12, { ...OF_OLINDA, inicio: '2024-03-05' }),
    ...times(3, { ...OF_OLINDA, inicio: '2024-03-12' }),
    ...times(20, { ...OF_OLINDA, inicio: '2024-03-19', sexo: 'M', hospitalizacao: true }),
    ...times(2, { ...OF_OLINDA, inicio: '2024-03-19', evolucao: 'obito', sexo: 'M' }),
  ]),
)

const QUERY = { tipo_agravo: 'dengue', municipio: OLINDA, ano: 2024 }
type Semana = { semana: string } & Record<string, unknown>
const week = (body: { semanas: Semana[] }, semana: string) =>
  body.semanas.find((one) => one.semana === semana) as Semana

describe('suprimir=true', () => {
  it('changes nothing where it is not asked for', async () => {
    const body = await read('curva', QUERY)
    const { casos, notificados, suprimido } = week(body, '202411')
    assert.deepEqual([casos, notificados, suprimido], [3, 3, undefined])
  })

  it('hides small weeks of a curve with the next smallest, and what follows from them', async () => {
    const body = await read('curva', { ...QUERY, suprimir: 'true' })
    const small = week(body, '202411')
    for (const name of ['casos', 'notificados', 'confirmados', 'incidencia', 'acumulado'])
      assert.equal(small[name], null, name)
    assert.deepEqual([small.suprimido, week(body, '202410').casos], [true, null])
    const shown = week(body, '202412')
    // Two deaths: the week is shown by its cases alone.
    assert.deepEqual([shown.casos, shown.obitos, shown.notificados, shown.acumulado], [22, null, null, null])
    assert.deepEqual([body.anos[0].casos, week(body, '202409').acumulado], [37, 0])
    assert.equal(body.comparacao[0].variacao_pct, null)
  })

  it('shows the totals of a state', async () => {
    const body = await read('curva', { tipo_agravo: 'dengue', estado: 'PE', ano: 2024, suprimir: 'true' })
    assert.deepEqual([week(body, '202411').casos, week(body, '202411').suprimido], [3, false])
  })

  it('hides what the weeks outside of the period would be known by', async () => {
    const query = { tipo_agravo: 'dengue', municipio: OLINDA, semana_inicio: '202410', semana_fim: '202410' }
    const zika = times(6, { ...OF_OLINDA, tipo: 'zika', inicio: '2024-03-05' })
    await insert([...zika, ...times(2, { ...OF_OLINDA, tipo: 'zika', inicio: '2024-06-04' })])
    const body = await read('curva', { ...query, tipo_agravo: 'zika', suprimir: 'true' })
    const known = [body.semanas[0].casos, body.anos[0].casos]
    assert.ok(known.includes(null), JSON.stringify(known))
  })

  it('treats a state of which the caller sees a part as a small place', async () => {
    const person = await bound([`municipio:${OLINDA}`])
    const query = { tipo_agravo: 'dengue', estado: 'PE', ano: 2024, suprimir: 'true' }
    const body = await read('curva', query, person)
    assert.deepEqual([body.parcial, week(body, '202411').casos], [true, null])
  })

  it('hides the total of a state beside the only cell of its pyramid', async () => {
    await insert(
      times(3, { inicio: '2024-03-05', tipo: 'zika', uf: 'AC', municipio: 1200401, sexo: 'F', idade: 33 }),
    )
    const body = await read('indicadores', { tipo_agravo: 'zika', estado: 'AC', suprimir: 'true' })
    const cells = body.piramide.celulas.filter(({ casos }: { casos: number | null }) => casos !== 0)
    assert.deepEqual([cells.length, cells[0].casos, body.provaveis, body.notificados], [1, null, null, null])
    assert.equal(body.letalidade.provaveis.de, null)
  })

  it('hides small numbers of indicators, and rates of them', async () => {
    const query = { tipo_agravo: 'dengue', municipio: OLINDA, suprimir: 'true' }
    const body = await read('indicadores', query)
    assert.deepEqual([body.provaveis, body.obitos, body.letalidade.confirmados.pct], [37, null, null])
    assert.equal(body.letalidade.confirmados.se_confirmados.obitos, null)
    assert.equal(body.hospitalizacao.informados, 20)
    const cells = body.piramide.celulas.filter(({ casos }: { casos: number | null }) => casos !== 0)
    assert.deepEqual(
      cells.map(({ casos }: { casos: number | null }) => casos),
      [22, 15],
    )
    assert.notEqual(body.padronizada.incidencia, null)
    const refused = await ask('indicadores', { ...query, serie: 'true' })
    assert.deepEqual([refused.status, refused.body.error.details[0].field], [422, 'serie'])
  })

  it('hides a small cell of the pyramid with another, and the standardised rate', async () => {
    await insert(times(2, { ...OF_OLINDA, inicio: '2024-03-05', idade: 80 }))
    const body = await read('indicadores', { tipo_agravo: 'dengue', municipio: OLINDA, suprimir: 'true' })
    const hidden = body.piramide.celulas.filter(({ casos }: { casos: number | null }) => casos === null)
    assert.equal(hidden.length, 2)
    for (const { incidencia } of hidden) assert.equal(incidencia, null)
    assert.equal(body.padronizada.incidencia, null)
  })

  it('hides them in CSV as well', async () => {
    const { text } = await ask('curva', { ...QUERY, suprimir: 'true', formato: 'csv' })
    assert.match(text, /\n202411;2024-03-10;2024-03-16;;;/)
  })
})
