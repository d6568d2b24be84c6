import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { Regra } from './regra.ts'

const REGRA = sql`tipo_agravo, versao, p_crescimento, casos_janela, casos_amarelo, casos_laranja, casos_vermelho,
  incidencia_4_semanas`

/** The latest version of each disease. */
export function listRegras(db: Db): Promise<Regra[]> {
  return db.rows(sql`
    select distinct on (tipo_agravo) ${REGRA} from alertas_regras order by tipo_agravo, versao desc`)
}

/** Two changes at once are one after the other. */
export async function lockRegras(tx: Db): Promise<void> {
  await tx.run(sql`lock table alertas_regras in share row exclusive mode`)
}

export async function insertRegra(tx: Db, regra: Regra, now: Date): Promise<void> {
  await tx.run(sql`
    insert into alertas_regras (${REGRA}, criado_em)
    values (${regra.tipo_agravo}, ${regra.versao}, ${regra.p_crescimento}, ${regra.casos_janela}, ${regra.casos_amarelo},
      ${regra.casos_laranja}, ${regra.casos_vermelho}, ${regra.incidencia_4_semanas}, ${now})`)
}
