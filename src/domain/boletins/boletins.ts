import { UFS } from '../../brasil/uf.ts'
import { type Caller, holds } from '../../caller/caller.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { FilterField, ListQuery, ListRules, Operator, Page } from '../../filter.ts'
import { boundsOf } from '../alertas/alcance.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { enqueueJob } from '../jobs/jobs.ts'
import { NIVEIS_DE_LUGAR } from '../territorios/lugar.ts'
import { type BoletimRow, deleteBoletim, findBoletim, pageOfBoletimRows } from './boletins.sql.ts'
import type { Boletim } from './dados.ts'
import { trabalhoDeBoletins } from './job.ts'
import {
  AGRAVOS_DO_BOLETIM,
  assertSeesWhole,
  lugarDoPedido,
  type PedidoDeBoletim,
  semanaDoPedido,
} from './pedido.ts'

/** Bulletins: asked for, listed, read, deleted. What is made is never changed. */

const EXACT: readonly Operator[] = ['eq', 'ne', 'in']
const oneOf = (values: readonly string[]): FilterField => ({ type: 'text', operators: EXACT, values })

export const BOLETINS_LIST: ListRules = {
  fields: {
    id: { type: 'integer' },
    tipo_agravo: oneOf(AGRAVOS_DO_BOLETIM),
    nivel_lugar: oneOf(NIVEIS_DE_LUGAR),
    estado: oneOf(UFS),
    regiao_saude: {
      type: 'text',
      operators: ['eq', 'in'],
      form: { pattern: /^\d{5}$/, name: 'regiao_saude' },
    },
    municipio: { type: 'text', operators: ['eq', 'in'] },
    semana: {
      type: 'text',
      operators: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in'],
      form: { pattern: /^(?!0000)\d{4}(0[1-9]|[1-4]\d|5[0-3])$/, name: 'semana' },
    },
    publico: { type: 'boolean', operators: EXACT },
    agenda_id: { type: 'integer' },
    criado_em: { type: 'datetime' },
  },
  sortable: ['id', 'criado_em', 'semana'],
  defaultSort: { field: 'id', order: 'desc' },
}

type Needs = Pick<App, 'db' | 'municipios' | 'territorios'>

/** Refuses what cannot be made before it is queued. */
export async function pedirBoletim(
  app: Needs & Pick<App, 'clock' | 'jobs' | 'version' | 'publico'>,
  caller: Caller,
  pedido: PedidoDeBoletim & { semana?: string | undefined },
): Promise<string> {
  const lugar = lugarDoPedido(app, pedido)
  const semana = semanaDoPedido(pedido.semana, app.clock.now())
  assertSeesWhole(caller, lugar)
  const trabalho = trabalhoDeBoletins(app, [{ ...pedido, semana }], null)
  const id = await app.db.transaction((tx) => enqueueJob(app, tx, caller, trabalho))
  app.jobs.wake()
  return id
}

export async function pageOfBoletins(app: Needs, caller: Caller, list: ListQuery): Promise<Page<BoletimRow>> {
  return pageOfBoletimRows(app.db, app.municipios, boundsOf(caller), list)
}

/** A bulletin of a place outside of the caller's territory is not there. */
export async function getBoletim(
  { db }: Pick<App, 'db'>,
  caller: Pick<Caller, 'territorio'>,
  id: number,
): Promise<BoletimRow & { conteudo: Boletim }> {
  const found = await findBoletim(db, boundsOf(caller), id)
  if (found === null) throw new AppError('NOT_FOUND')
  return found
}

/** By the account that made it, or by an administrator: it may have been published by then. */
export async function removeBoletim(
  { db, auditoria }: Pick<App, 'db' | 'auditoria'>,
  caller: Caller,
  id: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { criado_por_id, hash } = await getBoletim({ db: tx } as Pick<App, 'db'>, caller, id)
    if (criado_por_id !== caller.id && !holds(caller, 'admin'))
      throw new AppError('PERMISSION_DENIED', { required_permission: 'admin' })
    if ((await deleteBoletim(tx, id)) === 0) throw new AppError('NOT_FOUND')
    const about = { recurso: 'boletim', recurso_id: id }
    await auditoria.record(tx, { acao: 'boletim.excluido', ...by(caller), ...about, detalhes: { hash } })
  })
}
