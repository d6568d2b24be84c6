import { appendFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'

/**
 * Every answer the tests see is checked against the OpenAPI document and noted as (method, route, status);
 * `test/run.ts` compares the notes of all files with what the routes declare.
 */
export interface Ledger {
  /** Answers that do not match the document. */
  violations: string[]
}

export type Validate = ((body: unknown) => boolean) & { errors?: unknown }

/** The schemas of a document by where they stand in it; null where there is none. */
export function schemasOf(document: Record<string, unknown>): (place: string[]) => Validate | null {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(document, 'openapi')
  const compiled = new Map<string, Validate | null>()
  return (place) => {
    const pointer = place.map((segment) => `/${pointerSegment(segment)}`).join('')
    if (!compiled.has(pointer))
      compiled.set(pointer, isIn(document, place) ? ajv.compile({ $ref: `openapi#${pointer}` }) : null)
    return compiled.get(pointer) ?? null
  }
}

export function keepLedger(server: FastifyInstance, document: Record<string, unknown>): Ledger {
  const schemas = schemasOf(document)
  const violations: string[] = []

  const validatorFor = (method: string, route: string, status: number): Validate | null => {
    const answer = ['paths', route, method.toLowerCase(), 'responses', `${status}`]
    return schemas([...answer, 'content', 'application/json', 'schema'])
  }

  server.addHook('onSend', async (request, reply, payload) => {
    const { route } = request.routeOptions.config
    if (route === undefined || typeof payload !== 'string') return
    const validate = validatorFor(request.method, route, reply.statusCode)
    if (validate !== null && !validate(JSON.parse(payload)))
      violations.push(
        `${request.method} ${route} ${reply.statusCode}: ${JSON.stringify(validate.errors)} in ${payload}`,
      )
  })
  server.addHook('onResponse', async (request, reply) => {
    const { route } = request.routeOptions.config
    const file = process.env.VIGIA_TEST_LEDGER
    if (route !== undefined && file !== undefined)
      appendFileSync(file, `${request.method} ${route} ${reply.statusCode}\n`)
  })
  return { violations }
}

const pointerSegment = (segment: string) => segment.replaceAll('~', '~0').replaceAll('/', '~1')

function isIn(document: unknown, place: string[]): boolean {
  let node = document
  for (const key of place) {
    if (typeof node !== 'object' || node === null || !(key in node)) return false
    node = (node as Record<string, unknown>)[key]
  }
  return true
}
