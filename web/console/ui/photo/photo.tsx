import { useRef, useState } from 'preact/hooks'
import { contaTexts } from '../../state/texts/conta.ts'
import photoCss from '../../styles/photo.screen.css'
import { adopt } from '../adopt.ts'
import { Button } from '../button.tsx'
import { Icon } from '../icon.tsx'
import { Notice } from '../notice.tsx'
import { CropDialog } from './crop-dialog.tsx'

adopt(photoCss)

interface PhotoProps {
  usuario: { id: number; avatar_url: string | null }
  /** Of the picture, for those who do not see it. */
  alt: string
  onSent(): Promise<void>
}

/** The photo of an account, and the way to another one. */
export function Photo({ usuario, alt, onSent }: PhotoProps) {
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
        {usuario.avatar_url === null ? (
          <span class="no-photo">
            <Icon name="person" />
          </span>
        ) : (
          <img src={ownAddress(usuario.avatar_url)} alt={alt} width={96} height={96} />
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
          {usuario.avatar_url === null ? own.choose : own.change}
        </Button>
      </div>
      {picture !== null && (
        <CropDialog
          usuarioId={usuario.id}
          picture={picture}
          onClose={() => setPicture(null)}
          onSent={onSent}
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
