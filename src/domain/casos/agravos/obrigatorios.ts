import { isSecret } from '../campos.ts'
import { type CampoProprio, type Condicao, type Definicao, isProprio } from './definicao.ts'
import { type CamposConhecidos, conhecidosOf } from './nomes.ts'

/** Own fields that a disease asks for and that can be counted: what is sealed, or depends on it, cannot. */
export function obrigatoriosOf(definicao: Definicao): CampoProprio[] {
  const required = definicao.campos.filter(isProprio).filter(isRequired)
  if (required.length === 0) return []
  const conhecidos = conhecidosOf(definicao)
  return required.filter(
    ({ obrigatorio, obrigatorio_quando, mostrar_quando }) =>
      (obrigatorio || isOpen(obrigatorio_quando, conhecidos)) && isOpen(mostrar_quando, conhecidos),
  )
}

const isRequired = ({ ativo, sigiloso, obrigatorio, obrigatorio_quando }: CampoProprio) =>
  ativo && !sigiloso && (obrigatorio || obrigatorio_quando !== undefined)

const isOpen = (condicoes: readonly Condicao[] = [], conhecidos: CamposConhecidos): boolean =>
  condicoes.every(({ campo }) => !isSecret(conhecidos.named(campo)?.flat ?? ''))
