import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import type { Answer, Person } from '../../harness/app.ts'
import { bind, RECIFE, SALVADOR } from '../../harness/bound.ts'
import { exportacoesApp } from './exportacoes-app.ts'
import { csv, linha } from './importacoes-app.ts'

const app = await exportacoesApp()
const { t, admin, importar, download, rowsOf } = app
const { pool } = t.database
after(() => t.close())
beforeEach(() => pool.run(sql`delete from casos`))

const BAHIA = { municipio_residencia: 'Salvador', estado_residencia: 'BA' }
const REFUSED = 'A conta não tem mais permissão para isto; nada foi gravado'
const everything = () =>
  t.person({ permissoes: ['agravos.importar', 'agravos.exportar', 'agravos.deletar', 'usuarios.exportar'] })

const stored = () =>
  pool.first(sql`
    select (select json_agg(c order by c.id) from casos c) as casos, (select count(*) from arquivos) as arquivos,
      (select json_agg(i order by i.id) from importacoes i) as importacoes`)

describe('A job of somebody who is bound to places', () => {
  const KINDS: [what: string, ask: (who: Person, importacao: number) => Promise<Answer>][] = [
    ['an import', (who) => app.send(csv(linha()), { by: who, modo: 'importar' })],
    ['an export of cases', (who) => app.ask({}, who)],
    ['an export of users', (who) => app.ask({}, who, '/usuarios/exportar')],
    ['an undo', (who, id) => t.as(who).post(`/agravos/importacoes/${id}/desfazer`)],
  ]
  const CHANGES: [what: string, from: string[], to: string[]][] = [
    ['fewer', ['uf:PE'], [RECIFE]],
    ['more', [RECIFE], ['uf:PE']],
    ['none', ['uf:PE'], []],
    ['the first', [], ['uf:PE']],
  ]
  for (const [kind, ask] of KINDS)
    for (const [change, from, to] of CHANGES)
      it(`stops when the places become others meanwhile: ${kind}, ${change}`, async () => {
        const { importacao_id } = await importar(csv(linha()), { by: admin })
        const who = await bind(t, await everything(), ...from)
        const before = await stored()
        const { status, body, text } = await ask(who, importacao_id)
        assert.equal(status, 202, text)
        await bind(t, who, ...to)
        await t.jobWorker.runAll()
        const { status: ended, message } = await app.job(body.job_id, who)
        assert.deepEqual([ended, message], ['failed', REFUSED])
        assert.deepEqual(await stored(), before)
      })

  it('goes on when the same places were written anew', async () => {
    const who = await bind(t, await everything(), 'uf:PE', SALVADOR)
    const { body } = await app.ask({}, who)
    await bind(t, who, SALVADOR, 'uf:PE')
    await t.jobWorker.runAll()
    assert.equal((await app.job(body.job_id, who)).status, 'completed')
  })
})

describe('The file of a job', () => {
  /** Jobs with a file: an export, and an import with a rejected row. */
  const MADE: [what: string, path: string, make: (who: Person) => Promise<string>][] = [
    ['an export', 'arquivo', async (who) => (await app.run({}, who)).job_id],
    ['an export of users', 'arquivo', async (who) => (await app.run({}, who, '/usuarios/exportar')).job_id],
    [
      'rejected rows',
      'rejeitados',
      async (who) => {
        const { body } = await app.send(csv(linha({ paciente_nome: '' }), linha(BAHIA)), { by: who })
        await t.jobWorker.runAll()
        return body.job_id
      },
    ],
  ]
  for (const [what, path, make] of MADE)
    it(`is not served, nor its result told, once the territory shrank, and again when it is back: ${what}`, async () => {
      await importar(csv(linha(), linha(BAHIA)), { by: admin })
      const who = await bind(t, await everything(), 'uf:PE', SALVADOR)
      const id = await make(who)
      const before = await app.job(id, who)
      assert.ok(before.result ?? before.resultado)
      assert.equal((await download(`/jobs/${id}/${path}`, who)).status, 200)

      await bind(t, who, 'uf:PE')
      const audited = await pool.value(sql`select count(*) from auditoria`)
      const { status, bytes } = await download(`/jobs/${id}/${path}`, who)
      assert.deepEqual([status, JSON.parse(bytes.toString()).error.code], [403, 'OUT_OF_TERRITORY'])
      assert.equal(await pool.value(sql`select count(*) from auditoria`), audited, 'nothing was downloaded')
      const { result, resultado, arquivo_url, rejeitados_url, ...rest } = await app.job(id, who)
      assert.deepEqual(
        [result, resultado, arquivo_url, rejeitados_url],
        [undefined, undefined, undefined, undefined],
      )
      assert.equal(rest.status, before.status)
      const { body } = await t.as(who).get('/jobs')
      const [item] = body.items
      assert.deepEqual([item.job_id, item.result, item.resultado], [id, undefined, undefined])

      await bind(t, who, 'uf:PE', 'uf:BA')
      assert.equal((await download(`/jobs/${id}/${path}`, who)).status, 200)
      assert.deepEqual(await app.job(id, who), before)
    })

  it('is not served either that was made without bounds, once there are some', async () => {
    const who = await everything()
    const { job_id } = await app.run({}, who)
    await bind(t, who, 'uf:PE')
    assert.equal((await download(`/jobs/${job_id}/arquivo`, who)).status, 403)
  })
})

describe('An export of users by somebody who is bound to places', () => {
  it('holds the own account and those whose territory lies within, under every filter', async () => {
    await pool.run(sql`delete from usuarios_territorios`)
    const who = await bind(t, await everything(), 'uf:PE')
    const within = await bind(t, await t.person({ grupos: ['analista'] }), RECIFE, 'municipio:2609600')
    const same = await bind(t, await t.person(), 'uf:PE')
    await bind(t, await t.person(), RECIFE, SALVADOR)
    await bind(t, await t.person(), 'uf:BA')
    await bind(t, await t.person({ admin: true }), RECIFE)
    await t.person()
    const idsOf = async (body: object) =>
      (await rowsOf({ formato: 'json', ...body }, who, '/usuarios/exportar')).map(({ id }) => id)
    assert.deepEqual(await idsOf({}), [who.id, within.id, same.id])
    assert.deepEqual(await idsOf({ filtros: { email: 'analista' } }), [within.id])
    assert.deepEqual(await idsOf({ filtros: { admin: true } }), [])
  })
})
