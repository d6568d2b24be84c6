import { usuariosNumeros } from '../../texts/pt-BR/usuarios-numeros.ts'
import { screenTexts } from '../screen-texts.ts'

export const usuariosNumerosTexts = await screenTexts<typeof usuariosNumeros>({
  'pt-BR': async () => usuariosNumeros,
  'en-US': async () => (await import('../../texts/en-US/usuarios-numeros.ts')).usuariosNumeros,
  'es-ES': async () => (await import('../../texts/es-ES/usuarios-numeros.ts')).usuariosNumeros,
})
