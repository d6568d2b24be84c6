import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { problems } from '../refusals.ts'
import { type Grupo, gruposApp, nomes } from './grupos-app.ts'

const { t, admin, newGrupo, addMembro } = await gruposApp()
after(() => t.close())

const PADROES = ['admin', 'gestor', 'analista', 'usuario', 'visualizador']

/** What a list answers to these parameters: the names, in order. */
async function listed(query: Record<string, string>): Promise<string[]> {
  const { status, body, text } = await t.as(admin).get(`/grupos?${new URLSearchParams(query)}`)
  assert.equal(status, 200, text)
  assert.equal(body.total, body.grupos.length, 'all matches fit on one page')
  return nomes(body.grupos)
}

const recife = await newGrupo({ nome: 'recife', descricao: 'Vigilância Epidemiológica' })
const olinda = await newGrupo({ nome: 'olinda', descricao: '100% São João', ativo: false })
const natal = await newGrupo({ nome: 'são_luís' })
const pessoa = await t.person({ grupos: ['usuario'] })
await addMembro(recife.id, pessoa.id)
await addMembro(recife.id, admin.id)
await addMembro(olinda.id, admin.id)

const OURS = { 'id[gte]': String(recife.id) }

describe('GET /grupos', () => {
  it('lists every group with its permissions and the number of its users, by id', async () => {
    const { body } = await t.as(admin).get('/grupos')
    assert.deepEqual(nomes(body.grupos), [...PADROES, 'recife', 'olinda', 'são_luís'])
    const usuario = body.grupos.find((g: Grupo) => g.nome === 'usuario')
    assert.deepEqual(Object.keys(usuario).sort(), [
      'ativo',
      'atualizado_em',
      'criado_em',
      'descricao',
      'exige_mfa',
      'id',
      'nome',
      'permissoes',
      'total_usuarios',
    ])
    assert.equal(usuario.total_usuarios, 1)
    assert.deepEqual(nomes(usuario.permissoes), [
      'agravos.listar',
      'agravos.estatisticas',
      'noticias.listar',
      'dashboard.visualizar',
      'series.listar',
      'epizootias.listar',
    ])
  })

  it('answers the page, its numbers, its neighbours and the time', async () => {
    const { body } = await t.as(admin).get('/grupos?size=3&page=2')
    const { grupos, meta, ...numbers } = body
    assert.deepEqual(nomes(grupos), ['usuario', 'visualizador', 'recife'])
    assert.deepEqual(numbers, {
      total: 8,
      page: 2,
      size: 3,
      pages: 3,
      links: {
        first: '/api/v1/grupos?size=3&page=1',
        prev: '/api/v1/grupos?size=3&page=1',
        next: '/api/v1/grupos?size=3&page=3',
        last: '/api/v1/grupos?size=3&page=3',
      },
    })
    assert.ok(Math.abs(Date.parse(meta.timestamp) - Date.now()) < 10_000)
  })

  it('leads through all groups once when `next` is followed, with the filter kept', async () => {
    const seen: string[] = []
    let next = '/api/v1/grupos?size=1&search=a&sort=nome&order=desc'
    while (next !== null) {
      const { body } = await t.as(admin).get(`/${next}`)
      seen.push(...nomes(body.grupos))
      next = body.links.next
    }
    assert.deepEqual(seen, await listed({ search: 'a', sort: 'nome', order: 'desc' }))
    assert.ok(seen.length > 3)
  })

  it('answers an empty page beyond the last one, with the way back', async () => {
    const { body } = await t.as(admin).get('/grupos?size=5&page=9')
    assert.deepEqual([body.total, body.pages, body.grupos], [8, 2, []])
    assert.deepEqual(body.links, {
      first: '/api/v1/grupos?size=5&page=1',
      prev: '/api/v1/grupos?size=5&page=2',
      next: null,
      last: '/api/v1/grupos?size=5&page=2',
    })
  })

  it('answers no pages and no links when nothing matches', async () => {
    const { body } = await t.as(admin).get('/grupos?search=inexistente')
    assert.deepEqual([body.total, body.page, body.pages, body.grupos], [0, 1, 0, []])
    assert.deepEqual(body.links, { first: null, prev: null, next: null, last: null })
  })

  it('shows 50 a page unless asked, and never more than 100', async () => {
    const other = await gruposApp()
    for (let i = 0; i < 101; i++) await other.newGrupo()
    const sizes = []
    for (const query of ['', '?size=100', '?size=100&page=2'])
      sizes.push((await other.t.as(other.admin).get(`/grupos${query}`)).body.grupos.length)
    await other.t.close()
    assert.deepEqual(sizes, [50, 100, 6])
  })
})

