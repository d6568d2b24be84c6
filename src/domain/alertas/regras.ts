import type { Caller } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError, invalid } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import type { TipoAgravo } from '../casos/enumeracoes.ts'
import type { Limiares, Regra } from './regra.ts'
import { insertRegra, listRegras, lockRegras } from './regras.sql.ts'

/** Rules of alerts, read and changed. */

/** One row a disease whose levels are computed, in the order of the diseases. */
export async function regras(db: Db, { agravos }: Pick<App, 'agravos'>): Promise<Regra[]> {
  const found = await listRegras(db)
  return agravos
    .vigentes()
    .comAlertas.map((tipo) => found.find(({ tipo_agravo }) => tipo_agravo === tipo) ?? firstRegra(tipo))
}

/** Of a disease whose thresholds nobody has set. */
const firstRegra = (tipo_agravo: TipoAgravo): Regra => ({
  ...{ tipo_agravo, versao: 1, p_crescimento: 0.95, casos_janela: 5 },
  ...{ casos_amarelo: 5, casos_laranja: 5, casos_vermelho: 10, incidencia_4_semanas: 100 },
})

/** Refuses a disease without alerts. */
export async function regraOf(db: Db, app: Pick<App, 'agravos'>, tipo: TipoAgravo): Promise<Regra> {
  const found = (await regras(db, app)).find(({ tipo_agravo }) => tipo_agravo === tipo)
  if (found === undefined) throw invalid('query', ['tipo_agravo'], 'INCONSISTENT', { field: 'alertas' })
  return found
}

/** `versao` is the one that the caller has read; null: whichever there is. What changes nothing adds no version. */
export async function changeRegra(
  { db, clock, auditoria, agravos }: Pick<App, 'db' | 'clock' | 'auditoria' | 'agravos'>,
  caller: Caller,
  {
    tipo_agravo,
    versao,
    change,
  }: { tipo_agravo: TipoAgravo; versao: number | null; change: Partial<Limiares> },
): Promise<Regra> {
  return db.transaction(async (tx) => {
    await lockRegras(tx)
    const before = await regraOf(tx, { agravos }, tipo_agravo)
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
