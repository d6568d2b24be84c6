import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api, holds } from '../../state/session.ts'
import { noticiasTexts } from '../../state/texts/noticias.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { NoSuchPage } from '../../ui/near-filters.tsx'
import { Notice } from '../../ui/notice.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { useInSight, useRowKeys } from '../../ui/row-keys.ts'
import { Answer, Empty } from '../../ui/states.tsx'
import { EditorDialog } from './editor-dialog.tsx'
import { NOTICIAS, type Noticia, noticiaHref, openNoticia } from './noticia-data.ts'
import './styles.ts'

const SIZE = 12

/** Dialogue over the news of now: those of a list have no version. */
async function loadEditor(id: number) {
  const noticia = await openNoticia(id)
  return {
    default: (props: { onDone(): void; onClose(): void }) => <EditorDialog noticia={noticia} {...props} />,
  }
}

/** News as cards, the newest first. */
export default function Noticias() {
  const t = texts()
  const own = noticiasTexts()
  const { query, route } = useLocation()
  const [open, setOpen] = useState<'new' | { edit: number } | null>(null)
  const [isSaved, setSaved] = useState(false)
  const page = Math.max(1, Math.trunc(Number(query.pagina)) || 1)
  const list = useQuery({
    queryKey: [...NOTICIAS, 'list', page],
    queryFn: ({ signal }) =>
      api.get(
        '/api/v1/noticias',
        { query: { page, size: SIZE, sort: 'publicado_em', order: 'desc' } },
        { signal },
      ),
  })
  const mayWrite = holds(['noticias.criar'])
  const write = (kind: 'primary' | 'plain') => (
    <Button kind={kind} icon="add" onClick={() => setOpen('new')}>
      {own.new}
    </Button>
  )
  return (
    <Page title={t.screens.noticias} lead={own.lead} actions={mayWrite ? write('primary') : undefined}>
      {isSaved && <Notice kind="done" text={own.saved} />}
      <Answer query={list} lines={6}>
        {({ items, total, pages, size }) =>
          total === 0 ? (
            <Empty text={mayWrite ? own.noneCreate : own.none}>{mayWrite && write('plain')}</Empty>
          ) : items.length === 0 ? (
            <NoSuchPage page={page} href={hrefOfPage(1)} />
          ) : (
            <>
              <Cards noticias={items} onEdit={({ id }) => setOpen({ edit: id })} />
              <Pager page={page} pages={pages} size={size} total={total} hrefOf={hrefOfPage} />
            </>
          )
        }
      </Answer>
      {open === 'new' && (
        <EditorDialog noticia={null} onClose={() => setOpen(null)} onDone={(id) => route(noticiaHref(id))} />
      )}
      {open !== null && open !== 'new' && (
        <OnDemand
          load={() => loadEditor(open.edit)}
          props={{
            onClose: () => setOpen(null),
            onDone: () => {
              setOpen(null)
              setSaved(true)
            },
          }}
        />
      )}
    </Page>
  )
}

const hrefOfPage = (page: number) => (page === 1 ? PATHS.noticias : `${PATHS.noticias}?pagina=${page}`)

interface CardsProps {
  noticias: readonly Noticia[]
  onEdit(noticia: Noticia): void
}

/** Cards with the keys of a list. */
function Cards({ noticias, onEdit }: CardsProps) {
  const { at } = useRowKeys(noticias, ({ id }) => id, {
    open: ({ id }) => noticiaHref(id),
    edit: holds(['noticias.editar']) ? onEdit : undefined,
  })
  const list = useInSight<HTMLUListElement>(at)
  return (
    <ul class="news-list" ref={list}>
      {noticias.map((noticia, index) => (
        <li key={noticia.id} class="card" aria-current={index === at ? 'true' : undefined}>
          <Card noticia={noticia} />
        </li>
      ))}
    </ul>
  )
}

function Card({ noticia: { id, titulo, resumo, fonte, publicado_em } }: { noticia: Noticia }) {
  const own = noticiasTexts()
  const published = new Date(publicado_em)
  return (
    <>
      <time dateTime={publicado_em}>
        {published > new Date() ? (
          <span class="tag amber">{own.scheduled(published)}</span>
        ) : (
          own.date(published)
        )}
        {fonte !== null && ` · ${fonte}`}
      </time>
      <h2>
        <a href={noticiaHref(id)}>{titulo}</a>
      </h2>
      {resumo !== null && <p>{resumo}</p>}
    </>
  )
}
