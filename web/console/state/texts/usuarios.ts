import { usuarios } from '../../texts/pt-BR/usuarios.ts'
import { screenTexts } from '../screen-texts.ts'

export const usuariosTexts = await screenTexts<typeof usuarios>({
  'pt-BR': async () => usuarios,
  'en-US': async () => (await import('../../texts/en-US/usuarios.ts')).usuarios,
  'es-ES': async () => (await import('../../texts/es-ES/usuarios.ts')).usuarios,
})
