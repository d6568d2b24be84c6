import { readdirSync, readFileSync } from 'node:fs'
import { CONHECIDOS } from './conhecidos.ts'
import type { Definicao } from './definicao.ts'
import { lerDefinicao } from './ler.ts'
import { VOCABULARIO } from './vocabulario.ts'

/** Definitions that come with the service, for administrators to switch on. Reading them takes 50 ms: loaded when they are asked for. */

function load(folder: string, codigos: readonly string[], outras: readonly Definicao[]): Definicao[] {
  return codigos.map((codigo) => {
    const file = new URL(`./${folder}/${codigo}.json`, import.meta.url)
    const json: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const { definicao, problems } = lerDefinicao(json, { vocabulario: VOCABULARIO, outras })
    if (problems.length > 0 || definicao.codigo !== codigo)
      throw new Error(`the definition of ${codigo} has problems: ${JSON.stringify(problems)}`)
    return definicao
  })
}

const filesOf = (folder: string) =>
  readdirSync(new URL(`./${folder}/`, import.meta.url))
    .map((file) => file.replace(/\.json$/, ''))
    .toSorted()

export const MODELOS: readonly Definicao[] = load('modelos', filesOf('modelos'), CONHECIDOS)
