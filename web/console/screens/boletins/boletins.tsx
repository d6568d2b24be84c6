import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api, holds } from '../../state/session.ts'
import { boletinsTexts } from '../../state/texts/boletins.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { NoSuchPage } from '../../ui/near-filters.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { arquivoHref, type BoletimResumido, boletimHref, nameOf } from './boletim-texts.ts'
import { NewDialog } from './new-dialog.tsx'

const SIZE = 25

/** Bulletins, the newest first, and the way to a new one. */
export default function Boletins() {
  const t = texts()
  const own = boletinsTexts()
  const { query } = useLocation()
  const [isAsking, setAsking] = useState(false)
  const page = Math.max(1, Math.trunc(Number(query.pagina)) || 1)
  const list = useQuery({
    queryKey: ['boletins', 'list', page],
    queryFn: ({ signal }) => api.get('/api/v1/agravos/boletins', { query: { page, size: SIZE } }, { signal }),
  })
  const ask = (label: string, kind: 'primary' | 'plain') => (
    <Button kind={kind} onClick={() => setAsking(true)}>
      {label}
    </Button>
  )
  return (
    <Page
      title={t.screens.boletins}
      lead={own.lead}
      actions={
        <>
          <a class="button plain" href={PATHS.agendas}>
            {t.screens.agendas}
          </a>
          {ask(own.new, 'primary')}
        </>
      }
    >
      <Answer query={list} lines={8}>
        {({ items, total, pages, size }) =>
          total === 0 ? (
            <Empty text={own.none}>{ask(own.first, 'plain')}</Empty>
          ) : items.length === 0 ? (
            <NoSuchPage page={page} href={hrefOfPage(1)} />
          ) : (
            <div class="imports">
              <Table
                caption={t.screens.boletins}
                columns={columns()}
                rows={items}
                keyOf={({ id }) => id}
                keys={{ open: ({ id }) => boletimHref(id) }}
              />
              <Pager page={page} pages={pages} size={size} total={total} hrefOf={hrefOfPage} />
            </div>
          )
        }
      </Answer>
      {isAsking && <NewDialog onClose={() => setAsking(false)} />}
    </Page>
  )
}

const hrefOfPage = (page: number) => (page === 1 ? PATHS.boletins : `${PATHS.boletins}?pagina=${page}`)

function columns(): Column<BoletimResumido>[] {
  const t = boletinsTexts()
  return [
    {
      key: 'boletim',
      title: t.what,
      cell: (row) => (
        <>
          <a href={boletimHref(row.id)}>{nameOf(row)}</a>
          {row.titulo !== null && <small>{row.titulo}</small>}
        </>
      ),
    },
    { key: 'semana', title: t.semana, cell: ({ semana }) => t.week(semana) },
    {
      key: 'quem',
      title: t.by,
      cell: ({ criado_por, criado_em }) => (
        <>
          {criado_por.nome}
          <small>{t.moment(new Date(criado_em))}</small>
        </>
      ),
    },
    { key: 'numeros', title: t.kind, cell: ({ publico }) => (publico ? t.public : t.internal) },
    { key: 'acoes', title: t.actions, cell: (row) => <Documents boletim={row} /> },
  ]
}

/** Links to the document; nothing for accounts that may not export. */
function Documents({ boletim }: { boletim: BoletimResumido }) {
  const t = boletinsTexts()
  if (!holds(['relatorios.exportar'])) return null
  const what = `${nameOf(boletim)}, ${t.week(boletim.semana)}`
  return (
    <div class="row-actions">
      <a href={arquivoHref(boletim.id, 'html')} target="_blank" rel="noreferrer" aria-label={t.pageOf(what)}>
        {t.page}
      </a>
      <a href={arquivoHref(boletim.id, 'pdf')} download aria-label={t.pdfOf(what)}>
        {t.pdf}
      </a>
    </div>
  )
}
