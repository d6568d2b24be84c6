import { answerPathOf, CAMPOS, type Campo, FIELD_NAMES } from '../../domain/casos/campos.ts'
import type { ListedCaso } from '../../domain/casos/casos.sql.ts'
import { invalid } from '../../errors/catalogue.ts'
import { Type } from '../../http/type.ts'
import { type Mapper, readerOf, treeOf } from './caso-members.shapes.ts'
import { LISTED_MEMBERS, toResumo } from './caso-saida.shapes.ts'

/** Spec 4.6: a choice of the members of listed cases, `campos=numero_notificacao,paciente.idade,endereco`. */

const PATHS = LISTED_MEMBERS.map(({ path }) => path)
const groupOf = (path: string) => path.split('.')[0] as string
/** Members, and groups for all of theirs. */
const NAMES: ReadonlySet<string> = new Set([...PATHS, ...PATHS.map(groupOf)])

const isInDados = (nome: keyof typeof CAMPOS) => (CAMPOS[nome] as Campo).place === 'dados'
/** Members that are read from the JSON column. */
const IN_DADOS: ReadonlySet<string> = new Set([
  'dados_especificos',
  ...FIELD_NAMES.filter(isInDados).map(answerPathOf),
])

export const Campos = Type.Optional(
  Type.String({
    description: `Só estes membros de cada caso, e o \`id\`; entre vírgulas, um grupo vale pelos seus: ${[...NAMES].join(', ')}`,
    examples: ['numero_notificacao,data_notificacao,paciente.idade,endereco'],
  }),
)

export interface CamposPedidos {
  toCaso: Mapper<ListedCaso>
  /** False where nothing of the JSON column is asked for. */
  withDados: boolean
}

/** All members without `campos`. */
export function fromCampos(campos: string | undefined): CamposPedidos {
  if (campos === undefined) return { toCaso: toResumo, withDados: true }
  const names = new Set(
    campos
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  )
  if (names.size === 0) throw invalid('query', ['campos'], 'REQUIRED', {})
  const unknown = [...names].filter((name) => !NAMES.has(name))
  if (unknown.length > 0) throw invalid('query', ['campos'], 'UNKNOWN', { ids: unknown })
  const members = LISTED_MEMBERS.filter(
    ({ path }) => path === 'id' || names.has(path) || names.has(groupOf(path)),
  )
  return {
    toCaso: readerOf(treeOf(members)),
    withDados: members.some(({ path }) => IN_DADOS.has(path)),
  }
}
