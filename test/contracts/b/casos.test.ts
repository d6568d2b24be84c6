import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { dateInBrazil } from '../../../src/brasil/calendar.ts'
import { CAMPOS, type Campo, FIELD_NAMES, REQUIRED_ON_CREATION } from '../../../src/domain/casos/campos.ts'
import { tally } from '../refusals.ts'
import { casosApp, minimo } from './casos-app.ts'

const { t, gestor, leitor, create, newCaso, read, identify, invalid } = await casosApp()
after(() => t.close())

/** `{a: {b: value}}` from `a.b`. */
const nested = (nome: string, value: unknown): Record<string, unknown> =>
  nome.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Record<string, unknown>

describe('GET /agravos/tipos', () => {
  it('answers the three diseases with their codes, to everyone who may see cases', async () => {
    const { status, body } = await t.as(leitor).get('/agravos/tipos')
    assert.equal(status, 200)
    assert.equal(body.total, 3)
    assert.deepEqual(
      body.tipos.map((tipo: Record<string, unknown>) => [
        tipo.codigo,
        tipo.nome,
        (tipo.cid10_codes as string[])[0],
        tipo.notificacao_obrigatoria,
      ]),
      [
        ['dengue', 'Dengue', 'A90', true],
        ['zika', 'Zika', 'A92.8', true],
        ['chikungunya', 'Chikungunya', 'A92.0', true],
      ],
    )
    for (const tipo of body.tipos)
      assert.deepEqual(Object.keys(tipo), [
        'codigo',
        'nome',
        'cid10_codes',
        'descricao',
        'notificacao_obrigatoria',
      ])
  })
})

describe('POST /agravos/casos', () => {
  it('registers a case under investigation and tells where it is', async () => {
    const sent = minimo()
    const { status, body, headers } = await create(sent)
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body), [
      'id',
      'tipo_agravo',
      'numero_notificacao',
      'status',
      'criado_em',
      'mensagem',
    ])
    assert.equal(body.numero_notificacao, sent.numero_notificacao)
    assert.equal(body.status, 'em_investigacao')
    assert.equal(headers.location, `/api/v1/agravos/casos/${body.id}`)
    assert.equal(headers.etag, '"1"')
    assert.equal((await read(body.id)).criado_em, body.criado_em)
  })

  for (const nome of REQUIRED_ON_CREATION) {
    it(`needs ${nome}`, async () => {
      assert.deepEqual(await invalid(() => create({ [nome]: undefined })), [`${nome} REQUIRED`])
    })
    it(`refuses ${nome} as null`, async () => {
      const [first, ...others] = await invalid(() => create({ [nome]: null }))
      assert.equal(first, `${nome} INVALID_TYPE`)
      assert.ok(others.every((one) => one === `${nome} INVALID_VALUE`))
    })
  }

  for (const nome of ['paciente_nome', 'numero_notificacao', 'municipio_residencia'])
    it(`refuses an empty or blank ${nome}`, async () => {
      assert.deepEqual(await invalid(() => create({ [nome]: '' })), [`${nome} REQUIRED`])
      assert.deepEqual(await invalid(() => create({ [nome]: ' \t\u00a0' })), [`${nome} INVALID_FORMAT`])
    })

  it('names everything that is wrong at once, those of the rules too, with dotted names', async () => {
    const found = await invalid(() =>
      t.as(gestor).post('/agravos/casos', {
        tipo_agravo: 'zika',
        data_notificacao: '2026-13-01',
        paciente_nome: 5,
        municipio_residencia: 'Atlântida',
        estado_residencia: 'PE',
        classificacao_final: 'dengue_grave',
        paciente_sexo: 'M',
        paciente_gestante: true,
        dados_especificos: { febre: 'sim', prova_laco: 'talvez' },
        dados_clinicos: { sinais_sintomas: { letargia: 1 } },
        dados_laboratoriais: { ns1: 'reagente', plaquetas: 1.5 },
        investigacao: { locais_frequentados: [{ local: 'Feira' }, { endereco: 'x' }] },
      }),
    )
    assert.deepEqual(found.toSorted(), [
      'classificacao_final INCONSISTENT',
      'dados_clinicos.sinais_sintomas.letargia INVALID_TYPE',
      'dados_especificos.febre INVALID_TYPE',
      'dados_especificos.prova_laco INVALID_VALUE',
      'dados_laboratoriais.ns1 INVALID_VALUE',
      'dados_laboratoriais.plaquetas INVALID_TYPE',
      'data_notificacao INVALID_FORMAT',
      'investigacao.locais_frequentados.1.local REQUIRED',
      'municipio_residencia UNKNOWN_MUNICIPIO',
      'numero_notificacao REQUIRED',
      'paciente_gestante INCONSISTENT',
      'paciente_nome INVALID_TYPE',
    ])
  })

  for (const [what, payload] of [
    ['a list', '[]'],
    ['a text', '"dengue"'],
    ['null', 'null'],
    ['nothing', ''],
  ] as const)
    it(`refuses ${what} in place of an object`, async () => {
      const headers = { 'content-type': 'application/json' }
      const found = await invalid(() => t.as(gestor).request('POST', '/agravos/casos', { headers, payload }))
      assert.deepEqual(found, [' INVALID_TYPE'])
    })

  it('refuses a group that is no object', async () => {
    for (const group of ['dados_especificos', 'dados_clinicos', 'dados_laboratoriais', 'investigacao'])
      for (const value of [null, [], 'x', 5])
        assert.deepEqual(await invalid(() => create({ [group]: value })), [`${group} INVALID_TYPE`])
  })
})

