import type { Db } from '../../src/db/db.ts'
import { sql } from '../../src/db/sql.ts'

const SINAIS = {
  nome: '2 de 2 palavras iguais, 0 parecidas',
  primeiro_nome: 'igual',
  nascimento: 'igual',
  sexo: 'desconhecido',
  municipio: 'igual',
  bairro: 'desconhecido',
  dias: 0,
}

/** An undecided pair of two cases, without looking at them; its id. */
export function putPar(db: Db, casos: readonly [number, number], now: Date, escore = 12.5): Promise<number> {
  const [caso_1, caso_2] = casos.toSorted((a, b) => a - b) as [number, number]
  return db.value(sql`
    insert into duplicidades (caso_1, caso_2, escore, faixa, sinais, versao_pesos, encontrada_em)
    values (${caso_1}, ${caso_2}, ${escore}, 'quase_certa', ${JSON.stringify(SINAIS)}, 1, ${now})
    returning id`)
}
