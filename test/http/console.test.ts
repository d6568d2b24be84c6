import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { AppError } from '../../src/errors/catalogue.ts'
import { loadConsole } from '../../src/http/console.ts'
import { PATHS } from '../../web/console/paths.ts'
import { consoleServer } from '../harness/console-page.ts'

const server = await consoleServer()
after(() => server.close())

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8'
const get = (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers })
const page = await get('/', { accept: BROWSER })
const assets = [...page.payload.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
  ([, path]) => path as string,
)

describe('The console', () => {
  it('is at every one of its addresses, with a policy of this origin only', async () => {
    for (const path of ['/', ...Object.values(PATHS)]) {
      const { statusCode, headers, payload } = await get(path, { accept: BROWSER })
      assert.equal(statusCode, 200, path)
      assert.equal(payload, page.payload)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(headers['cache-control'], 'no-cache')
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
      assert.equal(headers['x-frame-options'], 'DENY')
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.equal(
        headers['content-security-policy'],
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
          "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      )
    }
  })

  it('is not sent again to a browser that has it', async () => {
    for (const path of ['/', PATHS.entrar]) {
      const { headers } = await get(path, { accept: BROWSER })
      const again = await get(path, { accept: BROWSER, 'if-none-match': String(headers.etag) })
      assert.deepEqual([again.statusCode, again.payload], [304, ''])
    }
  })

  it('leads programs from / to the document that they can read', async () => {
    for (const accept of ['application/json', '*/*']) {
      const { statusCode, headers } = await get('/', { accept })
      assert.deepEqual([statusCode, headers.location, headers.vary], [302, '/api/v1/openapi.json', 'Accept'])
    }
    assert.equal(page.headers.vary, 'Accept, Accept-Encoding')
  })

  it('has no script or style inside its page, and no outside address', () => {
    const [style, script] = [
      assets.filter((path) => path.endsWith('.css')),
      page.payload.match(/<script/g) ?? [],
    ]
    assert.deepEqual(
      [style.length, script.length],
      [1, 2],
      'the early one and the console; all others are only loaded before they are asked for',
    )
    assert.doesNotMatch(page.payload, /https?:|<style|\sstyle=|\son\w+=|<script(?![^>]* src="\/assets\/)/)
  })

  it('has files that never change under their name, compressed as the browser asks', async () => {
    for (const path of assets) {
      const plain = await get(path)
      assert.match(path, /^\/assets\/[\w-]+-(?:[A-Z0-9]{8}\.css|[A-Z0-9]{8}-[0-9a-f]{8}\.js)$/)
      assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.match(String(plain.headers['content-type']), /^text\/(?:javascript|css); charset=utf-8$/)
      for (const [encoding, unpack] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const packed = await get(path, { 'accept-encoding': encoding })
        assert.equal(packed.headers['content-encoding'], encoding)
        assert.equal(packed.headers.vary, 'Accept-Encoding')
        assert.ok(packed.rawPayload.length < plain.rawPayload.length)
        assert.ok(unpack(packed.rawPayload).equals(plain.rawPayload))
      }
    }
  })

  it('serves its font as it is', async () => {
    const style = await get(assets.find((path) => path.endsWith('.css')) as string)
    const font = /url\("?(\/assets\/[^")]+\.woff2)/.exec(style.payload)?.[1] as string
    const { statusCode, headers, rawPayload } = await get(font, { 'accept-encoding': 'br' })
    assert.deepEqual(
      [statusCode, headers['content-type'], headers['content-encoding']],
      [200, 'font/woff2', undefined],
    )
    assert.ok(rawPayload.length <= 28 * 1024)
  })

  it('answers an unknown address with its own page and 404, to browsers only', async () => {
    const unknown = await get('/nada/aqui', { accept: BROWSER, 'if-none-match': String(page.headers.etag) })
    assert.deepEqual([unknown.statusCode, unknown.payload], [404, page.payload])
    assert.equal(unknown.headers['cache-control'], 'no-store')
    assert.equal(unknown.headers['content-security-policy'], page.headers['content-security-policy'])
  })

  it('leaves JSON what programs ask for', async () => {
    const isJson = async (url: string, method: 'GET' | 'POST', accept: string) => {
      const { headers } = await server.inject({ url, method, headers: { accept } })
      assert.match(String(headers['content-type']), /^application\/json/, `${method} ${url} ${accept}`)
    }
    for (const url of [
      '/api/v1/nada',
      '/api',
      '/assets/nada-ABCDEFGH.js',
      '/assets',
      '/docs/nada',
      '/docs?a=1',
    ])
      await isJson(url, 'GET', BROWSER)
    await isJson('/nada', 'GET', 'application/json')
    await isJson('/nada', 'POST', BROWSER)
  })

  it('is outside of the rate limits: a page is many files, and an office has one address', async () => {
    await using limited = await consoleServer({
      rateLimit: async () => {
        throw new AppError('RATE_LIMITED', { retryAfter: 9 })
      },
    })
    for (const url of [PATHS.entrar, ...assets]) assert.equal((await limited.inject(url)).statusCode, 200)
    assert.equal((await limited.inject('/nada')).statusCode, 429)
  })

  it('can only be read', async () => {
    for (const url of ['/', PATHS.entrar, assets[0] as string]) {
      const { statusCode, headers } = await server.inject({ method: 'POST', url })
      assert.deepEqual([statusCode, headers.allow], [405, 'GET, HEAD, OPTIONS'])
    }
  })

  it('has no files beside those of the build', async () => {
    for (const url of [
      '/assets/..%2findex.html',
      '/assets/..%2f..%2f..%2fpackage.json',
      '/assets/stamp.json',
    ])
      assert.notEqual((await get(url)).statusCode, 200, url)
  })

  it('is left out where it is not built', async () => {
    assert.equal(await loadConsole({ dist: new URL('../../web/nothing/', import.meta.url) }), null)
  })
})

describe('The build of the console', () => {
  it('writes nothing when nothing changed', () => {
    const root = fileURLToPath(new URL('../..', import.meta.url))
    const timesOf = () =>
      ['', '/stamp.json', '/assets'].map((file) => statSync(`${root}/web/dist${file}`).mtimeMs)
    const before = timesOf()
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root })
    assert.deepEqual(timesOf(), before)
  })
})
