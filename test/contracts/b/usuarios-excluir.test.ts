import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { PASSWORD, type Person } from '../../harness/app.ts'
import { denied, invalid, missing, tally } from '../refusals.ts'
import { gruposApp } from './grupos-app.ts'

const { t, admin, padrao } = await gruposApp()
after(() => t.close())
const { pool } = t.database

const gestor = await t.person({ grupos: ['gestor'] })
const excluir = (who: Person, { id }: { id: number }, query: Record<string, string | number>) =>
  t.as(who).delete(`/usuarios/${id}?${new URLSearchParams(query as Record<string, string>)}`)
async function excluded(who: Person, whom: { id: number }, query: Record<string, string | number>) {
  const { status, body, text } = await excluir(who, whom, query)
  assert.equal(status, 200, text)
  return body
}
const motivo = 'Saiu da equipe'
const stored = ({ id }: { id: number }) =>
  pool.first<Record<string, unknown>>(sql`
    select u.ativo, u.desativado_em, u.email, u.atualizado_por_id,
           (select count(*) from usuarios_grupos where usuario_id = u.id) as grupos,
           (select count(*) from sessoes where usuario_id = u.id and encerrada_em is null) as sessoes
      from usuarios u where u.id = ${id}`)
const works = async (person: Person) => (await t.as(person).get('/usuarios/me')).status === 200

describe('DELETE /usuarios/{id} with motivo', () => {
  it('deactivates, ends the sessions, removes the groups, and counts truly what it did', async () => {
    const ana = await t.person({ grupos: ['usuario', 'analista'] })
    for (let i = 0; i < 2; i++) await t.anonymous.post('/auth/login', { email: ana.email, senha: PASSWORD })
    const body = await excluded(gestor, ana, { motivo })
    assert.deepEqual(Object.keys(body), ['message', 'avisos', 'acoes_realizadas'])
    assert.ok(body.message.length > 0)
    assert.deepEqual(body.avisos, [])
    assert.deepEqual(body.acoes_realizadas, {
      ...{ usuario_desativado: true, sessoes_encerradas: 3, casos_transferidos: 0, grupos_removidos: 2 },
    })
    const { desativado_em, ...row } = (await stored(ana)) as { desativado_em: Date }
    assert.deepEqual(row, {
      ativo: false,
      email: ana.email,
      atualizado_por_id: gestor.id,
      grupos: 0,
      sessoes: 0,
    })
    assert.ok(Math.abs(Number(desativado_em) - t.clock.now().getTime()) < 10_000)
    assert.ok(!(await works(ana)))
  })

  it('of an account without sessions and groups counts none; again, that nothing was left to do', async () => {
    const ana = await t.person()
    await pool.run(sql`delete from sessoes where usuario_id = ${ana.id}`)
    const none = { sessoes_encerradas: 0, casos_transferidos: 0, grupos_removidos: 0 }
    const first = await excluded(gestor, ana, { motivo })
    assert.deepEqual(first.acoes_realizadas, { usuario_desativado: true, ...none })
    const before = await stored(ana)
    t.clock.advance(1000)
    const again = await excluded(gestor, ana, { motivo })
    assert.deepEqual(again.acoes_realizadas, { usuario_desativado: false, ...none })
    assert.deepEqual(await stored(ana), before, 'it stays deactivated since the first time')
  })

  it('records the reason and who it was, readable by the audit', async () => {
    const ana = await t.person()
    await excluded(gestor, ana, { motivo: 'Motivo à vista', transferir_para: gestor.id })
    const { body } = await t.as(admin).get(`/auditoria?recurso=usuario&recurso_id=${ana.id}`)
    const entry = body.items.find((item: { acao: string }) => item.acao === 'usuario.desativado')
    assert.equal(entry.ator.id, gestor.id)
    assert.equal(entry.detalhes.motivo, 'Motivo à vista')
    assert.equal(entry.detalhes.transferir_para, gestor.id)
    assert.ok(!JSON.stringify(entry).includes(ana.email))
  })

  it('takes 500 characters of reason, also of those that take two places', async () => {
    for (const reason of ['x'.repeat(500), '😀'.repeat(500), ' a '])
      await excluded(gestor, await t.person(), { motivo: reason })
  })

  for (const [what, query, expected] of [
    ['an empty reason', { motivo: '' }, 'motivo REQUIRED'],
    ['a blank reason', { motivo: '   ' }, 'motivo INVALID_FORMAT'],
    ['a reason of line ends and tabs', { motivo: '\n\t\u00a0' }, 'motivo INVALID_FORMAT'],
    ['a reason with NUL', { motivo: 'a\0' }, 'motivo INVALID_FORMAT'],
    ['a reason of 501 characters', { motivo: 'x'.repeat(501) }, 'motivo TOO_LONG'],
    ['an heir that does not exist', { motivo, transferir_para: 999_999 }, 'transferir_para UNKNOWN'],
    ['an heir that is no id', { motivo, transferir_para: 'x' }, 'transferir_para INVALID_TYPE'],
    ['an heir beyond integers', { motivo, transferir_para: 9_999_999_999 }, 'transferir_para TOO_LARGE'],
    ['a force that is no flag', { motivo, force: 'talvez' }, 'force INVALID_TYPE'],
  ] as [string, Record<string, string | number>, string][])
    it(`refuses ${what}, and nothing happens`, async () => {
      const ana = await t.person({ grupos: ['usuario'] })
      assert.deepEqual(await invalid(t, () => excluir(admin, ana, query)), [expected])
      assert.ok(await works(ana))
    })

  it('refuses two reasons', async () => {
    const ana = await t.person()
    assert.deepEqual(await invalid(t, () => t.as(admin).delete(`/usuarios/${ana.id}?motivo=a&motivo=b`)), [
      'motivo INVALID_TYPE',
    ])
  })

  it('refuses to leave the cases to the removed one or to somebody deactivated', async () => {
    const [ana, bia] = [await t.person({ grupos: ['usuario'] }), await t.person()]
    await pool.run(sql`update usuarios set desativado_em = now() where id = ${bia.id}`)
    for (const transferir_para of [ana.id, bia.id])
      for (const force of ['true', 'false'])
        assert.deepEqual(await invalid(t, () => excluir(admin, ana, { motivo, transferir_para, force })), [
          'transferir_para UNKNOWN',
        ])
    assert.ok(await works(ana))
  })

  it('answers 404 for nobody', async () => {
    await missing(t, () => excluir(admin, { id: 999_999 }, { motivo }))
    await missing(t, () => excluir(admin, { id: 999_999 }, { motivo, force: 'true' }))
  })

  it('refuses what is above the caller, whatever they send', async () => {
    for (const [whom, needed] of [
      [admin, 'admin'],
      [await t.person({ permissoes: ['auditoria.ver'] }), 'auditoria.ver'],
      [await t.person({ grupos: ['admin'] }), 'admin'],
    ] as const) {
      assert.equal(await denied(t, () => excluir(gestor, whom, { motivo })), needed)
      assert.ok(await works(whom))
    }
  })

  it('lets users with the permission remove themselves', async () => {
    const outro = await t.person({ grupos: ['gestor'] })
    await excluded(outro, outro, { motivo })
    assert.ok(!(await works(outro)))
  })
})

