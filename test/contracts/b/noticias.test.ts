import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { problems, tally } from '../refusals.ts'
import { MINIMO, noticiasApp } from './noticias-app.ts'

const { t, redator, newNoticia, getNoticia, refused, missing, invalid, registros } = await noticiasApp()
after(() => t.close())

const UNKNOWN_ID = 2_000_000_000
const BAD_IDS = ['0', '-1', '1.5', 'um', '2147483648', '%00']

const COMPLETA = {
  titulo: 'Dengue: casos caem no Recife',
  resumo: 'Queda de 30%',
  conteudo: 'Primeira linha.\n\n"Segunda" <b>linha</b> 🦟',
  fonte: 'Secretaria de Saúde',
  url: 'https://www.noticias.example/noticias?id=7#topo',
  publicado_em: '2026-05-18T12:00:00.000Z',
}

/** A link of exactly this many characters. */
const urlOf = (length: number) => 'https://exemplo.example/'.padEnd(length, 'x')

const GOOD_URLS = [
  'http://exemplo.example',
  'HTTPS://Exemplo.example/',
  'https://exemplo.example:8443/a/b;c?d=e&f[]={g|h}#i',
  'https://saúde.example/notícias/são-joão',
  'https://exemplo.example?x',
  'https://exemplo.example/~equipe/%C3%A1',
  'https://exemplo.example/@equipe',
  'http://192.0.2.7/x',
  'http://[2001:db8::7]:80/x',
  urlOf(2000),
]

const BAD_URLS = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'javascript://exemplo.example/%0aalert(1)',
  ' https://exemplo.example',
  'https://exemplo.example\n',
  'https://exemplo.example/a b',
  'https://exemplo.example/\0',
  'https://exemplo.example/\u202e',
  'https://exemplo.example/\ud800',
  'https://exemplo.example/"><script>',
  'https://exemplo.example\\@outro.example',
  'https://exemplo.example@outro.example/',
  'https://nome:senha@exemplo.example/',
  'data:text/html,x',
  'file:///etc/passwd',
  'ftp://exemplo.example/x',
  'mailto:a@exemplo.example',
  '//exemplo.example/x',
  '/noticias/1',
  'www.noticias.example',
  'https:/exemplo.example',
  'https:exemplo.example',
  'https://',
  'https:///x',
  'https://:443/x',
  'https://exemplo.example:999999/',
  '',
]

const BAD_MOMENTS = [
  '',
  'ontem',
  'today',
  'infinity',
  '2026-05-18',
  '2026-05-18T12:00:00',
  '2026-05-18 12:00:00Z',
  '2026-02-30T12:00:00Z',
  '2026-05-18T25:00:00Z',
  '2016-12-31T23:59:60Z',
  '2026-05-18T12:00:00+24:00',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+10:00',
  '9999-12-31T23:59:59-10:00',
  '+12026-05-18T12:00:00Z',
  '2026-05-18T12:00:00Z\0',
]

/** What is wrong with these fields, whether an item is created or changed. */
const BAD_FIELDS: [what: string, body: Record<string, unknown>, expected: string[]][] = [
  ...['titulo', 'conteudo'].flatMap((field): typeof BAD_FIELDS => [
    [`an empty ${field}`, { [field]: '' }, [`${field} REQUIRED`]],
    [`a blank ${field}`, { [field]: ' \n\t\u00a0' }, [`${field} INVALID_FORMAT`]],
    [`a ${field} that is null`, { [field]: null }, [`${field} INVALID_TYPE`]],
  ]),
  ...['titulo', 'resumo', 'conteudo', 'fonte'].flatMap((field): typeof BAD_FIELDS => [
    [`a ${field} with the NUL character`, { [field]: 'a\0b' }, [`${field} INVALID_FORMAT`]],
    [`a ${field} with half a character`, { [field]: 'a\ud800b' }, [`${field} INVALID_FORMAT`]],
  ]),
  ...['titulo', 'resumo', 'conteudo', 'fonte', 'url', 'publicado_em'].flatMap((field): typeof BAD_FIELDS => [
    [`a ${field} that is a number`, { [field]: 5 }, [`${field} INVALID_TYPE`]],
    [`a ${field} that is a list`, { [field]: ['x'] }, [`${field} INVALID_TYPE`]],
    [`a ${field} that is an object`, { [field]: {} }, [`${field} INVALID_TYPE`]],
    [`a ${field} that is a boolean`, { [field]: true }, [`${field} INVALID_TYPE`]],
  ]),
  ['a titulo of 201 characters', { titulo: 'x'.repeat(201) }, ['titulo TOO_LONG']],
  ['a resumo of 1001 characters', { resumo: 'x'.repeat(1001) }, ['resumo TOO_LONG']],
  ['a conteudo of 50001 characters', { conteudo: 'x'.repeat(50_001) }, ['conteudo TOO_LONG']],
  ['a fonte of 201 characters', { fonte: 'x'.repeat(201) }, ['fonte TOO_LONG']],
  ['a url of 2001 characters', { url: urlOf(2001) }, ['url TOO_LONG']],
  ['a publicado_em that is null', { publicado_em: null }, ['publicado_em INVALID_TYPE']],
  ...BAD_URLS.map((url): (typeof BAD_FIELDS)[0] => [
    `the url ${JSON.stringify(url)}`,
    { url },
    ['url INVALID_FORMAT'],
  ]),
  ...BAD_MOMENTS.map((publicado_em): (typeof BAD_FIELDS)[0] => [
    `the publicado_em ${JSON.stringify(publicado_em)}`,
    { publicado_em },
    ['publicado_em INVALID_FORMAT'],
  ]),
  [
    'all of these at once',
    { titulo: null, resumo: 5, conteudo: '', fonte: 'a\0', url: 'x', publicado_em: 'x' },
    [
      'titulo INVALID_TYPE',
      'resumo INVALID_TYPE',
      'conteudo REQUIRED',
      'fonte INVALID_FORMAT',
      'url INVALID_FORMAT',
      'publicado_em INVALID_FORMAT',
    ],
  ],
]

