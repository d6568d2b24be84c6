import { texts } from '../state/texts.ts'

/** Told by the page itself (`src/http/console.ts`). */
const ambiente = document.querySelector<HTMLMetaElement>('meta[name="ambiente"]')?.content

/** Made-up cases belong there, and nowhere else. */
export const isSandbox = ambiente === 'sandbox'

/** On every page outside production: nobody takes one for the other. */
export function EnvironmentBar() {
  const t = texts().app.environments
  if (ambiente !== 'sandbox' && ambiente !== 'staging') return null
  return <aside class="bar">{t[ambiente]}</aside>
}
