import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { isSecret } from '../../../src/domain/casos/campos.ts'
import { CASOS_COLUMNS } from '../../../src/domain/exportacao/columns.ts'
import { Zip } from '../../../src/domain/importacao/formats/zip.ts'
import { readTable, sourceOf } from '../../domain/importacao/formats/files.ts'
import { randomCasos } from './casos-arbitrarios.ts'
import { exportacoesApp } from './exportacoes-app.ts'
import { linha, numeros, ZERO } from './importacoes-app.ts'

/** What is exported can be imported again, and is the same. */

const app = await exportacoesApp()
const { t, gestor, fileOf, rowsOf } = app
after(() => t.close())
const { pool } = t.database
beforeEach(async () => {
  await pool.run(sql`delete from casos`)
  await pool.run(sql`delete from importacoes`)
})

const FULL_WIDTH = ['＝1+1', '＋55 81', '－x', '＠soma', "'＝já escapado"]
const FORMULAS = [
  ...['=1+1', '+55 81', '-x', '@soma', "'=já escapado", "''-duas vezes", "d'água", '-5', '=', "'"],
  ...FULL_WIDTH,
]

async function create(body: object): Promise<void> {
  const { status, text } = await t.as(gestor).post('/agravos/casos', body)
  assert.equal(status, 201, text)
}

async function removeAll() {
  await pool.run(sql`delete from casos`)
  await pool.run(sql`delete from importacoes`)
}

/** A file is imported over what it was made of, then into an empty service. */
async function comesBack(formato: string) {
  const before = await app.contents()
  const total_linhas = Object.keys(before).length
  const file = await fileOf({ formato, identificado: true }, gestor)
  const rows = await app.casos()
  const same = await app.importar(file, { formato, by: gestor })
  assert.deepEqual(same.erros_detalhados, [])
  // The column `id` and those that tell weeks and names are none of the importer's; one warning names them.
  assert.deepEqual(numeros(same), { ...ZERO, total_linhas, inalterados: total_linhas, avisos: 1 })
  assert.deepEqual(await app.casos(), rows)
  await removeAll()
  const again = await app.importar(file, { formato, by: gestor })
  assert.deepEqual(numeros(again), { ...ZERO, total_linhas, importados: total_linhas, avisos: 1 })
  assert.deepEqual(await app.contents(), before)
}

describe('An identified export', () => {
  it('as CSV is imported into the same service without a change, and into an empty one as the same cases', async () => {
    for (const { body } of randomCasos(120, 20_260_101)) await create(measured(body))
    await comesBack('csv')
  })

  it('as XLSX, too, but for control characters, which a workbook cannot hold', async () => {
    for (const { body } of randomCasos(120, 20_260_102)) await create(measured(printable(body)))
    await comesBack('xlsx')
  })

  it('keeps lists, places and empty lists of them as they were', async () => {
    const dados_clinicos = { comorbidades: ['diabetes', 'a|b', ' com espaços ', '[x', 'c;d', 'e"f'] }
    const locais = [
      { local: 'Praia; "norte"', endereco: 'Av. Boa Viagem, 100', periodo: null },
      { local: '=HOJE()', endereco: null, periodo: 'carnaval\nde 2024' },
    ]
    await create({ ...linha(), dados_clinicos, investigacao: { locais_frequentados: locais } })
    await create({ ...linha(), investigacao: { locais_frequentados: [] } })
    await create({ ...linha(), dados_clinicos: { comorbidades: ['uma só'] } })
    const sinais_gravidade = ['hematemese', 'melena']
    await create({ ...linha(), dados_especificos: { sinais_gravidade } })
    await comesBack('csv')
    await comesBack('xlsx')
  })

  it('keeps texts that a spreadsheet would take for formulas', async () => {
    for (const texto of FORMULAS)
      await create({
        ...linha(),
        paciente_ocupacao: texto,
        bairro_residencia: texto,
        paciente_nome: `${texto} Souza`,
      })
    await comesBack('csv')
    await comesBack('xlsx')
  })
})

