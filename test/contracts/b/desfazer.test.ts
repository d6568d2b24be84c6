import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import type { Person } from '../../harness/app.ts'
import { anexosOf } from './anexos-app.ts'
import { csv, importacoesApp, type Linha, linha, numeros, sinan, ZERO } from './importacoes-app.ts'

const app = await importacoesApp()
const { t, analista, gestor, admin, importar, stored } = app
const anexos = anexosOf(t)
const { pool } = t.database
after(() => t.close())
beforeEach(async () => {
  await pool.run(sql`delete from casos`)
  await pool.run(sql`delete from importacoes`)
})

const request = (id: number, query = '', by: Person = analista) =>
  t.as(by).post(`/agravos/importacoes/${id}/desfazer${query}`)

async function undo(id: number, query = '', by: Person = analista) {
  const { status, body, text } = await request(id, query, by)
  assert.equal(status, 202, text)
  await t.jobWorker.runAll()
  const done = await app.job(body.job_id, by)
  assert.equal(done.status, 'completed', JSON.stringify(done))
  assert.equal(done.tipo, 'desfazer_importacao')
  return done.result
}

/** What a dry run told, and what then happened: the same. */
async function simulateAndUndo(id: number) {
  const before = await stored()
  const { simular, ...told } = await undo(id, '?simular=true')
  assert.equal(simular, true)
  assert.deepEqual(await stored(), before, 'a dry run changes nothing')
  const { simular: really, ...done } = await undo(id)
  assert.equal(really, false)
  assert.deepEqual(told, done)
  return done
}

/** Every column of the cases but those that count changes; what is sealed, opened. */
async function contents() {
  const rows = await pool.rows<Record<string, unknown> & { numero_notificacao: string }>(sql`
    select to_jsonb(c) - array['versao', 'atualizado_em', 'importacao_versao', 'sigilo'] as aberto,
           coalesce(c.importacao_versao = c.versao, false) as intacto, c.numero_notificacao
      from casos c where excluido_em is null order by id`)
  const all = []
  for (const row of rows) all.push({ ...row, ...(await app.content(row.numero_notificacao)) })
  return all
}

const numbersOf = (mantidos: { numero_notificacao: string }[]) =>
  mantidos.map((one) => one.numero_notificacao).toSorted()

