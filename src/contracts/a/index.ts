import type { App } from '../../domain/app.ts'
import type { Contract } from '../../http/server.ts'
import { errorSchemaA, renderErrorA } from './errors.ts'
import { permissoesRoutesA } from './permissoes.routes.ts'
import { usuariosRoutesA } from './usuarios.routes.ts'

/** Description A: the formal contract. */
export const contractA: Contract<App> = {
  rows: [...usuariosRoutesA, ...permissoesRoutesA],
  renderError: renderErrorA,
  errorSchema: errorSchemaA,
}
