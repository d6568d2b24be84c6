import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { askParquet } from './duckdb.ts'
import { exportacoesApp } from './exportacoes-app.ts'
import { linha } from './importacoes-app.ts'

/** Files for analysts: Parquet as DuckDB reads it, and compressed texts. */

const app = await exportacoesApp()
const { t, gestor, analista } = app
after(() => t.close())

for (const [i, more] of [
  { paciente_idade: 70, paciente_gestante: false, municipio_infeccao: 'Olinda' },
  { tipo_agravo: 'zika', paciente_idade: 20, data_inicio_sintomas: '2024-04-08' },
  {
    dados_laboratoriais: { plaquetas: 54_000, hematocrito: 41.5 },
    dados_clinicos: { comorbidades: ['diabetes', 'asma'] },
  },
].entries()) {
  const body = { ...linha(), data_notificacao: `2024-04-1${i}`, ...more }
  const { status, text } = await t.as(gestor).post('/agravos/casos', body)
  assert.equal(status, 201, text)
}

describe('An export as Parquet', () => {
  it('has the rows and columns of the CSV, each column with its type', async () => {
    const file = await app.fileOf({ formato: 'parquet' })
    const [header] = (await app.fileOf({})).toString().split('\r\n')
    const types = await askParquet(
      file,
      (path) => `select column_name, column_type from (describe select * from ${path})`,
    )
    assert.deepEqual(
      types.map(({ column_name }) => column_name),
      header?.replace('\uFEFF', '').split(';'),
    )
    const typeOf = Object.fromEntries(types.map(({ column_name, column_type }) => [column_name, column_type]))
    for (const [nome, type] of [
      ['id', 'INTEGER'],
      ['data_notificacao', 'DATE'],
      ['paciente_idade', 'INTEGER'],
      ['paciente_gestante', 'BOOLEAN'],
      ['municipio_residencia', 'INTEGER'],
      ['dados_laboratoriais.hematocrito', 'DOUBLE'],
      ['tipo_agravo', 'VARCHAR'],
    ] as const)
      assert.equal(typeOf[nome], type, nome)
  })

  it('has the values of the cases, and null where nothing is known', async () => {
    const campos = [
      ...['tipo_agravo', 'data_notificacao', 'data_inicio_sintomas', 'paciente_idade', 'paciente_gestante'],
      ...[
        'municipio_infeccao',
        'dados_laboratoriais.hematocrito',
        'dados_clinicos.comorbidades',
        'criado_em',
      ],
    ]
    const file = await app.fileOf({ formato: 'parquet', campos })
    const rows = await askParquet(
      file,
      (path) =>
        `select * exclude (criado_em), criado_em > timestamp '2020-01-01' as dated from ${path} order by data_notificacao`,
    )
    const none = {
      municipio_infeccao: null,
      'dados_laboratoriais.hematocrito': null,
      'dados_clinicos.comorbidades': null,
    }
    assert.deepEqual(rows, [
      {
        ...none,
        ...{ tipo_agravo: 'dengue', data_notificacao: '2024-04-10', data_inicio_sintomas: null },
        ...{ paciente_idade: 70, paciente_gestante: false, municipio_infeccao: 2_609_600, dated: true },
      },
      {
        ...none,
        ...{ tipo_agravo: 'zika', data_notificacao: '2024-04-11', data_inicio_sintomas: '2024-04-08' },
        ...{ paciente_idade: 20, paciente_gestante: null, dated: true },
      },
      {
        ...{
          tipo_agravo: 'dengue',
          data_notificacao: '2024-04-12',
          data_inicio_sintomas: null,
          paciente_idade: null,
        },
        ...{ paciente_gestante: null, municipio_infeccao: null, 'dados_laboratoriais.hematocrito': 41.5 },
        ...{ 'dados_clinicos.comorbidades': 'diabetes|asma', dated: true },
      },
    ])
  })

  it('tells the filter, the moment and that it is not anonymous', async () => {
    const file = await app.fileOf({ formato: 'parquet', filtros: { tipo_agravo: 'zika' } })
    const rows = await askParquet(
      file,
      (path) => `select decode(key) as key, decode(value) as value from parquet_kv_metadata(${path})`,
    )
    const facts = Object.fromEntries(rows.map(({ key, value }) => [key, value]))
    assert.equal(facts['vigia.nivel'], 'desidentificado')
    assert.match(String(facts['vigia.filtro']), /zika/)
    assert.ok(Date.parse(String(facts['vigia.gerado_em'])) > 0)
  })

  it('without a case has its columns and no row', async () => {
    const file = await app.fileOf({ formato: 'parquet', filtros: { id: 999_999 } })
    const [row] = await askParquet(file, (path) => `select count(*)::int as n from ${path}`)
    assert.deepEqual(row, { n: 0 })
  })

  it('is not anonymous, and has no name', async () => {
    const file = await app.fileOf({ formato: 'parquet' })
    assert.doesNotMatch(file.toString('latin1'), /Joana Teste/)
    assert.match(
      (await app.fileOf({ formato: 'parquet', identificado: true }, gestor)).toString('latin1'),
      /Joana Teste/,
    )
  })
})

describe('An export with gzip', () => {
  for (const formato of ['csv', 'json'])
    it(`is the same ${formato}, smaller, under its own name`, async () => {
      const plain = await app.fileOf({ formato })
      const done = await app.run({ formato, compactacao: 'gzip' })
      const { headers, bytes } = await app.download(`/jobs/${done.job_id}/arquivo`, analista)
      assert.deepEqual(gunzipSync(bytes), plain)
      assert.equal(headers['content-type'], 'application/gzip')
      assert.match(
        String(headers['content-disposition']),
        formato === 'csv' ? /casos\.csv\.gz/ : /casos\.jsonl\.gz/,
      )
    })
})
