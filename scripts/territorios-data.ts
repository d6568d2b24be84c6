import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'

/**
 * `npx node scripts/territorios-data.ts <folder>`: remakes the tables of `src/brasil/tabelas` from the public files in that
 * folder, which its README names. New figures are new files there, not code.
 */
const SOURCES = {
  municipios: 'municipios_completo.csv',
  populacao: 'epidemiology/populacao/populacao_municipio_ano_2000_2024.csv',
  sexoEFaixa: 'epidemiology/populacao/populacao_municipio_sexo_faixa_2020_2024.csv.gz',
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: npx node scripts/territorios-data.ts <folder>')

const tables = new URL('../src/brasil/tabelas/', import.meta.url)
const municipios = await rowsOf(SOURCES.municipios)
const codes = new Set(municipios.map(({ codigo_ibge }) => codigo_ibge as string))

await write('municipios.csv', tableOf(municipiosTable(municipios)))
await write('regioes-saude.csv', tableOf(regioesTable(municipios)))
await write('populacao.csv', tableOf(populacaoTable(await rowsOf(SOURCES.populacao))))
const sexoEFaixa = tableOf(sexoEFaixaTable(await rowsOf(SOURCES.sexoEFaixa)))
await write('populacao-sexo-faixa.csv.gz', gzipSync(sexoEFaixa, { level: 9 }))

type Row = Record<string, string>

async function rowsOf(file: string): Promise<Row[]> {
  const bytes = await readFile(join(folder as string, file))
  return parse(file.endsWith('.gz') ? gunzipSync(bytes) : bytes, { columns: true, bom: true })
}

async function write(file: string, content: string | Buffer): Promise<void> {
  await writeFile(new URL(file, tables), content)
  console.log(`${file}: ${Buffer.byteLength(content)} bytes`)
}

/** Lines in the order of their code: a new revision then differs only where figures do. */
function tableOf([header, ...lines]: string[][]): string {
  const sorted = lines.toSorted(([a = ''], [b = '']) => Number(a) - Number(b))
  const cells = [header as string[], ...sorted]
  if (cells.flat().some((cell) => /[;"\r\n]/.test(cell))) throw new Error('a cell holds a separator')
  return `${cells.map((line) => line.join(';')).join('\n')}\n`
}

function municipiosTable(rows: Row[]): string[][] {
  const lines = rows.map(
    ({ codigo_ibge = '', nome = '', uf = '', latitude = '', longitude = '', ...row }) => [
      codigo_ibge,
      nome,
      uf,
      latitude,
      longitude,
      row.cod_regiao_saude ?? '',
    ],
  )
  return [['codigo', 'nome', 'uf', 'latitude', 'longitude', 'regiao_saude'], ...lines]
}

function regioesTable(rows: Row[]): string[][] {
  const regioes = new Map<string, string[]>()
  for (const { cod_regiao_saude: codigo = '', nome_regiao_saude: nome = '', uf = '' } of rows) {
    if (codigo === '') continue
    const line = [codigo, nome, uf]
    if (String(regioes.get(codigo) ?? line) !== String(line))
      throw new Error(`region ${codigo} is told twice`)
    regioes.set(codigo, line)
  }
  return [['codigo', 'nome', 'uf'], ...regioes.values()]
}

function populacaoTable(rows: Row[]): string[][] {
  const anos = Object.keys(rows[0] as Row).filter((name) => /^\d{4}$/.test(name))
  return [
    ['codigo', ...anos],
    ...rows.map((row) => [knownCode(row), ...anos.map((ano) => figureOf(row, ano))]),
  ]
}

/** One line a municipality: the years one after the other, in each the bands of men, then those of women. */
function sexoEFaixaTable(rows: Row[]): string[][] {
  const cells = Object.keys(rows[0] as Row).filter((name) => name.includes('|'))
  const anos = [...new Set(rows.map(({ ano }) => ano as string))].toSorted()
  const header = anos.flatMap((ano) => cells.map((cell) => `${ano} ${cell.replace('|', ' ')}`))
  const lines = [...Map.groupBy(rows, knownCode)].map(([codigo, years]) => {
    const ofYear = (ano: string) => years.find((row) => row.ano === ano) as Row
    return [codigo, ...anos.flatMap((ano) => cells.map((cell) => figureOf(ofYear(ano), cell)))]
  })
  return [['codigo', ...header], ...lines]
}

function knownCode({ codigo = '' }: Row): string {
  if (!codes.has(codigo)) throw new Error(`municipality ${codigo} is in no list`)
  return codigo
}

function figureOf(row: Row, column: string): string {
  const figure = row[column] ?? ''
  if (!/^\d+$/.test(figure)) throw new Error(`${row.codigo}, ${column}: no figure`)
  return figure
}
