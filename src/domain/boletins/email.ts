import type { Db } from '../../db/db.ts'
import { findBoletimDoEmail } from './boletins.sql.ts'

/** Facts of a mail about a bulletin: where and when, and headline figures only where all of it may be published. */

export interface SecaoDoEmail {
  tipo_agravo: string
  nivel: string
  /** Null: hidden. */
  casos_ano: number | null
  casos_4_semanas: number | null
}

export interface BoletimDoEmail {
  id: number
  lugar: string
  semana: string
  agravos: readonly string[]
  /** Empty unless the bulletin is public. */
  secoes: readonly SecaoDoEmail[]
}

/** Null once the bulletin is deleted, or the reader is not active. */
export async function boletimDoEmail(db: Db, id: number, usuarioId: number): Promise<BoletimDoEmail | null> {
  const row = await findBoletimDoEmail(db, id, usuarioId)
  if (row === null) return null
  const { cabecalho, dados } = row.conteudo
  const { nivel, nome, estado } = cabecalho.lugar
  const isPart = nivel === 'municipio' || nivel === 'regiao_saude'
  return {
    id,
    lugar: isPart ? `${nome} (${estado})` : nome,
    semana: `${row.semana.slice(4)}/${row.semana.slice(0, 4)}`,
    agravos: cabecalho.agravos,
    secoes: row.publico
      ? dados.secoes.map(({ tipo_agravo, numeros }) => ({
          tipo_agravo,
          nivel: numeros.nivel,
          casos_ano: numeros.casos_ano.valor,
          casos_4_semanas: numeros.casos_4_semanas.valor,
        }))
      : [],
  }
}
