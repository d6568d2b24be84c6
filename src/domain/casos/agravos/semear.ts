import { hash } from 'node:crypto'
import type { Db } from '../../../db/db.ts'
import { CONHECIDOS } from './conhecidos.ts'
import { findUltima, insertCodigos, insertVersao, upsertTipo } from './definicoes.sql.ts'
import { canonical } from './ler.ts'
import { VOCABULARIO } from './vocabulario.ts'

/** Seeds the vocabulary and the definitions of the known diseases; what administrators made of them since stays. */
export async function seedAgravos(tx: Db, now: Date): Promise<void> {
  await insertCodigos(tx, VOCABULARIO, true)
  for (const definicao of CONHECIDOS) {
    if ((await findUltima(tx, definicao.codigo)) !== null) continue
    await insertVersao(tx, {
      ...{ codigo: definicao.codigo, versao: 1, definicao, estado: 'ativa' },
      resumo_sha256: hash('sha256', canonical(definicao), 'buffer'),
      ...{ criado_por_id: null, criado_por_nome: null, criado_em: now, ativada_em: now },
    })
    await upsertTipo(tx, definicao, true)
  }
}
