import type { FieldName } from '../../casos/campos.ts'
import { SINAN_COLUMNS } from './columns.ts'
import { definedLayout } from './definido.ts'
import { columnName, findColumns, shownName, someOf } from './header.ts'
import type { Layout, LayoutContext } from './layout.ts'
import { ownLayout, ownNames } from './own.ts'
import { sinanColumns, sinanLayout } from './sinan.ts'

/** Known columns besides notification date and disease; a header with fewer belongs to another kind of table. */
const MIN_OTHERS = 3

export interface Refusal {
  /** Shown to the sender. */
  refusal: string
  /** The file would do if the request named its disease. */
  withoutDisease: boolean
}

/** Chooses the layout by the header; otherwise why there is none. */
export function chooseLayout(cabecalho: string[], context: LayoutContext): Layout | Refusal {
  const names = ownNames(context.agravos)
  const proprio = findColumns<FieldName>(cabecalho, (column) => names.get(column))
  if (proprio.found.has('numero_notificacao') && proprio.found.has('data_notificacao'))
    return proprio.found.has('tipo_agravo') || context.tipoAgravo !== null
      ? ownLayout(proprio.found, proprio.avisos, cabecalho.length, context)
      : withoutDisease('tipo_agravo', context)

  const sinan = sinanColumns(cabecalho)
  const hasDisease = sinan.has('ID_AGRAVO')
  const known = [...sinan.keys()].filter((nome) => Object.hasOwn(SINAN_COLUMNS, nome))
  const others = known.length - Number(hasDisease) - 1
  if (sinan.has('DT_NOTIFIC') && others >= MIN_OTHERS)
    return hasDisease || context.tipoAgravo !== null
      ? sinanLayout(cabecalho, sinan, context)
      : withoutDisease('ID_AGRAVO', context)
  return chooseDefined(cabecalho, context) ?? { refusal: unrecognised(cabecalho), withoutDisease: false }
}

const withoutDisease = (column: string, { agravos }: LayoutContext): Refusal => ({
  refusal: `O arquivo não tem a coluna ${column}: inclua-a ou informe o tipo de agravo (${activeOf(agravos)}) ao enviar`,
  withoutDisease: true,
})

/** Codes of the diseases that take cases, as a list in words. */
function activeOf({ todos }: LayoutContext['agravos']): string {
  const codigos = todos.filter(({ ativo }) => ativo).map(({ definicao }) => definicao.codigo)
  const last = codigos.pop() ?? ''
  return codigos.length === 0 ? last : `${codigos.join(', ')} ou ${last}`
}

/** The only layout of a definition that fits; null: none does. */
function chooseDefined(cabecalho: string[], context: LayoutContext): Layout | Refusal | null {
  const columns = new Set(cabecalho.map(columnName))
  const fitting = context.agravos.todos
    .filter(({ ativo, definicao: { codigo } }) => ativo && (context.tipoAgravo ?? codigo) === codigo)
    .flatMap((agravo) => agravo.definicao.layouts.map((layout) => ({ agravo, layout })))
    .filter(({ layout }) => layout.reconhecer.every((column) => columns.has(columnName(column))))
  const [first, ...rest] = fitting
  if (first === undefined) return null
  if (rest.length === 0) return definedLayout(cabecalho, first, context)
  const names = fitting.map(({ agravo, layout }) => `${layout.nome} (${agravo.definicao.codigo})`)
  return {
    refusal: `O arquivo serve a mais de um layout: ${someOf(names)}. Informe o tipo de agravo ao enviar ou altere as definições`,
    withoutDisease: new Set(fitting.map(({ agravo }) => agravo)).size === fitting.length,
  }
}

function unrecognised(cabecalho: string[]): string {
  const found = cabecalho.map(shownName).filter((nome) => nome !== '')
  return (
    'Layout não reconhecido. Esperado: colunas do SINAN (ID_AGRAVO, DT_NOTIFIC, DT_SIN_PRI, ID_MN_RESI, …) ' +
    'ou do próprio sistema (tipo_agravo, numero_notificacao, data_notificacao, paciente_nome, …). ' +
    `Encontrado: ${found.length === 0 ? 'nenhuma coluna' : someOf(found)}`
  )
}
