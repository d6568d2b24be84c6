import type { Caller } from '../../caller/caller.ts'
import { AppError, invalid } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import {
  type CampoComValores,
  countValores,
  deleteValor,
  insertValor,
  isUsed,
  lockValor,
  lockValores,
  type ValorRegistrado,
} from './valores.sql.ts'

export { CAMPOS_COM_VALORES, codigosOf, listValores, type ValorRegistrado } from './valores.sql.ts'

/** Suspicions, and suggestions of species: lists that administrators add to. */

type Needs = Pick<App, 'db' | 'clock' | 'auditoria'>

const MOST_VALORES = 200

export function addValor(app: Needs, caller: Caller, valor: ValorRegistrado): Promise<ValorRegistrado> {
  return app.db.transaction(async (tx) => {
    await lockValores(tx)
    if ((await countValores(tx, valor.campo)) >= MOST_VALORES)
      throw invalid('body', ['codigo'], 'TOO_MANY', { limit: MOST_VALORES })
    if ((await insertValor(tx, valor, app.clock.now())) === 0)
      throw invalid('body', ['codigo'], 'DUPLICATE', {})
    await record(app, tx, caller, 'epizootia.valor_adicionado', valor)
    return valor
  })
}

export function removeValor(
  app: Needs,
  caller: Caller,
  campo: CampoComValores,
  codigo: string,
): Promise<void> {
  return app.db.transaction(async (tx) => {
    const valor = await lockValor(tx, campo, codigo)
    if (valor === null) throw new AppError('NOT_FOUND')
    if (await isUsed(tx, valor)) throw invalid('path', ['codigo'], 'IN_USE', {})
    await deleteValor(tx, valor)
    await record(app, tx, caller, 'epizootia.valor_removido', valor)
  })
}

async function record(
  { auditoria }: Needs,
  tx: Parameters<App['auditoria']['record']>[0],
  caller: Caller,
  acao: string,
  { campo, codigo }: ValorRegistrado,
): Promise<void> {
  const detalhes = { campo, codigo }
  await auditoria.record(tx, { acao, ...by(caller), recurso: 'epizootia', recurso_id: null, detalhes })
}
