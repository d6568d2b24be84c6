import { CONHECIDOS } from '../../src/domain/casos/agravos/conhecidos.ts'
import type { Definicao } from '../../src/domain/casos/agravos/definicao.ts'
import { lerDefinicao } from '../../src/domain/casos/agravos/ler.ts'
import { MODELOS } from '../../src/domain/casos/agravos/modelos.ts'
import { vigentesOf } from '../../src/domain/casos/agravos/vigentes.ts'
import { VOCABULARIO } from '../../src/domain/casos/agravos/vocabulario.ts'

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
