import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { cleanUp } from '../../../src/domain/cleanup/cleanup.ts'
import {
  type CreateConverter,
  createConverter,
  type RowBlock,
} from '../../../src/domain/importacao/convert.ts'
import { runImport } from '../../../src/domain/importacao/import.ts'
import type { ClaimedJob } from '../../../src/domain/jobs/queue.sql.ts'
import { createJobTask, leasesOf } from '../../../src/domain/jobs/queue.ts'
import { bind, RECIFE } from '../../harness/bound.ts'
import { invalid as refusedFields } from '../refusals.ts'
import { csv, importacoesApp, type Linha, linha, numeros, sinan } from './importacoes-app.ts'

const app = await importacoesApp()
const { t, analista, gestor, admin, post, run, job, importar, validar, stored, casos, leavesNothing } = app
after(() => t.close())
const { pool } = t.database

interface Grupo {
  codigo: string
  campo: string | null
  coluna: string | null
  regra: string
  quantidade: number
  linhas: number[]
}
const short = (grupos: Grupo[]) =>
  grupos
    .map(({ codigo, campo, coluna, quantidade, linhas }) => [codigo, campo, coluna, quantidade, linhas])
    .toSorted((a, b) => String(a).localeCompare(String(b)))

const byName = (resultado: { colunas: { nome: string }[] }) =>
  Object.fromEntries(resultado.colunas.map(({ nome, ...rest }) => [nome, rest]))

const HOUR = 3_600_000
const kept = () =>
  pool.rows<{ id: string; entrada_id: string }>(
    sql`select id, entrada_id from jobs where entrada_id is not null order by completed_at`,
  )
const files = () => pool.value<number>(sql`select count(*) from arquivos`)

