import { isPartOf, keyOf } from './nome.ts'
import { readRows } from './tabela.ts'

export interface Municipio {
  /** IBGE, seven digits. */
  codigo: number
  nome: string
  uf: string
  /** Seat of the municipality. */
  latitude: number
  longitude: number
  /** Null for a municipality that is too new to belong to one. */
  regiao: RegiaoSaude | null
}

/** Health region: municipalities of one state that share a network of care. */
export interface RegiaoSaude {
  /** Five digits, the first two those of the state. */
  codigo: number
  nome: string
  uf: string
}

/** Every municipality, looked up in memory: by code (with or without the check digit) and by name. */
export interface Municipios {
  all: readonly Municipio[]
  byCodigo(codigo: number): Municipio | null
  /** Without regard to case, accents and punctuation; a name is unique inside a state. */
  byNome(nome: string, uf: string): Municipio | null
  /** Namesakes, in any state. */
  named(nome: string): Municipio[]
  /** None for a code that is no region's. */
  ofRegiao(codigo: number): readonly Municipio[]
  /** Substring search in the names. */
  containing(text: string): Municipio[]
}

export async function loadMunicipios(): Promise<Municipios> {
  const [regioes, municipios] = await Promise.all([readRows('regioes-saude.csv'), readRows('municipios.csv')])
  const regiaoByCodigo = new Map(
    regioes.map(([codigo = '', nome = '', uf = '']) => [codigo, { codigo: Number(codigo), nome, uf }]),
  )
  const all = municipios.map(([codigo, nome = '', uf = '', latitude, longitude, regiao = '']) => ({
    codigo: Number(codigo),
    nome,
    uf,
    latitude: Number(latitude),
    longitude: Number(longitude),
    regiao: regiaoByCodigo.get(regiao) ?? null,
  }))
  return indexMunicipios(all)
}

/** Of a list that is there already: the process of a job gets it from the service instead of reading the tables again. */
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
  const byRegiao = Map.groupBy(all, ({ regiao }) => regiao?.codigo ?? null)
  const named = (nome: string) => byNome.get(keyOf(nome)) ?? []
  return {
    all,
    byCodigo: (codigo) => byCodigo.get(codigo) ?? null,
    byNome: (nome, uf) => named(nome).find((one) => one.uf === uf) ?? null,
    named,
    ofRegiao: (codigo) => byRegiao.get(codigo) ?? [],
    containing(text) {
      const matches = isPartOf(text)
      return [...byNome].flatMap(([key, municipios]) => (matches(key) ? municipios : []))
    },
  }
}
