import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { Copy } from '../../ui/states.tsx'

/** A password in the clear, once. */
export function Secret({ senha }: { senha: string }) {
  const t = usuariosTexts()
  return (
    <>
      <p class="secret-once">
        <span class="unseen">{t.password}</span>
        <code>{senha}</code> <Copy text={senha} />
      </p>
      <p class="note">{t.passwordOnce}</p>
    </>
  )
}
