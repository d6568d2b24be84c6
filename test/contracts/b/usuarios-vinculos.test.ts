import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import type { Person } from '../../harness/app.ts'
import { denied, invalid, missing, storedRights, tally } from '../refusals.ts'
import { gruposApp, nomes } from './grupos-app.ts'

const { t, admin, newGrupo, padrao, permissao } = await gruposApp()
after(() => t.close())
const { pool } = t.database

const gestor = await t.person({ grupos: ['gestor'] })
const direitos = async ({ id }: { id: number }, who: Person = admin) => {
  const { status, body, text } = await t.as(who).get(`/usuarios/${id}/permissoes`)
  assert.equal(status, 200, text)
  return body
}
const gruposDe = async (whom: { id: number }) => nomes((await direitos(whom)).grupos)
const diretasDe = async (whom: { id: number }) => nomes((await direitos(whom)).permissoes_diretas)

/** Both kinds of link behave alike. */
const KINDS = {
  grupos: {
    field: 'grupos_ids',
    one: padrao('analista'),
    nome: 'analista',
    held: gruposDe,
    above: [padrao('admin'), 'admin'],
    needs: 'usuarios.gerenciar_grupos',
  },
  permissoes: {
    field: 'permissoes_ids',
    one: permissao('agravos.listar'),
    nome: 'agravos.listar',
    held: diretasDe,
    above: [permissao('auditoria.ver'), 'auditoria.ver'],
    needs: 'usuarios.gerenciar_permissoes',
  },
} as const

for (const [kind, { field, one, nome, held, above, needs }] of Object.entries(KINDS))
  describe(`/usuarios/{id}/${kind}/{id}`, () => {
    const path = ({ id }: { id: number }, other: number = one) => `/usuarios/${id}/${kind}/${other}`

    it('adds it at once, and again changes nothing', async () => {
      const ana = await t.person()
      const { status, body } = await t.as(gestor).post(path(ana))
      assert.equal(status, 200)
      assert.deepEqual(Object.keys(body), ['id', 'message', 'campos_alterados', 'requer_acao'])
      assert.deepEqual([body.id, body.campos_alterados], [ana.id, [field]])
      assert.deepEqual(body.requer_acao, { email_verificacao: false, relogin: false })
      assert.deepEqual(await held(ana), [nome])
      assert.equal((await t.as(ana).get('/usuarios/me')).status, 200)
      const before = [
        await storedRights(t),
        await pool.first(sql`select * from usuarios where id = ${ana.id}`),
      ]
      const again = await t.as(gestor).post(path(ana))
      assert.deepEqual([again.status, again.body.campos_alterados], [200, []])
      assert.deepEqual(
        [await storedRights(t), await pool.first(sql`select * from usuarios where id = ${ana.id}`)],
        before,
      )
    })

    it('removes it with 204, and 404 when it is not there', async () => {
      const ana = await t.person()
      await t.as(gestor).post(path(ana))
      const { status, text } = await t.as(gestor).delete(path(ana))
      assert.deepEqual([status, text], [204, ''])
      assert.deepEqual(await held(ana), [])
      await missing(t, () => t.as(gestor).delete(path(ana)))
    })

    it('answers 404 for an unknown user or other side, 422 for what is no id', async () => {
      const ana = await t.person()
      for (const verb of ['post', 'delete'] as const) {
        await missing(t, () => t.as(admin)[verb](path({ id: 999_999 })))
        await missing(t, () => t.as(admin)[verb](path(ana, 999_999)))
        assert.equal((await invalid(t, () => t.as(admin)[verb](`/usuarios/x/${kind}/0`))).length, 2)
      }
    })

    it('needs its permission, holding what is given, and not to act above oneself', async () => {
      const ana = await t.person()
      const editor = await t.person({ permissoes: ['usuarios.editar', 'agravos.listar'] })
      const [aboveId, lacking] = above
      for (const verb of ['post', 'delete'] as const)
        assert.equal(await denied(t, () => t.as(editor)[verb](path(ana))), needs)
      assert.equal(await denied(t, () => t.as(gestor).post(path(ana, aboveId))), lacking)
      assert.equal(await denied(t, () => t.as(gestor).post(path(gestor, aboveId))), lacking)
      const high = await t.person({ grupos: ['analista'], permissoes: ['auditoria.ver', 'agravos.listar'] })
      assert.equal(await denied(t, () => t.as(gestor).delete(path(high))), 'auditoria.ver')
      assert.equal(await denied(t, () => t.as(gestor).post(path(high, padrao('usuario')))), 'auditoria.ver')
    })

    it('takes simultaneous ones of different kinds without losing any', async () => {
      const ana = await t.person()
      const ids =
        kind === 'grupos'
          ? ['gestor', 'analista', 'usuario', 'visualizador'].map(padrao)
          : ['agravos.listar', 'agravos.criar', 'agravos.editar', 'noticias.listar'].map(permissao)
      const added = await Promise.all(ids.map((id) => t.as(admin).post(path(ana, id))))
      assert.deepEqual(tally(added), { 200: 4 })
      assert.equal((await held(ana)).length, 4)
      const mixed = await Promise.all([
        t.as(admin).delete(path(ana, ids[0])),
        t.as(admin).delete(path(ana, ids[1])),
        t.as(admin).delete(path(ana, ids[1])),
      ])
      assert.deepEqual(tally(mixed), { 204: 2, 404: 1 })
      assert.equal((await held(ana)).length, 2)
    })

    it('records who changed what', async () => {
      const ana = await t.person()
      await t.as(gestor).post(path(ana))
      const rows = await pool.rows(sql`
        select acao, ator_id, detalhes from auditoria where recurso = 'usuario' and recurso_id = ${String(ana.id)}`)
      const detalhes = { campos: [field], [field]: [one] }
      assert.deepEqual(rows, [{ acao: 'usuario.alterado', ator_id: gestor.id, detalhes }])
    })
  })

