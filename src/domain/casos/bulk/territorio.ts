import type { Territorio } from '../../../caller/territorio.ts'
import type { Campos } from '../campos.ts'
import { acessoTo } from '../territorio.ts'

/**
 * Reason of every row that a bound importer may not write: its own places are outside, it would move its case outside, or its
 * key belongs to a case outside. One text, so that it does not tell which.
 */
export const OUTSIDE_TEXT = 'Fora do seu território'

/** True where neither residence nor notification is inside; the account that answers for a case counts only in single reads. */
export function isOutside(territorio: Territorio | null, campos: Campos): boolean {
  const places = {
    estado_residencia: campos.estado_residencia,
    municipio_residencia: campos.municipio_residencia,
    municipio_notificacao: campos['dados_especificos.municipio_notificacao'],
  }
  return acessoTo({ id: 0, territorio }, { ...places, responsavel_id: null }) === null
}
