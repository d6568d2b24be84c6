import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, describe, it } from 'node:test'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { sql } from '../../../src/db/sql.ts'
import { type Answer, type Person, testApp } from '../../harness/app.ts'
import { tally } from '../refusals.ts'
import { picture, png } from './pictures.ts'

const t = await testApp()
after(() => t.close())

const BOUNDARY = 'limite-dos-testes'
const MULTIPART = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
const END = Buffer.from(`--${BOUNDARY}--\r\n`)

interface Part {
  content: Buffer | string
  field?: string
  name?: string | null
  type?: string
}

function part({ content, field = 'file', name = 'foto.jpg', type = 'image/jpeg' }: Part): Buffer {
  const filename = name === null ? '' : `; filename="${name}"`
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"${filename}\r\n${name === null ? '' : `Content-Type: ${type}\r\n`}\r\n`
  return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')])
}

const form = (...parts: Part[]) => Buffer.concat([...parts.map(part), END])
const upload = (caller: Person, id: number, ...parts: Part[]) =>
  t.as(caller).request('POST', `/usuarios/${id}/foto-perfil`, { headers: MULTIPART, payload: form(...parts) })

const stored = (id: number) =>
  t.database.pool.first<{ versao: string }>(
    sql`select versao, grande, pequena from fotos_de_perfil where usuario_id = ${id}`,
  )

