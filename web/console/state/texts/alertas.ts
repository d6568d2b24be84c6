import { alertas } from '../../texts/pt-BR/alertas.ts'
import { screenTexts } from '../screen-texts.ts'

export const alertasTexts = await screenTexts<typeof alertas>({
  'pt-BR': async () => alertas,
  'en-US': async () => (await import('../../texts/en-US/alertas.ts')).alertas,
  'es-ES': async () => (await import('../../texts/es-ES/alertas.ts')).alertas,
})
