import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Caller } from '../../../caller/caller.ts'
import type { Db } from '../../../db/db.ts'
import type { App } from '../../app.ts'
import type { JobApp } from '../../jobs/job-app.ts'
import { enqueueJob } from '../../jobs/jobs.ts'
import type { JobTask } from '../../jobs/queue.ts'
import { type Aberto, createComparador } from './comparar.ts'
import { countByFaixa } from './duplicidades.sql.ts'
import { PESOS } from './escore.ts'
import {
  type ChavesEmListas,
  countChaves,
  deleteOrphans,
  type FaixaLida,
  forgetPendentes,
  type IdentidadeRow,
  lastCasoId,
  listShared,
  listUnkeyed,
  lockIdentidades,
  nextCasoId,
} from './identidade.sql.ts'
import { deletePares, deleteUnshared } from './pares.sql.ts'
import { paresOf } from './pares.ts'
import { porFaixa, viewerOf } from './pendentes.ts'

/**
 * Full scan as a job: keys of all cases that have none, in the order of their ids, then all pairs, in the order of the keys that they
 * share: read so, neighbours are the candidates, where a search for each key of each case would cost the database the most. A pair
 * that shares several keys is compared under each. A transaction ends with the place to go on from. While a part is written the next
 * one is read and compared, on another connection and the other processor. Undecided pairs get the scores of the present weights;
 * decided ones stay. Cases are read from a standby where one is up to date. The lock keeps out every other writer of keys and pairs:
 * pairs are read while it is held, keys may be made before, since a case that got some meanwhile is passed over; a case that changes
 * waits for its comparison as it always does.
 */

/**
 * Cases of a part of the first phase, keys of one of the second. Keys are written in their order: the more there are of them, the more
 * fall on the same page of the index, which at a million cases costs more than all else.
 */
const PART = { casos: 12_000, chaves: 24_000 }
/** Some ten milliseconds. */
const CASES_PER_TURN = 200
/** Parts of a transaction of the second phase. One takes a few seconds, of either phase: all that a killed process does again, and all that other writers wait for. */
const PARTS = 6

export async function pedirVarredura(
  app: Pick<App, 'db' | 'clock' | 'jobs'>,
  caller: Caller,
): Promise<string> {
  const id = await app.db.transaction((tx) =>
    enqueueJob(app, tx, caller, {
      tipo: 'varredura_duplicidades',
      trabalho: 'varredura',
      parametros: {},
      permissoes: ['agravos.duplicidades'],
    }),
  )
  app.jobs.wake()
  return id
}

/** Share of the work that is done with the keys. */
const KEYS_PERCENT = 70

/** Each phase goes through its parts in order: ranges of ids, then ranges of keys. */
interface Ponto {
  fase: 'chaves' | 'pares'
  feitas: number
  partes: number
}

/** Stores all that a part has. */
type Write = (tx: Db) => Promise<void>

