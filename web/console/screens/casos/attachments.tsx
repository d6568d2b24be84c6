import { useId, useRef, useState } from 'preact/hooks'
import { api, cache, holds, session } from '../../state/session.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { useSending } from '../../ui/form.ts'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'
import type { Anexo, Detalhe } from './detalhe.ts'

const MAX_BYTES = 10 * 1024 * 1024
const TYPES = ['application/pdf', 'image/jpeg', 'image/png', 'image/webp']
const TIPOS = ['exame', 'notificacao', 'outro'] as const

const fileUrl = (casoId: number, anexoId: number) => `/api/v1/agravos/casos/${casoId}/anexos/${anexoId}`

export function Attachments({ caso, isNow }: { caso: Detalhe; isNow: boolean }) {
  const t = texts().caso
  const [removed, setRemoved] = useState<Anexo | null>(null)
  const anexos = caso.anexos ?? []
  return (
    <section class="card unprinted">
      <h2>{t.attachments}</h2>
      {anexos.length === 0 ? (
        <p class="note">{t.noAttachments}</p>
      ) : (
        <ul class="attachments">
          {anexos.map((anexo) => (
            <Item
              key={anexo.id}
              caso={caso}
              anexo={anexo}
              onRemove={isNow ? () => setRemoved(anexo) : null}
            />
          ))}
        </ul>
      )}
      {anexos.length > 0 && <p class="note">{t.attachmentsNote}</p>}
      {removed !== null && <RemoveDialog caso={caso} anexo={removed} onClose={() => setRemoved(null)} />}
    </section>
  )
}

interface ItemProps {
  caso: Detalhe
  anexo: Anexo
  onRemove: (() => void) | null
}

/** Opened by who may identify patients, and by who sent it. Nothing is read before somebody asks for it: every reading is recorded. */
function Item({ caso, anexo, onRemove }: ItemProps) {
  const t = texts().caso
  const [isOpen, setOpen] = useState(false)
  const me = session.value.kind === 'open' ? session.value.perfil.id : null
  const mayRead = holds(['agravos.identificar']) || anexo.enviado_por?.id === me
  const name = t.attachmentTypes[anexo.tipo]
  const url = fileUrl(caso.id, anexo.id)
  return (
    <li>
      <div>
        <b>{name}</b>
        {anexo.descricao !== null && <p>{anexo.descricao}</p>}
        <small>
          {t.size(anexo.tamanho)} · {t.by(anexo.enviado_por?.nome ?? t.somebody, new Date(anexo.uploaded_at))}
        </small>
      </div>
      <div class="item-actions">
        {mayRead && anexo.formato.startsWith('image/') && (
          <Button kind="quiet" onClick={() => setOpen(true)}>
            {t.open}
          </Button>
        )}
        {mayRead && (
          <a class="button quiet" href={url} download={anexo.nome} target="_blank" rel="noreferrer">
            <Icon name="download" />
            {t.download}
          </a>
        )}
        {!mayRead && <small>{t.needs('agravos.identificar')}</small>}
        {onRemove !== null && holds(['agravos.editar']) && (
          <Button kind="quiet" onClick={onRemove}>
            {t.removeAttachment}
          </Button>
        )}
      </div>
      {isOpen && (
        <Dialog title={name} kind="picture" onClose={() => setOpen(false)}>
          <img src={url} alt={name} />
          <div class="row">
            <Button kind="primary" onClick={() => setOpen(false)}>
              {texts().app.close}
            </Button>
          </div>
        </Dialog>
      )}
    </li>
  )
}

const refresh = () => void cache.invalidateQueries({ queryKey: ['caso'] })

/** Type and size are looked at before anything is sent; the service looks again. */
export function AttachDialog({ caso, onClose }: { caso: Detalhe; onClose: () => void }) {
  const t = texts()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  const [tipo, setTipo] = useState<(typeof TIPOS)[number]>('exame')
  const [descricao, setDescricao] = useState('')
  const [isTried, setTried] = useState(false)
  const problem = fileProblem(file, t.caso)
  const shown = isTried || file !== null ? problem : undefined
  const { form, isSending, error, submit } = useSending(async () => {
    setTried(true)
    if (file === null || problem !== undefined) return
    const body = new FormData()
    body.append('tipo', tipo)
    if (descricao.trim() !== '') body.append('descricao', descricao.trim())
    body.append('arquivo', file, 'arquivo')
    await api.send('POST', `/api/v1/agravos/casos/${caso.id}/anexos`, { body })
    refresh()
    onClose()
  })
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
        {error !== null && <Notice kind="error" text={errorText(error)} />}
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
        {isSending && <progress aria-label={t.caso.sending} />}
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

function RemoveDialog({ caso, anexo, onClose }: { caso: Detalhe; anexo: Anexo; onClose: () => void }) {
  const t = texts()
  const { form, isSending, error, submit } = useSending(async () => {
    await api.delete('/api/v1/agravos/casos/{id}/anexos/{anexo_id}', {
      params: { id: caso.id, anexo_id: anexo.id },
    })
    refresh()
    onClose()
  })
  return (
    <Dialog title={t.caso.removeAttachmentTitle} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        {error !== null && <Notice kind="error" text={errorText(error)} />}
        <p>{t.caso.removeAttachmentNote}</p>
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button type="submit" kind="primary" aria-disabled={isSending}>
            {t.caso.removeAttachment}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
