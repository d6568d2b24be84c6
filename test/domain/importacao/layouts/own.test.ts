import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  CAMPOS,
  FIELD_NAMES,
  type FieldName,
  leafOf,
  REQUIRED_ON_CREATION,
} from '../../../../src/domain/casos/campos.ts'
import { casoOf, convert, erroOf, fieldOf, HOJE, type Linha, layoutOf, PROPRIO } from './rows.ts'

const INTERNADA: Linha = { ...PROPRIO, hospitalizacao: 'sim' }
const LOCAIS = [{ local: 'Escola', endereco: null, periodo: '1 a 3/4' }]

/** A column; its texts and what they tell; the row it stands in. Every kind of field is among them. */
const ROWS: [coluna: string, texts: Record<string, unknown>, base?: Linha][] = [
  ['tipo_agravo', { zika: 'zika', Dengue: 'dengue', CHIKUNGUNYA: 'chikungunya' }],
  ['numero_notificacao', { '0012': '0012', 'ABC-1': 'ABC-1', "'=abc": "'=abc" }],
  ['data_notificacao', { [HOJE]: HOJE, '25/04/2024': '2024-04-25', '5/4/2024': '2024-04-05' }],
  ['data_notificacao', { '2024-04-25T00:00:00-03:00': '2024-04-25' }],
  ['paciente_nome', { 'Ana Teste': 'Ana Teste' }],
  ['paciente_sexo', { F: 'F', f: 'F', '': null }],
  ['paciente_gestante', { true: true, TRUE: true, sim: true, Sim: true, S: true, 1: true, verdadeiro: true }],
  [
    'paciente_gestante',
    { false: false, não: false, NAO: false, Não: false, n: false, 0: false, falso: false, '': null },
  ],
  ['paciente_raca', { parda: 'parda', PARDA: 'parda' }],
  ['paciente_idade', { 29: 29, '29,0': 29, '29.0': 29, 0: 0 }],
  ['municipio_residencia', { Recife: 2611606, RECIFE: 2611606, 261160: 2611606, 2611606: 2611606 }],
  ['estado_residencia', { pe: 'PE', PE: 'PE' }],
  ['municipio_infeccao', { 355030: 3550308, '': null }],
  ['hospitalizacao', { sim: true, 0: false }],
  ['data_internacao', { '24/4/2024': '2024-04-24' }, INTERNADA],
  ['latitude', { '-8,05': -8.05, '-8': -8 }, { ...PROPRIO, longitude: '-34.9' }],
  ['cep_residencia', { '51020-000': '51020000', 51020000: '51020000' }],
  ['unidade_notificante.cnes', { 418: '0000418' }],
  ['cnes', { 418: '0000418' }],
  ['unidade_notificante.telefone', { '(81) 99999-0000': '(81) 99999-0000' }],
  ['unidade_notificante.nome', { 'UPA Teste': 'UPA Teste' }],
  ['dados_especificos.febre', { sim: true }],
  ['febre', { não: false }],
  ['dados_clinicos.sinais_sintomas.febre', { 1: true }],
  ['dados_clinicos.sinais_sintomas.letargia', { 1: true }],
  ['dados_clinicos.hospitalizacao', { 1: true }],
  ['letargia', { 1: true }],
  ['ns1', { POSITIVO: 'positivo' }],
  ['igm', { reagente: 'positivo', Nao_Reagente: 'negativo', inconclusivo: 'inconclusivo' }],
  ['plaquetas', { 150000: 150000, '150000,0': 150000 }],
  ['hematocrito', { '41,5': 41.5, '41.5': 41.5, 41: 41 }],
  ['comorbidades', { 'diabetes | asma': ['diabetes', 'asma'], diabetes: ['diabetes'], '|': null }],
  ['sinais_gravidade', { 'Melena|pulso_debil': ['melena', 'pulso_debil'] }],
  [
    'locais_frequentados',
    { [JSON.stringify(LOCAIS)]: LOCAIS, '[{"local":"X"}]': [{ local: 'X', endereco: null, periodo: null }] },
  ],
  ['status', { em_investigacao: 'em_investigacao' }],
]

const fieldNamed = (coluna: string): FieldName => {
  const sinal = /^dados_clinicos\.sinais_sintomas\.febre$/.test(coluna) ? 'dados_especificos.febre' : coluna
  const nome = sinal === 'dados_clinicos.hospitalizacao' ? 'hospitalizacao' : sinal
  return (
    FIELD_NAMES.find((one) => one === nome) ?? (FIELD_NAMES.find((one) => leafOf(one) === nome) as FieldName)
  )
}

