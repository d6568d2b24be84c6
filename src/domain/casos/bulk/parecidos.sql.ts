import type { Db } from '../../../db/db.ts'
import { identifier, sql } from '../../../db/sql.ts'

/**
 * New lines without a number that are equal, in day, unit or municipality, age and sex, to a stored case that has one: a public file
 * and the notifications that it was made of bring the same record twice. Counted, never merged: strangers are equal, too. By unit only
 * for importers of all places, since the case may live outside the territory of others.
 */
export function countParecidos(
  tx: Db,
  numero: number,
  { porUnidade }: { porUnidade: boolean },
): Promise<number> {
  const staged = identifier(`preparo.casos_${numero}`)
  return tx.value(sql`
    with novos as materialized (
      select s.tipo_agravo, s.data_notificacao, s.municipio_residencia, s.unidade_cnes, s.paciente_idade, s.paciente_sexo
      from ${staged} s
      where s.derivado and s.paciente_idade is not null and s.paciente_sexo is not null
        and not exists (select from matches m where m.linha = s.linha)
    )
    select count(*) from novos n where exists (
      select from casos c
      where c.excluido_em is null and c.numero_notificacao not like 'DATASUS-%'
        and c.data_notificacao between (select min(data_notificacao) from novos) and (select max(data_notificacao) from novos)
        and c.tipo_agravo = n.tipo_agravo and c.data_notificacao = n.data_notificacao
        and c.paciente_idade = n.paciente_idade and c.paciente_sexo = n.paciente_sexo
        and (c.municipio_residencia = n.municipio_residencia or ${porUnidade} and c.unidade_cnes = n.unidade_cnes))`)
}
