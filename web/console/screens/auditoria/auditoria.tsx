import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { AnswerOf } from '../../api/rows.ts'
import { api, holds } from '../../state/session.ts'
import { auditoriaTexts } from '../../state/texts/auditoria.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyByFilter, NoSuchPage, PaperFilter, partWords } from '../../ui/near-filters.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { TableExport } from '../../ui/table-export.tsx'
import { type AuditFilters, auditPath, auditQuery, NO_FILTERS, readAddress } from './address.ts'
import { AuditFilterBar } from './filter-bar.tsx'
import { auditParts } from './filter-parts.ts'
import { Records } from './records.tsx'
import { VerifyDialog } from './verify-dialog.tsx'
import './styles.ts'

const SIZE = 50

/** The audit in sentences, the newest first; its filter is the address. */
export default function Auditoria() {
  const t = texts()
  const own = auditoriaTexts()
  const { url, route } = useLocation()
  const [open, setOpen] = useState<'verify' | 'export' | null>(null)
  const close = () => setOpen(null)
  const { filters, page } = readAddress(url.split('?')[1] ?? '')
  const queryOf = (of: AuditFilters) => auditQuery(of, Object.keys(own.sentences))
  const filtros = queryOf(filters)
  const asked = { ...filtros, page, size: SIZE }
  const query = useQuery({
    queryKey: ['auditoria', asked],
    queryFn: ({ signal }) => api.get('/api/v1/auditoria', { query: asked }, { signal }),
  })
  const nome = query.data?.items.find(({ ator }) => ator !== null && String(ator.id) === filters.ator)?.ator
    ?.nome
  const parts = auditParts(filters, nome)
  const actions = (
    <>
      {holds(['admin']) && (
        <Button icon="auditoria" onClick={() => setOpen('verify')}>
          {own.verify}
        </Button>
      )}
      <Button icon="download" onClick={() => setOpen('export')}>
        {t.casos.export}
      </Button>
    </>
  )
  return (
    <Page title={t.screens.auditoria} lead={own.lead} actions={actions}>
      <Chain verificacao={query.data?.verificacao} />
      <AuditFilterBar filters={filters} nome={nome} onChange={(next) => route(auditPath(next))} />
      <PaperFilter words={parts.map(partWords)} />
      <Answer query={query} lines={10}>
        {({ items, total, pages, size }) =>
          total === 0 && parts.length > 0 ? (
            <EmptyByFilter
              text={own.noneFiltered}
              name="auditoria"
              {...{ filters, none: NO_FILTERS, parts }}
              ask={(next, signal) =>
                api.get('/api/v1/auditoria', { query: { ...queryOf(next), size: 1 } }, { signal })
              }
              hrefOf={(next) => auditPath(next)}
            />
          ) : total === 0 ? (
            <Empty text={own.none} />
          ) : items.length === 0 ? (
            <NoSuchPage page={page} href={auditPath(filters)} />
          ) : (
            <>
              <Records records={items} filters={filters} />
              <Pager
                page={page}
                pages={pages}
                size={size}
                total={total}
                hrefOf={(page) => auditPath(filters, page)}
              />
            </>
          )
        }
      </Answer>
      {open === 'verify' && (
        <VerifyDialog
          onClose={() => {
            close()
            void query.refetch()
          }}
        />
      )}
      {open === 'export' && (
        <TableExport
          title={own.exportTitle}
          what={own.exportWhat(query.data?.total ?? 0)}
          note={own.exportNote}
          start={(formato) => api.post('/api/v1/auditoria/exportar', { body: { formato, filtros } })}
          onClose={close}
        />
      )}
    </Page>
  )
}

type Verificacao = AnswerOf<'GET', '/api/v1/auditoria'>['verificacao']

/** State of the chain by its last verification, which nobody has to ask for. */
function Chain({ verificacao }: { verificacao: Verificacao | undefined }) {
  const own = auditoriaTexts()
  if (verificacao === undefined) return <p class="note chain">&nbsp;</p>
  if (verificacao === null) return <p class="note chain">{own.notVerified}</p>
  const { integra, ate, verificada_em } = verificacao
  const at = new Date(verificada_em)
  if (!integra) return <Notice kind="error" text={own.lastBroken(at)} />
  return (
    <p class="note chain">
      <span class="tag green">{ate === null ? own.noRecords : own.intactUntil(new Date(ate))}</span>{' '}
      {own.verifiedAt(at)}
    </p>
  )
}
