import { CAMPOS, type Campo, leafOf } from '../../../../src/domain/casos/campos.ts'
import { isField } from '../../state/caso-campos.ts'
import type { CampoDoFormulario, FormularioDoAgravo } from '../../state/formularios.ts'

/** Questions of a form whose answers the service counts: those with few answers that are not sealed. */

export interface Pergunta extends CampoDoFormulario {
  /** Name as the service counts it. */
  campo: string
}

interface GrupoDePerguntas {
  rotulo: string
  perguntas: Pergunta[]
}

const OF_OWN: readonly string[] = ['bool', 'opcao', 'opcoes', 'inteiro', 'municipio']
const OF_STANDARD: readonly string[] = ['boolean', 'one-of', 'list-of']

/** Standard fields with a column of their own are filters, and are counted by the painel. */
function isCounted({ nome, tipo, sigiloso }: CampoDoFormulario): boolean {
  if (!isField(nome)) return OF_OWN.includes(tipo) && !sigiloso
  const { place, kind }: Campo = CAMPOS[nome]
  return place === 'dados' && OF_STANDARD.includes(kind)
}

export const perguntasIn = ({ grupos }: FormularioDoAgravo): GrupoDePerguntas[] =>
  grupos
    .map(({ rotulo, campos }) => ({
      rotulo,
      perguntas: campos.filter(isCounted).map((campo) => ({ ...campo, campo: leafOf(campo.nome) })),
    }))
    .filter(({ perguntas }) => perguntas.length > 0)
