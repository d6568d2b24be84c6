import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { FastifyInstance } from 'fastify'
import { refuseOtherMethods } from './server.ts'

/** Only this origin: no outside address is ever asked. Swagger UI sets styles from script, hence `unsafe-inline` there. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const own = (file: string) => new URL(`../../web/docs/${file}`, import.meta.url)
const swaggerUi = (file: string) => createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`)

const PAGES = [
  { path: '/docs', file: own('index.html'), type: 'text/html; charset=utf-8' },
  { path: '/docs/docs.js', file: own('docs.js'), type: 'text/javascript; charset=utf-8' },
  { path: '/docs/docs.css', file: own('docs.css'), type: 'text/css; charset=utf-8' },
  { path: '/docs/swagger-ui.css', file: swaggerUi('swagger-ui.css'), type: 'text/css; charset=utf-8' },
  {
    path: '/docs/swagger-ui-bundle.js',
    file: swaggerUi('swagger-ui-bundle.js'),
    type: 'text/javascript; charset=utf-8',
  },
]

/** The documentation page: a handful of files, served from memory. */
export async function serveDocs(server: FastifyInstance): Promise<void> {
  for (const { path, file, type } of PAGES) {
    const content = await readFile(file)
    const etag = `"${createHash('sha256').update(content).digest('base64url')}"`
    server.get(path, { config: { route: path } }, async (request, reply) => {
      reply.headers({ 'content-security-policy': POLICY, 'cache-control': 'no-cache', etag })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      return reply.type(type).send(content)
    })
    refuseOtherMethods(server, path, ['GET'])
  }
}
