import type { Permission } from '../../../../src/caller/permissions.ts'
import { permissoes } from '../../texts/pt-BR/permissoes.ts'
import { screenTexts } from '../screen-texts.ts'

export const permissoesTexts = await screenTexts<Record<Permission, string>>({
  'pt-BR': async () => permissoes,
  'en-US': async () => (await import('../../texts/en-US/permissoes.ts')).permissoes,
  'es-ES': async () => (await import('../../texts/es-ES/permissoes.ts')).permissoes,
})
