import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { sql } from '../../../src/db/sql.ts'
import { readTable } from '../../domain/importacao/formats/files.ts'
import type { Person } from '../../harness/app.ts'
import { bind } from '../../harness/bound.ts'
import { CARUARU, epizootiasApp, PALMAS, problemsOf, RECIFE } from './epizootias-app.ts'

const app = await epizootiasApp()
const { t, pool, gestor, analista, leitor, registrar, ler, importar } = app
after(() => t.close())

const PATH = '/epizootias/exportar'
const TODAS = [
  ...['id', 'numero', 'data_ocorrencia', 'mes_ocorrencia', 'ano_ocorrencia', 'precisao_data', 'semana'],
  ...['data_notificacao', 'municipio', 'municipio_nome', 'estado', 'localidade', 'zona', 'latitude'],
  ...['longitude', 'ambiente', 'especie_grupo', 'especie', 'animais_doentes', 'animais_mortos', 'suspeita'],
  ...['material_coletado', 'data_coleta', 'laboratorio_resultado', 'classificacao', 'criterio'],
  ...['data_encerramento', 'observacao', 'criado_em', 'atualizado_em'],
]

async function fileOf(body: object, by: Person = leitor): Promise<Buffer> {
  const { status, body: accepted, text } = await t.as(by).post(PATH, { formato: 'csv', ...body })
  assert.equal(status, 202, text)
  await t.jobWorker.runAll()
  const { body: done } = await t.as(by).get(`/jobs/${accepted.job_id}`)
  assert.deepEqual([done.tipo, done.status], ['exportacao_epizootias', 'completed'], JSON.stringify(done))
  const file = await t.server.inject({
    method: 'GET',
    url: `/api/v1/jobs/${accepted.job_id}/arquivo`,
    headers: { authorization: `Bearer ${by.token}` },
  })
  assert.equal(file.statusCode, 200)
  return file.rawPayload
}

async function rowsOf(body: object, by: Person = leitor): Promise<Record<string, string>[]> {
  const { header, values } = await readTable(await fileOf(body, by))
  return values.map((row) => Object.fromEntries(header.map((nome, i) => [nome, row[i] ?? ''])))
}

const id = await registrar({
  ...{ numero: '=1+1', localidade: 'Dois Irmãos', latitude: -8.012345, longitude: -34.945678 },
  ...{ especie: 'Callithrix', animais_doentes: 1, animais_mortos: 2, material_coletado: true },
  ...{ classificacao: 'confirmada', criterio: 'laboratorial', observacao: 'No quintal de Rosa; "fundos"' },
})
await registrar({ municipio: CARUARU, suspeita: 'raiva', especie_grupo: 'quiroptero' })
await registrar({ municipio: PALMAS, data_ocorrencia: null, ano_ocorrencia: 2024 })
const gone = await registrar({ localidade: 'Apagada' })
assert.equal((await t.as(gestor).delete(`/epizootias/${gone}?motivo=engano`)).status, 204)

