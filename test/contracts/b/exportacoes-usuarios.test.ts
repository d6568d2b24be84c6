import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import type { Person } from '../../harness/app.ts'
import { problems } from '../refusals.ts'
import { exportacoesApp, queryOf } from './exportacoes-app.ts'

const app = await exportacoesApp()
const { t, analista, gestor, admin } = app
after(() => t.close())

const PATH = '/usuarios/exportar'
const ask = (body: object, by: Person = gestor) => app.ask(body, by, PATH)
const rowsOf = (body: object, by: Person = gestor) => app.rowsOf(body, by, PATH)
await t.database.pool.run(sql`
  update usuarios set nome = '=1+1', cidade = 'Olinda', estado = 'PE' where id = ${analista.id}`)

const COLUNAS = [
  ...['id', 'nome', 'email', 'cpf', 'telefone', 'estado', 'cidade', 'funcao', 'instituicao', 'cargo'],
  ...['departamento', 'admin', 'ativo', 'plano', 'grupos', 'criado_em', 'ultimo_acesso', 'desativado_em'],
]

describe('POST /usuarios/exportar', () => {
  for (const formato of ['csv', 'xlsx', 'json'])
    it(`writes every user as ${formato}, and nothing that opens an account`, async () => {
      const rows = await rowsOf({ formato })
      const { body } = await t.as(gestor).get('/usuarios?page=1&size=100')
      assert.equal(rows.length, body.total)
      assert.deepEqual(Object.keys(rows[0] ?? {}), COLUNAS)
      const one = rows.find((row) => String(row.id) === String(analista.id))
      assert.deepEqual([one?.email, one?.grupos, one?.cidade], [analista.email, 'analista', 'Olinda'])
      assert.equal(String(one?.nome).replace(/^'/, ''), '=1+1')
      assert.doesNotMatch(JSON.stringify(rows), /argon|\$|senha|secret/i)
    })

  it('goes by the filters of the list and the chosen columns', async () => {
    for (const filtros of [
      { estado: 'PE' },
      { admin: true },
      { nome: 'pessoa' },
      { ativo: 'false' },
    ] as const) {
      const query = queryOf(filtros)
      const { body, text } = await t.as(gestor).get(`/usuarios?page=1&${query}`)
      assert.equal(typeof body.total, 'number', text)
      const rows = await rowsOf({ formato: 'json', filtros, campos: ['email', 'id'] })
      assert.equal(rows.length, body.total, JSON.stringify(filtros))
      for (const row of rows) assert.deepEqual(Object.keys(row), ['email', 'id'])
    }
  })

  it('answers 422 to unknown formats, columns and filters, and 403 without usuarios.exportar; no job comes of it', async () => {
    const before = await app.jobs()
    for (const [body, expected] of [
      [{ formato: 'pdf' }, 'formato INVALID_VALUE'],
      [{ campos: ['senha_hash'] }, 'campos.0 INVALID_VALUE'],
      [{ filtros: { senha_hash: 'x' } }, 'filtros.senha_hash UNKNOWN_FIELD'],
      [{ filtros: { 'nome[regex]': 'x' } }, 'filtros.nome[regex] UNKNOWN_OPERATOR'],
      [{ filtros: { estado: 'P\0' } }, 'filtros.estado INVALID_FORMAT'],
    ] as const) {
      const { status, body: answer, text } = await ask(body)
      assert.equal(status, 422, text)
      assert.deepEqual(problems(answer.error.details), [expected])
    }
    const { status, body } = await ask({}, analista)
    assert.deepEqual([status, body.error.required_permission], [403, 'usuarios.exportar'])
    assert.deepEqual(await app.jobs(), before)
  })

  it('leaves an entry in the audit, and its file is for its owner alone', async () => {
    const done = await app.run({ campos: ['id'], filtros: { estado: 'PE' } }, gestor, PATH)
    assert.equal(done.tipo, 'exportacao_usuarios')
    const { ator_id, recurso, detalhes } = (await app.audit('usuarios.exportados')).at(-1) ?? assert.fail()
    assert.deepEqual([ator_id, recurso], [gestor.id, 'usuario'])
    const { filtro, ...rest } = detalhes
    assert.match(JSON.stringify(filtro), /PE/)
    assert.deepEqual(rest, { colunas: ['id'], formato: 'csv', linhas: 1, job_id: done.job_id })
    const path = `/jobs/${done.job_id}/arquivo`
    const { headers } = await app.download(path, gestor)
    assert.equal(headers['content-disposition'], 'attachment; filename="usuarios.csv"')
    for (const by of [admin, analista]) assert.equal((await app.download(path, by)).status, 404)
    const downloads = await app.audit('exportacao.baixada')
    assert.deepEqual(downloads.map(({ recurso_id }) => recurso_id).at(-1), done.job_id)
  })

  it('cannot be downloaded any more without usuarios.exportar', async () => {
    const someone = await t.person({ permissoes: ['usuarios.exportar'] })
    const { job_id } = await app.run({ campos: ['id'] }, someone, PATH)
    await app.take(someone, 'usuarios.exportar')
    const before = await app.jobs()
    const { status, body } = await t.as(someone).get(`/jobs/${job_id}/arquivo`)
    assert.deepEqual([status, body.error.required_permission], [403, 'usuarios.exportar'])
    assert.deepEqual(await app.jobs(), before)
  })
})
