import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { abandonIn, runHere } from '../../../src/worker/run.ts'
import { createJobWorker } from '../../../src/worker/worker.ts'
import { csv, importacoesApp, type Linha, linha, numeros, sinan, ZERO } from './importacoes-app.ts'

const app = await importacoesApp()
const { t, analista, gestor, admin, importar, run } = app
const { pool } = t.database
after(() => t.close())

const RUINS: Record<string, Linha> = {
  'estado_residencia: ': linha({ estado_residencia: 'XX' }),
  'data_notificacao: ': linha({ data_notificacao: '31/02/2024' }),
  'paciente_nome: ': linha({ paciente_nome: '' }),
  'municipio_residencia: ': linha({ municipio_residencia: 'Atlântida' }),
  'tipo_agravo: ': linha({ tipo_agravo: 'gripe' }),
}

describe('A bad row', () => {
  it('without ignorar_erros stops the import: failed, with its counts, and nothing is stored', async () => {
    const existing = linha({ bairro_residencia: 'Pina' })
    await importar(csv(existing))
    const before = await app.casos()
    const changed = { ...existing, bairro_residencia: 'Ibura' }
    const file = csv(changed, linha({ bairro_residencia: '' }), linha({ estado_residencia: 'XX' }))
    const done = await run(file, { modo: 'importar' })
    assert.equal(done.status, 'failed')
    assert.match(done.message, /Nada foi importado: 1 linha/)
    const { resultado } = done
    assert.deepEqual(numeros(resultado), { ...ZERO, total_linhas: 3, erros: 1 })
    assert.equal(resultado.importacao_id, null)
    assert.deepEqual(
      resultado.erros_detalhados.map((one: { linha: number }) => one.linha),
      [4],
    )
    assert.deepEqual(await app.casos(), before)
    await app.leavesNothing()
  })

  it('with ignorar_erros is reported, each with its line, its number and what is wrong; the good ones go in', async () => {
    const good = [linha(), linha()]
    const file = csv(good[0] as Linha, ...Object.values(RUINS), good[1] as Linha)
    const resultado = await importar(file, { ignorar_erros: 'true' })
    assert.deepEqual(numeros(resultado), { ...ZERO, total_linhas: 7, importados: 2, erros: 5 })
    for (const [i, [inicio, row]] of Object.entries(RUINS).entries()) {
      const { linha: line, numero_notificacao, erro, ...rest } = resultado.erros_detalhados[i]
      assert.deepEqual([line, numero_notificacao, rest], [i + 3, row.numero_notificacao, {}])
      assert.ok(erro.startsWith(inicio), erro)
    }
    for (const row of good) await app.idOf(row.numero_notificacao as string)
    for (const row of Object.values(RUINS)) await assert.rejects(app.idOf(row.numero_notificacao as string))
    const { body } = await t.as(analista).get(`/agravos/importacoes/${resultado.importacao_id}`)
    assert.deepEqual([body.importados, body.erros], [2, 5])
  })

  it('tells all that is wrong with it at once', async () => {
    const row = linha({ estado_residencia: 'XX', data_notificacao: '2999-01-01', paciente_nome: '' })
    const { resultado } = await app.validar(csv(row))
    for (const nome of ['estado_residencia', 'data_notificacao', 'paciente_nome'])
      assert.match(resultado.erros_detalhados[0].erro, new RegExp(nome))
  })

  it('of broken structure is rejected, and the rows around it are read', async () => {
    const [a, b] = [linha(), linha()]
    const [header, first, second] = csv(a, b).trimEnd().split('\r\n')
    const file = [header, first, `${first};mais;dois`, 'dengue;x', second].join('\n')
    const resultado = await importar(file, { ignorar_erros: 'true' })
    assert.deepEqual([resultado.importados, resultado.erros], [2, 2])
    assert.deepEqual(
      resultado.erros_detalhados.map((one: { linha: number }) => one.linha),
      [3, 4],
    )
  })
})