describe('DELETE /usuarios/{id} with motivo and force', () => {
  it('is for administrators only', async () => {
    const ana = await t.person({ grupos: ['usuario'] })
    assert.equal(await denied(t, () => excluir(gestor, ana, { motivo, force: 'true' })), 'admin')
    assert.ok(await works(ana))
  })

  it('removes the account for good, with what hangs on it; what it made stays', async () => {
    const ana = await t.person({ grupos: ['gestor'], permissoes: ['auditoria.ver'] })
    const { body: made } = await t
      .as(ana)
      .post('/usuarios', { nome: 'Feita', email: 'feita@saude.example', senha: PASSWORD })
    await t.as(ana).put(`/usuarios/${made.id}`, { cargo: 'Nova' })
    const body = await excluded(admin, ana, { motivo, force: 'true' })
    assert.deepEqual(body.acoes_realizadas, {
      ...{ usuario_desativado: true, sessoes_encerradas: 1, casos_transferidos: 0, grupos_removidos: 1 },
    })
    assert.equal(await stored(ana), null)
    assert.equal((await stored(made))?.ativo, true)
    await missing(t, () => excluir(admin, ana, { motivo }))
    const { body: trail } = await t.as(admin).get(`/auditoria?recurso=usuario&recurso_id=${ana.id}`)
    assert.equal(trail.items[0].acao, 'usuario.removido')
    assert.equal(trail.items[0].detalhes.motivo, motivo)
    const { body: mine } = await t.as(admin).get(`/auditoria?recurso=usuario&recurso_id=${made.id}`)
    assert.ok(
      mine.items.every((item: { ator: { id: number; nome: string } }) => item.ator.nome.startsWith('Pessoa')),
    )
  })

  it('force=false is the soft removal, for whoever may remove', async () => {
    const ana = await t.person()
    await excluded(gestor, ana, { motivo, force: 'false' })
    assert.equal((await stored(ana))?.ativo, false)
  })
})

describe('the last administrator', () => {
  it('cannot be removed, softly or by force, by the flag or by the group', async () => {
    await pool.run(sql`update usuarios set admin = false where id <> ${admin.id}`)
    await pool.run(sql`delete from usuarios_grupos where grupo_id = ${padrao('admin')}`)
    for (const force of ['false', 'true'])
      assert.deepEqual(await invalid(t, () => excluir(admin, admin, { motivo, force })), ['id LAST_ADMIN'])
    assert.ok(await works(admin))
  })

  it('is left when two remove each other at once', async () => {
    for (const force of ['false', 'true', 'false', 'true']) {
      const [ana, bia] = [await t.person({ admin: true }), await t.person({ admin: true })]
      await pool.run(sql`update usuarios set admin = false where id = ${admin.id}`)
      const answers = await Promise.all([
        excluir(ana, bia, { motivo, force }),
        excluir(bia, ana, { motivo, force }),
      ])
      assert.equal(tally(answers)[200], 1, JSON.stringify(tally(answers)))
      for (const { status, text } of answers) assert.ok([200, 401, 422].includes(status), text)
      const left = await pool.first<{ n: number }>(sql`select count(*) as n from administradores`)
      assert.equal(left?.n, 1)
      await pool.run(sql`update usuarios set admin = id = ${admin.id}`)
    }
  })
})
