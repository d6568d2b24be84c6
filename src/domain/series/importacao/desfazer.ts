import type { Db } from '../../../db/db.ts'
import { findImportacao, markDesfeita } from '../../importacao/importacoes.ts'
import type { JobApp } from '../../jobs/job-app.ts'
import type { JobTask } from '../../jobs/queue.ts'
import {
  type Autor,
  type BlocoNovo,
  listMudados,
  listTouched,
  type Mudado,
  writeBlocos,
} from '../blocos.sql.ts'
import { announceChange, type EfeitoNaSerie, startOf } from '../escrita.ts'
import { periodAt } from '../periodos.ts'
import type { Serie } from '../serie.ts'
import { lockSeries } from '../series.sql.ts'

/**
 * Takes an import of series back: each block it changed is put back to its image before, unless somebody changed it since; then only
 * the slots that still hold what the import wrote.
 */

const BATCH = 256

export async function runUndoSeries(app: JobApp, task: JobTask): Promise<void> {
  const { importacao_id, simular } = task.job.parametros as { importacao_id: number; simular: boolean }
  await app.db.transaction(async (tx) => {
    const { codigos } = await listTouched(tx, importacao_id)
    const series = new Map((await lockSeries(tx, codigos)).map((serie) => [serie.id, serie]))
    const importacao = await findImportacao(tx, importacao_id, null, 'series')
    if (importacao === null || importacao.desfeita_em !== null) {
      await task.finish(tx, { status: 'failed', message: { code: 'ALREADY_UNDONE' } })
      return
    }
    const now = app.clock.now()
    const autor = { importacao_id: null, usuario_id: task.job.usuario_id, em: now }
    const done = await putBack(tx, task, series, importacao_id, simular ? null : autor)
    if (!simular) {
      await markDesfeita(tx, importacao_id, task.job.usuario_nome, now)
      for (const effect of done.effects) await announceChange(app, tx, effect, importacao_id)
    }
    const { removidos, restaurados, mantidos } = done
    await task.finish(tx, {
      message: { code: 'COMPLETED', trabalho: simular ? 'simulacao' : 'desfazimento', rejeitadas: 0 },
      resultado: { simular, importacao_id, removidos, restaurados, total_mantidos: mantidos },
    })
  })
}

interface Desfeito {
  removidos: number
  restaurados: number
  /** Values that somebody changed since. */
  mantidos: number
  effects: EfeitoNaSerie[]
}

async function putBack(
  tx: Db,
  task: JobTask,
  series: ReadonlyMap<number, Serie>,
  importacaoId: number,
  autor: Autor | null,
): Promise<Desfeito> {
  const done: Desfeito = { removidos: 0, restaurados: 0, mantidos: 0, effects: [] }
  const effects = new Map<number, EfeitoNaSerie>()
  let after: Mudado | null = null
  for (;;) {
    task.proceed()
    const page: Mudado[] = await listMudados(tx, importacaoId, after, BATCH)
    if (page.length === 0) break
    after = page.at(-1) as Mudado
    const changed = page.flatMap((bloco) => {
      const serie = series.get(bloco.serie_id) as Serie
      const effect = effects.get(serie.id) ?? startOf(serie)
      effects.set(serie.id, effect)
      return restored(serie, bloco, done, effect)
    })
    if (autor !== null) await writeBlocos(tx, changed, autor)
  }
  return { ...done, effects: [...effects.values()] }
}

/** The block as it is to be; none where nothing of the import is left in it. */
function restored(
  serie: Serie,
  { lugar, ano, antes, depois, agora }: Mudado,
  done: Desfeito,
  effect: EfeitoNaSerie,
): BlocoNovo[] {
  const slots = Math.max(antes?.length ?? 0, depois?.length ?? 0, agora?.length ?? 0)
  const valores = Array.from({ length: slots }, (_, slot) => agora?.[slot] ?? null)
  let isChanged = false
  for (let slot = 0; slot < slots; slot++) {
    const [before, written] = [antes?.[slot] ?? null, depois?.[slot] ?? null]
    if (Object.is(before, written)) continue
    if (!Object.is(valores[slot], written)) {
      done.mantidos += 1
      continue
    }
    valores[slot] = before
    isChanged = true
    const index = periodAt(serie.periodo, ano, slot) as number
    effect.primeiro = Math.min(effect.primeiro, index)
    effect.ultimo = Math.max(effect.ultimo, index)
    effect.lugares.add(lugar)
    if (before === null) {
      done.removidos += 1
      effect.apagados += 1
    } else {
      done.restaurados += 1
      effect.alterados += 1
    }
  }
  if (!isChanged) return []
  const isEmpty = valores.every((valor) => valor === null)
  return [{ serie, lugar, ano, valores: isEmpty ? null : valores }]
}
