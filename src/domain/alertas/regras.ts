import type { Caller } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { TIPOS_AGRAVO, type TipoAgravo } from '../casos/enumeracoes.ts'
import type { Limiares, Regra } from './regra.ts'
import { insertRegra, listRegras, lockRegras } from './regras.sql.ts'

/** Rules of alerts, read and changed. */

/** One row a disease, in the order of the diseases. */
export async function regras(db: Db): Promise<Regra[]> {
  const found = await listRegras(db)
  return TIPOS_AGRAVO.flatMap((tipo) => found.filter(({ tipo_agravo }) => tipo_agravo === tipo))
}

export async function regraOf(db: Db, tipo: TipoAgravo): Promise<Regra> {
  return (await regras(db)).find(({ tipo_agravo }) => tipo_agravo === tipo) as Regra
}

/** `versao` is the one that the caller has read; null: whichever there is. What changes nothing adds no version. */
export async function changeRegra(
  { db, clock, auditoria }: Pick<App, 'db' | 'clock' | 'auditoria'>,
  caller: Caller,
  {
    tipo_agravo,
    versao,
    change,
  }: { tipo_agravo: TipoAgravo; versao: number | null; change: Partial<Limiares> },
): Promise<Regra> {
  return db.transaction(async (tx) => {
    await lockRegras(tx)
    const before = await regraOf(tx, tipo_agravo)
    if (versao !== null && versao !== before.versao) throw new AppError('CONFLICT')
    const changed = { ...before, ...change, versao: before.versao + 1 }
    const campos = (Object.keys(change) as (keyof Limiares)[]).filter(
      (campo) => before[campo] !== changed[campo],
    )
    if (campos.length === 0) return before
    await insertRegra(tx, changed, clock.now())
    const valores = Object.fromEntries(
      campos.map((campo) => [campo, { de: before[campo], para: changed[campo] }]),
    )
    await auditoria.record(tx, {
      acao: 'alerta.regra_alterada',
      ...by(caller),
      recurso: 'alerta_regra',
      recurso_id: tipo_agravo,
      detalhes: { versao: changed.versao, valores },
    })
    return changed
  })
}