describe('GET /grupos: search, filters and order', () => {
  for (const [search, expected] of [
    ['VIGILANCIA', ['recife']],
    ['epidemiológica', ['recife']],
    ['sao', ['olinda', 'são_luís']],
    ['SÃO_', ['são_luís']],
    ['100%', ['olinda']],
    ['o%', []],
    ['\\', []],
    ["' or true --", []],
    ['   ', ['recife', 'olinda', 'são_luís']],
  ] as const)
    it(`finds ${JSON.stringify(search)} in name and description, without regard to case and accents`, async () => {
      assert.deepEqual(await listed({ ...OURS, search }), expected)
    })

  for (const [query, expected] of [
    [{ ativo: 'false' }, ['olinda']],
    [{ ativo: 'true' }, ['recife', 'são_luís']],
    [{ ativo: '0' }, ['olinda']],
    [{ 'ativo[ne]': 'true' }, ['olinda']],
    [{ 'ativo[in]': 'true,false' }, ['recife', 'olinda', 'são_luís']],
    [{ nome: 'LIN' }, ['olinda']],
    [{ nome: 'sao_luis' }, ['são_luís']],
    [{ 'nome[eq]': 'olinda' }, ['olinda']],
    [{ 'nome[eq]': 'olin' }, []],
    [{ 'nome[ne]': 'olinda' }, ['recife', 'são_luís']],
    [{ 'nome[like]': 'CIF' }, ['recife']],
    [{ 'nome[in]': 'olinda, recife,nenhum' }, ['recife', 'olinda']],
    [{ descricao: 'vigilancia' }, ['recife']],
    [{ 'descricao[ne]': '100% São João' }, ['recife', 'são_luís']],
    [{ 'id[gt]': String(olinda.id) }, ['são_luís']],
    [{ 'id[gte]': String(olinda.id) }, ['olinda', 'são_luís']],
    [{ 'id[lt]': String(olinda.id), 'nome[ne]': 'x', search: 'recife' }, ['recife']],
    [{ 'id[lte]': String(olinda.id), search: 'olinda' }, ['olinda']],
    [{ 'id[in]': `${recife.id},${natal.id}` }, ['recife', 'são_luís']],
    [{ id: String(natal.id) }, ['são_luís']],
    [{ criado_em: recife.criado_em, search: 'recife' }, ['recife']],
    [{ 'criado_em[gt]': natal.criado_em }, []],
    [{ 'atualizado_em[gte]': '2020-01-01', ativo: 'false' }, ['olinda']],
    [{ 'criado_em[lt]': '2020-01-01T00:00:00-03:00' }, []],
  ] as [Record<string, string>, string[]][])
    it(`answers ${JSON.stringify(query).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'its time')} with ${expected.join(', ') || 'nothing'}`, async () => {
      assert.deepEqual(await listed({ ...OURS, ...query }), expected)
    })

  for (const [search, expected] of [
    [{ nome: 'recife' }, ['recife']],
    [{ nome: { eq: 'recife' } }, ['recife']],
    [{ nome: { in: ['recife', 'olinda'] }, ativo: false }, ['olinda']],
    [{ or: [{ nome: 'recife' }, { ativo: false }] }, ['recife', 'olinda']],
    [{ and: [{ nome: { like: 'L' } }, { ativo: true }] }, ['são_luís']],
    [{ or: [{ and: [{ nome: 'recife' }, { ativo: false }] }, { nome: { eq: 'olinda' } }] }, ['olinda']],
    [{ id: { gte: recife.id, lt: natal.id } }, ['recife', 'olinda']],
    [{ and: [] }, ['recife', 'olinda', 'são_luís']],
    [{ or: [] }, []],
    [{}, ['recife', 'olinda', 'são_luís']],
  ] as [object, string[]][])
    it(`understands the nested search ${JSON.stringify(search)}`, async () => {
      assert.deepEqual(await listed({ ...OURS, search: JSON.stringify(search) }), expected)
    })

  for (const [query, expected] of [
    [{ sort: 'nome' }, ['olinda', 'recife', 'são_luís']],
    [{ sort: 'nome', order: 'desc' }, ['são_luís', 'recife', 'olinda']],
    [{ order: 'desc' }, ['são_luís', 'olinda', 'recife']],
    [{ sort: 'total_usuarios' }, ['são_luís', 'olinda', 'recife']],
    [{ sort: 'total_usuarios', order: 'desc' }, ['recife', 'olinda', 'são_luís']],
    [{ sort: 'descricao' }, ['olinda', 'recife', 'são_luís']],
    [{ sort: 'descricao', order: 'desc' }, ['recife', 'olinda', 'são_luís']],
    [{ sort: 'ativo' }, ['olinda', 'recife', 'são_luís']],
    [{ sort: 'ativo', order: 'desc' }, ['são_luís', 'recife', 'olinda']],
    [{ sort: 'criado_em' }, ['recife', 'olinda', 'são_luís']],
    [{ sort: 'atualizado_em', order: 'desc' }, ['são_luís', 'olinda', 'recife']],
  ] as [Record<string, string>, string[]][])
    it(`orders by ${JSON.stringify(query)}, equal ones by id`, async () => {
      assert.deepEqual(await listed({ ...OURS, ...query }), expected)
    })
})

