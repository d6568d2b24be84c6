import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readAgravo } from '../../../../src/domain/importacao/layouts/codes.ts'
import { readUf, ufOfCodigo } from '../../../../src/domain/importacao/layouts/states.ts'
import {
  codeOf,
  exchanged,
  isMissing,
  labelOf,
  readCep,
  readDate,
  readIdade,
  readMeasure,
  readNumero,
  readOcupacao,
  readPadded,
  readText,
} from '../../../../src/domain/importacao/layouts/values.ts'

/** Each row: what is read, what comes of it. */
function table<T>(name: string, read: (text: string) => T, rows: [string, T][]) {
  describe(name, () => {
    for (const [text, expected] of rows)
      it(`${JSON.stringify(text)} → ${JSON.stringify(expected)}`, () =>
        assert.deepEqual(read(text), expected))
  })
}

const ANOS = { min: 1900, max: 2026 }

table('dates', (text) => readDate(text, ANOS, true), [
  ['2024-04-25', '2024-04-25'],
  ['20240425', '2024-04-25'],
  ['20240425.0', '2024-04-25'],
  ['25/04/2024', '2024-04-25'],
  ['5/4/2024', '2024-04-05'],
  ['05-04-2024', '2024-04-05'],
  ['2024/04/25', '2024-04-25'],
  ['2024-4-5', '2024-04-05'],
  ['2024-25-04', '2024-04-25'],
  ['2024-04-25T00:00:00', '2024-04-25'],
  ['2024-04-25 13:45:00', '2024-04-25'],
  ['25/04/2024 00:00', '2024-04-25'],
  ['2024-02-29', '2024-02-29'],
  ['2023-02-29', null],
  ['1900-02-29', null],
  ['2000-02-29', '2000-02-29'],
  ['31/04/2024', null],
  ['04/25/2024', null],
  ['201-05-08', null],
  ['2567-02-06', null],
  ['1899-12-31', null],
  ['2027-01-01', null],
  ['00000000', null],
  ['**', null],
  ['********', null],
  ['2024-04', null],
  ['2024-04-25-01', null],
  ['2024-04-25x', null],
  ['25/04/24', null],
  ['202404251', null],
  ['', null],
  ['NA', null],
])

it('a year-first date with day and month exchanged is refused where it was not asked for', () =>
  assert.equal(readDate('2024-25-04', ANOS), null))

table('the other reading of a date', exchanged, [
  ['2021-03-05', '2021-05-03'],
  ['2021-03-03', null],
  ['2021-03-25', null],
  ['2021-02-11', '2021-11-02'],
])

table('ages', readIdade, [
  ['4029', 29],
  ['4000', 0],
  ['4120', 120],
  ['4121', 121],
  ['4029.0', 29],
  ['3009', 0],
  ['3011', 0],
  ['2000', 0],
  ['1012', 0],
  ['0030', 0],
  ['A029', 29],
  ['a029', 29],
  ['M003', 0],
  ['D010', 0],
  ['H005', 0],
  ['A130', 130],
  ['5029', undefined],
  ['X029', undefined],
  ['29', undefined],
  ['029', undefined],
  ['40290', undefined],
  ['4-29', undefined],
  ['0', null],
  ['0000', null],
  ['', null],
  ['NA', null],
])

table('missing values', isMissing, [
  ['', true],
  ['NA', true],
  ['na', true],
  ['NaN', true],
  ['nan', true],
  ['NULL', true],
  ['Null', true],
  ['None', true],
  ['0', false],
  ['NADA', false],
])

table('codes', codeOf, [
  ['9', '9'],
  ['09', '9'],
  ['9.0', '9'],
  ['00', '0'],
  ['0', '0'],
  ['10.0', '10'],
  ['A90', 'A90'],
])

table('labels', labelOf, [
  ['  Não ', 'nao'],
  ['Óbito por outras causas', 'obito_por_outras_causas'],
  ['1º Trimestre', '1o_trimestre'],
  ['Ensino médio completo (antigo colegial ou 2° grau)', 'ensino_medio_completo'],
  ['--', ''],
])

