import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { invalid, missing, problems, storedRights, tally } from '../refusals.ts'
import { gruposApp, nomes } from './grupos-app.ts'

const { t, admin, newGrupo, getGrupo, membros, addMembro, padrao } = await gruposApp()
after(() => t.close())

const UNKNOWN_ID = 2_000_000_000
const pessoa = await t.person({ grupos: ['usuario'] })

describe('POST /grupos/{grupo_id}/usuarios/{usuario_id}', () => {
  const add = (grupoId: number | string, usuarioId: number | string) =>
    t.as(admin).post(`/grupos/${grupoId}/usuarios/${usuarioId}`)

  it('makes the user a member, beside the groups they are in', async () => {
    const { id } = await newGrupo()
    const { status, body } = await add(id, pessoa.id)
    assert.equal(status, 200)
    const { message, ...rest } = body
    assert.ok(message.length > 0)
    assert.deepEqual(rest, { grupo_id: id, usuario_id: pessoa.id, total_usuarios: 1 })
    assert.deepEqual(await membros(id), [pessoa.id])
    assert.deepEqual(await membros(padrao('usuario')), [pessoa.id])
    assert.equal((await getGrupo(id)).total_usuarios, 1)
  })

  it('answers the same and changes nothing when they are a member already', async () => {
    const { id } = await newGrupo()
    const first = await add(id, pessoa.id)
    const before = await storedRights(t)
    const again = await add(id, pessoa.id)
    assert.equal(again.status, 200)
    assert.deepEqual(again.body, first.body)
    assert.deepEqual(await storedRights(t), before)
  })

  it('makes them a member once when ten requests ask for it at the same time', async () => {
    const { id } = await newGrupo()
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(id, pessoa.id)))
    assert.deepEqual(tally(answers), { 200: 10 })
    assert.deepEqual(await membros(id), [pessoa.id])
  })

  it('answers 404 when group or user do not exist, 422 for impossible ids', async () => {
    const { id } = await newGrupo()
    await missing(t, () => add(UNKNOWN_ID, pessoa.id))
    await missing(t, () => add(id, UNKNOWN_ID))
    assert.deepEqual(await invalid(t, () => add('um', 0)), ['grupo_id INVALID_TYPE', 'usuario_id TOO_SMALL'])
  })
})

describe('DELETE /grupos/{grupo_id}/usuarios/{usuario_id}', () => {
  const remove = (grupoId: number | string, usuarioId: number | string) =>
    t.as(admin).delete(`/grupos/${grupoId}/usuarios/${usuarioId}`)

  it('takes the member out of this group only and answers nothing', async () => {
    const { id } = await newGrupo()
    await addMembro(id, pessoa.id)
    await addMembro(id, admin.id)
    const { status, text } = await remove(id, pessoa.id)
    assert.deepEqual([status, text], [204, ''])
    assert.deepEqual(await membros(id), [admin.id])
    assert.deepEqual(await membros(padrao('usuario')), [pessoa.id])
  })

  it('answers 404 for someone who is not a member, also the second time', async () => {
    const { id } = await newGrupo()
    await missing(t, () => remove(id, pessoa.id))
    await addMembro(id, pessoa.id)
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(id, pessoa.id)))
    assert.deepEqual(tally(answers), { 204: 1, 404: 4 })
  })

  it('answers 404 when group or user do not exist, 422 for impossible ids', async () => {
    const { id } = await newGrupo()
    await missing(t, () => remove(UNKNOWN_ID, pessoa.id))
    await missing(t, () => remove(id, UNKNOWN_ID))
    const found = await invalid(t, () => remove(0, '2147483648'))
    assert.deepEqual(found, ['grupo_id TOO_SMALL', 'usuario_id TOO_LARGE'])
  })
})

