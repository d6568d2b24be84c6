import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addDays } from '../../src/brasil/calendar.ts'
import {
  anoOfWeek,
  firstWeekOf,
  semanaAt,
  semanaByCodigo,
  semanaOf,
  sundayOfWeek,
  weekOf,
  weeksIn,
} from '../../src/brasil/epi-week.ts'

/** The Sundays on which the epidemiological year begins, as the Ministry publishes them. */
const INICIOS: Record<number, string> = {
  2019: '2018-12-30',
  2020: '2019-12-29',
  2021: '2021-01-03',
  2022: '2022-01-02',
  2023: '2023-01-01',
  2024: '2023-12-31',
  2025: '2024-12-29',
  2026: '2026-01-04',
}

describe('the epidemiological week', () => {
  for (const [ano, inicio] of Object.entries(INICIOS))
    it(`1 of ${ano} begins on ${inicio}`, () => {
      assert.equal(semanaOf(inicio).codigo, `${ano}01`)
      assert.equal(semanaOf(inicio).inicio, inicio)
      assert.equal(semanaOf(`${ano}-01-04`).codigo, `${ano}01`)
    })

  for (const [date, codigo, inicio, fim] of [
    ['2023-12-30', '202352', '2023-12-24', '2023-12-30'],
    ['2023-12-31', '202401', '2023-12-31', '2024-01-06'],
    ['2021-01-01', '202053', '2020-12-27', '2021-01-02'],
    ['2021-01-02', '202053', '2020-12-27', '2021-01-02'],
    ['2021-01-03', '202101', '2021-01-03', '2021-01-09'],
    ['2026-01-03', '202553', '2025-12-28', '2026-01-03'],
    ['2018-12-30', '201901', '2018-12-30', '2019-01-05'],
    ['2024-02-29', '202409', '2024-02-25', '2024-03-02'],
  ] as const)
    it(`of ${date} is ${codigo}`, () => {
      assert.deepEqual(semanaOf(date), { codigo, inicio, fim })
    })

  it('is Sunday to Saturday, numbered from the first with four days in the year, on every day of 1990 to 2030', () => {
    for (const { date, codigo, inicio, fim } of countedByHand())
      assert.deepEqual(semanaOf(date), { codigo, inicio, fim }, date)
  })

  it('comes 53 times in 2014, 2020 and 2025, 52 times in the other years since 2009', () => {
    for (let ano = 2009; ano <= 2030; ano++)
      assert.equal(semanaByCodigo(`${ano}53`) !== null, [2014, 2020, 2025].includes(ano), String(ano))
  })
})

describe('a week by its code', () => {
  it('is the week of each of its days', () => {
    for (let ano = 1990; ano <= 2030; ano++)
      for (let numero = 1; numero <= 53; numero++) {
        const semana = semanaByCodigo(`${ano}${String(numero).padStart(2, '0')}`)
        if (semana === null) assert.equal(numero, 53)
        else for (const date of [semana.inicio, semana.fim]) assert.deepEqual(semanaOf(date), semana)
      }
  })

  it('is known also in the first and last years there are', () => {
    assert.equal(semanaByCodigo('000120')?.codigo, '000120')
    assert.equal(semanaByCodigo('999920')?.codigo, '999920')
  })

  for (const codigo of [
    '202400',
    '202453',
    '202354',
    '202154',
    '202099',
    '000001',
    '20241',
    '2024001',
    '2024-1',
    '2024W1',
    ' 202401',
    '202401\n',
    '',
    'agosto',
  ])
    it(`is null where there is none: ${JSON.stringify(codigo)}`, () => {
      assert.equal(semanaByCodigo(codigo), null)
    })
})

/** By the definition, one week after the other: each belongs to the year that has most of its days. */
function* countedByHand() {
  const dayAt = (sunday: number, days: number) => new Date(sunday + days * 86_400_000)
  const day = (date: Date) => date.toISOString().slice(0, 10)
  let ano = 0
  let numero = 0
  // A Sunday, with six days of 1990 in its week.
  for (let sunday = Date.UTC(1989, 11, 31); sunday < Date.UTC(2031, 0, 1); sunday += 7 * 86_400_000) {
    const week = [0, 1, 2, 3, 4, 5, 6].map((days) => dayAt(sunday, days))
    const years = Map.groupBy(week, (date) => date.getUTCFullYear())
    const [owner] = [...years].find(([, days]) => days.length >= 4) as [number, Date[]]
    numero = owner === ano ? numero + 1 : 1
    ano = owner
    const codigo = `${ano}${String(numero).padStart(2, '0')}`
    const [inicio, fim] = [day(week[0] as Date), day(week[6] as Date)]
    for (const date of week) yield { date: day(date), codigo, inicio, fim }
  }
}

describe('Weeks on one line', () => {
  it('have numbers that count days between Sundays, across years of 52 and 53 weeks', () => {
    for (let day = '2013-12-20'; day < '2026-02-01'; day = addDays(day, 1)) {
      const { codigo, inicio } = semanaOf(day)
      const week = weekOf(day)
      assert.equal(sundayOfWeek(week), inicio)
      assert.deepEqual(semanaAt(week), semanaOf(day))
      assert.equal(anoOfWeek(week), Number(codigo.slice(0, 4)))
      assert.equal(week - firstWeekOf(anoOfWeek(week)) + 1, Number(codigo.slice(4)))
      assert.equal(weekOf(addDays(inicio, 7)), week + 1)
    }
    assert.equal(weekOf('1969-12-31'), -1)
  })

  it('are 53 in 2014, 2020 and 2025', () => {
    const long = [...Array(13).keys()].map((i) => 2014 + i).filter((ano) => weeksIn(ano) === 53)
    assert.deepEqual(long, [2014, 2020, 2025])
  })
})
