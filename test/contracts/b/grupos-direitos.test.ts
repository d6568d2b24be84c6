import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Answer, Verbs } from '../../harness/app.ts'
import { denied } from '../refusals.ts'
import { gruposApp } from './grupos-app.ts'

const { t, newGrupo, getGrupo, membros, addMembro, permissao, padrao } = await gruposApp()
after(() => t.close())

/** Holds everything but `admin` and `auditoria.ver`. */
const gestor = await t.person({ grupos: ['gestor'] })
const colega = await t.person({ grupos: ['gestor'] })
const subordinado = await t.person({ grupos: ['analista'] })

const LISTAR = permissao('agravos.listar')
const AUDITORIA = permissao('auditoria.ver')
const ADMIN = permissao('admin')

const equipe = await newGrupo({ nome: 'equipe', permissoes_ids: [LISTAR] })
const auditores = await newGrupo({ nome: 'auditores', permissoes_ids: [LISTAR, AUDITORIA] })
const desligado = await newGrupo({ nome: 'desligado', permissoes_ids: [AUDITORIA], ativo: false })
/** Nobody in it holds more than the gestor. */
const estagio = await newGrupo({ nome: 'estagio' })

const auditor = await t.person({ grupos: ['auditores'] })
/** Holds nothing for the time being. */
const dormente = await t.person({ grupos: ['desligado'] })
const superiores = [
  ['an administrator by the flag', await t.person({ admin: true }), 'admin'],
  ['an administrator by a group', await t.person({ grupos: ['admin'] }), 'admin'],
  ['an administrator by a direct permission', await t.person({ permissoes: ['admin'] }), 'admin'],
  ['someone who reads the audit', auditor, 'auditoria.ver'],
  ['someone who reads the audit once their group is switched on', dormente, 'auditoria.ver'],
] as const
await addMembro(equipe.id, auditor.id)
for (const { id } of [equipe, estagio]) await addMembro(id, subordinado.id)

type Attempt = [what: string, required: string, attempt: (as: Verbs) => Promise<Answer>]

function refusesAll(attempts: Attempt[]): void {
  for (const [what, required, attempt] of attempts)
    it(`does not ${what}`, async () => {
      assert.equal(await denied(t, () => attempt(t.as(gestor))), required)
    })
}

describe('a gestor does not give what they do not hold:', () => {
  refusesAll([
    [
      'create a group with `admin`',
      'admin',
      (as) => as.post('/grupos', { nome: 'x', permissoes_ids: [ADMIN] }),
    ],
    [
      'create a group with `auditoria.ver` among others',
      'auditoria.ver',
      (as) => as.post('/grupos', { nome: 'x', permissoes_ids: [LISTAR, AUDITORIA] }),
    ],
    [
      'create even a switched-off group with it',
      'auditoria.ver',
      (as) => as.post('/grupos', { nome: 'x', ativo: false, permissoes_ids: [AUDITORIA] }),
    ],
    [
      'change a group to have it',
      'auditoria.ver',
      (as) => as.put(`/grupos/${equipe.id}`, { descricao: 'x', permissoes_ids: [LISTAR, AUDITORIA] }),
    ],
    [
      'change it by PATCH either',
      'admin',
      (as) => as.patch(`/grupos/${equipe.id}`, { permissoes_ids: [ADMIN] }),
    ],
    [
      'replace the permissions of a group with it',
      'admin',
      (as) => as.put(`/grupos/${equipe.id}/permissoes`, { permissoes_ids: [LISTAR, ADMIN] }),
    ],
    ['add it to a group', 'auditoria.ver', (as) => as.post(`/grupos/${equipe.id}/permissoes/${AUDITORIA}`)],
    [
      'give it to their own group',
      'admin',
      (as) => as.post(`/grupos/${padrao('gestor')}/permissoes/${ADMIN}`),
    ],
    ['join the group `admin`', 'admin', (as) => as.post(`/grupos/${padrao('admin')}/usuarios/${gestor.id}`)],
    [
      'put someone else into the group `admin`',
      'admin',
      (as) => as.post(`/grupos/${padrao('admin')}/usuarios/${subordinado.id}`),
    ],
    [
      'join a group that holds more',
      'auditoria.ver',
      (as) => as.post(`/grupos/${auditores.id}/usuarios/${gestor.id}`),
    ],
    [
      'join a switched-off group that holds more',
      'auditoria.ver',
      (as) => as.post(`/grupos/${desligado.id}/usuarios/${gestor.id}`),
    ],
    [
      'transfer users into a group that holds more',
      'auditoria.ver',
      (as) => as.delete(`/grupos/${estagio.id}?transferir_usuarios=${auditores.id}`),
    ],
    [
      'transfer users into a switched-off group that holds more',
      'auditoria.ver',
      (as) => as.delete(`/grupos/${estagio.id}?transferir_usuarios=${desligado.id}`),
    ],
    [
      'transfer users into the group `admin`',
      'admin',
      (as) => as.delete(`/grupos/${estagio.id}?transferir_usuarios=${padrao('admin')}`),
    ],
  ])
})

