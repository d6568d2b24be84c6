// What the tests of duplicates share: people who were notified twice, the search for them, and cases as they are stored.
import assert from 'node:assert/strict'
import { sql } from '../../../src/db/sql.ts'
import { askForDuplicidades } from '../../../src/domain/casos/duplicidades/agenda.ts'
import type { Person } from '../../harness/app.ts'
import { importacoesApp } from './importacoes-app.ts'

export const RITA = {
  tipo_agravo: 'dengue',
  data_notificacao: '2026-03-02',
  paciente_nome: 'Rita Pacheco Lobato',
  paciente_data_nascimento: '1990-05-06',
  paciente_sexo: 'F',
  municipio_residencia: 'Recife',
  estado_residencia: 'PE',
  bairro_residencia: 'Pina',
}

/** The same person, written down by somebody else five days later. */
export const RITA_DE_NOVO = {
  ...RITA,
  data_notificacao: '2026-03-07',
  paciente_nome: 'RITTA PACHECO LOBATTO',
  evolucao: 'cura',
}

export async function duplicidadesApp() {
  const app = await importacoesApp()
  const { t } = app
  const { pool } = t.database
  let numero = 0

  async function caso(fields: object = {}, by: Person = app.gestor): Promise<number> {
    const body = { numero_notificacao: `D${++numero}`, ...RITA, ...fields }
    const answer = await t.as(by).post('/agravos/casos', body)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.id
  }

  /** Compares all cases that changed. */
  async function search(): Promise<void> {
    t.clock.advance(60_000)
    await askForDuplicidades(t.app)
    await t.jobWorker.runAll()
    assert.equal(await pool.value(sql`select count(*) from duplicidades_pendentes`), 0)
  }

  const pares = () =>
    pool.rows<{ caso_1: number; caso_2: number; faixa: string; situacao: string; escore: number }>(
      sql`select caso_1, caso_2, faixa, situacao, escore from duplicidades order by caso_1, caso_2`,
    )

  /** Two cases of one person, and their pair. */
  async function par(first: object = {}, second: object = {}) {
    const ids = [await caso(first), await caso({ ...RITA_DE_NOVO, ...second })] as const
    await search()
    const { body } = await t.as(app.gestor).get(`/agravos/casos/${ids[0]}/duplicidades`)
    const found = body.duplicidades.find((one: { casos: { caso: { id: number } }[] }) =>
      one.casos.some(({ caso }) => caso.id === ids[1]),
    )
    assert.ok(found, 'the pair was found')
    return { ids, id: found.id as number, etag: found.etag as string }
  }

  /** A case as an identified reader sees it, without what counts changes. */
  async function whole(id: number) {
    const { status, body, text } = await t.as(app.gestor).get(`/agravos/casos/${id}?identificado=true`)
    assert.equal(status, 200, text)
    const { versao: _, atualizado_em: __, historico: ___, ...rest } = body
    return rest
  }

  const historico = async (id: number) =>
    (
      await pool.rows<{ acao: string }>(sql`
      select acao from casos_historico where caso_id = ${id} order by versao`)
    ).map(({ acao }) => acao)

  return { ...app, caso, search, pares, par, whole, historico }
}
