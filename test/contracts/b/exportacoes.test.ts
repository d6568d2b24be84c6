import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { cleanUp } from '../../../src/domain/cleanup/cleanup.ts'
import { type Answer, PASSWORD, type Person } from '../../harness/app.ts'
import { problems } from '../refusals.ts'
import { exportacoesApp, queryOf } from './exportacoes-app.ts'
import { linha } from './importacoes-app.ts'

const app = await exportacoesApp()
const { t, analista, gestor, admin, ask, run, rowsOf, audit } = app
after(() => t.close())

const SIGILOSAS = ['paciente_nome', 'paciente_data_nascimento', 'logradouro_residencia', 'cep_residencia']
const DAY = 86_400_000

for (const [i, more] of [
  { tipo_agravo: 'dengue', paciente_idade: 70, bairro_residencia: 'Pina' },
  { tipo_agravo: 'zika', paciente_idade: 20, municipio_residencia: 'Olinda' },
  { tipo_agravo: 'dengue', paciente_idade: 65, municipio_residencia: 'São Paulo', estado_residencia: 'SP' },
  {
    tipo_agravo: 'chikungunya',
    paciente_data_nascimento: '1990-05-17',
    logradouro_residencia: 'Rua da Aurora',
  },
].entries()) {
  const body = { ...linha(), data_notificacao: `2024-04-1${i}`, ...more }
  const { status, text } = await t.as(gestor).post('/agravos/casos', body)
  assert.equal(status, 201, text)
}
const excluded = linha()
assert.equal((await t.as(gestor).post('/agravos/casos', excluded)).status, 201)
await app.exclude(excluded.numero_notificacao as string)

/** Refused, and neither a job nor an entry in the audit comes of it. */
async function refused(act: () => Promise<Answer>, status: number) {
  const before = await app.jobs()
  const answer = await act()
  assert.equal(answer.status, status, answer.text)
  assert.deepEqual(await app.jobs(), before, 'a refusal changes nothing')
  return answer.body.error
}
const invalid = async (body: object, by: Person = analista) =>
  problems((await refused(() => ask(body, by), 422)).details).toSorted()