describe('Many bad rows', () => {
  const bad = Array.from({ length: 1_203 }, (_, i) =>
    linha({ numero_notificacao: `ruim-${i}`, estado_residencia: 'XX' }),
  )
  const good = linha()
  const file = csv(...bad.slice(0, 600), good, ...bad.slice(600))

  it('are detailed up to a thousand in the result, and all of them in the file of rejected rows', async () => {
    const done = await run(file, { modo: 'importar', ignorar_erros: 'true' })
    const { resultado, job_id, rejeitados_url } = done
    assert.deepEqual(numeros(resultado), { ...ZERO, total_linhas: 1_204, importados: 1, erros: 1_203 })
    assert.equal(resultado.erros_detalhados.length, 1_000)
    assert.deepEqual(
      resultado.erros_detalhados.map((one: { numero_notificacao: string }) => one.numero_notificacao),
      bad.slice(0, 1_000).map((one) => one.numero_notificacao),
    )
    assert.equal(new URL(rejeitados_url).pathname, `/api/v1/jobs/${job_id}/rejeitados`)
    const [header, ...lines] = (await app.rejeitados(job_id)).trimEnd().split('\r\n')
    assert.equal(header, [...Object.keys(good), 'erro'].join(';'))
    assert.equal(lines.length, 1_203)
    for (const [i, line] of lines.entries()) {
      const values = Object.values(bad[i] as Linha).join(';')
      assert.ok(line.startsWith(`${values};"estado_residencia: `), line)
    }
  })
})

describe('A file of something else', () => {
  const header = Object.keys(linha()).join(';')

  for (const [name, text] of [
    ['lines of one character', 'a\n'.repeat(30_000)],
    ['rows of nothing', ';;;;;\n'.repeat(30_000)],
  ] as const)
    it(`(${name}) is given up after its first blocks, and nothing of it is kept`, async () => {
      const before = await app.casos()
      for (const modo of ['validar', 'importar']) {
        const done = await run(`${header}\n${text}`, { modo, ignorar_erros: 'true' })
        assert.deepEqual([done.status, done.resultado, done.rejeitados_url], ['failed', undefined, undefined])
        assert.match(
          done.message,
          /^Nenhuma das primeiras 12\.000 linhas tem uma data de notificação legível/,
        )
      }
      assert.deepEqual(await app.casos(), before)
      await app.leavesNothing()
    })

  it('is another thing than one whose every row is wrong: all are counted, and the first of them kept', async () => {
    const worker = createJobWorker({
      app: t.app,
      run: runHere({ ...t.app, keptRejected: 10 }),
      abandon: abandonIn(t.app),
      onError: assert.ifError,
    })
    const rows = Array.from({ length: 12_500 }, (_, i) => `dengue;N${i};2024-04-25;;;\n`)
    const { body } = await app.send(`${header}\n${rows.join('')}`, { modo: 'importar' })
    await worker.runAll()
    const { status, resultado, job_id } = await app.job(body.job_id)
    assert.deepEqual([status, resultado.total_linhas, resultado.erros], ['failed', 12_500, 12_500])
    assert.deepEqual(
      resultado.avisos_detalhados.map(({ aviso }: { aviso: string }) => aviso),
      ['Das 12.500 linhas rejeitadas, só as primeiras 4.000 foram guardadas'],
    )
    const [, ...kept] = (await app.rejeitados(job_id)).trimEnd().split('\r\n')
    assert.equal(kept.length, 4_000)
    assert.ok(kept.at(-1)?.startsWith('dengue;N3999;'))
    await app.leavesNothing()
  })
})

