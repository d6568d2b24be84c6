import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addDays, dateInBrazil, isCalendarDate, yearsBetween } from '../../src/brasil/calendar.ts'

describe('a calendar date', () => {
  for (const text of ['2026-01-31', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])
    it(`is ${text}`, () => assert.ok(isCalendarDate(text)))

  for (const text of [
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '0000-01-01',
    '2026-1-1',
    '26-01-01',
    '12026-01-01',
    '20260101',
    '01/02/2026',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '2026-01-01\n',
    '٢٠٢٦-٠١-٠١',
    'today',
    'infinity',
    '',
  ])
    it(`is not ${JSON.stringify(text)}`, () => assert.ok(!isCalendarDate(text)))
})

describe('the date in Brazil', () => {
  for (const [moment, date] of [
    ['2026-03-10T02:59:59.999Z', '2026-03-09'],
    ['2026-03-10T03:00:00.000Z', '2026-03-10'],
    ['2026-01-01T00:30:00Z', '2025-12-31'],
    ['2024-03-01T01:00:00Z', '2024-02-29'],
    // Summer time, which ended in 2019: two hours behind.
    ['2018-12-10T01:59:59Z', '2018-12-09'],
    ['2018-12-10T02:00:00Z', '2018-12-10'],
  ] as const)
    it(`is ${date} at ${moment}`, () => assert.equal(dateInBrazil(new Date(moment)), date))
})

describe('days added to a date', () => {
  for (const [date, days, expected] of [
    ['2024-02-28', 1, '2024-02-29'],
    ['2024-02-28', 2, '2024-03-01'],
    ['2026-01-01', -1, '2025-12-31'],
    ['2018-11-03', 1, '2018-11-04'],
    ['2018-11-04', 1, '2018-11-05'],
    ['2026-05-05', 0, '2026-05-05'],
    ['2026-05-05', 365, '2027-05-05'],
  ] as const)
    it(`give ${expected} from ${date} with ${days}`, () => assert.equal(addDays(date, days), expected))
})

describe('completed years', () => {
  for (const [birth, date, years] of [
    ['1990-05-20', '2026-05-19', 35],
    ['1990-05-20', '2026-05-20', 36],
    ['1990-05-20', '2026-05-21', 36],
    ['2024-02-29', '2025-02-28', 0],
    ['2024-02-29', '2025-03-01', 1],
    ['2024-02-29', '2028-02-29', 4],
    ['2026-01-01', '2026-01-01', 0],
    ['2025-12-31', '2026-01-01', 0],
    ['1896-03-01', '2026-03-01', 130],
  ] as const)
    it(`from ${birth} to ${date} are ${years}`, () => assert.equal(yearsBetween(birth, date), years))
})
