import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import type { Answer, Person } from '../../harness/app.ts'
import { MULTIPART, multipart } from '../../harness/multipart.ts'
import { GOOD, HEADER, jobsApp } from './jobs-app.ts'

const app = await jobsApp()
const { t, pool, admin, sendImport, sendExport, done, read } = app
after(() => t.close())
beforeEach(app.empty)

describe('a job whose owner loses the right it was asked for with', () => {
  const KINDS: [
    what: string,
    permissoes: string[],
    lost: string,
    ask: (who: Person, id: number) => Promise<Answer>,
  ][] = [
    ['an import', ['agravos.importar'], 'agravos.importar', (who) => sendFile(who)],
    [
      'an import by somebody who may identify patients',
      ['agravos.importar', 'agravos.identificar'],
      'agravos.identificar',
      (who) => sendFile(who),
    ],
    [
      'a validation by somebody who may see statistics',
      ['agravos.importar', 'agravos.estatisticas'],
      'agravos.estatisticas',
      (who) => sendFile(who, 'validar'),
    ],
    ['an export', ['agravos.exportar'], 'agravos.exportar', (who) => askExport(who)],
    [
      'an identified export',
      ['agravos.exportar', 'agravos.identificar'],
      'agravos.identificar',
      (who) => askExport(who, { identificado: true }),
    ],
    [
      'an export of users',
      ['usuarios.exportar'],
      'usuarios.exportar',
      (who) => t.as(who).post('/usuarios/exportar', { formato: 'csv' }),
    ],
    [
      'the undo of somebody else’s import',
      ['agravos.importar', 'agravos.deletar'],
      'agravos.deletar',
      (who, importacao) => t.as(who).post(`/agravos/importacoes/${importacao}/desfazer`),
    ],
  ]
  const askExport = (who: Person, more = {}) =>
    t.as(who).post('/agravos/casos/exportar', { formato: 'csv', ...more })
  const sendFile = (who: Person, modo = 'importar') =>
    t.as(who).request('POST', '/agravos/casos/bulk', {
      headers: MULTIPART,
      payload: multipart(
        { field: 'formato', content: 'csv' },
        { field: 'modo', content: modo },
        { field: 'file', content: `${HEADER}\n${GOOD.replace('N1', 'N77')}\n`, filename: 'casos.csv' },
      ),
    })
  async function importOfAna(): Promise<number> {
    const id = await done(await sendImport([GOOD.replace('N1', 'N78')], { modo: 'importar' }))
    return (await read(id)).resultado.importacao_id
  }
  const stored = () =>
    pool.first(sql`
      select (select json_agg(c order by c.id) from casos c) as casos, (select count(*) from arquivos) as arquivos,
        (select json_agg(i order by i.id) from importacoes i) as importacoes`)

  for (const [what, permissoes, lost, ask] of KINDS)
    it(`fails without it, and stores nothing: ${what}`, async () => {
      const who = await t.person({ permissoes })
      const importacao = await importOfAna()
      const before = await stored()
      const { status, body, text } = await ask(who, importacao)
      assert.equal(status, 202, text)
      await pool.run(sql`
        delete from usuarios_permissoes where usuario_id = ${who.id}
          and permissao_id = (select id from permissoes where nome = ${lost})`)
      await t.jobWorker.runAll()
      const job = await read(body.job_id, who)
      assert.deepEqual(
        [job.status, job.message],
        ['failed', 'A conta não tem mais permissão para isto; nada foi gravado'],
      )
      assert.deepEqual(await stored(), before)
    })
})

describe('an account that is switched off or removed', () => {
  const WAYS: [what: string, remove: (id: number) => Promise<Answer>][] = [
    ['by change', (id) => t.as(admin).put(`/usuarios/${id}`, { ativo: false })],
    ['softly', (id) => t.as(admin).delete(`/usuarios/${id}?motivo=saiu`)],
    ['for good', (id) => t.as(admin).delete(`/usuarios/${id}?motivo=saiu&force=true`)],
  ]
  for (const [what, remove] of WAYS)
    it(`has nothing waiting any more: ${what}`, async () => {
      const who = await t.person({ grupos: ['gestor'] })
      const waiting = [await sendImport([GOOD], {}, who), await sendExport(who)]
      const others = await sendExport()
      const { status, text } = await remove(who.id)
      assert.ok(status < 300, text)
      for (const id of waiting) {
        const job = await read(id, admin)
        assert.deepEqual([job.status, job.message], ['canceled', 'Cancelado: a conta foi desativada'])
        assert.ok(job.completed_at)
      }
      const left = await pool.first(sql`
        select (select count(*) from arquivos) as arquivos, (select count(*) from jobs_fila) as fila`)
      assert.deepEqual(left, { arquivos: 0, fila: 1 })
      assert.equal((await read(others)).status, 'processing')
    })
})
