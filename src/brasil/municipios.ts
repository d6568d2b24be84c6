export interface Municipio {
  /** IBGE, seven digits. */
  codigo: number
  nome: string
  uf: string
  latitude: number
  longitude: number
}

/** Every municipality, looked up in memory: by code (with or without the check digit) and by name. */
export interface Municipios {
  all: readonly Municipio[]
  byCodigo(codigo: number): Municipio | null
  /** Without regard to case, accents and punctuation; a name is unique inside a state. */
  byNome(nome: string, uf: string): Municipio | null
  /** Namesakes, in any state. */
  named(nome: string): Municipio[]
  /** Substring search in the names. */
  containing(text: string): Municipio[]
}

export async function loadMunicipios(): Promise<Municipios> {
  const { carregarMunicipios } = await import('municipios-brasil')
  const all = (await carregarMunicipios()).listar().map(({ codigoIbge, nome, uf, latitude, longitude }) => ({
    codigo: codigoIbge,
    nome,
    uf,
    latitude,
    longitude,
  }))
  return indexMunicipios(all)
}

/** Of a list that is there already: the process of a job gets it from the service instead of reading the package again. */
export function indexMunicipios(all: readonly Municipio[]): Municipios {
  const byCodigo = new Map<number, Municipio>()
  const byNome = new Map<string, Municipio[]>()
  for (const municipio of all) {
    const { codigo, nome } = municipio
    byCodigo.set(codigo, municipio)
    // The six digits that health files have: unique, but not to be computed back (nine check digits break the formula).
    byCodigo.set(Math.floor(codigo / 10), municipio)
    const key = keyOf(nome)
    byNome.set(key, [...(byNome.get(key) ?? []), municipio])
  }
  const named = (nome: string) => byNome.get(keyOf(nome)) ?? []
  return {
    all,
    byCodigo: (codigo) => byCodigo.get(codigo) ?? null,
    byNome: (nome, uf) => named(nome).find((one) => one.uf === uf) ?? null,
    named,
    containing(text) {
      const part = keyOf(text)
      // Signs alone are in no name as it is compared here.
      if (part === '' && text !== '') return []
      return [...byNome].flatMap(([key, municipios]) => (key.includes(part) ? municipios : []))
    },
  }
}

const LONGEST_NAME = 200

/**
 * `Alta Floresta D'Oeste`, `ALTA FLORESTA DOESTE`, `alta floresta d oeste` are one name. Of a longer text than any name,
 * nothing: putting its combining marks in order would take the square of their number.
 */
function keyOf(nome: string): string {
  if (nome.length > LONGEST_NAME) return ''
  return nome
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
}