table('diseases', readAgravo, [
  ['A90', 'dengue'],
  ['A90  ', 'dengue'],
  ['A900', 'dengue'],
  ['a90', 'dengue'],
  ['A91', 'dengue'],
  ['A97.2', 'dengue'],
  ['A92', 'chikungunya'],
  ['A92.', 'chikungunya'],
  ['A920', 'chikungunya'],
  ['A92.0', 'chikungunya'],
  ['A928', 'zika'],
  ['A92.8', 'zika'],
  ['A92.5', 'zika'],
  ['U06.9', 'zika'],
  ['Dengue', 'dengue'],
  ['FEBRE DE CHIKUNGUNYA', 'chikungunya'],
  ['Doença aguda pelo vírus Zika', 'zika'],
  ['A929', undefined],
  ['B54', undefined],
  // What every object has is no disease.
  ['constructor', undefined],
  ['__proto__', undefined],
  ['toString', undefined],
  ['hasOwnProperty', undefined],
  ['', null],
  ['NA', null],
])

table('states', readUf, [
  ['26', 'PE'],
  ['26.0', 'PE'],
  ['PE', 'PE'],
  ['pe', 'PE'],
  ['Pernambuco', 'PE'],
  ['São Paulo', 'SP'],
  ['53', 'DF'],
  ['00', undefined],
  ['07', undefined],
  ['61', undefined],
  ['MH', undefined],
  ['1 ', undefined],
  ['', null],
])

table('the state of a municipality code', ufOfCodigo, [
  ['110000', 'RO'],
  ['260000', 'PE'],
  ['990000', null],
])

table('health units', (text) => readPadded(text, 7), [
  ['477', '0000477'],
  ['0000477', '0000477'],
  ['477.0', '0000477'],
  ['2711923', '2711923'],
  ['00002711923', '2711923'],
  ['27119230', undefined],
  ['ABC', undefined],
  ['0', null],
  ['', null],
])

table('postal codes', readCep, [
  ['51020000', '51020000'],
  ['51020-000', '51020000'],
  ['51.020-000', '51020000'],
  ['51020000.0', '51020000'],
  ['1310100', '01310100'],
  ['00000000', null],
  ['510200001', undefined],
  ['CENTRO', undefined],
  ['', null],
])

table('occupations', readOcupacao, [
  ['999991', '999991'],
  ['999991.0', '999991'],
  ['10105', '010105'],
  ['010105', '010105'],
  ['XXX', null],
  ['000000', null],
  ['NA', null],
  ['Professora', 'Professora'],
])

table('measures', (text) => readMeasure(text, 5_000_000, true), [
  ['54000.0', 54000],
  ['54000', 54000],
  ['0.0', null],
  ['0', null],
  ['', null],
  ['-1', undefined],
  ['5000001', undefined],
  ['10.5', undefined],
  ['muitas', undefined],
])

it('a measure that need not be whole takes a comma', () =>
  assert.equal(readMeasure('41,5', 100, false), 41.5))

table('notification numbers', readNumero, [
  ['1234567', '1234567'],
  ["1'35568", '135568'],
  ['1.234.567', '1234567'],
  ['1,234,567', '1234567'],
  ['1234567.0', '1234567'],
  [' 1234567 ', '1234567'],
  ['0012345', '12345'],
  ['12345.0', '12345'],
  ['AB-12', 'AB-12'],
  ['0000000', null],
  ["'", null],
  ['', null],
  ['NA', null],
])

table('texts', (text) => readText(text, 10), [
  ['BOA VIAGEM', { text: 'BOA VIAGEM', cut: false }],
  ['BOA VIAGEM 2', { text: 'BOA VIAGEM', cut: true }],
  ['A\0B', { text: 'AB', cut: false }],
  ['A\ud800', { text: 'A\ufffd', cut: false }],
  ['😀😀😀😀😀😀', { text: '😀😀😀😀😀😀', cut: false }],
  ['  ', { text: null, cut: false }],
  ['NA', { text: null, cut: false }],
])
