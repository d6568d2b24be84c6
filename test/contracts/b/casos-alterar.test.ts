import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { REQUIRED_ON_CREATION } from '../../../src/domain/casos/campos.ts'
import { tally } from '../refusals.ts'
import { casosApp, UNKNOWN_ID } from './casos-app.ts'

const app = await casosApp()
const { t, gestor, path, newCaso, read, identify, change, exclude, missing, invalid, refused } = app
after(() => t.close())
const analista = await t.person({ grupos: ['analista'] })

const LAB = { ns1: 'positivo', igm: 'negativo', plaquetas: 90000, hematocrito: 45.5 }

describe('PUT /agravos/casos/{id}', () => {
  it('changes what is sent, leaves the rest, and tells what changed', async () => {
    const id = await newCaso({ dados_laboratoriais: LAB, evolucao: 'ignorado', bairro_residencia: 'Pina' })
    const before = await identify(id)
    t.clock.advance(1000)
    const body = await change(id, { evolucao: 'cura', dados_laboratoriais: { plaquetas: 120000 } })
    assert.deepEqual(Object.keys(body), ['id', 'message', 'atualizado_em', 'campos_alterados'])
    assert.equal(body.id, id)
    assert.deepEqual(body.campos_alterados.toSorted(), ['dados_laboratoriais.plaquetas', 'evolucao'])
    const { historico, ...caso } = await identify(id)
    assert.equal(historico.length, 2)
    assert.deepEqual(caso, {
      ...(({ historico: _, ...rest }) => rest)(before),
      evolucao: 'cura',
      dados_laboratoriais: { ...before.dados_laboratoriais, plaquetas: 120000 },
      atualizado_em: body.atualizado_em,
      versao: 2,
    })
    assert.ok(body.atualizado_em > before.atualizado_em)
  })

  it('is PATCH as well', async () => {
    const id = await newCaso()
    const { status, body, headers } = await t.as(gestor).patch(path(id), { evolucao: 'cura' })
    assert.equal(status, 200)
    assert.deepEqual(body.campos_alterados, ['evolucao'])
    assert.equal(headers.etag, '"2"')
  })

  it('takes each group apart: one value leaves the others of its group', async () => {
    const id = await newCaso({
      dados_laboratoriais: LAB,
      dados_especificos: { febre: true, mialgia: true, data_digitacao: '2024-03-13' },
      unidade_notificante: { nome: 'UPA', cnes: '1' },
      investigacao: { viagem_recente: true, locais_frequentados: [{ local: 'Feira' }] },
    })
    await change(id, {
      dados_especificos: { mialgia: false },
      unidade_notificante: { nome: 'Hospital' },
      investigacao: { viagem_recente: false },
    })
    const caso = await identify(id)
    assert.deepEqual(caso.dados_especificos, { febre: true, mialgia: false, data_digitacao: '2024-03-13' })
    assert.deepEqual([caso.unidade_notificante.nome, caso.unidade_notificante.cnes], ['Hospital', '0000001'])
    assert.deepEqual(caso.investigacao.locais_frequentados, [
      { local: 'Feira', endereco: null, periodo: null },
    ])
    assert.equal(caso.dados_laboratoriais.ns1, 'positivo')
  })

  it('clears with null', async () => {
    const id = await newCaso({
      dados_laboratoriais: LAB,
      bairro_residencia: 'Pina',
      latitude: -8,
      longitude: -34,
      cep_residencia: '50050000',
      dados_clinicos: { comorbidades: ['asma'] },
    })
    const { campos_alterados } = await change(id, {
      dados_laboratoriais: { ns1: null, hematocrito: null },
      bairro_residencia: null,
      latitude: null,
      longitude: null,
      cep_residencia: null,
      dados_clinicos: { comorbidades: null },
    })
    assert.equal(campos_alterados.length, 7)
    const { dados_laboratoriais, endereco, dados_clinicos } = await identify(id)
    assert.deepEqual([dados_laboratoriais.ns1, dados_laboratoriais.hematocrito], [null, null])
    assert.equal(dados_laboratoriais.igm, 'negativo')
    assert.deepEqual(
      [endereco.bairro, endereco.latitude, endereco.longitude, endereco.cep],
      Array(4).fill(null),
    )
    assert.deepEqual(dados_clinicos.comorbidades, [])
  })

  for (const nome of [...REQUIRED_ON_CREATION, 'status'])
    it(`refuses to clear ${nome}`, async () => {
      const id = await newCaso()
      const found = await invalid(() => t.as(gestor).put(path(id), { [nome]: null }))
      assert.equal(found[0], `${nome} INVALID_TYPE`)
    })

  it('changes every required field, the key among them, and the sealed part still opens', async () => {
    const id = await newCaso({ logradouro_residencia: 'Rua da Aurora' })
    const { campos_alterados } = await change(id, {
      tipo_agravo: 'zika',
      numero_notificacao: 'Z-1',
      data_notificacao: '2024-03-13',
      paciente_nome: 'João Lima',
      municipio_residencia: 'São Paulo',
      estado_residencia: 'SP',
    })
    assert.equal(campos_alterados.length, 6)
    const caso = await identify(id)
    assert.deepEqual(
      [caso.tipo_agravo, caso.numero_notificacao, caso.paciente.nome, caso.endereco.codigo_ibge],
      ['zika', 'Z-1', 'João Lima', '3550308'],
    )
    assert.equal(caso.endereco.logradouro, 'Rua da Aurora')
    assert.equal((await read(id)).paciente.nome, 'J. L.')
  })

  for (const [what, sent] of [
    ['an empty object', {}],
    ['the values it has', { evolucao: 'cura', paciente_nome: 'Maria da Silva Santos' }],
    ['them in another spelling', { municipio_residencia: '261160', cep_residencia: '50050-000' }],
    ['the same in a second place', { dados_clinicos: { sinais_sintomas: { febre: true } } }],
    ['null where nothing is', { data_obito: null, dados_clinicos: { comorbidades: [] } }],
    ['zero with a sign', { latitude: -0 }],
    ['unknown fields', { versao: 7, inventado: 1 }],
    ['the same list', { dados_especificos: { sinais_gravidade: ['melena', 'ast_alt'] } }],
  ] as const)
    it(`that changes nothing leaves version, time and history alone: ${what}`, async () => {
      const id = await newCaso({
        evolucao: 'cura',
        cep_residencia: '50050000',
        latitude: 0,
        longitude: -34.5,
        dados_especificos: { febre: true, sinais_gravidade: ['melena', 'ast_alt'] },
      })
      const before = await read(id)
      t.clock.advance(1000)
      const headers = { 'content-type': 'application/json' }
      const payload = JSON.stringify(sent).replace('"latitude":0', '"latitude":-0')
      const answer = await t.as(gestor).request('PUT', path(id), { headers, payload })
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(answer.body.campos_alterados, [])
      assert.equal(answer.body.atualizado_em, before.atualizado_em)
      assert.equal(answer.headers.etag, '"1"')
      assert.deepEqual(await read(id), before)
    })

  it('closes and opens a case by what it says', async () => {
    const id = await newCaso()
    const status = async (sent: object) => {
      const { campos_alterados } = await change(id, sent)
      return [(await read(id)).status, campos_alterados.includes('status')]
    }
    assert.deepEqual(await status({ classificacao_final: 'dengue_grave' }), ['em_investigacao', false])
    assert.deepEqual(await status({ criterio_confirmacao: 'laboratorial' }), ['encerrado', true])
    assert.deepEqual(await status({ data_encerramento: '2024-03-20' }), ['encerrado', false])
    assert.deepEqual(await status({ status: 'em_investigacao' }), ['em_investigacao', true])
    const { data_encerramento, criterio_confirmacao } = await read(id)
    assert.deepEqual([data_encerramento, criterio_confirmacao], [null, 'em_investigacao'])
    assert.deepEqual(await invalid(() => t.as(gestor).put(path(id), { status: 'encerrado' })), [
      'status INCONSISTENT',
    ])
    assert.deepEqual(await invalid(() => t.as(gestor).put(path(id), { status: 'excluido' })), [
      'status INVALID_VALUE',
    ])
  })

  for (const [what, sent, expected] of [
    ['a date of death of the living', { data_obito: '2024-03-15' }, ['data_obito INCONSISTENT']],
    [
      'an onset after the notification',
      { data_inicio_sintomas: '2024-03-13' },
      ['data_inicio_sintomas AFTER'],
    ],
    ['a state without its municipality', { estado_residencia: 'SP' }, ['municipio_residencia INCONSISTENT']],
    ['an empty municipality', { municipio_residencia: '' }, ['municipio_residencia REQUIRED']],
    ['a blank municipality', { municipio_residencia: ' \t' }, ['municipio_residencia INVALID_FORMAT']],
    ['no municipality', { municipio_residencia: null }, ['municipio_residencia INVALID_TYPE']],
    ['a blank name', { paciente_nome: '  ' }, ['paciente_nome INVALID_FORMAT']],
    [
      'an unknown municipality',
      { municipio_residencia: 'Campinas' },
      ['municipio_residencia UNKNOWN_MUNICIPIO'],
    ],
    [
      'two values for one field',
      { uti: true, dados_clinicos: { uti: false } },
      ['dados_clinicos.uti INCONSISTENT'],
    ],
    [
      'a wrong type',
      { dados_laboratoriais: { plaquetas: '9' } },
      ['dados_laboratoriais.plaquetas INVALID_TYPE'],
    ],
    ['a group that is null', { dados_laboratoriais: null }, ['dados_laboratoriais INVALID_TYPE']],
    ['an age against the birth date', { paciente_idade: 3 }, ['paciente_idade INCONSISTENT']],
  ] as [string, object, string[]][])
    it(`refuses ${what}`, async () => {
      const id = await newCaso({ evolucao: 'cura', paciente_data_nascimento: '1990-05-20' })
      assert.deepEqual(await invalid(() => t.as(gestor).put(path(id), sent)), expected)
    })

  it('moves a case by the code of a municipality alone', async () => {
    const id = await newCaso()
    const { campos_alterados } = await change(id, { municipio_residencia: 3550308 })
    assert.deepEqual(campos_alterados, ['municipio_residencia', 'estado_residencia'])
  })

  it('answers 404 for an unknown or excluded case', async () => {
    const id = await newCaso()
    await exclude(id)
    for (const gone of [UNKNOWN_ID, id])
      await missing(() =>
        t.as(gestor).put(path(gone), { evolucao: 'cura' }, { headers: { 'if-match': '"9"' } }),
      )
  })
})

