import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadMunicipios } from '../../../src/brasil/municipios.ts'
import { CONHECIDAS } from '../../../src/domain/casos/agravos/registro.ts'
import { type Campos, EMPTY_CASE } from '../../../src/domain/casos/campos.ts'
import { type CasoInput, fromInput } from '../../../src/domain/casos/input.ts'
import { findMunicipio } from '../../../src/domain/casos/municipio.ts'

const municipios = await loadMunicipios()
const codigo = (given: string, uf: string | null = null) =>
  findMunicipio(municipios, given, uf)?.codigo ?? null
const read = (entrada: CasoInput, before: Partial<Campos> | null = null) => {
  const { campos, problems } = fromInput(entrada, before && { ...EMPTY_CASE, ...before }, {
    municipios,
    agravos: CONHECIDAS,
  })
  return { campos, problems: problems.map(({ path, code }) => `${path.join('.')} ${code}`) }
}

describe('a municipality', () => {
  for (const given of ['2611606', '261160', ' 2611606 '])
    it(`is found by its code: ${JSON.stringify(given)}`, () => {
      assert.equal(codigo(given), 2_611_606)
      assert.equal(codigo(given, 'SP'), 2_611_606, 'the code alone says which it is')
    })

  for (const exception of [
    2_201_919, 2_201_988, 2_202_251, 2_611_533, 3_117_836, 3_152_131, 4_305_871, 5_203_939, 5_203_962,
  ])
    it(`whose check digit breaks the formula is found too: ${exception}`, () => {
      assert.equal(codigo(String(exception)), exception)
      assert.equal(codigo(String(exception).slice(0, 6)), exception)
    })

  it('has no code in common with another, by seven digits or by six, and there are 5571', () => {
    const all = municipios.containing('')
    assert.equal(all.length, 5571)
    for (const one of all) {
      assert.equal(municipios.byCodigo(one.codigo), one)
      assert.equal(municipios.byCodigo(Math.floor(one.codigo / 10)), one)
      assert.equal(municipios.byNome(one.nome, one.uf), one)
    }
  })

  for (const [given, uf, expected] of [
    ['Recife', 'PE', 2_611_606],
    ['RECIFE', 'PE', 2_611_606],
    ['sao paulo', 'SP', 3_550_308],
    ['São Paulo'.normalize('NFD'), 'SP', 3_550_308],
    ['  Brasília ', 'DF', 5_300_108],
    ["Alta Floresta D'Oeste", 'RO', 1_100_015],
    ['ALTA FLORESTA DOESTE', 'RO', 1_100_015],
    ['alta floresta d’oeste', 'RO', 1_100_015],
    ['Xique Xique', 'BA', 2_933_604],
    ['Bom Jesus', 'PI', 2_201_903],
    ['Bom Jesus', 'RS', 4_302_303],
  ] as const)
    it(`is found by its name inside ${uf}: ${given}`, () => assert.equal(codigo(given, uf), expected))

  it('whose name only one state has is found without the state; one of several is not guessed', () => {
    assert.equal(codigo('Recife'), 2_611_606)
    assert.equal(codigo('Bom Jesus'), null)
    assert.equal(municipios.named('bom jesus').length, 5)
  })

  for (const [given, uf] of [
    ['Recife', 'SP'],
    ['Atlântida', 'PE'],
    ['110000', null],
    ['9999999', null],
    ['2611607', null],
    ['26116', null],
    ['26116060', null],
    ['-261160', null],
    ['2.611.606', null],
    ['!!!', 'PE'],
    ['', 'PE'],
    ['Reci', 'PE'],
  ] as const)
    it(`is not ${JSON.stringify(given)} in ${uf ?? 'no state'}`, () => assert.equal(codigo(given, uf), null))
})

describe('the fields a client writes', () => {
  it('are stored in one spelling', () => {
    const { campos, problems } = read({
      numero_notificacao: ' 00123 ',
      paciente_nome: '\tMaria da Silva ',
      cep_residencia: '50050-000',
      'unidade_notificante.cnes': '477',
      'unidade_notificante.telefone': '(81) 3333-4444',
      'dados_clinicos.comorbidades': ['diabetes'],
    })
    assert.deepEqual(problems, [])
    assert.deepEqual(campos, {
      numero_notificacao: '00123',
      paciente_nome: 'Maria da Silva',
      cep_residencia: '50050000',
      'unidade_notificante.cnes': '0000477',
      'unidade_notificante.telefone': '(81) 3333-4444',
      'dados_clinicos.comorbidades': ['diabetes'],
    })
  })

  it('are null where they say nothing: an empty or blank text, an empty list', () => {
    const { campos } = read({
      bairro_residencia: '',
      pais_infeccao: ' \n ',
      'dados_clinicos.comorbidades': [],
      'dados_especificos.sinais_gravidade': [],
    })
    for (const [nome, value] of Object.entries(campos)) assert.equal(value, null, nome)
  })

  it('that are numbers and flags stay as they are, zero and false among them', () => {
    const entrada = { paciente_idade: 0, latitude: 0, uti: false, 'dados_laboratoriais.hematocrito': 45.5 }
    assert.deepEqual(read(entrada).campos, entrada)
  })

  it('know one zero only', () => {
    assert.ok(Object.is(read({ latitude: -0 }).campos.latitude, 0))
  })

  it('without a field say nothing about it', () => {
    assert.deepEqual(read({}).campos, {})
  })
})

describe('the place a client writes', () => {
  for (const lugar of ['residencia', 'infeccao'] as const) {
    const [municipio, estado] = [`municipio_${lugar}`, `estado_${lugar}`] as const

    it(`of ${lugar} by code brings its state along`, () => {
      assert.deepEqual(read({ [municipio]: '261160' }).campos, { [municipio]: 2_611_606, [estado]: 'PE' })
    })

    it(`of ${lugar} by name is sought in the state sent along, else in the state the case has`, () => {
      assert.equal(read({ [municipio]: 'Bom Jesus', [estado]: 'PI' }).campos[municipio], 2_201_903)
      assert.equal(read({ [municipio]: 'Bom Jesus' }, { [estado]: 'RS' }).campos[municipio], 4_302_303)
    })

    it(`of ${lugar} keeps a state that contradicts the code, for the rules to refuse`, () => {
      const { campos } = read({ [municipio]: '2611606', [estado]: 'SP' })
      assert.deepEqual(campos, { [estado]: 'SP', [municipio]: 2_611_606 })
    })

    it(`of ${lugar} that is unknown is a problem of that field`, () => {
      assert.deepEqual(read({ [municipio]: 'Atlântida', [estado]: 'PE' }).problems, [
        `${municipio} UNKNOWN_MUNICIPIO`,
      ])
    })

    it(`of ${lugar} is taken back with null`, () => {
      assert.deepEqual(read({ [municipio]: null }, { [municipio]: 2_611_606 }).campos, { [municipio]: null })
    })
  }
})
