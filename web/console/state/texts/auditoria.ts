import { auditoria } from '../../texts/pt-BR/auditoria.ts'
import { screenTexts } from '../screen-texts.ts'

export const auditoriaTexts = await screenTexts<typeof auditoria>({
  'pt-BR': async () => auditoria,
  'en-US': async () => (await import('../../texts/en-US/auditoria.ts')).auditoria,
  'es-ES': async () => (await import('../../texts/es-ES/auditoria.ts')).auditoria,
})
