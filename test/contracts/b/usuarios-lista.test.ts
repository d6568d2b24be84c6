import assert from 'node:assert/strict'
import { after, describe, it, mock } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import type { Person } from '../../harness/app.ts'
import { problems } from '../refusals.ts'
import { gruposApp } from './grupos-app.ts'

const { t, admin, newGrupo, padrao, permissao } = await gruposApp()
after(() => t.close())
const { pool } = t.database

const lista = (query = '') => t.as(admin).get(`/usuarios${query}`)

const ITEM = [
  ...['id', 'nome', 'email', 'cpf', 'telefone', 'avatar_url', 'cargo', 'departamento', 'cidade', 'estado'],
  ...['admin', 'ativo', 'plano', 'email_verificado', 'mfa_habilitado', 'criado_em', 'atualizado_em'],
  ...['ultimo_acesso', 'territorios', 'grupos', 'permissoes_diretas', 'total_permissoes'],
]

/** Beside the administrator (1) there are exactly these. */
const ana = await t.person({ grupos: ['analista'] })
const bia = await t.person({ grupos: ['usuario'] })
const caio = await t.person({ grupos: ['usuario'] })
const davi = await t.person({ grupos: ['gestor'] })
const set = (person: Person, columns: Record<string, unknown>) =>
  pool.run(sql`
    update usuarios u set nome = n.nome, email = coalesce(n.email, u.email), cpf = n.cpf, cidade = n.cidade, estado = n.estado,
           instituicao = n.instituicao, cargo = n.cargo, departamento = n.departamento, plano = coalesce(n.plano, 'basico'),
           email_verificado = coalesce(n.email_verificado, false), mfa_ativado_em = n.mfa_ativado_em,
           desativado_em = n.desativado_em, criado_em = n.criado_em, atualizado_em = n.atualizado_em,
           ultimo_acesso = n.ultimo_acesso
      from jsonb_populate_record(null::usuarios, ${JSON.stringify(columns)}::jsonb) n where u.id = ${person.id}`)
await set(ana, {
  ...{
    nome: 'Ana Conceição',
    email: 'ana@saude.example',
    cpf: '52998224725',
    cidade: 'São Paulo',
    estado: 'SP',
  },
  ...{ instituicao: 'Fiocruz', cargo: 'Médica', departamento: 'Vigilância', plano: 'premium' },
  ...{ criado_em: '2025-01-10T12:00:00Z', atualizado_em: '2025-02-10T12:00:00Z', email_verificado: true },
})
await set(bia, {
  ...{ nome: 'Bia 100% Souza', email: 'bia@saude.example', cidade: 'Recife', estado: 'PE', cargo: 'Agente' },
  ...{ criado_em: '2025-01-20T12:00:00Z', atualizado_em: '2025-02-20T12:00:00Z' },
  ...{ mfa_ativado_em: '2025-03-01T00:00:00Z', ultimo_acesso: '2025-06-01T00:00:00Z' },
})
await set(caio, {
  ...{ nome: 'Caio', email: 'caio@outra.example', cpf: '11144477735', cidade: 'Recife', estado: 'PE' },
  ...{ departamento: 'Conceição', desativado_em: '2025-07-01T00:00:00Z' },
  ...{ criado_em: '2025-01-30T12:00:00Z', atualizado_em: '2025-02-28T12:00:00Z' },
})
await set(davi, {
  ...{
    nome: 'Davi',
    email: 'davi@outra.example',
    plano: 'enterprise',
    ultimo_acesso: '2025-05-01T00:00:00Z',
  },
  ...{ criado_em: '2025-01-30T12:00:00Z', atualizado_em: '2025-02-28T12:00:00Z' },
})
await pool.run(sql`
  update usuarios set nome = 'Zulu', criado_em = '2024-06-01T00:00:00Z', atualizado_em = '2024-06-01T00:00:00Z',
         email_verificado = false, ultimo_acesso = null where id = ${admin.id}`)

