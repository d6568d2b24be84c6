import { daysBetween } from '../../../brasil/calendar.ts'
import type { Db } from '../../../db/db.ts'
import { BoundedMap } from '../../../system/bounded-map.ts'
import type { App } from '../../app.ts'
import type { TipoAgravo } from '../enumeracoes.ts'
import { unseal } from '../sigilo.ts'
import { chaveDaPalavra, chavesOf, type Identidade } from './chaves.ts'
import { faixaOf, PESOS, plainBairro, pontuar } from './escore.ts'
import type { Frequencias } from './frequencia.ts'
import {
  addFrequencias,
  type ChavesEmListas,
  type IdentidadeRow,
  insertIdentidades,
  listCandidatos,
  listFrequencias,
  listIdentidades,
  listKeyed,
} from './identidade.sql.ts'
import { createPalavras } from './nome.ts'
import { type DoisCasos, type Par, upsertPares } from './pares.sql.ts'

/** Keys and pairs of cases. Names are opened here, in the process of a job or for one request, and are gone with it. */

type Needs = Pick<App, 'cipher' | 'chaves'>

/** A case whose name is open. */
export interface Aberto {
  id: number
  tipo: TipoAgravo
  dia: string
  identidade: Identidade
}

/** Keyed hashes of words that are remembered. */
const MOST_REMEMBERED = 20_000

export const daysApart = (one: string, other: string) => Math.abs(daysBetween(one, other))

/** Key under which all cases with a name are counted; no word has it, since words are hashed. */
const CASOS = '0'

export function createComparador({ cipher, chaves }: Needs) {
  const palavrasOf = createPalavras()
  const known = new BoundedMap<string, string>(MOST_REMEMBERED)
  const chaveOf = (palavra: string): string => {
    const before = known.get(palavra)
    if (before !== undefined) return before
    const chave = chaveDaPalavra(chaves.identidade, palavra)
    known.set(palavra, chave)
    return chave
  }

  /** Null where no name is known. */
  function open(row: IdentidadeRow): Aberto | null {
    const { paciente_nome, paciente_data_nascimento: nascimento } = unseal(cipher, row)
    const palavras = paciente_nome === null ? [] : palavrasOf(paciente_nome)
    if (palavras.length === 0) return null
    const { id, tipo_agravo: tipo, data_notificacao: dia, paciente_sexo: sexo } = row
    const { municipio_residencia: municipio, bairro_residencia: bairro } = row
    return {
      id,
      tipo,
      dia,
      identidade: { palavras, nascimento, sexo, municipio, bairro: plainBairro(bairro) },
    }
  }

  const openAll = (rows: readonly IdentidadeRow[]) => rows.map(open).filter((one) => one !== null)

  /** Keys of some cases, as they are stored, added to those of others. */
  function chavesOfAll(
    abertos: readonly Aberto[],
    rows: ChavesEmListas = { chaves: [], dias: [], casos: [] },
  ): ChavesEmListas {
    for (const { id, tipo, dia, identidade } of abertos)
      for (const chave of chavesOf(chaves.identidade, tipo, identidade)) {
        rows.chaves.push(chave)
        rows.dias.push(dia)
        rows.casos.push(id)
      }
    return rows
  }

  /** Stores the keys of cases that have none; `novos`: those whose words are not counted yet. */
  async function keep(
    tx: Db,
    abertos: readonly Aberto[],
    novos: readonly Aberto[],
    rows = chavesOfAll(abertos),
  ): Promise<void> {
    await insertIdentidades(
      tx,
      abertos.map(({ id }) => id),
      rows,
    )
    if (novos.length === 0) return
    const totals = new Map([[CASOS, novos.length]])
    for (const { identidade } of novos)
      for (const texto of new Set(identidade.palavras.map((palavra) => palavra.texto))) {
        const chave = chaveOf(texto)
        totals.set(chave, (totals.get(chave) ?? 0) + 1)
      }
    await addFrequencias(tx, { chaves: [...totals.keys()], totais: [...totals.values()] })
  }

  /** Stores keys that were made before the lock was taken: cases that got theirs meanwhile are passed over. */
  async function keepUnkeyed(tx: Db, abertos: readonly Aberto[], rows: ChavesEmListas): Promise<void> {
    const keyed = new Set(
      await listKeyed(
        tx,
        abertos.map(({ id }) => id),
      ),
    )
    if (keyed.size === 0) return keep(tx, abertos, abertos, rows)
    const left = abertos.filter(({ id }) => !keyed.has(id))
    return keep(tx, left, left)
  }

  /** Frequencies of all words of some cases. */
  async function frequenciasOf(db: Db, identidades: readonly Identidade[]): Promise<Frequencias> {
    const words = new Set(identidades.flatMap(({ palavras }) => palavras.map(({ texto }) => texto)))
    const rows = await listFrequencias(db, [CASOS, ...[...words].map(chaveOf)])
    const totals = new Map(rows.map(({ chave, total }) => [chave, total]))
    return {
      casos: totals.get(CASOS) ?? 0,
      of: (palavra) => totals.get(chaveOf(palavra)) ?? 0,
    }
  }

  /** Parts pairs into those that may be one person, and others; `known`: cases that are open already. */
  async function judge(
    from: Db,
    pares: readonly DoisCasos[],
    known: readonly Aberto[] = [],
  ): Promise<{ found: Par[]; others: DoisCasos[] }> {
    const byId = new Map(known.map((one) => [one.id, one]))
    const ids = new Set(pares.flatMap(({ caso_1, caso_2 }) => [caso_1, caso_2]))
    const closed = [...ids].filter((id) => !byId.has(id))
    for (const one of openAll(await listIdentidades(from, closed))) byId.set(one.id, one)
    const frequencias = await frequenciasOf(
      from,
      [...byId.values()].map(({ identidade }) => identidade),
    )
    const judged = { found: [] as Par[], others: [] as DoisCasos[] }
    for (const dois of pares) {
      const par = parOf(byId.get(dois.caso_1), byId.get(dois.caso_2), frequencias)
      if (par === null) judged.others.push(dois)
      else judged.found.push(par)
    }
    return judged
  }

  /** Pairs of some cases, whose keys are stored. */
  async function find(from: Db, abertos: readonly Aberto[], dias: number): Promise<Par[]> {
    const ids = abertos.map(({ id }) => id)
    const { found } = await judge(from, await listCandidatos(from, ids, dias), abertos)
    return found
  }

  async function store(tx: Db, found: readonly Par[], now: Date): Promise<void> {
    if (found.length > 0) await upsertPares(tx, found, { versao: PESOS.versao, now })
  }

  return { open, openAll, chavesOfAll, keep, keepUnkeyed, judge, find, store, frequenciasOf, palavrasOf }
}

export type Comparador = ReturnType<typeof createComparador>

function parOf(one: Aberto | undefined, other: Aberto | undefined, frequencias: Frequencias): Par | null {
  if (one === undefined || other === undefined) return null
  const { escore, sinais } = pontuar(
    one.identidade,
    other.identidade,
    daysApart(one.dia, other.dia),
    frequencias,
  )
  const faixa = faixaOf(escore)
  return faixa && { caso_1: one.id, caso_2: other.id, escore, faixa, sinais }
}
