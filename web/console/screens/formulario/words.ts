import { CAMPOS, type FieldName } from '../../../../src/domain/casos/campos.ts'
import type { Problem, ProblemParams } from '../../../../src/errors/catalogue.ts'
import { texts } from '../../state/texts.ts'
import type { Ficha } from './ficha.ts'
import type { Trouble } from './form-state.ts'

/** Problems in the words of the form. */

export function troubleText(trouble: Trouble, ficha: Ficha): string {
  return 'message' in trouble ? inWords(trouble.message, ficha) : problemText(trouble, ficha)
}

function problemText({ code, params }: Problem, ficha: Ficha): string {
  const t = texts().formulario.problem
  const limit = (params as { limit?: number }).limit ?? 0
  const other = () => ficha.labelOf((params as ProblemParams['BEFORE']).field as FieldName, texts())
  switch (code) {
    case 'REQUIRED':
    case 'INVALID_TYPE':
    case 'IN_FUTURE':
      return t[code]
    case 'INVALID_FORMAT':
      return t.formats[(params as ProblemParams['INVALID_FORMAT']).expected] ?? t.INVALID_FORMAT
    case 'TOO_LONG':
    case 'TOO_MANY':
    case 'TOO_SMALL':
    case 'TOO_LARGE':
      return t[code](limit)
    case 'BEFORE':
    case 'AFTER':
    case 'INCONSISTENT':
      return t[code](other())
    default:
      return t.UNKNOWN
  }
}

const NAMES = new RegExp(
  `\\b(?:${Object.keys(CAMPOS)
    .toSorted((one, other) => other.length - one.length)
    .map((nome) => nome.replaceAll('.', '\\.'))
    .join('|')})\\b`,
  'g',
)

/** A message of the service with the names that people know in place of those of programs. */
function inWords(message: string, ficha: Ficha): string {
  return message.replaceAll(NAMES, (nome) =>
    nome.includes('_') ? ficha.labelOf(nome as FieldName, texts()) : nome,
  )
}