describe('POST /agravos/importacoes/{id}/desfazer', () => {
  it('answers 202 with a job, and with simular counts what would happen without doing it', async () => {
    const { importacao_id } = await importar(csv(linha(), linha()))
    const { status, body } = await request(importacao_id, '?simular=true')
    assert.equal(status, 202)
    assert.deepEqual(Object.keys(body), ['job_id', 'status', 'status_url', 'message'])
    await t.jobWorker.runAll()
    const done = await simulateAndUndo(importacao_id)
    assert.deepEqual(done, {
      importacao_id,
      total_processados: 2,
      sucesso: 2,
      erros: 0,
      removidos: 2,
      restaurados: 0,
      mantidos: [],
      total_mantidos: 0,
    })
    assert.deepEqual(await contents(), [])
  })

  it('is begun once however often the request comes with its key: a lost answer leads to the same job', async () => {
    const { importacao_id } = await importar(csv(linha()))
    const headers = { 'idempotency-key': 'desfazer-uma-vez' }
    const send = () =>
      t.as(analista).post(`/agravos/importacoes/${importacao_id}/desfazer`, undefined, { headers })
    const [first, again] = [await send(), await send()]
    assert.deepEqual([first.status, again.status], [202, 202], again.text)
    assert.equal(again.body.job_id, first.body.job_id)
    await t.jobWorker.runAll()
    assert.equal((await send()).body.job_id, first.body.job_id, 'also when it is over')
    assert.deepEqual(await contents(), [])
  })

  it('removes what the import created and returns what it changed to what it was, names too', async () => {
    const registered = linha({ bairro_residencia: 'Pina', logradouro_residencia: 'Rua A' })
    assert.equal((await t.as(gestor).post('/agravos/casos', registered)).status, 201)
    const before = await contents()
    const changed = {
      ...registered,
      paciente_nome: 'Outro Nome Qualquer',
      bairro_residencia: '',
      logradouro_residencia: 'Rua B',
      classificacao_final: 'dengue_grave',
      criterio_confirmacao: 'laboratorial',
    }
    const { importacao_id } = await importar(csv(changed, { ...changed, ...linha() }))
    assert.equal((await app.read(registered.numero_notificacao as string)).status, 'encerrado')
    const done = await simulateAndUndo(importacao_id)
    assert.deepEqual([done.removidos, done.restaurados, done.total_mantidos], [1, 1, 0])
    assert.deepEqual(await contents(), before)
  })

  it('of import B leaves exactly what import A left, and of A then nothing', async () => {
    const rows = [linha({ uti: '' }), linha({ uti: 'sim' }), linha({ uti: 'não' })]
    const a = await importar(csv(...rows))
    const afterA = await contents()
    const next = [{ ...(rows[0] as Linha), uti: 'sim' }, rows[1] as Linha, linha({ uti: '' })]
    const b = await importar(csv(...next))
    assert.deepEqual([b.importados, b.atualizados, b.inalterados], [1, 1, 1])
    const doneB = await simulateAndUndo(b.importacao_id)
    assert.deepEqual([doneB.removidos, doneB.restaurados, doneB.total_mantidos], [1, 1, 0])
    assert.deepEqual(await contents(), afterA)
    const doneA = await simulateAndUndo(a.importacao_id)
    assert.deepEqual([doneA.removidos, doneA.restaurados, doneA.total_mantidos], [3, 0, 0])
    assert.deepEqual(await contents(), [])
    assert.equal((await pool.first<{ n: number }>(sql`select count(*) as n from casos_historico`))?.n, 0)
  })

  it('keeps and lists what was edited, got attachments, was excluded or was imported anew since', async () => {
    const [edited, attached, excluded, reimported, untouched, updated] = Array.from({ length: 6 }, () =>
      linha({ uti: '' }),
    ) as [Linha, Linha, Linha, Linha, Linha, Linha]
    assert.equal((await t.as(gestor).post('/agravos/casos', { ...updated, uti: null })).status, 201)
    const rows = [edited, attached, excluded, reimported, untouched, { ...updated, uti: 'sim' }]
    const { importacao_id } = await importar(csv(...rows))
    const numberOf = (row: Linha) => row.numero_notificacao as string
    await app.change(numberOf(edited), { paciente_idade: 40 })
    await app.change(numberOf(updated), { paciente_idade: 41 })
    await anexos.attach(analista, await app.idOf(numberOf(attached)))
    await app.exclude(numberOf(excluded))
    await importar(csv({ ...reimported, uti: 'sim' }))
    const before = (await contents()).filter((one) => one.numero_notificacao !== numberOf(untouched))
    const done = await simulateAndUndo(importacao_id)
    assert.deepEqual([done.removidos, done.restaurados, done.total_mantidos], [1, 0, 5])
    assert.deepEqual(
      numbersOf(done.mantidos),
      [edited, attached, excluded, reimported, updated].map(numberOf).toSorted(),
    )
    for (const { id } of done.mantidos) assert.ok(Number.isInteger(id))
    assert.deepEqual(await contents(), before)
    const left = await pool.first<{ n: number }>(
      sql`select count(*) as n from casos where excluido_em is not null`,
    )
    assert.equal(left?.n, 1)
  })

  it('keeps a case that lost its attachment again: somebody worked on it', async () => {
    const one = linha()
    const { importacao_id } = await importar(csv(one))
    const id = await app.idOf(one.numero_notificacao as string)
    const anexo = await anexos.attach(analista, id)
    assert.equal((await t.as(analista).delete(`/agravos/casos/${id}/anexos/${anexo.id}`)).status, 204)
    assert.equal((await simulateAndUndo(importacao_id)).total_mantidos, 1)
    await app.idOf(one.numero_notificacao as string)
  })

  it('restores what the SINAN file changed of a case, its warnings notwithstanding', async () => {
    const one = sinan({ EVOLUCAO: '' })
    await importar(csv(one))
    await app.change(one.NU_NOTIFIC as string, { evolucao: 'obito', data_obito: '2024-04-30' })
    const before = await contents()
    const { importacao_id, avisos } = await importar(csv({ ...one, EVOLUCAO: '1' }))
    assert.equal(avisos, 1)
    await simulateAndUndo(importacao_id)
    assert.deepEqual(await contents(), before)
  })

  it('leaves a line in the history of what it returned, and in the audit who asked for it', async () => {
    const one = linha({ uti: '' })
    const numero = one.numero_notificacao as string
    await importar(csv(one))
    const { importacao_id } = await importar(csv({ ...one, uti: 'sim' }))
    const audit = () =>
      pool.rows(sql`
        select ator_id, recurso, recurso_id from auditoria where acao = 'importacao.desfazer' order by id`)
    const before = await audit()
    await undo(importacao_id, '?simular=true')
    assert.deepEqual(await audit(), before)
    await undo(importacao_id, '', gestor)
    assert.deepEqual(await audit(), [
      ...before,
      { ator_id: gestor.id, recurso: 'importacao', recurso_id: String(importacao_id) },
    ])
    const { historico, versao } = await app.read(numero)
    assert.equal(versao, 3)
    assert.deepEqual([historico[0].acao, historico[0].usuario.id], ['importacao_desfeita', gestor.id])
    assert.deepEqual(historico[0].detalhes.alteracoes, [{ campo: 'uti', anterior: true, novo: null }])
  })

  it('marks the import as undone, by whom and when', async () => {
    const { importacao_id } = await importar(csv(linha()))
    await undo(importacao_id, '?simular=true')
    const seen = async () => (await t.as(analista).get(`/agravos/importacoes/${importacao_id}`)).body
    assert.deepEqual([(await seen()).desfeita_em, (await seen()).desfeita_por], [null, null])
    await undo(importacao_id, '', gestor)
    const { desfeita_em, desfeita_por, importados } = await seen()
    assert.ok(Date.parse(desfeita_em) > 0)
    assert.deepEqual([desfeita_por, importados], ['Pessoa 1', 1])
    const { body } = await t.as(analista).get('/agravos/importacoes?desfeita=true')
    assert.equal(body.total, 1)
  })

  it('answers 409 the second time, also for a dry run; of two at once one fails; nothing changes', async () => {
    const { importacao_id } = await importar(csv(linha()))
    const both = [await request(importacao_id), await request(importacao_id)]
    await t.jobWorker.runAll()
    const ends = await Promise.all(both.map(({ body }) => app.job(body.job_id)))
    assert.deepEqual(ends.map(({ status }) => status).toSorted(), ['completed', 'failed'])
    const before = await stored()
    for (const query of ['', '?simular=true']) {
      const { status, body } = await request(importacao_id, query)
      assert.deepEqual([status, body.error.code], [409, 'CONFLICT'])
    }
    assert.deepEqual(await stored(), before)
  })

  it('answers 404 for an import that does not exist', async () => {
    const before = await stored()
    for (const query of ['', '?simular=true']) {
      const { status, body } = await request(999_999, query)
      assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'])
    }
    assert.equal((await request(1, '?simular=talvez')).status, 422)
    assert.deepEqual(await stored(), before)
  })

  it('takes agravos.deletar for what somebody else imported, and no more than agravos.importar for an own one', async () => {
    const own = await importar(csv(linha()))
    const theirs = await importar(csv(linha()), { by: gestor })
    const before = await stored()
    for (const query of ['', '?simular=true']) {
      const { status, body } = await request(theirs.importacao_id, query)
      assert.deepEqual([status, body.error.required_permission], [403, 'agravos.deletar'])
    }
    const reader = await t.person({ grupos: ['visualizador'] })
    assert.equal((await request(own.importacao_id, '', reader)).status, 403)
    assert.deepEqual(await stored(), before)
    await undo(own.importacao_id)
    await undo(theirs.importacao_id, '', admin)
    assert.deepEqual(await contents(), [])
  })

  it('lets the same file be imported again', async () => {
    const file = csv(linha(), linha())
    const first = await importar(file)
    await undo(first.importacao_id)
    assert.deepEqual(numeros(await importar(file)), { ...ZERO, total_linhas: 2, importados: 2 })
    assert.deepEqual(numeros(await importar(file)), { ...ZERO, total_linhas: 2, inalterados: 2 })
  })

  it('of an import that changed nothing changes nothing', async () => {
    const file = csv(linha())
    await importar(file)
    const again = await importar(file)
    const before = await contents()
    const done = await simulateAndUndo(again.importacao_id)
    assert.deepEqual([done.removidos, done.restaurados, done.total_mantidos], [0, 0, 0])
    assert.deepEqual(await contents(), before)
  })

  it('of an updating import brings back what the earlier file had said: that file again changes nothing', async () => {
    const one = linha({ uti: '' })
    const file = csv(one)
    await importar(file)
    const { importacao_id } = await importar(csv({ ...one, uti: 'sim' }))
    await undo(importacao_id)
    const before = await app.casos()
    assert.deepEqual(numeros(await importar(file)), { ...ZERO, total_linhas: 1, inalterados: 1 })
    assert.deepEqual(await app.casos(), before)
  })
})
