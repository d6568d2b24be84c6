import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { LIMITES } from '../../../src/domain/casos/agravos/definicao.ts'
import { MOST_SERIES } from '../../../src/domain/series/serie.ts'
import { PEQUENA } from '../../domain/casos/agravos/definicoes.ts'
import type { Answer } from '../../harness/app.ts'
import { problemsOf, RECIFE, SERIE, seriesApp } from './series-app.ts'

/** Limits and bad input of series and of definitions, each at its edge: the last that fits is taken, the next one is refused. */

const { t, pool, gestor, analista, leitor, gravar, registrar, blocos } = await seriesApp()
after(() => t.close())
const admin = await t.person({ admin: true })

const refusedFor = (answer: Answer, ...expected: string[]) => {
  assert.equal(answer.status, 422, answer.text)
  for (const one of expected) assert.ok(problemsOf(answer).includes(one), `${one}: ${problemsOf(answer)}`)
}

describe('A series', () => {
  const post = (more: object) => t.as(gestor).post('/series', { ...SERIE, codigo: 'l_nova', ...more })

  it('has lists of a limited length, and texts without control characters', async () => {
    const categorias = (n: number) =>
      Array.from({ length: n }, (_, i) => ({ codigo: `c${i}`, rotulo: `C${i}`, ordem: i + 1 }))
    const category = {
      ...{ tipo_valor: 'categoria', unidade: '', agrega_tempo: 'ultimo', agrega_lugar: 'nenhuma' },
      minimo: null,
    }
    refusedFor(await post({ ...category, categorias: categorias(21) }), 'categorias TOO_MANY')
    const limiar = (i: number) => ({ codigo: `l${i}`, rotulo: 'L', operador: 'gte', valor: i, semanas: 1 })
    const limiares = (n: number) => Array.from({ length: n }, (_, i) => limiar(i))
    refusedFor(await post({ limiares: limiares(5) }), 'limiares TOO_MANY')
    refusedFor(await post({ limiares: [{ ...limiar(1), semanas: 0 }] }), 'limiares.0.semanas TOO_SMALL')
    for (const campo of ['nome', 'fonte', 'licenca'] as const) {
      for (const text of ['', '  ', 'a\u0000b', 'a\nb', '\ud800'])
        assert.equal((await post({ [campo]: text })).status, 422, `${campo} ${JSON.stringify(text)}`)
      refusedFor(await post({ [campo]: undefined }), `${campo} REQUIRED`)
    }
    refusedFor(await post({ casas: 7 }), 'casas TOO_LARGE')
    refusedFor(await post({ typo: 1 }), 'typo UNKNOWN_FIELD')
    const mean = { tipo: 'media_movel', serie: 'temp_min_sem', semanas: 13 }
    assert.equal((await post({ derivada: mean })).status, 422)
    // Of a derived series, and of itself: one step down, and no circle.
    const derived = { tipo: 'diferenca', minuendo: 'amplitude_termica', subtraendo: 'temp_min' }
    refusedFor(await post({ derivada: derived, periodo: 'dia' }), 'derivada UNKNOWN')
    const itself = { tipo: 'media_movel', serie: 'l_nova', semanas: 4 }
    refusedFor(await post({ derivada: itself }), 'derivada UNKNOWN')
    assert.equal((await t.as(leitor).get('/series/l_nova')).status, 404)
    await registrar({ codigo: 'l_cheia', ...category, categorias: categorias(20) })
    await registrar({ codigo: 'l_limiares', limiares: limiares(4) })
  })

  it('takes whole numbers of 53 bits and finite ones alone', async () => {
    await registrar({ codigo: 'l_inteira', minimo: null })
    const at = { municipio: RECIFE, semana: '202601' }
    const before = await blocos()
    const put = (payload: string) =>
      t.as(analista).request('PUT', '/series/l_inteira/valores', {
        headers: { 'content-type': 'application/json' },
        payload,
      })
    for (const [valor, problem] of [
      ['9007199254740993', 'TOO_LARGE'],
      ['-9007199254740993', 'TOO_SMALL'],
      ['1.5', 'INVALID_TYPE'],
      ['1e999', 'INVALID_TYPE'],
      ['"1"', 'INVALID_TYPE'],
      ['true', 'INVALID_TYPE'],
    ] as const) {
      const body = `{"valores":[${JSON.stringify(at).slice(0, -1)},"valor":${valor}}]}`
      const answer = await put(body)
      assert.equal(answer.status, 422, `${valor} ${answer.text}`)
      assert.deepEqual(problemsOf(answer), [`valores.0.valor ${problem}`], valor)
    }
    assert.equal(await blocos(), before)
    await gravar('l_inteira', [{ ...at, valor: 2 ** 53 - 1 }])
  })

  it('takes values of 1950 and later, of periods that have begun', async () => {
    await registrar({ codigo: 'l_anos', periodo: 'ano' })
    const put = (ano: string) =>
      t.as(analista).put('/series/l_anos/valores', { valores: [{ municipio: RECIFE, ano, valor: 1 }] })
    const now = t.clock.now().getUTCFullYear()
    refusedFor(await put('1949'), 'valores.0.ano INVALID_VALUE')
    refusedFor(await put(String(now + 1)), 'valores.0.ano IN_FUTURE')
    for (const ano of ['1950', String(now)]) assert.equal((await put(ano)).status, 200, ano)
    for (const ano of ['26', 'dois mil', '2026-01']) assert.equal((await put(ano)).status, 422, ano)
  })

  it('takes no values where it is archived or derived', async () => {
    await registrar({ codigo: 'l_arquivada', ativa: false })
    const valores = [{ municipio: RECIFE, semana: '202601', valor: 1 }]
    for (const codigo of ['l_arquivada', 'epizootias_pnh', 'lv_canina_positividade'])
      refusedFor(await t.as(analista).put(`/series/${codigo}/valores`, { valores }), 'codigo NOT_EDITABLE')
  })

  it('is asked for at most 1,100 weeks beside others, and 26 weeks of lag', async () => {
    const first = t.clock.now().getUTCFullYear() - 22
    const ask = (path: string) => t.as(leitor).get(`/series/${path}`)
    refusedFor(await ask(`painel?series=temp_min&semana_inicio=${first}01`), 'semana_inicio TOO_MANY')
    refusedFor(await ask(`painel?series=temp_min&semana_inicio=${first + 30}01`), 'semana_inicio IN_FUTURE')
    refusedFor(await ask('painel?series=temp_min&semana_inicio=202453'), 'semana_inicio INVALID_VALUE')
    refusedFor(await ask('painel?series='), 'series TOO_SHORT')
    refusedFor(await ask('painel'), 'series REQUIRED')
    refusedFor(await ask('painel?series=temp_min&conhecidos_em=ontem'), 'conhecidos_em INVALID_FORMAT')
    refusedFor(await ask('temp_min/correlacao?com=chuva&defasagem_max=27'), 'defasagem_max TOO_LARGE')
    refusedFor(await ask('temp_min/correlacao?com=chuva&metodo=kendall'), 'metodo INVALID_VALUE')
    refusedFor(await ask('temp_min/correlacao?tipo_agravo=nada'), 'tipo_agravo INVALID_VALUE')
    refusedFor(await ask('temp_min/valores?municipio=Nenhures'), 'municipio UNKNOWN_MUNICIPIO')
  })

  it(`is one of ${MOST_SERIES}`, async () => {
    const left = MOST_SERIES - (await pool.value<number>(sql`select count(*)::integer from series`))
    await pool.run(sql`
      insert into series (codigo, nome, descricao, dominio, tema, unidade, tipo_valor, periodo, nivel, agrega_tempo, agrega_lugar,
        fonte, licenca, criado_em, atualizado_em)
      select 'l_muitas_' || n, 'x', 'x', 'ambiental', 'outro', '1', 'numero', 'semana', 'municipio', 'media', 'media', 'x', 'x',
        now(), now()
      from generate_series(1, ${left - 1}::integer) n`)
    await registrar({ codigo: 'l_ultima' })
    refusedFor(await post({}), 'codigo TOO_MANY')
    assert.equal((await t.as(gestor).delete('/series/l_ultima')).status, 204)
    await registrar({ codigo: 'l_ultima' })
    await pool.run(sql`delete from series where codigo like 'l\\_muitas\\_%'`)
  })
})

