import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../../src/db/sql.ts'
import { problems } from '../refusals.ts'
import { csv, importacoesApp, linha, numeros, sinan, ZERO } from './importacoes-app.ts'

const app = await importacoesApp()
const { t, analista, gestor, admin, send, post, run, stored } = app
after(() => t.close())

const FILE = { field: 'file', content: csv(linha()), filename: 'casos.csv' }
const FORMATO = { field: 'formato', content: 'csv' }

/** The request is refused for these reasons, and neither a job nor anything else comes of it. */
async function refuses(parts: Parameters<typeof post>[1], expected: string[]) {
  const jobs = () => t.database.pool.first(sql`select count(*) as jobs from jobs`)
  const before = [await stored(), await jobs()]
  const { status, body, text } = await post(analista, parts)
  assert.equal(status, 422, text)
  assert.equal(body.error.code, 'VALIDATION_ERROR')
  assert.deepEqual(problems(body.error.details).toSorted(), expected.toSorted())
  assert.deepEqual([await stored(), await jobs()], before, 'a refusal changes nothing')
}

describe('POST /agravos/casos/bulk', () => {
  it('answers 202 with a job that its status_url leads to, and does the work later', async () => {
    const file = csv(linha({ numero_notificacao: 'aceito' }))
    const { status, body } = await send(file, { modo: 'importar' })
    assert.equal(status, 202)
    assert.deepEqual(Object.keys(body), ['job_id', 'status', 'status_url', 'message'])
    assert.equal(body.status, 'processing')
    assert.equal(new URL(body.status_url).pathname, `/api/v1/jobs/${body.job_id}`)
    const waiting = await app.job(body.job_id)
    assert.deepEqual([waiting.status, waiting.progress, waiting.completed_at], ['processing', 0, null])
    assert.equal(waiting.message, body.message)
    await assert.rejects(app.idOf('aceito'))
    await t.jobWorker.runAll()
    const done = await app.job(body.job_id)
    assert.deepEqual([done.status, done.progress, done.tipo], ['completed', 100, 'importacao'])
    assert.ok(Date.parse(done.completed_at) >= Date.parse(done.created_at))
    await app.idOf('aceito')
  })

  it('takes its fields before and after the file, and ignores unknown ones', async () => {
    const modo = { field: 'modo', content: 'importar' }
    for (const parts of [
      [FORMATO, modo, FILE],
      [FILE, modo, FORMATO],
      [{ field: 'outro', content: 'x' }, modo, FILE, FORMATO],
    ])
      assert.equal((await post(analista, parts)).status, 202)
    await t.jobWorker.runAll()
  })

  it('answers 422 to a missing or unknown formato, modo, ignorar_erros or tipo_agravo', async () => {
    const field = (name: string, content: string) => ({ field: name, content })
    await refuses([FILE], ['formato REQUIRED'])
    await refuses([field('formato', 'ods'), FILE], ['formato INVALID_VALUE'])
    await refuses([field('formato', ''), FILE], ['formato INVALID_VALUE'])
    await refuses([FORMATO, FILE, field('modo', 'gravar')], ['modo INVALID_VALUE'])
    await refuses([FORMATO, FILE, field('ignorar_erros', 'talvez')], ['ignorar_erros INVALID_TYPE'])
    await refuses([FORMATO, FILE, field('tipo_agravo', 'gripe')], ['tipo_agravo INVALID_VALUE'])
    const all = [field('formato', 'x'), field('modo', 'x'), FILE, field('ignorar_erros', 'x')]
    await refuses(all, ['formato INVALID_VALUE', 'modo INVALID_VALUE', 'ignorar_erros INVALID_TYPE'])
  })

  it('answers 422 to a form without its one file', async () => {
    await refuses([FORMATO], ['file REQUIRED'])
    await refuses([FORMATO, { field: 'file', content: 'texto' }], ['file REQUIRED'])
    await refuses([FORMATO, { ...FILE, field: 'arquivo' }], ['file REQUIRED'])
    await refuses([FORMATO, FILE, FILE], ['file TOO_MANY'])
  })

  it('answers 400 to a form that is cut off and 415 to what is none, storing nothing', async () => {
    const before = await stored()
    const headers = { 'content-type': 'multipart/form-data; boundary=limite' }
    const payload = '--limite\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\na;b'
    const cut = await t.as(analista).request('POST', '/agravos/casos/bulk', { headers, payload })
    assert.equal(cut.status, 400)
    assert.equal((await t.as(analista).post('/agravos/casos/bulk', { formato: 'csv' })).status, 415)
    assert.deepEqual(await stored(), before)
  })

  it('fails the job of an empty file and of one without rows to say so, and stores no case', async () => {
    const before = await app.casos()
    const empty = await run('', { modo: 'importar' })
    assert.equal(empty.status, 'failed')
    assert.match(empty.message, /vazio/)
    const { resultado } = await run(`${Object.keys(linha()).join(';')}\n`, { modo: 'importar' })
    assert.deepEqual(numeros(resultado), ZERO)
    assert.deepEqual(await app.casos(), before)
    await app.leavesNothing()
  })

  it('writes nothing at all when modo is validar, which it is unless told otherwise', async () => {
    await app.importar(csv(linha({ numero_notificacao: 'base', bairro_residencia: 'Pina' })))
    const file = csv(
      linha({ numero_notificacao: 'base', bairro_residencia: 'Ibura' }),
      linha({ numero_notificacao: 'novo-so-validado', bairro_residencia: '' }),
    )
    const before = await stored()
    for (const envio of [{}, { modo: 'validar' }, { modo: 'validar', ignorar_erros: 'true' }]) {
      const done = await run(file, envio)
      assert.equal(done.status, 'completed')
      assert.equal(done.resultado.modo, 'validar')
      assert.equal(done.resultado.importacao_id, null)
      assert.deepEqual(numeros(done.resultado), { ...ZERO, total_linhas: 2, importados: 1, atualizados: 1 })
      assert.deepEqual(await stored(), before)
    }
  })

  it('reports in a dry run exactly the numbers and details that the import then gives', async () => {
    const [a, b] = [linha({ uti: '', paciente_sexo: 'M' }), linha({ uti: '', paciente_sexo: 'F' })]
    await app.importar(csv(a, b))
    const repeated = linha({ uti: '', paciente_sexo: 'F' })
    const file = csv(
      a,
      { ...b, paciente_sexo: 'M' },
      { ...linha(), uti: 'sim' },
      linha({ paciente_sexo: 'X' }),
      repeated,
      repeated,
      linha({ data_notificacao: '2024-13-45' }),
    )
    const dry = (await app.validar(file, { ignorar_erros: 'true' })).resultado
    const real = await app.importar(file, { ignorar_erros: 'true' })
    const expected = { total_linhas: 7, importados: 2, atualizados: 1, inalterados: 1 }
    assert.deepEqual(numeros(real), { ...expected, duplicados_no_arquivo: 1, erros: 2, avisos: 1 })
    const { modo, tempo_processamento, importacao_id } = dry
    assert.deepEqual([modo, typeof tempo_processamento, importacao_id], ['validar', 'number', null])
    const { modo: _modo, tempo_processamento: _tempo, importacao_id: _id, ...done } = real
    const told = Object.keys(done).map((nome) => [nome, dry[nome]])
    assert.deepEqual(Object.fromEntries(told), done)
  })

  it('with errors that stop the import, reports the same errors in the dry run', async () => {
    const file = csv(linha(), linha({ estado_residencia: 'XX' }))
    const dry = await app.validar(file)
    const real = await run(file, { modo: 'importar' })
    assert.deepEqual([dry.status, real.status], ['completed', 'failed'])
    for (const nome of ['total_linhas', 'erros', 'avisos', 'erros_detalhados', 'avisos_detalhados'])
      assert.deepEqual(dry.resultado[nome], real.resultado[nome], nome)
  })

  it('fails for a file that is no file of cases, telling what it expected and what it found', async () => {
    for (const [content, told] of [
      ['produto;preço\ncafé;10\n', /Esperado: .*ID_AGRAVO.*tipo_agravo.*Encontrado: produto, preço/],
      ['uma linha só', /Esperado/],
      ['%PDF-1.7\n', /./],
      [Buffer.from('PK\x03\x04quebrado', 'latin1'), /./],
      [csv(sinan({ ID_AGRAVO: '' })).replace('ID_AGRAVO', 'X'), /ID_AGRAVO.*tipo de agravo/],
    ] as [string | Buffer, RegExp][]) {
      const before = await stored()
      const done = await run(content, { modo: 'importar', ignorar_erros: 'true' })
      assert.equal(done.status, 'failed')
      assert.match(done.message, told)
      assert.equal(done.rejeitados_url, undefined)
      assert.deepEqual(await stored(), before)
      await app.leavesNothing()
    }
  })

  it('takes the disease of the form for a file without a column of it', async () => {
    const { tipo_agravo, ...rest } = linha({ numero_notificacao: 'sem-agravo' })
    assert.equal((await run(csv(rest), { modo: 'importar' })).status, 'failed')
    await app.importar(csv(rest), { tipo_agravo: 'zika' })
    assert.equal((await app.content('sem-agravo')).tipo_agravo, 'zika')
    // The same file for another disease is other cases.
    const other = await app.importar(csv(rest), { tipo_agravo: 'chikungunya' })
    assert.equal(other.importados, 1)
  })

  it('warns of a format that is not the declared one, and goes by the content', async () => {
    const { avisos_detalhados, arquivo } = await app.importar(csv(linha()), { formato: 'xlsx' })
    assert.equal(arquivo.formato, 'csv')
    assert.equal(avisos_detalhados.length, 1)
    assert.equal(avisos_detalhados[0].linha, null)
  })

  it('keeps of the name of the file what is no path and nothing that a page would obey', async () => {
    const name = async (nome: string) => (await app.importar(csv(linha()), { nome })).arquivo.nome
    assert.equal(await name('dengue 2024.csv'), 'dengue 2024.csv')
    assert.equal(await name('C:\\\\dados\\\\dengue.csv'), 'dengue.csv')
    assert.equal(await name('../../etc/passwd'), 'passwd')
    assert.equal(await name('<b>&casos</b>.csv').then((one) => /[<>&"']/.test(one)), false)
    assert.ok((await name(`${'x'.repeat(300)}.csv`)).length <= 200)
  })
})

describe('Idempotency-Key on POST /agravos/casos/bulk', () => {
  const keyed = (key: string, modo = 'importar') => ({
    modo,
    options: { headers: { 'idempotency-key': key } },
  })
  const files = () => t.database.pool.first(sql`select count(*) as arquivos from arquivos`)

  it('makes one job of the same file sent twice, and keeps no copy of the second', async () => {
    const file = csv(linha())
    const first = await send(file, keyed('uma'))
    const before = await files()
    const second = await send(file, keyed('uma'))
    assert.deepEqual([second.status, second.body], [first.status, first.body])
    assert.equal(first.headers['idempotent-replay'], undefined)
    assert.equal(second.headers['idempotent-replay'], 'true')
    assert.deepEqual(await files(), before)
    assert.equal(await t.jobWorker.runAll(), 1)
    assert.deepEqual((await send(file, keyed('uma'))).body, first.body)
    assert.equal(await t.jobWorker.runAll(), 0)
    await app.leavesNothing()
  })

  it('is 409 while the first is under way, and keeps no copy', async () => {
    const file = csv(linha())
    const waiting = sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`
    const first = await t.database.pool.transaction(async (tx) => {
      // The key belongs to its caller, whose row is held here.
      await tx.run(sql`select from usuarios for update`)
      const first = send(file, keyed('em curso'))
      while ((await tx.first(waiting)) === null) await sleep(10)
      const before = await files()
      assert.equal((await send(file, keyed('em curso'))).status, 409)
      assert.deepEqual(await files(), before)
      return { first }
    })
    assert.equal((await first.first).status, 202)
    assert.equal(await t.jobWorker.runAll(), 1)
  })

  it('answers 422 to another file or other fields under the same key, and keeps neither', async () => {
    const file = csv(linha())
    assert.equal((await send(file, keyed('duas'))).status, 202)
    const before = [await stored(), await files()]
    for (const answer of [
      await send(csv(linha()), keyed('duas')),
      await send(file, keyed('duas', 'validar')),
      await send(file, { ...keyed('duas'), ignorar_erros: 'true' }),
    ])
      assert.equal(answer.status, 422, answer.text)
    assert.deepEqual([await stored(), await files()], before)
    assert.equal(await t.jobWorker.runAll(), 1)
  })

  it('is of one caller', async () => {
    const file = csv(linha())
    const ours = [await send(file, keyed('tres')), await send(file, { ...keyed('tres'), by: gestor })]
    assert.notEqual(ours[0]?.body.job_id, ours[1]?.body.job_id)
    await t.jobWorker.runAll()
  })
})

describe('GET /agravos/importacoes', () => {
  it('lists what was imported, newest first, and nothing that was only validated or refused', async () => {
    const total = async () => (await t.as(analista).get('/agravos/importacoes')).body.total
    const before = await total()
    const file = csv(linha({ numero_notificacao: 'listado' }))
    await app.validar(file)
    await run(csv(linha({ estado_residencia: 'XX' })), { modo: 'importar' })
    assert.equal(await total(), before)
    const resultado = await app.importar(file, { nome: 'listado.csv' })
    const { items } = (await t.as(gestor).get('/agravos/importacoes')).body
    assert.equal(await total(), before + 1)
    const [{ id, criado_em, job_id, ...told }] = items
    assert.equal(id, resultado.importacao_id)
    assert.ok(Date.parse(criado_em) > 0)
    assert.equal((await app.job(job_id)).resultado.importacao_id, id)
    assert.deepEqual(told, {
      usuario: { id: analista.id, nome: 'Pessoa 2' },
      arquivo: { ...resultado.arquivo, nome: 'listado.csv', formato: 'csv', layout: 'proprio' },
      ...ZERO,
      total_linhas: 1,
      importados: 1,
      desfeita_em: null,
      desfeita_por: null,
    })
    assert.match(told.arquivo.sha256, /^[0-9a-f]{64}$/)
    assert.equal(told.arquivo.tamanho, Buffer.byteLength(file))
    assert.deepEqual((await t.as(admin).get(`/agravos/importacoes/${id}`)).body, items[0])
  })

  it('is filtered like any list', async () => {
    const total = async (query: string) =>
      (await t.as(analista).get(`/agravos/importacoes?${query}`)).body.total
    assert.equal(await total('arquivo_nome=listado'), 1)
    assert.equal(await total('layout=sinan'), 0)
    assert.equal(await total(`usuario_id=${gestor.id}&desfeita=true`), 0)
    assert.ok((await total('importados[gte]=1')) >= 1)
  })

  it('answers 404 for an import that does not exist', async () => {
    const { status, body } = await t.as(analista).get('/agravos/importacoes/999999')
    assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'])
  })

  it('tells of each case the import and the line that wrote it last, and finds them by it', async () => {
    const first = await app.importar(csv(linha(), linha({ numero_notificacao: 'origem' })))
    const line = { importacao_id: first.importacao_id, linha: 3 }
    assert.deepEqual((await app.read('origem')).origem, line)
    const changed = linha({ numero_notificacao: 'origem', bairro_residencia: 'Pina' })
    const second = await app.importar(csv(changed))
    assert.deepEqual((await app.read('origem')).origem, { importacao_id: second.importacao_id, linha: 2 })
    await app.change('origem', { paciente_idade: 30 })
    assert.deepEqual((await app.read('origem')).origem, { importacao_id: second.importacao_id, linha: 2 })
    const list = async (query: string) => (await t.as(analista).get(`/agravos/casos?${query}`)).body
    assert.equal((await list(`importacao_id=${first.importacao_id}`)).total, 1)
    assert.equal((await list(`importacao_id=${second.importacao_id}`)).total, 1)
    assert.equal((await list('importacao_id=999999')).total, 0)
    assert.equal((await list(`importacao_id[in]=${first.importacao_id},${second.importacao_id}`)).total, 2)
    const { status, body } = await t.as(analista).post('/agravos/casos', { ...linha(), uti: true })
    assert.equal(status, 201)
    assert.equal((await t.as(analista).get(`/agravos/casos/${body.id}`)).body.origem, null)
  })
})
