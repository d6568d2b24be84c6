import type { Territorio } from '../../../caller/territorio.ts'
import type { Db } from '../../../db/db.ts'
import type { App } from '../../app.ts'
import { type Campos, FIELD_NAMES } from '../campos.ts'
import { rewriteCaso } from '../create.ts'
import { type ImportHistoricoRow, listLastHistorico } from '../historico.sql.ts'
import { rewind, unsealHistory } from '../historico.ts'
import { toCampos } from '../sigilo.ts'
import { isOutside, placesOf } from '../territorio.ts'
import { type ImportedCaso, lockCasosByIds, prepareForBulk } from './bulk.sql.ts'
import type { ImportAuthor, WorkControl } from './bulk.ts'
import { anyTouchedOutside } from './territorio.sql.ts'
import { countUntouched, deleteUntouched, gatherTouched, listTouched } from './undo.sql.ts'

/**
 * Undoes an import: deletes the cases it created, restores those it changed; cases that somebody changed since are listed
 * and left alone.
 */

const BLOCK = 500
const MAX_LISTED = 1_000

export interface UndoRequest {
  importacaoId: number
  simular: boolean
  usuario: ImportAuthor['usuario']
  /** Places that bound the account; a case outside of them leaves the whole import as it is. */
  territorio: Territorio | null
}

export interface UndoResult {
  removidos: number
  restaurados: number
  mantidos: { id: number; numero_notificacao: string }[]
  total_mantidos: number
}

export async function undoImport(
  app: Pick<App, 'cipher' | 'chaves' | 'clock' | 'municipios'>,
  tx: Db,
  control: WorkControl,
  { importacaoId, simular, usuario, territorio }: UndoRequest,
): Promise<UndoResult | 'outside'> {
  await prepareForBulk(tx)
  await gatherTouched(tx, importacaoId)
  const { municipios } = app
  if (territorio && (await anyTouchedOutside(tx, importacaoId, { territorio, municipios }))) return 'outside'
  const removidos = simular ? await countUntouched(tx, importacaoId) : await deleteUntouched(tx, importacaoId)
  await control.progress(50)
  const done: UndoResult = { removidos, restaurados: 0, mantidos: [], total_mantidos: 0 }
  for (let after = 0; ; ) {
    control.proceed()
    const ids = (await listTouched(tx, after, BLOCK)).map(({ id }) => id)
    if (ids.length === 0) return done
    const casos = await lockCasosByIds(tx, ids)
    const changes = new Map((await listLastHistorico(tx, ids)).map((row) => [row.caso_id, row]))
    for (const caso of casos.values()) {
      const last = changes.get(caso.id)
      const untouched =
        caso.importacao.importacao_id === importacaoId &&
        caso.importacao.intacto &&
        last?.importacao_id === importacaoId &&
        last.versao === caso.versao &&
        last.acao === 'importado'
      const then = untouched && last !== undefined ? stateBefore(app, caso, last) : null
      // A case that the import brought here stays: restoring it would move it outside.
      if (then !== null && last !== undefined && !isOutside(territorio, placesOf(then))) {
        done.restaurados += 1
        if (!simular) await restoreCaso(app, tx, usuario, caso, { last, then })
      } else {
        done.total_mantidos += 1
        if (done.mantidos.length < MAX_LISTED)
          done.mantidos.push({ id: caso.id, numero_notificacao: caso.numero_notificacao })
      }
    }
    after = ids.at(-1) ?? after
  }
}

function stateBefore({ cipher }: Pick<App, 'cipher'>, caso: ImportedCaso, last: ImportHistoricoRow): Campos {
  const changes = [{ ...last.alteracoes, ...unsealHistory(cipher, last) }]
  return rewind({ ...toCampos(cipher, caso) }, changes) as Campos
}

/** Restores the values before the import, and the record of an earlier import. */
async function restoreCaso(
  app: Pick<App, 'cipher' | 'chaves' | 'clock'>,
  tx: Db,
  usuario: ImportAuthor['usuario'],
  caso: ImportedCaso,
  { last, then }: { last: ImportHistoricoRow; then: Campos },
): Promise<void> {
  const now = toCampos(app.cipher, caso)
  const earlier = last.importacao_anterior
  await rewriteCaso(app, tx, caso, now, then, {
    acao: 'importacao_desfeita',
    // All fields that the import named, equal ones included: the history does not record which those were.
    alterados: FIELD_NAMES.filter((nome) => Object.hasOwn(last.alteracoes, nome)),
    now: app.clock.now(),
    usuario,
    ...(caso.importacao.importacao_id !== null && { importacao_id: caso.importacao.importacao_id }),
    marca: {
      importacao_id: earlier?.importacao_id ?? null,
      importacao_linha: earlier?.importacao_linha ?? null,
      importacao_hash: earlier?.importacao_hash ? Buffer.from(earlier.importacao_hash, 'hex') : null,
      intacto: earlier?.intacto ?? false,
    },
  })
}
