import { series } from '../../texts/pt-BR/series.ts'
import { screenTexts } from '../screen-texts.ts'

export const seriesTexts = await screenTexts<typeof series>({
  'pt-BR': async () => series,
  'en-US': async () => (await import('../../texts/en-US/series.ts')).series,
  'es-ES': async () => (await import('../../texts/es-ES/series.ts')).series,
})