describe('GET /grupos refuses, naming the parameter,', () => {
  const nested = (depth: number): object => (depth === 0 ? { nome: 'x' } : { and: [nested(depth - 1)] })
  const CASES: [query: string, expected: string[]][] = [
    ['page=0', ['page TOO_SMALL']],
    ['page=-1', ['page TOO_SMALL']],
    ['page=1.5', ['page INVALID_TYPE']],
    ['page=um', ['page INVALID_TYPE']],
    ['page=', ['page INVALID_TYPE']],
    ['page=99999999999', ['page TOO_LARGE']],
    ['page=1&page=2', ['page INVALID_TYPE']],
    ['size=0', ['size TOO_SMALL']],
    ['size=101', ['size TOO_LARGE']],
    ['size=muitos', ['size INVALID_TYPE']],
    ['sort=senha_hash', ['sort INVALID_VALUE']],
    ['sort=constructor', ['sort INVALID_VALUE']],
    ['order=cima', ['order INVALID_VALUE']],
    ['id=um', ['id INVALID_TYPE']],
    ['id=2147483648', ['id INVALID_TYPE']],
    ['id[in]=1,dois', ['id[in] INVALID_TYPE']],
    ['id[like]=1', ['id[like] UNKNOWN_OPERATOR']],
    ['ativo=talvez', ['ativo INVALID_TYPE']],
    ['ativo[gt]=true', ['ativo[gt] UNKNOWN_OPERATOR']],
    ['criado_em=today', ['criado_em INVALID_FORMAT']],
    ['criado_em[gte]=2026-02-30', ['criado_em[gte] INVALID_FORMAT']],
    ['nome[regex]=x', ['nome[regex] UNKNOWN_OPERATOR']],
    ['nome[]=x', ['nome[] UNKNOWN_OPERATOR']],
    ['nome=a&nome=b', ['nome INVALID_TYPE']],
    ['nome=a%00b', ['nome INVALID_FORMAT']],
    [`nome=${'a'.repeat(201)}`, ['nome TOO_LONG']],
    ['cor[eq]=azul', ['cor[eq] UNKNOWN_FIELD']],
    ['__proto__[eq]=x', ['__proto__[eq] UNKNOWN_FIELD']],
    ['search=a%00b', ['search INVALID_FORMAT']],
    [`search=${'a'.repeat(201)}`, ['search TOO_LONG']],
    ['search=a&search=b', ['search INVALID_TYPE']],
    ['search={', ['search INVALID_FORMAT']],
    ['search={"and":{}}', ['search INVALID_FORMAT']],
    ['search={"and":["x"]}', ['search INVALID_FORMAT']],
    ['search={"cor":"azul"}', ['search UNKNOWN_FIELD']],
    ['search={"constructor":"x"}', ['search UNKNOWN_FIELD']],
    ['search={"nome":{"regex":"x"}}', ['search UNKNOWN_OPERATOR']],
    ['search={"nome":null}', ['search INVALID_TYPE']],
    ['search={"ativo":"talvez"}', ['search INVALID_TYPE']],
    [`search=${JSON.stringify(nested(5))}`, ['search TOO_DEEP']],
    [`search=${JSON.stringify({ or: Array(51).fill({ id: 1 }) })}`, ['search TOO_MANY']],
    [
      'page=0&size=0&sort=x&cor[eq]=1&ativo=talvez',
      [
        'page TOO_SMALL',
        'size TOO_SMALL',
        'sort INVALID_VALUE',
        'cor[eq] UNKNOWN_FIELD',
        'ativo INVALID_TYPE',
      ],
    ],
  ]
  for (const [query, expected] of CASES)
    it(query.length > 80 ? `${query.slice(0, 40)}…` : query, async () => {
      const { status, body, text } = await t.as(admin).get(`/grupos?${query}`)
      assert.equal(status, 422, text)
      assert.equal(body.error.code, 'VALIDATION_ERROR')
      assert.deepEqual(problems(body.error.details), expected)
    })
})
