import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { layoutFor, RIO, valid } from './agravos-definidos.ts'
import type { Linha } from './rows.ts'

const { NU_NOTIFIC: _, ...SEM_NUMERO } = RIO
const BASE: Linha = { ...SEM_NUMERO, RIO_MERG: '7', CS_RACA: '4', OUTRA: 'B12' }
const numberOf = (linha: Linha) => {
  const row = valid(linha)
  assert.ok(row.derivado)
  return row.campos.numero_notificacao
}

describe('the derived number of a defined disease', () => {
  const number = numberOf(BASE)

  it('is a hash of the columns', () => assert.match(number, /^DATASUS-[0-9a-f]{16}$/))

  const SAME: Record<string, Linha> = {
    'in another order': Object.fromEntries(Object.entries(BASE).reverse()),
    'in lower case and with long names': Object.fromEntries(
      Object.entries(BASE).map(([nome, text]) => [
        nome === 'CS_RACA' ? 'tp_raca_cor' : nome.toLowerCase(),
        text,
      ]),
    ),
    'with padding, leading zeros and fractions': {
      ...BASE,
      RIO_MERG: '007.0',
      CS_RACA: ' 04',
      OUTRA: 'B12  ',
    },
    'with dates as other programs write them': { ...BASE, DT_NOTIFIC: '25/04/2024', DT_SIN_PRI: '20240421' },
    'with zeros and "NA" where others have nothing': {
      ...BASE,
      RIO_METROS: '0',
      PESO: '00',
      UF: 'NA',
      X: '',
    },
    'with lots, transfers, flows and weeks': {
      ...BASE,
      ...{ NU_LOTE_V: '12', DT_TRANSUS: '2024-05-01', CS_FLXRET: '1', FLXRECEBI: '2', SEM_NOT: '202417' },
    },
    'with free text': {
      ...BASE,
      DS_OBS: 'x',
      NM_BAIRRO: 'Y',
      NO_MUN: 'z',
      LOC_INF: 'w',
      A_ESP: 'v',
      B_DES: 'u',
      C_OBS: 't',
    },
  }
  for (const [name, linha] of Object.entries(SAME))
    it(`is the same ${name}`, () => assert.equal(numberOf(linha), number))

  for (const [nome, text] of Object.entries({
    RIO_MERG: '8',
    OUTRA: 'B13',
    DT_SIN_PRI: '2024-04-20',
    NOVA: '1',
  }))
    it(`is another with another ${nome}`, () => assert.notEqual(numberOf({ ...BASE, [nome]: text }), number))

  it('does not depend on the definition: columns that nobody knows count, too', () => {
    const lepto = { ...BASE, ID_AGRAVO: 'A279' }
    assert.notEqual(numberOf(lepto), number)
    assert.notEqual(numberOf({ ...lepto, OUTRA: 'B13' }), numberOf(lepto))
  })

  it('is that of every file for the known diseases', () => {
    const dengue = { ...BASE, ID_AGRAVO: 'A90' }
    assert.equal(numberOf(dengue), numberOf({ ...dengue, OUTRA: 'B13' }))
  })

  it('is told once for a file without the column', () => {
    assert.equal(layoutFor(Object.keys(SEM_NUMERO)).avisos.length, 1)
  })
})
