/** What an account can be looked for by. Texts ending in `_busca` are without case and accents; moments are microseconds. */
export interface Ficha {
  id: number
  nome: string
  email: string
  cpf: string | null
  cidade: string | null
  estado: string | null
  instituicao: string | null
  cargo: string | null
  departamento: string | null
  nome_busca: string
  email_busca: string
  cidade_busca: string | null
  estado_busca: string | null
  instituicao_busca: string | null
  cargo_busca: string | null
  departamento_busca: string | null
  admin: boolean
  ativo: boolean
  plano: string
  email_verificado: boolean
  mfa_habilitado: boolean
  criado_em: number
  atualizado_em: number
  ultimo_acesso: number | null
  grupos: number[]
}

/** What is looked for, and put in order, without regard to case and accents. */
export const TEXTOS = ['nome', 'email', 'cidade', 'estado', 'instituicao', 'cargo', 'departamento'] as const
export type Texto = (typeof TEXTOS)[number]
export type Busca = `${Texto}_busca`
export const isTexto = (field: string): field is Texto => TEXTOS.includes(field as Texto)

/** No text holds it, neither one that is kept nor one that is looked for. */
const BETWEEN = '\0'
/** So many that finding a text among them costs little more than reading it, so few that a change costs little. */
const IN_ONE = 1_000

/** One field of all fichas of a drawer in one text, and where each begins. */
interface Fita {
  text: string
  begins: Uint32Array
}

/** Fichas beside each other, by rising id. It never changes: with another content it is another one. */
export class Gaveta {
  readonly fichas: readonly Ficha[]
  readonly #columns = new Map<keyof Ficha, readonly unknown[]>()
  readonly #fitas = new Map<Busca, Fita>()

  constructor(fichas: readonly Ficha[]) {
    this.fichas = fichas
  }

  /** One field of all, sooner gone through than the fichas themselves. */
  column<F extends keyof Ficha>(field: F): readonly Ficha[F][] {
    let column = this.#columns.get(field)
    if (column === undefined) {
      column = this.fichas.map((ficha) => ficha[field])
      this.#columns.set(field, column)
    }
    return column as readonly Ficha[F][]
  }

  /** Sets the marks of those that mention a text. */
  markMentions(marks: Uint8Array, busca: Busca, wanted: string): void {
    const { text, begins } = this.#fitaOf(busca)
    let i = 0
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, begins[i + 1])) {
      while ((begins[i + 1] as number) <= at) i++
      marks[i] = 1
    }
  }

  #fitaOf(busca: Busca): Fita {
    let fita = this.#fitas.get(busca)
    if (fita === undefined) {
      fita = joined(this.fichas.map((ficha) => ficha[busca] ?? ''))
      this.#fitas.set(busca, fita)
    }
    return fita
  }
}

function joined(parts: string[]): Fita {
  const begins = new Uint32Array(parts.length + 1)
  parts.forEach((part, i) => {
    begins[i + 1] = (begins[i] as number) + part.length + BETWEEN.length
  })
  return { text: parts.join(BETWEEN), begins }
}

/** By rising id. */
export function inGavetas(fichas: readonly Ficha[]): Gaveta[] {
  const gavetas: Gaveta[] = []
  for (let from = 0; from < fichas.length; from += IN_ONE)
    gavetas.push(new Gaveta(fichas.slice(from, from + IN_ONE)))
  return gavetas
}

/** The same with other fichas in the place of those with these ids, or none. */
export function changed(
  gavetas: readonly Gaveta[],
  ids: readonly number[],
  fichas: ReadonlyMap<number, Ficha>,
): Gaveta[] {
  const all = gavetas.length === 0 ? [new Gaveta([])] : gavetas
  const byPlace = Map.groupBy(ids, (id) => placeOf(gavetas, id))
  return all.flatMap((gaveta, place) => {
    const here = byPlace.get(place)
    return here === undefined ? gaveta : inGavetas(merged(gaveta.fichas, here, fichas))
  })
}

/** The last drawer that does not begin behind it. */
function placeOf(gavetas: readonly Gaveta[], id: number): number {
  return Math.max(
    0,
    gavetas.findLastIndex(({ fichas: [first] }) => (first as Ficha).id <= id),
  )
}

function merged(
  before: readonly Ficha[],
  ids: readonly number[],
  fichas: ReadonlyMap<number, Ficha>,
): Ficha[] {
  const replaced = new Set(ids)
  const now = ids.flatMap((id) => fichas.get(id) ?? [])
  return [...before.filter(({ id }) => !replaced.has(id)), ...now].sort((a, b) => a.id - b.id)
}
