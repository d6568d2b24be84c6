import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../../src/db/sql.ts'
import { verifyContagens } from '../../../src/domain/casos/counters/counters.ts'
import { type Answer, testApp } from '../../harness/app.ts'
import { bind } from '../../harness/bound.ts'
import { problems } from '../refusals.ts'

const t = await testApp()
after(() => t.close())
const admin = await t.person({ admin: true })
const [gestor, leitor] = [
  await t.person({ grupos: ['gestor'] }),
  await t.person({ grupos: ['visualizador'] }),
]
const analista = await t.person({ grupos: ['analista'] })
const tipos = (path = '') => `/agravos/tipos${path}`
const problemsOf = ({ body }: Answer): string[] => problems(body.error.details)

/** A small disease with a field of each kind. */
const campo = (nome: string, tipo: string, more: object = {}) => ({
  ...{ nome, rotulo: nome.replaceAll('_', ' '), tipo, grupo: 'Clínica', sinan: [] },
  ...more,
})
const opcao = (codigo: string) => ({ codigo, rotulo: codigo, sinan: [] })
const DEFINICAO = {
  codigo: 'tosse_teste',
  nome: 'Tosse de teste',
  descricao: 'Uma doença que não existe',
  cid10_codes: ['R05'],
  notificacao_obrigatoria: true,
  notificacao_imediata: false,
  prazo_encerramento_dias: 30,
  data_de_inicio: 'sintomas',
  blocos: ['notificacao', 'paciente', 'residencia', 'conclusao', 'hospitalizacao'],
  sinan: { agravos: ['R05'], prefixos: ['R05'] },
  classificacoes: [
    { codigo: 'confirmado', sinan: ['1'] },
    { codigo: 'descartado', sinan: ['2'] },
    { codigo: 'tosse_forte', rotulo: 'Tosse forte', grupo: 'confirmado', grave: true, sinan: ['3'] },
  ],
  criterios: [{ codigo: 'laboratorial', sinan: ['1'] }],
  evolucoes: [{ codigo: 'cura', sinan: ['1'] }],
  campos: [
    campo('noturna', 'bool', { filtravel: true }),
    campo('cor', 'opcao', { opcoes: [opcao('verde'), opcao('amarela')], filtravel: true }),
    campo('sons', 'opcoes', { opcoes: [opcao('chiado'), opcao('ronco')] }),
    campo('dias', 'inteiro', { minimo: 0, maximo: 365 }),
    campo('temperatura', 'numero', { minimo: 30, maximo: 45, casas: 1 }),
    campo('desde', 'data', { depois_de: 'data_inicio_sintomas' }),
    campo('cidade_do_contato', 'municipio'),
    campo('relato', 'texto', {
      max: 50,
      mostrar_quando: [{ campo: 'noturna', op: 'eq', valor: true }],
    }),
    campo('exame', 'texto', { max: 20, sigiloso: false }),
  ],
  epidemiologia: { curva: true, alertas: false, intervalo_geracao: null },
  fonte: 'Teste',
}
const created = await t.as(admin).post(tipos(), { ...DEFINICAO, ativar: true })
assert.equal(created.status, 201, created.text)

let numero = 0
const caso = (more: object = {}) => ({
  tipo_agravo: 'tosse_teste',
  numero_notificacao: `T${++numero}`,
  data_notificacao: '2024-04-25',
  data_inicio_sintomas: '2024-04-20',
  paciente_nome: 'Joana Teste da Silva',
  municipio_residencia: 'Recife',
  estado_residencia: 'PE',
  ...more,
})
const registrar = async (dados_especificos: object, more: object = {}): Promise<number> => {
  const answer = await t.as(gestor).post('/agravos/casos', caso({ dados_especificos, ...more }))
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}
const ler = async (id: number, query = '') =>
  (await t.as(admin).get(`/agravos/casos/${id}${query}`)).body.dados_especificos

