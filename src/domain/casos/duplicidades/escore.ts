import type { Identidade } from './chaves.ts'
import { type Frequencias, raridade } from './frequencia.ts'
import { jaroWinkler } from './jaro-winkler.ts'
import type { Palavra } from './nome.ts'

/** Score of two cases in bits for and against one person and one illness (Fellegi and Sunter), with its reasons as levels. */

/** Weights; another number is another `versao`, and the next scan judges every undecided pair anew. */
export const PESOS = {
  versao: 2,
  base: -18,
  nome: {
    igual: { maximo: 11, parte: 1 },
    parecida: { maximo: 8, parte: 0.7 },
    nenhuma: -6,
    a_mais: -0.6,
    /** Twins and siblings share all but this: the points, and the most that such a pair can have. */
    outro_primeiro: -19,
    maximo_outro_primeiro: 5.9,
  },
  nascimento: { igual: 14, trocado: 9, duas_partes: 3.5, uma_parte: -5, outro: -9, desconhecido: 0 },
  sexo: { igual: 0.9, outro: -5, desconhecido: 0 },
  municipio: { igual: 3.5, outro: -2, desconhecido: 0 },
  bairro: { igual: 4, outro: 0, desconhecido: 0 },
  /** Equal names of districts that most towns have. */
  bairro_comum: 1.5,
  dias: { ate_7: 1.5, ate_20: 0, mais: -1.5 },
} as const

/** Similarity from which words are one, misspelt. */
const NEAR = 0.86
/** The same for words whose sounds are equal but are of one consonant, as those of LUIS and LEO. */
const NEAR_SHORT = 0.8

export const FAIXAS = ['quase_certa', 'provavel', 'possivel'] as const
export type FaixaDoPar = (typeof FAIXAS)[number]

const LIMITES: Readonly<Record<FaixaDoPar, number>> = { quase_certa: 12, provavel: 6, possivel: 0 }

/** Null: no pair worth a look. */
export const faixaOf = (escore: number): FaixaDoPar | null =>
  FAIXAS.find((faixa) => escore >= LIMITES[faixa]) ?? null

/** Reasons of a score, without any value of either case. */
export interface Sinais {
  nome: string
  primeiro_nome: 'igual' | 'parecido' | 'outro'
  nascimento: keyof typeof PESOS.nascimento
  sexo: keyof typeof PESOS.sexo
  municipio: keyof typeof PESOS.municipio
  bairro: keyof typeof PESOS.bairro
  dias: number
}

export interface Escore {
  escore: number
  sinais: Sinais
}

/** `dias` between the notifications; null where there is nothing to compare, as for a person who is looked for. */
export function pontuar(
  one: Identidade,
  other: Identidade,
  dias: number | null,
  frequencias: Frequencias,
): Escore {
  const nome = compareNomes(one.palavras, other.palavras, frequencias)
  const nascimento = compareNascimentos(one.nascimento, other.nascimento)
  const sexo = levelOf(known(one.sexo), known(other.sexo))
  const municipio = levelOf(one.municipio, other.municipio)
  const bairro = municipio === 'igual' ? levelOf(one.bairro, other.bairro) : 'desconhecido'
  const points =
    PESOS.base +
    nome.pontos +
    PESOS.nascimento[nascimento] +
    PESOS.sexo[sexo] +
    PESOS.municipio[municipio] +
    (bairro === 'igual' && COMUNS.has(one.bairro ?? '') ? PESOS.bairro_comum : PESOS.bairro[bairro]) +
    (dias === null ? 0 : PESOS.dias[distanceOf(dias)])
  const escore = nome.primeiro === 'outro' ? Math.min(points, PESOS.nome.maximo_outro_primeiro) : points
  return {
    escore: Math.round(escore * 10) / 10,
    sinais: {
      nome: nome.texto,
      primeiro_nome: nome.primeiro,
      nascimento,
      sexo,
      municipio,
      bairro,
      dias: dias ?? 0,
    },
  }
}

/** Districts where a large part of a town lives. */
const COMUNS: ReadonlySet<string> = new Set([
  'CENTRO',
  'SEDE',
  'INTERIOR',
  'RURAL',
  'ZONA RURAL',
  'AREA RURAL',
])

const distanceOf = (dias: number) => (dias <= 7 ? 'ate_7' : dias <= 20 ? 'ate_20' : 'mais')

const known = (sexo: string | null) => (sexo === 'I' ? null : sexo)

