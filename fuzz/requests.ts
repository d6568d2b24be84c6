import type { Operation, Parameter } from './document.ts'
import type { Forms } from './files.ts'
import { kindOf, type Memory, type Thing } from './memory.ts'
import { BROKEN_IDS, NASTY_TEXTS } from './nasty.ts'
import type { Random } from './random.ts'
import type { Role } from './roles.ts'
import type { Values } from './values.ts'

export type Manner = 'plain' | 'valid' | 'boundary' | 'broken'

export interface FuzzRequest {
  operation: Operation
  role: Role
  method: string
  url: string
  params: Record<string, string>
  headers: Record<string, string>
  payload?: string | Buffer
  /** Reason why it must be refused, where that is known from how it was made. */
  invalid: string | null
  /** Asks for an identified read, or is one. */
  identified: boolean
  /** Expected statuses, where earlier requests determine them. */
  expected?: number[]
}

interface Draft {
  params: Record<string, string>
  query: string
  headers: Record<string, string>
  payload?: string | Buffer | undefined
  invalid: string | null
}

/** Target of a request: any record of a kind, or that of an earlier request. */
interface About {
  focus?: Thing | null
  params?: Record<string, string>
}

interface RequestNeeds {
  random: Random
  values: Values
  memory: Memory
  forms: Forms
}

export interface Requests {
  make(operation: Operation, role: Role, manner: Manner, about?: About): FuzzRequest
}

