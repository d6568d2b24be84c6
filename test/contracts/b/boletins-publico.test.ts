import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { boletinsApp } from './boletins-app.ts'
import { OLINDA, RECIFE } from './epidemiologia-app.ts'

const PAULISTA = 2610707
const CARUARU = 2604106

const { t, pool, make, readBoletim, outbreak, autora } = await boletinsApp()
after(() => t.close())

before(async () => {
  await outbreak([30, 3, 40, 25, 33, 60])
  await outbreak([0, 0, 2, 0, 1, 0], { municipio: OLINDA })
  await outbreak([8, 9, 10, 7, 6, 5], { municipio: CARUARU })
})

interface Parte {
  codigo: string
  casos_4_semanas: number | null
  incidencia_4_semanas: number | null
  suprimido: boolean
}
interface Semana {
  semana: string
  casos: number | null
  suprimido: boolean
}

const parte = (lugares: Parte[], codigo: number) =>
  lugares.find((one) => one.codigo === String(codigo)) as Parte
const secaoOf = async (pedido: object) =>
  (await readBoletim(await make({ tipo_agravo: 'dengue', ...pedido }))).dados.secoes[0]

describe('A public bulletin', () => {
  it('of a state hides small municipalities and one more beside them, and shows its own totals', async () => {
    const secao = await secaoOf({ estado: 'PE', publico: true })
    const { lugares } = secao.mapa
    const olinda = parte(lugares, OLINDA)
    assert.deepEqual(
      [olinda.casos_4_semanas, olinda.incidencia_4_semanas, olinda.suprimido],
      [null, null, true],
    )
    const hidden = lugares.filter((one: Parte) => one.suprimido)
    assert.ok(hidden.length >= 2, 'one hidden number would follow from the total')
    assert.equal(secao.numeros.casos_4_semanas.valor, 40 + 25 + 33 + 60 + 3 + 10 + 7 + 6 + 5)
    for (const { codigo } of secao.municipios.maior_incidencia)
      assert.equal(parte(lugares, Number(codigo)).suprimido, false)
    assert.ok(secao.curva.anos[0].semanas.every((one: Semana) => !one.suprimido))
    const whole = await secaoOf({ estado: 'PE' })
    assert.equal(parte(whole.mapa.lugares, OLINDA).casos_4_semanas, 3)
  })

  it('of a municipality hides what that of its state hides, and no sum leads back to it', async () => {
    const state = await secaoOf({ estado: 'PE', publico: true })
    for (const municipio of [RECIFE, OLINDA, CARUARU]) {
      const secao = await secaoOf({ municipio: String(municipio), publico: true })
      const { suprimido } = parte(state.mapa.lugares, municipio)
      assert.equal(secao.numeros.casos_4_semanas.suprimido, suprimido, String(municipio))
      const recent: Semana[] = secao.curva.anos[0].semanas.slice(-4)
      const hidden = recent.filter((one) => one.suprimido).length
      assert.notEqual(hidden + Number(suprimido), 1, 'a single hidden number of a line is its difference')
    }
  })

  it('hides a small week with another, and whatever is computed from them', async () => {
    const secao = await secaoOf({ municipio: String(RECIFE), publico: true })
    const [ano] = secao.curva.anos
    const hidden = new Set(
      ano.semanas.filter((one: Semana) => one.suprimido).map((one: Semana) => one.semana),
    )
    assert.ok(hidden.size >= 2)
    const small = ano.semanas.at(-5) as Semana
    assert.deepEqual([small.casos, hidden.has(small.semana)], [null, true])
    for (const one of secao.diagrama.semanas)
      if (hidden.has(one.semana)) assert.deepEqual([one.casos, one.incidencia, one.zona], [null, null, null])
    for (const one of secao.curva.nowcast)
      if (hidden.has(one.semana))
        assert.deepEqual([one.conhecidos, one.estimados, one.suprimido], [null, null, true])
    const last = secao.rt.semanas.at(-1)
    assert.deepEqual(
      [last.rt, last.p_maior_1, last.suprimido],
      [null, null, true],
      'its reach holds hidden weeks',
    )
    assert.deepEqual(
      secao.piramide.celulas.filter(({ casos }: Semana) => casos !== null && casos > 0 && casos < 5),
      [],
    )
  })

  it('names bairros of five cases and more, and adds up the others, for everybody', async () => {
    await pool.run(sql`
      update casos set bairro_residencia = case when id % 3 = 0 then 'Boa Viagem' when id % 40 = 1 then 'Recife' else 'Várzea' end
      where municipio_residencia = ${RECIFE}`)
    const { mapa } = await secaoOf({ municipio: String(RECIFE) })
    assert.equal(mapa.tipo, 'bairro')
    const [first, second] = mapa.bairros
    assert.deepEqual([first.nome, second.nome], ['Várzea', 'Boa Viagem'])
    const all = mapa.bairros.reduce((sum: number, one: Parte) => sum + Number(one.casos_4_semanas), 0)
    assert.equal(all + mapa.demais.valor, 40 + 25 + 33 + 60)
    assert.ok(mapa.bairros.every((one: Parte) => Number(one.casos_4_semanas) >= 5))
    const hidden = (await secaoOf({ municipio: String(RECIFE), publico: true })).mapa
    if (mapa.demais.valor > 0 && mapa.demais.valor < 5) assert.equal(hidden.demais.suprimido, true)
  })

  it('says what it hides by', async () => {
    const { dados } = await readBoletim(
      await make({ tipo_agravo: 'dengue', municipio: String(PAULISTA), publico: true }),
    )
    assert.deepEqual(dados.notas.supressao, { minimo: 5 })
    const page = await t.as(autora).get('/agravos/boletins?publico=true&size=100')
    assert.ok(page.body.items.every((one: { publico: boolean }) => one.publico))
  })
})
