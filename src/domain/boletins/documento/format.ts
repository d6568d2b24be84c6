import type { Language } from '../../../errors/texts.ts'
import type { LugarDoBoletim, SemanaDoBoletim, Valor } from '../dados.ts'
import { enUS } from './texts/en-US.ts'
import { esES } from './texts/es-ES.ts'
import { ptBR } from './texts/pt-BR.ts'
import type { BulletinTexts } from './texts/texts.ts'

const TEXTS: Record<Language, BulletinTexts> = { 'pt-BR': ptBR, 'en-US': enUS, 'es-ES': esES }

/** Value that is not known, nor hidden. */
const UNKNOWN = '–'

/** Texts, numbers and dates of one language. */
export interface Words {
  language: Language
  t: BulletinTexts
  count(value: number | null): string
  /** Per 100,000: two decimals below ten. */
  rate(value: number | null): string
  decimal(value: number | null, decimals: number): string
  percent(value: number | null, decimals?: number): string
  /** With its sign. */
  change(value: number | null): string
  /** Words of a number that may be hidden. */
  value(value: Valor, format?: (value: number | null) => string): string
  cell(value: number | null, suprimido: boolean, format?: (value: number | null) => string): string
  date(date: string): string
  days(week: Pick<SemanaDoBoletim, 'inicio' | 'fim'>): string
  instant(instant: string): string
  list(items: readonly string[]): string
}

/** Spaces that fonts and readers treat differently become the common one. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u2009\u202f]/g, ' ')

export function wordsOf(language: Language): Words {
  const t = TEXTS[language]
  const number = (decimals: number, sign = false) => {
    const format = new Intl.NumberFormat(language, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      signDisplay: sign ? 'exceptZero' : 'auto',
    })
    return (value: number) => plain(format.format(value))
  }
  const [whole, one, two, signed] = [number(0), number(1), number(2), number(1, true)]
  const known = (format: (value: number) => string) => (value: number | null) =>
    value === null ? UNKNOWN : format(value)
  const percentSign = language === 'en-US' ? '%' : ' %'
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })
  const moment = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'America/Sao_Paulo',
  })
  const list = new Intl.ListFormat(language, { type: 'conjunction' })
  const at = (date: string) => new Date(`${date}T00:00:00Z`)
  const count = known(whole)
  const cell: Words['cell'] = (value, suprimido, format = count) =>
    value === null && suprimido ? t.suprimido : format(value)
  return {
    language,
    t,
    count,
    rate: known((value) => (Math.abs(value) < 10 ? two : one)(value)),
    decimal: (value, decimals) => known(number(decimals))(value),
    percent: (value, decimals = 1) => known((it) => `${number(decimals)(it)}${percentSign}`)(value),
    change: known((value) => `${signed(value)}${percentSign}`),
    value: ({ valor, suprimido }, format) => cell(valor, suprimido, format),
    cell,
    date: (date) => plain(day.format(at(date))),
    days: ({ inicio, fim }) => plain(day.formatRange(at(inicio), at(fim))),
    instant: (instant) => plain(moment.format(new Date(instant))),
    list: (items) => list.format(items),
  }
}

/** Number of the week in its year. */
export const numeroOf = ({ semana }: Pick<SemanaDoBoletim, 'semana'>): number => Number(semana.slice(4))

export const shortWeekOf = ({ t }: Words, week: Pick<SemanaDoBoletim, 'semana'>): string =>
  t.shortWeek(numeroOf(week))

export function lugarText({ t }: Words, { nivel, nome, estado }: LugarDoBoletim): string {
  if (nivel === 'regiao_saude') return t.regiao(nome, estado ?? '')
  return nivel === 'municipio' ? `${nome} (${estado})` : nome
}

export const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