describe('GET /grupos/{grupo_id}/usuarios', () => {
  let grupoId: number
  before(async () => {
    grupoId = (await newGrupo()).id
    const others = await newGrupo()
    for (const [nome, email, ativo] of [
      ['Élcio Brandão', 'elcio@saude.example', true],
      ['Ana Souza', 'ana.souza@recife.example', true],
      ['Bruno Sá', 'BRUNO@saude.example', false],
      ['Ana Souza', 'ana2@saude.example', true],
    ] as const) {
      const { id } = await t.person()
      await t.database.pool.run(sql`
        update usuarios set nome = ${nome}, email = ${email},
                            desativado_em = case when ${ativo} then null else now() end
         where id = ${id}`)
      await addMembro(grupoId, id)
    }
    await addMembro(others.id, pessoa.id)
  })

  const list = (query = '', id: number | string = grupoId) =>
    t.as(admin).get(`/grupos/${id}/usuarios${query}`)
  const emails = (items: { email: string }[]) => items.map(({ email }) => email)
  const ALL = ['ana.souza@recife.example', 'ana2@saude.example', 'BRUNO@saude.example', 'elcio@saude.example']

  it('lists the members of this group only, by name, with the common envelope', async () => {
    const { status, body } = await list()
    assert.equal(status, 200)
    const { usuarios, meta, ...numbers } = body
    assert.deepEqual(new Set(emails(usuarios)), new Set(ALL))
    assert.deepEqual(nomes(usuarios).slice(0, 3), ['Ana Souza', 'Ana Souza', 'Bruno Sá'])
    for (const usuario of usuarios) assert.deepEqual(Object.keys(usuario), ['id', 'nome', 'email', 'ativo'])
    const only = `/api/v1/grupos/${grupoId}/usuarios?page=1`
    const links = { first: only, prev: null, next: null, last: only }
    assert.deepEqual(numbers, { total: 4, page: 1, size: 50, pages: 1, links })
    assert.ok(Number.isFinite(Date.parse(meta.timestamp)))
  })

  it('shows every member once, page after page', async () => {
    const seen = []
    for (const page of [1, 2, 3, 4]) seen.push(...(await list(`?size=1&page=${page}`)).body.usuarios)
    assert.deepEqual(emails(seen), emails((await list()).body.usuarios))
  })

  for (const [query, expected] of [
    ['search=elcio', ['elcio@saude.example']],
    ['search=BRANDAO', ['elcio@saude.example']],
    ['search=bruno@', ['BRUNO@saude.example']],
    ['search=saude.example', ALL.slice(1)],
    ['search=pessoa', []],
    ['nome=souza', ALL.slice(0, 2)],
    ['email=RECIFE', ALL.slice(0, 1)],
    ['ativo=false', ['BRUNO@saude.example']],
    ['ativo=true&email[like]=saude', ['ana2@saude.example', 'elcio@saude.example']],
    ['search={"or":[{"ativo":false},{"nome":"brandao"}]}', ALL.slice(2)],
  ] as const)
    it(`finds members by ${query}`, async () => {
      const { body } = await list(`?${query}`)
      assert.equal(body.total, expected.length)
      assert.deepEqual(new Set(emails(body.usuarios)), new Set(expected))
    })

  it('orders by the field asked for', async () => {
    const { body } = await list('?sort=id&order=desc')
    const ids = body.usuarios.map((u: { id: number }) => u.id)
    assert.deepEqual(
      ids,
      ids.toSorted((a: number, b: number) => b - a),
    )
    assert.equal((await list('?sort=ativo')).body.usuarios[0].email, 'BRUNO@saude.example')
  })

  for (const [query, expected] of [
    ['page=0', ['page TOO_SMALL']],
    ['size=101', ['size TOO_LARGE']],
    ['sort=senha_hash', ['sort INVALID_VALUE']],
    ['senha_hash[like]=x', ['senha_hash[like] UNKNOWN_FIELD']],
    ['search={"senha_hash":"x"}', ['search UNKNOWN_FIELD']],
    ['ativo[like]=x', ['ativo[like] UNKNOWN_OPERATOR']],
  ] as const)
    it(`refuses ${query}, naming the parameter`, async () => {
      const { status, body } = await list(`?${query}`)
      assert.equal(status, 422)
      assert.deepEqual(problems(body.error.details), expected)
    })

  it('answers 404 for a group that does not exist and 422 for an impossible id', async () => {
    await missing(t, () => list('', UNKNOWN_ID))
    assert.deepEqual(await invalid(t, () => list('?page=0', 'um')), [
      'grupo_id INVALID_TYPE',
      'page TOO_SMALL',
    ])
  })
})
