import type { FieldName } from '../../casos/campos.ts'
import { CANONICAL_NAMES } from './columns.ts'
import { findColumns, shownName, someOf } from './header.ts'
import type { Layout, LayoutContext } from './layout.ts'
import { ownFieldOf, ownLayout } from './own.ts'
import { sinanLayout } from './sinan.ts'

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
  const proprio = findColumns<FieldName>(cabecalho, ownFieldOf)
  if (proprio.found.has('numero_notificacao') && proprio.found.has('data_notificacao'))
    return proprio.found.has('tipo_agravo') || context.tipoAgravo !== null
      ? ownLayout(proprio.found, proprio.avisos, cabecalho.length, context)
      : withoutDisease('tipo_agravo')

  const sinan = findColumns(cabecalho, (column) => CANONICAL_NAMES.get(column.toUpperCase()))
  const hasDisease = sinan.found.has('ID_AGRAVO')
  const others = sinan.found.size - Number(hasDisease) - 1
  if (sinan.found.has('DT_NOTIFIC') && others >= MIN_OTHERS)
    return hasDisease || context.tipoAgravo !== null
      ? sinanLayout(sinan.found, sinan.avisos, cabecalho.length, context)
      : withoutDisease('ID_AGRAVO')
  return { refusal: unrecognised(cabecalho), withoutDisease: false }
}

const withoutDisease = (column: string): Refusal => ({
  refusal: `O arquivo não tem a coluna ${column}: inclua-a ou informe o tipo de agravo (dengue, zika ou chikungunya) ao enviar`,
  withoutDisease: true,
})

function unrecognised(cabecalho: string[]): string {
  const found = cabecalho.map(shownName).filter((nome) => nome !== '')
  return (
    'Layout não reconhecido. Esperado: colunas do SINAN (ID_AGRAVO, DT_NOTIFIC, DT_SIN_PRI, ID_MN_RESI, …) ' +
    'ou do próprio sistema (tipo_agravo, numero_notificacao, data_notificacao, paciente_nome, …). ' +
    `Encontrado: ${found.length === 0 ? 'nenhuma coluna' : someOf(found)}`
  )
}