/** Name of a district as it is compared. */
export const plainBairro = (text: string | null): string | null =>
  text === null
    ? null
    : text
        .normalize('NFD')
        .replace(/\p{M}/gu, '')
        .toUpperCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()

function levelOf<T>(one: T | null, other: T | null): 'igual' | 'outro' | 'desconhecido' {
  if (one === null || other === null) return 'desconhecido'
  return one === other ? 'igual' : 'outro'
}

export function compareNascimentos(one: string | null, other: string | null): Sinais['nascimento'] {
  if (one === null || other === null) return 'desconhecido'
  if (one === other) return 'igual'
  const [ano, mes, dia] = one.split('-')
  const [outroAno, outroMes, outroDia] = other.split('-')
  if (ano === outroAno && mes === outroDia && dia === outroMes) return 'trocado'
  const equal = Number(ano === outroAno) + Number(mes === outroMes) + Number(dia === outroDia)
  return equal === 2 ? 'duas_partes' : equal === 1 ? 'uma_parte' : 'outro'
}

type Likeness = 'igual' | 'parecida' | null

export function likenessOf(one: Palavra, other: Palavra): Likeness {
  if (one.texto === other.texto) return 'igual'
  if (one.texto.length === 1 || other.texto.length === 1)
    return one.texto[0] === other.texto[0] ? 'parecida' : null
  const similarity = jaroWinkler(one.texto, other.texto)
  if (similarity >= NEAR) return 'parecida'
  if (one.som !== other.som) return null
  return one.som.length > 1 || similarity >= NEAR_SHORT ? 'parecida' : null
}

interface NomesCompared {
  pontos: number
  texto: string
  primeiro: Sinais['primeiro_nome']
}

interface Alignment {
  pontos: number
  iguais: number
  parecidas: number
}

/** Aligns the words of the shorter name in order with those of the longer one, for the most points. */
function compareNomes(
  one: readonly Palavra[],
  other: readonly Palavra[],
  frequencias: Frequencias,
): NomesCompared {
  const [shorter, longer] = one.length <= other.length ? [one, other] : [other, one]
  const [first, otherFirst] = [one[0], other[0]]
  const likeness = first === undefined || otherFirst === undefined ? null : likenessOf(first, otherFirst)
  const primeiro = likeness === 'igual' ? 'igual' : likeness === 'parecida' ? 'parecido' : 'outro'
  const { pontos, iguais, parecidas } = aligned(shorter, longer, frequencias)
  const { a_mais, outro_primeiro } = PESOS.nome
  const more = longer.length - shorter.length
  return {
    pontos: pontos + a_mais * more + (primeiro === 'outro' ? outro_primeiro : 0),
    texto: `${iguais} de ${longer.length} palavras iguais, ${parecidas} ${parecidas === 1 ? 'parecida' : 'parecidas'}`,
    primeiro,
  }
}

function aligned(
  shorter: readonly Palavra[],
  longer: readonly Palavra[],
  frequencias: Frequencias,
): Alignment {
  let row: Alignment[] = Array.from({ length: longer.length + 1 }, () => ({
    pontos: 0,
    iguais: 0,
    parecidas: 0,
  }))
  for (const palavra of shorter) {
    const next: Alignment[] = []
    for (let j = 0; j <= longer.length; j += 1) {
      const before = row[j] as Alignment
      let best: Alignment = { ...before, pontos: before.pontos + PESOS.nome.nenhuma }
      if (j > 0) {
        const skipped = next[j - 1] as Alignment
        if (skipped.pontos > best.pontos) best = skipped
        const taken = matched(row[j - 1] as Alignment, palavra, longer[j - 1] as Palavra, frequencias)
        if (taken !== null && taken.pontos > best.pontos) best = taken
      }
      next.push(best)
    }
    row = next
  }
  return row.at(-1) as Alignment
}

function matched(
  before: Alignment,
  one: Palavra,
  other: Palavra,
  frequencias: Frequencias,
): Alignment | null {
  const likeness = likenessOf(one, other)
  if (likeness === null) return null
  const rarity = Math.min(raridade(frequencias, one), raridade(frequencias, other))
  const { maximo, parte } = PESOS.nome[likeness]
  return {
    pontos: before.pontos + Math.min(maximo, parte * rarity),
    iguais: before.iguais + Number(likeness === 'igual'),
    parecidas: before.parecidas + Number(likeness === 'parecida'),
  }
}
