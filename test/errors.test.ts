import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { exampleText, PROBLEM_EXAMPLES } from '../scripts/errors-doc.ts'
import { ERRORS, type ProblemCode, REASONS } from '../src/errors/catalogue.ts'
import { LANGUAGES, type Language } from '../src/errors/texts.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const codes = Object.keys(ERRORS)
const problems = Object.keys(PROBLEM_EXAMPLES) as ProblemCode[]
const reasons = Object.keys(REASONS)
const languages = Object.keys(LANGUAGES) as Language[]

/** From spec 7.2 and 7.3, not from the code. */
const STATUS: Record<string, number> = {
  ACCOUNT_INACTIVE: 403,
  ACCOUNT_LOCKED: 423,
  API_KEY_EXPIRED: 401,
  API_KEY_NETWORK: 401,
  API_KEY_REVOKED: 401,
  CONFLICT: 409,
  CONSOLE_ONLY: 403,
  HTTPS_REQUIRED: 403,
  INTERNAL_ERROR: 500,
  INVALID_CREDENTIALS: 401,
  INVALID_CURRENT_PASSWORD: 401,
  INVALID_MASTER_KEY: 403,
  INVALID_REFRESH_TOKEN: 401,
  INVALID_RESET_TOKEN: 400,
  INVALID_VERIFICATION_TOKEN: 400,
  INVALID_UNDO_TOKEN: 400,
  INVALID_SSO_ATTEMPT: 400,
  PASSWORD_CHANGE_REQUIRED: 403,
  MFA_ENROLMENT_REQUIRED: 403,
  MALFORMED_REQUEST: 400,
  METHOD_NOT_ALLOWED: 405,
  MFA_REQUIRED: 428,
  MISSING_REASON: 400,
  NOT_FOUND: 404,
  OUT_OF_TERRITORY: 403,
  PAYLOAD_TOO_LARGE: 413,
  PERMISSION_DENIED: 403,
  PERSON_ONLY: 403,
  RATE_LIMITED: 429,
  POSSIBLE_DUPLICATE: 409,
  PRECONDITION_FAILED: 412,
  SESSION_NOT_FOUND: 404,
  UNAUTHORIZED: 401,
  UNAVAILABLE: 503,
  UNSUPPORTED_MEDIA_TYPE: 415,
  VALIDATION_ERROR: 422,
  WEAK_PASSWORD: 400,
}

const sourceOutsideErrors = globSync('src/**/*.ts', { cwd: root })
  .filter((file) => !file.startsWith('src/errors/'))
  .map((file) => readFileSync(`${root}${file}`, 'utf8'))
  .join('\n')
const isUsed = (name: string) => sourceOutsideErrors.includes(`'${name}'`)

function assertDistinct(texts: string[], where: string) {
  for (const text of texts) assert.ok(text.trim().length > 2, `an empty text in ${where}`)
  const repeated = texts.filter((text, i) => texts.indexOf(text) !== i)
  assert.deepEqual(repeated, [], `the same text twice in ${where}`)
}

describe('The catalogue of errors', () => {
  it('gives every code the status that the specification or a decision states', () => {
    assert.deepEqual({ ...ERRORS }, Object.fromEntries(codes.map((code) => [code, STATUS[code]])))
  })

  for (const language of languages) {
    const { errors, reasons: reasonTexts, problems: problemTexts } = LANGUAGES[language]

    it(`has exactly its texts in ${language}, none empty and none twice`, () => {
      assert.deepEqual(Object.keys(errors).sort(), codes.toSorted())
      assert.deepEqual(Object.keys(problemTexts).sort(), problems.toSorted())
      assert.deepEqual(Object.keys(reasonTexts).sort(), reasons.toSorted())
      assertDistinct([...Object.values(errors), ...Object.values(reasonTexts)], language)
      assertDistinct(
        problems.map((code) => exampleText(code, language)),
        language,
      )
    })

    it(`tells in ${language} everything that a problem knows`, () => {
      for (const code of problems) {
        const text = exampleText(code, language)
        assert.doesNotMatch(text, /undefined|\[object/, code)
        for (const [name, value] of Object.entries(PROBLEM_EXAMPLES[code]))
          if (!['expected', 'rules', 'reason'].includes(name))
            assert.ok(text.includes(String([value].flat().join(', '))), `${code}: ${text}`)
      }
    })
  }

  it('is worded anew in every language', () => {
    for (const code of codes)
      assert.equal(
        new Set(languages.map((language) => LANGUAGES[language].errors[code as never])).size,
        3,
        code,
      )
    for (const reason of reasons)
      assert.equal(
        new Set(languages.map((language) => LANGUAGES[language].reasons[reason as never])).size,
        3,
        reason,
      )
  })

  it('has no code that nothing answers', () => {
    assert.deepEqual(
      [...codes, ...reasons].filter((code) => !isUsed(code)),
      [],
    )
    assert.deepEqual(
      problems.filter((code) => !isUsed(code)),
      [],
    )
  })

  it('names types and formats in every language, and only those in use', () => {
    const named = [...sourceOutsideErrors.matchAll(/'x-format': '([^']+)'/g)].map(
      ([, name]) => name as string,
    )
    assert.ok(named.length > 0)
    for (const language of languages) {
      const { types, formats } = LANGUAGES[language]
      assert.deepEqual(Object.keys(formats).sort(), Object.keys(LANGUAGES['pt-BR'].formats).sort(), language)
      assert.deepEqual(
        Object.keys(types).sort(),
        ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'],
        language,
      )
      for (const name of named) assert.ok(Object.hasOwn(formats, name), `${name} in ${language}`)
    }
    assert.deepEqual(
      Object.keys(LANGUAGES['pt-BR'].formats).filter((name) => !isUsed(name)),
      [],
    )
  })

  it('is what docs/errors.md tells, in both directions', () => {
    const text = readFileSync(`${root}docs/errors.md`, 'utf8')
    const sections = [...text.matchAll(/^### `(\w+)` \((\d{3})\)\n\n((?:- .+\n)+)/gm)]
    const told = sections.map(([, code, status, list]) => [code, Number(status), list?.trim().split('\n')])
    const meant = Object.entries(ERRORS).map(([code, status]) => [
      code,
      status,
      languages.map((language) => `- ${language}: ${LANGUAGES[language].errors[code as never]}`),
    ])
    assert.deepEqual(told, meant)
    const toldReasons = [...text.matchAll(/^- ([A-Z_]+) \(`([A-Z_]+)`\): (.+)$/gm)].map(([, ...told]) => told)
    assert.deepEqual(
      toldReasons,
      Object.entries(REASONS).map(([reason, code]) => [
        reason,
        code,
        LANGUAGES['pt-BR'].reasons[reason as never],
      ]),
    )
    const toldProblems = [...text.matchAll(/^- `([A-Z_]+)`: (.+)$/gm)].map(([, code, example]) => [
      code,
      example,
    ])
    assert.deepEqual(
      toldProblems,
      problems.map((code) => [code, exampleText(code, 'pt-BR')]),
    )
  })
})