function fetchPhoto(path: string, token: string | null, headers: Record<string, string> = {}) {
  const { pathname, search } = new URL(path, 'https://x')
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` }
  return t.server.inject({ method: 'GET', url: pathname + search, headers: { ...authorization, ...headers } })
}

/** A 422 in description A's form for the file, after which the photo is the one from before. */
async function refusedFile(answer: Promise<Answer>, type: string): Promise<void> {
  const { status, body, text } = await answer
  assert.equal(status, 422, text)
  assert.deepEqual(
    body.detail.map(({ loc, type: kind }: { loc: unknown; type: string }) => ({ loc, kind })),
    [{ loc: ['body', 'file'], kind: `value_error.${type}` }],
  )
  assert.ok(body.detail[0].msg.length > 0)
}

const jpeg = await picture('jpeg')
const html = '<!doctype html><script>alert(1)</script>'

const NO_PHOTOS: Record<string, Buffer> = {
  GIF: await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .gif()
    .toBuffer(),
  SVG: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
  TIFF: await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .tiff()
    .toBuffer(),
  'a header of HEIC': Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'),
  PDF: Buffer.from('%PDF-1.7\n%%EOF'),
  text: Buffer.from('não é foto'),
  'an empty file': Buffer.alloc(0),
  'a JPEG cut in half': jpeg.subarray(0, jpeg.length / 2),
  'a page behind a JPEG': Buffer.concat([jpeg, Buffer.from(html)]),
  'more than 25 megapixels': png(6000, 6000, deflateSync(Buffer.alloc(6000 * 751))),
  'a decompression bomb': png(60_000, 60_000, deflateSync(Buffer.alloc(20_000_000))),
}

describe('POST /usuarios/{id}/foto-perfil', () => {
  for (const [format, name, type] of [
    ['jpeg', 'foto.png', 'image/png'],
    ['png', 'planilha.xlsx', 'application/octet-stream'],
    ['webp', '../../etc/passwd', 'text/html'],
  ] as const)
    it(`takes ${format} by its content, whatever its name (${name}) and stated type (${type})`, async () => {
      const person = await t.person()
      const { status, body, text } = await upload(person, person.id, {
        content: await picture(format),
        name,
        type,
      })
      assert.equal(status, 200, text)
      assert.deepEqual(Object.keys(body), ['message', 'avatar_url'])
      const photo = await fetchPhoto(body.avatar_url, person.token)
      const { format: made, width, height, exif } = await sharp(photo.rawPayload).metadata()
      assert.deepEqual(
        { made, width, height, exif },
        { made: 'webp', width: 512, height: 512, exif: undefined },
      )
    })

  it('takes fields beside the file', async () => {
    const person = await t.person()
    const extra = { content: 'x', field: 'descricao', name: null }
    assert.equal((await upload(person, person.id, extra, { content: jpeg })).status, 200)
    assert.equal((await upload(person, person.id, { content: jpeg }, extra)).status, 200)
  })

  it('answers 422 INVALID_IMAGE to everything else, and the old photo stays', async () => {
    const person = await t.person()
    assert.equal((await upload(person, person.id, { content: jpeg })).status, 200)
    const before = await stored(person.id)
    const rss = process.memoryUsage.rss()
    for (const [what, content] of Object.entries(NO_PHOTOS)) {
      await refusedFile(
        upload(person, person.id, { content, name: 'foto.jpg', type: 'image/jpeg' }),
        'invalid_image',
      )
      assert.deepEqual(await stored(person.id), before, what)
    }
    assert.ok(process.memoryUsage.rss() - rss < 200e6)
  })

  it('takes 5 MiB and answers 413 to a byte more, or to far more', async () => {
    const person = await t.person()
    const padded = (size: number) => Buffer.concat([jpeg, Buffer.alloc(size - jpeg.length)])
    assert.equal((await upload(person, person.id, { content: padded(5 * 1024 * 1024) })).status, 200)
    const before = await stored(person.id)
    for (const size of [5 * 1024 * 1024 + 1, 6 * 1024 * 1024, 20 * 1024 * 1024]) {
      const { status, body } = await upload(person, person.id, { content: padded(size) })
      assert.equal(status, 413, String(size))
      assert.equal(body.error.code, 'PAYLOAD_TOO_LARGE')
    }
    assert.deepEqual(await stored(person.id), before)
  })

  it('answers 422 when the one file in the field `file` is not there', async () => {
    const person = await t.person()
    const send = (payload: Buffer | undefined, headers: Record<string, string> = MULTIPART) =>
      t
        .as(person)
        .request('POST', `/usuarios/${person.id}/foto-perfil`, { headers, ...(payload && { payload }) })
    await refusedFile(send(END), 'required')
    await refusedFile(send(form({ content: jpeg, field: 'foto' })), 'required')
    await refusedFile(send(form({ content: 'texto', name: null })), 'required')
    await refusedFile(send(undefined, {}), 'required')
    assert.equal(await stored(person.id), null)
  })

  it('answers 422 to several files, and stores none of them', async () => {
    const person = await t.person()
    await refusedFile(upload(person, person.id, { content: jpeg }, { content: jpeg }), 'too_many')
    await refusedFile(
      upload(person, person.id, { content: jpeg }, { content: jpeg, field: 'outro' }),
      'too_many',
    )
    assert.equal(await stored(person.id), null)
  })

  it('answers 415 to what is no multipart form', async () => {
    const person = await t.person()
    for (const type of [
      'application/json',
      'image/jpeg',
      'application/x-www-form-urlencoded',
      'multipart/mixed; boundary=x',
    ]) {
      const headers = { 'content-type': type }
      const { status, body } = await t
        .as(person)
        .request('POST', `/usuarios/${person.id}/foto-perfil`, { headers, payload: jpeg })
      assert.equal(status, 415, type)
      assert.equal(body.error.code, 'UNSUPPORTED_MEDIA_TYPE')
    }
  })

  for (const [what, payload, headers] of [
    ['without a boundary', form({ content: jpeg }), { 'content-type': 'multipart/form-data' }],
    ['that is cut off', form({ content: jpeg }).subarray(0, 2000), MULTIPART],
    ['cut off within a header', Buffer.from(`--${BOUNDARY}\r\nContent-Dispo`), MULTIPART],
    ['of noise', Buffer.alloc(5000, 'x'), MULTIPART],
    ['with a broken part', Buffer.from(`--${BOUNDARY}\r\n: x\r\n\r\nx\r\n--${BOUNDARY}--\r\n`), MULTIPART],
    [
      'with too many fields',
      form(...Array.from({ length: 50 }, (_, i) => ({ content: 'x', field: `f${i}`, name: null })), {
        content: jpeg,
      }),
      MULTIPART,
    ],
    ['with the field __proto__', form({ content: jpeg, field: '__proto__' }), MULTIPART],
  ] as const)
    it(`answers an error of the client's to a form ${what}, and stores nothing`, async () => {
      const person = await t.person()
      const { status, text } = await t
        .as(person)
        .request('POST', `/usuarios/${person.id}/foto-perfil`, { headers, payload: Buffer.from(payload) })
      assert.ok([400, 413, 422].includes(status), `${status} ${text}`)
      assert.equal(await stored(person.id), null)
    })

  it('is for oneself and for whoever holds usuarios.editar', async () => {
    const [person, other, editor] = [
      await t.person(),
      await t.person(),
      await t.person({ permissoes: ['usuarios.editar'] }),
    ]
    const { status, body } = await upload(other, person.id, { content: jpeg })
    assert.equal(status, 403)
    assert.equal(body.error.required_permission, 'usuarios.editar')
    assert.equal(await stored(person.id), null)
    assert.equal((await upload(editor, person.id, { content: jpeg })).status, 200)
    assert.equal((await upload(person, person.id, { content: jpeg })).status, 200)
  })

  it('answers 404 for a user who is not there and 422 for an id that is none', async () => {
    const editor = await t.person({ permissoes: ['usuarios.editar'] })
    assert.equal((await upload(editor, 999_999, { content: jpeg })).status, 404)
    const { status, body } = await t
      .as(editor)
      .request('POST', '/usuarios/x/foto-perfil', { headers: MULTIPART, payload: form({ content: jpeg }) })
    assert.equal(status, 422)
    assert.deepEqual(body.detail[0].loc, ['path', 'id'])
  })

  it('is recorded in the audit', async () => {
    const person = await t.person()
    await upload(person, person.id, { content: jpeg })
    const entry = await t.database.pool.first(sql`
      select acao, ator_id, detalhes from auditoria where recurso = 'usuario' and recurso_id = ${String(person.id)}
       order by id desc limit 1`)
    assert.deepEqual(entry, { acao: 'usuario.foto_alterada', ator_id: person.id, detalhes: {} })
  })

  it('answers 20 uploads at once, and the service meanwhile', async () => {
    const person = await t.person()
    const large = await picture('jpeg', 2000, 1500)
    let meanwhile = 0
    let answered = false
    const watch = (async () => {
      while (!answered) {
        assert.equal((await t.anonymous.get('/health')).status, 200)
        if (!answered) meanwhile++
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => upload(person, person.id, { content: large })),
    )
    answered = true
    await watch
    const { 200: done = 0, 503: busy = 0 } = tally(answers)
    assert.equal(done + busy, 20, JSON.stringify(tally(answers)))
    assert.ok(done >= 1)
    assert.ok(meanwhile >= 5, `the service answered ${meanwhile} times while pictures were decoded`)
    assert.notEqual(await stored(person.id), null)
  })

  it('leaves nothing behind when the upload is cut off half-way, and the service goes on', async () => {
    const person = await t.person()
    await t.server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = t.server.server.address() as { port: number }
    const payload = form({ content: jpeg })
    const head = `POST /api/v1/usuarios/${person.id}/foto-perfil HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${person.token}\r\nContent-Type: ${MULTIPART['content-type']}\r\nContent-Length: ${payload.length}\r\n\r\n`
    for (let i = 0; i < 5; i++) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      await new Promise((sent) =>
        socket.write(Buffer.concat([Buffer.from(head), payload.subarray(0, payload.length / 2)]), sent),
      )
      await new Promise((resolve) => setTimeout(resolve, 50))
      socket.destroy()
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
    assert.equal(await stored(person.id), null)
    assert.ok(!t.logs.some((line) => line.includes('"level":"error"')), t.logs.at(-1))
    assert.equal((await upload(person, person.id, { content: jpeg })).status, 200)
  })
})