for (const [coluna, texts, base = PROPRIO] of ROWS)
  describe(`column ${coluna}`, () => {
    for (const [text, expected] of Object.entries(texts))
      it(`${JSON.stringify(text)} → ${JSON.stringify(expected)}`, () =>
        assert.deepEqual(fieldOf(casoOf({ ...base, [coluna]: text }), fieldNamed(coluna)), expected))
  })

it('every kind of field is tried above', () => {
  const tried = new Set(ROWS.map(([coluna]) => CAMPOS[fieldNamed(coluna)].kind))
  assert.deepEqual(new Set(FIELD_NAMES.map((nome) => CAMPOS[nome].kind)), tried)
})

describe('refusals', () => {
  const ERROS: [Linha, string][] = [
    [{ tipo_agravo: 'malaria' }, 'tipo_agravo: Valor não permitido; use: dengue, zika, chikungunya'],
    [{ numero_notificacao: 'x'.repeat(41) }, 'numero_notificacao: Deve ter no máximo 40 caractere(s)'],
    [{ data_notificacao: '2024-25-04' }, 'data_notificacao: Formato inválido; esperado: data AAAA-MM-DD'],
    [{ data_notificacao: '20240425' }, 'data_notificacao: Formato inválido; esperado: data AAAA-MM-DD'],
    [{ data_notificacao: '2026-03-13' }, 'data_notificacao: Não pode estar no futuro'],
    [{ paciente_nome: 'A\0B' }, 'paciente_nome: Formato inválido; esperado: texto sem caracteres nulos'],
    [{ paciente_nome: 'A\ud800' }, 'paciente_nome: Formato inválido; esperado: texto sem caracteres nulos'],
    [{ paciente_gestante: '2' }, 'paciente_gestante: Deve ser do tipo booleano (true ou false)'],
    [{ paciente_idade: '-1' }, 'paciente_idade: Deve ser no mínimo 0'],
    [{ paciente_idade: '131' }, 'paciente_idade: Deve ser no máximo 130'],
    [{ paciente_idade: 'NA' }, 'paciente_idade: Deve ser do tipo número inteiro'],
    [{ plaquetas: '150.000' }, 'dados_laboratoriais.plaquetas: Deve ser do tipo número inteiro'],
    [{ hematocrito: '1e1' }, 'dados_laboratoriais.hematocrito: Deve ser do tipo número'],
    [
      { cep_residencia: '123' },
      'cep_residencia: Formato inválido; esperado: CEP, 8 dígitos com ou sem hífen',
    ],
    [{ cnes: 'x' }, 'unidade_notificante.cnes: Formato inválido; esperado: CNES, até 7 dígitos'],
    [
      { 'unidade_notificante.telefone': '1' },
      'unidade_notificante.telefone: Formato inválido; esperado: (99) 99999-9999',
    ],
    [
      { municipio_residencia: 'Nárnia' },
      'municipio_residencia: Município desconhecido; use o código IBGE ou o nome dentro do estado',
    ],
    [{ municipio_residencia: 'M'.repeat(101) }, 'municipio_residencia: Deve ter no máximo 100 caractere(s)'],
    [
      { estado_residencia: 'SP', municipio_residencia: '261160' },
      'municipio_residencia: Incompatível com estado_residencia',
    ],
    [{ sinais_gravidade: 'melena|nada' }, 'dados_especificos.sinais_gravidade: Valor não permitido; use: '],
    [{ sinais_gravidade: 'melena|MELENA' }, 'dados_especificos.sinais_gravidade: Tem itens repetidos'],
    [{ comorbidades: 'asma|asma' }, 'dados_clinicos.comorbidades: Tem itens repetidos'],
    [{ comorbidades: 'a'.repeat(101) }, 'dados_clinicos.comorbidades: Deve ter no máximo 100 caractere(s)'],
    [
      { comorbidades: Array.from({ length: 31 }, (_, i) => i).join('|') },
      'dados_clinicos.comorbidades: Deve ter no máximo 30 item(ns)',
    ],
    [{ latitude: '-8' }, 'longitude: Campo obrigatório'],
    [{ status: 'encerrado' }, 'status: Incompatível com classificacao_final'],
    [{ uti: 'sim', hospitalizacao: 'nao' }, 'uti: Incompatível com hospitalizacao'],
    [
      { data_inicio_sintomas: '2024-04-26' },
      'data_inicio_sintomas: Não pode ser posterior a data_notificacao',
    ],
    [
      { tipo_agravo: 'zika', classificacao_final: 'dengue_grave' },
      'classificacao_final: Incompatível com tipo_agravo',
    ],
  ]
  for (const [linha, erro] of ERROS)
    it(`${JSON.stringify(linha).slice(0, 60)}: ${erro.slice(0, 60)}`, () => {
      const got = erroOf({ ...PROPRIO, ...linha })
      assert.equal(erro.endsWith(' ') ? got.slice(0, erro.length) : got, erro)
    })

  const RUINS = [
    'x',
    '{}',
    '[1]',
    '[{}]',
    '[{"local":" "}]',
    '[{"local":"a","endereco":1}]',
    '[{"local":"a","periodo":[]}]',
  ]
  for (const texto of [...RUINS, JSON.stringify(Array.from({ length: 51 }, () => ({ local: 'a' })))])
    it(`places visited: ${texto.slice(0, 40)}`, () =>
      assert.match(
        erroOf({ ...PROPRIO, locais_frequentados: texto }),
        /^investigacao\.locais_frequentados: Formato inválido; esperado: JSON/,
      ))

  for (const nome of REQUIRED_ON_CREATION)
    it(`without ${nome}`, () => {
      assert.equal(erroOf({ ...PROPRIO, [nome]: '' }), `${nome}: Campo obrigatório`)
      assert.equal(erroOf({ ...PROPRIO, [nome]: '   ' }).split(':')[0], nome)
    })

  it('a column that is required and not there at all is missing in every row', () => {
    const { paciente_nome: _, ...linha } = PROPRIO
    assert.equal(erroOf(linha), 'paciente_nome: Campo obrigatório')
  })

  it('every problem of a row is in one text, each field once', () => {
    const erro = erroOf({
      ...PROPRIO,
      paciente_nome: '',
      municipio_residencia: 'Nárnia',
      febre: 'talvez',
      data_inicio_sintomas: '2024-04-26',
      data_obito: 'ontem',
    })
    assert.deepEqual(
      erro
        .split('; ')
        .filter((part) => !part.startsWith('use o') && !part.startsWith('esperado'))
        .map((part) => part.split(':')[0]),
      [
        'dados_especificos.febre',
        'data_obito',
        'paciente_nome',
        'municipio_residencia',
        'data_inicio_sintomas',
      ],
    )
  })

  it('the number is told with the error, where there is one', () => {
    const numeroOf = (linha: Linha) => {
      const convertida = convert({ ...PROPRIO, paciente_nome: '', ...linha })
      return convertida.ok ? 'ok' : convertida.numero_notificacao
    }
    assert.equal(numeroOf({}), '1234567')
    assert.equal(numeroOf({ numero_notificacao: '=1' }), '=1')
    assert.equal(numeroOf({ numero_notificacao: '' }), null)
  })
})