const NAMES = new Map([
  [admin.id, 'z'],
  [ana.id, 'a'],
  [bia.id, 'b'],
  [caio.id, 'c'],
  [davi.id, 'd'],
])
const initials = (items: { id: number }[]) => items.map(({ id }) => NAMES.get(id)).join('')
/** Who is found, in the order of the answer. */
async function found(query: string): Promise<string> {
  const { status, body, text } = await lista(query)
  assert.equal(status, 200, text)
  assert.equal(body.total, body.items.length)
  return initials(body.items)
}
const json = (search: unknown) => `?search=${encodeURIComponent(JSON.stringify(search))}`

describe('GET /usuarios', () => {
  it('answers the envelope with users of exactly the B shape', async () => {
    const { status, body } = await lista('?page=2&size=2')
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).sort(), ['items', 'links', 'meta', 'page', 'pages', 'size', 'total'])
    assert.deepEqual([body.total, body.page, body.size, body.pages], [5, 2, 2, 3])
    assert.deepEqual(body.links, {
      first: '/api/v1/usuarios?page=1&size=2',
      prev: '/api/v1/usuarios?page=1&size=2',
      next: '/api/v1/usuarios?page=3&size=2',
      last: '/api/v1/usuarios?page=3&size=2',
    })
    assert.ok(Math.abs(Date.parse(body.meta.timestamp) - t.clock.now().getTime()) < 10_000)
    for (const item of body.items) assert.deepEqual(Object.keys(item).sort(), ITEM.toSorted())
  })

  it('shows every field as it is stored', async () => {
    await pool.run(sql`
      insert into usuarios_permissoes (usuario_id, permissao_id) values (${ana.id}, ${permissao('usuarios.exportar')})`)
    await pool.run(sql`update usuarios set telefone = '(81) 99999-0000' where id = ${ana.id}`)
    const { body } = await lista(`?id=${ana.id}`)
    const analista = (await t.as(admin).get(`/grupos/${padrao('analista')}`)).body
    const [{ grupos, permissoes_diretas, ...plain }] = body.items
    assert.deepEqual(plain, {
      ...{ id: ana.id, nome: 'Ana Conceição', email: 'ana@saude.example', cpf: '52998224725' },
      ...{ telefone: '(81) 99999-0000', avatar_url: null, cargo: 'Médica', departamento: 'Vigilância' },
      ...{ cidade: 'São Paulo', estado: 'SP', admin: false, ativo: true, plano: 'premium' },
      ...{ email_verificado: true, mfa_habilitado: false, ultimo_acesso: null, territorios: [] },
      ...{ criado_em: '2025-01-10T12:00:00.000Z', atualizado_em: '2025-02-10T12:00:00.000Z' },
      total_permissoes: analista.permissoes.length + 1,
    })
    assert.deepEqual(grupos, [{ id: analista.id, nome: 'analista', descricao: analista.descricao }])
    assert.deepEqual(Object.keys(permissoes_diretas[0]), ['id', 'nome', 'descricao'])
    assert.deepEqual(permissoes_diretas[0].nome, 'usuarios.exportar')
    await pool.run(sql`delete from usuarios_permissoes`)
    await pool.run(sql`update usuarios set ultimo_acesso = null where id = ${ana.id}`)
  })

  it('counts what a user holds once, all permissions for an administrator, none by an inactive group', async () => {
    const { count } = (await pool.first<{ count: number }>(sql`select count(*) from permissoes`)) as {
      count: number
    }
    const totals = async () => {
      const { body } = await lista()
      return Object.fromEntries(
        body.items.map((u: { id: number; total_permissoes: number }) => [
          NAMES.get(u.id),
          u.total_permissoes,
        ]),
      )
    }
    const before = await totals()
    assert.equal(before.z, count)
    // The permission `admin` holds all, too; and what two groups give counts once.
    const chefia = await newGrupo({ permissoes_ids: [permissao('admin')] })
    const dupla = await newGrupo({
      permissoes_ids: [permissao('agravos.listar'), permissao('auditoria.ver')],
    })
    await pool.run(sql`
      insert into usuarios_grupos (usuario_id, grupo_id) values (${caio.id}, ${chefia.id}), (${bia.id}, ${dupla.id})`)
    const after = await totals()
    assert.deepEqual([after.c, after.b], [count, before.b + 1])
    await pool.run(sql`update grupos set ativo = false where id in (${chefia.id}, ${dupla.id})`)
    assert.deepEqual(await totals(), before)
    // The membership itself is still shown.
    const { body } = await lista(`?id=${caio.id}`)
    assert.deepEqual(
      body.items[0].grupos.map((g: { id: number }) => g.id),
      [padrao('usuario'), chefia.id],
    )
    await pool.run(sql`delete from usuarios_grupos where grupo_id in (${chefia.id}, ${dupla.id})`)
  })

  it('takes the same number of queries however many users it shows', async () => {
    const calls = [mock.method(pool, 'rows'), mock.method(pool, 'first'), mock.method(pool, 'run')]
    const count = async (query: string) => {
      for (const call of calls) call.mock.resetCalls()
      assert.equal((await lista(query)).status, 200)
      // Whose token it is, is remembered for a moment.
      const texts = calls.flatMap(({ mock: { calls: made } }) =>
        made.map(({ arguments: [sent] }) => sent.text),
      )
      return texts.filter((text) => !text.includes('sessoes')).length
    }
    for (const size of [1, 2, 100]) assert.ok([2, 3].includes(await count(`?size=${size}`)))
    mock.restoreAll()
  })
})