export async function runVarredura(app: JobApp, task: JobTask): Promise<void> {
  const comparador = createComparador(app)
  const dias = app.duplicidadeDias
  let ponto = pontoOf(task.job.ponto) ?? (await app.db.transaction((tx) => begin(tx, task)))
  if (ponto.fase === 'chaves') ponto = await keyCasos(ponto)
  for (let feitas: number = ponto.feitas; feitas < ponto.partes; ) {
    task.proceed()
    feitas = await app.db.transaction((tx) => comparePart(tx, { ...(ponto as Ponto), feitas }))
  }
  await app.db.transaction((tx) => finish(tx))

  /** First phase; the place where the second begins. */
  async function keyCasos(from: Ponto): Promise<Ponto> {
    let ponto = from
    let ahead = readUnkeyed(ponto)
    while (ponto.fase === 'chaves') {
      task.proceed()
      const { next, write } = await ahead
      ahead = readUnkeyed(next)
      // Told in its turn; where writing fails first, that is told.
      ahead.catch(() => {})
      ponto = await app.db.transaction(async (tx) => {
        await lockIdentidades(tx)
        await write(tx)
        return proceedFrom(tx, next)
      })
    }
    return ponto
  }

  /** The next part with cases, and all behind it left to do. */
  function readUnkeyed(ponto: Ponto): Promise<{ next: Ponto; write: Write }> {
    return app.reader.read(app.db, async (from) => {
      const i = await firstWithCases(from, ponto)
      return {
        next: { ...ponto, feitas: Math.min(i + 1, ponto.partes) },
        write: await keyAll(i < ponto.partes ? await listUnkeyed(from, idsOf(i)) : []),
      }
    })
  }

  /** A few cases at a time: between them the statements of the part that is being written are sent. */
  async function keyAll(casos: readonly IdentidadeRow[]): Promise<Write> {
    const abertos: Aberto[] = []
    const rows: ChavesEmListas = { chaves: [], dias: [], casos: [] }
    for (let i = 0; i < casos.length; i += CASES_PER_TURN) {
      const some = comparador.openAll(casos.slice(i, i + CASES_PER_TURN))
      abertos.push(...some)
      comparador.chavesOfAll(some, rows)
      await nextTurn()
    }
    return (tx) => comparador.keepUnkeyed(tx, abertos, rows)
  }

  /** Second phase: the parts of one transaction; the number of parts that are done. */
  async function comparePart(tx: Db, ponto: Ponto): Promise<number> {
    await lockIdentidades(tx)
    const until = Math.min(ponto.feitas + PARTS, ponto.partes)
    const read = (i: number) => app.reader.read(app.db, (from) => readPairs(from, keysOf(i, ponto.partes)))
    let ahead = read(ponto.feitas)
    for (let i = ponto.feitas; i < until; i++) {
      const write = await ahead
      if (i + 1 < until) ahead = read(i + 1)
      // Told in its turn; where writing fails first, that is told.
      ahead.catch(() => {})
      await write(tx)
    }
    await proceedFrom(tx, { ...ponto, feitas: until })
    return until
  }

  async function readPairs(from: Db, keys: FaixaLida<bigint>): Promise<Write> {
    const { found, others } = await comparador.judge(from, paresOf(await listShared(from, keys, dias), dias))
    return async (tx) => {
      await deletePares(tx, others)
      await comparador.store(tx, found, app.clock.now())
    }
  }

  /** Stores the place to go on from: with all keys made, the first pair. */
  async function proceedFrom(tx: Db, ponto: Ponto): Promise<Ponto> {
    const next = ponto.fase === 'chaves' && ponto.feitas === ponto.partes ? await pairsFrom(tx) : ponto
    await task.checkpoint(tx, next, percentOf(next))
    return next
  }

  async function finish(tx: Db): Promise<void> {
    await lockIdentidades(tx)
    await deleteOrphans(tx)
    await deleteUnshared(tx, dias)
    const rows = await countByFaixa(tx, app.municipios, viewerOf(app, task.job))
    const duplicidades = porFaixa(rows.filter(({ situacao }) => situacao === 'pendente'))
    await task.finish(tx, {
      message: { code: 'COMPLETED', trabalho: 'varredura', rejeitadas: 0 },
      resultado: { duplicidades, versao_pesos: PESOS.versao },
    })
  }
}

/** Null where there is none, or one of another version of the service: then all begins anew, which changes no key. */
const pontoOf = (ponto: unknown): Ponto | null =>
  ponto !== null && (ponto as Partial<Ponto>).partes !== undefined ? (ponto as Ponto) : null

async function begin(tx: Db, task: JobTask): Promise<Ponto> {
  await lockIdentidades(tx)
  await forgetPendentes(tx)
  const partes = Math.ceil((await lastCasoId(tx)) / PART.casos)
  const ponto: Ponto = { fase: 'chaves', feitas: 0, partes }
  await task.checkpoint(tx, ponto, 0)
  return ponto
}

const pairsFrom = async (tx: Db): Promise<Ponto> => ({
  fase: 'pares',
  feitas: 0,
  partes: Math.ceil((await countChaves(tx)) / PART.chaves),
})

function percentOf({ fase, feitas, partes }: Ponto): number {
  const share = feitas / Math.max(1, partes)
  return fase === 'chaves' ? KEYS_PERCENT * share : KEYS_PERCENT + (99 - KEYS_PERCENT) * share
}

const idsOf = (i: number): FaixaLida<number> => ({ depois: i * PART.casos, ate: (i + 1) * PART.casos })

/** Skips parts without a case: ids may have gaps of any length. */
async function firstWithCases(db: Db, { feitas, partes }: Ponto): Promise<number> {
  const next = await nextCasoId(db, feitas * PART.casos)
  return next === null ? partes : Math.min(partes, Math.floor((next - 1) / PART.casos))
}

const [FIRST_KEY, LAST_KEY] = [-(2n ** 63n), 2n ** 63n - 1n]

/** Equal ranges: keys are hashes and spread evenly. */
function keysOf(i: number, partes: number): FaixaLida<bigint> {
  const bound = (at: number) => FIRST_KEY + ((LAST_KEY - FIRST_KEY) * BigInt(at)) / BigInt(partes)
  return { depois: bound(i), ate: bound(i + 1) }
}
