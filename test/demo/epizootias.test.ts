import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadMunicipios } from '../../src/brasil/municipios.ts'
import { epizootiasFile } from '../../src/demo/epizootias.ts'
import { chooseLayout } from '../../src/domain/epizootias/importacao/layouts.ts'
import { resolve } from '../../src/domain/epizootias/regras.ts'

const municipios = await loadMunicipios()
const LAST_DAY = '2026-11-14'
const file = (seed = 1, until = LAST_DAY) => epizootiasFile(municipios, { seed, until })
const [header = [], ...rows] = file()
  .text.split('\n')
  .map((line) => line.split(';'))
const SUSPEITAS = new Set(['febre_amarela', 'raiva', 'febre_nilo'])

describe('The made-up events in animals', () => {
  it('are the same for the same seed and last day, and others for others', () => {
    assert.deepEqual(file(), file())
    assert.notDeepEqual(file(), file(2))
    assert.notDeepEqual(file(), file(1, '2026-11-01'))
  })

  it('keep every rule of a record, and none is in the future', () => {
    const layout = chooseLayout(header)
    const referencia = { municipios, suspeitas: SUSPEITAS, today: LAST_DAY }
    for (const values of rows) {
      const entrada = layout.read({ values } as never)
      assert.deepEqual(resolve(null, entrada as never, referencia).problems, [], values.join(';'))
    }
    assert.equal(new Set(rows.map(([numero]) => numero)).size, rows.length)
  })

  it('say that they are made up, and have every classification', () => {
    const at = (name: string) => header.indexOf(name)
    for (const row of rows) {
      assert.match(row[at('localidade')] ?? '', /gerado para demonstração/)
      assert.match(row[at('observacao')] ?? '', /não é um evento real/)
    }
    assert.equal(new Set(rows.map((row) => row[at('classificacao')])).size, 4)
  })
})
