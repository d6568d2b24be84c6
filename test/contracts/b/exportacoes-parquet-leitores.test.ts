import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { defaultColumns } from '../../../src/domain/exportacao/columns.ts'
import { rowsByArrow } from './arrow.ts'
import { askParquet } from './duckdb.ts'
import { exportacoesApp } from './exportacoes-app.ts'
import { csv } from './importacoes-app.ts'
import { randomRows } from './sinan-arbitrario.ts'

/** A Parquet file of some hundred cases, as programs of others read it. */

const app = await exportacoesApp()
const { t, gestor } = app
after(() => t.close())

const TIPOS = ['dengue', 'chikungunya', 'zika'] as const
const PLACES = [
  { SG_UF: '26', ID_MN_RESI: '261160' },
  { SG_UF: '35', ID_MN_RESI: '355030' },
  { SG_UF: '12', ID_MN_RESI: '120040' },
]
const CASES = 200

let file: Buffer
before(async () => {
  for (const tipo of TIPOS) {
    const rows = randomRows(tipo, 800, CASES).map((row, i) => ({ ...row, ...PLACES[i % PLACES.length] }))
    const { importados } = await app.importar(csv(...rows), { by: gestor })
    assert.equal(importados, CASES)
  }
  const campos = [...defaultColumns(false), 'criado_em']
  file = await app.fileOf({ formato: 'parquet', campos }, gestor)
})

async function totalOf(filtros: Record<string, string>): Promise<number> {
  const { status, body } = await t
    .as(gestor)
    .get(`/agravos/casos/estatisticas/resumo?${new URLSearchParams(filtros)}`)
  assert.equal(status, 200)
  return body.total
}

describe('A Parquet file of some hundred cases', () => {
  it('has by disease, class and state what the summary has', async () => {
    const rows = await askParquet(
      file,
      (path) =>
        `select tipo_agravo, coalesce(classificacao_final, 'em_investigacao') as classificacao,
           estado_residencia as estado, count(*)::int as total from ${path} group by all`,
    )
    assert.ok(rows.length > 20, `${rows.length} groups`)
    for (const { total, ...filtros } of rows)
      assert.equal(await totalOf(filtros as Record<string, string>), total, JSON.stringify(filtros))
    const counted = rows.reduce((sum, { total }) => sum + Number(total), 0)
    assert.deepEqual([counted, await totalOf({})], [TIPOS.length * CASES, TIPOS.length * CASES])
  })

  it('keeps texts that repeat once each, in dictionaries', async () => {
    const columns = await askParquet(
      file,
      (path) => `select path_in_schema as nome, type, encodings from parquet_metadata(${path})`,
    )
    const encodings = new Map(columns.map(({ nome, encodings }) => [nome, String(encodings)]))
    for (const nome of [
      ...['tipo_agravo', 'classificacao_final', 'evolucao', 'paciente_sexo', 'paciente_raca'],
      ...['estado_residencia', 'municipio_residencia_nome', 'semana_epidemiologica', 'municipio_residencia'],
    ])
      assert.match(encodings.get(nome) ?? '', /RLE_DICTIONARY/, nome)
  })

  it('is read by parquet-wasm with apache-arrow as by DuckDB, cell by cell', async () => {
    const told = await askParquet(
      file,
      (path) => `select * replace (epoch_ms(criado_em)::double as criado_em) from ${path}`,
    )
    const read = rowsByArrow(file)
    assert.equal(read.length, TIPOS.length * CASES)
    assert.deepEqual(read, told)
  })

  it('without a case is read by parquet-wasm, too', async () => {
    const none = await app.fileOf({ formato: 'parquet', filtros: { id: 999_999 } }, gestor)
    assert.deepEqual(rowsByArrow(none), [])
  })
})
