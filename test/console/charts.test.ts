import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  arrivingFrom,
  begunOf,
  type Frame,
  labelledSteps,
  legibleTicks,
  nearestStep,
  stepScale,
  valueScale,
} from '../../src/charts/scales.ts'
import { csvOf } from '../../web/console/charts/table-data.ts'
import { classOf, colourOf, cutsOf, isFlat } from '../../web/console/map/classes.ts'

const FRAME: Frame = { width: 760, height: 286, top: 16, right: 10, bottom: 28, left: 46 }

/** Epidemiological weeks of a year, from its first Sunday. */
const weeksFrom = (sunday: string, count: number) =>
  Array.from({ length: count }, (_, i) => {
    const day = (offset: number) =>
      new Date(Date.parse(sunday) + (7 * i + offset) * 86_400_000).toISOString().slice(0, 10)
    return { inicio: day(0), fim: day(6) }
  })

describe('Scales of a chart', () => {
  it('begin at zero and end at a labelled value, also without cases', () => {
    for (const most of [0, 1, 7, 2_178, 47_409]) {
      const { y, ticks } = valueScale(most, FRAME)
      assert.equal(y(0), FRAME.height - FRAME.bottom)
      assert.equal(ticks[0], 0)
      assert.ok((ticks.at(-1) as number) >= most, `${most} is below the highest label`)
      assert.ok(y(ticks.at(-1) as number) >= FRAME.top - 1e-9)
    }
  })

  it('have no two ticks with the same label', () => {
    const whole = (value: number) => value.toFixed(0)
    assert.deepEqual(legibleTicks([0, 0.5, 1, 1.5, 2], whole), [0, 1, 2])
    assert.deepEqual(legibleTicks([0, 0.5, 1], String), [0, 0.5, 1])
    assert.deepEqual(legibleTicks([0, 10, 20], whole), [0, 10, 20])
  })

  it('put every week between the edges, and find the week of a place', () => {
    const x = stepScale(52, FRAME)
    assert.deepEqual([x(0), x(51)], [46, 750])
    for (let week = 0; week < 52; week++) assert.equal(nearestStep(x(week) + 3, 52, FRAME), week)
    assert.equal(nearestStep(-100, 52, FRAME), 0)
    assert.equal(nearestStep(5_000, 52, FRAME), 51)
    assert.equal(nearestStep(300, 1, FRAME), 0, 'one week alone')
  })

  it('label as many weeks as there is room for', () => {
    assert.deepEqual(labelledSteps(52, FRAME).slice(0, 3), [0, 4, 8])
    assert.deepEqual(labelledSteps(52, { ...FRAME, width: 330 }).slice(0, 3), [0, 8, 16])
    assert.deepEqual(labelledSteps(4, FRAME), [0, 1, 2, 3])
  })
})

describe('Weeks that are still arriving', () => {
  const weeks = weeksFrom('2026-01-04', 46)

  it('are the last four that are over, and the present one', () => {
    const first = arrivingFrom(weeks, '2026-11-17') as number
    assert.equal(weeks.length - first, 5)
    assert.deepEqual(weeks[first], { inicio: '2026-10-18', fim: '2026-10-24' })
    assert.equal(begunOf(weeks, '2026-11-17'), 46)
  })

  it('are none of an old period, nor of one to come', () => {
    assert.equal(arrivingFrom(weeks, '2027-06-01'), null)
    assert.equal(arrivingFrom(weeks, '2025-06-01'), null)
    assert.equal(begunOf(weeks, '2026-01-20'), 3)
  })
})

describe('The table behind a chart', () => {
  it('is a file that spreadsheets read', () => {
    const csv = csvOf({
      columns: ['Lugar', 'Casos'],
      rows: [['Santa "B"; SP', { text: '1.234', href: '/x' }]],
    })
    assert.equal(csv, '\uFEFFLugar;Casos\r\n"Santa ""B""; SP";1.234\r\n')
  })
})

describe('Classes of the map', () => {
  it('have the same cuts for every incidence', () => {
    const cuts = cutsOf('incidencia', [])
    assert.deepEqual(
      [0, 49.9, 50, 299, 300, 1_199, 1_200, 9_000].map((value) => classOf(value, cuts)),
      [0, 0, 1, 2, 3, 5, 6, 6],
    )
    assert.equal(classOf(null, cuts), null)
  })

  it('are about equally full for counts, and never more than the values', () => {
    const values = Array.from({ length: 700 }, (_, i) => i + 1)
    const cuts = cutsOf('casos', values)
    assert.equal(cuts.length, 6)
    const sizes = Map.groupBy(values, (value) => classOf(value, cuts))
    assert.ok([...sizes.values()].every(({ length }) => length > 60 && length < 140))
    assert.deepEqual(cutsOf('casos', [1, 1, 1]), [1])
    assert.deepEqual(cutsOf('casos', [0, 0]), [])
  })

  it('are spread over all colours where there are few of them', () => {
    const coloursOf = (cuts: number[]) => [0, ...cuts].map((_, i) => colourOf(i, cuts))
    assert.deepEqual(coloursOf(cutsOf('incidencia', [])), [0, 1, 2, 3, 4, 5, 6])
    assert.deepEqual(coloursOf([1, 4]), [0, 3, 6])
    assert.deepEqual(coloursOf([]), [0])
  })

  it('say of a change whether it is less, the same or more', () => {
    const cuts = cutsOf('mudanca', [])
    assert.deepEqual(
      [-100, -50, -33, -9, 0, 9.9, 10, 50, 100, 900].map((value) => classOf(value, cuts)),
      [0, 1, 2, 3, 3, 3, 4, 5, 6, 6],
    )
  })

  it('are one for incidence where nothing reaches the second', () => {
    assert.equal(isFlat([0, 49.9, null]), true)
    assert.equal(isFlat([0, 50]), false)
  })
})
