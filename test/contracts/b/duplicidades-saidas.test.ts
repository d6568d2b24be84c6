import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { FUSOES_DO_DIA } from '../../../src/domain/casos/duplicidades/muitas-fusoes.ts'
import { readTable } from '../../domain/importacao/formats/files.ts'
import type { Person } from '../../harness/app.ts'
import { duplicidadesApp } from './duplicidades-app.ts'

const app = await duplicidadesApp()
const { t, gestor, analista, admin, caso, par } = app
const { pool } = t.database
after(() => t.close())
beforeEach(async () => {
  await pool.run(sql`truncate casos cascade`)
  await pool.run(sql`delete from emails_pendentes`)
  t.mails.length = 0
})

async function merge(by: Person = gestor): Promise<readonly [number, number]> {
  const ids = [await caso(), await caso()] as const
  const { status, text } = await t.as(by).post(`/agravos/casos/${ids[0]}/fundir`, { caso_id: ids[1] })
  assert.equal(status, 200, text)
  return ids
}

/** As if the same account had made the last merge so many times more. */
const repeat = (times: number) =>
  pool.run(sql`
    insert into fusoes (principal_id, absorvido_id, principal_versao, absorvido_versao, alteracoes, feita_em, feita_por_id,
      feita_por_nome, desfeita_em)
    select f.principal_id, f.absorvido_id, f.principal_versao, f.absorvido_versao, f.alteracoes, f.feita_em, f.feita_por_id,
      f.feita_por_nome, f.feita_em
    from (select * from fusoes order by id desc limit 1) f, generate_series(1, ${times}::integer)`)

async function mailed(): Promise<string[]> {
  await t.mailWorker.runOnce()
  return t.mails.splice(0).map(({ to, subject, text }) => `${to} ${subject} ${text}`)
}

describe('Many merges by one account', () => {
  it('are told to every administrator, once a day', async () => {
    await merge()
    await repeat(FUSOES_DO_DIA - 1)
    assert.deepEqual(await mailed(), [], 'fifty are nobody else’s business')
    await merge()
    const told = await mailed()
    const administradores = await pool.rows(sql`select id from administradores`)
    assert.equal(told.length, administradores.length)
    assert.ok(told.some((mail) => mail.startsWith(admin.email)))
    assert.match(told[0] as string, /mais de 50 casos no mesmo dia/)
    await merge()
    assert.deepEqual(await mailed(), [], 'the next one tells nothing new')
  })

  it('are counted for each account and each day', async () => {
    await merge()
    await repeat(FUSOES_DO_DIA - 1)
    const other = await t.person({ permissoes: ['agravos.duplicidades', 'agravos.listar'] })
    await merge(other)
    assert.deepEqual(await mailed(), [])
    await pool.run(sql`update fusoes set feita_em = feita_em - interval '1 day'`)
    await merge()
    assert.deepEqual(await mailed(), [])
  })

  it('are told once where two are made side by side', async () => {
    await merge()
    await repeat(FUSOES_DO_DIA - 2)
    await Promise.all([merge(), merge(), merge()])
    assert.equal((await mailed()).length, (await pool.rows(sql`select id from administradores`)).length)
  })

  it('are not counted where nothing is merged', async () => {
    await merge()
    await repeat(FUSOES_DO_DIA - 1)
    const [one, other] = [await caso(), await caso()]
    await t.as(gestor).post(`/agravos/casos/${one}/fundir?simular=true`, { caso_id: other })
    assert.deepEqual(await mailed(), [])
  })
})

describe('NDUPLIC_N in an export for SINAN', () => {
  const ask = (body: object, by: Person = gestor) =>
    t.as(by).post('/agravos/casos/exportar', {
      formato: 'csv_sinan',
      identificado: true,
      filtros: { tipo_agravo: 'dengue' },
      ...body,
    })

  async function exported(body: object): Promise<Buffer> {
    const accepted = await ask(body)
    assert.equal(accepted.status, 202, accepted.text)
    await t.jobWorker.runAll()
    return (await app.download(`/jobs/${accepted.body.job_id}/arquivo`, gestor)).bytes
  }

  /** Marks by the number of the notification. */
  async function marks(body: object = {}): Promise<Record<string, string>> {
    const { header, values } = await readTable(await exported(body))
    const [numero, marca] = [header.indexOf('NU_NOTIFIC'), header.indexOf('NDUPLIC_N')]
    return Object.fromEntries(values.map((row) => [row[numero] as string, row[marca] ?? '']))
  }

  it('is 1 for cases that were told apart, blank for the others, and 2 for absorbed ones where they are asked for', async () => {
    const apart = await par({ numero_notificacao: '901' }, { numero_notificacao: '902' })
    await t.as(gestor).post(`/agravos/duplicidades/${apart.id}/decidir`, { decisao: 'outra_pessoa' })
    const nome = { paciente_nome: 'Vera Quadros Lobo' }
    const same = await par(
      { ...nome, numero_notificacao: '903' },
      { ...nome, numero_notificacao: '904', paciente_nome: 'Vera Quadros Lobo' },
    )
    await t.as(gestor).post(`/agravos/duplicidades/${same.id}/decidir`, { decisao: 'mesmo_caso' })
    const live = { 901: '1', 902: '1', 903: '' }
    assert.deepEqual(await marks(), live)
    assert.deepEqual(await marks({ fundidos: true }), { ...live, 904: '2' })
    assert.deepEqual(await marks({ fundidos: true, filtros: { tipo_agravo: 'zika' } }), {})
  })

  it('keeps absorbed cases out of an import of the exported file', async () => {
    const { id } = await par({ numero_notificacao: '911' }, { numero_notificacao: '912' })
    await t.as(gestor).post(`/agravos/duplicidades/${id}/decidir`, { decisao: 'mesmo_caso' })
    const { importados, erros, erros_detalhados } = await app.importar(await exported({ fundidos: true }), {
      ...{ formato: 'csv', by: gestor, modo: 'validar' },
    })
    assert.deepEqual([importados, erros, erros_detalhados[0].numero_notificacao], [0, 1, '912'])
    assert.match(erros_detalhados[0].erro, /marcada como duplicidade/)
  })

  it('is asked for absorbed cases in formats of SINAN alone, by those who may decide about duplicates', async () => {
    const inCsv = await ask({ formato: 'csv', fundidos: true })
    assert.deepEqual([inCsv.status, inCsv.body.error.details[0].field], [422, 'fundidos'])
    const denied = await ask({ identificado: false, fundidos: true }, analista)
    assert.deepEqual([denied.status, denied.body.error.required_permission], [403, 'agravos.duplicidades'])
  })
})
