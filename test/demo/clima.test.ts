import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { semanaByCodigo } from '../../src/brasil/epi-week.ts'
import { loadMunicipios } from '../../src/brasil/municipios.ts'
import { climaFiles } from '../../src/demo/clima.ts'

const municipios = await loadMunicipios()
const LAST_DAY = '2026-11-14'
const files = (seed = 1, until = LAST_DAY) => climaFiles(municipios, { seed, until })
const rowsOf = (text: string | undefined) =>
  (text ?? '')
    .split('\n')
    .slice(1)
    .map((line) => line.split(';'))

describe('The made-up climate', () => {
  const [temperatura, chuva] = files()

  it('is the same for the same seed and last day, and another for others', () => {
    assert.deepEqual(files(), files())
    assert.notDeepEqual(files(), files(2))
    assert.notDeepEqual(files(), files(1, '2026-11-01'))
  })

  it('has a temperature for every municipality of one state and every week that is over', () => {
    const rows = rowsOf(temperatura?.text)
    assert.equal(
      new Set(rows.map(([codigo]) => codigo)).size,
      municipios.all.filter(({ uf }) => uf === 'PE').length,
    )
    assert.equal(new Set(rows.map(([, semana]) => semana)).size, 156)
    for (const [, semana = '', valor = ''] of rows) {
      assert.ok((semanaByCodigo(semana)?.fim ?? '9') < LAST_DAY, semana)
      const degrees = Number(valor.replace(',', '.'))
      assert.ok(degrees > 10 && degrees < 30, valor)
    }
  })

  it('has rain of two years, dry days among them, none in the future', () => {
    const rows = rowsOf(chuva?.text)
    assert.equal(rows.length, 5 * 730)
    const amounts = rows.map(([, , valor = '']) => Number(valor.replace(',', '.')))
    assert.ok(amounts.every((amount) => amount >= 0 && amount <= 120))
    assert.ok(amounts.includes(0) && amounts.some((amount) => amount > 20))
    assert.ok(rows.every(([, data = '']) => data < LAST_DAY))
  })
})
