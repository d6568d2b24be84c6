// A research extract judged from its file alone, and the least loss that any combination of levels would have, counted in the plainest way.
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import { loadMunicipios } from '../../../src/brasil/municipios.ts'
import type { Db } from '../../../src/db/db.ts'
import { sql } from '../../../src/db/sql.ts'
import { Zip } from '../../../src/domain/importacao/formats/zip.ts'
import { sourceOf } from '../../domain/importacao/formats/files.ts'

type Row = Record<string, string>

/** What could single somebody out, and how far each may be generalised: written here again, from the interface (4.6). */
export const QUASE = ['inicio', 'lugar', 'idade', 'sexo', 'raca'] as const
type Show = (value: string) => string
const asIs: Show = (value) => value
const left: Show = () => ''
const of =
  (show: Show): Show =>
  (value) =>
    value === '' ? '' : show(value)

async function levels(): Promise<Record<(typeof QUASE)[number], Show[]>> {
  const municipios = await loadMunicipios()
  const regiao: Show = (lugar) => {
    const municipio = municipios.byCodigo(Number(lugar))
    return String(municipio?.regiao?.codigo ?? estado(lugar))
  }
  return {
    inicio: [asIs, of(semana), of((dia) => dia.slice(0, 7)), of(trimestre)],
    lugar: [asIs, of(regiao), of(estado), left],
    idade: [asIs, of(faixa), of((anos) => String(Math.min(4, Math.floor(Number(anos) / 20))))],
    sexo: [asIs, left],
    raca: [asIs, left],
  }
}

/** Weeks begin on Sundays and are of the year that has their Wednesday. */
function semana(dia: string): string {
  const date = new Date(`${dia}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - date.getUTCDay() + 3)
  const ano = date.getUTCFullYear()
  return `${ano} ${Math.floor((date.getTime() - Date.UTC(ano, 0, 1)) / (7 * 86_400_000))}`
}
const trimestre: Show = (dia) => `${dia.slice(0, 4)} ${Math.floor((Number(dia.slice(5, 7)) - 1) / 3)}`
const faixa: Show = (anos) =>
  String([80, 60, 40, 20, 15, 10, 5, 1].find((first) => Number(anos) >= first) ?? 0)

const UFS: Row = Object.fromEntries(
  'RO11 AC12 AM13 RR14 PA15 AP16 TO17 MA21 PI22 CE23 RN24 PB25 PE26 AL27 SE28 BA29 MG31 ES32 RJ33 SP35 PR41 SC42 RS43 MS50 MT51 GO52 DF53'
    .split(' ')
    .map((one) => [one.slice(2), one.slice(0, 2)]),
)
/** Of a municipality by its code; a place without one is a state. */
const estado: Show = (lugar) => UFS[lugar.slice(0, 2)] ?? lugar

/** All cases, as an extract could tell them at its finest. */
export const quaseRows = (db: Db): Promise<Row[]> =>
  db.rows<Row>(sql`
    select coalesce(data_inicio_sintomas::text, '') as inicio, coalesce(municipio_residencia::text, estado_residencia, '') as lugar,
      coalesce(paciente_idade::text, '') as idade, coalesce(paciente_sexo, '') as sexo, coalesce(paciente_raca, '') as raca
    from casos`)

export interface RiscoDoArquivo {
  niveis: Record<string, string>
  linhas: number
  suprimidas: number
}
export interface Extrato {
  casos: Row[]
  risco: RiscoDoArquivo
}

export async function readExtrato(file: Buffer): Promise<Extrato> {
  const zip = await Zip.open(sourceOf(file))
  const part = (name: string) => text(Readable.from(zip.source(name).stream()))
  const casos = parse(await part('casos.csv'), { bom: true, delimiter: ';', columns: true }) as Row[]
  return { casos, risco: JSON.parse(await part('risco.json')) }
}

/** Sizes of the groups of rows that are equal in everything that could single somebody out. */
export function classSizes(casos: readonly Record<string, unknown>[]): number[] {
  const sizes = new Map<string, number>()
  for (const caso of casos) {
    const key = JSON.stringify(QUASE.map((nome) => caso[nome] ?? ''))
    sizes.set(key, (sizes.get(key) ?? 0) + 1)
  }
  return [...sizes.values()]
}

/** Discernibility: each row costs the size of its class, one that is left out the number of all rows. */
const lossOf = (sizes: readonly number[], rows: number, left: number) =>
  sizes.reduce((sum, size) => sum + size * size, rows * left)

export const lossOfExtrato = ({ casos }: Extrato, rows: number): number =>
  lossOf(classSizes(casos), rows, rows - casos.length)

/** Of all combinations that leave out at most five of a hundred rows; infinite without one. */
export async function bestLoss(rows: readonly Row[], k: number): Promise<number> {
  const shows = await levels()
  const columnsOf = QUASE.map((nome) =>
    shows[nome].map((show) => {
      const shown = new Map(
        [...new Set(rows.map((row) => row[nome] ?? ''))].map((value) => [value, show(value)]),
      )
      return rows.map((row) => shown.get(row[nome] ?? '') ?? '')
    }),
  )
  const combinations = columnsOf.reduce<string[][][]>(
    (all, column) => all.flatMap((chosen) => column.map((texts) => [...chosen, texts])),
    [[]],
  )
  const losses = combinations.map((columns) => {
    const counts = new Map<string, number>()
    for (let i = 0; i < rows.length; i++) {
      const key = columns.map((texts) => texts[i]).join('|')
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    const safe = [...counts.values()].filter((size) => size >= k)
    const left = rows.length - safe.reduce((sum, size) => sum + size, 0)
    return left <= 0.05 * rows.length ? lossOf(safe, rows.length, left) : Number.POSITIVE_INFINITY
  })
  return Math.min(...losses)
}