describe('GET /usuarios finds by', () => {
  for (const [query, expected] of [
    ['', 'zabcd'],
    // Plain: text contains, without case and accents; the rest is equal.
    ['?nome=conceicao', 'a'],
    ['?nome=CONCEIÇÃO', 'a'],
    ['?nome=100%25', 'b'],
    ['?nome=1_0', ''],
    ['?email=SAUDE.exam', 'ab'],
    ['?cidade=sao', 'a'],
    ['?cidade=recife&ativo=true', 'b'],
    ['?estado=pe', 'bc'],
    ['?instituicao=FIO', 'a'],
    ['?cargo=medica', 'a'],
    ['?departamento=conceicao', 'c'],
    ['?admin=true', 'z'],
    ['?admin=0', 'abcd'],
    ['?ativo=false', 'c'],
    ['?plano=premium', 'a'],
    ['?email_verificado=true', 'a'],
    ['?mfa_habilitado=true', 'b'],
    ['?cpf=52998224725', 'a'],
    ['?cpf=529.982.247-25', 'a'],
    [`?id=${bia.id}`, 'b'],
    // Operators.
    ['?nome[eq]=Caio', 'c'],
    ['?nome[eq]=caio', ''],
    ['?nome[ne]=Caio', 'zabd'],
    ['?cidade[ne]=Recife', 'zad'],
    ['?nome[in]=Caio,Davi,Ninguem', 'cd'],
    ['?nome[like]=SOUZA', 'b'],
    ['?cargo[like]=age', 'b'],
    ['?cpf[in]=529.982.247-25,11144477735', 'ac'],
    ['?cpf[ne]=111.444.777-35', 'zabd'],
    ['?plano[ne]=basico&plano[in]=premium,basico', 'a'],
    ['?admin[ne]=true', 'abcd'],
    ['?admin[in]=true,false', 'zabcd'],
    [`?id[gt]=${bia.id}`, 'cd'],
    [`?id[gte]=${bia.id}&id[lt]=${davi.id}`, 'bc'],
    [`?id[lte]=${ana.id}`, 'za'],
    [`?id[in]=${ana.id},${davi.id}`, 'ad'],
    ['?criado_em=2025-01-10T12:00:00Z', 'a'],
    ['?criado_em[gte]=2025-01-20T12:00:00Z', 'bcd'],
    ['?criado_em[gt]=2025-01-20T12:00:00Z', 'cd'],
    ['?criado_em[lt]=2025-01-20T12:00:00Z', 'za'],
    ['?criado_em[gte]=2025-01-10&criado_em[lt]=2025-01-21', 'ab'],
    ['?atualizado_em[lte]=2025-02-20T09:00:00-03:00', 'zab'],
    ['?ultimo_acesso[gt]=2025-05-15', 'b'],
    // Groups: active or not, once each.
    [`?grupo_id=${padrao('usuario')}`, 'bc'],
    [`?grupo_id[eq]=${padrao('gestor')}`, 'd'],
    [`?grupo_id[in]=${padrao('usuario')},${padrao('analista')}`, 'abc'],
    [`?grupo_id=${padrao('usuario')}&ativo=true`, 'b'],
    ['?grupo_id=999999', ''],
    // Search: name or email, nothing else.
    ['?search=CONCEICAO', 'a'],
    ['?search=outra.example', 'cd'],
    ['?search=recife', ''],
    ['?search=fiocruz', ''],
    ['?search=saude&estado=PE', 'b'],
    ['?search=%25', 'b'],
    ['?search=', 'zabcd'],
    [json({ or: [{ estado: 'SP' }, { and: [{ ativo: false }, { cidade: 'reci' }] }] }), 'ac'],
    [json({ nome: { like: 'a' }, id: { in: [ana.id, caio.id, davi.id] } }), 'acd'],
    [json({ grupo_id: { in: [padrao('gestor')] } }), 'd'],
    [json({ cpf: '111.444.777-35' }), 'c'],
    [json({}), 'zabcd'],
    [json({ or: [] }), ''],
    // Of the other description on the same path.
    ['?page=1&limit=1&offset=3', 'zabcd'],
    // Sorting.
    ['?sort=nome&order=desc&nome[in]=Caio,Davi,Zulu', 'zdc'],
    ['?sort=id&order=desc', 'dcbaz'],
    ['?sort=criado_em', 'zabcd'],
    ['?sort=criado_em&order=desc', 'dcbaz'],
    ['?sort=estado', 'bcazd'],
    ['?sort=estado&order=desc', 'acbdz'],
    ['?sort=ultimo_acesso&ultimo_acesso[gt]=2025-01-01', 'db'],
    ['?sort=email', 'zabcd'],
    ['?sort=admin&order=desc', 'zdcba'],
    ['?sort=ativo', 'czabd'],
  ] as const)
    it(`${decodeURIComponent(query) || 'nothing: everybody'}`, async () => {
      // The test's own requests are accesses, too.
      await pool.run(sql`update usuarios set ultimo_acesso = null where id = ${admin.id}`)
      assert.equal(await found(query), expected)
    })

  for (const sort of ['cidade', 'cargo', 'departamento', 'atualizado_em', 'plano'])
    it(`pages of the order by ${sort} hold everybody once`, async () => {
      if (sort === 'plano') return assert.equal((await lista('?sort=plano')).status, 422)
      for (const order of ['asc', 'desc']) {
        const pages = await Promise.all(
          [1, 2, 3, 4, 5].map((page) => lista(`?sort=${sort}&order=${order}&size=1&page=${page}`)),
        )
        const seen = pages.map(({ body }) => initials(body.items))
        assert.equal(seen.toSorted().join(''), 'abcdz')
        assert.deepEqual(initials((await lista(`?sort=${sort}&order=${order}`)).body.items), seen.join(''))
      }
    })

  it('a page beyond the last: none, and the way back', async () => {
    const { body } = await lista('?page=1000000000&size=100')
    assert.deepEqual([body.items, body.total, body.pages], [[], 5, 1])
    assert.deepEqual([body.links.next, body.links.prev], [null, '/api/v1/usuarios?page=1&size=100'])
  })
})

