import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { chooseLanguage } from '../../src/http/language.ts'
import { type Answer, testApp } from '../harness/app.ts'

const t = await testApp()
after(() => t.close())

describe('Accept-Language chooses', () => {
  const CHOICES: [header: string | undefined, language: string][] = [
    [undefined, 'pt-BR'],
    ['', 'pt-BR'],
    ['*', 'pt-BR'],
    ['pt-BR', 'pt-BR'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['en', 'en-US'],
    ['en-US', 'en-US'],
    ['EN-us', 'en-US'],
    ['en-GB', 'en-US'],
    ['es', 'es-ES'],
    ['es-MX', 'es-ES'],
    // The heaviest that we have, wherever it stands.
    ['es;q=0.5, en;q=0.9', 'en-US'],
    ['en;q=0.5,es;q=0.9,pt;q=0.1', 'es-ES'],
    ['fr-FR, fr;q=0.9, en;q=0.1', 'en-US'],
    ['fr, de, ja', 'pt-BR'],
    ['en, es', 'en-US'],
    ['es , en', 'es-ES'],
    ['en ; q=0.1, es ; q=0.2', 'es-ES'],
    ['en;q=1.000, es;q=0.999', 'en-US'],
    // Weight zero means "not this one".
    ['en;q=0', 'pt-BR'],
    ['en;q=0, es;q=0.1', 'es-ES'],
    ['en;level=1;q=0.3, es;q=0.2', 'en-US'],
    // Junk is nobody's wish.
    ['en;q=abc', 'pt-BR'],
    ['en;q=-1', 'pt-BR'],
    ['en;q=NaN, es;q=0.1', 'es-ES'],
    [';;;,,,', 'pt-BR'],
    ['english', 'pt-BR'],
    ['constructor', 'pt-BR'],
    ['__proto__, en;q=0.1', 'en-US'],
    ['é\u0001"\\', 'pt-BR'],
    [`${'x,'.repeat(5000)}en`, 'pt-BR'],
    [`en${'-x'.repeat(5000)}`, 'en-US'],
  ]
  for (const [header, language] of CHOICES)
    it(`${language} for ${JSON.stringify(header)?.slice(0, 40) ?? 'no header'}`, () => {
      assert.equal(chooseLanguage(header), language)
    })
})

describe('Errors are told in the language asked for, with the same code', () => {
  const nada = (headers: Record<string, string>) => t.anonymous.get('/nada', { headers })
  const LANGUAGES: [accept: string, message: string][] = [
    ['pt-BR', 'Rota não encontrada; confira o caminho'],
    ['en-US', 'Route not found; check the path'],
    ['es-ES', 'Ruta no encontrada; revise la dirección'],
  ]
  for (const [accept, message] of LANGUAGES)
    it(`${accept} where no route answers`, async () => {
      const { status, body } = await nada({ 'accept-language': accept })
      assert.equal(status, 404)
      assert.equal(body.error.code, 'NOT_FOUND')
      assert.equal(body.error.message, message)
    })

  for (const [accept, message] of [
    ['pt-BR', 'Registro não encontrado'],
    ['en-US', 'Record not found'],
    ['es-ES', 'Registro no encontrado'],
  ] as const)
    it(`${accept} where the route is known and the record is not`, async () => {
      const { status, body } = await t
        .as(await t.administrador())
        .get('/grupos/999999', { headers: { 'accept-language': accept } })
      assert.equal(status, 404)
      assert.deepEqual([body.error.code, body.error.message], ['NOT_FOUND', message])
    })

  it('Portuguese when nothing is asked', async () => {
    assert.equal((await nada({})).body.error.message, LANGUAGES[0]?.[1])
  })

  const SENT: [what: string, send: (headers: Record<string, string>) => Promise<Answer>][] = [
    ['an unreadable URL', (headers) => t.anonymous.get('/grupos/%zz', { headers })],
    ['a missing token', (headers) => t.anonymous.get('/grupos', { headers })],
    ['another method', (headers) => t.anonymous.delete('/grupos', { headers })],
    [
      'wrong credentials',
      (headers) => t.anonymous.post('/auth/login', { username: 'a', password: 'b' }, { headers }),
    ],
    ["a field of B's form", (headers) => t.anonymous.post('/auth/login', { username: 1 }, { headers })],
    ["a field of A's form", (headers) => t.anonymous.post('/usuarios/login', { email: 'x' }, { headers })],
  ]
  for (const [what, send] of SENT)
    it(`${what}: three texts, one code`, async () => {
      const answers = await Promise.all(
        ['pt', 'en', 'es'].map((language) => send({ 'accept-language': language })),
      )
      const texts = answers.map(({ body }) => JSON.stringify(textsOf(body)))
      const codes = answers.map(({ status, body }) => JSON.stringify([status, codesOf(body)]))
      assert.equal(new Set(texts).size, 3)
      assert.equal(new Set(codes).size, 1)
    })
})

interface ErrorBody {
  error?: { code: string; message: string; details?: { field: string; code: string; message: string }[] }
  detail?: { loc: unknown[]; msg: string; type: string }[]
}

const textsOf = ({ error, detail }: ErrorBody) =>
  detail?.map(({ msg }) => msg) ?? [error?.message, ...(error?.details ?? []).map(({ message }) => message)]

const codesOf = ({ error, detail }: ErrorBody) =>
  detail?.map(({ loc, type }) => [loc, type]) ?? [
    error?.code,
    ...(error?.details ?? []).map(({ field, code }) => [field, code]),
  ]
