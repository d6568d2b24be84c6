import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { problems } from '../refusals.ts'
import { type Noticia, noticiasApp } from './noticias-app.ts'

const { t, redator, newNoticia } = await noticiasApp()
after(() => t.close())

const titulos = (items: Noticia[]) => items.map(({ titulo }) => titulo)

/** What a list answers to these parameters: the titles, in order. */
async function listed(query: Record<string, string> = {}): Promise<string[]> {
  const { status, body, text } = await t.as(redator).get(`/noticias?${new URLSearchParams(query)}`)
  assert.equal(status, 200, text)
  assert.equal(body.total, body.items.length, 'all matches fit on one page')
  return titulos(body.items)
}

// Written in another order than that of their publication; the times of writing differ, too.
const malaria = await newNoticia({
  titulo: 'Malária',
  resumo: 'Vacina em 100% dos municípios',
  conteudo: 'Ação no Pará: A_B',
  fonte: 'Ministério da Saúde',
  url: 'https://exemplo.example/malaria',
  publicado_em: '2026-03-01T12:00:00Z',
})
t.clock.advance(1000)
const dengue = await newNoticia({
  titulo: 'Dengue',
  conteudo: 'Mutirão contra o mosquito; 100 casos, AxB',
  fonte: 'Fiocruz',
  publicado_em: '2026-05-01T02:30:00Z',
})
t.clock.advance(1000)
const zika = await newNoticia({
  titulo: 'Zika',
  resumo: 'Boletim do mosquito',
  conteudo: 'Nada a relatar',
  publicado_em: '2026-03-01T12:00:00Z',
})
t.clock.advance(1000)
await t.as(redator).put(`/noticias/${malaria.id}`, { titulo: 'Malária' })

const ALL = ['Dengue', 'Zika', 'Malária']

describe('GET /noticias', () => {
  it('lists the whole items, the newest publication first, equal ones by id', async () => {
    const { body } = await t.as(redator).get('/noticias')
    assert.deepEqual(titulos(body.items), ALL)
    assert.deepEqual(body.items.slice(0, 2), [dengue, zika])
  })

  it('answers the page, its numbers, its neighbours and the time', async () => {
    const { body } = await t.as(redator).get('/noticias?size=1&page=2')
    const { items, meta, ...numbers } = body
    assert.deepEqual(titulos(items), ['Zika'])
    assert.deepEqual(numbers, {
      total: 3,
      page: 2,
      size: 1,
      pages: 3,
      links: {
        first: '/api/v1/noticias?size=1&page=1',
        prev: '/api/v1/noticias?size=1&page=1',
        next: '/api/v1/noticias?size=1&page=3',
        last: '/api/v1/noticias?size=1&page=3',
      },
    })
    assert.ok(Math.abs(Date.parse(meta.timestamp) - t.clock.now().getTime()) < 10_000)
  })

  it('leads through all items once when `next` is followed, with the filter kept', async () => {
    const seen: string[] = []
    let next = '/api/v1/noticias?size=1&search=mosquito'
    while (next !== null) {
      const { body } = await t.as(redator).get(`/${next}`)
      seen.push(...titulos(body.items))
      next = body.links.next
    }
    assert.deepEqual(seen, ['Dengue', 'Zika'])
  })

  it('answers an empty page beyond the last one, and no links when nothing matches', async () => {
    const { body: beyond } = await t.as(redator).get('/noticias?page=9')
    assert.deepEqual([beyond.total, beyond.pages, beyond.items], [3, 1, []])
    const { body: none } = await t.as(redator).get('/noticias?search=inexistente')
    assert.deepEqual([none.total, none.pages, none.items], [0, 0, []])
    assert.deepEqual(none.links, { first: null, prev: null, next: null, last: null })
  })

  it('shows 50 a page unless asked, and never more than 100', async () => {
    const other = await noticiasApp()
    for (let i = 0; i < 101; i++) await other.newNoticia()
    const sizes = []
    for (const query of ['', '?size=100', '?size=100&page=2'])
      sizes.push((await other.t.as(other.redator).get(`/noticias${query}`)).body.items.length)
    await other.t.close()
    assert.deepEqual(sizes, [50, 100, 1])
  })
})