describe('a gestor does not touch a group that holds more than they do:', () => {
  const path = `/grupos/${auditores.id}`
  refusesAll([
    ['describe it anew', 'auditoria.ver', (as) => as.put(path, { descricao: 'x' })],
    ['rename it', 'auditoria.ver', (as) => as.put(path, { nome: 'outro' })],
    ['change nothing in it', 'auditoria.ver', (as) => as.put(path, {})],
    ['switch it off', 'auditoria.ver', (as) => as.patch(path, { ativo: false })],
    ['switch one on', 'auditoria.ver', (as) => as.put(`/grupos/${desligado.id}`, { ativo: true })],
    ['take its permissions', 'auditoria.ver', (as) => as.put(path, { permissoes_ids: [] })],
    [
      'replace its permissions',
      'auditoria.ver',
      (as) => as.put(`${path}/permissoes`, { permissoes_ids: [] }),
    ],
    [
      'add a permission they hold',
      'auditoria.ver',
      (as) => as.post(`${path}/permissoes/${permissao('agravos.criar')}`),
    ],
    ['take a permission they hold', 'auditoria.ver', (as) => as.delete(`${path}/permissoes/${LISTAR}`)],
    ['take a permission they lack', 'auditoria.ver', (as) => as.delete(`${path}/permissoes/${AUDITORIA}`)],
    ['delete it', 'auditoria.ver', (as) => as.delete(path)],
    ['delete it with `force`', 'auditoria.ver', (as) => as.delete(`${path}?force=true`)],
    [
      'delete it with a transfer',
      'auditoria.ver',
      (as) => as.delete(`${path}?transferir_usuarios=${equipe.id}`),
    ],
    ['take a member out of it', 'auditoria.ver', (as) => as.delete(`${path}/usuarios/${auditor.id}`)],
    [
      'take a member out of one that is switched off',
      'auditoria.ver',
      (as) => as.delete(`/grupos/${desligado.id}/usuarios/${dormente.id}`),
    ],
    ['switch the group `admin` off', 'admin', (as) => as.put(`/grupos/${padrao('admin')}`, { ativo: false })],
  ])
})

/** On a group that grants no more than the gestor holds. */
const CHANGES_OF_WHAT_IS_GRANTED: [
  what: string,
  input: object,
  attempt: (as: Verbs, path: string) => Promise<Answer>,
][] = [
  ['switch off', {}, (as, path) => as.put(path, { ativo: false })],
  ['switch on', { ativo: false }, (as, path) => as.patch(path, { ativo: true })],
  ['empty', {}, (as, path) => as.put(path, { permissoes_ids: [] })],
  ['empty by its permissions', {}, (as, path) => as.put(`${path}/permissoes`, { permissoes_ids: [] })],
  ['take a permission from', {}, (as, path) => as.delete(`${path}/permissoes/${LISTAR}`)],
  ['add a permission to', { permissoes_ids: [] }, (as, path) => as.post(`${path}/permissoes/${LISTAR}`)],
]

describe('a gestor does not touch the memberships and rights of someone who holds more:', () => {
  for (const [whom, { id }, required] of superiores) {
    it(`does not put ${whom} into a group`, async () => {
      const path = `/grupos/${padrao('usuario')}/usuarios/${id}`
      assert.equal(await denied(t, () => t.as(gestor).post(path)), required)
    })
    it(`does not take ${whom} out of a group`, async () => {
      const { id: grupoId } = await newGrupo()
      await addMembro(grupoId, id)
      assert.equal(await denied(t, () => t.as(gestor).delete(`/grupos/${grupoId}/usuarios/${id}`)), required)
    })
    for (const query of ['force=true', `transferir_usuarios=${padrao('usuario')}`])
      it(`does not delete a group with ${whom} in it by ${query}`, async () => {
        const { id: grupoId } = await newGrupo()
        await addMembro(grupoId, id)
        assert.equal(await denied(t, () => t.as(gestor).delete(`/grupos/${grupoId}?${query}`)), required)
      })
    for (const [what, input, attempt] of CHANGES_OF_WHAT_IS_GRANTED)
      it(`does not ${what} a group with ${whom} in it`, async () => {
        const { id: grupoId } = await newGrupo({ permissoes_ids: [LISTAR], ...input })
        await addMembro(grupoId, id)
        assert.equal(await denied(t, () => attempt(t.as(gestor), `/grupos/${grupoId}`)), required)
      })
  }

  it('renames such a group, and sends back what it grants: neither changes what anybody holds', async () => {
    const { id } = await newGrupo({ permissoes_ids: [LISTAR] })
    await addMembro(id, auditor.id)
    const change = { descricao: 'Outra', ativo: true, permissoes_ids: [LISTAR] }
    assert.equal((await t.as(gestor).put(`/grupos/${id}`, change)).status, 200)
    assert.equal((await t.as(gestor).post(`/grupos/${id}/permissoes/${LISTAR}`)).status, 200)
  })

  it('changes what a group grants in which only they themselves would hold more', async () => {
    const proprio = await t.person({ grupos: ['gestor', 'desligado'] })
    const { id } = await newGrupo({ permissoes_ids: [LISTAR] })
    await addMembro(id, proprio.id)
    assert.equal((await t.as(proprio).put(`/grupos/${id}`, { ativo: false })).status, 200)
    assert.equal((await t.as(proprio).delete(`/grupos/${id}?force=true`)).status, 204)
  })
})

