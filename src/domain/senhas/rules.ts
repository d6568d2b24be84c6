import { randomBytes } from 'node:crypto'
import { AppError, type PasswordRule, type Problem, problem } from '../../errors/catalogue.ts'

export const MIN_LENGTH = 8
export const MAX_LENGTH = 128

/** Stems of the commonest passwords, without digits, signs and look-alike characters. */
const COMMON_WORDS = [
  'password',
  'passwort',
  'contrasena',
  'senha',
  'minhasenha',
  'novasenha',
  'mudar',
  'trocar',
  'qwerty',
  'qwertyuiop',
  'asdfgh',
  'asdfghjkl',
  'abc',
  'abcd',
  'abcdef',
  'admin',
  'administrador',
  'administrator',
  'root',
  'teste',
  'test',
  'usuario',
  'user',
  'welcome',
  'bemvindo',
  'iloveyou',
  'teamo',
  'letmein',
  'brasil',
  'brazil',
  'saude',
  'sus',
  'dengue',
  'vigia',
  'vigilancia',
  'sinan',
  'datasus',
  'flamengo',
  'corinthians',
  'palmeiras',
  'deus',
  'jesus',
  'master',
  'dragon',
  'monkey',
  'sunshine',
  'princess',
  'football',
  'futebol',
  'login',
  'acesso',
  'hospital',
  // Seasons.
  ...['verao', 'outono', 'inverno', 'primavera', 'verano', 'otono', 'invierno'],
  ...['summer', 'autumn', 'fall', 'winter', 'spring'],
  // Months, and how they are cut short.
  ...['janeiro', 'fevereiro', 'marco', 'abril', 'maio', 'junho', 'julho', 'agosto', 'setembro'],
  ...['outubro', 'novembro', 'dezembro'],
  ...['enero', 'febrero', 'marzo', 'mayo', 'junio', 'julio', 'septiembre', 'setiembre', 'octubre'],
  ...['noviembre', 'diciembre'],
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september'],
  ...['october', 'november', 'december'],
  ...['jan', 'fev', 'feb', 'ene', 'mar', 'abr', 'apr', 'mai', 'jun', 'jul', 'ago', 'aug', 'set', 'sep'],
  ...['out', 'oct', 'nov', 'dez', 'dec', 'dic'],
]
const YEAR = /(?:19|20)\d\d/g
/** Fewer characters than this besides years count as a common password. */
const MIN_BESIDE_YEARS = 6
/** Signs and digits used in place of a letter. */
const LOOK_ALIKES: Record<string, string> = { a: '@4', e: '3', i: '1!', o: '0', s: '$5', t: '7' }

const masked = (word: string) => word.replaceAll(/./g, (letter) => `[${letter}${LOOK_ALIKES[letter] ?? ''}]`)

/** One of the words, masked or not, with signs and digits around it: `P@ssw0rd1!` is `password`. */
const COMMON = new RegExp(`^[^a-z]*(?:${COMMON_WORDS.map(masked).join('|')})[^a-z]*$`)

const TESTS: [PasswordRule, (senha: string) => boolean][] = [
  ['length', (senha) => [...senha].length >= MIN_LENGTH && [...senha].length <= MAX_LENGTH],
  ['uppercase', (senha) => /\p{Lu}/u.test(senha)],
  ['lowercase', (senha) => /\p{Ll}/u.test(senha)],
  ['digit', (senha) => /\p{Nd}/u.test(senha)],
  ['special', (senha) => /[^\p{L}\p{N}\s]/u.test(senha)],
]

export interface PasswordPolicy {
  /** Refuse the commonest passwords too (production). */
  refuseCommon: boolean
}

/** The rules of spec 5.7 that a new password breaks. */
export function brokenRules(senha: string, policy: PasswordPolicy): PasswordRule[] {
  const normalised = senha.normalize('NFC')
  const broken = TESTS.filter(([, holds]) => !holds(normalised)).map(([rule]) => rule)
  return policy.refuseCommon && isCommon(normalised) ? [...broken, 'common'] : broken
}

/** For routes that answer 400 `WEAK_PASSWORD`. */
export function assertStrong(senha: string, policy: PasswordPolicy): void {
  const rules = brokenRules(senha, policy)
  if (rules.length > 0) throw new AppError('WEAK_PASSWORD', { rules })
}

/** For routes where a weak password is one invalid field among others. */
export function passwordProblems(senha: string, policy: PasswordPolicy, path: string[]): Problem[] {
  const rules = brokenRules(senha, policy)
  return rules.length > 0 ? [problem('body', path, 'WEAK_PASSWORD', { rules })] : []
}

/** 96 random bits, with one character of each class the rules ask for. */
export function generatePassword(): string {
  return `${randomBytes(12).toString('base64url')}-aA1`
}

function isCommon(senha: string): boolean {
  const lower = senha.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '')
  return COMMON.test(lower) || COMMON_WORDS.includes(lower.replaceAll(/[^a-z]/g, '')) || isMostlyYears(lower)
}

function isMostlyYears(senha: string): boolean {
  const others = senha.replaceAll(YEAR, '')
  return others !== senha && [...others].length < MIN_BESIDE_YEARS
}

/** Score from 0 to 4 by length and variety; stored with the hash, since it cannot be computed later. */
export function strengthOf(senha: string): number {
  const normalised = senha.normalize('NFC')
  const characters = [...normalised]
  const kinds = TESTS.slice(1).filter(([, has]) => has(normalised)).length
  const variety = new Set(characters).size / Math.max(characters.length, 1)
  const byLength =
    characters.length >= 16 ? 3 : characters.length >= 12 ? 2 : characters.length >= MIN_LENGTH ? 1 : 0
  const score = byLength + (kinds === 4 ? 1 : 0)
  return isCommon(senha) ? 0 : variety < 0.5 ? Math.min(score, 1) : score
}