describe('PUT /agravos/casos/{id} by someone who may not identify patients', () => {
  const NASCIMENTO = '1990-05-20'
  const ONSET = '2024-03-10'
  const SECRETS = {
    paciente_nome: 'Maria da Silva Santos',
    paciente_data_nascimento: NASCIMENTO,
    logradouro_residencia: 'Rua da Aurora',
    numero_residencia: '7',
    cep_residencia: '50050000',
    latitude: -8.05,
    longitude: -34.9,
    investigacao: { locais_frequentados: [{ local: 'Feira' }] },
  }
  const secretCaso = () => newCaso({ ...SECRETS, data_inicio_sintomas: ONSET })
  const put = (id: number, sent: object) => t.as(analista).put(path(id), sent)
  async function accepted(id: number, sent: object): Promise<string[]> {
    const { status, body, text } = await put(id, sent)
    assert.equal(status, 200, text)
    return body.campos_alterados
  }

  for (const sent of [
    { data_inicio_sintomas: '1989-01-01' },
    { data_inicio_sintomas: '1991-05-19' },
    { data_notificacao: '2024-03-11' },
    { data_inicio_sintomas: '1850-01-01' },
    { data_inicio_sintomas: null },
  ])
    it(`is judged by what they see, not by the birth date: ${JSON.stringify(sent)}`, async () => {
      const id = await secretCaso()
      assert.deepEqual(await accepted(id, sent), Object.keys(sent))
      const { paciente } = await identify(id)
      assert.deepEqual([paciente.idade, paciente.data_nascimento], [33, NASCIMENTO])
    })

  it('takes an age as it is told, and leaves it to those who see the birth date to set it right', async () => {
    const id = await secretCaso()
    assert.deepEqual(await accepted(id, { paciente_idade: 3 }), ['paciente_idade'])
    assert.deepEqual((await change(id, { evolucao: 'cura' })).campos_alterados, [
      'paciente_idade',
      'evolucao',
    ])
    assert.equal((await read(id)).paciente.idade, 33)
  })

  it('judges a birth date that is sent by what is sent and seen', async () => {
    const id = await secretCaso()
    assert.deepEqual(await invalid(() => put(id, { paciente_data_nascimento: '2024-03-11' })), [
      'paciente_data_nascimento AFTER',
    ])
    const sent = { paciente_data_nascimento: '1990-05-21', paciente_idade: 3 }
    assert.deepEqual(await invalid(() => put(id, sent)), ['paciente_idade INCONSISTENT'])
    const changed = await accepted(id, { paciente_data_nascimento: '1980-05-21' })
    assert.deepEqual(changed, ['paciente_data_nascimento', 'paciente_idade'])
    assert.equal((await read(id)).paciente.idade, 43)
  })

  it('counts every secret field that is sent as changed: right and wrong guesses look alike', async () => {
    const wrong = {
      paciente_nome: 'Marta de Souza Sá',
      paciente_data_nascimento: '1990-05-21',
      logradouro_residencia: 'Rua do Sol',
      numero_residencia: '8',
      cep_residencia: '50050001',
      latitude: -8.06,
      longitude: -34.8,
      investigacao: { locais_frequentados: [] },
    }
    const looks = async (guess: object) => {
      const id = await secretCaso()
      const { body, headers } = await put(id, guess)
      const { versao, historico } = await read(id, { include: 'historico' }, analista)
      const { detalhes } = historico[0]
      return { campos: body.campos_alterados, etag: headers.etag, versao, detalhes }
    }
    for (const nome of Object.keys(wrong) as (keyof typeof wrong)[]) {
      const both = nome === 'latitude' || nome === 'longitude' ? ['latitude', 'longitude'] : [nome]
      const guess = (from: object) =>
        Object.fromEntries(Object.entries(from).filter(([key]) => both.includes(key)))
      const right = await looks(guess(SECRETS))
      assert.deepEqual(right, await looks(guess(wrong)), nome)
      assert.deepEqual([right.versao, right.campos.length], [2, both.length])
    }
  })

  it('tells those who identify that the value stayed', async () => {
    const id = await secretCaso()
    await accepted(id, { paciente_nome: SECRETS.paciente_nome, evolucao: 'cura' })
    const { historico } = await identify(id, { include: 'historico' })
    assert.deepEqual(historico[0].detalhes.alteracoes, [{ campo: 'evolucao', anterior: null, novo: 'cura' }])
  })

  it('takes half a point for the whole: the other half is not compared with what is stored', async () => {
    const id = await secretCaso()
    assert.deepEqual(await invalid(() => put(id, { latitude: -8.05 })), ['longitude REQUIRED'])
    assert.deepEqual(await accepted(id, { longitude: null }), ['latitude', 'longitude'])
    const { endereco } = await identify(id)
    assert.deepEqual([endereco.latitude, endereco.longitude], [null, null])
  })
})

