import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { AnswerOf } from '../../api/rows.ts'
import { PATHS } from '../../paths.ts'
import { valores, whenOf, word } from '../../state/epizootias.ts'
import { EPIZOOTIAS, epizootiaHref, refreshEpizootias } from '../../state/epizootias-keys.ts'
import { api } from '../../state/session.ts'
import { epizootiasTexts } from '../../state/texts/epizootias.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { NoSuchPage } from '../../ui/near-filters.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import '../../ui/epizootia-styles.ts'

type Lista = AnswerOf<'GET', '/api/v1/epizootias/excluidas'>
type Excluida = Lista['items'][number]

const SIZE = 50

/** Deleted events, the latest deletion first, and the way back for each. */
export default function Excluidas() {
  const t = texts()
  const own = epizootiasTexts()
  const { query: given } = useLocation()
  const page = Math.min(1_000_000, Math.max(1, Math.trunc(Number(given.pagina)) || 1))
  const asked = { page, size: SIZE }
  const query = useQuery({
    queryKey: [...EPIZOOTIAS, 'excluidas', asked],
    queryFn: ({ signal }) => api.get('/api/v1/epizootias/excluidas', { query: asked }, { signal }),
  })
  const registered = useQuery(valores()).data?.items
  const [restored, setRestored] = useState<Excluida | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState<number | null>(null)
  const restore = async (one: Excluida) => {
    if (busy !== null) return
    setBusy(one.id)
    setError(null)
    setRestored(null)
    try {
      await api.post('/api/v1/epizootias/{id}/restaurar', { params: { id: one.id } })
      setRestored(one)
      await refreshEpizootias()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(null)
    }
  }
  const columns: Column<Excluida>[] = [
    { key: 'numero', title: own.campos.numero, cell: ({ numero }) => numero },
    { key: 'ocorrencia', title: own.list.when, cell: whenOf },
    { key: 'lugar', title: own.list.place, cell: ({ municipio, estado }) => `${municipio}, ${estado}` },
    { key: 'suspeita', title: own.campos.suspeita, cell: ({ suspeita }) => word(suspeita, registered) },
    { key: 'animais', title: own.list.animals, cell: ({ especie_grupo }) => word(especie_grupo) },
    {
      key: 'quando',
      title: own.excluidas.when,
      cell: ({ excluido_em }) => own.moment(new Date(excluido_em)),
    },
    {
      key: 'quem',
      title: own.excluidas.who,
      cell: ({ excluido_por }) => excluido_por?.nome ?? own.detail.somebody,
    },
    {
      key: 'restaurar',
      title: own.detail.restore,
      cell: (one) => (
        <Button
          aria-label={own.excluidas.restoreOf(one.numero)}
          aria-disabled={busy !== null}
          onClick={() => void restore(one)}
        >
          {own.detail.restore}
        </Button>
      ),
    },
  ]
  return (
    <>
      <a class="back" href={PATHS.epizootias}>
        {own.back}
      </a>
      <Page title={t.screens.epizootiasExcluidas} lead={own.excluidas.lead}>
        {error !== null && <Refusal error={error} />}
        {restored !== null && (
          <div class="restored">
            <Notice kind="done" text={own.excluidas.restored(restored.numero)} />
            <a href={epizootiaHref(restored.id)}>{own.excluidas.open}</a>
          </div>
        )}
        <Answer query={query} lines={8}>
          {({ items, total, pages, size }) =>
            total === 0 ? (
              <Empty text={own.excluidas.none} />
            ) : items.length === 0 ? (
              <NoSuchPage page={page} href={PATHS.epizootiasExcluidas} />
            ) : (
              <div class="imports epizootias">
                <Table
                  caption={t.screens.epizootiasExcluidas}
                  columns={columns}
                  rows={items}
                  keyOf={({ id }) => id}
                  keys={{}}
                />
                <Pager
                  page={page}
                  pages={pages}
                  size={size}
                  total={total}
                  hrefOf={(next) => `${PATHS.epizootiasExcluidas}?pagina=${next}`}
                />
              </div>
            )
          }
        </Answer>
      </Page>
    </>
  )
}