describe('POST /agravos/casos/exportar', () => {
  for (const formato of ['csv', 'xlsx', 'json'])
    it(`writes every case but excluded ones as ${formato}, newest first, under the names of the fields`, async () => {
      const rows = await rowsOf({ formato })
      assert.deepEqual(
        rows.map((row) => row.data_notificacao),
        ['2024-04-13', '2024-04-12', '2024-04-11', '2024-04-10'],
      )
      assert.deepEqual(Object.keys(rows[0] ?? {}).slice(0, 4), [
        'id',
        'paciente_iniciais',
        'tipo_agravo',
        'numero_notificacao',
      ])
      assert.equal(String(rows[3]?.paciente_idade), '70')
      assert.equal(String(rows[3]?.municipio_residencia), '2611606')
      assert.equal(rows[3]?.bairro_residencia, 'Pina')
      assert.equal(rows[3]?.paciente_iniciais, 'J. T. S.')
      assert.equal(rows[3]?.uti, formato === 'json' ? null : '')
    })

  it('answers 202 with a job, whose result counts the rows and whose arquivo_url leads to the file', async () => {
    const { status, body } = await ask({})
    assert.equal(status, 202)
    assert.deepEqual(Object.keys(body), ['job_id', 'status', 'status_url', 'message'])
    const waiting = await app.job(body.job_id)
    assert.deepEqual([waiting.status, waiting.arquivo_url], ['processing', undefined])
    assert.equal((await app.download(`/jobs/${body.job_id}/arquivo`)).status, 409)
    await t.jobWorker.runAll()
    const { tipo, status: end, progress, result, arquivo_url } = await app.job(body.job_id)
    assert.deepEqual([tipo, end, progress], ['exportacao_casos', 'completed', 100])
    assert.deepEqual([result.total_processados, result.sucesso, result.erros], [4, 4, 0])
    const path = new URL(arquivo_url).pathname
    assert.equal(path, `/api/v1/jobs/${body.job_id}/arquivo`)
    const { bytes } = await app.download(path.replace('/api/v1', ''))
    assert.equal(bytes.length, result.tamanho)
  })

  for (const filtros of [
    { tipo_agravo: 'dengue' },
    { estado: 'PE' },
    { municipio: 'Recife' },
    { municipio: 'sao paulo' },
    { 'idade[gte]': 60 },
    { 'idade[gte]': '60', estado: 'SP' },
    { 'tipo_agravo[in]': 'zika,chikungunya' },
    { data_inicio: '2024-04-11', data_fim: '2024-04-12' },
    { semana_epidemiologica: '202415' },
    { search: JSON.stringify({ or: [{ estado: 'SP' }, { bairro: { like: 'pina' } }] }) },
    { id: 999_999 },
    {},
  ] as Record<string, string | number>[])
    it(`exports of ${JSON.stringify(filtros)} as many as the list has`, async () => {
      const query = queryOf(filtros)
      const { body, text } = await t.as(analista).get(`/agravos/casos?${query}`)
      assert.equal(typeof body.total, 'number', text)
      const { result } = await run({ filtros })
      assert.equal(result.total_processados, body.total)
      const rows = await rowsOf({ formato: 'json', filtros } as object)
      assert.deepEqual(
        rows.map((row) => row.id),
        body.tipos.map((one: { id: number }) => one.id),
      )
    })

  it('writes the chosen columns in their order, also those that are no fields', async () => {
    const campos = [
      'numero_notificacao',
      'semana_epidemiologica',
      'municipio_residencia_nome',
      'id',
      'criado_em',
    ]
    for (const formato of ['csv', 'xlsx', 'json']) {
      const rows = await rowsOf({ formato, campos, filtros: { estado: 'SP' } } as object)
      assert.deepEqual(Object.keys(rows[0] ?? {}), campos)
      assert.equal(rows[0]?.semana_epidemiologica, '202415')
      assert.equal(rows[0]?.municipio_residencia_nome, 'São Paulo')
      assert.ok(Date.parse(rows[0]?.criado_em as string) > 0)
    }
  })

  it('writes a header and no row where nothing fits', async () => {
    const file = await app.fileOf({ filtros: { id: 999_999 }, campos: ['id', 'tipo_agravo'] })
    assert.equal(file.toString(), '\uFEFFid;tipo_agravo\r\n')
    assert.equal((await app.fileOf({ formato: 'json', filtros: { id: 999_999 } })).length, 0)
  })

  it('answers 422 to unknown formats, columns and filters, naming each', async () => {
    assert.deepEqual(await invalid({ formato: 'pdf' }), ['formato INVALID_VALUE'])
    assert.deepEqual(await invalid({ formato: undefined }), ['formato REQUIRED'])
    assert.deepEqual(await invalid({ campos: ['id', 'senha'] }), ['campos.1 INVALID_VALUE'])
    assert.equal((await invalid({ campos: [] })).length, 1)
    assert.equal((await invalid({ campos: ['id', 'id'] })).length, 1)
    for (const filtros of [
      { nada: 1 },
      { 'idade[regex]': 1 },
      { estado: 'XX' },
      { idade: 'x' },
      { data_inicio: '2024-13-01' },
      { municipio: 'Reciffe' },
      { 'municipio[in]': 'Recife,9999999' },
    ] as Record<string, unknown>[]) {
      const [only, ...more] = await invalid({ filtros })
      assert.deepEqual(more, [])
      assert.ok(only?.startsWith(`filtros.${Object.keys(filtros)[0]?.split('[')[0]}`), only)
    }
    assert.equal((await invalid({ filtros: [] })).length, 1)
    assert.equal((await invalid({ filtros: { estado: null } })).length, 1)
  })

  it('answers 403 without agravos.exportar', async () => {
    const reader = await t.person({ grupos: ['visualizador'] })
    const error = await refused(() => ask({}, reader), 403)
    assert.equal(error.required_permission, 'agravos.exportar')
  })
})

