import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { testApp } from '../../harness/app.ts'
import { MULTIPART, multipart } from '../../harness/multipart.ts'
import { picture } from '../a/pictures.ts'
import { tally } from '../refusals.ts'
import { anexosOf, EXAME, field, file, PDF } from './anexos-app.ts'

const t = await testApp()
after(() => t.close())

const cases = anexosOf(t)
const { caso, send, stored } = cases
const analista = await t.person({ grupos: ['analista'] })
const gestor = await t.person({ grupos: ['gestor'] })
const admin = await t.administrador()

const MIB = 1024 * 1024
const pdfOf = (size: number) => Buffer.concat([PDF, Buffer.alloc(size - PDF.length, 'x')])

const FORMATS: Record<string, { content: Buffer; extension: string }> = {
  'application/pdf': { content: PDF, extension: 'pdf' },
  'image/jpeg': { content: await picture('jpeg'), extension: 'jpg' },
  'image/png': { content: await picture('png'), extension: 'png' },
  'image/webp': { content: await picture('webp'), extension: 'webp' },
}

const NO_ATTACHMENTS: Record<string, Buffer> = {
  'an HTML page': Buffer.from('<!doctype html><script>alert(1)</script>'),
  'a page that mentions %PDF- later': Buffer.from('<html>%PDF-1.7</html>'),
  'an SVG picture': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  'a Windows program': Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(500)]),
  'a Linux program': Buffer.from('\x7fELF\x02\x01\x01', 'latin1'),
  'a GIF picture': Buffer.from('GIF89a\x01\0\x01\0', 'latin1'),
  'a RIFF that is sound': Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1'),
  'a ZIP archive': Buffer.from('PK\x03\x04'),
  'half a signature': Buffer.from('%PDF'),
  'an empty file': Buffer.alloc(0),
}

