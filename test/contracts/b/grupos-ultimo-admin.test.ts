import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import type { Answer, Person } from '../../harness/app.ts'
import { invalid, problems } from '../refusals.ts'
import { gruposApp } from './grupos-app.ts'

const { t, newGrupo, permissao, padrao } = await gruposApp()
after(() => t.close())

/** Two groups that hold `admin`, beside the default one; each test begins with exactly these administrators. */
const chefia = (await newGrupo({ nome: 'chefia', permissoes_ids: [permissao('admin')] })).id
const direcao = (await newGrupo({ nome: 'direcao', permissoes_ids: [permissao('admin')] })).id
const comum = (await newGrupo({ nome: 'comum' })).id
const ana = await t.person()
const bia = await t.person()

const ADMIN = permissao('admin')
const PADRAO = padrao('admin')

/** Nobody is an administrator but these people, by these groups. */
async function only(...members: [Person, number][]): Promise<void> {
  const { pool } = t.database
  await pool.run(sql`update usuarios set admin = false, desativado_em = null`)
  await pool.run(sql`delete from usuarios_grupos`)
  await pool.run(sql`delete from usuarios_permissoes`)
  await pool.run(sql`update grupos set ativo = true`)
  for (const id of [PADRAO, chefia, direcao]) {
    await pool.run(sql`delete from grupos_permissoes where grupo_id = ${id}`)
    await pool.run(sql`insert into grupos_permissoes (grupo_id, permissao_id) values (${id}, ${ADMIN})`)
  }
  for (const [{ id }, grupoId] of members)
    await pool.run(sql`insert into usuarios_grupos (usuario_id, grupo_id) values (${id}, ${grupoId})`)
}

const administradores = async () =>
  (await t.database.pool.rows<{ id: number }>(sql`select id from administradores order by id`)).map(
    (u) => u.id,
  )

describe('the last active administrator stays one when', () => {
  beforeEach(() => only([ana, chefia]))

  const ATTEMPTS: [what: string, expected: string, attempt: () => Promise<Answer>][] = [
    ['they leave the group', 'usuario_id', () => t.as(ana).delete(`/grupos/${chefia}/usuarios/${ana.id}`)],
    ['the group is switched off', 'ativo', () => t.as(ana).put(`/grupos/${chefia}`, { ativo: false })],
    [
      'the group is switched off and emptied at once',
      'ativo',
      () => t.as(ana).patch(`/grupos/${chefia}`, { ativo: false, permissoes_ids: [] }),
    ],
    [
      'the group loses its permissions',
      'permissoes_ids',
      () =>
        t.as(ana).put(`/grupos/${chefia}`, { nome: 'outra', permissoes_ids: [permissao('grupos.listar')] }),
    ],
    [
      'the permissions of the group are replaced',
      'permissoes_ids',
      () => t.as(ana).put(`/grupos/${chefia}/permissoes`, { permissoes_ids: [] }),
    ],
    [
      'the permission `admin` is taken from the group',
      'permissao_id',
      () => t.as(ana).delete(`/grupos/${chefia}/permissoes/${ADMIN}`),
    ],
    ['the group is deleted with `force`', 'id', () => t.as(ana).delete(`/grupos/${chefia}?force=true`)],
    [
      'the group is deleted and its users go to one without `admin`',
      'id',
      () => t.as(ana).delete(`/grupos/${chefia}?transferir_usuarios=${comum}`),
    ],
  ]
  for (const [what, field, attempt] of ATTEMPTS)
    it(what, async () => {
      assert.deepEqual(await invalid(t, attempt), [`${field} LAST_ADMIN`])
      assert.deepEqual(await administradores(), [ana.id])
    })

  for (const [what, field, attempt] of [
    ['leave it', 'usuario_id', () => t.as(ana).delete(`/grupos/${PADRAO}/usuarios/${ana.id}`)],
    ['switch it off', 'ativo', () => t.as(ana).put(`/grupos/${PADRAO}`, { ativo: false })],
    ['empty it', 'permissoes_ids', () => t.as(ana).put(`/grupos/${PADRAO}`, { permissoes_ids: [] })],
  ] as [string, string, () => Promise<Answer>][])
    it(`their group is the default one and they ${what}`, async () => {
      await only([ana, PADRAO])
      assert.deepEqual(await invalid(t, attempt), [`${field} LAST_ADMIN`])
    })

  for (const [what, prepare] of [
    [
      'is deactivated',
      () => t.database.pool.run(sql`update usuarios set desativado_em = now() where id = ${bia.id}`),
    ],
    [
      'is one by a switched-off group',
      () => t.database.pool.run(sql`update grupos set ativo = false where id = ${direcao}`),
    ],
  ] as const)
    it(`the other administrator ${what}`, async () => {
      await only([ana, chefia], [bia, direcao])
      await prepare()
      const found = await invalid(t, () => t.as(ana).delete(`/grupos/${chefia}/usuarios/${ana.id}`))
      assert.deepEqual(found, ['usuario_id LAST_ADMIN'])
    })
})