describe('If-Match', () => {
  const put = (id: number, tag: string, evolucao = 'cura') =>
    t.as(gestor).put(path(id), { evolucao }, { headers: { 'if-match': tag } })

  for (const tag of ['"1"', '*', ' * ', '"7", "1"', '"1","x"', 'W/"1", "1"'])
    it(`lets a change through that names the version: ${tag}`, async () => {
      const answer = await put(await newCaso(), tag)
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.headers.etag, '"2"')
    })

  for (const tag of ['"2"', '"0"', '"01"', 'W/"1"', '1', '"01"x', '"x"', '', '"1', '"-1"', '"99999999999"'])
    it(`refuses a change that does not: ${JSON.stringify(tag)}`, async () => {
      const id = await newCaso()
      await refused(() => put(id, tag), 409, 'CONFLICT')
    })

  it('refuses with the tag of an earlier version, also when nothing would change', async () => {
    const id = await newCaso()
    await change(id, { evolucao: 'cura' })
    await refused(() => put(id, '"1"'), 409, 'CONFLICT')
  })

  it('guards a deletion as well, soft or for good', async () => {
    const id = await newCaso()
    const remove = (tag: string, query: string) =>
      t.as(app.admin).delete(path(id, `?motivo=x${query}`), { headers: { 'if-match': tag } })
    for (const query of ['', '&force=true']) await refused(() => remove('"2"', query), 409, 'CONFLICT')
    assert.equal((await remove('"1"', '')).status, 204)
    await refused(() => remove('"1"', '&force=true'), 409, 'CONFLICT')
    assert.equal((await remove('"2"', '&force=true')).status, 204)
  })

  it('of two simultaneous changes to one version lets one through', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await newCaso()
      const answers = await Promise.all([put(id, '"1"', 'cura'), put(id, '"1"', 'obito')])
      assert.deepEqual(tally(answers), { 200: 1, 409: 1 })
      const caso = await read(id)
      assert.equal(caso.versao, 2)
      assert.equal(caso.evolucao, answers[0]?.status === 200 ? 'cura' : 'obito')
    }
  })

  it('left out, simultaneous changes of different fields all take effect', async () => {
    const id = await newCaso()
    const sent = [
      { evolucao: 'cura' },
      { bairro_residencia: 'Pina' },
      { dados_laboratoriais: { ns1: 'positivo' } },
      { dados_laboratoriais: { igm: 'positivo' } },
      { logradouro_residencia: 'Rua do Sol' },
      { paciente_nome: 'Ana Lima' },
    ]
    await Promise.all(sent.map((input) => change(id, input)))
    const caso = await identify(id)
    assert.equal(caso.versao, 7)
    assert.equal(caso.historico.length, 7)
    assert.deepEqual(
      [caso.evolucao, caso.endereco.bairro, caso.endereco.logradouro, caso.paciente.nome],
      ['cura', 'Pina', 'Rua do Sol', 'Ana Lima'],
    )
    assert.deepEqual([caso.dados_laboratoriais.ns1, caso.dados_laboratoriais.igm], ['positivo', 'positivo'])
  })
})