/** What is wrong with a field of this kind, whatever it is called. */
function wrongValues(campo: Campo): [value: unknown, code: string][] {
  switch (campo.kind) {
    case 'text':
      return [
        [5, 'INVALID_TYPE'],
        [true, 'INVALID_TYPE'],
        [['x'], 'INVALID_TYPE'],
        ['x'.repeat(campo.max + 1), 'TOO_LONG'],
        ['a\0b', 'INVALID_FORMAT'],
        ['a\ud800b', 'INVALID_FORMAT'],
      ]
    case 'code':
      return [
        [5, 'INVALID_TYPE'],
        ['x', 'INVALID_FORMAT'],
        ['1'.repeat(40), 'INVALID_FORMAT'],
        ['\0', 'INVALID_FORMAT'],
      ]
    case 'one-of':
      return [
        [5, 'INVALID_TYPE'],
        ['x', 'INVALID_VALUE'],
        ['', 'INVALID_VALUE'],
        [campo.values[0]?.toUpperCase() === campo.values[0] ? 'm' : 'DENGUE', 'INVALID_VALUE'],
        ['constructor', 'INVALID_VALUE'],
      ]
    case 'boolean':
      return [
        ['true', 'INVALID_TYPE'],
        [1, 'INVALID_TYPE'],
      ]
    case 'date':
      return [
        [20260312, 'INVALID_TYPE'],
        ['12/03/2026', 'INVALID_FORMAT'],
        ['2026-02-30', 'INVALID_FORMAT'],
        ['0000-01-01', 'INVALID_FORMAT'],
        ['2024-03-12T00:00:00Z', 'INVALID_FORMAT'],
        ['today', 'INVALID_FORMAT'],
        ['', 'INVALID_FORMAT'],
        ['9999-12-31', 'IN_FUTURE'],
      ]
    case 'integer':
    case 'number':
      return [
        ['5', 'INVALID_TYPE'],
        [campo.min - 1, 'TOO_SMALL'],
        [campo.max + 1, 'TOO_LARGE'],
        ...(campo.kind === 'integer' ? ([[1.5, 'INVALID_TYPE']] as [unknown, string][]) : []),
      ]
    case 'municipio':
      return [
        [true, 'INVALID_TYPE'],
        [1.5, 'INVALID_TYPE'],
        ['x'.repeat(101), 'TOO_LONG'],
        ['Atlântida', 'UNKNOWN_MUNICIPIO'],
        [9_999_999, 'UNKNOWN_MUNICIPIO'],
        [-2_611_606, 'UNKNOWN_MUNICIPIO'],
        [1e21, 'UNKNOWN_MUNICIPIO'],
      ]
    case 'list-of':
    case 'texts':
    case 'locais':
      return [
        ['x', 'INVALID_TYPE'],
        [{}, 'INVALID_TYPE'],
      ]
  }
}