describe('GET /jobs/{id}/rejeitados', () => {
  it('hands out a file to mend and send again', async () => {
    const rows = [linha({ estado_residencia: 'XX' }), linha(), linha({ estado_residencia: 'YY' })]
    const done = await run(csv(...rows), { modo: 'importar', ignorar_erros: 'true' })
    const rejected = await app.rejeitados(done.job_id)
    const mended = rejected.replace(';XX;', ';PE;').replace(';YY;', ';PE;')
    const resultado = await importar(mended)
    assert.deepEqual(numeros(resultado), { ...ZERO, total_linhas: 2, importados: 2, avisos: 1 })
    assert.match(resultado.avisos_detalhados[0].aviso, /não lidas: erro/)
    for (const row of rows) await app.idOf(row.numero_notificacao as string)
  })

  it('does so for an import that was stopped and for a dry run, too', async () => {
    const file = csv(linha(), linha({ estado_residencia: 'XX' }))
    for (const modo of ['importar', 'validar']) {
      const { job_id } = await run(file, { modo })
      assert.equal((await app.rejeitados(job_id)).trimEnd().split('\r\n').length, 2, modo)
    }
  })

  it('has no cell that a spreadsheet would take for a formula, and it comes back as it was', async () => {
    for (const [bairro, ocupacao] of [
      ['=1+1', '@soma'],
      ['＝1+1', '＠soma'],
      ['＋1', '－x'],
    ] as const) {
      const own = linha({ bairro_residencia: bairro, paciente_ocupacao: ocupacao, estado_residencia: 'XX' })
      const official = sinan({ NM_BAIRRO: bairro, ID_OCUPA_N: ocupacao, DT_NOTIFIC: '' })
      for (const row of [own, official]) {
        const { job_id } = await run(csv(row), { modo: 'importar' })
        const rejected = await app.rejeitados(job_id)
        for (const cell of rejected.split(/[;\r\n]+/)) assert.doesNotMatch(cell, /^[=+@＝＋－＠]/)
        await importar(rejected.replace(';XX;', ';PE;').replace('A90;;', 'A90;2024-04-25;'))
        const { endereco, paciente } = await app.read((row.numero_notificacao ?? row.NU_NOTIFIC) as string)
        assert.deepEqual([endereco.bairro, paciente.ocupacao], [bairro, ocupacao])
      }
    }
  })

  it('keeps the columns of a SINAN file, whatever the importer makes of them', async () => {
    const row = sinan({ DT_NOTIFIC: '', DS_OBS: 'texto; livre', COLUNA_ALHEIA: 'x' })
    const { job_id } = await run(csv(row), { modo: 'importar' })
    const [header, line = ''] = (await app.rejeitados(job_id)).trimEnd().split('\r\n')
    assert.equal(header, [...Object.keys(row), 'erro'].join(';'))
    assert.ok(line.startsWith(`${row.NU_NOTIFIC};2;A90;;2024-04-21;26;261160;"texto; livre";x;`), line)
  })

  it('comes as a CSV to download, of its owner alone: 404 for others and for administrators', async () => {
    const { job_id } = await run(csv(linha({ estado_residencia: 'XX' })), { modo: 'importar' })
    const { status, headers } = await app.download(`/jobs/${job_id}/rejeitados`)
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
    assert.equal(headers['content-disposition'], 'attachment; filename="rejeitados.csv"')
    for (const by of [gestor, admin])
      assert.equal((await app.download(`/jobs/${job_id}/rejeitados`, by)).status, 404)
    assert.equal((await app.download(`/jobs/${job_id}/arquivo`)).status, 404)
  })

  it('is a header alone where nothing was rejected; 404 for a job that does not exist', async () => {
    const file = csv(linha())
    for (const modo of ['importar', 'importar', 'validar']) {
      const good = await run(file, { modo })
      assert.equal(good.rejeitados_url, undefined)
      assert.equal(await app.rejeitados(good.job_id), 'erro\r\n')
    }
    assert.equal((await app.download('/jobs/job_x/rejeitados')).status, 404)
  })

  it('needs the right to import at every download, each of which is in the audit', async () => {
    const someone = await app.t.person({ permissoes: ['agravos.importar'] })
    const { job_id } = await run(csv(linha({ estado_residencia: 'XX' })), { by: someone })
    const entries = () =>
      pool.rows(sql`
        select ator_id, recurso, recurso_id, detalhes from auditoria where acao = 'rejeitados.baixados'
          and recurso_id = ${job_id}`)
    for (let i = 0; i < 2; i++) await app.rejeitados(job_id, someone)
    const entry = {
      ator_id: someone.id,
      recurso: 'job',
      recurso_id: job_id,
      detalhes: { tipo: 'importacao', permissoes: ['agravos.importar'] },
    }
    assert.deepEqual(await entries(), [entry, entry])
    await pool.run(sql`delete from usuarios_permissoes where usuario_id = ${someone.id}`)
    const { status, body } = await app.t.as(someone).get(`/jobs/${job_id}/rejeitados`)
    assert.deepEqual([status, body.error.required_permission], [403, 'agravos.importar'])
    assert.equal((await entries()).length, 2)
  })
})

