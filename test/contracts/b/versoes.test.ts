import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import type { Person } from '../../harness/app.ts'
import { bind } from '../../harness/bound.ts'
import { tally } from '../refusals.ts'
import { gruposApp } from './grupos-app.ts'

const { t, admin, newGrupo, addMembro, permissao } = await gruposApp()
after(() => t.close())
const { pool } = t.database

interface Resource {
  /** Makes one; its path. */
  make(): Promise<string>
  /** Two changes of the same field to different values, and one of another. */
  changes: [object, object, object]
  /** Of the path that deletes it. */
  removal?: string
  stored: ReturnType<typeof sql>
  /** Somebody to whom it is not there, or who may not change it. */
  stranger(): Promise<[Person, number]>
}

let made = 0
const posted = async (path: string, body: object): Promise<string> => {
  const answer = await t.as(admin).post(path, body)
  assert.equal(answer.status, 201, answer.text)
  return `${path}/${answer.body.id}`
}

const RESOURCES: Record<string, Resource> = {
  'A group': {
    make: async () => `/grupos/${(await newGrupo({ descricao: 'Antes' })).id}`,
    changes: [{ descricao: 'Uma' }, { descricao: 'Outra' }, { exige_mfa: true }],
    stored: sql`select json_agg(g order by g.id)::text from grupos g`,
    stranger: async () => [await t.person({ permissoes: ['grupos.listar'] }), 403],
  },
  'An account': {
    make: async () => `/usuarios/${(await t.person()).id}`,
    changes: [{ cargo: 'Uma' }, { cargo: 'Outra' }, { cidade: 'Olinda' }],
    removal: '?motivo=Saiu',
    stored: sql`select json_agg(json_build_array(u.id, u.cargo, u.cidade, u.ativo) order by u.id)::text from usuarios u`,
    stranger: async () => [
      await bind(t, await t.person({ permissoes: ['usuarios.editar', 'usuarios.deletar'] }), 'uf:AC'),
      404,
    ],
  },
  'A webhook': {
    make: () => posted('/webhooks', { url: `https://lab.example/${++made}`, eventos: ['agravo.criado'] }),
    changes: [
      { url: 'https://lab.example/uma' },
      { url: 'https://lab.example/outra' },
      { eventos: ['agravo.atualizado'] },
    ],
    stored: sql`select json_agg(json_build_array(w.id, w.url, w.eventos) order by w.id)::text from webhooks w`,
    stranger: async () => [await t.person({ permissoes: ['agravos.listar'] }), 404],
  },
  'A piece of news': {
    make: () => posted('/noticias', { titulo: 'Boletim', conteudo: 'Texto' }),
    changes: [{ titulo: 'Uma' }, { titulo: 'Outra' }, { fonte: 'SES' }],
    stored: sql`select json_agg(n order by n.id)::text from noticias n`,
    stranger: async () => [await t.person({ permissoes: ['noticias.listar'] }), 403],
  },
  'A schedule': {
    make: () =>
      posted('/agravos/agendas', {
        ...{ nome: `Semanal ${++made}`, dia_semana: 'terca', hora: '08:00' },
        pedidos: [{ tipo_agravo: 'dengue', estado: 'PE' }],
      }),
    changes: [{ hora: '09:00' }, { hora: '10:00' }, { nome: 'Outro' }],
    stored: sql`select json_agg(a order by a.id)::text from boletins_agendas a`,
    stranger: async () => [await t.person({ permissoes: ['relatorios.gerar'] }), 404],
  },
}

async function tagOf(path: string, who = admin): Promise<string> {
  const { status, headers, text } = await t.as(who).get(path)
  assert.equal(status, 200, text)
  return headers.etag as string
}
const match = (tag: string) => ({ headers: { 'if-match': tag } })
const put = (path: string, body: object, tag: string, who = admin) => t.as(who).put(path, body, match(tag))

/** Versions that match nothing: none of ours, weak, without quotes, of another record. */
const WRONG = ['"1"', 'W/"TAG"', 'TAG', '"TAG', '"x"', '', '""', `"${'0'.repeat(32)}"`]

