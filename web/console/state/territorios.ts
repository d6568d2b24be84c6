import { queryOptions } from '@tanstack/preact-query'
import { UFS, type Uf } from '../../../src/brasil/uf.ts'
import { estadoNome, ufOfCode } from './estados.ts'
import { plain } from './plain.ts'
import { api } from './session.ts'

export interface Lugar {
  nivel: 'estado' | 'regiao' | 'municipio'
  codigo: string
  nome: string
  uf: Uf
}

interface Named {
  codigo: string
  nome: string
}
/** Part of the answer of `GET /territorios` that is used here. */
interface Territorios {
  estados: {
    codigo: Uf
    nome: string
    regioes_saude?: (Named & { municipios?: Named[] })[]
    municipios_sem_regiao?: Named[]
  }[]
}

function lugaresIn({ estados }: Territorios): Lugar[] {
  return estados.flatMap(({ codigo: uf, nome, regioes_saude = [], municipios_sem_regiao = [] }) => {
    const at = (nivel: Lugar['nivel']) => (one: Named) => ({ nivel, codigo: one.codigo, nome: one.nome, uf })
    const municipios = [
      ...regioes_saude.flatMap(({ municipios = [] }) => municipios),
      ...municipios_sem_regiao,
    ]
    return [
      { nivel: 'estado' as const, codigo: uf, nome, uf },
      ...regioes_saude.map(at('regiao')),
      ...municipios.map(at('municipio')).toSorted((one, other) => one.nome.localeCompare(other.nome, 'pt')),
    ]
  })
}

const ask = async (query: { estado?: Uf; busca?: string }, signal: AbortSignal) =>
  lugaresIn(
    (await api.get('/api/v1/territorios', { query: query as never }, { signal })) as unknown as Territorios,
  )

const lugaresBy = (key: string[], isAsked: boolean, query: { estado?: Uf; busca?: string }) =>
  queryOptions({
    queryKey: ['territorios', ...key],
    queryFn: ({ signal }) => ask(query, signal),
    enabled: isAsked,
    // Places change with a release at most.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    placeholderData: () => undefined,
  })

/** The state itself, its health regions and municipalities. */
export const lugaresOfUf = (uf: Uf | null) => lugaresBy([uf ?? ''], uf !== null, { estado: uf as Uf })

/** Places of all states whose name has this in it. */
const lugaresNamed = (busca: string) => lugaresBy(['busca', busca], busca.length >= 2, { busca })

/** The query that finds what is typed: of one state where it is known or begins the code, else by name over the country. */
export function lugaresFor(wanted: string, uf: Uf | null) {
  const text = wanted.trim()
  if (uf !== null) return lugaresOfUf(uf)
  if (/^\d{2,7}$/.test(text)) return lugaresOfUf(ufOfCode(text.padEnd(7, '0')))
  return lugaresNamed(plain(text))
}

/** Matches by code or name, names that begin with it first. */
export function matching(lugares: readonly Lugar[], wanted: string, limit = 50): Lugar[] {
  const text = plain(wanted.trim())
  const ranked = lugares.flatMap((lugar) => {
    const nome = plain(lugar.nome)
    if (lugar.codigo.toLowerCase().startsWith(text) || nome.startsWith(text)) return [{ lugar, rank: 0 }]
    return nome.includes(` ${text}`) ? [{ lugar, rank: 1 }] : nome.includes(text) ? [{ lugar, rank: 2 }] : []
  })
  return ranked
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, limit)
    .map(({ lugar }) => lugar)
}

export const ESTADOS: Lugar[] = UFS.map((uf) => ({ nivel: 'estado', codigo: uf, nome: estadoNome(uf), uf }))