describe('A line that contradicts what the case has besides', () => {
  it('of our own layout is an error, stops the import, and leaves the case alone', async () => {
    const one = linha()
    const numero = one.numero_notificacao as string
    await importar(csv(one))
    await app.change(numero, { evolucao: 'obito', data_obito: '2024-04-30' })
    const before = await app.casos()
    const line = { ...one, data_inicio_sintomas: '2024-04-20', evolucao: 'cura' }
    const done = await run(csv(line, linha({ data_inicio_sintomas: '', evolucao: '' })), { modo: 'importar' })
    assert.equal(done.status, 'failed')
    assert.deepEqual(numeros(done.resultado), { ...ZERO, total_linhas: 2, erros: 1 })
    const [told] = done.resultado.erros_detalhados
    assert.deepEqual([told.linha, told.numero_notificacao], [2, numero])
    assert.match(told.erro, /^data_obito: /)
    assert.deepEqual(await app.casos(), before)
    const resultado = await importar(csv(line, linha({ data_inicio_sintomas: '', evolucao: '' })), {
      ignorar_erros: 'true',
    })
    assert.deepEqual(numeros(resultado), { ...ZERO, total_linhas: 2, importados: 1, erros: 1 })
    assert.equal((await app.read(numero)).evolucao, 'obito')
  })

  it('is among the rejected rows, as every error is', async () => {
    const one = linha()
    await importar(csv(one))
    await app.change(one.numero_notificacao as string, { evolucao: 'obito', data_obito: '2024-04-30' })
    const line = { ...one, evolucao: 'cura' }
    const done = await run(csv(line, linha({ evolucao: 'x' })), { modo: 'importar', ignorar_erros: 'true' })
    assert.equal(done.resultado.erros, 2)
    const lines = (await app.rejeitados(done.job_id)).trimEnd().split('\r\n')
    assert.equal(lines.length, 3)
    assert.ok(lines[1]?.startsWith(`${Object.values(line).join(';')};data_obito: `), lines[1])
  })

  it('of SINAN is taken with a warning each, contradictory dates included', async () => {
    const one = sinan({ EVOLUCAO: '' })
    const numero = one.NU_NOTIFIC as string
    await importar(csv(one))
    await app.change(numero, { evolucao: 'obito', data_obito: '2024-04-30', paciente_ocupacao: 'Pescadora' })
    const resultado = await importar(csv({ ...one, EVOLUCAO: '1', CS_RACA: '1' }))
    assert.deepEqual(numeros(resultado), { ...ZERO, total_linhas: 1, atualizados: 1, avisos: 1 })
    assert.match(resultado.avisos_detalhados[0].aviso, /^data_obito: /)
    const told = await app.read(numero)
    assert.deepEqual([told.evolucao, told.data_obito, told.paciente.raca], ['cura', '2024-04-30', 'branca'])
    assert.equal(told.paciente.ocupacao, 'Pescadora')
  })
})

describe('A SINAN row', () => {
  it('that is implausible is kept with a warning each; one without disease or date is rejected', async () => {
    const file = csv(
      sinan({ NU_IDADE_N: '4999', DT_OBITO: '' }),
      sinan({ NU_IDADE_N: '4030', DT_OBITO: '2024-04-01' }),
      sinan({ NU_IDADE_N: '', DT_OBITO: '', ID_AGRAVO: '' }),
      sinan({ NU_IDADE_N: '', DT_OBITO: '', DT_NOTIFIC: '' }),
    )
    const resultado = await importar(file, { ignorar_erros: 'true' })
    assert.deepEqual([resultado.importados, resultado.erros], [2, 2])
    assert.equal(resultado.avisos, resultado.avisos_detalhados.length)
    const lines = resultado.avisos_detalhados.map((one: { linha: number }) => one.linha)
    assert.ok(lines.includes(2) && lines.includes(3))
    assert.deepEqual(
      resultado.erros_detalhados.map((one: { linha: number; erro: string }) => [one.linha, one.erro]),
      [
        [4, 'Linha sem agravo'],
        [5, 'Linha sem data de notificação'],
      ],
    )
  })
})
