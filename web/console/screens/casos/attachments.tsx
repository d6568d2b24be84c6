import { useEffect, useState } from 'preact/hooks'
import { askBlob } from '../../state/blob.ts'
import { api, cache, holds, session } from '../../state/session.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSending } from '../../ui/form.ts'
import { Icon } from '../../ui/icon.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import type { Anexo, Detalhe } from './detalhe.ts'

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
          <Picture url={url} name={name} />
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

/** A picture as a blob: it is read once, by this page, and gone with the dialog. */
function Picture({ url, name }: { url: string; name: string }) {
  const [source, setSource] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    const abandon = new AbortController()
    let made: string | null = null
    askBlob(url, abandon.signal).then(
      (blob) => {
        made = URL.createObjectURL(blob)
        setSource(made)
      },
      (failure) => abandon.signal.aborted || setError(failure),
    )
    return () => {
      abandon.abort()
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [url])
  if (error !== null) return <Failure error={error} />
  return source === null ? <Loading /> : <img src={source} alt={name} />
}

export const refreshAttachments = () => void cache.invalidateQueries({ queryKey: ['caso'] })

function RemoveDialog({ caso, anexo, onClose }: { caso: Detalhe; anexo: Anexo; onClose: () => void }) {
  const t = texts()
  const { form, isSending, error, submit } = useSending(async () => {
    await api.delete('/api/v1/agravos/casos/{id}/anexos/{anexo_id}', {
      params: { id: caso.id, anexo_id: anexo.id },
    })
    refreshAttachments()
    onClose()
  })
  return (
    <Dialog title={t.caso.removeAttachmentTitle} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        {error !== null && <Refusal error={error} />}
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
