import type { App } from '../../domain/app.ts'
import type { Contract } from '../../http/server.ts'
import { contaRoutesA, PASSWORD_GRANT } from './conta.routes.ts'
import { errorSchemaA, renderErrorA } from './errors.ts'
import { permissoesRoutesA } from './permissoes.routes.ts'
import { usuariosRoutesA } from './usuarios.routes.ts'

/** Description A: the formal contract. */
export const contractA: Contract<App> = {
  name: 'a',
  rows: [...contaRoutesA, ...usuariosRoutesA, ...permissoesRoutesA],
  renderError: renderErrorA,
  errorSchema: errorSchemaA,
  passwordGrant: PASSWORD_GRANT,
}
