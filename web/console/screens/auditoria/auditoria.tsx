import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { api, cache, holds } from '../../state/session.ts'
import { auditoriaTexts } from '../../state/texts/auditoria.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { auditPath, auditQuery, NO_FILTERS, readAddress } from './address.ts'
import { AuditFilterBar } from './filter-bar.tsx'
import { Records } from './records.tsx'
import { VerifyDialog } from './verify-dialog.tsx'
import './styles.ts'

const SIZE = 50

/** The audit in sentences, the newest first; its filter is the address. */
export default function Auditoria() {
  const t = texts()
  const own = auditoriaTexts()
  const { url, route } = useLocation()
  const [isVerifying, setVerifying] = useState(false)
  const { filters, page } = readAddress(url.split('?')[1] ?? '')
  const asked = { ...auditQuery(filters, Object.keys(own.sentences)), page, size: SIZE }
  const query = useQuery({
    queryKey: ['auditoria', asked],
    queryFn: ({ signal }) => api.get('/api/v1/auditoria', { query: asked }, { signal }),
  })
  const isFiltered = auditPath(filters) !== auditPath(NO_FILTERS)
  const verify = (
    <Button icon="auditoria" onClick={() => setVerifying(true)}>
      {own.verify}
    </Button>
  )
  return (
    <Page title={t.screens.auditoria} lead={own.lead} actions={holds(['admin']) ? verify : undefined}>
      <AuditFilterBar filters={filters} onChange={(next) => route(auditPath(next))} />
      <Answer query={query} lines={10} onCancel={() => void cache.cancelQueries({ queryKey: ['auditoria'] })}>
        {({ items, total, pages, size }) =>
          total === 0 ? (
            <Empty text={isFiltered ? own.noneFiltered : own.none}>
              {isFiltered && (
                <a class="button plain" href={auditPath(NO_FILTERS)}>
                  {t.filtros.clear}
                </a>
              )}
            </Empty>
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
      {isVerifying && <VerifyDialog onClose={() => setVerifying(false)} />}
    </Page>
  )
}
