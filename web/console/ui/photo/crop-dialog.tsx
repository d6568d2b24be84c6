import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { api } from '../../state/session.ts'
import { contaTexts } from '../../state/texts/conta.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { useSending } from '../form.ts'
import { Refusal } from '../refusal.tsx'
import { CENTRED, type Crop, dragged, MAX_ZOOM, squareOf } from './crop.ts'

/** Pixels of the photo that is sent, as the service keeps it. */
const SIDE = 512
const QUALITY = 0.9

interface CropDialogProps {
  usuarioId: number
  picture: ImageBitmap
  onClose(): void
  /** Before the dialog closes: the new photo is asked for. */
  onSent(): Promise<void>
  onDone(): void
}

/** Chooses the square of a picture, by dragging or by controls that keys move, and sends it. */
export function CropDialog({ usuarioId, picture, onClose, onSent, onDone }: CropDialogProps) {
  const t = texts()
  const own = contaTexts().photo
  const [crop, setCrop] = useState(CENTRED)
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const { x, y, size } = squareOf(picture, crop)
    canvas.current?.getContext('2d')?.drawImage(picture, x, y, size, size, 0, 0, SIDE, SIDE)
  }, [picture, crop])
  const { form, isSending, error, submit } = useSending(async () => {
    const body = new FormData()
    body.append('file', await jpegOf(canvas.current as HTMLCanvasElement), 'foto.jpg')
    await api.send('POST', '/api/v1/usuarios/{id}/foto-perfil', { params: { id: usuarioId }, body })
    await onSent()
    onDone()
  })
  const drag = (event: PointerEvent & { currentTarget: HTMLCanvasElement }) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const side = event.currentTarget.clientWidth
    setCrop((last) => dragged(picture, last, event.movementX / side, event.movementY / side))
  }
  const slider = (name: keyof Crop, label: string, min: number, max: number) => (
    <Slider
      label={label}
      min={min}
      max={max}
      value={crop[name]}
      onInput={(value) => setCrop((last) => ({ ...last, [name]: value }))}
    />
  )
  return (
    <Dialog title={own.title} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        {error !== null && <Refusal error={error} />}
        <p>{own.lead}</p>
        <canvas
          ref={canvas}
          class="crop"
          width={SIDE}
          height={SIDE}
          role="img"
          aria-label={own.preview}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={drag}
        />
        {slider('zoom', own.zoom, 1, MAX_ZOOM)}
        {slider('horizontal', own.horizontal, 0, 1)}
        {slider('vertical', own.vertical, 0, 1)}
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button type="submit" kind="primary" aria-disabled={isSending}>
            {isSending ? own.sending : own.send}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface SliderProps {
  label: string
  min: number
  max: number
  value: number
  onInput(value: number): void
}

function Slider({ label, min, max, value, onInput }: SliderProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="range"
        class="slider"
        min={min}
        max={max}
        step={(max - min) / 50}
        value={value}
        onInput={(event) => onInput(Number(event.currentTarget.value))}
      />
    </div>
  )
}

const jpegOf = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('no picture')) : resolve(blob)),
      'image/jpeg',
      QUALITY,
    )
  })