export function createRequests({ random, values, memory, forms }: RequestNeeds): Requests {
  const merged = new Set([
    'GET /api/v1/usuarios',
    'PUT /api/v1/usuarios/{id}',
    'DELETE /api/v1/usuarios/{id}',
  ])

  function make(operation: Operation, role: Role, manner: Manner, about: About = {}): FuzzRequest {
    const draft: Draft = {
      params: { ...(about.params ?? pathParameters(operation, about.focus ?? null)) },
      query: manner === 'plain' ? requiredQuery(operation) : query(operation, manner),
      headers: manner === 'plain' ? {} : headers(operation, manner),
      invalid: null,
    }
    if (operation.body) addBody(draft, operation, manner === 'boundary' ? 'boundary' : 'valid')
    else if (manner === 'broken' && random.chance(0.2))
      Object.assign(draft, { payload: random.pick(NASTY_TEXTS) })
    if (manner === 'broken') breakSomething(draft, operation)
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(draft.params[name] ?? '1'),
    )
    const { params, payload, invalid } = draft
    return {
      operation,
      role,
      method: operation.method,
      url: draft.query === '' ? path : `${path}?${draft.query}`,
      params,
      headers: draft.headers,
      ...(payload !== undefined && { payload }),
      invalid,
      identified: [operation.path, draft.query, String(payload)].some((part) => IDENTIFIES.test(part)),
    }
  }

  function pathParameters({ path, parameters }: Operation, focus: Thing | null): Record<string, string> {
    const params: Record<string, string> = {}
    let inner: Thing | null = null
    // Last parameter first: a record determines its parents.
    for (const { name } of parameters.filter((one) => one.in === 'path').toReversed()) {
      const kind = kindOf(path, name)
      const own = inner?.parent ?? null
      const thing = focus?.kind === kind ? focus : memory.any(kind)
      params[name] = own !== null && (inner === focus || random.chance(0.9)) ? own : (thing?.id ?? '1')
      inner = thing
    }
    return params
  }

  const encoded = (name: string, value: unknown) =>
    `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`
  const inQuery = ({ parameters }: Operation) => parameters.filter((one) => one.in === 'query')
  const requiredQuery = (operation: Operation) =>
    inQuery(operation)
      .filter((one) => one.required)
      .map(({ name, schema }) => encoded(name, values.make(schema, name, 'valid')))
      .join('&')

  function query(operation: Operation, manner: Manner): string {
    const optional = inQuery(operation).filter((one) => !one.required)
    const many = optional.length === 0 ? 0 : random.integer(0, Math.min(3, optional.length))
    const style = manner === 'boundary' ? 'boundary' : 'valid'
    const chosen = Array.from({ length: many }, () => random.pick(optional)).map((one) =>
      parameter(one, style),
    )
    return [requiredQuery(operation), ...chosen].filter(Boolean).join('&')
  }

  function parameter({ name, schema }: Parameter, style: 'valid' | 'boundary'): string {
    const value = values.make(schema, name, style)
    const isPlainFilter = schema.default === undefined && !schema.enum && !/^search$|\[/.test(name)
    return isPlainFilter && random.chance(0.1)
      ? encoded(`${name}[${random.pick(OPERATORS)}]`, value)
      : encoded(name, value)
  }

  function headers({ method, path, parameters }: Operation, manner: Manner): Record<string, string> {
    const chosen: Record<string, string> = {}
    if (parameters.some(({ name }) => name === 'Idempotency-Key') && random.chance(0.3))
      chosen['idempotency-key'] = random.pick([
        'chave-1',
        'chave-2',
        `c${random.integer(1, 1e9)}`,
        'x'.repeat(255),
      ])
    if (path.includes('/casos/{id}') && method !== 'GET' && random.chance(0.2))
      chosen['if-match'] = random.pick(['"1"', '"2"', '*', '"999"', 'W/"1"', 'torto'])
    if (method === 'GET' && random.chance(0.05)) chosen['if-none-match'] = random.pick(['"1"', '*', 'x'])
    if (random.chance(0.1))
      chosen['accept-language'] = random.pick(['en-US', 'es;q=0.5', '*', ';;;', 'x'.repeat(2000)])
    if (manner === 'broken' && random.chance(0.1)) chosen[random.pick(ODD_HEADERS)] = random.pick(ODD_VALUES)
    return chosen
  }

  function addBody(draft: Draft, operation: Operation, style: 'valid' | 'boundary'): void {
    const { media, schema, required } = operation.body as NonNullable<Operation['body']>
    if (!required && random.chance(0.3)) return
    if (media === 'multipart/form-data') {
      const form = forms(operation, false)
      draft.headers = { ...draft.headers, ...form.headers }
      draft.payload = form.payload
      return
    }
    draft.headers['content-type'] = media
    draft.payload = written(media, values.make(schema, 'body', style))
  }

  const written = (media: string, value: unknown) =>
    media === 'application/json' ? JSON.stringify(value) : new URLSearchParams(textsOf(value)).toString()

  function breakSomething(draft: Draft, operation: Operation): void {
    const hasParams = Object.keys(draft.params).length > 0
    const ways: ((draft: Draft, operation: Operation) => void)[] = [breakQuery, distortQuery]
    if (hasParams) ways.push(breakPath)
    if (operation.body?.media === 'multipart/form-data') ways.push(breakForm, breakForm)
    else if (operation.body) ways.push(breakBody, breakBody, breakBody, mangleBody, mangleBody, breakMedia)
    random.pick(ways)(draft, operation)
  }

  function breakPath(draft: Draft): void {
    const name = random.pick(Object.keys(draft.params))
    draft.params[name] = random.pick(BROKEN_IDS)
    draft.invalid = `${name} is no id`
  }

  function breakQuery(draft: Draft, operation: Operation): void {
    const numbers = inQuery(operation).filter(({ schema }) => schema.type === 'integer' || schema.enum)
    if (numbers.length === 0) {
      distortQuery(draft, operation)
      return
    }
    const { name } = random.pick(numbers)
    draft.query = encoded(
      name,
      random.pick(['abc', '1.5', '', '1e400', 'NaN', '-', '0x1', "1' or 1=1 --", '\u0000']),
    )
    if (!merged.has(operation.name)) draft.invalid = `${name} is none of its values`
  }

  /** Distorts one parameter of the query: hostile text, repeated, nested or malformed. */
  function distortQuery(draft: Draft, operation: Operation): void {
    const { name } = random.pick([...inQuery(operation), { name: 'page' }, { name: 'nada' }])
    const value = encodeURIComponent(random.pick([...NASTY_TEXTS, '\u0000', 'x'.repeat(3000)]))
    const form = random.pick([
      `${name}=${value}`,
      `${name}=1&${name}=2`,
      `${name}[]=${value}`,
      `${name}[eq][like]=${value}`,
      `${name}[__proto__]=${value}`,
      `${name}[constructor][prototype][x]=1`,
      `__proto__[admin]=true&${name}=${value}`,
      `${name}[in]=${'1,'.repeat(300)}`,
      `${name}=%E0%A4%A`,
      `${name}=%ff%fe`,
      `${name}`,
      `&&=&=${value}&${name}`,
      'a=1&'.repeat(1500),
    ])
    draft.query = [draft.query, form].filter(Boolean).join('&')
    const names = inQuery(operation).map((one) => one.name)
    // Lists and statistics refuse what they do not know, but for description A's list.
    if (name === 'nada' && names.includes('search') && !names.includes('limit'))
      draft.invalid = 'a parameter that is none'
  }

  function breakForm(draft: Draft, operation: Operation): void {
    const form = forms(operation, true)
    Object.assign(draft, form, { headers: { ...draft.headers, ...form.headers } })
  }

  function breakBody(draft: Draft, { body }: Operation): void {
    const { media, schema, accepts } = body as NonNullable<Operation['body']>
    const { value, why } = values.makeBroken(schema, 'body')
    const payload = written(media, value)
    // A form is text, and half of a surrogate pair does not come through.
    const sent = media === 'application/json' ? value : Object.fromEntries(new URLSearchParams(payload))
    draft.headers['content-type'] = media
    draft.payload = payload
    // With `anyOf`, a value that violates one form may match the other.
    draft.invalid = accepts(sent) ? null : why
  }

  /** Malformed JSON: bytes that no serialiser would write. */
  function mangleBody(draft: Draft): void {
    const text = typeof draft.payload === 'string' ? draft.payload : '{"a":1}'
    const cut = text.slice(0, random.integer(1, Math.max(1, text.length - 1)))
    const [payload, invalid] = random.pick<[string | Buffer, string | null]>([
      [cut, isJson(cut) ? null : 'a body that is cut off'],
      ['', null],
      ['null', null],
      ['[]', null],
      ['"texto"', null],
      ['1e400', null],
      [text.replace(/:/, ':1e400,"x":'), null],
      [text.replace(/\{/, '{"__proto__":{"admin":true},'), null],
      [text.replace(/\{/, '{"constructor":{"prototype":{"admin":true}},'), null],
      [text.replace(/\{/, '{"nome":1,"nome":"duas vezes",'), null],
      [`\ufeff${text}`, null],
      [`${text}${text}`, null],
      [`${text}\u0000`, null],
      [
        Buffer.concat([Buffer.from(text.slice(0, -2)), Buffer.from([0xff, 0xfe, 0xc0]), Buffer.from('"}')]),
        null,
      ],
      ['['.repeat(20_000), 'brackets without end'],
      [`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`, 'a body nested too deeply'],
      [
        random.chance(0.1) ? `{"nome":"${'x'.repeat(1_100_000)}"}` : '{"nome":"x"',
        'a body that is too large or cut off',
      ],
      [`{${Array.from({ length: 2000 }, (_, i) => `"k${i}":${i}`).join()}}`, null],
      ["{'nome':'a'}", 'no JSON'],
      ['nome=a&senha=b', null],
    ])
    const isForm = draft.headers['content-type'] !== 'application/json'
    Object.assign(draft, { payload, invalid: isForm ? null : invalid })
  }

  function breakMedia(draft: Draft, { body }: Operation): void {
    const types = [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'application/json',
      'multipart/form-data; boundary=x',
      ';;',
      'application/jsonx',
      'a'.repeat(300),
    ]
    const type = random.pick(types.filter((one) => one !== body?.media))
    draft.headers['content-type'] = type
    if (draft.payload === undefined || draft.payload === '') draft.payload = '{}'
    draft.invalid = `a body of type ${type.slice(0, 40)}`
  }

  return { make }
}

/** Parts of a request that asks for patients by name: the routes of persons always do. */
const IDENTIFIES = /identificado|\/pessoas\//
const OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'like', 'nada']
const ODD_HEADERS = [
  'x-request-id',
  'x-http-method-override',
  'x-forwarded-for',
  'x-forwarded-proto',
  'accept',
  'origin',
  'cookie',
  'range',
  'expect',
  'host',
  'content-encoding',
]
const ODD_VALUES = [
  'DELETE',
  '127.0.0.1',
  '*/*;q=x',
  'null',
  'gzip, br',
  "a' or 1=1",
  '<b>',
  'x'.repeat(4000),
  'bytes=0-1,5-',
  '\u00e9\u00ff',
]

function textsOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      typeof one === 'object' ? JSON.stringify(one) : String(one),
    ]),
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
