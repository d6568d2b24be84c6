import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FIELD_NAMES } from '../../../../src/domain/casos/campos.ts'
import { SINAN_COLUMNS } from '../../../../src/domain/importacao/layouts/columns.ts'
import { casoOf, convert, layoutOf, PROPRIO, recusaOf, SINAN } from './rows.ts'

const COLUNAS = Object.keys(SINAN)
const SINAN_INTEIRA = {
  ...Object.fromEntries(Object.keys(SINAN_COLUMNS).map((nome) => [nome, ''])),
  ...SINAN,
}
const PROPRIO_INTEIRA = { ...Object.fromEntries(FIELD_NAMES.map((nome) => [nome, ''])), ...PROPRIO }

describe('a header of SINAN', () => {
  const VARIANTS: Record<string, (nome: string) => string> = {
    'in lower case': (nome) => nome.toLowerCase(),
    'with blanks around': (nome) => `  ${nome} `,
    'in quotes': (nome) => `"${nome}"`,
    'with a byte order mark': (nome) => (nome === 'NU_NOTIFIC' ? `\uFEFF${nome}` : nome),
    'with both': (nome) => (nome === 'NU_NOTIFIC' ? `\uFEFF"${nome}"` : nome),
    'with accents': (nome) => nome.replace('A', 'Á'),
  }
  for (const [name, variant] of Object.entries(VARIANTS))
    it(`is known ${name}`, () => {
      const layout = layoutOf(COLUNAS.map(variant))
      assert.equal(layout.nome, 'sinan')
      assert.deepEqual(layout.avisos, [])
      assert.deepEqual(layout.convert(Object.values(SINAN)), convert(SINAN))
    })

  it('with the long names tells the same', () => {
    const longa = {
      nu_notificacao: '1234567',
      tp_notificacao: '2',
      co_cid: 'A90',
      dt_notificacao: '2024-04-25',
      dt_diagnostico_sintoma: '2024-04-21',
      co_uf_residencia: '26',
      co_municipio_residencia: '261160',
    }
    assert.deepEqual(casoOf(longa), casoOf(SINAN))
  })

  it('names the fields that its columns can set, and no other', () => {
    const { fields } = layoutOf([...COLUNAS, 'CS_GESTANT', 'ALRM_VOM', 'COMUNINF', 'NM_MAE_PAC', 'UF'])
    assert.deepEqual(fields, [
      'tipo_agravo',
      'numero_notificacao',
      'data_notificacao',
      'data_inicio_sintomas',
      'paciente_gestante',
      'municipio_residencia',
      'estado_residencia',
      'municipio_infeccao',
      'estado_infeccao',
      'dados_especificos.sinais_alarme',
      'dados_especificos.idade_gestacional',
      'dados_especificos.hospital_estado',
      'dados_clinicos.sinais_sintomas.vomito_persistente',
    ])
  })

  it('without a disease column takes the disease it is told, for every row', () => {
    const { ID_AGRAVO: _, ...linha } = SINAN
    assert.match(recusaOf(Object.keys(linha)), /não tem a coluna ID_AGRAVO: .*tipo de agravo/)
    assert.equal(casoOf(linha, 'zika').tipo_agravo, 'zika')
    assert.ok(!layoutOf(Object.keys(linha), 'zika').fields.includes('tipo_agravo'))
  })

  it('with a disease column goes by it, whatever it is told', () => {
    assert.equal(casoOf(SINAN, 'zika').tipo_agravo, 'dengue')
    assert.equal(convert({ ...SINAN, ID_AGRAVO: '' }, 'zika').ok, false)
  })

  it('needs a few more columns than date and disease', () => {
    assert.match(recusaOf(['ID_AGRAVO', 'DT_NOTIFIC', 'SG_UF', 'X']), /^Layout não reconhecido/)
    assert.match(recusaOf(['DT_NOTIFIC', 'X', 'Y', 'Z', 'W'], 'dengue'), /^Layout não reconhecido/)
    assert.equal(layoutOf(['ID_AGRAVO', 'DT_NOTIFIC', 'SG_UF', 'CS_SEXO', 'NU_ANO']).nome, 'sinan')
  })
})

