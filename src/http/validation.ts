import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { isCalendarDate } from '../brasil/calendar.ts'
import { type Problem, problem } from '../errors/catalogue.ts'
import type { LiveValues } from '../system/live-list.ts'
import { isMoment } from './dates.ts'
import { isLive, withCurrent } from './live.ts'
import type { TSchema } from './type.ts'

type Place = Problem['at']
/** `live`: values of now, for enumerations that grow. */
export type Validate = (value: unknown, at: Place, live?: LiveValues | null) => Problem[]

export const MAX_PROBLEMS = 100
const OPTIONS = { allErrors: true, strict: true, allowUnionTypes: true, useDefaults: true, verbose: true }

/**
 * Schemas are compiled when they are first needed: all of them at once would be a third of what a start costs.
 * Bodies are taken as they are (Fastify's default would turn null into 0 and "false" into false); query, path and
 * form parameters are text and first become the type their schema states.
 */
export function createValidators() {
  const ajv = withFormats(new Ajv(OPTIONS))
  return {
    body: (schema: TSchema) => validator(ajv, schema),
    parameters(schema: TSchema): Validate {
      const validate = validator(ajv, schema)
      return (value, at, live) => {
        if (typeof value === 'object' && value !== null) convert(value as Record<string, unknown>, schema)
        return validate(value, at, live)
      }
    },
  }
}

/** For all servers of a process, and for routes that check a body themselves: schemas are the same, and compiled once. */
export const validators = createValidators()

/** Only plain spellings: Ajv's own conversion also takes `0x10`, `1e3`, blanks and `Infinity`, and lets the last past `maximum`. */
const NUMBER = /^-?\d{1,100}(\.\d{1,100})?$/
const BOOLEANS = new Map<unknown, boolean>(Object.entries({ true: true, false: false, 1: true, 0: false }))

function convert(value: Record<string, unknown>, schema: TSchema): void {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string | string[] }> }
  for (const [name, { type }] of Object.entries(properties)) {
    const text = value[name]
    if (typeof text !== 'string') continue
    const types = [type].flat()
    if ((types.includes('integer') || types.includes('number')) && NUMBER.test(text))
      value[name] = Number(text)
    else if (types.includes('boolean')) value[name] = BOOLEANS.get(text) ?? text
  }
}

function withFormats(ajv: Ajv): Ajv {
  addFormats.default(ajv, ['uuid', 'uri'])
  // A practical address: what mail servers accept, in linear time.
  ajv.addFormat(
    'email',
    /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})(?:\.[A-Za-z0-9-]{1,63}){1,8}$/u,
  )
  // Ajv's own also takes the year 0000, which is in no calendar.
  ajv.addFormat('date', isCalendarDate)
  // Ajv's own also takes a leap second, which no `Date` can hold, and a blank in place of the T.
  ajv.addFormat('date-time', isMoment)
  return ajv.addKeyword('x-format')
}

function validator(ajv: Ajv, schema: TSchema): Validate {
  const validateBy = compiler(ajv, schema)
  return (value, at, live = null) => {
    const compiled = validateBy(live)
    if (compiled(value)) return []
    return (compiled.errors ?? [])
      .filter((error) => error.keyword !== 'if')
      .slice(0, MAX_PROBLEMS)
      .map((error) => toProblem(error, at))
  }
}

/** Compiles a schema at its first use, and again when its enumerations have grown: then by itself, so that nothing keeps the old one. */
function compiler(ajv: Ajv, schema: TSchema): (live: LiveValues | null) => ValidateFunction {
  let grows: boolean | undefined
  let known: { marca: string | null; validate: ValidateFunction } | undefined
  return (live) => {
    grows ??= isLive(schema)
    const marca = grows ? (live?.marca ?? null) : null
    if (known?.marca === marca) return known.validate
    const current = withCurrent(schema, live)
    const by = current === schema ? ajv : withFormats(new Ajv(OPTIONS))
    known = { marca, validate: by.compile(current) }
    return known.validate
  }
}

function toProblem(error: ErrorObject, at: Place): Problem {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer)
  const params = error.params
  switch (error.keyword) {
    case 'required':
      return problem(at, [...path, params.missingProperty], 'REQUIRED', {})
    case 'additionalProperties':
      return problem(at, [...path, params.additionalProperty], 'UNKNOWN_FIELD', {
        allowed: Object.keys(error.parentSchema?.properties ?? {}).join(', '),
      })
    case 'type':
      return problem(at, path, 'INVALID_TYPE', {
        expected: [params.type].flat().filter((t) => t !== 'null')[0],
      })
    case 'format':
      if (params.format === 'email') return problem(at, path, 'INVALID_EMAIL', {})
      return problem(at, path, 'INVALID_FORMAT', { expected: params.format })
    case 'pattern':
      return problem(at, path, 'INVALID_FORMAT', { expected: formatName(error) })
    case 'enum':
      return problem(at, path, 'INVALID_VALUE', {
        allowed: params.allowedValues.filter((v: unknown) => v !== null).join(', '),
      })
    case 'minLength':
      return problem(at, path, params.limit === 1 ? 'REQUIRED' : 'TOO_SHORT', { limit: params.limit })
    case 'maxLength':
      return problem(at, path, 'TOO_LONG', { limit: params.limit })
    case 'minimum':
      return problem(at, path, 'TOO_SMALL', { limit: params.limit })
    case 'maximum':
      return problem(at, path, 'TOO_LARGE', { limit: params.limit })
    case 'minItems':
    case 'minProperties':
      return problem(at, path, 'TOO_FEW', { limit: params.limit })
    case 'maxItems':
      return problem(at, path, 'TOO_MANY', { limit: params.limit })
    case 'uniqueItems':
      return problem(at, path, 'REPEATED', {})
    default:
      return problem(at, path, 'INVALID_FORMAT', { expected: error.keyword })
  }
}

/** A pattern's schema may name what it means (`x-format`), so that the message need not show a regular expression. */
function formatName(error: ErrorObject): string {
  const schema = error.parentSchema as { 'x-format'?: string } | undefined
  return schema?.['x-format'] ?? error.params.pattern
}

function unescapePointer(segment: string): string | number {
  const key = segment.replaceAll('~1', '/').replaceAll('~0', '~')
  return /^\d+$/.test(key) ? Number(key) : key
}

/** Drops problems of fields that the schemas have reported already. */
export function unreported(problems: Problem[], more: Problem[]): Problem[] {
  const known = new Set(problems.map(({ path }) => path.join()))
  return more.filter(({ path }) => !known.has(path.join()))
}