for (const verb of ['put', 'patch'] as const)
  describe(`${verb.toUpperCase()} /usuarios/{id}/grupos`, () => {
    const replace = (who: Person, { id }: { id: number }, grupos_ids: unknown) =>
      t.as(who)[verb](`/usuarios/${id}/grupos`, { grupos_ids })

    it('replaces all groups', async () => {
      const ana = await t.person({ grupos: ['usuario', 'visualizador'] })
      const { status, body } = await replace(gestor, ana, [padrao('analista'), padrao('usuario')])
      assert.deepEqual([status, body.campos_alterados], [200, ['grupos_ids']])
      assert.deepEqual(await gruposDe(ana), ['analista', 'usuario'])
      assert.deepEqual(
        (await replace(gestor, ana, [padrao('usuario'), padrao('analista')])).body.campos_alterados,
        [],
      )
      await replace(gestor, ana, [])
      assert.deepEqual(await gruposDe(ana), [])
    })

    it('refuses unknown groups, no list, nobody, and what the caller may not give', async () => {
      const ana = await t.person({ grupos: ['usuario'] })
      assert.deepEqual(await invalid(t, () => replace(gestor, ana, [999_999])), ['grupos_ids UNKNOWN'])
      assert.deepEqual(await invalid(t, () => t.as(gestor)[verb](`/usuarios/${ana.id}/grupos`, {})), [
        'grupos_ids REQUIRED',
      ])
      assert.deepEqual(await invalid(t, () => replace(gestor, ana, 'x')), ['grupos_ids INVALID_TYPE'])
      await missing(t, () => replace(admin, { id: 999_999 }, []))
      assert.equal(await denied(t, () => replace(gestor, ana, [padrao('admin')])), 'admin')
      const high = await t.person({ grupos: ['admin'] })
      assert.equal(await denied(t, () => replace(gestor, high, [])), 'admin')
    })
  })