describe('The result of a validation', () => {
  it('tells of each column what becomes of it, with the nearest known name of an unknown one', async () => {
    const row = sinan({
      NM_PACIENT: 'Maria da Silva',
      NM_MAE_PAC: 'Ana Lima',
      DS_OBS: 'mora só',
      CS_SEX0: 'F',
    })
    const { resultado } = await validar(csv(row))
    const colunas = byName(resultado)
    assert.deepEqual(Object.keys(colunas), Object.keys(row))
    assert.deepEqual(colunas.ID_MN_RESI, {
      campo: 'municipio_residencia',
      uso: 'usada',
      sugestao: null,
      exemplo: '261160',
    })
    assert.deepEqual(colunas.NM_PACIENT, {
      campo: 'paciente_nome',
      uso: 'usada',
      sugestao: null,
      exemplo: '***',
    })
    for (const nome of ['NM_MAE_PAC', 'DS_OBS'])
      assert.deepEqual(colunas[nome], { campo: null, uso: 'ignorada', sugestao: null, exemplo: '***' })
    assert.deepEqual(colunas.CS_SEX0, {
      campo: null,
      uso: 'desconhecida',
      sugestao: 'CS_SEXO',
      exemplo: '***',
    })
    assert.deepEqual(colunas.TP_NOT, { campo: null, uso: 'usada', sugestao: null, exemplo: '2' })
  })

  it('does so for our own columns, repeated ones and ones that resemble none', async () => {
    const file = csv(linha({ paciente_sexo: 'F' }))
      .replace('\r\n', ';paciente_idad;xyzxyzxyz;paciente_sexo\r\n')
      .replace(/;F\r\n$/, ';F;30;segredo;M\r\n')
    const { resultado } = await validar(file)
    const uses = resultado.colunas.map((one: Record<string, unknown>) => [one.nome, one.uso, one.sugestao])
    assert.deepEqual(uses.slice(-4), [
      ['paciente_sexo', 'usada', null],
      ['paciente_idad', 'desconhecida', 'paciente_idade'],
      ['xyzxyzxyz', 'desconhecida', null],
      ['paciente_sexo', 'ignorada', null],
    ])
    assert.doesNotMatch(JSON.stringify(resultado), /segredo/)
  })

  it('says by its code that a file names no disease, which the next request then does', async () => {
    const { tipo_agravo: _, ...row } = linha()
    const { status, codigo, message, resultado } = await validar(csv(row))
    assert.deepEqual([status, codigo, resultado], ['failed', 'WITHOUT_DISEASE', undefined])
    assert.match(message, /não tem a coluna tipo_agravo/)
    assert.equal((await validar('x;y\r\n1;2\r\n')).codigo, 'INVALID_FILE')
    assert.equal((await validar(csv(row), { tipo_agravo: 'zika' })).codigo, 'COMPLETED')
  })

  it('has encoding, delimiter and the days of notification', async () => {
    const rows = csv(linha({ data_notificacao: '2024-01-31' }), linha({ data_notificacao: '2023-12-31' }))
    const { resultado } = await validar(rows)
    const { codificacao, delimitador, periodo } = resultado
    assert.deepEqual([codificacao, delimitador], ['utf-8', ';'])
    assert.deepEqual(periodo, { inicio: '2023-12-31', fim: '2024-01-31' })
    const latin = Buffer.from(csv(linha({ bairro_residencia: 'Graças' })).replaceAll(';', ','), 'latin1')
    const other = (await validar(latin)).resultado
    assert.deepEqual([other.codificacao, other.delimitador], ['windows-1252', ','])
    const none = (await validar(csv(linha({ data_notificacao: 'nunca' })))).resultado
    assert.equal(none.periodo, null)
  })

  it('samples the first 20 rows, and masks patients, free text, unread columns and rejected rows', async () => {
    const rows = Array.from({ length: 25 }, () =>
      linha({
        paciente_nome: 'Maria Plantada',
        paciente_data_nascimento: '1990-05-20',
        bairro_residencia: 'Boa Viagem',
        classificacao_final: 'dengue_grave',
        cep_residencia: '50030230',
        observacao_solta: 'Plantada',
      }),
    )
    rows[1] = { ...(rows[1] as Linha), data_notificacao: 'Plantada' }
    const { resultado } = await validar(csv(...rows))
    const { amostra, colunas } = resultado
    assert.deepEqual(
      amostra.map((one: { linha: number }) => one.linha),
      Array.from({ length: 20 }, (_, i) => i + 2),
    )
    const cells = ({ valores }: { valores: string[] }) =>
      Object.fromEntries(colunas.map(({ nome }: { nome: string }, i: number) => [nome, valores[i]]))
    const { numero_notificacao, ...first } = cells(amostra[0])
    assert.equal(numero_notificacao, rows[0]?.numero_notificacao)
    assert.deepEqual(first, {
      tipo_agravo: 'dengue',
      data_notificacao: '2024-04-25',
      paciente_nome: '***',
      municipio_residencia: 'Recife',
      estado_residencia: 'PE',
      paciente_data_nascimento: '***',
      bairro_residencia: '***',
      classificacao_final: 'dengue_grave',
      cep_residencia: '***',
      observacao_solta: '***',
    })
    const { numero_notificacao: number, ...rejected } = cells(amostra[1])
    assert.equal(number, rows[1]?.numero_notificacao)
    assert.deepEqual([...new Set(Object.values(rejected))], ['***'])
    assert.doesNotMatch(JSON.stringify(resultado), /Plantada|1990-05-20|50030230/)
  })

  it('groups errors by cause with their first ten lines, and keeps the lists as they are', async () => {
    const rows = [
      ...Array.from({ length: 12 }, () => linha({ paciente_sexo: 'x', hospitalizacao: 'talvez' })),
      linha({ paciente_sexo: 'F', hospitalizacao: 'sim' }),
      linha({ paciente_sexo: 'y', hospitalizacao: '', data_notificacao: '2999-01-01' }),
    ]
    const { resultado } = await validar(csv(...rows))
    assert.deepEqual(short(resultado.problemas), [
      ['IN_FUTURE', 'data_notificacao', 'data_notificacao', 1, [15]],
      ['INVALID_TYPE', 'hospitalizacao', 'hospitalizacao', 12, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
      ['INVALID_VALUE', 'paciente_sexo', 'paciente_sexo', 13, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
    ])
    assert.equal(resultado.problemas[0].quantidade, 13)
    assert.equal(resultado.erros, 13)
    assert.equal(resultado.erros_detalhados.length, 13)
    assert.match(resultado.problemas[0].regra, /^Valor não permitido; use: /)
  })

  it('groups warnings without their values, those of the file among them', async () => {
    const rows = [1, 2, 3].map((i) =>
      sinan({ CS_SEXO: `9${i}`, DT_SIN_PRI: '', ID_MN_RESI: `99999${i}`, NADA: '' }),
    )
    const { resultado } = await validar(csv(...rows))
    assert.deepEqual(short(resultado.avisos_agrupados), [
      ['FILE', null, null, 1, []],
      ['UNKNOWN_MUNICIPIO', 'municipio_residencia', 'ID_MN_RESI', 3, [2, 3, 4]],
      ['UNREAD_VALUE', 'paciente_sexo', 'CS_SEXO', 3, [2, 3, 4]],
      ['WITHOUT_ONSET', 'data_inicio_sintomas', 'DT_SIN_PRI', 3, [2, 3, 4]],
    ])
    assert.deepEqual(resultado.problemas, [])
    assert.equal(resultado.avisos, 10)
    for (const { regra } of resultado.avisos_agrupados) assert.doesNotMatch(regra, /9{2}|91/)
  })

  it('groups what only the comparison with cases finds: repetitions, contradictions, places outside', async () => {
    const known = linha({ paciente_sexo: 'M', paciente_gestante: '' })
    await importar(csv(known))
    const { paciente_sexo, ...without } = known
    const again = linha()
    const row = { ...without, paciente_gestante: 'sim' }
    const { resultado } = await validar(
      csv(row, { ...again, paciente_gestante: '' }, { ...again, paciente_gestante: '' }),
    )
    assert.deepEqual(short(resultado.problemas), [
      ['INCONSISTENT', 'paciente_gestante', 'paciente_gestante', 1, [2]],
    ])
    assert.deepEqual(short(resultado.avisos_agrupados), [
      ['REPEATED_ROW', 'numero_notificacao', null, 1, [3]],
    ])
    const bound = await bind(t, await t.person({ grupos: ['analista'] }), RECIFE)
    const outside = linha({ municipio_residencia: 'Olinda' })
    const seen = await validar(csv(linha(), outside), { by: bound })
    assert.deepEqual(short(seen.resultado.problemas), [['OUT_OF_TERRITORY', null, null, 1, [3]]])
  })

  it('has the cases by week of onset before and after, of the municipalities of the file', async () => {
    const olinda = { municipio_residencia: 'Olinda', tipo_agravo: 'zika' }
    const row = (more: Linha) => linha({ ...olinda, data_inicio_sintomas: '2024-04-21', ...more })
    const known = row({})
    await importar(csv(known, row({})))
    await importar(csv(row({ municipio_residencia: 'Recife' })))
    const moved = { ...known, data_inicio_sintomas: '2024-04-09' }
    const { resultado } = await validar(
      csv(moved, row({}), row({ data_inicio_sintomas: '' }), row({ data_inicio_sintomas: '2024-04-25' })),
    )
    assert.deepEqual(resultado.efeito_por_semana, {
      data_base: 'sintomas',
      semanas: [
        { semana: '202415', antes: 0, depois: 1 },
        { semana: '202416', antes: 0, depois: 0 },
        { semana: '202417', antes: 2, depois: 3 },
      ],
      sem_semana: 1,
    })
  })

  it('counts for a bound importer only inside the territory', async () => {
    const bound = await bind(t, await t.person({ grupos: ['analista'] }), RECIFE)
    const row = (more: Linha) =>
      linha({
        tipo_agravo: 'chikungunya',
        data_inicio_sintomas: '2024-04-21',
        'dados_especificos.municipio_notificacao': '2611606',
        ...more,
      })
    await importar(csv(row({ municipio_residencia: 'Olinda' }), row({})))
    const file = csv(row({ municipio_residencia: 'Olinda' }), row({}))
    const { resultado } = await validar(file, { by: bound })
    assert.equal(resultado.importados, 2)
    assert.deepEqual(resultado.efeito_por_semana.semanas, [{ semana: '202417', antes: 1, depois: 2 }])
  })

  it('tells a bound importer of no case outside, however its row and the stored case lie', async () => {
    const bound = await bind(t, await t.person({ grupos: ['analista'] }), RECIFE)
    const onset = { tipo_agravo: 'zika', data_inicio_sintomas: '2024-04-21' }
    const olinda = { ...onset, municipio_residencia: 'Olinda' }
    const theirs = linha(olinda)
    const shared = linha({ ...olinda, 'dados_especificos.municipio_notificacao': '2611606' })
    await importar(csv(shared, theirs))
    const taken = { ...theirs, municipio_residencia: 'Recife', data_inicio_sintomas: '2024-04-09' }
    const moved = { ...shared, data_inicio_sintomas: '2024-04-02' }
    const file = csv(moved, taken, linha(olinda))
    const { resultado } = await validar(file, { by: bound, ignorar_erros: 'true' })
    assert.deepEqual([resultado.atualizados, resultado.erros], [1, 2])
    assert.deepEqual(resultado.efeito_por_semana, { data_base: 'sintomas', semanas: [], sem_semana: 0 })
    assert.deepEqual(short(resultado.problemas), [['OUT_OF_TERRITORY', null, null, 2, [3, 4]]])
    const cells = resultado.amostra.slice(1).map(({ valores }: { valores: string[] }) => valores.slice(2))
    assert.deepEqual([...new Set(cells.flat())], ['***', ''])
  })

  it('holds no count of stored cases for somebody without statistics', async () => {
    const importador = await t.person({ permissoes: ['agravos.importar'] })
    const row = linha({ data_inicio_sintomas: '2024-04-21' })
    await importar(csv(row), { by: importador })
    const changed = { ...row, data_inicio_sintomas: '2024-04-09' }
    for (const file of [csv(changed, linha()), csv(row)]) {
      const { resultado } = await validar(file, { by: importador })
      assert.equal(resultado.efeito_por_semana, null)
      assert.ok(resultado.amostra.length > 0)
      assert.ok((await validar(file)).resultado.efeito_por_semana)
    }
  })

  it('is that of an import in none of these members, and the same file again has them all', async () => {
    const file = csv(linha(), linha())
    const first = (await validar(file)).resultado
    const done = await importar(file)
    const NEW = [
      'colunas',
      'codificacao',
      'delimitador',
      'periodo',
      'amostra',
      'problemas',
      'avisos_agrupados',
    ]
    const more = [...NEW, 'efeito_por_semana', 'arquivo_guardado_ate']
    assert.deepEqual(Object.keys(first).toSorted(), [...Object.keys(done), ...more].toSorted())
    const again = (await validar(file)).resultado
    assert.deepEqual(Object.keys(again).toSorted(), [...Object.keys(first), 'identico_a'].toSorted())
    assert.equal(again.identico_a, done.importacao_id)
    assert.match(again.avisos_detalhados[0].aviso, /^Arquivo idêntico/)
    assert.deepEqual(again.colunas, first.colunas)
    assert.deepEqual(again.amostra, first.amostra)
  })
})

describe('A validation that is killed half-way', () => {
  it('goes on behind the last block: the result is that of one that was not', async () => {
    const rows = Array.from({ length: 30 }, (_, i) =>
      linha({ paciente_sexo: i % 3 === 0 ? 'x' : 'F', data_inicio_sintomas: '2024-04-22' }),
    )
    const file = csv(...rows)
    const { body } = await app.send(file, { modo: 'validar' })
    const claimed = await leasesOf(t.app, 'killed').claim()
    assert.equal(claimed?.id, body.job_id)
    let blocks = 0
    const dying: CreateConverter = (context) => {
      const { atOnce, convert, end } = createConverter(t.app, context)
      const dies = async (block: RowBlock) => {
        if (++blocks === 4) throw new Error('killed')
        return convert(block)
      }
      return { atOnce, end, convert: dies }
    }
    const task = createJobTask(t.app, claimed as ClaimedJob, 'killed', { canceled: false, lost: false })
    await assert.rejects(runImport({ ...t.app, importBlock: 5, createConverter: dying }, task), /killed/)
    const { ponto } = await pool.one<{ ponto: { linhas: number; problemas: Grupo[] } }>(
      sql`select ponto from jobs_fila where job_id = ${body.job_id}`,
    )
    assert.ok(ponto.linhas > 0 && ponto.linhas < 30)
    assert.ok((ponto.problemas[0]?.quantidade ?? 0) > 0)
    await pool.run(
      sql`update jobs_fila set trabalhador = null, vence_em = null where job_id = ${body.job_id}`,
    )
    await t.jobWorker.runAll()
    const timeless = ({ tempo_processamento, arquivo_guardado_ate, ...rest }: Record<string, unknown>) => rest
    const resumed = await job(body.job_id)
    assert.equal(resumed.status, 'completed')
    assert.deepEqual(timeless(resumed.resultado), timeless((await validar(file)).resultado))
    assert.deepEqual(short(resumed.resultado.problemas), [
      ['INVALID_VALUE', 'paciente_sexo', 'paciente_sexo', 10, [2, 5, 8, 11, 14, 17, 20, 23, 26, 29]],
    ])
    assert.equal(resumed.resultado.amostra.length, 20)
    await leavesNothing()
  })
})

describe('An import of a validated file', () => {
  const importValidated = (validacao: string, by = analista, more: Record<string, string> = {}) =>
    post(
      by,
      Object.entries({ modo: 'importar', validacao, ...more }).map(([field, content]) => ({
        field,
        content,
      })),
    )
  async function importedBy(validacao: string, more: Record<string, string> = {}) {
    const { status, body, text } = await importValidated(validacao, analista, more)
    assert.equal(status, 202, text)
    await t.jobWorker.runAll()
    return job(body.job_id)
  }

  it('stores what the validation said, and the file is gone then', async () => {
    const rows = csv(linha(), linha())
    const validated = await validar(rows, { nome: 'semana 17.csv' })
    const done = await importedBy(validated.job_id)
    assert.equal(done.status, 'completed', JSON.stringify(done))
    assert.deepEqual(numeros(done.resultado), numeros(validated.resultado))
    assert.deepEqual(done.resultado.arquivo, validated.resultado.arquivo)
    await leavesNothing()
    const again = await importValidated(validated.job_id)
    assert.deepEqual([again.status, again.body.error.code], [404, 'NOT_FOUND'])
    assert.match(again.body.error.message, /expirou/)
  })

  it('goes by the disease of the validation, and by the present choice about bad lines', async () => {
    const { tipo_agravo, ...row } = linha()
    const bad = { ...row, numero_notificacao: `${row.numero_notificacao}x`, data_notificacao: 'nunca' }
    const { job_id } = await validar(csv(row, bad), { tipo_agravo: 'zika' })
    const before = await casos()
    const failed = await importedBy(job_id, { tipo_agravo: 'dengue' })
    assert.equal(failed.status, 'failed')
    assert.deepEqual(await casos(), before)
    const done = await importedBy(job_id, { ignorar_erros: 'true' })
    assert.deepEqual([done.status, done.resultado.importados], ['completed', 1])
    assert.equal((await app.read(row.numero_notificacao as string)).tipo_agravo, 'zika')
  })

  it('is still possible after one that was canceled', async () => {
    const { job_id } = await validar(csv(linha()))
    const waiting = await importValidated(job_id)
    assert.equal((await t.as(analista).delete(`/jobs/${waiting.body.job_id}`)).status, 200)
    assert.equal((await importedBy(job_id)).status, 'completed')
    await leavesNothing()
  })

  it('may be asked for twice: the second finds nothing to change', async () => {
    const { job_id } = await validar(csv(linha()))
    const answers = [await importValidated(job_id), await importValidated(job_id)]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [202, 202],
    )
    await t.jobWorker.runAll()
    const done = await Promise.all(answers.map(({ body }) => job(body.job_id)))
    assert.deepEqual(
      done.map(({ status, resultado }) => [status, resultado.importados]),
      [
        ['completed', 1],
        ['completed', 0],
      ],
    )
    await leavesNothing()
  })

  it('is refused an hour later, and the next cleanup deletes the file', async () => {
    const { job_id, resultado } = await validar(csv(linha()))
    const until = Date.parse(resultado.arquivo_guardado_ate)
    assert.ok(Math.abs(until - t.clock.now().getTime() - HOUR) < 60_000)
    await cleanUp(t.app)
    assert.ok((await kept()).some(({ id }) => id === job_id))
    await pool.run(sql`update jobs set entrada_expira_em = ${t.clock.now()} where entrada_id is not null`)
    const before = await files()
    const { status, body } = await importValidated(job_id)
    assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'])
    await cleanUp(t.app)
    assert.deepEqual(await kept(), [])
    assert.ok((await files()) < before)
  })

  it('that waits longer than the hour still has its file', async () => {
    const { job_id } = await validar(csv(linha()))
    const { body } = await importValidated(job_id)
    await pool.run(sql`update jobs set entrada_expira_em = ${t.clock.now()} where id = ${job_id}`)
    await cleanUp(t.app)
    await t.jobWorker.runAll()
    assert.equal((await job(body.job_id)).status, 'completed')
    await leavesNothing()
  })

  it('is of the very account alone, and of a validation that is over', async () => {
    const { job_id } = await validar(csv(linha()))
    for (const by of [gestor, admin]) {
      const { status, body } = await importValidated(job_id, by)
      assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'])
    }
    const leitor = await t.person({ grupos: ['visualizador'] })
    assert.equal((await importValidated(job_id, leitor)).status, 403)
    const imported = await run(csv(linha()), { modo: 'importar' })
    const other = await importValidated(imported.job_id)
    assert.deepEqual(
      [other.status, other.body.error.message],
      [404, 'Este job não é a validação de um arquivo'],
    )
    assert.equal((await importValidated('job_nenhum')).status, 404)
    const unread = await validar('nada;disso\r\n1;2\r\n')
    assert.equal(unread.status, 'failed')
    assert.equal((await importValidated(unread.job_id)).status, 404)
    const waiting = await app.send(csv(linha()), { modo: 'validar' })
    assert.equal((await importValidated(waiting.body.job_id)).status, 409)
    await t.jobWorker.runAll()
  })

  it('refuses a form that says two things, and nothing changes', async () => {
    const { job_id } = await validar(csv(linha()))
    const field = (name: string, content: string) => ({ field: name, content })
    const file = { field: 'file', content: csv(linha()), filename: 'a.csv' }
    const before = await stored()
    for (const [parts, expected] of [
      [[field('validacao', job_id)], ['validacao INCONSISTENT']],
      [[field('modo', 'validar'), field('validacao', job_id)], ['validacao INCONSISTENT']],
      [[field('modo', 'importar'), field('validacao', job_id), file], ['file INCONSISTENT']],
      [[field('modo', 'importar')], ['file REQUIRED', 'formato REQUIRED']],
      [[field('modo', 'importar'), file], ['formato REQUIRED']],
      [[field('modo', 'importar'), field('validacao', 'x'.repeat(101))], ['validacao TOO_LONG']],
    ] as const)
      assert.deepEqual(await refusedFields(t, () => post(analista, [...parts])), expected)
    assert.deepEqual(await stored(), before)
  })

  it('keeps five files of an account, the newest', async () => {
    const by = await t.person({ grupos: ['analista'] })
    const ids: string[] = []
    for (let i = 0; i < 7; i++) ids.push((await validar(csv(linha()), { by })).job_id)
    const own = (await kept()).map(({ id }) => id).filter((id) => ids.includes(id))
    assert.deepEqual(own.toSorted(), ids.slice(2).toSorted())
  })

  it('is encrypted where it is kept', async () => {
    const { job_id } = await validar(csv(linha({ paciente_nome: 'Maria Plantada' })))
    const parts = await pool.rows<{ conteudo: Buffer }>(sql`
      select p.conteudo from arquivos_partes p join jobs j on j.entrada_id = p.arquivo_id where j.id = ${job_id}`)
    assert.equal(parts.length, 1)
    for (const { conteudo } of parts) assert.ok(!conteudo.includes('Plantada'))
  })
})