describe('POST /epizootias/exportar', () => {
  it('writes what the list has, with rough spots and without the observation', async () => {
    const rows = await rowsOf({})
    assert.equal(rows.length, (await ler('/epizootias')).total)
    assert.deepEqual(
      Object.keys(rows[0] ?? {}),
      TODAS.filter((nome) => nome !== 'observacao'),
    )
    const one = rows.find((row) => row.id === String(id)) ?? assert.fail()
    assert.deepEqual(
      [one.numero, one.municipio, one.municipio_nome, one.semana, one.latitude, one.longitude],
      ['=1+1', RECIFE, 'Recife', '202602', '-8.01', '-34.95'],
    )
    assert.doesNotMatch(JSON.stringify(rows), /quintal|Apagada/)
  })

  it('has the observation and the exact spot where that is asked for, by those who may register', async () => {
    const [one] = await rowsOf({ identificado: true, filtros: { id } }, analista)
    assert.deepEqual(Object.keys(one ?? {}), TODAS)
    assert.deepEqual(
      [one?.latitude, one?.longitude, one?.observacao],
      ['-8.012345', '-34.945678', 'No quintal de Rosa; "fundos"'],
    )
    const [plain] = await rowsOf({ filtros: { id } }, analista)
    assert.deepEqual([plain?.latitude, plain?.observacao], ['-8.01', undefined])
    const refused = await t.as(leitor).post(PATH, { formato: 'csv', identificado: true })
    assert.deepEqual(
      [refused.status, refused.body.error.required_permission],
      [403, 'epizootias.registrar'],
      refused.text,
    )
  })

  it('can be imported again and changes nothing then', async () => {
    const { importados, atualizados, inalterados, erros } = await importar(
      await fileOf({ identificado: true }, analista),
    )
    assert.deepEqual([importados, atualizados, erros], [0, 0, 0])
    assert.equal(inalterados, (await ler('/epizootias')).total)
  })

  it('goes by filters and columns, in every format', async () => {
    assert.deepEqual(await rowsOf({ filtros: { suspeita: 'raiva' }, campos: ['estado', 'suspeita'] }), [
      { estado: 'PE', suspeita: 'raiva' },
    ])
    const search = { filtros: { search: 'dois irmaos' }, campos: ['id'] }
    assert.deepEqual(await rowsOf({ ...search, formato: 'xlsx' }), [{ id: String(id) }])
    const lines = gunzipSync(await fileOf({ ...search, formato: 'json', compactacao: 'gzip' }))
    assert.deepEqual(JSON.parse(lines.toString()), { id })
    assert.equal((await fileOf({ formato: 'parquet' })).subarray(0, 4).toString(), 'PAR1')
  })

  it('is cut by the territory, and recorded in the audit', async () => {
    const tocantins = await bind(t, await t.person({ grupos: ['visualizador'] }), 'uf:TO')
    const rows = await rowsOf({}, tocantins)
    assert.deepEqual(
      rows.map(({ estado }) => estado),
      ['TO'],
    )
    const entry = await pool.first<{ recurso: string; detalhes: Record<string, unknown> }>(sql`
      select recurso, detalhes from auditoria where acao = 'epizootias.exportadas' order by id desc limit 1`)
    assert.deepEqual(
      [entry?.recurso, entry?.detalhes.linhas, entry?.detalhes.formato, entry?.detalhes.identificado],
      ['epizootia', 1, 'csv', false],
    )
  })

  it('refuses formats, columns and filters that it does not have', async () => {
    const jobs = () => pool.value(sql`select count(*) from jobs`)
    const before = await jobs()
    for (const [body, expected] of [
      [{ formato: 'dbf' }, 'formato INVALID_VALUE'],
      [{ campos: ['sigilo'] }, 'campos.0 INVALID_VALUE'],
      [{ campos: ['id', 'observacao'] }, 'campos.1 INCONSISTENT'],
      [{ formato: 'xlsx', compactacao: 'gzip' }, 'compactacao INCONSISTENT'],
      [{ filtros: { idade: 3 } }, 'filtros.idade UNKNOWN_FIELD'],
      [{ filtros: { municipio: 'Nenhures' } }, 'filtros.municipio UNKNOWN_MUNICIPIO'],
    ] as const)
      assert.deepEqual(problemsOf(await t.as(leitor).post(PATH, { formato: 'csv', ...body })), [expected])
    const nobody = await t.person({ grupos: [] })
    assert.equal((await t.as(nobody).post(PATH, { formato: 'csv' })).status, 403)
    assert.equal(await jobs(), before)
  })
})

describe('GET /epizootias/excluidas', () => {
  it('lists what was deleted, who did it and when, to those who may restore it', async () => {
    const { items, total } = await ler('/epizootias/excluidas', gestor)
    assert.equal(total, 1)
    const [one] = items
    assert.deepEqual(
      [one.id, one.localidade, one.excluido_por, one.municipio],
      [gone, 'Apagada', { id: gestor.id, nome: 'Pessoa 1' }, 'Recife'],
    )
    assert.ok(!Number.isNaN(Date.parse(one.excluido_em)))
    assert.equal('observacao' in one, false)
    assert.equal((await t.as(analista).get('/epizootias/excluidas')).status, 403)
  })

  it('is filtered as the list is, cut by the territory, and empty once they are restored', async () => {
    const total = async (query: string, by = gestor) =>
      (await ler(`/epizootias/excluidas?${query}`, by)).total
    assert.deepEqual(
      [await total('estado=PE'), await total('estado=TO'), await total('search=apagada')],
      [1, 0, 1],
    )
    const tocantins = await bind(t, await t.person({ grupos: ['gestor'] }), 'uf:TO')
    assert.equal(await total('', tocantins), 0)
    assert.equal((await t.as(gestor).post(`/epizootias/${gone}/restaurar`)).status, 200)
    assert.equal(await total(''), 0)
  })
})