describe('GET /usuarios/{id}/permissoes', () => {
  it('tells groups, direct and effective permissions, and where each comes from', async () => {
    const um = await newGrupo({
      nome: 'um',
      permissoes_ids: [permissao('agravos.listar'), permissao('agravos.criar')],
    })
    const dois = await newGrupo({ nome: 'dois', permissoes_ids: [permissao('agravos.listar')] })
    const off = await newGrupo({
      nome: 'off',
      ativo: false,
      permissoes_ids: ['agravos.listar', 'admin'].map(permissao),
    })
    const ana = await t.person({
      grupos: ['um', 'dois', 'off'],
      permissoes: ['agravos.listar', 'auditoria.ver'],
    })
    const body = await direitos(ana)
    assert.deepEqual(Object.keys(body), [
      ...['grupos', 'permissoes_diretas', 'permissoes_efetivas', 'tem_permissao_admin', 'fontes'],
    ])
    assert.deepEqual(
      body.grupos,
      [um, dois, off].map(({ id, nome, descricao }) => ({ id, nome, descricao })),
    )
    assert.deepEqual(nomes(body.permissoes_diretas).toSorted(), ['agravos.listar', 'auditoria.ver'])
    assert.deepEqual(body.permissoes_efetivas.toSorted(), [
      'agravos.criar',
      'agravos.listar',
      'auditoria.ver',
    ])
    assert.equal(body.tem_permissao_admin, false)
    assert.deepEqual(
      body.fontes.toSorted((a: { nome: string }, b: { nome: string }) => a.nome.localeCompare(b.nome)),
      [
        { nome: 'agravos.criar', direta: false, grupos: ['um'] },
        { nome: 'agravos.listar', direta: true, grupos: ['dois', 'um'] },
        { nome: 'auditoria.ver', direta: true, grupos: [] },
      ],
    )
  })

  it('knows the administrator, by the flag, by a group and directly, who holds every permission', async () => {
    const all = nomes((await t.as(admin).get('/permissoes/')).body).toSorted()
    for (const [person, fontes] of [
      [await t.person({ admin: true }), []],
      [await t.person({ grupos: ['admin'] }), [{ nome: 'admin', direta: false, grupos: ['admin'] }]],
      [await t.person({ permissoes: ['admin'] }), [{ nome: 'admin', direta: true, grupos: [] }]],
    ] as const) {
      const body = await direitos(person)
      assert.equal(body.tem_permissao_admin, true)
      assert.deepEqual(body.permissoes_efetivas.toSorted(), all)
      assert.deepEqual(body.fontes, fontes)
    }
    const nobody = await direitos(await t.person())
    assert.deepEqual([nobody.tem_permissao_admin, nobody.permissoes_efetivas, nobody.fontes], [false, [], []])
  })

  it('is for oneself and for those who may list users', async () => {
    const [ana, bia] = [await t.person(), await t.person()]
    await direitos(ana, ana)
    await direitos(ana, await t.person({ permissoes: ['usuarios.listar'] }))
    assert.equal(await denied(t, () => t.as(bia).get(`/usuarios/${ana.id}/permissoes`)), 'usuarios.listar')
    await missing(t, () => t.as(admin).get('/usuarios/999999/permissoes'))
    assert.deepEqual(await invalid(t, () => t.as(admin).get('/usuarios/x/permissoes')), ['id INVALID_TYPE'])
  })

  it('agrees with what the routes let the user do, at the next request', async () => {
    const ana = await t.person()
    assert.equal((await t.as(ana).get('/usuarios')).status, 403)
    await t.as(admin).post(`/usuarios/${ana.id}/permissoes/${permissao('usuarios.listar')}`)
    assert.equal((await t.as(ana).get('/usuarios')).status, 200)
    await t.as(admin).delete(`/usuarios/${ana.id}/permissoes/${permissao('usuarios.listar')}`)
    assert.equal((await t.as(ana).get('/usuarios')).status, 403)
  })
})

describe('the last administrator', () => {
  it('keeps the group and the permission that make one, also when two take them away at once', async () => {
    const ana = await t.person({ grupos: ['admin'] })
    const bia = await t.person({ permissoes: ['admin'] })
    await pool.run(sql`update usuarios set admin = false`)
    await pool.run(sql`
      delete from usuarios_grupos where grupo_id = ${padrao('admin')} and usuario_id <> ${ana.id}`)
    await pool.run(sql`
      delete from usuarios_permissoes where permissao_id = ${permissao('admin')} and usuario_id <> ${bia.id}`)
    const answers = await Promise.all([
      t.as(ana).delete(`/usuarios/${bia.id}/permissoes/${permissao('admin')}`),
      t.as(bia).delete(`/usuarios/${ana.id}/grupos/${padrao('admin')}`),
    ])
    assert.equal(tally(answers)[204], 1, JSON.stringify(tally(answers)))
    const [left, ...more] = await pool.rows<{ id: number }>(sql`select id from administradores`)
    assert.equal(more.length, 0)
    const [last, path] =
      left?.id === ana.id
        ? ([ana, `grupos/${padrao('admin')}`] as const)
        : ([bia, `permissoes/${permissao('admin')}`] as const)
    const [found, ...others] = await invalid(t, () => t.as(last).delete(`/usuarios/${last.id}/${path}`))
    assert.match(found ?? '', / LAST_ADMIN$/)
    assert.deepEqual(others, [])
    if (last === ana)
      assert.equal((await t.as(ana).put(`/usuarios/${ana.id}/grupos`, { grupos_ids: [] })).status, 422)
  })
})
