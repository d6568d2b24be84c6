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
  deleteOrphans,
  forgetPendentes,
  lastCasoId,
  listIdentidades,
  listKeyed,
  listSealedIds,
  listUnkeyed,
  lockIdentidades,
} from './identidade.sql.ts'
import { deleteUnkeyed } from './pares.sql.ts'
import { porFaixa, viewerOf } from './pendentes.ts'

/**
 * Full scan as a job: keys of all cases that have none, then all pairs, some blocks of cases in each transaction with the place to go
 * on from. While a block is written the next one is read and compared, on another connection and the other processor. Undecided
 * pairs get the scores of the present weights; decided ones stay. Cases are read from a standby where one is up to date: the lock,
 * which is held meanwhile, keeps out every other writer of keys and pairs, and a case that changes waits for its comparison as it
 * always does.
 */

const BLOCK = 6_000
/** Of a transaction, a few seconds of work: all that a killed process does again, and all that other writers of keys wait for. */
const BLOCKS = 3

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
const KEYS_PERCENT = 55

interface Ponto {
  fase: 'chaves' | 'pares'
  /** Id of the last case. */
  depois: number
}

/** A block of cases that was read. */
interface Bloco {
  /** Id of its last case. */
  ultimo: number
  write(tx: Db): Promise<void>
}

export async function runVarredura(app: JobApp, task: JobTask): Promise<void> {
  const comparador = createComparador(app)
  let ponto = task.job.ponto as Ponto | null
  if (ponto === null) {
    ponto = { fase: 'chaves', depois: 0 }
    await app.db.transaction((tx) => begin(tx, task, ponto as Ponto))
  }
  const last = Math.max(1, await lastCasoId(app.db))
  while (ponto !== null) {
    task.proceed()
    ponto = await app.db.transaction((tx) => proceedFrom(tx, ponto as Ponto))
  }
  await app.db.transaction((tx) => finish(tx))

  /** The next place to go on from; null: none. */
  async function proceedFrom(tx: Db, { fase, depois }: Ponto): Promise<Ponto | null> {
    await lockIdentidades(tx)
    const ultimo = await writeBlocks(tx, fase === 'chaves' ? readUnkeyed : readPairs, depois)
    const percent = (from: number, to: number) => from + ((to - from) * Math.min(last, ultimo ?? last)) / last
    const [from, to] = fase === 'chaves' ? [0, KEYS_PERCENT] : [KEYS_PERCENT, 99]
    if (ultimo !== null) return checkpoint(tx, { fase, depois: ultimo }, percent(from, to))
    return fase === 'chaves' ? checkpoint(tx, { fase: 'pares', depois: 0 }, KEYS_PERCENT) : null
  }

  async function checkpoint(tx: Db, to: Ponto, percent: number): Promise<Ponto> {
    await task.checkpoint(tx, to, percent)
    return to
  }

  /** Id of the last case that was written; null where there is none. */
  async function writeBlocks(
    tx: Db,
    read: (depois: number) => Promise<Bloco | null>,
    depois: number,
  ): Promise<number | null> {
    let ultimo: number | null = null
    let bloco = await read(depois)
    for (let left = BLOCKS; bloco !== null; left--) {
      ultimo = bloco.ultimo
      const ahead: Promise<Bloco | null> = left > 1 ? read(ultimo) : Promise.resolve(null)
      // Told below; where writing fails first, that is told.
      ahead.catch(() => {})
      await bloco.write(tx)
      bloco = await ahead
    }
    return ultimo
  }

  function readUnkeyed(depois: number): Promise<Bloco | null> {
    return app.reader.read(app.db, async (from) => {
      const ids = await listSealedIds(from, depois, BLOCK)
      const abertos = comparador.openAll(await listUnkeyed(from, ids))
      return blockOf(ids, abertos, (tx) => comparador.keep(tx, abertos, abertos))
    })
  }

  function readPairs(depois: number): Promise<Bloco | null> {
    return app.reader.read(app.db, async (from) => {
      const ids = await listKeyed(from, depois, BLOCK)
      const abertos = comparador.openAll(await listIdentidades(from, ids))
      const options = { dias: app.duplicidadeDias, before: true }
      const found = abertos.length > 0 ? await comparador.find(from, abertos, options) : []
      const at = { before: true, now: app.clock.now() }
      return blockOf(ids, abertos, (tx) => comparador.store(tx, abertos, found, at))
    })
  }

  async function finish(tx: Db): Promise<void> {
    await lockIdentidades(tx)
    await deleteOrphans(tx)
    await deleteUnkeyed(tx)
    const rows = await countByFaixa(tx, app.municipios, viewerOf(app, task.job))
    const duplicidades = porFaixa(rows.filter(({ situacao }) => situacao === 'pendente'))
    await task.finish(tx, {
      message: { code: 'COMPLETED', trabalho: 'varredura', rejeitadas: 0 },
      resultado: { duplicidades, versao_pesos: PESOS.versao },
    })
  }
}

/** Null where there are no more cases; of cases without a name nothing is written. */
function blockOf(ids: readonly number[], abertos: readonly Aberto[], write: Bloco['write']): Bloco | null {
  const ultimo = ids.at(-1)
  if (ultimo === undefined) return null
  return { ultimo, write: abertos.length > 0 ? write : async () => {} }
}

async function begin(tx: Db, task: JobTask, ponto: Ponto): Promise<void> {
  await lockIdentidades(tx)
  await forgetPendentes(tx)
  await task.checkpoint(tx, ponto, 0)
}
