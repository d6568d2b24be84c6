import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { exec, useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api, cache, holds } from '../../state/session.ts'
import { noticiasTexts } from '../../state/texts/noticias.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { onPresent } from '../../ui/present.ts'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { Answer } from '../../ui/states.tsx'
import { Article } from './article.tsx'
import { EditorDialog } from './editor-dialog.tsx'
import { NOTICIAS, type NoticiaAberta, openNoticia } from './noticia-data.ts'
import './styles.ts'

/** One item of the news, to be read; changed and deleted by those who may. */
export default function NoticiaScreen() {
  const t = texts()
  const own = noticiasTexts()
  const { path } = useLocation()
  const id = Number(exec(path, PATHS.noticia)?.params.id)
  const query = useQuery({
    queryKey: [...NOTICIAS, id],
    queryFn: ({ signal }) => openNoticia(id, signal),
  })
  const all = (
    <a class="button quiet" href={PATHS.noticias}>
      {own.all}
    </a>
  )
  return (
    <Page title={t.screens.noticia} actions={all}>
      <Answer query={query} lines={8}>
        {(noticia) => <Reading noticia={noticia} />}
      </Answer>
    </Page>
  )
}

function Reading({ noticia }: { noticia: NoticiaAberta }) {
  const own = noticiasTexts()
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null)
  const [isSaved, setSaved] = useState(false)
  const close = () => setOpen(null)
  useKeys(holds(['noticias.editar']) ? { e: () => setOpen('edit') } : {})
  return (
    <section class="card form">
      {isSaved && <Notice kind="done" text={own.saved} />}
      <Article noticia={noticia} />
      <div class="row start">
        {holds(['noticias.editar']) && (
          <Button icon="edit" onClick={() => setOpen('edit')}>
            {own.edit}
          </Button>
        )}
        {holds(['noticias.deletar']) && (
          <Button kind="quiet" icon="remove" onClick={() => setOpen('remove')}>
            {own.remove}
          </Button>
        )}
      </div>
      {open === 'edit' && (
        <EditorDialog
          noticia={noticia}
          onClose={close}
          onDone={() => {
            close()
            setSaved(true)
          }}
        />
      )}
      {open === 'remove' && <RemoveDialog noticia={noticia} onClose={close} />}
    </section>
  )
}

function RemoveDialog({ noticia: { id, etag }, onClose }: { noticia: NoticiaAberta; onClose(): void }) {
  const own = noticiasTexts()
  const { route } = useLocation()
  const remove = async () => {
    const removed = api.delete('/api/v1/noticias/{id}', { params: { id } }, { ifMatch: etag })
    await onPresent(removed, () => cache.invalidateQueries({ queryKey: NOTICIAS }))
    cache.removeQueries({ queryKey: [...NOTICIAS, id] })
    void cache.invalidateQueries({ queryKey: NOTICIAS })
    route(PATHS.noticias)
  }
  return (
    <RemovalDialog
      title={own.removeTitle}
      note={own.removeNote}
      action={own.remove}
      {...{ remove, onClose }}
    />
  )
}