describe('A definition', () => {
  const tipos = (path = '') => `/agravos/tipos${path}`
  const campo = (n: number, more: object = {}) => ({
    ...{ nome: `l_campo_${n}`, rotulo: `Campo ${n}`, tipo: 'texto', grupo: 'Campos', sinan: [], max: 1_000 },
    ...{ sigiloso: false, ...more },
  })
  const definicao = (codigo: string, more: object = {}) => ({
    ...{ ...PEQUENA, codigo, nome: codigo, campos: [], layouts: [], sinan: { agravos: [], prefixos: [] } },
    ...{ classificacoes: [{ codigo: 'confirmado', sinan: [] }], criterios: [], evolucoes: [] },
    ...more,
  })
  const create = (codigo: string, more: object = {}) =>
    t.as(admin).post(tipos(), { ...definicao(codigo, more), ativar: true })

  it('lets a case hold 32 KB of its own fields, counted in bytes', async () => {
    const campos = Array.from({ length: 40 }, (_, i) => campo(i))
    const made = await create('l_longa', { campos })
    assert.equal(made.status, 201, made.text)
    const caso = (letter: string, fields: number) =>
      t.as(gestor).post('/agravos/casos', {
        ...{
          tipo_agravo: 'l_longa',
          numero_notificacao: `L${letter}${fields}`,
          data_notificacao: '2024-04-25',
        },
        ...{ paciente_nome: 'Joana Teste', municipio_residencia: 'Recife', estado_residencia: 'PE' },
        dados_especificos: Object.fromEntries(
          Array.from({ length: fields }, (_, i) => [`l_campo_${i}`, letter.repeat(1_000)]),
        ),
      })
    assert.equal((await caso('a', 31)).status, 201)
    refusedFor(await caso('a', 33), 'dados_especificos TOO_LONG')
    assert.equal((await caso('é', 15)).status, 201)
    refusedFor(await caso('é', 17), 'dados_especificos TOO_LONG')
    // What is stored counts with what is sent.
    const { body } = await caso('b', 20)
    const more = (from: number, fields: number) =>
      t.as(gestor).put(`/agravos/casos/${body.id}`, {
        dados_especificos: Object.fromEntries(
          Array.from({ length: fields }, (_, i) => [`l_campo_${from + i}`, 'c'.repeat(1_000)]),
        ),
      })
    refusedFor(await more(20, 13), 'dados_especificos TOO_LONG')
    assert.equal((await more(20, 11)).status, 200)
    assert.equal((await more(0, 20)).status, 200)
  })

  it(`is one of ${LIMITES.ativos} that take cases`, async () => {
    const { body } = await t.as(admin).get(tipos())
    await pool.run(sql`
      insert into tipos_agravo (codigo, nome, cid10_codes, descricao, notificacao_obrigatoria, ordem)
      select 'l_muitos_' || n, 'x', '{R05}', 'x', false, 1000 + n from generate_series(1, ${LIMITES.ativos - body.total - 1}::integer) n`)
    assert.equal((await create('l_ultimo')).status, 201)
    refusedFor(await create('l_demais'), 'codigo TOO_MANY')
    assert.equal((await t.as(leitor).get(tipos('/l_demais'))).status, 404)
    const draft = await t.as(admin).post(tipos(), definicao('l_demais'))
    assert.equal(draft.status, 201, draft.text)
    assert.equal((await t.as(admin).post(tipos('/l_demais/ativar'))).status, 422)
    assert.equal((await t.as(admin).post(tipos('/l_ultimo/desativar'))).status, 200)
    assert.equal((await t.as(admin).post(tipos('/l_demais/ativar'))).status, 200)
    await pool.run(sql`delete from tipos_agravo where codigo like 'l\\_muitos\\_%'`)
  })

  it('brings codes until the vocabulary is full, and none of another group', async () => {
    const other = { codigo: 'descartado', rotulo: 'D', grupo: 'confirmado', sinan: [] }
    refusedFor(await create('l_grupo', { classificacoes: [other] }), 'classificacoes.0.grupo INCONSISTENT')
    const codes = (from: number, n: number) =>
      Array.from({ length: n }, (_, i) => ({
        ...{ codigo: `l_codigo_${from + i}`, rotulo: 'C', grupo: 'outro', sinan: [] },
      }))
    const known = await pool.value<number>(
      sql`select count(*)::integer from vocabulario where lista = 'evolucao'`,
    )
    const half = Math.floor((LIMITES.vocabulario - known) / 2)
    assert.equal((await create('l_vocabulario_1', { evolucoes: codes(0, half) })).status, 201)
    const rest = LIMITES.vocabulario - known - half
    refusedFor(await create('l_vocabulario_2', { evolucoes: codes(half, rest + 1) }), 'evolucoes TOO_MANY')
    const made = await create('l_vocabulario_2', { evolucoes: codes(half, rest) })
    assert.equal(made.status, 201, made.text)
  })

  it('is refused for names of the language itself, in every place of one', async () => {
    for (const nome of ['__proto__', 'constructor', 'hasOwnProperty', 'toString']) {
      const json = JSON.stringify(definicao('l_prototipo', { campos: [campo(1)] })).replace('l_campo_1', nome)
      const answer = await t.as(admin).request('POST', tipos(), {
        headers: { 'content-type': 'application/json' },
        payload: json,
      })
      refusedFor(answer, 'campos.0.nome INVALID_FORMAT')
      const asKey = json.replace(`"nome":"${nome}"`, `"nome":"x","${nome}":1`)
      const keyed = await t.as(admin).request('POST', tipos(), {
        headers: { 'content-type': 'application/json' },
        payload: asKey,
      })
      assert.ok([400, 422].includes(keyed.status), `${nome} ${keyed.status}`)
    }
    assert.equal((await t.as(leitor).get(tipos('/l_prototipo'))).status, 404)
  })
})
