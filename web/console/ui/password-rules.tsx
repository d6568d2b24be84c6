import { senhaTexts } from '../state/texts/senha.ts'
import { Icon } from './icon.tsx'

/** As the service judges them (`src/domain/senhas/rules.ts`). They guide here and decide there. */
const RULES = {
  length: (senha: string) => [...senha].length >= 8 && [...senha].length <= 128,
  uppercase: (senha: string) => /\p{Lu}/u.test(senha),
  lowercase: (senha: string) => /\p{Ll}/u.test(senha),
  digit: (senha: string) => /\p{Nd}/u.test(senha),
  special: (senha: string) => /[^\p{L}\p{N}\s]/u.test(senha),
}

/** Ticked off as one types. */
export function PasswordRules({ senha }: { senha: string }) {
  const t = senhaTexts().trocar
  const text = senha.normalize('NFC')
  return (
    <div class="rules">
      <p>{t.rulesTitle}</p>
      <ul>
        {Object.entries(RULES).map(([rule, isMet]) => (
          <li key={rule} class={isMet(text) ? 'met' : undefined}>
            <Icon name={isMet(text) ? 'done' : 'more'} />
            {t.rules[rule as keyof typeof RULES]}
            {isMet(text) && <span class="unseen">{t.met}</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}