describe('an administrator may go when another one remains', () => {
  for (const [what, prepare] of [
    ['by another group', () => only([ana, chefia], [bia, direcao])],
    ['in the same group', () => only([ana, chefia], [bia, chefia])],
    [
      'by the flag',
      async () => {
        await only([ana, chefia])
        await t.database.pool.run(sql`update usuarios set admin = true where id = ${bia.id}`)
      },
    ],
    [
      'by a direct permission',
      async () => {
        await only([ana, chefia])
        await t.database.pool.run(sql`
          insert into usuarios_permissoes (usuario_id, permissao_id) values (${bia.id}, ${ADMIN})`)
      },
    ],
  ] as const)
    it(what, async () => {
      await prepare()
      assert.equal((await t.as(ana).delete(`/grupos/${chefia}/usuarios/${ana.id}`)).status, 204)
      assert.deepEqual(await administradores(), [bia.id])
    })

  it('and a group may go when its users become administrators by another', async () => {
    await only([ana, chefia])
    const { body } = await t.as(ana).post('/grupos', { nome: 'passageira', permissoes_ids: [ADMIN] })
    await only([ana, body.id])
    assert.equal((await t.as(ana).delete(`/grupos/${body.id}?transferir_usuarios=${direcao}`)).status, 204)
    assert.deepEqual(await administradores(), [ana.id])
  })
})

describe('of two administrators who give it up at the same time, exactly one succeeds:', () => {
  const leave = (pessoa: Person, grupoId: number) => () =>
    t.as(pessoa).delete(`/grupos/${grupoId}/usuarios/${pessoa.id}`)
  const off = (pessoa: Person, grupoId: number) => () =>
    t.as(pessoa).put(`/grupos/${grupoId}`, { ativo: false })
  const empty = (pessoa: Person, grupoId: number) => () =>
    t.as(pessoa).put(`/grupos/${grupoId}/permissoes`, { permissoes_ids: [] })
  const take = (pessoa: Person, grupoId: number) => () =>
    t.as(pessoa).delete(`/grupos/${grupoId}/permissoes/${ADMIN}`)

  for (const [what, grupos, first, second] of [
    ['both leave different groups', [chefia, direcao], leave(ana, chefia), leave(bia, direcao)],
    ['both leave the same group', [chefia, chefia], leave(ana, chefia), leave(bia, chefia)],
    ['one leaves, the other switches off', [chefia, direcao], leave(ana, chefia), off(bia, direcao)],
    ['both switch off', [chefia, direcao], off(ana, chefia), off(bia, direcao)],
    ['one empties, the other takes `admin` away', [chefia, direcao], empty(ana, chefia), take(bia, direcao)],
  ] as [string, [number, number], () => Promise<Answer>, () => Promise<Answer>][])
    it(what, async () => {
      for (let round = 0; round < 8; round++) {
        await only([ana, grupos[0]], [bia, grupos[1]])
        const answers = await Promise.all([first(), second()])
        const [refusal, ...others] = answers.filter(({ status }) => status === 422)
        assert.deepEqual(others, [])
        assert.match(problems(refusal?.body.error.details).join(), /^\w+ LAST_ADMIN$/)
        assert.equal(answers.filter(({ status }) => status < 300).length, 1)
        assert.deepEqual(await administradores(), [answers[0]?.status === 422 ? ana.id : bia.id])
      }
    })
})
