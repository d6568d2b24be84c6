import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { FastifyInstance } from 'fastify'
import { fixedContent } from './fixed-content.ts'
import { refuseOtherMethods } from './server.ts'

const HTML = 'text/html; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'

/** Only this origin, on every page: no outside address is ever asked, no script or style stands in a page. */
const STRICT =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
/** Swagger UI sets styles from script and writes HTML, hence `unsafe-inline` for styles and no Trusted Types. */
const DOCUMENTATION =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

interface Page {
  path: string
  file: URL | string
  type: string
  policy: string
}

const own = (file: string) => new URL(`../../web/${file}`, import.meta.url)
const swaggerUi = (file: string) => createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`)

const PAGES: Page[] = [
  { path: '/docs', file: own('docs/index.html'), type: HTML, policy: DOCUMENTATION },
  { path: '/docs/docs.js', file: own('docs/docs.js'), type: SCRIPT, policy: DOCUMENTATION },
  { path: '/docs/login.js', file: own('docs/login.js'), type: SCRIPT, policy: DOCUMENTATION },
  { path: '/docs/docs.css', file: own('docs/docs.css'), type: STYLE, policy: DOCUMENTATION },
  { path: '/docs/swagger-ui.css', file: swaggerUi('swagger-ui.css'), type: STYLE, policy: DOCUMENTATION },
  {
    path: '/docs/swagger-ui-bundle.js',
    file: swaggerUi('swagger-ui-bundle.js'),
    type: SCRIPT,
    policy: DOCUMENTATION,
  },
  // Targets of links in mails (src/domain/emails/compose.ts).
  { path: '/redefinir-senha', file: own('conta/redefinir-senha.html'), type: HTML, policy: STRICT },
  { path: '/verificar-email', file: own('conta/verificar-email.html'), type: HTML, policy: STRICT },
  { path: '/nao-fui-eu', file: own('conta/nao-fui-eu.html'), type: HTML, policy: STRICT },
  { path: '/conta/redefinir-senha.js', file: own('conta/redefinir-senha.js'), type: SCRIPT, policy: STRICT },
  { path: '/conta/verificar-email.js', file: own('conta/verificar-email.js'), type: SCRIPT, policy: STRICT },
  { path: '/conta/nao-fui-eu.js', file: own('conta/nao-fui-eu.js'), type: SCRIPT, policy: STRICT },
  { path: '/conta/conta.js', file: own('conta/conta.js'), type: SCRIPT, policy: STRICT },
  { path: '/conta/conta.css', file: own('conta/conta.css'), type: STYLE, policy: STRICT },
]

/** The pages for people: a handful of files, served from memory. */
export async function servePages(server: FastifyInstance): Promise<void> {
  for (const { path, file, type, policy } of PAGES) {
    const content = fixedContent(await readFile(file), 'no-cache')
    const headers = {
      'content-security-policy': policy,
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
