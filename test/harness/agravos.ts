import { hash } from 'node:crypto'
import type { Definicao } from '../../src/domain/agravos/definicao.ts'
import {
  activateVersao,
  insertVersao,
  replaceRascunhos,
  upsertTipo,
} from '../../src/domain/agravos/definicoes.sql.ts'
import { lerDefinicao } from '../../src/domain/agravos/ler.ts'
import { CONHECIDOS, MODELOS } from '../../src/domain/agravos/modelos.ts'
import { vigentesOf } from '../../src/domain/agravos/vigentes.ts'
import { VOCABULARIO } from '../../src/domain/agravos/vocabulario.ts'
import type { TestApp } from './app.ts'

/** A definition from JSON, as the service reads it; for diseases that only a test knows. */
export function definicaoOf(json: object): Definicao {
  const { definicao, problems } = lerDefinicao(json, { vocabulario: VOCABULARIO, outras: CONHECIDOS })
  if (problems.length > 0) throw new Error(JSON.stringify(problems))
  return definicao
}

export function modelo(codigo: string): Definicao {
  const found = MODELOS.find((definicao) => definicao.codigo === codigo)
  if (found === undefined) throw new Error(`no model ${codigo}`)
  return found
}

/** The known diseases and these, in their first version. */
export const vigentesCom = (...definicoes: Definicao[]) =>
  vigentesOf(
    [...CONHECIDOS, ...definicoes].map((definicao) => ({ definicao, versao: 1, ativo: true })),
    VOCABULARIO,
  )

/** Puts a version of a definition in force, as an activation leaves it. */
export async function putInForce({ app }: TestApp, definicao: Definicao, versao = 1): Promise<void> {
  const { codigo } = definicao
  const now = app.clock.now()
  await app.db.transaction(async (tx) => {
    await replaceRascunhos(tx, codigo)
    await insertVersao(tx, {
      ...{ codigo, versao, definicao, estado: 'rascunho' },
      resumo_sha256: hash('sha256', JSON.stringify(definicao), 'buffer'),
      ...{ criado_por_id: null, criado_por_nome: null, criado_em: now, ativada_em: null },
    })
    await activateVersao(tx, codigo, versao, now)
    await upsertTipo(tx, definicao, false)
  })
  await app.agravos.reload()
}
