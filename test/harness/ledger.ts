import { appendFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import { locate, partAt } from './document.ts'

/**
 * Every answer the tests see is checked against the OpenAPI document and noted as (method, route, status);
 * `test/run.ts` compares the notes of all files with what the routes declare.
 */
export interface Ledger {
  /** Answers that do not match the document. */
  violations: string[]
}

export type Validate = ((body: unknown) => boolean) & { errors?: unknown }

type Schemas = (place: string[]) => Validate | null

/** Compiled schemas by document: the apps of one process share both. */
const compiledDocuments = new WeakMap<object, Schemas>()

/** The schemas of a document by where they stand in it; null where there is none. */
export function schemasOf(document: Record<string, unknown>): Schemas {
  const schemas = compiledDocuments.get(document) ?? compilerOf(document)
  compiledDocuments.set(document, schemas)
  return schemas
}

function compilerOf(document: Record<string, unknown>): Schemas {
  // Most validators run a few times only: to optimise their code takes longer than it saves.
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
  addFormats.default(ajv)
  ajv.addSchema(document, 'openapi')
  // By where they really stand: hundreds of answers share a few dozen schemas.
  const compiled = new Map<string, Validate>()
  return (place) => {
    const found = locate(document, place)
    if (found === null) return null
    const pointer = found.map((segment) => `/${pointerSegment(segment)}`).join('')
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` })
    compiled.set(pointer, validate)
    return validate
  }
}

export function keepLedger(server: FastifyInstance, documentOf: () => Record<string, unknown>): Ledger {
  const violations: string[] = []

  const validatorFor = (responses: string[], status: number): Validate | null => {
    const schemas = schemasOf(documentOf())
    const schemaOf = (answer: string) =>
      schemas([...responses, answer, 'content', 'application/json', 'schema'])
    return schemaOf(`${status}`) ?? schemaOf('default')
  }

  /** Whether the description of the answer names the code that came. */
  const namesCode = (responses: string[], status: number, body: unknown): boolean => {
    const document = documentOf()
    const { code } = (body as { error?: { code?: string } } | null)?.error ?? {}
    const place = locate(document, [...responses, `${status}`]) ?? locate(document, [...responses, 'default'])
    if (code === undefined || place === null) return true
    const { description } = partAt(document, place) as { description: string }
    return description.split(', ').some((named) => named.replace(/ \(\d+\)$/, '') === code)
  }

  server.addHook('onSend', async (request, reply, payload) => {
    const { route } = request.routeOptions.config
    if (route === undefined || typeof payload !== 'string') return
    const responses = ['paths', route, request.method.toLowerCase(), 'responses']
    const validate = validatorFor(responses, reply.statusCode)
    if (validate === null) return
    const body = JSON.parse(payload)
    const answer = `${request.method} ${route} ${reply.statusCode}`
    if (!validate(body)) violations.push(`${answer}: ${JSON.stringify(validate.errors)} in ${payload}`)
    if (!namesCode(responses, reply.statusCode, body))
      violations.push(`${answer}: its code is not in the document, in ${payload}`)
  })
  server.addHook('onResponse', async (request, reply) => {
    const { route } = request.routeOptions.config
    if (route !== undefined) note(`${request.method} ${route} ${reply.statusCode}`)
  })
  return { violations }
}

/** Notes of this process: one is written once, however often it is seen. */
const noted = new Set<string>()

function note(seen: string): void {
  const file = process.env.VIGIA_TEST_LEDGER
  if (file === undefined || noted.has(seen)) return
  noted.add(seen)
  appendFileSync(file, `${seen}\n`)
}

const pointerSegment = (segment: string) => segment.replaceAll('~', '~0').replaceAll('/', '~1')