describe('POST /agravos/casos/{id}/anexos', () => {
  for (const [formato, { content, extension }] of Object.entries(FORMATS))
    it(`takes ${formato} by its content, under a name of our own, and its url leads to the same bytes`, async () => {
      const id = await caso(analista)
      const answer = await send(
        analista,
        id,
        field('tipo', 'notificacao'),
        file(content, 'Maria da Silva.exe'),
      )
      assert.equal(answer.status, 201, answer.text)
      const { id: anexo, url, uploaded_at, ...rest } = answer.body
      assert.deepEqual(Object.keys(answer.body), ['id', 'nome', 'tipo', 'tamanho', 'url', 'uploaded_at'])
      assert.deepEqual(rest, {
        nome: `notificacao-${anexo}.${extension}`,
        tipo: 'notificacao',
        tamanho: content.length,
      })
      assert.ok(Math.abs(Date.parse(uploaded_at) - t.clock.now().getTime()) < 60_000)
      assert.equal(new URL(url).pathname, `/api/v1/agravos/casos/${id}/anexos/${anexo}`)
      const { status, headers, bytes } = await cases.download(analista, id, anexo)
      assert.equal(status, 200)
      assert.equal(headers['content-type'], formato)
      assert.ok(bytes.equals(content))
    })

  for (const [what, content] of Object.entries(NO_ATTACHMENTS))
    it(`answers 422 INVALID_FILE to ${what}, whatever it calls itself, and stores nothing`, async () => {
      const id = await caso(analista)
      for (const type of ['application/pdf', 'image/png'])
        await cases.refuses(
          () => send(analista, id, EXAME, { ...file(content, 'exame.pdf'), type }),
          ['arquivo INVALID_FILE'],
        )
    })

  it('takes the fields before and after the file, and a description at its limit', async () => {
    const id = await caso(analista)
    const descricao = field('descricao', 'ã'.repeat(500))
    for (const parts of [
      [EXAME, descricao, file()],
      [file(), EXAME, descricao],
      [descricao, file(), EXAME],
    ])
      assert.equal((await send(analista, id, ...parts)).status, 201)
    assert.equal((await send(analista, id, EXAME, field('descricao', ''), file())).status, 201)
    const { body } = await t.as(gestor).get(`/agravos/casos/${id}/anexos?identificado=true`)
    assert.deepEqual(
      body.items.map((one: { descricao: string | null }) => one.descricao),
      [...Array(3).fill('ã'.repeat(500)), null],
    )
  })

  it('ignores fields it does not know', async () => {
    const id = await caso(analista)
    assert.equal((await send(analista, id, field('outro', 'x'), EXAME, file())).status, 201)
  })

  it('answers 422 to a form without a known tipo, with a wrong description, without its one file; nothing is stored', async () => {
    const id = await caso(analista)
    const refuses = (expected: string[], ...parts: Parameters<typeof multipart>) =>
      cases.refuses(() => send(analista, id, ...parts), expected)
    await refuses(['tipo REQUIRED'], file())
    await refuses(['tipo INVALID_VALUE'], field('tipo', 'raio-x'), file())
    await refuses(['tipo INVALID_VALUE'], file(), field('tipo', ''))
    await refuses(['descricao TOO_LONG'], EXAME, field('descricao', 'x'.repeat(501)), file())
    await refuses(['descricao TOO_LONG'], EXAME, file(), field('descricao', 'x'.repeat(60_000 / 5)))
    await refuses(['descricao INVALID_FORMAT'], EXAME, field('descricao', 'a\0b'), file())
    await refuses(['arquivo REQUIRED'], EXAME)
    await refuses(['arquivo REQUIRED', 'tipo REQUIRED'])
    await refuses(['arquivo REQUIRED'], EXAME, { ...file(), field: 'file' })
    await refuses(['arquivo REQUIRED'], EXAME, field('arquivo', '%PDF-1.7'))
    await refuses(['arquivo TOO_MANY'], EXAME, file(), file())
    await refuses(['arquivo TOO_MANY'], EXAME, file(), { ...file(), field: 'outro' })
  })

  it('takes 10 MiB, and answers 413 to a byte more or to far more, storing nothing', async () => {
    const id = await caso(analista)
    const { id: anexo } = await cases.attach(analista, id, EXAME, file(pdfOf(10 * MIB)))
    assert.ok((await cases.download(analista, id, anexo)).bytes.equals(pdfOf(10 * MIB)))
    const before = await stored()
    for (const size of [10 * MIB + 1, 11 * MIB, 30 * MIB]) {
      const { status, body } = await send(analista, id, EXAME, file(pdfOf(size)))
      assert.equal(status, 413, String(size))
      assert.equal(body.error.code, 'PAYLOAD_TOO_LARGE')
    }
    assert.deepEqual(await stored(), before)
  })

  it('answers 400 to a form that is cut off, wherever that happens, and stores nothing', async () => {
    const id = await caso(analista)
    const before = await stored()
    const whole = multipart(EXAME, file(pdfOf(600_000)), field('descricao', 'x'))
    for (const length of [50, 100, 300, 5_000, 300_000, 600_200, whole.length - 30]) {
      const { status, body, text } = await t.as(analista).request('POST', `/agravos/casos/${id}/anexos`, {
        headers: MULTIPART,
        payload: whole.subarray(0, length),
      })
      assert.equal(status, 400, `${length}: ${text}`)
      assert.equal(body.error.code, 'MALFORMED_REQUEST')
      assert.deepEqual(await stored(), before, String(length))
    }
  })

  it('answers 415 to what is no form', async () => {
    const id = await caso(analista)
    const before = await stored()
    const headers = { 'content-type': 'application/pdf' }
    const answer = await t
      .as(analista)
      .request('POST', `/agravos/casos/${id}/anexos`, { headers, payload: PDF })
    assert.equal(answer.status, 415)
    assert.deepEqual(await stored(), before)
  })

  it('answers 404 for a case that is unknown or excluded, and 403 without agravos.editar; nothing is stored', async () => {
    const [excluded, live] = [await caso(analista), await caso(analista)]
    assert.equal((await t.as(gestor).delete(`/agravos/casos/${excluded}?motivo=x`)).status, 204)
    const before = await stored()
    for (const id of [excluded, 999_999]) {
      const { status, body } = await send(analista, id, EXAME, file())
      assert.equal(status, 404)
      assert.equal(body.error.code, 'NOT_FOUND')
    }
    const reader = await t.person({ grupos: ['visualizador'] })
    const { status, body } = await send(reader, live, EXAME, file())
    assert.equal(status, 403)
    assert.equal(body.error.required_permission, 'agravos.editar')
    assert.equal((await send(analista, 'x', EXAME, file())).status, 422)
    assert.deepEqual(await stored(), before)
  })

  it('raises the version of the case and leaves a line in its history that does not name the patient', async () => {
    const id = await caso(analista)
    const before = await t.as(analista).get(`/agravos/casos/${id}`)
    const anexo = await cases.attach(analista, id, EXAME, field('descricao', 'de Maria'), file())
    const { headers, body } = await t.as(analista).get(`/agravos/casos/${id}`)
    assert.equal(body.versao, before.body.versao + 1)
    assert.notEqual(headers.etag, before.headers.etag)
    assert.equal(body.historico[0].acao, 'anexo_incluido')
    assert.equal(body.historico[0].usuario.id, analista.id)
    assert.deepEqual(body.historico[0].detalhes, {
      anexo: { id: anexo.id, tipo: 'exame', formato: 'application/pdf', tamanho: PDF.length },
    })
  })

  it('takes 50 for one case; the next is 422 TOO_MANY and stores nothing, until one is deleted', async () => {
    const id = await caso(analista)
    const first = await cases.attach(analista, id)
    for (let i = 1; i < 48; i++) await cases.attach(analista, id)
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(analista, id, EXAME, file())))
    assert.deepEqual(tally(answers), { 201: 2, 422: 4 })
    await cases.refuses(() => send(analista, id, EXAME, file()), ['arquivo TOO_MANY'])
    const kept = await t.database.pool.first(sql`
      select count(*) as anexos, (select count(*) from arquivos where not em_uso) as unused
        from anexos where caso_id = ${id}`)
    assert.deepEqual(kept, { anexos: 50, unused: 0 })
    assert.equal((await t.as(analista).delete(`/agravos/casos/${id}/anexos/${first.id}`)).status, 204)
    assert.equal((await send(analista, id, EXAME, file())).status, 201)
  })

  it('keeps every one of many that arrive at once, each with its own version', async () => {
    const id = await caso(analista)
    const contents = Array.from({ length: 12 }, (_, i) => Buffer.concat([PDF, Buffer.alloc(300_000, `${i}`)]))
    const answers = await Promise.all(contents.map((content) => send(analista, id, EXAME, file(content))))
    assert.deepEqual(tally(answers), { 201: 12 })
    for (const [i, { body }] of answers.entries())
      assert.ok((await cases.download(analista, id, body.id)).bytes.equals(contents[i] as Buffer))
    assert.equal((await t.as(analista).get(`/agravos/casos/${id}`)).body.versao, 13)
  })

  it('that races with the removal of the case is there before it or answers 404, and leaves nothing behind', async () => {
    for (let i = 0; i < 5; i++) {
      const id = await caso(analista)
      const [removed, ...sent] = await Promise.all([
        t.as(admin).delete(`/agravos/casos/${id}?motivo=x&force=true`),
        ...Array.from({ length: 4 }, () => send(analista, id, EXAME, file())),
      ])
      assert.equal(removed.status, 204)
      for (const { status, text } of sent) assert.ok([201, 404].includes(status), text)
      const left = await t.database.pool.first(sql`
        select (select count(*) from anexos where caso_id = ${id}) as anexos,
               (select count(*) from arquivos f where not exists (select from anexos a where a.arquivo_id = f.id))
                 as unused`)
      assert.deepEqual(left, { anexos: 0, unused: 0 })
    }
  })
})