describe('What identifies patients', () => {
  it('is in no export but an identified one: initials alone, for administrators too', async () => {
    for (const by of [analista, gestor, admin])
      for (const formato of ['csv', 'json']) {
        const text = (await app.fileOf({ formato }, by)).toString()
        assert.doesNotMatch(text, /Joana|Silva|Aurora|1990-05-17/)
        for (const nome of SIGILOSAS) assert.ok(!text.includes(nome), nome)
      }
    const rows = await rowsOf({ formato: 'xlsx' }, admin)
    assert.doesNotMatch(JSON.stringify(rows), /Joana|Silva|Aurora|1990-05-17/)
  })

  it('cannot be chosen as a column without identificado: 422', async () => {
    for (const nome of [...SIGILOSAS, 'latitude', 'investigacao.locais_frequentados'])
      for (const identificado of [undefined, false])
        assert.deepEqual(await invalid({ campos: ['id', nome], identificado }, gestor), [
          'campos.1 INCONSISTENT',
        ])
  })

  it('takes agravos.identificar: 403 without it, whatever the columns', async () => {
    for (const campos of [undefined, ['id'], ['paciente_nome']]) {
      const error = await refused(() => ask({ identificado: true, campos }), 403)
      assert.equal(error.required_permission, 'agravos.identificar')
    }
  })

  it('is exported in full by right, in the audit before the job runs', async () => {
    const before = await audit('caso.identificado')
    const { body } = await ask({ identificado: true, filtros: { tipo_agravo: 'chikungunya' } }, gestor)
    const entries = await audit('caso.identificado')
    assert.equal(entries.length, before.length + 1)
    const { ator_id, detalhes } = entries.at(-1) ?? assert.fail()
    assert.equal(ator_id, gestor.id)
    assert.equal(detalhes.exportacao, body.job_id)
    assert.match(JSON.stringify(detalhes.filtro), /chikungunya/)
    await t.jobWorker.runAll()
    const { bytes } = await app.download(`/jobs/${body.job_id}/arquivo`, gestor)
    for (const told of ['Joana Teste da Silva', 'Rua da Aurora', '1990-05-17'])
      assert.ok(bytes.includes(told), told)
  })

  it('leaves an entry with filter, columns and number of rows for each export, and no other names of patients', async () => {
    const done = await run({ filtros: { estado: 'PE' }, campos: ['id', 'uti'] })
    const { ator_id, recurso, detalhes } = (await audit('casos.exportados')).at(-1) ?? assert.fail()
    assert.deepEqual([ator_id, recurso], [analista.id, 'caso'])
    const { filtro, ...rest } = detalhes
    assert.match(JSON.stringify(filtro), /"PE"/)
    assert.deepEqual(rest, {
      colunas: ['id', 'uti'],
      identificado: false,
      nivel: 'desidentificado',
      formato: 'csv',
      linhas: 3,
      job_id: done.job_id,
    })
    assert.doesNotMatch(JSON.stringify(await audit('casos.exportados')), /Joana|Silva/)
  })
})