describe('odd columns', () => {
  it('of which one comes twice: the first counts, with a warning', () => {
    const layout = layoutOf([...COLUNAS, 'ID_MN_RESID', 'id_agravo'])
    assert.deepEqual(layout.avisos, [
      { column: 'ID_MN_RESID', message: 'Coluna repetida no arquivo: vale a primeira' },
      { column: 'id_agravo', message: 'Coluna repetida no arquivo: vale a primeira' },
    ])
    const convertida = layout.convert([...Object.values(SINAN), '355030', 'A920'])
    assert.ok(convertida.ok)
    assert.deepEqual(
      [convertida.campos.municipio_residencia, convertida.campos.tipo_agravo],
      [2611606, 'dengue'],
    )
  })

  it('that mean nothing are named, the first few of them, in one warning', () => {
    const layout = layoutOf([...COLUNAS, 'C1', 'C2', 'C3', 'C4', 'C5', 'C6', 'C7', '', 'NU_LOTE_I', 'DS_OBS'])
    assert.deepEqual(layout.avisos, [
      { column: null, message: 'Colunas desconhecidas, não lidas: C1, C2, C3, C4, C5 e mais 2' },
    ])
  })

  it('in our own layout too', () => {
    const { avisos } = layoutOf([...Object.keys(PROPRIO), 'febre', 'dados_especificos.febre', 'id'])
    assert.deepEqual(avisos, [
      { column: 'dados_especificos.febre', message: 'Coluna repetida no arquivo: vale a primeira' },
      { column: null, message: 'Colunas desconhecidas, não lidas: id' },
    ])
  })
})

describe('our own header', () => {
  it('is known in any case and order, by number, date and disease', () => {
    assert.equal(layoutOf(Object.keys(PROPRIO).reverse()).nome, 'proprio')
    assert.equal(layoutOf(Object.keys(PROPRIO).map((nome) => nome.toUpperCase())).nome, 'proprio')
  })
  it('without the disease needs to be told it', () => {
    const { tipo_agravo: _, ...linha } = PROPRIO
    assert.match(recusaOf(Object.keys(linha)), /não tem a coluna tipo_agravo/)
    assert.equal(casoOf(linha, 'chikungunya').tipo_agravo, 'chikungunya')
  })
})

describe('any other header is refused', () => {
  it('saying what was expected and what was found', () => {
    const refusal = recusaOf(['codigo', 'sigla', 'descricao'], 'dengue')
    for (const word of [
      'ID_AGRAVO',
      'DT_NOTIFIC',
      'tipo_agravo',
      'data_notificacao',
      'codigo, sigla, descricao',
    ])
      assert.ok(refusal.includes(word), word)
  })
  it('also an empty one', () => assert.match(recusaOf(['', ' ']), /Encontrado: nenhuma coluna$/))
  it('and names only the first columns of a long one', () =>
    assert.match(recusaOf(Array.from({ length: 300 }, (_, i) => `X${i}`)), /X0, X1, X2, X3, X4 e mais 295$/))
})

describe('What every object has', () => {
  const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']

  it('is no column of ours', () => {
    for (const linha of [SINAN, PROPRIO]) {
      const header = [...Object.keys(linha), ...NAMES]
      const { fields, avisos } = layoutOf(header)
      assert.deepEqual(fields, layoutOf(Object.keys(linha)).fields)
      assert.match(avisos[0]?.message ?? '', /^Colunas desconhecidas, não lidas: constructor/)
    }
    assert.match(recusaOf(NAMES), /^Layout não reconhecido/)
  })

  it('is not understood in any column: left out with a warning, kept as the text it is, or refused', () => {
    for (const linha of [SINAN_INTEIRA, PROPRIO_INTEIRA])
      for (const coluna of Object.keys(linha))
        for (const texto of NAMES) {
          const convertida = convert({ ...linha, [coluna]: texto })
          if (!convertida.ok) continue
          const values = Object.values(convertida.campos).flat()
          assert.ok(values.every((value) => typeof value !== 'function' && value !== Object.prototype))
          assert.ok(['dengue', 'zika', 'chikungunya'].includes(convertida.campos.tipo_agravo), coluna)
        }
  })
})
