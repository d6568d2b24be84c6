import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../../db/db.ts'
import type { App } from '../../app.ts'
import { type Campos, isSecret, ONCE_FIELDS } from '../campos.ts'
import { publicName } from '../proprios.ts'
import { toCampos } from '../sigilo.ts'
import { isOutside, placesOf } from '../territorio.ts'
import { findPrincipal } from './bulk.sql.ts'
import type { MergeRules } from './merge.ts'

/** Lines about cases that another case absorbed: they change the absorbed one alone. */

/** Fields that tell notifications apart, or follow from others. */
const OWN: ReadonlySet<string> = new Set(['numero_notificacao', 'data_notificacao', 'status', ...ONCE_FIELDS])

/** Text of a warning where the line says something else than the case that stands; null where it does not. */
export async function divergence(
  { cipher }: Pick<App, 'cipher'>,
  tx: Db,
  principalId: number,
  said: Campos,
  { fields, importer }: MergeRules,
): Promise<string | null> {
  const row = await findPrincipal(tx, principalId)
  // Of a case outside the importer's territory nothing is told.
  if (row === null || isOutside(importer.territorio, placesOf(row))) return null
  const principal = toCampos(cipher, row)
  const differing = fields.filter(
    (nome) =>
      !OWN.has(nome) &&
      (importer.identifies || !isSecret(nome)) &&
      said[nome] != null &&
      !isDeepStrictEqual(said[nome], principal[nome]),
  )
  if (differing.length === 0) return null
  return `Fundida com a notificação ${principal.numero_notificacao}, que difere em: ${differing.map(publicName).join(', ')}`
}
