import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createRandom } from '../../../../fuzz/random.ts'
import { type ChaveDoCaso, MOST_OF_KEY } from '../../../../src/domain/casos/duplicidades/identidade.sql.ts'
import { paresOf } from '../../../../src/domain/casos/duplicidades/pares.ts'

const DIAS = 60
const row = (chave: string, dia: number, caso_id: number): ChaveDoCaso => ({ chave, dia, caso_id })
const inOrder = (one: ChaveDoCaso, other: ChaveDoCaso) =>
  Number(one.chave) - Number(other.chave) || one.dia - other.dia || one.caso_id - other.caso_id
const names = (rows: readonly ChaveDoCaso[]) =>
  paresOf(rows, DIAS)
    .map(({ caso_1, caso_2 }) => `${caso_1}/${caso_2}`)
    .toSorted()

describe('pairs of cases that share a key', () => {
  it('joins cases of one key within the days, the smaller id first', () => {
    assert.deepEqual(names([row('1', 0, 9), row('1', 60, 4), row('1', 121, 5), row('2', 121, 6)]), ['4/9'])
  })

  it('tells a pair of several keys once', () => {
    assert.deepEqual(names([row('1', 0, 1), row('1', 3, 2), row('2', 0, 1), row('2', 3, 2)]), ['1/2'])
  })

  it('finds what comparing all with all finds', () => {
    const random = createRandom(7)
    const rows = Array.from({ length: 400 }, (_, i) =>
      row(String(random.integer(0, 40)), random.integer(0, 365), i),
    )
    const expected = rows.flatMap((one) =>
      rows
        .filter((o) => o.caso_id > one.caso_id && o.chave === one.chave && Math.abs(o.dia - one.dia) <= DIAS)
        .map((o) => `${one.caso_id}/${o.caso_id}`),
    )
    assert.ok(expected.length > 100)
    assert.deepEqual(names(rows.toSorted(inOrder)), expected.toSorted())
  })

  it('bounds the work of a name that stands for no name', () => {
    const rows = Array.from({ length: MOST_OF_KEY * 3 }, (_, i) => row('1', 0, i))
    const pares = paresOf(rows, DIAS)
    const perCase = Map.groupBy(pares, ({ caso_2 }) => caso_2)
    assert.equal(Math.max(...[...perCase.values()].map((of) => of.length)), MOST_OF_KEY)
  })
})