describe('someone with few permissions', () => {
  it('gives exactly those they hold', async () => {
    const criador = await t.person({ permissoes: ['grupos.criar', 'grupos.editar', 'agravos.listar'] })
    const create = (nome: string, ...permissoes: string[]) =>
      t.as(criador).post('/grupos', { nome, permissoes_ids: permissoes.map(permissao) })
    assert.equal((await create('permitido', 'agravos.listar', 'grupos.criar')).status, 201)
    assert.equal(
      await denied(t, () => create('proibido', 'agravos.listar', 'agravos.criar')),
      'agravos.criar',
    )
    const vazio = await newGrupo()
    const add = (nome: string) => t.as(criador).post(`/grupos/${vazio.id}/permissoes/${permissao(nome)}`)
    assert.equal(await denied(t, () => add('grupos.deletar')), 'grupos.deletar')
    assert.equal((await add('grupos.editar')).status, 200)
  })
})

describe('a gestor', () => {
  it('creates, changes, fills, empties and deletes groups that hold no more than they do', async () => {
    const as = t.as(gestor)
    const ids = (await getGrupo(padrao('gestor'))).permissoes.map(({ id }) => id)
    const { status, body } = await as.post('/grupos', { nome: 'tudo_do_gestor', permissoes_ids: ids })
    assert.equal(status, 201)
    const path = `/grupos/${body.id}`
    for (const { id } of [gestor, colega]) assert.equal((await as.post(`${path}/usuarios/${id}`)).status, 200)
    assert.equal((await as.delete(`${path}/usuarios/${colega.id}`)).status, 204)
    assert.equal((await as.put(path, { ativo: false, permissoes_ids: [LISTAR] })).status, 200)
    assert.equal((await as.delete(`${path}?transferir_usuarios=${padrao('analista')}`)).status, 204)
    assert.deepEqual(await membros(padrao('analista')), [gestor.id, subordinado.id])
    assert.equal((await as.delete(`/grupos/${padrao('analista')}/usuarios/${gestor.id}`)).status, 204)
  })
})

describe('what a group grants', () => {
  const probe = async (token: Parameters<typeof t.as>[0]) => (await t.as(token).get('/grupos')).status

  it('holds from the next request on: joining, leaving, permissions given and taken', async () => {
    const pessoa = await t.person()
    const chefe = await t.administrador()
    const { id } = await newGrupo()
    const listar = permissao('grupos.listar')
    const steps: [attempt: () => Promise<Answer>, expected: number][] = [
      [() => t.as(chefe).post(`/grupos/${id}/usuarios/${pessoa.id}`), 403],
      [() => t.as(chefe).post(`/grupos/${id}/permissoes/${listar}`), 200],
      [() => t.as(chefe).put(`/grupos/${id}`, { ativo: false }), 403],
      [() => t.as(chefe).put(`/grupos/${id}`, { ativo: true }), 200],
      [() => t.as(chefe).delete(`/grupos/${id}/permissoes/${listar}`), 403],
      [() => t.as(chefe).put(`/grupos/${id}/permissoes`, { permissoes_ids: [listar] }), 200],
      [() => t.as(chefe).put(`/grupos/${id}`, { permissoes_ids: [LISTAR] }), 403],
      [() => t.as(chefe).put(`/grupos/${id}`, { permissoes_ids: [ADMIN] }), 200],
      [() => t.as(chefe).delete(`/grupos/${id}/usuarios/${pessoa.id}`), 403],
      [() => t.as(chefe).post(`/grupos/${id}/usuarios/${pessoa.id}`), 200],
      [() => t.as(chefe).delete(`/grupos/${id}?force=true`), 403],
    ]
    assert.equal(await probe(pessoa), 403)
    for (const [step, expected] of steps) {
      const { status, text } = await step()
      assert.ok(status < 300, text)
      assert.equal(await probe(pessoa), expected)
    }
  })

  it('is nothing while a default group is switched off, also for its administrators', async () => {
    const chefe = await t.person({ grupos: ['admin'] })
    const flag = await t.administrador()
    assert.equal(await probe(chefe), 200)
    assert.equal((await t.as(flag).put(`/grupos/${padrao('admin')}`, { ativo: false })).status, 200)
    assert.equal(await probe(chefe), 403)
    assert.equal((await t.as(flag).put(`/grupos/${padrao('admin')}`, { ativo: true })).status, 200)
    assert.equal(await probe(chefe), 200)
  })
})
