import type { Random } from './random.ts'

const CONTROL = '\u0001\u0008\u001b[31m\u007f'
/** Injection texts: SQL, markup, formulas, control characters and the like. */
export const NASTY_TEXTS: readonly string[] = [
  'comum',
  "'; drop table usuarios; --",
  "' or '1'='1",
  '1); delete from casos where (1=1',
  "$1 $$ \\' \\\" E'\\\\'",
  '%_%\\',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '{{7*7}} $\u007b7*7} <%= 7*7 %> #{7*7}',
  '../../../../etc/passwd',
  "=cmd|'/c calc'!A1",
  '\r\nSet-Cookie: a=b',
  CONTROL,
  '\u202etxt.exe \u200b\u2066\ufeff',
  'İıßŒ\u0130 ﷽ ½ ﬀ',
  'e\u0301\u0327'.repeat(8),
  '👩‍👩‍👧‍👦🇧🇷🏴‍☠️',
  '\u{10ffff}\ufffe\uffff',
  '日本語 العربية हिन्दी',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e999',
  '0x10',
  '9'.repeat(40),
  'infinity',
  'today',
  '{"$gt":""}',
  '[object Object]',
  ' ',
  '\t\n',
]

/** Texts that PostgreSQL cannot store: NUL and half surrogate pairs. */
export const UNSTORABLE_TEXTS: readonly string[] = ['a\u0000b', '\ud800', 'x\udfffy']

/** Texts that must not pass for an id in a path or a number in a query. */
export const BROKEN_IDS: readonly string[] = [
  '0',
  '-1',
  '1.5',
  '1e3',
  '0x1',
  '+1',
  ' 1',
  '1;2',
  '2147483648',
  '9223372036854775808',
  '9'.repeat(99),
  'NaN',
  'Infinity',
  'null',
  'abc',
  '__proto__',
  'constructor',
  '１',
  "1' or '1'='1",
  '\u0000',
  '../1',
  '<b>',
]

const LETTERS = [...'abcdefghij áçõ üñ 日😀']

/** Text of `length` code points. */
export function textOfLength(random: Random, length: number): string {
  const start = Array.from({ length: Math.min(length, 40) }, () => random.pick(LETTERS)).join('')
  return start + 'z'.repeat(Math.max(0, length - 40))
}
