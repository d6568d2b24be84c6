import { useRef, useState } from 'preact/hooks'
import { contaTexts } from '../../state/texts/conta.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Perfil } from './conta-data.ts'
import { CropDialog } from './crop-dialog.tsx'

/** The photo, and the way to another one. */
export function Photo({ perfil }: { perfil: Perfil }) {
  const own = contaTexts().photo
  const input = useRef<HTMLInputElement>(null)
  const [picture, setPicture] = useState<ImageBitmap | null>(null)
  const [told, setTold] = useState<{ kind: 'done' | 'error'; text: string } | null>(null)
  const choose = async (file: File | undefined) => {
    setTold(null)
    if (file === undefined) return
    try {
      setPicture(await createImageBitmap(file))
    } catch {
      setTold({ kind: 'error', text: own.unreadable })
    }
  }
  return (
    <>
      {told !== null && <Notice {...told} />}
      <div class="photo">
        {perfil.avatar_url === null ? (
          <span class="no-photo">
            <Icon name="person" />
          </span>
        ) : (
          <img src={ownAddress(perfil.avatar_url)} alt={own.alt} width={96} height={96} />
        )}
        <input
          ref={input}
          type="file"
          accept="image/jpeg,image/png,image/webp"
          class="unseen"
          tabIndex={-1}
          aria-label={own.choose}
          onChange={(event) => {
            void choose(event.currentTarget.files?.[0])
            // The same file can be chosen again.
            event.currentTarget.value = ''
          }}
        />
        <Button onClick={() => input.current?.click()}>
          {perfil.avatar_url === null ? own.choose : own.change}
        </Button>
      </div>
      {picture !== null && (
        <CropDialog
          usuarioId={perfil.id}
          picture={picture}
          onClose={() => setPicture(null)}
          onDone={() => {
            setPicture(null)
            setTold({ kind: 'done', text: own.done })
          }}
        />
      )}
    </>
  )
}

/** The service names itself by its public address; the page asks where it came from. */
function ownAddress(url: string): string {
  const { pathname, search } = new URL(url, location.origin)
  return `${pathname}${search}`
}