describe('a field of the wrong kind', () => {
  for (const nome of FIELD_NAMES)
    it(`is refused by its name: ${nome}`, async () => {
      for (const [value, code] of wrongValues(CAMPOS[nome])) {
        const found = await invalid(() => create(nested(nome, value)))
        assert.ok(found.includes(`${nome} ${code}`), `${JSON.stringify(value)}: ${found}`)
      }
    })

  for (const [what, group, expected] of [
    ['comorbidities twice', { comorbidades: ['asma', 'asma'] }, 'comorbidades REPEATED'],
    [
      '31 comorbidities',
      { comorbidades: Array.from({ length: 31 }, (_, i) => `${i}`) },
      'comorbidades TOO_MANY',
    ],
    ['a blank comorbidity', { comorbidades: [' '] }, 'comorbidades.0 INVALID_FORMAT'],
    ['a comorbidity of 101 characters', { comorbidades: ['x'.repeat(101)] }, 'comorbidades.0 TOO_LONG'],
  ] as const)
    it(`is refused: ${what}`, async () => {
      assert.deepEqual(await invalid(() => create({ dados_clinicos: group })), [`dados_clinicos.${expected}`])
    })

  for (const [what, locais, expected] of [
    ['51 places', Array(51).fill({ local: 'x' }), ' TOO_MANY'],
    ['a place without a name', [{ local: '' }], '.0.local REQUIRED'],
    ['a place with NUL', [{ local: 'x', endereco: 'a\0' }], '.0.endereco INVALID_FORMAT'],
    ['a place that is a text', ['Feira'], '.0 INVALID_TYPE'],
    ['a place that is null', [null], '.0 INVALID_TYPE'],
  ] as const)
    it(`is refused: ${what}`, async () => {
      assert.deepEqual(await invalid(() => create({ investigacao: { locais_frequentados: locais } })), [
        `investigacao.locais_frequentados${expected}`,
      ])
    })

  it('is refused: an unknown or repeated sign of severity', async () => {
    const create1 = (sinais_gravidade: string[]) => () => create({ dados_especificos: { sinais_gravidade } })
    assert.deepEqual(await invalid(create1(['melena', 'x'])), [
      'dados_especificos.sinais_gravidade.1 INVALID_VALUE',
    ])
    assert.deepEqual(await invalid(create1(['melena', 'melena'])), [
      'dados_especificos.sinais_gravidade REPEATED',
    ])
  })
})

describe('a field with a list of words', () => {
  for (const nome of FIELD_NAMES) {
    const campo: Campo = CAMPOS[nome]
    if (campo.kind !== 'one-of' || nome === 'status') continue
    it(`takes each of its words: ${nome}`, async () => {
      for (const value of campo.values) {
        const places: Record<string, unknown> =
          nome === 'estado_residencia' ? { municipio_residencia: CAPITAIS[value] } : {}
        const { status, text } = await create({ ...places, ...nested(nome, value) })
        assert.equal(status, 201, text)
      }
    })
  }

  it('refuses what only dengue has in other diseases', async () => {
    for (const tipo_agravo of ['zika', 'chikungunya'])
      assert.deepEqual(await invalid(() => create({ tipo_agravo, classificacao_final: 'dengue_grave' })), [
        'classificacao_final INCONSISTENT',
      ])
  })
})

/** A municipality for each state: its capital. */
const CAPITAIS: Record<string, number> = {
  ...{ AC: 1200401, AL: 2704302, AM: 1302603, AP: 1600303, BA: 2927408, CE: 2304400, DF: 5300108 },
  ...{ ES: 3205309, GO: 5208707, MA: 2111300, MG: 3106200, MS: 5002704, MT: 5103403, PA: 1501402 },
  ...{ PB: 2507507, PE: 2611606, PI: 2211001, PR: 4106902, RJ: 3304557, RN: 2408102, RO: 1100205 },
  ...{ RR: 1400100, RS: 4314902, SC: 4205407, SE: 2800308, SP: 3550308, TO: 1721000 },
}