describe('GET /noticias: search, filters and order', () => {
  for (const [search, expected] of [
    ['MALARIA', ['Malária']],
    ['boletim', ['Zika']],
    ['mutirao', ['Dengue']],
    ['saude', ['Malária']],
    ['mosquito', ['Dengue', 'Zika']],
    ['exemplo.example', []],
    ['100%', ['Malária']],
    ['a_b', ['Malária']],
    ['100', ['Dengue', 'Malária']],
    ['o%o', []],
    ['％', ['Malária']],
    ['\\', []],
    ["' or true --", []],
    ['relatar Boletim', []],
    ['  ', ALL],
  ] as const)
    it(`finds ${JSON.stringify(search)} in title, summary, content and source, without regard to case and accents`, async () => {
      assert.deepEqual(await listed({ search }), expected)
    })

  for (const [query, expected] of [
    [{ titulo: 'LARI' }, ['Malária']],
    [{ titulo: '%' }, []],
    [{ titulo: '_' }, []],
    [{ 'titulo[eq]': 'Zika' }, ['Zika']],
    [{ 'titulo[eq]': 'zika' }, []],
    [{ 'titulo[ne]': 'Zika' }, ['Dengue', 'Malária']],
    [{ 'titulo[in]': 'Zika, Dengue,x' }, ['Dengue', 'Zika']],
    [{ 'titulo[like]': 'ENG' }, ['Dengue']],
    [{ resumo: 'municipios' }, ['Malária']],
    [{ 'resumo[like]': '100%' }, ['Malária']],
    [{ 'resumo[ne]': 'Boletim do mosquito' }, ['Dengue', 'Malária']],
    [{ conteudo: 'MOSQUITO' }, ['Dengue']],
    [{ 'conteudo[like]': 'a_b' }, ['Malária']],
    [{ 'conteudo[like]': '0%' }, []],
    [{ fonte: 'ministerio' }, ['Malária']],
    [{ 'fonte[eq]': 'Fiocruz' }, ['Dengue']],
    [{ url: 'https://exemplo.example/malaria' }, ['Malária']],
    [{ url: 'exemplo' }, []],
    [{ 'url[like]': 'EXEMPLO' }, ['Malária']],
    [{ id: String(zika.id) }, ['Zika']],
    [{ 'id[gt]': String(dengue.id) }, ['Zika']],
    [{ 'id[in]': `${malaria.id},${dengue.id}` }, ['Dengue', 'Malária']],
    [{ publicado_em: '2026-03-01T09:00:00-03:00' }, ['Zika', 'Malária']],
    [{ 'publicado_em[gt]': '2026-03-01T12:00:00Z' }, ['Dengue']],
    [{ 'publicado_em[gte]': '2026-03-01T12:00:00Z' }, ALL],
    [{ 'publicado_em[lt]': '2026-04-01' }, ['Zika', 'Malária']],
    // Still April in Brazil.
    [{ 'publicado_em[gte]': '2026-05-01' }, []],
    [{ 'publicado_em[gte]': '2026-04-30', 'publicado_em[lt]': '2026-05-01' }, ['Dengue']],
    [{ 'criado_em[lte]': dengue.criado_em }, ['Dengue', 'Malária']],
    [{ criado_em: zika.criado_em }, ['Zika']],
    [{ 'atualizado_em[gt]': zika.atualizado_em }, ['Malária']],
    [{ search: 'mosquito', fonte: 'fiocruz' }, ['Dengue']],
    [{ search: JSON.stringify({ or: [{ titulo: 'zik' }, { conteudo: { like: 'acao' } }] }) }, ALL.slice(1)],
    [{ search: JSON.stringify({ and: [{ fonte: 'fio' }, { titulo: 'zik' }] }) }, []],
  ] as [Record<string, string>, string[]][])
    it(`answers ${JSON.stringify(query).replaceAll(/\d{4}-\d\d-\d\dT[\d:]+\.\d+Z/g, 'its time')} with ${expected.join(', ') || 'nothing'}`, async () => {
      assert.deepEqual(await listed(query), expected)
    })

  for (const [query, expected] of [
    [{ sort: 'id' }, ['Malária', 'Dengue', 'Zika']],
    [{ sort: 'id', order: 'desc' }, ['Zika', 'Dengue', 'Malária']],
    [{ sort: 'titulo' }, ['Dengue', 'Malária', 'Zika']],
    [{ sort: 'titulo', order: 'desc' }, ['Zika', 'Malária', 'Dengue']],
    [{ sort: 'fonte' }, ['Dengue', 'Malária', 'Zika']],
    [{ sort: 'fonte', order: 'desc' }, ['Malária', 'Dengue', 'Zika']],
    [{ sort: 'publicado_em' }, ['Malária', 'Zika', 'Dengue']],
    [{ sort: 'publicado_em', order: 'desc' }, ALL],
    [{ order: 'asc' }, ['Malária', 'Zika', 'Dengue']],
    [{ sort: 'criado_em' }, ['Malária', 'Dengue', 'Zika']],
    [{ sort: 'atualizado_em', order: 'desc' }, ['Malária', 'Zika', 'Dengue']],
  ] as [Record<string, string>, string[]][])
    it(`orders by ${JSON.stringify(query)}, those without a value last`, async () => {
      assert.deepEqual(await listed(query), expected)
    })
})

describe('GET /noticias refuses, naming the parameter,', () => {
  for (const [query, expected] of [
    ['page=0', ['page TOO_SMALL']],
    ['size=101', ['size TOO_LARGE']],
    ['sort=conteudo', ['sort INVALID_VALUE']],
    ['sort=titulo_busca', ['sort INVALID_VALUE']],
    ['order=cima', ['order INVALID_VALUE']],
    ['id=um', ['id INVALID_TYPE']],
    ['conteudo[eq]=x', ['conteudo[eq] UNKNOWN_OPERATOR']],
    ['titulo[regex]=x', ['titulo[regex] UNKNOWN_OPERATOR']],
    ['titulo=a%00b', ['titulo INVALID_FORMAT']],
    [`titulo=${'a'.repeat(201)}`, ['titulo TOO_LONG']],
    ['publicado_em=ontem', ['publicado_em INVALID_FORMAT']],
    ['publicado_em[gte]=2026-02-30', ['publicado_em[gte] INVALID_FORMAT']],
    ['publicado_em[like]=2026', ['publicado_em[like] UNKNOWN_OPERATOR']],
    ['criado_em[lt]=infinity', ['criado_em[lt] INVALID_FORMAT']],
    ['atualizado_em=2026-01-01T00:00:00', ['atualizado_em INVALID_FORMAT']],
    ['titulo_busca[eq]=x', ['titulo_busca[eq] UNKNOWN_FIELD']],
    ['search=a%00b', ['search INVALID_FORMAT']],
    ['search={"autor":"x"}', ['search UNKNOWN_FIELD']],
    ['page=0&sort=x&id=um', ['page TOO_SMALL', 'sort INVALID_VALUE', 'id INVALID_TYPE']],
  ] as [string, string[]][])
    it(query.slice(0, 60), async () => {
      const { status, body, text } = await t.as(redator).get(`/noticias?${query}`)
      assert.equal(status, 422, text)
      assert.deepEqual(problems(body.error.details), expected)
    })
})
