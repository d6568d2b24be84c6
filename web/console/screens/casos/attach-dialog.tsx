import { useId, useRef, useState } from 'preact/hooks'
import { sendAgain } from '../../state/send-form.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { useSending } from '../../ui/form.ts'
import { Refusal } from '../../ui/refusal.tsx'
import { refreshAttachments } from './attachments.tsx'
import type { Detalhe } from './detalhe.ts'

const MAX_BYTES = 10 * 1024 * 1024
const TYPES = ['application/pdf', 'image/jpeg', 'image/png', 'image/webp']
const TIPOS = ['exame', 'notificacao', 'outro'] as const

/** Type and size are looked at before anything is sent; the service looks again. */
export default function AttachDialog({ caso, onClose: leave }: { caso: Detalhe; onClose: () => void }) {
  const t = texts()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  const [tipo, setTipo] = useState<(typeof TIPOS)[number]>('exame')
  const [descricao, setDescricao] = useState('')
  const [isTried, setTried] = useState(false)
  const problem = fileProblem(file, t.caso)
  const shown = isTried || file !== null ? problem : undefined
  const [sent, setSent] = useState(0)
  const abandon = useRef(new AbortController())
  const { form, isSending, error, submit } = useSending(async () => {
    setTried(true)
    setSent(0)
    if (file === null || problem !== undefined) return
    const body = new FormData()
    body.append('tipo', tipo)
    if (descricao.trim() !== '') body.append('descricao', descricao.trim())
    body.append('arquivo', file, 'arquivo')
    const { signal } = abandon.current
    await sendAgain(`/api/v1/agravos/casos/${caso.id}/anexos`, body, {
      idempotencyKey: null,
      signal,
      onProgress: (bytes) => setSent(Math.min(bytes, file.size)),
    })
    refreshAttachments()
    leave()
  })
  // Leaving stops what is on its way.
  const onClose = () => {
    abandon.current.abort()
    leave()
  }
  return (
    <Dialog title={t.caso.attachTitle} onClose={onClose}>
      <form
        class="form"
        ref={form}
        onSubmit={submit}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          setFile(event.dataTransfer?.files[0] ?? null)
        }}
      >
        {error !== null && <Refusal error={error} />}
        <div class="field">
          <label for={id}>{t.caso.file}</label>
          <input
            ref={input}
            id={id}
            class="input"
            type="file"
            accept={TYPES.join(',')}
            aria-invalid={shown !== undefined}
            aria-describedby={shown === undefined ? undefined : `${id}-problem`}
            onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)}
          />
          {shown !== undefined && (
            <p class="problem" id={`${id}-problem`}>
              {shown}
            </p>
          )}
        </div>
        <div class="field">
          <label for={`${id}-tipo`}>{t.caso.attachmentType}</label>
          <select
            id={`${id}-tipo`}
            class="input"
            value={tipo}
            onChange={(event) => setTipo(event.currentTarget.value as typeof tipo)}
          >
            {TIPOS.map((one) => (
              <option key={one} value={one}>
                {t.caso.attachmentTypes[one]}
              </option>
            ))}
          </select>
        </div>
        <Field
          label={t.caso.description}
          value={descricao}
          onInput={setDescricao}
          maxLength={500}
          autocomplete="off"
        />
        {isSending && file !== null && (
          <p class="note">
            <progress max={file.size} value={sent} aria-label={t.caso.sending} />{' '}
            {t.caso.sentOf(t.caso.size(sent), t.caso.size(file.size))}
          </p>
        )}
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button type="submit" kind="primary" aria-disabled={isSending}>
            {isSending ? t.caso.sending : t.caso.send}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function fileProblem(
  file: File | null,
  t: { fileMissing: string; fileType: string; fileSize(megabytes: string): string },
): string | undefined {
  if (file === null) return t.fileMissing
  if (!TYPES.includes(file.type)) return t.fileType
  return file.size > MAX_BYTES ? t.fileSize((file.size / 1_048_576).toFixed(1)) : undefined
}