describe('other spellings', () => {
  for (const municipio_residencia of ['Recife', 'RECIFE', 'recife ', '261160', '2611606', 261160, 2611606])
    it(`find the municipality: ${JSON.stringify(municipio_residencia)}`, async () => {
      const { endereco } = await read(await newCaso({ municipio_residencia }))
      assert.equal(endereco.municipio_residencia, 'Recife')
      assert.equal(endereco.codigo_ibge, '2611606')
      assert.equal(endereco.estado_residencia, 'PE')
    })

  it('of the place of infection bring its state along', async () => {
    const { local_infeccao } = await read(await newCaso({ municipio_infeccao: '355030' }))
    assert.deepEqual(local_infeccao, {
      municipio: 'São Paulo',
      codigo_ibge: '3550308',
      estado: 'SP',
      pais: null,
    })
  })

  it('of a municipality that belongs to another state are refused', async () => {
    assert.deepEqual(
      await invalid(() => create({ municipio_residencia: 2611606, estado_residencia: 'SP' })),
      ['municipio_residencia INCONSISTENT'],
    )
    assert.deepEqual(
      await invalid(() => create({ municipio_residencia: 'Olinda', estado_residencia: 'SP' })),
      ['municipio_residencia UNKNOWN_MUNICIPIO'],
    )
  })

  for (const cep_residencia of ['50050-000', '50050000'])
    it(`of the postal code are one: ${cep_residencia}`, async () => {
      assert.equal((await identify(await newCaso({ cep_residencia }))).endereco.cep, '50050-000')
    })

  it('of the unit number are one, of seven digits', async () => {
    for (const cnes of ['477', '0000477'])
      assert.equal(
        (await read(await newCaso({ unidade_notificante: { cnes } }))).unidade_notificante.cnes,
        '0000477',
      )
  })

  for (const [word, igm] of [
    ['reagente', 'positivo'],
    ['nao_reagente', 'negativo'],
    ['positivo', 'positivo'],
  ] as const)
    it(`of the IgM result are understood: ${word}`, async () => {
      const id = await newCaso({ dados_laboratoriais: { igm: word } })
      assert.equal((await read(id)).dados_laboratoriais.igm, igm)
    })

  it('of an absent value are one: an empty text, null, nothing', async () => {
    for (const bairro_residencia of ['', '  ', null, undefined])
      assert.equal((await read(await newCaso({ bairro_residencia }))).endereco.bairro, null)
  })
})

describe('a field with two places', () => {
  const SINAIS = ['febre', 'mialgia', 'cefaleia', 'exantema', 'nausea', 'dor_retro_orbital', 'artralgia']
  for (const sinal of SINAIS)
    it(`is one field: ${sinal} of dados_clinicos and of dados_especificos`, async () => {
      for (const value of [true, false])
        for (const sent of [
          { dados_clinicos: { sinais_sintomas: { [sinal]: value } } },
          { dados_especificos: { [sinal]: value } },
        ]) {
          const caso = await read(await newCaso(sent))
          assert.equal(caso.dados_especificos[sinal], value)
          assert.equal(caso.dados_clinicos.sinais_sintomas[sinal], value)
        }
    })

  it('is one field: warning signs, hospitalisation, admission, intensive care', async () => {
    const group = { hospitalizacao: true, data_internacao: '2024-03-11', uti: false, sinais_alarme: true }
    const caso = await read(await newCaso({ dados_clinicos: group }))
    assert.equal(caso.hospitalizacao, true)
    assert.equal(caso.dados_especificos.sinais_alarme, true)
    const { hospitalizacao, data_internacao, uti, sinais_alarme } = caso.dados_clinicos
    assert.deepEqual({ hospitalizacao, data_internacao, uti, sinais_alarme }, group)
  })

  it('takes the same value in both, and refuses two', async () => {
    const twice = (first: unknown, second: unknown) => ({
      dados_especificos: { febre: first },
      dados_clinicos: { sinais_sintomas: { febre: second } },
    })
    await newCaso(twice(true, true))
    await newCaso({ hospitalizacao: false, dados_clinicos: { hospitalizacao: false } })
    for (const [first, second] of [
      [true, false],
      [false, null],
    ])
      assert.deepEqual(await invalid(() => create(twice(first, second))), [
        'dados_clinicos.sinais_sintomas.febre INCONSISTENT',
      ])
    assert.deepEqual(
      await invalid(() => create({ hospitalizacao: true, dados_clinicos: { hospitalizacao: false } })),
      ['dados_clinicos.hospitalizacao INCONSISTENT'],
    )
  })
})

