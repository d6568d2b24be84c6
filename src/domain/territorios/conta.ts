import type { Municipios } from '../../brasil/municipios.ts'
import type { Territorios } from '../../brasil/territorios.ts'
import { type LugarDoTerritorio, resolveTerritorio, type Territorio } from '../../caller/territorio.ts'

/** Territories of accounts, from the places they are bound to. */
export interface Territories {
  /** Null: the whole country. */
  of(lugares: readonly LugarDoTerritorio[]): Territorio | null
  /** True: an account without a place sees nothing instead of everything (`TERRITORIO_OBRIGATORIO`). */
  required: boolean
}

const NOWHERE: Territorio = { lugares: [], ufs: new Set(), municipios: new Set(), regioes: new Set() }

export function createTerritories(
  reference: { municipios: Municipios; territorios: Territorios },
  { required }: Pick<Territories, 'required'>,
): Territories {
  return {
    required,
    of(lugares) {
      if (lugares.length > 0) return resolveTerritorio(reference, lugares)
      return required ? NOWHERE : null
    },
  }
}