describe('rows', () => {
  it('a good one is a whole case, what follows from its fields included', () => {
    const convertida = convert({
      ...PROPRIO,
      paciente_data_nascimento: '20/05/1990',
      classificacao_final: 'dengue_grave',
      criterio_confirmacao: 'laboratorial',
    })
    assert.ok(convertida.ok)
    assert.deepEqual(Object.keys(convertida.campos).sort(), [...FIELD_NAMES, 'definicao_versao'].sort())
    assert.deepEqual([convertida.campos.paciente_idade, convertida.campos.status], [33, 'encerrado'])
    assert.deepEqual([convertida.avisos, convertida.derivado], [[], false])
  })

  it('more values than columns is a broken line; fewer are read with a warning', () => {
    const layout = layoutOf([...Object.keys(PROPRIO), 'febre'])
    const valores = Object.values(PROPRIO)
    assert.equal(layout.convert([...valores, 'sim', 'x']).ok, false)
    assert.ok(layout.convert([...valores, 'sim', '']).ok)
    const short = layout.convert(valores)
    assert.ok(short.ok && short.avisos.length === 1)
  })

  it('a place of infection says its state', () => {
    assert.equal(casoOf({ ...PROPRIO, municipio_infeccao: '355030' }).estado_infeccao, 'SP')
    assert.ok(layoutOf([...Object.keys(PROPRIO), 'municipio_infeccao']).fields.includes('estado_infeccao'))
  })
})

describe('columns', () => {
  it('every field has one, by its whole name', () =>
    assert.deepEqual(layoutOf([...FIELD_NAMES]).fields, FIELD_NAMES))

  it('the last part is enough where it can mean one field only', () => {
    const { fields, avisos } = layoutOf([
      ...Object.keys(PROPRIO),
      'nome',
      'telefone',
      'responsavel',
      'sorotipo',
    ])
    assert.deepEqual(fields.at(-1), 'dados_especificos.sorotipo')
    assert.match(avisos[0]?.message ?? '', /nome, telefone, responsavel/)
  })
})