describe('GET /usuarios refuses', () => {
  for (const [query, expected] of [
    ['?page=0', 'page TOO_SMALL'],
    ['?page=1000000001', 'page TOO_LARGE'],
    ['?size=0', 'size TOO_SMALL'],
    ['?size=101', 'size TOO_LARGE'],
    ['?size=x', 'size INVALID_TYPE'],
    ['?sort=senha_hash', 'sort INVALID_VALUE'],
    ['?order=baixo', 'order INVALID_VALUE'],
    ['?admin=talvez', 'admin INVALID_TYPE'],
    ['?grupo_id=x', 'grupo_id INVALID_TYPE'],
    ['?grupo_id[gt]=1', 'grupo_id[gt] UNKNOWN_OPERATOR'],
    ['?grupo_id[ne]=1', 'grupo_id[ne] UNKNOWN_OPERATOR'],
    ['?cpf[like]=529', 'cpf[like] UNKNOWN_OPERATOR'],
    ['?nome[regex]=a', 'nome[regex] UNKNOWN_OPERATOR'],
    ['?senha_hash[like]=a', 'senha_hash[like] UNKNOWN_FIELD'],
    ['?criado_em=ontem', 'criado_em INVALID_FORMAT'],
    ['?criado_em=2025-02-30', 'criado_em INVALID_FORMAT'],
    ['?id=99999999999', 'id INVALID_TYPE'],
    ['?nome=a&nome=b', 'nome INVALID_TYPE'],
    ['?nome=%00', 'nome INVALID_FORMAT'],
    [`?nome=${'a'.repeat(201)}`, 'nome TOO_LONG'],
    ['?search=%00', 'search INVALID_FORMAT'],
    [`?search=${'a'.repeat(201)}`, 'search TOO_LONG'],
    ['?search={', 'search INVALID_FORMAT'],
    [json({ senha_hash: 'a' }), 'search UNKNOWN_FIELD'],
    [json({ nome: { regex: 'a' } }), 'search UNKNOWN_OPERATOR'],
    [json({ and: { nome: 'a' } }), 'search INVALID_FORMAT'],
    [json({ and: [{ and: [{ and: [{ and: [{ and: [{ nome: 'a' }] }] }] }] }] }), 'search TOO_DEEP'],
    [`?id[in]=${Array.from({ length: 101 }, (_, i) => i + 1)}`, 'id[in] TOO_MANY'],
  ] as const)
    it(decodeURIComponent(query).slice(0, 70), async () => {
      const { status, body } = await lista(query)
      assert.equal(status, 422)
      assert.deepEqual(problems(body.error.details), [expected])
    })

  it('all that is wrong at once', async () => {
    const { body } = await lista('?page=0&sort=x&admin=x&nome[x]=1')
    assert.equal(body.error.details.length, 4)
  })
})

describe('the order of people', () => {
  it('is without regard to case and accents, in the lists of accounts and of the members of a group', async () => {
    const names: [Person, string][] = [
      [ana, 'Ébano'],
      [bia, 'zeca'],
      [caio, 'Eva'],
      [davi, 'ebanista'],
    ]
    for (const [{ id }, nome] of names)
      await pool.run(sql`update usuarios set nome = ${nome}, cidade = ${nome} where id = ${id}`)
    assert.equal(await found('?sort=nome'), 'dacbz')
    assert.equal(await found('?sort=nome&order=desc'), 'zbcad')
    assert.equal(await found('?sort=cidade&order=desc'), 'bcadz')
    const usuario = padrao('usuario')
    await pool.run(
      sql`insert into usuarios_grupos select id, ${usuario} from usuarios on conflict do nothing`,
    )
    const { body } = await t.as(admin).get(`/grupos/${usuario}/usuarios?sort=nome`)
    assert.equal(initials(body.usuarios), 'dacbz')
  })
})