describe('A definition', () => {
  it('is among the diseases at once, behind the known ones, and its codes in the document', async () => {
    const { body } = await t.as(leitor).get(tipos())
    assert.deepEqual(
      body.tipos.map(({ codigo }: { codigo: string }) => codigo),
      ['dengue', 'zika', 'chikungunya', 'tosse_teste'],
    )
    const document = JSON.stringify((await t.as(leitor).get('/openapi.json')).body)
    assert.ok(document.includes('"enum":["dengue","zika","chikungunya","tosse_teste"]'))
    assert.ok(document.includes('"tosse_forte"'))
    assert.equal(created.headers.etag, '"1"')
    assert.match(String(created.headers.location), /\/api\/v1\/agravos\/tipos\/tosse_teste$/)
  })

  it('is refused with paths into it, all problems at once, and nothing is written', async () => {
    const bad = await t.as(admin).post(tipos(), {
      ...DEFINICAO,
      codigo: 'outra',
      prazo: 3,
      campos: [
        campo('febre', 'bool'),
        campo('grau', 'opcao'),
        campo('n', 'inteiro', { minimo: 9, maximo: 1 }),
      ],
    })
    assert.equal(bad.status, 422)
    assert.deepEqual(problemsOf(bad).sort(), [
      'campos.0.nome DUPLICATE',
      'campos.1.opcoes TOO_FEW',
      'campos.2.maximo TOO_SMALL',
      'prazo UNKNOWN_FIELD',
      'sinan.agravos.0 DUPLICATE',
      'sinan.prefixos.0 DUPLICATE',
    ])
    assert.equal((await t.as(admin).get(tipos('/outra'))).status, 404)
    assert.deepEqual(problemsOf(await t.as(admin).post(tipos(), { modelo: 'gripe' })), ['modelo UNKNOWN'])
    assert.deepEqual(problemsOf(await t.as(admin).post(tipos(), DEFINICAO)), ['codigo DUPLICATE'])
  })

  it('is tried without being written', async () => {
    const tried = await t.as(admin).post(tipos('?simular=true'), { modelo: 'malaria' })
    assert.deepEqual([tried.status, tried.body.valida], [200, true])
    assert.equal((await t.as(admin).get(tipos('/malaria'))).status, 404)
    const wrong = await t.as(admin).put(tipos('/tosse_teste?simular=true'), { ...DEFINICAO, nome: '' })
    assert.deepEqual([wrong.status, wrong.body.valida], [200, false])
    assert.equal((await t.as(admin).put(tipos('/nada?simular=true'), DEFINICAO)).status, 404)
  })

  it('is answered once for each idempotency key', async () => {
    const headers = { 'idempotency-key': 'definir-meningite' }
    const send = (body: object) => t.as(admin).post(tipos(), body, { headers })
    const [first, again] = [await send({ modelo: 'meningite' }), await send({ modelo: 'meningite' })]
    assert.deepEqual([first.status, again.status], [201, 201])
    assert.equal(again.headers['idempotent-replay'], 'true')
    const waiting = sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`
    const act = () =>
      t.as(admin).post(tipos(), { modelo: 'malaria' }, { headers: { 'idempotency-key': 'em curso' } })
    const { begun } = await t.database.pool.transaction(async (tx) => {
      // The key belongs to its caller, whose row is held here.
      await tx.run(sql`select from usuarios for update`)
      const begun = act()
      while ((await tx.first(waiting)) === null) await sleep(10)
      assert.equal((await act()).status, 409)
      return { begun }
    })
    assert.equal((await begun).status, 201)
    assert.equal((await t.as(admin).delete(tipos('/malaria'))).status, 204)
  })

  it('is for those with the permission, which no default group but the administrators has', async () => {
    for (const who of [gestor, leitor]) {
      assert.equal((await t.as(who).post(tipos(), DEFINICAO)).status, 403)
      assert.equal((await t.as(who).get(tipos('?inativos=true'))).status, 403)
      assert.equal((await t.as(who).get(tipos('/modelos'))).status, 403)
    }
    assert.equal((await t.as(leitor).get(tipos('/tosse_teste'))).status, 200)
  })

  it('gives a form and a schema', async () => {
    const { body: formulario } = await t.as(leitor).get(tipos('/tosse_teste/formulario'))
    const nomes = formulario.grupos.flatMap(({ campos }: { campos: { nome: string }[] }) =>
      campos.map(({ nome }) => nome),
    )
    assert.ok(nomes.includes('dados_especificos.noturna') && !nomes.includes('dados_laboratoriais.ns1'))
    const { body: esquema } = await t.as(leitor).get(tipos('/tosse_teste/esquema'))
    assert.equal(esquema.$schema, 'https://json-schema.org/draft/2020-12/schema')
    for (const path of ['/nada', '/nada/formulario', '/nada/esquema', '/nada/versoes', '/modelos/nada'])
      assert.equal((await t.as(admin).get(tipos(path))).status, 404, path)
    for (const path of ['/nada/ativar', '/nada/desativar'])
      assert.equal((await t.as(admin).post(tipos(path))).status, 404, path)
    assert.equal((await t.as(admin).delete(tipos('/nada'))).status, 404)
    const long = `/${'a'.repeat(41)}`
    for (const path of ['?inativos=talvez', `/modelos${long}`, long, `${long}/formulario`, `${long}/esquema`])
      assert.equal((await t.as(admin).get(tipos(path))).status, 422, path)
    for (const path of [`${long}/ativar`, `${long}/desativar`])
      assert.equal((await t.as(admin).post(tipos(path))).status, 422, path)
  })
})

describe('A case of a defined disease', () => {
  it('keeps its own fields, the sealed ones for identified readings only', async () => {
    const id = await registrar({
      ...{ noturna: true, cor: 'verde', sons: ['ronco', 'chiado'], dias: 4, temperatura: 38.5 },
      ...{ desde: '2024-04-21', cidade_do_contato: '2609600', relato: 'dorme na cozinha', exame: ' ok ' },
    })
    const open = {
      ...{ noturna: true, cor: 'verde', sons: ['ronco', 'chiado'], dias: 4, temperatura: 38.5 },
      ...{ desde: '2024-04-21', cidade_do_contato: 2_609_600, exame: 'ok' },
    }
    const { data_digitacao: _, ...seen } = await ler(id)
    assert.deepEqual(seen, open)
    const { data_digitacao: __, ...known } = await ler(id, '?identificado=true')
    assert.deepEqual(known, { ...open, relato: 'dorme na cozinha' })
    const stored = await t.database.pool.one<{ row: string }>(sql`
      select row_to_json(c)::text || (select coalesce(json_agg(h)::text, '') from casos_historico h) as row
      from casos c where id = ${id}`)
    assert.ok(!stored.row.includes('cozinha'))
  })

  it('is refused with all problems at once', async () => {
    const bad = await t.as(gestor).post(
      '/agravos/casos',
      caso({
        dados_especificos: {
          ...{ noturna: 'sim', cor: 'azul', sons: ['ronco', 'ronco'], dias: 400, temperatura: 38.55 },
          ...{ desde: '2024-04-01', cidade_do_contato: 'Lugar nenhum', relato: 'x', exame: 'y'.repeat(21) },
        },
        dados_laboratoriais: { ns1: 'positivo' },
        classificacao_final: 'inconclusivo',
      }),
    )
    assert.equal(bad.status, 422)
    assert.deepEqual(problemsOf(bad).sort(), [
      'classificacao_final INCONSISTENT',
      'dados_especificos.cidade_do_contato UNKNOWN_MUNICIPIO',
      'dados_especificos.cor INVALID_VALUE',
      'dados_especificos.desde BEFORE',
      'dados_especificos.dias TOO_LARGE',
      'dados_especificos.exame TOO_LONG',
      'dados_especificos.noturna INVALID_TYPE',
      'dados_especificos.relato INCONSISTENT',
      'dados_especificos.sons REPEATED',
      'dados_especificos.temperatura INVALID_FORMAT',
      'dados_laboratoriais.ns1 INCONSISTENT',
    ])
  })

  it('keeps a value that another change hides, and says so to those who may see it', async () => {
    const id = await registrar({ noturna: true, relato: 'acorda às três' })
    const change = (who: typeof admin) =>
      t.as(who).put(`/agravos/casos/${id}`, { dados_especificos: { noturna: false, dias: 1 } })
    const hidden = await change(admin)
    assert.deepEqual(
      hidden.body.avisos.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
      ['dados_especificos.relato HIDDEN'],
    )
    assert.deepEqual(hidden.body.campos_alterados.sort(), [
      'dados_especificos.dias',
      'dados_especificos.noturna',
    ])
    assert.equal((await change(analista)).body.avisos, undefined)
    assert.equal((await ler(id, '?identificado=true')).relato, 'acorda às três')
    const { body } = await t.as(admin).get(`/agravos/casos/${id}/historico`)
    assert.deepEqual(body.items[0].detalhes.alteracoes.map(({ campo }: { campo: string }) => campo).sort(), [
      'dados_especificos.dias',
      'dados_especificos.noturna',
    ])
    const before = await t.as(admin).get(`/agravos/casos/${id}?em=2024-01-01T00:00:00Z`)
    assert.equal(before.status, 404)
  })

  it('does not become one of a disease that lacks its fields', async () => {
    const id = await registrar({ dias: 3 })
    const moved = await t.as(admin).put(`/agravos/casos/${id}`, { tipo_agravo: 'dengue' })
    assert.deepEqual(problemsOf(moved), ['dados_especificos.dias INCONSISTENT'])
    const emptied = { tipo_agravo: 'dengue', dados_especificos: { dias: null } }
    assert.equal((await t.as(admin).put(`/agravos/casos/${id}`, emptied)).status, 200)
  })

  it('is filtered, counted and listed by its fields', async () => {
    await registrar(
      { noturna: true, cor: 'amarela', sons: ['chiado'] },
      { classificacao_final: 'tosse_forte' },
    )
    const list = (query: string) => t.as(gestor).get(`/agravos/casos?${query}`)
    const found = await list('tipo_agravo=tosse_teste&especifico.cor=amarela')
    assert.equal(found.body.total, 1)
    assert.equal(found.body.tipos[0].dados_especificos.cor, 'amarela')
    assert.equal((await list('tipo_agravo=tosse_teste&classificacao=confirmado')).body.total, 1)
    assert.deepEqual(problemsOf(await list('especifico.cor=amarela')), ['tipo_agravo REQUIRED'])
    assert.deepEqual(problemsOf(await list('tipo_agravo=tosse_teste&especifico.dias=1')), [
      'especifico.dias UNKNOWN_FIELD',
    ])
    assert.deepEqual(problemsOf(await list('tipo_agravo=tosse_teste&especifico.cor=azul')), [
      'especifico.cor INVALID_VALUE',
    ])
    const counts = (query: string) =>
      t.as(gestor).get(`/agravos/casos/estatisticas/frequencias?tipo_agravo=tosse_teste&${query}`)
    const { body } = await counts('campos=cor,sons')
    const [cor, sons] = body.campos
    assert.deepEqual(
      cor.valores.map(({ valor, total, confirmado }: Record<string, unknown>) => [valor, total, confirmado]),
      [
        ['verde', 1, 0],
        ['amarela', 1, 1],
      ],
    )
    assert.equal(cor.sem_informacao, body.total - 2)
    assert.deepEqual(
      sons.valores.map(({ valor, total }: Record<string, unknown>) => [valor, total]),
      [
        ['chiado', 2],
        ['ronco', 1],
      ],
    )
    assert.deepEqual(problemsOf(await counts('campos=relato')), ['campos INVALID_VALUE'])
    assert.deepEqual(problemsOf(await counts('')), ['campos REQUIRED'])
    assert.deepEqual(problemsOf(await counts(`campos=${Array.from({ length: 21 }, (_, i) => `c${i}`)}`)), [
      'campos TOO_MANY',
    ])
    const { body: resumo } = await t
      .as(gestor)
      .get('/agravos/casos/estatisticas/resumo?tipo_agravo=tosse_teste')
    assert.equal(resumo.total, body.total)
    assert.deepEqual(await verifyContagens(t.database.pool), [])
  })

  it('has a curve, and neither a reproduction number nor alerts', async () => {
    const at = (path: string) => t.as(gestor).get(`/agravos/${path}tipo_agravo=tosse_teste`)
    assert.equal((await at('casos/estatisticas/curva?')).status, 200)
    assert.deepEqual(problemsOf(await at('casos/estatisticas/rt?')), ['tipo_agravo INCONSISTENT'])
    assert.deepEqual(problemsOf(await at('alertas/situacao?nivel_lugar=pais&')), ['tipo_agravo INCONSISTENT'])
    assert.equal((await at('casos/painel?')).status, 200)
    const { body } = await at('casos/qualidade?')
    const asked = body.completude.map(({ campo }: { campo: string }) => campo)
    assert.ok(asked.includes('hospitalizacao') && !asked.includes('sorotipo') && !asked.includes('gestante'))
  })
})

describe('A version', () => {
  const change = (definicao: object, headers = {}) =>
    t.as(admin).put(tipos('/tosse_teste'), definicao, { headers })
  const withField = {
    ...DEFINICAO,
    campos: [...DEFINICAO.campos, campo('peso', 'inteiro', { minimo: 0, maximo: 300 })],
  }

  it('is a draft until it is put in force; the same definition again makes none', async () => {
    assert.equal((await change(DEFINICAO)).body.versao, 1)
    const drafted = await change(withField, { 'if-match': '"1"' })
    assert.deepEqual([drafted.body.versao, drafted.body.estado], [2, 'rascunho'])
    assert.equal((await t.as(leitor).get(tipos('/tosse_teste'))).body.versao, 1)
    const ignored = await t.as(gestor).post('/agravos/casos', caso({ dados_especificos: { peso: 3 } }))
    assert.equal(ignored.body.avisos[0].code, 'IGNORED')
    assert.equal((await change(withField, { 'if-match': '"1"' })).status, 409)
    const active = await t.as(admin).post(tipos('/tosse_teste/ativar'))
    assert.deepEqual([active.body.versao, active.body.estado, active.headers.etag], [2, 'ativa', '"2"'])
    assert.equal((await ler(await registrar({ peso: 3 }))).peso, 3)
    const { body } = await t.as(leitor).get(tipos('/tosse_teste/versoes'))
    assert.deepEqual(
      body.items.map(({ versao, estado }: Record<string, unknown>) => `${versao} ${estado}`),
      ['2 ativa', '1 substituida'],
    )
  })

  it('retires fields and options, and leaves none out', async () => {
    const id = await registrar({ cor: 'verde', dias: 9 })
    const without = { ...withField, campos: withField.campos.filter(({ nome }) => nome !== 'dias') }
    assert.deepEqual(problemsOf(await change(without)), ['campos.dias NOT_EDITABLE'])
    const retired = {
      ...withField,
      campos: withField.campos.map((one) => (one.nome === 'dias' ? { ...one, ativo: false } : one)),
      ativar: true,
    }
    const tried = await t.as(admin).put(tipos('/tosse_teste?simular=true'), retired)
    const { com_valor } = tried.body.impacto.campos_retirados[0]
    assert.ok(com_valor >= 1)
    assert.equal((await change(retired)).body.versao, 3)
    assert.equal((await ler(id)).dias, 9)
    const again = await t.as(gestor).put(`/agravos/casos/${id}`, { dados_especificos: { dias: 10 } })
    assert.deepEqual(problemsOf(again), ['dados_especificos.dias NOT_EDITABLE'])
    assert.equal(
      (await t.as(gestor).put(`/agravos/casos/${id}`, { bairro_residencia: 'Centro' })).status,
      200,
    )
  })

  const wordsOfCor = async (query: string) => {
    const { body, text } = await t.as(leitor).get(tipos(`/tosse_teste/formulario${query}`))
    const campo = body.grupos
      .flatMap(({ campos }: { campos: { nome: string }[] }) => campos)
      .find(({ nome }: { nome: string }) => nome === 'dados_especificos.cor')
    assert.ok(campo, text)
    return [campo.rotulo, campo.opcoes[0].rotulo]
  }

  it('words each line of a history as its version did, and counts required fields as complete or not', async () => {
    const id = await registrar({ noturna: true, cor: 'verde', relato: 'Segredo' })
    const put = async (dados_especificos: object) => {
      t.clock.advance(1000)
      const { status, text } = await t.as(gestor).put(`/agravos/casos/${id}`, { dados_especificos })
      assert.equal(status, 200, text)
    }
    await put({ cor: 'amarela', relato: 'Outro segredo' })
    const renamed = withField.campos.map((one) => {
      if (one.nome !== 'cor') return { ...one, ...(one.nome === 'dias' && { ativo: false }) }
      const opcoes = [{ ...opcao('verde'), rotulo: 'Esverdeada' }, opcao('amarela')]
      return { ...one, rotulo: 'Cor do escarro', rotulo_en: 'Colour of sputum', opcoes, obrigatorio: true }
    })
    const peso = { obrigatorio_quando: [{ campo: 'sons', op: 'eq', valor: 'chiado' }] }
    const campos = renamed.map((one) => (one.nome === 'peso' ? { ...one, ...peso } : one))
    const then = t.clock.now().toISOString()
    t.clock.advance(1000)
    assert.equal((await change({ ...withField, campos, ativar: true })).status, 200)
    assert.deepEqual(
      [await wordsOfCor(`?em=${then}`), await wordsOfCor('')],
      [
        ['cor', 'verde'],
        ['Cor do escarro', 'Esverdeada'],
      ],
    )
    await put({ cor: 'verde', sons: ['chiado', 'ronco'], peso: 3 })
    // A disease that takes cases again was in force all the same.
    t.clock.advance(1000)
    for (const path of ['desativar', 'ativar']) await t.as(admin).post(tipos(`/tosse_teste/${path}`))
    const history = async (language: string) => {
      const headers = { 'accept-language': language }
      const { body } = await t.as(leitor).get(`/agravos/casos/${id}/historico`, { headers })
      const detail = await t.as(leitor).get(`/agravos/casos/${id}`, { headers })
      assert.deepEqual(detail.body.historico, body.items)
      return body.items.flatMap(({ detalhes }: { detalhes: { alteracoes?: Record<string, unknown>[] } }) =>
        (detalhes.alteracoes ?? [])
          .filter(({ campo }) => /cor|relato|sons/.test(String(campo)))
          .map(({ rotulo, rotulo_anterior, rotulo_novo }) => [rotulo, rotulo_anterior, rotulo_novo]),
      )
    }
    assert.deepEqual(await history('pt-BR'), [
      ['Cor do escarro', 'amarela', 'Esverdeada'],
      ['sons', null, 'chiado, ronco'],
      ['cor', 'verde', 'amarela'],
      ['relato', undefined, undefined],
    ])
    assert.deepEqual((await history('en-US'))[0][0], 'Colour of sputum')

    const quality =
      '/agravos/casos/qualidade?tipo_agravo=tosse_teste&data_inicio=2024-01-01&data_fim=2024-12-31'
    const { body, text } = await t.as(gestor).get(`${quality}&agrupar_por=estado`)
    assert.ok(body.completude, text)
    const own = (part: { completude: { campo: string; de: number; preenchidos: number }[] }) =>
      part.completude
        .filter(({ campo }) => campo.startsWith('dados_especificos.'))
        .map(({ campo, de, preenchidos }) => [campo.slice(18), de, preenchidos])
    const { total } = (await t.as(gestor).get('/agravos/casos?tipo_agravo=tosse_teste')).body
    const coloured = (
      await t.as(gestor).get('/agravos/casos/estatisticas/frequencias?tipo_agravo=tosse_teste&campos=cor')
    ).body.campos[0].sem_informacao
    const counted = own(body)
    assert.deepEqual(counted[0], ['cor', total, total - coloured])
    assert.deepEqual(counted[1]?.slice(0, 1), ['peso'])
    assert.ok((counted[1]?.[1] as number) < total && (counted[1]?.[2] as number) >= 1, 'asked of some')
    assert.deepEqual(own(body.grupos[0]), counted, 'all of them are of Pernambuco')
    const csv = await t.as(gestor).get(`${quality}&formato=csv`)
    assert.match(csv.text.split('\n')[0] as string, /;completude\.dados_especificos\.cor;/)
    const free = campos.map((one) => ({ ...one, obrigatorio: false, obrigatorio_quando: undefined }))
    assert.equal((await change({ ...withField, campos: free, ativar: true })).status, 200)
  })

  it('does not shrink a known disease', async () => {
    const { body } = await t.as(admin).get(tipos('/zika'))
    const less = { ...body.definicao, classificacoes: body.definicao.classificacoes.slice(1) }
    assert.equal((await t.as(admin).put(tipos('/zika'), less)).status, 422)
    assert.deepEqual(problemsOf(await t.as(admin).delete(tipos('/zika'))), ['codigo PROTECTED'])
  })
})

describe('A disease', () => {
  it('that is given up takes no new case, and keeps those it has', async () => {
    const id = await registrar({ cor: 'verde' })
    const ended = await t.as(admin).post(tipos('/tosse_teste/desativar'))
    assert.equal(ended.body.ativo, false)
    const refused = await t.as(gestor).post('/agravos/casos', caso())
    assert.deepEqual(problemsOf(refused), ['tipo_agravo INVALID_VALUE'])
    assert.ok((await t.as(gestor).get('/agravos/casos?tipo_agravo=tosse_teste')).body.total > 0)
    assert.equal((await t.as(gestor).put(`/agravos/casos/${id}`, { bairro_residencia: 'Norte' })).status, 200)
    const { body } = await t.as(admin).get(tipos('?inativos=true'))
    assert.ok(body.inativos.some(({ codigo }: { codigo: string }) => codigo === 'tosse_teste'))
    assert.equal((await t.as(admin).post(tipos('/tosse_teste/ativar'))).body.ativo, true)
  })

  it('is removed only where it never had a case, deleted ones included', async () => {
    assert.deepEqual(problemsOf(await t.as(admin).delete(tipos('/tosse_teste'))), ['codigo IN_USE'])
    await t.as(admin).post(tipos(), { modelo: 'tuberculose', ativar: true })
    assert.equal((await t.as(admin).delete(tipos('/tuberculose'))).status, 204)
    assert.equal((await t.as(admin).get(tipos('/tuberculose'))).status, 404)
  })

  it('counts its cases inside the territory of the reader', async () => {
    const bound = await t.person({ grupos: ['visualizador'] })
    await bind(t, bound, 'uf:SP')
    assert.equal((await t.as(bound).get(tipos('/tosse_teste'))).body.casos, 0)
    assert.ok((await t.as(admin).get(tipos('/tosse_teste'))).body.casos > 0)
  })
})
