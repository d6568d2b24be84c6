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
 * Full scan as a job: keys of all cases that have none, then all pairs, a block of cases in each transaction with the place to go on
 * from. Undecided pairs get the scores of the present weights; decided ones stay. Cases are read from a standby where one is up to
 * date: the lock, which is taken before, keeps out every other writer of keys and pairs, and a case that changes meanwhile waits for
 * its comparison as it always does.
 */

const BLOCK = 2_000

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
    const { fase, depois }: Ponto = ponto
    ponto = await app.db.transaction(async (tx): Promise<Ponto | null> => {
      await lockIdentidades(tx)
      const next = fase === 'chaves' ? await keepNext(tx, depois) : await pairNext(tx, depois)
      const percent = (from: number, to: number) => from + ((to - from) * Math.min(last, next ?? last)) / last
      const [from, to] = fase === 'chaves' ? [0, KEYS_PERCENT] : [KEYS_PERCENT, 99]
      if (next !== null) return checkpoint(tx, { fase, depois: next }, percent(from, to))
      return fase === 'chaves' ? checkpoint(tx, { fase: 'pares', depois: 0 }, KEYS_PERCENT) : null
    })
  }
  await app.db.transaction((tx) => finish(tx))

  async function checkpoint(tx: Db, to: Ponto, percent: number): Promise<Ponto> {
    await task.checkpoint(tx, to, percent)
    return to
  }

  /** Id of the last case of the block; null where there is none. */
  async function keepNext(tx: Db, depois: number): Promise<number | null> {
    const { ids, abertos } = await app.reader.read(tx, async (from) => {
      const ids = await listSealedIds(from, depois, BLOCK)
      return { ids, abertos: comparador.openAll(await listUnkeyed(from, ids)) }
    })
    if (abertos.length > 0) await comparador.keep(tx, abertos, abertos)
    return ids.at(-1) ?? null
  }

  async function pairNext(tx: Db, depois: number): Promise<number | null> {
    const { ids, abertos, found } = await app.reader.read(tx, async (from) => {
      const ids = await listKeyed(from, depois, BLOCK)
      const abertos = comparador.openAll(await listIdentidades(from, ids))
      const options = { dias: app.duplicidadeDias, before: true }
      return { ids, abertos, found: abertos.length > 0 ? await comparador.find(from, abertos, options) : [] }
    })
    if (abertos.length > 0) await comparador.store(tx, abertos, found, { before: true, now: app.clock.now() })
    return ids.at(-1) ?? null
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

async function begin(tx: Db, task: JobTask, ponto: Ponto): Promise<void> {
  await lockIdentidades(tx)
  await forgetPendentes(tx)
  await task.checkpoint(tx, ponto, 0)
}
