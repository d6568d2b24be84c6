import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { align, sourceRange } from '../../../src/domain/series/alinhamento.ts'
import { faixaOf } from '../../../src/domain/series/faixas.ts'
import { SLOTS, yearOf } from '../../../src/domain/series/periodos.ts'
import { faixaDeSemanas, packSemanas, readSemanas } from '../../../src/domain/series/semanas.ts'

const AGREGA = ['soma', 'media', 'minimo', 'maximo', 'ultimo'] as const
/** Weeks of 1949 to 2032: years of every weekday, leap years, days before 1970. */
const FIRST = -1_090
const WEEKS = 4_300

/** Random numbers below 1. */
function randomFrom(seed: number): () => number {
  let state = seed | 1
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x297a2d39
    return ((state ^ (state >>> 12)) >>> 0) / 4_294_967_296
  }
}

/** A year of days, of which a share has no value; 29 February only where there is one. */
function valoresOf(ano: number, random: () => number, missing: number): Float64Array {
  const isLeap = new Date(Date.UTC(ano, 1, 29)).getUTCDate() === 29
  return Float64Array.from({ length: SLOTS.dia }, (_, slot) => {
    const valor = Math.round(random() * 1_000) / 10 - 20
    return random() < missing || (slot === 59 && !isLeap) ? Number.NaN : valor
  })
}

const asked = fc.record({
  seed: fc.nat(),
  first: fc.integer({ min: FIRST, max: FIRST + WEEKS }),
  length: fc.integer({ min: 1, max: 170 }),
  agrega: fc.constantFrom(...AGREGA),
  validade: fc.constantFrom(0, 0, 1, 26),
  missing: fc.constantFrom(0, 0.1, 0.4, 0.9),
  gone: fc.constantFrom(0, 0.3, 0.8),
})

describe('weeks beside the days of a block', () => {
  it('say of every week what its days say, bit by bit', () => {
    let valued = 0
    const property = fc.property(asked, ({ seed, first, length, agrega, validade, missing, gone }) => {
      const random = randomFrom(seed)
      const last = first + length - 1
      const serie = { periodo: 'dia', agrega_tempo: agrega, validade } as const
      const source = sourceRange(serie, 'semana', first, last)
      const blocos = []
      for (let ano = yearOf('dia', source.first); ano <= yearOf('dia', source.last); ano++) {
        const valores = valoresOf(ano, random, missing)
        // Some as they are stored, some made of their days.
        const semanas = random() < 0.5 ? packSemanas(agrega, ano, valores) : null
        if (random() >= gone) blocos.push({ ano, valores, semanas })
      }
      const semanas = faixaDeSemanas(first - validade, last)
      // Leaves nothing of what was read before.
      semanas.valores.fill(7)
      semanas.dias.fill(7)
      readSemanas(semanas, agrega, blocos)
      const found = align(serie, semanas, 'semana', first, last)
      assert.deepEqual(found, align(serie, faixaOf('dia', blocos, source), 'semana', first, last))
      valued += found.filter(({ valor }) => valor !== null).length
    })
    fc.assert(property, { numRuns: 1_000, seed: 48 })
    assert.ok(valued > 1_000)
  })

  it('take a sixth of the bytes', () => {
    for (let ano = 1950; ano <= 2030; ano++)
      assert.ok(packSemanas('media', ano, new Float64Array(SLOTS.dia)).length <= 531)
  })
})
