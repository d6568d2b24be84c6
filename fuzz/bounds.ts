import assert from 'node:assert/strict'
import { ESTADOS_IBGE } from '../src/brasil/uf.ts'
import type { Person, TestApp } from '../test/harness/app.ts'
import { casoPlantado, NOME } from '../test/planted.ts'
import { findLugares, listOutside, type OutsideCaso } from './bounds.sql.ts'
import type { Answer } from './checks.ts'
import type { FuzzRequest } from './requests.ts'

/** Case outside of the territory of the caller, with the word that only its patient is called by. */
export interface Outsider extends OutsideCaso {
  palavra: string | null
}

/** Neighbours: a case for each kind of place, so that every territory has something inside and outside from the first request on. */
const VIZINHOS = [
  { palavra: 'Quixabeirinho', lugar: { municipio_residencia: 'Recife', estado_residencia: 'PE' } },
  { palavra: 'Mandacaruense', lugar: { municipio_residencia: 'Caruaru', estado_residencia: 'PE' } },
  { palavra: 'Ipirangueta', lugar: { municipio_residencia: 'São Paulo', estado_residencia: 'SP' } },
  { palavra: 'Igarapezildo', lugar: { municipio_residencia: 'Manaus', estado_residencia: 'AM' } },
  {
    palavra: 'Potengirina',
    lugar: {
      municipio_residencia: 'Natal',
      estado_residencia: 'RN',
      dados_especificos: { municipio_notificacao: 1_200_401 },
    },
  },
]

export interface Bounds {
  /** Cases that must not be shown to this account; null when nothing bounds it. */
  outsideOf(person: Person): Promise<Outsider[] | null>
}

/** Creates the neighbours; `onCreated` is given the answer of each. */
export async function createBounds(t: TestApp, onCreated: (body: unknown) => void): Promise<Bounds> {
  const admin = await t.administrador()
  const palavras = new Map<number, string>()
  for (const { palavra, lugar } of VIZINHOS) {
    const caso = { ...casoPlantado(), paciente_nome: `${NOME} ${palavra}`, ...lugar }
    const { status, body, text } = await t.as(admin).post('/agravos/casos', caso)
    assert.equal(status, 201, text)
    palavras.set(body.id, palavra)
    onCreated(body)
  }
  return {
    async outsideOf({ id }) {
      const lugares = await findLugares(t.database.pool, id)
      if (lugares === null) return null
      const codigos = (nivel: string) =>
        lugares.filter((one) => one.nivel === nivel).map(({ codigo }) => codigo)
      const ufs = codigos('uf')
      const municipiosOf = (regiao: string) =>
        t.app.territorios.municipiosOfRegiao(Number(regiao)).map(({ codigo }) => codigo)
      const outside = await listOutside(t.database.pool, id, {
        ufs,
        codigosDeUf: ESTADOS_IBGE.filter(({ uf }) => ufs.includes(uf)).map(({ codigo }) => codigo),
        municipios: [...codigos('municipio').map(Number), ...codigos('regiao_saude').flatMap(municipiosOf)],
      })
      return outside.map((caso) => ({ ...caso, palavra: palavras.get(caso.id) ?? null }))
    },
  }
}

/** Refusals that tell nothing of a case: the same for one that never was. */
const SILENT = [400, 401, 403, 404, 405, 408, 413, 415, 422, 429, 431]
/** Numbers that the fuzzer and the planted cases give, which occur in no other field. */
const NUMERO = /^(?:F-\d+x|PLT-)\d+$/

/** Leaks of cases outside in one answer: opened by id, or shown by id, number or name. */
export function leaksIn({ operation, params }: FuzzRequest, answer: Answer, outside: Outsider[]): string[] {
  if (answer.kind === 'failed') return []
  const { status, text, headers } = answer
  const { method, path } = operation
  const isAbout = path.startsWith('/api/v1/agravos/casos/{id}')
  const opened = isAbout && outside.some(({ id }) => String(id) === params.id) && !SILENT.includes(status)
  // Events, files and repeated answers are of the time when they were made.
  const isPresent = method === 'GET' && path.startsWith('/api/v1/agravos')
  const hidden = outside.filter(({ always }) => isPresent || always)
  const shown = new Set(caseIdsIn(parsed(text)))
  const all = `${headers}\n${text}`
  const leaked = hidden.filter(
    ({ id, numero_notificacao, palavra }) =>
      shown.has(id) || holdsNumero(all, numero_notificacao) || (palavra !== null && all.includes(palavra)),
  )
  return [
    ...(opened ? [`opened a case outside, with ${status}`] : []),
    ...(leaked.length > 0 ? [`shows cases outside: ${leaked.map(({ id }) => id)}`] : []),
  ]
}

/** The whole number, not the beginning of a longer one. */
function holdsNumero(text: string, numero: string): boolean {
  if (!NUMERO.test(numero)) return false
  for (let at = text.indexOf(numero); at >= 0; at = text.indexOf(numero, at + 1))
    if (!/\d/.test(text[at + numero.length] ?? '')) return true
  return false
}

/** Ids of the cases in an answer: of records of cases, and of events about cases. */
function* caseIdsIn(value: unknown): Generator<number> {
  if (typeof value !== 'object' || value === null) return
  const { id, tipo, tipo_agravo, dados } = value as Record<string, unknown>
  if (typeof id === 'number' && typeof tipo_agravo === 'string') yield id
  if (typeof tipo === 'string' && tipo.startsWith('agravo.'))
    yield Number((dados as { id?: unknown } | null)?.id)
  for (const inner of Object.values(value)) yield* caseIdsIn(inner)
}

function parsed(text: string): unknown {
  if (!/^[[{]/.test(text)) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
