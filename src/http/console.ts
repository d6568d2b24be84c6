import { readdir, readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PATHS } from '../../web/console/paths.ts'
import { because } from '../errors/catalogue.ts'
import { type EncodedContent, encodedContent } from '../system/encoded-content.ts'
import { chooseEncoding, type FixedContent, fixedContent } from './fixed-content.ts'
import { DOCUMENT_PATH } from './openapi/openapi.ts'
import { refuseOtherMethods } from './server.ts'

const HTML = 'text/html; charset=utf-8'
const DIST = new URL('../../web/dist/', import.meta.url)

/** Only this origin, no script or style inside the page; a font, pictures that the page makes itself, and no more. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
  "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}
const ASSET_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
  vary: 'Accept-Encoding',
}
const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}
/** Compressed already. */
const PACKED = ['woff2']
/** Unknown addresses below these stay JSON: programs ask there. */
const NOT_PAGES = /^\/(?:api|assets|docs)(?:[/?]|$)/

/** Addresses as patterns: `/casos/:id`. The sign-in is none to come back to. */
const SCREENS = Object.values(PATHS)
  .filter((path) => path !== PATHS.entrar)
  .map((path) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`))
const LONGEST_PATH = 2_000

/** An address of the console that a query names, else its start: nobody is led elsewhere. Written anew, so that it fits a header. */
export function consolePathOf(wanted: string | null): string {
  if (wanted === null || wanted.length > LONGEST_PATH || !/^\/(?![/\\])/.test(wanted)) return PATHS.painel
  const base = 'https://console.invalid'
  if (!URL.canParse(wanted, base)) return PATHS.painel
  const { origin, pathname, search } = new URL(wanted, base)
  const isScreen = origin === base && SCREENS.some((screen) => screen.test(pathname))
  return isScreen ? `${pathname}${search}` : PATHS.painel
}

/** A provider of single sign-on, as the sign-in shows it. */
export interface ProvedorNaPagina {
  id: string
  nome: string
}

export interface Console {
  serve(server: FastifyInstance): void
  /** The page of an address that nobody knows; false where a program asks, which gets the error. */
  answerUnknown(request: FastifyRequest, reply: FastifyReply): Promise<boolean>
}

/**
 * Reads what `scripts/build-console.ts` made into memory, so that a build beside a running service changes nothing; null without it. The page
 * tells its environment, which every screen outside production shows, and the providers of single sign-on.
 */
export async function loadConsole({
  dist = DIST,
  ambiente = 'production',
  provedores = [],
  assets: given,
}: {
  dist?: URL
  ambiente?: string
  provedores?: ProvedorNaPagina[]
  /** Read before, by those who make many services. */
  assets?: Assets
} = {}): Promise<Console | null> {
  const built = await readFile(new URL('index.html', dist), 'utf8').catch(unlessMissing)
  if (built === null) return null
  const metas = [
    `<meta name="ambiente" content="${ambiente}">`,
    ...provedores.map(({ id, nome }) => `<meta name="provedor" id="sso-${id}" content="${escaped(nome)}">`),
  ]
  const page = Buffer.from(built.replace('</head>', () => `  ${metas.join('\n  ')}\n  </head>`))
  const assets = given ?? (await readAssets(dist))
  const content = fixedContent(page, 'no-cache')
  const encoded = encodedContent(page)
  return {
    serve(server) {
      serveRoot(server, content)
      for (const path of Object.values(PATHS)) servePage(server, path, content)
      serveAssets(server, assets)
    },
    async answerUnknown(request, reply) {
      const { method, headers, originalUrl } = request
      const isPage = method === 'GET' && headers.accept?.includes('text/html') && !NOT_PAGES.test(originalUrl)
      if (!isPage) return false
      const encoding = chooseEncoding(headers['accept-encoding'])
      if (encoding !== null) reply.header('content-encoding', encoding)
      // Without an entity tag: a 404 is never answered by 304.
      reply.code(404).headers({ ...PAGE_HEADERS, vary: 'Accept, Accept-Encoding' })
      await reply.type(HTML).send(await encoded.bytesIn(encoding))
      return true
    },
  }
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

/** Files of the console by name, hundreds. Each is compressed when it is first asked for: a visit takes ten, and a build has none to write. */
export type Assets = ReadonlyMap<string, EncodedContent>

export async function readAssets(dist: URL = DIST): Promise<Assets> {
  const folder = new URL('assets/', dist)
  const names = await readdir(folder)
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, encodedContent(await readFile(new URL(name, folder)))] as const),
    ),
  )
}

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  content: FixedContent,
  vary = 'Accept-Encoding',
): Promise<FastifyReply> {
  const body = await content.answer(request, reply.headers(PAGE_HEADERS))
  reply.header('vary', vary)
  return body === undefined ? reply.send() : reply.type(HTML).send(body)
}

function servePage(server: FastifyInstance, path: string, content: FixedContent): void {
  server.get(path, { config: { route: path, uncounted: true } }, (request, reply) =>
    sendPage(request, reply, content),
  )
  refuseOtherMethods(server, path, ['GET'])
}

/** The console for people; programs are led to the description that they can read. */
function serveRoot(server: FastifyInstance, content: FixedContent): void {
  server.get('/', { config: { route: '/', uncounted: true } }, async (request, reply) => {
    // The router takes every target of one character for the root, such as `*`.
    if (/^[^/]$/.test(request.originalUrl)) throw because('ROUTE_NOT_FOUND')
    if (!request.headers.accept?.includes('text/html'))
      return reply.header('vary', 'Accept').redirect(DOCUMENT_PATH)
    return sendPage(request, reply, content, 'Accept, Accept-Encoding')
  })
  refuseOtherMethods(server, '/', ['GET'])
}

function serveAssets(server: FastifyInstance, assets: Assets): void {
  const path = '/assets/{name}'
  server.get<{ Params: { name: string } }>(
    '/assets/:name',
    { config: { route: path, uncounted: true } },
    async ({ params: { name }, headers }, reply) => {
      const extension = name.split('.').at(-1) ?? ''
      const type = TYPES[extension]
      const content = assets.get(name)
      if (content === undefined || type === undefined) throw because('ROUTE_NOT_FOUND')
      const encoding = PACKED.includes(extension) ? null : chooseEncoding(headers['accept-encoding'])
      if (encoding !== null) reply.header('content-encoding', encoding)
      return reply
        .headers(ASSET_HEADERS)
        .type(type)
        .send(await content.bytesIn(encoding))
    },
  )
  refuseOtherMethods(server, path, ['GET'])
}