describe('POST /noticias', () => {
  it('publishes the item as it was sent and answers it', async () => {
    const { status, body } = await t.as(redator).post('/noticias', COMPLETA)
    assert.equal(status, 201)
    const { id, criado_em, atualizado_em, ...rest } = body
    assert.deepEqual(rest, COMPLETA)
    assert.equal(criado_em, atualizado_em)
    assert.ok(Math.abs(Date.parse(criado_em) - t.clock.now().getTime()) < 10_000)
    assert.deepEqual(await getNoticia(id), body)
  })

  it('needs only title and content: the rest is null, and it is published now', async () => {
    const { id: _id, criado_em, atualizado_em, ...rest } = await newNoticia()
    assert.deepEqual(rest, { ...MINIMO, resumo: null, fonte: null, url: null, publicado_em: criado_em })
    assert.equal(criado_em, atualizado_em)
  })

  it('accepts every field at its longest, counted in characters', async () => {
    const longest = {
      titulo: '🦟'.repeat(200),
      resumo: 'é'.repeat(1000),
      conteudo: '🦟'.repeat(50_000),
      fonte: '🦟'.repeat(200),
    }
    const { id } = await newNoticia(longest)
    const { titulo, resumo, conteudo, fonte } = await getNoticia(id)
    assert.deepEqual({ titulo, resumo, conteudo, fonte }, longest)
  })

  it('accepts no summary, source and link as null, and an empty summary and source', async () => {
    const none = await newNoticia({ resumo: null, fonte: null, url: null })
    assert.deepEqual([none.resumo, none.fonte, none.url], [null, null, null])
    const empty = await newNoticia({ resumo: '', fonte: '' })
    assert.deepEqual([empty.resumo, empty.fonte], ['', ''])
  })

  for (const url of GOOD_URLS)
    it(`accepts the link ${url.slice(0, 60)}, as browsers do`, async () => {
      assert.equal((await newNoticia({ url })).url, url)
      assert.match(new URL(url).protocol, /^https?:$/)
    })

  for (const [publicado_em, expected] of [
    ['2026-05-18T09:00:00-03:00', '2026-05-18T12:00:00.000Z'],
    ['2026-05-18T09:00-03:00', '2026-05-18T12:00:00.000Z'],
    ['2026-05-18T12:00:00.1234567Z', '2026-05-18T12:00:00.123Z'],
    ['1999-12-31T23:59:59.999Z', '1999-12-31T23:59:59.999Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ] as const)
    it(`accepts ${publicado_em} as the time of publication, in the past or to come`, async () => {
      assert.equal((await newNoticia({ publicado_em })).publicado_em, expected)
    })

  it('ignores fields it does not know, and those that are the service’s own', async () => {
    const past = '2001-01-01T00:00:00Z'
    const noticia = await newNoticia({ id: UNKNOWN_ID, criado_em: past, atualizado_em: past, autor: 'eu' })
    assert.notEqual(noticia.id, UNKNOWN_ID)
    assert.ok(noticia.criado_em > '2020' && noticia.atualizado_em > '2020')
    assert.ok(!('autor' in noticia))
  })

  for (const [what, body, expected] of BAD_FIELDS)
    it(`refuses ${what}`, async () => {
      assert.deepEqual(await invalid(() => t.as(redator).post('/noticias', { ...MINIMO, ...body })), expected)
    })

  for (const field of ['titulo', 'conteudo'] as const)
    it(`refuses an item without ${field}`, async () => {
      const { [field]: _left, ...body } = MINIMO
      assert.deepEqual(await invalid(() => t.as(redator).post('/noticias', body)), [`${field} REQUIRED`])
    })

  for (const [what, payload] of [
    ['a list', '[]'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['nothing', ''],
  ] as const)
    it(`refuses ${what} in place of an object`, async () => {
      const headers = { 'content-type': 'application/json' }
      const send = () => t.as(redator).request('POST', '/noticias', { headers, payload })
      assert.deepEqual(await invalid(send), [' INVALID_TYPE'])
    })

  it('tells what a link must be, in the language asked for', async () => {
    const messages = []
    for (const language of ['pt-BR', 'en-US', 'es-ES']) {
      const headers = { 'accept-language': language }
      const { body } = await t.as(redator).post('/noticias', { ...MINIMO, url: 'x' }, { headers })
      assert.deepEqual(problems(body.error.details), ['url INVALID_FORMAT'])
      messages.push(body.error.details[0].message)
    }
    for (const message of messages) assert.match(message, /https:\/\//)
    assert.equal(new Set(messages).size, 3)
  })

  it('is backed by the database, which takes no other link either', async () => {
    await assert.rejects(
      t.database.pool.run(sql`
        insert into noticias (titulo, conteudo, url, publicado_em, criado_em, atualizado_em)
        values ('x', 'x', 'javascript:alert(1)', now(), now(), now())`),
    )
  })
})

describe('GET /noticias/{id}', () => {
  it('answers the item to whoever may read news', async () => {
    const noticia = await newNoticia(COMPLETA)
    const leitor = await t.person({ grupos: ['visualizador'] })
    const { status, body } = await t.as(leitor).get(`/noticias/${noticia.id}`)
    assert.deepEqual([status, body], [200, noticia])
  })

  it('answers 404 for an item that does not exist', async () => {
    await missing(() => t.as(redator).get(`/noticias/${UNKNOWN_ID}`))
  })

  for (const id of BAD_IDS)
    it(`answers 422 for the id ${id}`, async () => {
      const [found] = await invalid(() => t.as(redator).get(`/noticias/${id}`))
      assert.match(found as string, /^id /)
    })
})

for (const method of ['put', 'patch'] as const)
  describe(`${method.toUpperCase()} /noticias/{id}`, () => {
    const change = (id: number | string, body: unknown) => t.as(redator)[method](`/noticias/${id}`, body)

    for (const body of [
      { titulo: 'Outro' },
      { resumo: 'Outro' },
      { conteudo: 'Outro' },
      { fonte: 'Outra' },
      { url: 'http://outro.example/' },
      { publicado_em: '2020-01-01T00:00:00.000Z' },
      { resumo: null },
      { fonte: null },
      { url: null },
      { resumo: null, fonte: null, url: null, titulo: 'Só o título' },
      {},
    ])
      it(`changes ${JSON.stringify(body)} and leaves the rest`, async () => {
        const before = await newNoticia(COMPLETA)
        t.clock.advance(1000)
        const { status, body: answer } = await change(before.id, body)
        assert.equal(status, 200)
        assert.ok(answer.atualizado_em > before.atualizado_em)
        assert.deepEqual(answer, { ...before, ...body, atualizado_em: answer.atualizado_em })
        assert.deepEqual(await getNoticia(before.id), answer)
      })

    it('leaves every other item alone', async () => {
      const [one, other] = [await newNoticia(), await newNoticia()]
      await change(one.id, { titulo: 'Só este' })
      assert.deepEqual(await getNoticia(other.id), other)
    })

    it('finds the item by its new text and no longer by the old', async () => {
      const { id } = await newNoticia({ titulo: `antes de ${method}` })
      await change(id, { titulo: `depois de ${method}` })
      const total = async (search: string) =>
        (await t.as(redator).get(`/noticias?${new URLSearchParams({ search })}`)).body.total
      assert.deepEqual([await total(`antes de ${method}`), await total(`DEPOIS de ${method}`)], [0, 1])
    })

    for (const [what, body, expected] of BAD_FIELDS)
      it(`refuses ${what}`, async () => {
        const { id } = await newNoticia()
        assert.deepEqual(await invalid(() => change(id, body)), expected)
      })

    it('changes nothing when one field of several is wrong', async () => {
      const { id } = await newNoticia()
      assert.deepEqual(await invalid(() => change(id, { titulo: 'Bom', url: 'x' })), ['url INVALID_FORMAT'])
    })

    it('answers 404 for an item that does not exist and 422 for an impossible id', async () => {
      await missing(() => change(UNKNOWN_ID, { titulo: 'x' }))
      for (const id of BAD_IDS) {
        const found = await invalid(() => change(id, { titulo: 5 }))
        assert.match(found.join(), /^id \w+,titulo INVALID_TYPE$/)
      }
    })

    it('keeps all of several simultaneous changes of different fields', async () => {
      for (let round = 0; round < 5; round++) {
        const { id } = await newNoticia()
        const answers = await Promise.all([
          change(id, { titulo: 'Simultânea' }),
          change(id, { resumo: 'Resumo' }),
          change(id, { fonte: 'Fonte' }),
        ])
        assert.deepEqual(tally(answers), { 200: 3 })
        const { titulo, resumo, fonte } = await getNoticia(id)
        assert.deepEqual([titulo, resumo, fonte], ['Simultânea', 'Resumo', 'Fonte'])
      }
    })
  })

describe('DELETE /noticias/{id}', () => {
  const remove = (id: number | string) => t.as(redator).delete(`/noticias/${id}`)

  it('removes the item, and no other, and answers nothing', async () => {
    const [one, other] = [await newNoticia(), await newNoticia()]
    const { status, text } = await remove(one.id)
    assert.deepEqual([status, text], [204, ''])
    await missing(() => t.as(redator).get(`/noticias/${one.id}`))
    await missing(() => t.as(redator).put(`/noticias/${one.id}`, { titulo: 'x' }))
    await missing(() => remove(one.id))
    assert.deepEqual(await getNoticia(other.id), other)
  })

  it('answers 404 for an item that does not exist and 422 for an impossible id', async () => {
    await missing(() => remove(UNKNOWN_ID))
    for (const id of BAD_IDS) assert.match((await invalid(() => remove(id))).join(), /^id \w+$/)
  })

  it('removes once, and records it once, when ten ask at the same time', async () => {
    const { id } = await newNoticia()
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(id)))
    assert.deepEqual(tally(answers), { 204: 1, 404: 9 })
    assert.equal((await registros(id)).length, 2)
  })
})

describe('the audit of news', () => {
  it('says who published, changed and removed an item and which fields, without their text', async () => {
    const editora = await t.person({ permissoes: ['noticias.editar'] })
    const { id } = await newNoticia(COMPLETA)
    await t.as(editora).put(`/noticias/${id}`, { titulo: 'Outro título', url: null })
    await t.as(editora).patch(`/noticias/${id}`, { conteudo: 'Outro conteúdo', autor: 'x' })
    await t.as(redator).delete(`/noticias/${id}`)
    assert.deepEqual(await registros(id), [
      { acao: 'noticia.criada', ator_id: redator.id, detalhes: {} },
      { acao: 'noticia.alterada', ator_id: editora.id, detalhes: { campos: ['titulo', 'url'] } },
      { acao: 'noticia.alterada', ator_id: editora.id, detalhes: { campos: ['conteudo'] } },
      { acao: 'noticia.excluida', ator_id: redator.id, detalhes: {} },
    ])
  })
})

describe('who may only read news', () => {
  it('publishes, changes and removes nothing', async () => {
    const { id } = await newNoticia()
    const analista = t.as(await t.person({ grupos: ['analista'] }))
    for (const [permission, act] of [
      ['noticias.criar', () => analista.post('/noticias', MINIMO)],
      ['noticias.editar', () => analista.put(`/noticias/${id}`, { titulo: 'x' })],
      ['noticias.editar', () => analista.patch(`/noticias/${id}`, { titulo: 'x' })],
      ['noticias.deletar', () => analista.delete(`/noticias/${id}`)],
    ] as const)
      assert.equal((await refused(act, 403, 'PERMISSION_DENIED')).required_permission, permission)
    assert.equal((await analista.get('/noticias')).status, 200)
  })

  it('is nobody without a login', async () => {
    const { id } = await newNoticia()
    for (const act of [
      () => t.anonymous.get('/noticias'),
      () => t.anonymous.get(`/noticias/${id}`),
      () => t.anonymous.post('/noticias', MINIMO),
      () => t.anonymous.put(`/noticias/${id}`, { titulo: 'x' }),
      () => t.anonymous.delete(`/noticias/${id}`),
    ])
      await refused(act, 401, 'UNAUTHORIZED')
  })
})
