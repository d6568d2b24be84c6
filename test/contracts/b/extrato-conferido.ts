// A research extract judged from its file alone, and the least loss that any combination of levels would have, counted in the plainest way.
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import { loadMunicipios } from '../../../src/brasil/municipios.ts'
import { QUASE_IDENTIFICADORES } from '../../../src/domain/casos/enumeracoes.ts'
import { niveisOf } from '../../../src/domain/exportacao/extrato/niveis.ts'
import { Zip } from '../../../src/domain/importacao/formats/zip.ts'
import { sourceOf } from '../../domain/importacao/formats/files.ts'

type Row = Record<string, string>

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
    const key = JSON.stringify(QUASE_IDENTIFICADORES.map((nome) => caso[nome] ?? ''))
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
  const niveis = niveisOf(await loadMunicipios())
  const levels = QUASE_IDENTIFICADORES.map((nome) =>
    niveis[nome].map(({ show }) => {
      const shown = new Map(
        [...new Set(rows.map((row) => row[nome] ?? ''))].map((value) => [value, show(value)]),
      )
      return rows.map((row) => shown.get(row[nome] ?? '') ?? '')
    }),
  )
  const combinations = levels.reduce<string[][][]>(
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
