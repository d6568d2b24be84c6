import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { FastifyInstance } from 'fastify'
import { fixedContent } from './fixed-content.ts'
import { refuseOtherMethods } from './server.ts'

const HTML = 'text/html; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'

/** Only this origin. Swagger UI sets styles from script and writes HTML, hence `unsafe-inline` for styles and no Trusted Types. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

interface File {
  path: string
  file: URL | string
  type: string
}

const own = (file: string) => new URL(`../../web/${file}`, import.meta.url)
const swaggerUi = (file: string) => createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`)

const FILES: File[] = [
  { path: '/docs', file: own('docs/index.html'), type: HTML },
  { path: '/docs/docs.js', file: own('docs/docs.js'), type: SCRIPT },
  { path: '/docs/login.js', file: own('docs/login.js'), type: SCRIPT },
  { path: '/docs/docs.css', file: own('docs/docs.css'), type: STYLE },
  { path: '/docs/swagger-ui.css', file: swaggerUi('swagger-ui.css'), type: STYLE },
  {
    path: '/docs/swagger-ui-bundle.js',
    file: swaggerUi('swagger-ui-bundle.js'),
    type: SCRIPT,
  },
]

/** The documentation page: a handful of files, served from memory. */
export async function serveDocumentation(server: FastifyInstance): Promise<void> {
  for (const { path, file, type } of FILES) {
    const content = fixedContent(await readFile(file), 'no-cache')
    const headers = {
      'content-security-policy': POLICY,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    }
    server.get(path, { config: { route: path } }, async (request, reply) => {
      const body = await content.answer(request, reply.headers(headers))
      return body === undefined ? reply.send() : reply.type(type).send(body)
    })
    refuseOtherMethods(server, path, ['GET'])
  }
}