describe('GET /jobs/{id}/arquivo', () => {
  for (const [formato, tipo, nome] of [
    ['csv', 'text/csv; charset=utf-8', 'casos.csv'],
    ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'casos.xlsx'],
    ['json', 'application/x-ndjson; charset=utf-8', 'casos.jsonl'],
  ] as const)
    it(`hands ${formato} out to be saved, and to nobody's cache or frame`, async () => {
      const { job_id } = await run({ formato })
      const { status, headers } = await app.download(`/jobs/${job_id}/arquivo`)
      assert.equal(status, 200)
      assert.equal(headers['content-type'], tipo)
      assert.equal(headers['content-disposition'], `attachment; filename="${nome}"`)
      assert.equal(headers['content-security-policy'], "default-src 'none'; sandbox")
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.match(String(headers['cache-control']), /no-store/)
    })

  it('is for its owner alone: 404 for others and for administrators, who see the job', async () => {
    const { job_id } = await run({}, gestor)
    for (const by of [analista, admin])
      assert.equal((await app.download(`/jobs/${job_id}/arquivo`, by)).status, 404)
    assert.equal((await t.as(admin).get(`/jobs/${job_id}`)).status, 200)
    assert.equal((await t.as(analista).get(`/jobs/${job_id}`)).status, 404)
    assert.equal((await app.download(`/jobs/${job_id}/rejeitados`, gestor)).status, 404)
    assert.equal((await app.download(`/jobs/${job_id}/arquivo`, gestor)).status, 200)
  })

  it('needs the rights of its export at every download: 403 once one is gone', async () => {
    const someone = await t.person({ permissoes: ['agravos.exportar', 'agravos.identificar'] })
    const identified = `/jobs/${(await run({ identificado: true }, someone)).job_id}/arquivo`
    const plain = `/jobs/${(await run({}, someone)).job_id}/arquivo`
    for (const path of [identified, plain]) assert.equal((await app.download(path, someone)).status, 200)
    await app.take(someone, 'agravos.identificar')
    const before = await app.jobs()
    const refused = await t.as(someone).get(identified)
    assert.deepEqual([refused.status, refused.body.error.required_permission], [403, 'agravos.identificar'])
    assert.deepEqual(await app.jobs(), before)
    assert.equal((await app.download(plain, someone)).status, 200)
    await app.take(someone, 'agravos.exportar')
    assert.equal((await app.download(plain, someone)).status, 403)
  })

  it('leaves an entry in the audit for each download, by whom and of which job', async () => {
    const { job_id } = await run({ identificado: true }, gestor)
    const before = (await audit('exportacao.baixada')).length
    for (let i = 0; i < 2; i++) await app.download(`/jobs/${job_id}/arquivo`, gestor)
    await app.download(`/jobs/${job_id}/arquivo`, admin)
    const entries = (await audit('exportacao.baixada')).slice(before)
    const entry = {
      ator_id: gestor.id,
      recurso: 'job',
      recurso_id: job_id,
      detalhes: { tipo: 'exportacao_casos', permissoes: ['agravos.exportar', 'agravos.identificar'] },
    }
    assert.deepEqual(entries, [entry, entry])
  })

  it('answers 404 after 24 hours, and the bytes are removed', async () => {
    const someone = await t.person({ grupos: ['analista'] })
    const { job_id } = await run({}, someone)
    const bytes = () =>
      t.database.pool.first<{ partes: number }>(sql`
        select count(*) as partes from arquivos_partes p join jobs j on j.arquivo_id = p.arquivo_id
         where j.id = ${job_id}`)
    t.clock.advance(DAY - 60_000)
    await cleanUp(t.app)
    assert.equal((await bytes())?.partes, 1)
    t.clock.advance(120_000)
    const token = await renewed(someone)
    const gone = await t.as(token).get(`/jobs/${job_id}/arquivo`)
    assert.equal(gone.status, 404)
    assert.match(gone.body.error.message, /expirou/)
    assert.equal((await app.job(job_id, token)).arquivo_url, undefined)
    await cleanUp(t.app)
    assert.equal((await bytes())?.partes, 0)
    assert.equal((await app.download(`/jobs/${job_id}/arquivo`, token)).status, 404)
    assert.equal((await app.job(job_id, token)).status, 'completed')
  })
})

/** Whose token has run out in the meantime. */
async function renewed(person: Person): Promise<Person> {
  const { body } = await t.anonymous.post('/auth/login', { username: person.email, password: PASSWORD })
  return { ...person, token: body.access_token }
}
