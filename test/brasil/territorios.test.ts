import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Municipio } from '../../src/brasil/municipios.ts'
import { indexPopulacao } from '../../src/brasil/populacao.ts'
import { parseFigures } from '../../src/brasil/tabela.ts'
import { indexTerritorios } from '../../src/brasil/territorios.ts'

const SUL = { codigo: 26002, nome: 'Sul', uf: 'PE' }
const NORTE = { codigo: 26001, nome: 'Norte', uf: 'PE' }
const place = (codigo: number, uf: string, regiao: Municipio['regiao']): Municipio => ({
  codigo,
  nome: `Lugar ${codigo}`,
  uf,
  latitude: -8,
  longitude: -35,
  regiao,
})
const A = place(2600001, 'PE', SUL)
const B = place(2600002, 'PE', NORTE)
const C = place(2600003, 'PE', SUL)
const NEW = place(5100001, 'MT', null)
const territorios = indexTerritorios([A, B, C, NEW])
const populacao = indexPopulacao(
  parseFigures(Buffer.from('codigo;2000;2001;2002\n2600001;10;11;12\n2600003;100;200;300\n')),
)

describe('Territories', () => {
  it('find a region by its code, and its municipalities', () => {
    assert.equal(territorios.regiaoByCodigo(26002), SUL)
    assert.deepEqual(territorios.municipiosOfRegiao(26002), [A, C])
    assert.equal(territorios.regiaoByCodigo(26003), null)
    assert.deepEqual(territorios.municipiosOfRegiao(26003), [])
  })

  it('list regions and municipalities of a state by code', () => {
    assert.deepEqual(territorios.regioesOf('PE'), [NORTE, SUL])
    assert.deepEqual(territorios.municipiosOf('PE'), [A, B, C])
    assert.deepEqual(territorios.regioesOf('MT'), [])
    assert.deepEqual(territorios.municipiosOf('MT'), [NEW])
  })
})

describe('A population', () => {
  it('is that of the year, of the last one known after it, of the first one before', () => {
    for (const [ano, known, residents] of [
      [1999, 2000, 10],
      [2000, 2000, 10],
      [2001, 2001, 11],
      [2002, 2002, 12],
      [2003, 2002, 12],
      [9999, 2002, 12],
    ] as const) {
      assert.equal(populacao.knownYear(ano), known)
      assert.equal(populacao.populationOf(A, ano), residents)
    }
  })

  it('is null, not 0, where there are no figures', () => {
    assert.equal(populacao.populationOf(B, 2001), null)
    assert.equal(populacao.populationOfAll([B, NEW], 2001), null)
    assert.equal(populacao.populationOfAll([], 2001), null)
    assert.equal(populacao.seriesOf([B, NEW]), null)
  })

  it('of a larger place is the sum of the municipalities that have one', () => {
    assert.equal(populacao.populationOfAll([A, B, C], 2001), 211)
    assert.equal(populacao.populationOfAll([A, B, C], 2050), 312)
    assert.deepEqual(populacao.seriesOf([A, B, C]), [110, 211, 312])
  })
})