/** Numbers as they are measured; within a cell, every end of a line is the same one. */
const measured = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (_key, one) => {
    if (typeof one === 'number') return Number(one.toFixed(7)) + 0
    return typeof one === 'string' ? one.replaceAll(/\r\n?/g, '\n') : one
  })

/** Without what XML has no place for. */
function printable<T>(value: T): T {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
  const clean = (text: string) => text.replaceAll(/[\u0000-\u001f\u007f-\u009f\ufffe\uffff]/g, '_')
  return JSON.parse(JSON.stringify(value), (_key, one) => (typeof one === 'string' ? clean(one) : one))
}

describe('An export as XLSX', () => {
  /** The parts of the workbook, as bytes that nobody of ours has read. */
  async function partsOf(bytes: Buffer) {
    const zip = await Zip.open(sourceOf(bytes))
    const part = async (name: string) => text(Readable.from(zip.source(name).stream()))
    return { sheet: await part('xl/worksheets/sheet1.xml'), styles: await part('xl/styles.xml') }
  }
  const cellsOf = (sheet: string) =>
    [...sheet.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row = '']) =>
      [...row.matchAll(/<c(?: [^>]*)?(?:\/>|>.*?<\/c>)/gs)].map(([cell]) => cell),
    )
  const campos = [
    'numero_notificacao',
    'data_notificacao',
    'data_inicio_sintomas',
    'paciente_data_nascimento',
    'paciente_idade',
    'criado_em',
  ]

  it('has dates and moments of Brazil as numbers in the form of a date, what is older than they go as text', async () => {
    const nascimento = { data_inicio_sintomas: '2024-02-29', paciente_data_nascimento: '1900-02-28' }
    await create({ ...linha(), data_notificacao: '2024-03-01', ...nascimento })
    await pool.run(sql`update casos set criado_em = '2026-11-16T02:30:15Z'`)
    const file = await fileOf({ formato: 'xlsx', campos, identificado: true }, gestor)
    const { sheet, styles } = await partsOf(file)
    const [, [, notificado, inicio, nascido, idade, criado] = []] = cellsOf(sheet)
    assert.deepEqual(
      [notificado, inicio, idade],
      ['<c s="2"><v>45352</v></c>', '<c s="2"><v>45351</v></c>', '<c><v>124</v></c>'],
    )
    assert.match(nascido ?? '', /inlineStr.*1900-02-28/)
    // 15 November, 23:30:15 in Brazil.
    const [, serial] = /^<c s="3"><v>([\d.]+)<\/v><\/c>$/.exec(criado ?? '') ?? []
    const moment = new Date(Date.UTC(1899, 11, 30) + Math.round(Number(serial) * 86_400) * 1000)
    assert.equal(moment.toISOString(), '2026-11-15T23:30:15.000Z')
    const formats = [...styles.matchAll(/<xf numFmtId="(\d+)"[^>]*xfId="0"/g)].map(([, id]) => id)
    assert.deepEqual(formats, ['0', '0', '164', '165'])
    assert.match(styles, /numFmtId="164" formatCode="dd\/mm\/yyyy"/)
    assert.match(styles, /numFmtId="165" formatCode="dd\/mm\/yyyy hh:mm:ss"/)
  })

  it('keeps its header in sight, with a filter over all its rows and columns as wide as their names', async () => {
    for (let i = 0; i < 3; i++) await create(linha())
    const { sheet } = await partsOf(await fileOf({ formato: 'xlsx' }, gestor))
    const [header = []] = cellsOf(sheet)
    assert.match(sheet, /<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"\/>/)
    assert.match(sheet, /<\/sheetData><autoFilter ref="A1:C[A-Z]4"\/><\/worksheet>$/)
    assert.equal(sheet.match(/<col min=/g)?.length, header.length)
    assert.match(sheet, /<col min="1" max="1" width="12" customWidth="1"\/>/)
    const filterOf = async (columns: number) => {
      const campos = CASOS_COLUMNS.filter((nome) => !isSecret(nome)).slice(0, columns)
      const file = await fileOf({ formato: 'xlsx', campos, filtros: { id: 999_999 } })
      return /<autoFilter ref="(.*?)"/.exec((await partsOf(file)).sheet)?.[1]
    }
    assert.deepEqual(
      [await filterOf(1), await filterOf(26), await filterOf(27), await filterOf(53)],
      ['A1:A1', 'A1:Z1', 'A1:AA1', 'A1:BA1'],
    )
  })

  it('tells weeks and names of municipalities beside the dates and codes, unless columns are chosen', async () => {
    const more = { data_inicio_sintomas: '2024-03-08', municipio_infeccao: '3550308' }
    await create({ ...linha(), data_notificacao: '2024-03-12', ...more })
    const { header, values } = await readTable(await fileOf({ formato: 'xlsx' }, gestor))
    const [row = []] = values
    for (const [nome, valor, beside, told] of [
      ['data_notificacao', '2024-03-12', 'semana_epidemiologica', '202411'],
      ['data_inicio_sintomas', '2024-03-08', 'semana_epidemiologica_sintomas', '202410'],
      ['municipio_residencia', '2611606', 'municipio_residencia_nome', 'Recife'],
      ['municipio_infeccao', '3550308', 'municipio_infeccao_nome', 'São Paulo'],
    ] as const) {
      const i = header.indexOf(nome)
      assert.deepEqual([header[i + 1], row[i], row[i + 1]], [beside, valor, told])
    }
  })
})