for (const [what, { make, changes, removal = '', stored, stranger }] of Object.entries(RESOURCES))
  describe(`${what} with If-Match`, () => {
    const [one, other, elsewhere] = changes
    const state = () => pool.value<string>(stored)

    it('has a version that every change of it replaces', async () => {
      const path = await make()
      const first = await tagOf(path)
      assert.match(first, /^"[0-9a-f]{32}"$/)
      assert.equal(await tagOf(path), first)
      assert.equal((await put(path, one, first)).status, 200)
      const second = await tagOf(path)
      assert.notEqual(second, first)
      assert.equal((await t.as(admin).patch(path, other, match(second))).status, 200)
      assert.notEqual(await tagOf(path), second)
    })

    it('lets a change through that names the version, however it was read, or any', async () => {
      const path = await make()
      for (const [at, form] of [
        (tag: string) => tag,
        () => '*',
        (tag: string) => `"7", ${tag}`,
        (tag: string) => `${tag.slice(0, -1)}-br"`,
      ].entries()) {
        const answer = await put(path, at % 2 === 0 ? one : other, form(await tagOf(path)))
        assert.equal(answer.status, 200, answer.text)
      }
    })

    it('left out, the last change wins, as ever', async () => {
      const path = await make()
      for (const change of [one, other, one]) assert.equal((await t.as(admin).put(path, change)).status, 200)
    })

    it('is refused with a stale version, and nothing changes: no field, and nothing in the audit', async () => {
      const path = await make()
      const stale = await tagOf(path)
      assert.equal((await t.as(admin).put(path, one)).status, 200)
      const audited = () => pool.value<number>(sql`select count(*) from auditoria`)
      const before = [await state(), await audited()]
      for (const act of [
        () => put(path, elsewhere, stale),
        () => put(path, one, stale),
        () => t.as(admin).delete(`${path}${removal}`, match(stale)),
      ]) {
        const { status, body } = await act()
        assert.deepEqual([status, body.code ?? body.error?.code], [409, 'CONFLICT'])
      }
      assert.deepEqual([await state(), await audited()], before)
    })

    it('is refused with what is no version of it', async () => {
      const path = await make()
      const tag = (await tagOf(path)).slice(1, -1)
      const before = await state()
      for (const wrong of WRONG)
        assert.equal((await put(path, one, wrong.replace('TAG', tag))).status, 409, wrong)
      assert.equal(await state(), before)
    })

    it('lets one of two simultaneous changes to one version through', async () => {
      for (let round = 0; round < 4; round++) {
        const path = await make()
        const tag = await tagOf(path)
        assert.deepEqual(tally(await Promise.all([put(path, one, tag), put(path, other, tag)])), {
          200: 1,
          409: 1,
        })
      }
    })

    it('tells those who may not change it nothing of its version', async () => {
      const path = await make()
      const [who, status] = await stranger()
      for (const tag of [await tagOf(path), '"x"', '*']) {
        assert.equal((await put(path, one, tag, who)).status, status, tag)
        assert.ok([403, 404].includes((await t.as(who).delete(`${path}${removal}`, match(tag))).status))
      }
    })

    it('is deleted in the version that was read; afterwards it is not there, whatever the version', async () => {
      const path = await make()
      const tag = await tagOf(path)
      const query = what === 'An account' ? `${removal}&force=true` : ''
      assert.ok((await t.as(admin).delete(`${path}${query}`, match(tag))).status < 300)
      assert.equal((await put(path, one, tag)).status, 404)
      assert.equal((await put(path, one, '"x"')).status, 404)
      assert.equal((await t.as(admin).delete(`${path}${removal}`, match(tag))).status, 404)
    })
  })

describe('The version of a group', () => {
  it('counts its permissions, not its members: those are added one by one', async () => {
    const { id } = await newGrupo()
    const path = `/grupos/${id}`
    const first = await tagOf(path)
    await addMembro(id, (await t.person()).id)
    assert.equal(await tagOf(path), first)
    const body = { permissoes_ids: [permissao('agravos.listar')] }
    const granted = await t.as(admin).put(`${path}/permissoes`, body, match(first))
    assert.equal(granted.status, 200)
    assert.equal(granted.headers.etag, await tagOf(path))
    assert.notEqual(granted.headers.etag, first)
    assert.equal((await put(`${path}/permissoes`, { permissoes_ids: [] }, first)).status, 409)
  })
})

describe('The version of an account', () => {
  it('counts groups, permissions and places, not sign-ins, and is for those who see all of it', async () => {
    const ana = await t.person()
    const path = `/usuarios/${ana.id}`
    const { id: grupo } = await newGrupo()
    const changes: [string, object][] = [
      [`${path}/grupos`, { grupos_ids: [grupo] }],
      [path, { permissoes_ids: [permissao('agravos.listar')] }],
      [`${path}/territorios`, { territorios: [{ nivel: 'uf', codigo: 'PE' }] }],
    ]
    for (const [where, body] of changes) {
      const before = await tagOf(path)
      assert.equal((await put(where, body, before)).status, 200, where)
      assert.notEqual(await tagOf(path), before)
      assert.equal((await put(where, body, before)).status, 409, where)
    }
    const tag = await tagOf(path)
    await pool.run(sql`update usuarios set ultimo_login = now(), ultimo_acesso = now() where id = ${ana.id}`)
    assert.equal(await tagOf(path), tag)
    assert.equal(await tagOf(path, ana), tag)
    assert.equal(await tagOf(path, await t.person()), undefined)
  })

  it('is compared by the formal contract, too', async () => {
    const { id, email } = await t.person()
    const path = `/usuarios/${id}`
    const tag = await tagOf(path)
    const formal = (nome: string, when: string) => put(path, { usuario: { nome, email } }, when)
    assert.equal((await formal('Uma Pessoa', tag)).status, 200)
    assert.equal((await formal('Outra Pessoa', tag)).status, 409)
    assert.equal((await t.as(admin).delete(path, match(tag))).status, 409)
    assert.equal((await t.as(admin).delete(path, match(await tagOf(path)))).status, 200)
  })
})

describe('The version of a webhook', () => {
  it('counts the values of its headers, which nobody reads', async () => {
    const path = await (RESOURCES['A webhook'] as Resource).make()
    const first = await tagOf(path)
    assert.equal((await put(path, { headers: { 'X-Chave': 'uma' } }, first)).status, 200)
    const second = await tagOf(path)
    assert.equal((await put(path, { headers: { 'X-Chave': 'outra' } }, second)).status, 200)
    assert.equal((await put(path, { headers: { 'X-Chave': 'mais' } }, second)).status, 409)
  })
})

describe('The version of a schedule', () => {
  it('is no other after it has run', async () => {
    const path = await (RESOURCES['A schedule'] as Resource).make()
    const tag = await tagOf(path)
    await pool.run(sql`update boletins_agendas set ultima_em = now(), proxima_em = now(), ultimo_job = 'x'`)
    assert.equal(await tagOf(path), tag)
  })
})
