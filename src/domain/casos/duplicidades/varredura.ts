import type { Caller } from '../../../caller/caller.ts'
import type { Db } from '../../../db/db.ts'
import type { App } from '../../app.ts'
import type { JobApp } from '../../jobs/job-app.ts'
import { enqueueJob } from '../../jobs/jobs.ts'
import type { JobTask } from '../../jobs/queue.ts'
import { createComparador } from './comparar.ts'
import { countByFaixa } from './duplicidades.sql.ts'
import { PESOS } from './escore.ts'
import {
  countChaves,
  deleteOrphans,
  type FaixaLida,
  forgetPendentes,
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
 * that shares several keys is compared under each. Some parts make a transaction, with the place to go on from. While a part is
 * written the next one is read and compared, on another connection and the other processor. Undecided pairs get the scores of the
 * present weights; decided ones stay. Cases are read from a standby where one is up to date: the lock, which is held meanwhile, keeps
 * out every other writer of keys and pairs, and a case that changes waits for its comparison as it always does.
 */

/** Cases of a part of the first phase, keys of one of the second. */
const PART = { casos: 3_000, chaves: 24_000 }
/** Of a transaction, a few seconds of work: all that a killed process does again, and all that other writers of keys wait for. */
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
  let ponto: Ponto | null = pontoOf(task.job.ponto) ?? (await app.db.transaction((tx) => begin(tx, task)))
  while (ponto !== null) {
    task.proceed()
    ponto = await app.db.transaction((tx) => proceedFrom(tx, ponto as Ponto))
  }
  await app.db.transaction((tx) => finish(tx))

  /** The next place to go on from; null: none. */
  async function proceedFrom(tx: Db, { fase, feitas, partes }: Ponto): Promise<Ponto | null> {
    await lockIdentidades(tx)
    const from = fase === 'chaves' ? await firstWithCases(tx, feitas, partes) : feitas
    const until = Math.min(from + PARTS, partes)
    await writeParts(tx, { fase, feitas: from, partes }, until)
    if (until === partes && fase === 'pares') return null
    const next: Ponto = until < partes ? { fase, feitas: until, partes } : await pairsFrom(tx)
    await task.checkpoint(tx, next, percentOf(next))
    return next
  }

  async function writeParts(tx: Db, { fase, feitas, partes }: Ponto, until: number): Promise<void> {
    const read = (i: number) =>
      app.reader.read(app.db, (from) =>
        fase === 'chaves' ? readUnkeyed(from, idsOf(i)) : readPairs(from, keysOf(i, partes)),
      )
    if (feitas === until) return
    let ahead = read(feitas)
    for (let i = feitas; i < until; i++) {
      const write = await ahead
      if (i + 1 < until) ahead = read(i + 1)
      // Told in its turn; where writing fails first, that is told.
      ahead.catch(() => {})
      await write(tx)
    }
  }

  async function readUnkeyed(from: Db, ids: FaixaLida<number>): Promise<Write> {
    const abertos = comparador.openAll(await listUnkeyed(from, ids))
    const rows = comparador.chavesOfAll(abertos)
    return (tx) => comparador.keep(tx, abertos, abertos, rows)
  }

  async function readPairs(from: Db, keys: FaixaLida<bigint>): Promise<Write> {
    const { found, others } = await comparador.judge(from, paresOf(await listShared(from, keys, dias), dias))
    return async (tx) => {
      await deletePares(tx, others)
      await comparador.store(tx, found, app.clock.now())
    }
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
async function firstWithCases(tx: Db, feitas: number, partes: number): Promise<number> {
  const next = await nextCasoId(tx, feitas * PART.casos)
  return next === null ? partes : Math.min(partes, Math.floor((next - 1) / PART.casos))
}

const [FIRST_KEY, LAST_KEY] = [-(2n ** 63n), 2n ** 63n - 1n]

/** Equal ranges: keys are hashes and spread evenly. */
function keysOf(i: number, partes: number): FaixaLida<bigint> {
  const bound = (at: number) => FIRST_KEY + ((LAST_KEY - FIRST_KEY) * BigInt(at)) / BigInt(partes)
  return { depois: bound(i), ate: bound(i + 1) }
}
