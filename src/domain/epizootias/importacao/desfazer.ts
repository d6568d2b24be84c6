import { covers } from '../../../caller/territorio.ts'
import type { Db } from '../../../db/db.ts'
import { emit } from '../../eventos/eventos.ts'
import { findImportacao, markDesfeita } from '../../importacao/importacoes.ts'
import type { JobApp } from '../../jobs/job-app.ts'
import type { JobTask } from '../../jobs/queue.ts'
import { territorioOf } from '../../jobs/territorio.ts'
import { CAMPO_NAMES, type CamposDaEpizootia } from '../campos.ts'
import {
  type HistoricoDeEpizootiaRow,
  listLastHistorico,
  lockEpizootias,
  type SealedRow,
} from '../epizootias.sql.ts'
import { rewrite, toCampos } from '../gravar.ts'
import { unsealHistory } from '../sigilo.ts'
import { deleteEpizootias, listTouched, listTouchedPlaces } from './importar.sql.ts'

/**
 * Takes an import of events back: deletes those it created, restores those it changed; events that somebody changed since are left
 * alone and counted.
 */

const BLOCK = 500
const MAX_LISTED = 1_000

interface Desfeito {
  removidos: number
  restaurados: number
  mantidos: { id: number; numero: string }[]
  total_mantidos: number
}

export async function runUndoEpizootias(app: JobApp, task: JobTask): Promise<void> {
  const { importacao_id, simular } = task.job.parametros as { importacao_id: number; simular: boolean }
  await app.db.transaction(async (tx) => {
    const importacao = await findImportacao(tx, importacao_id, null, 'epizootias')
    if (importacao === null || importacao.desfeita_em !== null) {
      await task.finish(tx, { status: 'failed', message: { code: 'ALREADY_UNDONE' } })
      return
    }
    const territorio = territorioOf(app, task.job)
    const places = await listTouchedPlaces(tx, importacao_id)
    if (!places.every((place) => covers(territorio, place))) {
      await task.finish(tx, { status: 'failed', message: { code: 'NOT_PERMITTED' } })
      return
    }
    const now = app.clock.now()
    // Two undoings at once wait for each other here; the second finds nothing to do.
    if (!simular && (await markDesfeita(tx, importacao_id, task.job.usuario_nome, now)) === 0) {
      await task.finish(tx, { status: 'failed', message: { code: 'ALREADY_UNDONE' } })
      return
    }
    const done = await putBack(app, tx, task, importacao_id, simular ? null : now)
    const { removidos, restaurados, total_mantidos: mantidos } = done
    if (!simular)
      await emit(tx, [
        {
          tipo: 'importacao.desfeita',
          dono_id: importacao.usuario_id,
          chave: `importacao:${importacao_id}`,
          dados: {
            ...{ id: importacao_id, job_id: task.job.id, removidos, restaurados, mantidos },
            alvo: 'epizootias',
          },
          em: now,
        },
      ])
    await task.finish(tx, {
      message: { code: 'COMPLETED', trabalho: simular ? 'simulacao' : 'desfazimento', rejeitadas: 0 },
      resultado: { simular, importacao_id, ...done },
    })
  })
}

/** `now` null: counts only. */
async function putBack(
  app: JobApp,
  tx: Db,
  task: JobTask,
  importacaoId: number,
  now: Date | null,
): Promise<Desfeito> {
  const done: Desfeito = { removidos: 0, restaurados: 0, mantidos: [], total_mantidos: 0 }
  const ids = (await listTouched(tx, importacaoId)).map(({ id }) => id)
  for (let i = 0; i < ids.length; i += BLOCK) {
    task.proceed()
    const block = ids.slice(i, i + BLOCK)
    const rows = await lockEpizootias(tx, block)
    const lines = new Map((await listLastHistorico(tx, block)).map((line) => [line.epizootia_id, line]))
    const created = rows.filter(
      (row) => isUntouched(row, importacaoId) && row.criado_por_importacao === importacaoId,
    )
    done.removidos += created.length
    if (now !== null)
      await deleteEpizootias(
        tx,
        created.map(({ id }) => id),
      )
    for (const row of rows) {
      if (created.includes(row)) continue
      const line = lines.get(row.id)
      if (isUntouched(row, importacaoId) && line !== undefined && isOwn(line, row, importacaoId)) {
        done.restaurados += 1
        if (now !== null) await restore(app, tx, task, row, line, now)
      } else {
        done.total_mantidos += 1
        if (done.mantidos.length < MAX_LISTED) done.mantidos.push({ id: row.id, numero: row.numero })
      }
    }
    await task.progress((99 * (i + block.length)) / ids.length)
  }
  return done
}

const isUntouched = (row: SealedRow, importacaoId: number): boolean =>
  row.importacao_id === importacaoId && row.importacao_versao === row.versao && row.excluido_em === null

const isOwn = (line: HistoricoDeEpizootiaRow, row: SealedRow, importacaoId: number): boolean =>
  line.importacao_id === importacaoId && line.acao === 'importado' && line.versao === row.versao

/** Restores the values before the import, and the mark of an earlier one. */
async function restore(
  app: JobApp,
  tx: Db,
  { job }: JobTask,
  row: SealedRow,
  line: HistoricoDeEpizootiaRow,
  now: Date,
): Promise<void> {
  const after = toCampos(app.cipher, row)
  const changes = { ...line.alteracoes, ...unsealHistory(app.cipher, line) } as Record<
    string,
    [unknown, unknown]
  >
  const alterados = CAMPO_NAMES.filter((nome) => Object.hasOwn(changes, nome))
  const before = { ...after } as Record<string, unknown>
  for (const nome of alterados) before[nome] = changes[nome]?.[0]
  const earlier = line.importacao_anterior
  const wasIntact = earlier?.importacao_versao === row.versao - 1
  await rewrite(
    app,
    tx,
    row,
    { before: after, after: before as unknown as CamposDaEpizootia, alterados },
    {
      acao: 'importacao_desfeita',
      usuario: { id: job.usuario_id, nome: job.usuario_nome },
      now,
      importacao: {
        id: row.importacao_id as number,
        marca: {
          importacao_id: earlier?.importacao_id ?? null,
          importacao_linha: earlier?.importacao_linha ?? null,
          importacao_versao: wasIntact ? row.versao + 1 : null,
        },
        anterior: null,
      },
    },
  )
}