describe('what a client cannot set', () => {
  it('is ignored, as every unknown field is', async () => {
    const sent = {
      ...{ id: 77, versao: 9, criado_em: '2020-01-01T00:00:00Z', atualizado_em: '2020-01-01T00:00:00Z' },
      ...{ responsavel: { id: 1 }, responsavel_id: 1, criado_por_id: 1, excluido_em: '2020-01-01T00:00:00Z' },
      ...{ paciente_iniciais: 'X. Y.', cep_chave: 'x', historico: [], inventado: true },
      dados_especificos: { inventado: 5, febre: true, data_digitacao: '2024-03-13' },
    }
    const { body } = await create(sent)
    const caso = await read(body.id)
    assert.notEqual(caso.id, 77)
    assert.equal(caso.versao, 1)
    assert.ok(caso.criado_em > '2021')
    assert.equal(caso.responsavel.id, gestor.id)
    assert.equal(caso.paciente.nome, 'M. S. S.')
    assert.deepEqual(caso.dados_especificos, { febre: true, data_digitacao: '2024-03-13' })
    assert.equal(caso.historico.length, 1)
  })

  const sent = {
    paciente_idadee: 'segredo',
    dados_especificos: { febre: true, febr: 'segredo' },
    dados_clinicos: { sinais_sintomas: { letargia: true, letargias: [['segredo']] } },
    investigacao: { locais_frequentados: [{ local: 'Feira' }, { local: 'Praça', rua: 'segredo' }] },
  }
  const ignored = [
    'paciente_idadee',
    'dados_especificos.febr',
    'dados_clinicos.sinais_sintomas.letargias',
    'investigacao.locais_frequentados.1.rua',
  ]
  const told = (message: string) => ignored.map((field) => ({ field, message, code: 'IGNORED' }))

  it('is named in `avisos`, without its value, on creation and on change, in the language asked for', async () => {
    for (const [language, message] of [
      ['pt-BR', 'Campo desconhecido; foi ignorado'],
      ['en-US', 'Unknown field; it was ignored'],
      ['es-ES', 'Campo desconocido; se ha ignorado'],
    ] as const) {
      const headers = { 'accept-language': language }
      const created = await t.as(gestor).post('/agravos/casos', { ...minimo(), ...sent }, { headers })
      assert.deepEqual([created.status, created.body.avisos], [201, told(message)])
      for (const verb of ['put', 'patch'] as const) {
        const changed = await t.as(gestor)[verb](`/agravos/casos/${created.body.id}`, sent, { headers })
        assert.deepEqual([changed.status, changed.body.avisos], [200, told(message)])
        assert.doesNotMatch(created.text + changed.text, /segredo/)
      }
    }
  })

  it('is named up to a hundred times, by the first hundred characters, and not at all where all is known', async () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`x${i}${'y'.repeat(500)}`, 1]))
    const { avisos } = (await create(many)).body
    assert.deepEqual([avisos.length, avisos[0].field.length], [100, 100])
    const { id, ...known } = (await create({ dados_especificos: { febre: true } })).body
    assert.ok(!('avisos' in known))
    const { body } = await t.as(gestor).put(`/agravos/casos/${id}`, { uti: null })
    assert.ok(!('avisos' in body))
  })
})

describe('the key of a case', () => {
  it('is disease, number and day: the same again is refused, on creation and on change', async () => {
    const one = minimo()
    await newCaso(one)
    assert.deepEqual(await invalid(() => create(one)), ['numero_notificacao DUPLICATE'])
    assert.deepEqual(
      await invalid(() => create({ ...one, numero_notificacao: ` ${one.numero_notificacao} ` })),
      ['numero_notificacao DUPLICATE'],
    )
    const other = await newCaso({ ...one, data_notificacao: '2024-03-13' })
    const back = { data_notificacao: one.data_notificacao }
    assert.deepEqual(await invalid(() => t.as(gestor).put(`/agravos/casos/${other}`, back)), [
      'numero_notificacao DUPLICATE',
    ])
  })

  it('leaves the same number to another day and to another disease', async () => {
    const one = minimo()
    await newCaso(one)
    await newCaso({ ...one, data_notificacao: '2024-03-11' })
    await newCaso({ ...one, tipo_agravo: 'zika' })
  })

  it('of twenty simultaneous creations lets exactly one through', async () => {
    const one = minimo()
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(one)))
    assert.deepEqual(tally(answers), { 201: 1, 422: 19 })
    const { body } = await t.as(gestor).get(`/agravos/casos?numero_notificacao=${one.numero_notificacao}`)
    assert.equal(body.total, 1)
  })
})

describe('today', () => {
  it('is the day in Brazil at the moment of the request', async () => {
    const today = dateInBrazil(t.clock.now())
    const tomorrow = dateInBrazil(new Date(t.clock.now().getTime() + 86_400_000))
    await newCaso({ data_notificacao: today })
    assert.deepEqual(await invalid(() => create({ data_notificacao: tomorrow })), [
      'data_notificacao IN_FUTURE',
    ])
  })
})