describe('GET /usuarios/{id}/foto', () => {
  it('is where avatar_url of every output points, and needs a token', async () => {
    const [person, other] = [await t.person(), await t.person()]
    const editor = await t.person({ grupos: ['gestor'] })
    const { avatar_url: none } = (await t.as(person).get('/usuarios/me')).body
    assert.equal(none, null)
    const { avatar_url } = (await upload(person, person.id, { content: jpeg })).body
    const outputs = [
      (await t.as(person).get('/usuarios/me')).body,
      (await t.as(person).get(`/usuarios/${person.id}`)).body,
      (await t.as(editor).get(`/usuarios?id=${person.id}`)).body.items[0],
      (await t.as(editor).post('/usuarios/buscar', { filtros: { campo: 'id', valor: person.id } })).body
        .items[0],
    ]
    for (const output of outputs) assert.equal(output.avatar_url, avatar_url)
    for (const { token } of [person, other, editor])
      assert.equal((await fetchPhoto(avatar_url, token)).statusCode, 200)
    assert.equal((await fetchPhoto(avatar_url, null)).statusCode, 401)
  })

  it('answers both sizes with headers that are safe, private and let the client keep it', async () => {
    const person = await t.person()
    const { avatar_url } = (await upload(person, person.id, { content: jpeg })).body
    const etags = new Set()
    for (const [tamanho, size] of [
      ['grande', 512],
      ['pequena', 96],
    ] as const) {
      const { statusCode, headers, rawPayload } = await fetchPhoto(
        `${avatar_url}&tamanho=${tamanho}`,
        person.token,
      )
      assert.equal(statusCode, 200)
      assert.equal(headers['content-type'], 'image/webp')
      assert.match(String(headers['cache-control']), /^private\b/)
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.match(String(headers.etag), /^"[^"]+"$/)
      etags.add(headers.etag)
      assert.equal((await sharp(rawPayload).metadata()).width, size)
      for (const match of [String(headers.etag), `W/${headers.etag}`, `"outro", ${headers.etag}`, '*']) {
        const again = await fetchPhoto(`${avatar_url}&tamanho=${tamanho}`, person.token, {
          'if-none-match': match,
        })
        assert.equal(again.statusCode, 304, match)
        assert.equal(again.rawPayload.length, 0)
        assert.equal(again.headers.etag, headers.etag)
      }
      const other = await fetchPhoto(avatar_url, person.token, { 'if-none-match': '"outro"' })
      assert.equal(other.statusCode, 200)
    }
    assert.equal(etags.size, 2)
  })

  it('changes its address and ETag with the photo', async () => {
    const person = await t.person()
    const first = (await upload(person, person.id, { content: jpeg })).body.avatar_url
    const { etag } = (await fetchPhoto(first, person.token)).headers
    const second = (await upload(person, person.id, { content: await picture('png', 77, 99) })).body
      .avatar_url
    assert.notEqual(second, first)
    assert.equal((await fetchPhoto(second, person.token, { 'if-none-match': String(etag) })).statusCode, 200)
  })

  it('answers 404 without a photo or a user, 422 to another size or id', async () => {
    const person = await t.person()
    for (const id of [person.id, 999_999]) {
      const { status, body } = await t.as(person).get(`/usuarios/${id}/foto`)
      assert.equal(status, 404)
      assert.equal(body.error.code, 'NOT_FOUND')
    }
    assert.equal((await t.as(person).get(`/usuarios/${person.id}/foto?tamanho=enorme`)).status, 422)
    assert.equal((await t.as(person).get('/usuarios/x/foto')).status, 422)
  })

  it('is gone with the user', async () => {
    const [person, admin] = [await t.person(), await t.administrador()]
    const { avatar_url } = (await upload(person, person.id, { content: jpeg })).body
    assert.equal((await t.as(admin).delete(`/usuarios/${person.id}`)).status, 200)
    assert.equal((await fetchPhoto(avatar_url, admin.token)).statusCode, 404)
    assert.equal(await stored(person.id), null)
  })
})
