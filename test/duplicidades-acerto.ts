// Precision and recall of the comparison over made-up people, without a database: the same keys, window and scores as the job's.
import { daysBetween } from '../src/brasil/calendar.ts'
import { type Identidade, textsOfChaves } from '../src/domain/casos/duplicidades/chaves.ts'
import { pontuar } from '../src/domain/casos/duplicidades/escore.ts'
import { createPalavras } from '../src/domain/casos/duplicidades/nome.ts'
import type { Pessoa } from './duplicidades-people.ts'

const DIAS = 60

export interface Julgado {
  one: number
  other: number
  escore: number
}

/** Candidate pairs with their scores, by places in the list. */
export function judged(all: readonly Pessoa[]): Julgado[] {
  const palavrasOf = createPalavras()
  const identidades: Identidade[] = all.map(({ nome, nascimento, sexo, municipio, bairro }) => ({
    palavras: palavrasOf(nome),
    ...{ nascimento, sexo, municipio, bairro },
  }))
  const counts = new Map<string, number>()
  for (const { palavras } of identidades)
    for (const texto of new Set(palavras.map((palavra) => palavra.texto)))
      counts.set(texto, (counts.get(texto) ?? 0) + 1)
  const frequencias = { casos: all.length, of: (palavra: string) => counts.get(palavra) ?? 0 }
  const blocks = new Map<string, number[]>()
  for (const [i, identidade] of identidades.entries())
    for (const chave of textsOfChaves('dengue', identidade)) {
      const block = blocks.get(chave)
      if (block === undefined) blocks.set(chave, [i])
      else block.push(i)
    }
  const seen = new Set<number>()
  const found: Julgado[] = []
  for (const block of blocks.values())
    for (const [k, one] of block.entries())
      for (const other of block.slice(k + 1)) {
        const dias = Math.abs(daysBetween((all[one] as Pessoa).dia, (all[other] as Pessoa).dia))
        const key = one * all.length + other
        if (dias > DIAS || seen.has(key)) continue
        seen.add(key)
        const { escore } = pontuar(
          identidades[one] as Identidade,
          identidades[other] as Identidade,
          dias,
          frequencias,
        )
        found.push({ one, other, escore })
      }
  return found
}

export interface Acerto {
  precisao: number
  cobertura: number
  achados: number
  /** Found pairs of two illnesses of one person. */
  episodios: number
  /** Found pairs of twins or siblings, and how many there are. */
  gemeos: number
  plantados: number
}

const isTwin = (one: Pessoa, other: Pessoa) =>
  one.pessoa !== other.pessoa &&
  one.nascimento !== null &&
  one.nascimento === other.nascimento &&
  one.municipio === other.municipio &&
  one.bairro === other.bairro

export function measure(all: readonly Pessoa[], julgados: readonly Julgado[], escore: number): Acerto {
  let [right, wrong, episodios, gemeos] = [0, 0, 0, 0]
  for (const { one, other, escore: points } of julgados) {
    if (points < escore) continue
    const [a, b] = [all[one] as Pessoa, all[other] as Pessoa]
    if (a.episodio === b.episodio) right += 1
    else wrong += 1
    if (a.episodio !== b.episodio && a.pessoa === b.pessoa) episodios += 1
    if (isTwin(a, b)) gemeos += 1
  }
  const byEpisodio = Map.groupBy(all, ({ episodio }) => episodio)
  const there = [...byEpisodio.values()].reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0)
  const homes = Map.groupBy(
    all,
    ({ nascimento, municipio, bairro }) => `${nascimento}/${municipio}/${bairro}`,
  )
  const plantados = [...homes.values()].filter(
    (home) => new Set(home.map(({ pessoa }) => pessoa)).size > 1,
  ).length
  const achados = right + wrong
  return {
    precisao: achados === 0 ? 1 : right / achados,
    cobertura: right / there,
    achados,
    episodios,
    gemeos,
    plantados,
  }
}
