import { usuariosTexts } from '../../state/texts/usuarios.ts'

interface StateTagsProps {
  conta: { ativo: boolean; bloqueado?: true }
  /** Until when, where it is known. */
  lockedUntil?: string | null | undefined
}

/** State of an account: active, ended, locked. One that was ended is no harm, and a lock passes: neither is red. */
export function StateTags({ conta: { ativo, bloqueado }, lockedUntil }: StateTagsProps) {
  const t = usuariosTexts()
  return (
    <>
      <span class={ativo ? 'tag green' : 'tag plain'}>{ativo ? t.active : t.inactive}</span>{' '}
      {lockedUntil ? (
        <span class="tag amber">{t.lockedUntil(new Date(lockedUntil))}</span>
      ) : (
        bloqueado && <span class="tag amber">{t.locked}</span>
      )}
    </>
  )
}
