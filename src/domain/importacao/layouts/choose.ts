import type { NomeDeCampo } from '../../casos/campos.ts'
import { CANONICAS } from './columns.ts'
import { findColumns, shownName, someOf } from './header.ts'
import type { ContextoDeLayout, Layout } from './layout.ts'
import { ownFieldOf, proprioLayout } from './own.ts'
import { sinanLayout } from './sinan.ts'

/** Besides the notification date and the disease: a header that has fewer is some other table. */
const MIN_OTHERS = 3

/** Which layout a file has, by its header; or why it has none, for the person who sent it. */
export function chooseLayout(cabecalho: string[], contexto: ContextoDeLayout): Layout | { recusa: string } {
  const proprio = findColumns<NomeDeCampo>(cabecalho, ownFieldOf)
  if (proprio.achadas.has('numero_notificacao') && proprio.achadas.has('data_notificacao'))
    return proprio.achadas.has('tipo_agravo') || contexto.tipoAgravo !== null
      ? proprioLayout(proprio.achadas, proprio.avisos, cabecalho.length, contexto)
      : { recusa: semDoenca('tipo_agravo') }

  const sinan = findColumns(cabecalho, (coluna) => CANONICAS.get(coluna.toUpperCase()))
  const hasDisease = sinan.achadas.has('ID_AGRAVO')
  const others = sinan.achadas.size - Number(hasDisease) - 1
  if (sinan.achadas.has('DT_NOTIFIC') && others >= MIN_OTHERS)
    return hasDisease || contexto.tipoAgravo !== null
      ? sinanLayout(sinan.achadas, sinan.avisos, cabecalho.length, contexto)
      : { recusa: semDoenca('ID_AGRAVO') }
  return { recusa: desconhecido(cabecalho) }
}

const semDoenca = (coluna: string): string =>
  `O arquivo não tem a coluna ${coluna}: inclua-a ou informe o tipo de agravo (dengue, zika ou chikungunya) ao enviar`

function desconhecido(cabecalho: string[]): string {
  const found = cabecalho.map(shownName).filter((nome) => nome !== '')
  return (
    'Layout não reconhecido. Esperado: colunas do SINAN (ID_AGRAVO, DT_NOTIFIC, DT_SIN_PRI, ID_MN_RESI, …) ' +
    'ou do próprio sistema (tipo_agravo, numero_notificacao, data_notificacao, paciente_nome, …). ' +
    `Encontrado: ${found.length === 0 ? 'nenhuma coluna' : someOf(found)}`
  )
}