describe('A cell that begins like a formula', () => {
  const campos = ['numero_notificacao', 'bairro_residencia', 'paciente_ocupacao']

  it('in CSV has an apostrophe before it, but for plain numbers', async () => {
    for (const texto of FORMULAS) await create({ ...linha(), bairro_residencia: texto })
    const text = (await fileOf({ campos })).toString()
    const cells = text.split('\r\n').flatMap((line) => line.split(';'))
    for (const cell of cells) if (!/^-?\d+$/.test(cell)) assert.doesNotMatch(cell, /^"?[=+\-@＝＋－＠\t\r\n]/)
    for (const cell of ["'=1+1", "'+55 81", "'-x", "'@soma", '-5']) assert.ok(cells.includes(cell), cell)
    for (const texto of FULL_WIDTH) assert.ok(cells.includes(`'${texto}`), texto)
  })

  it('in XLSX is a text in a cell of texts, as it is', async () => {
    for (const texto of FORMULAS) await create({ ...linha(), bairro_residencia: texto })
    const file = await fileOf({ formato: 'xlsx', campos })
    const { formato, warning, header, values } = await readTable(file, 'xlsx')
    assert.deepEqual([formato, warning, header], ['xlsx', null, campos])
    assert.deepEqual(values.map((row) => row[1]).toSorted(), FORMULAS.toSorted())
    const rows = await rowsOf({ formato: 'json', campos } as object)
    assert.deepEqual(rows.map((row) => row.bairro_residencia).toSorted(), FORMULAS.toSorted())
  })
})

describe('An export without names', () => {
  it('is no file of cases to import: it has no names, and no row of it is taken', async () => {
    await create(linha())
    const before = await app.casos()
    const done = await app.run({}, gestor)
    const { bytes } = await app.download(`/jobs/${done.job_id}/arquivo`, gestor)
    const sent = await app.send(bytes, { modo: 'importar', by: gestor })
    await t.jobWorker.runAll()
    const job = await app.job(sent.body.job_id, gestor)
    assert.equal(job.status, 'failed')
    assert.match(job.resultado.erros_detalhados[0].erro, /^paciente_nome: /)
    assert.deepEqual(await app.casos(), before)
  })
})
