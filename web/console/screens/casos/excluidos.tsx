import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { AnswerOf } from '../../api/rows.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { valorWords } from '../../state/filter-words.ts'
import { api, cache, holds } from '../../state/session.ts'
import { remocaoTexts } from '../../state/texts/remocao.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { NoSuchPage } from '../../ui/near-filters.tsx'
import { Notice } from '../../ui/notice.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { readRows, SIZES, withRows } from './address.ts'

type Lista = AnswerOf<'GET', '/api/v1/agravos/casos/excluidos'>
type Excluido = Lista['items'][number]

const loadRemove = async () => ({ default: (await import('./remove-dialog.tsx')).RemoveDialog })
const SORTABLE = ['excluido_em', 'data_notificacao', 'numero_notificacao']

/** Deleted cases, and the way back for each; administrators remove them for good. */
export default function Excluidos() {
  const t = texts()
  const { url, path } = useLocation()
  const search = url.split('?')[1] ?? ''
  const { order: asked, page, size } = readRows(search, SORTABLE)
  // Without an order in the address: newest deletion first.
  const order = new URLSearchParams(search).has('ordem')
    ? asked
    : { by: 'excluido_em', direction: 'desc' as const }
  const paging = { sort: order.by, order: order.direction, page, size }
  const query = useQuery({
    queryKey: ['casos', 'excluidos', paging],
    queryFn: ({ signal }) => api.get('/api/v1/agravos/casos/excluidos', { query: paging }, { signal }),
  })
  const [restored, setRestored] = useState<Excluido | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState<number | null>(null)
  const [removing, setRemoving] = useState<Excluido | null>(null)
  const [removed, setRemoved] = useState<string | null>(null)
  const restore = async (caso: Excluido) => {
    if (busy !== null) return
    setBusy(caso.id)
    setError(null)
    setRestored(null)
    setRemoved(null)
    try {
      await api.post('/api/v1/agravos/casos/{id}/restaurar', { params: { id: caso.id } })
      setRestored(caso)
      await cache.invalidateQueries({ queryKey: ['casos'] })
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(null)
    }
  }
  return (
    <>
      <a class="back" href={PATHS.casos}>
        {t.caso.back}
      </a>
      <Page title={t.screens.casosExcluidos} lead={t.excluidos.lead(query.data?.total)}>
        {error !== null && <Refusal error={error} />}
        {restored !== null && (
          <div class="restored">
            <Notice kind="done" text={t.excluidos.restored(restored.numero_notificacao)} />
            <a href={pathTo(PATHS.caso, { id: restored.id })}>{t.excluidos.open}</a>
          </div>
        )}
        {removed !== null && <Notice kind="done" text={removed} />}
        <Answer query={query} lines={8}>
          {({ items, total, page, pages, size }) =>
            total === 0 ? (
              <Empty text={t.excluidos.none} />
            ) : items.length === 0 ? (
              <NoSuchPage page={page} href={withRows(path, search, { page: 1 })} />
            ) : (
              <>
                <Table
                  caption={t.screens.casosExcluidos}
                  columns={[
                    ...columns(busy, (caso) => void restore(caso)),
                    ...(holds(['admin']) ? [removal(setRemoving)] : []),
                  ]}
                  rows={items}
                  keyOf={({ id }) => id}
                  keys={{}}
                  order={order}
                  orderHref={(order) => withRows(path, search, { order })}
                />
                <Pager
                  page={page}
                  pages={pages}
                  size={size}
                  total={total}
                  hrefOf={(page) => withRows(path, search, { page })}
                  sizes={{ all: SIZES, hrefOf: (size) => withRows(path, search, { size }) }}
                />
              </>
            )
          }
        </Answer>
        {removing !== null && (
          <OnDemand
            load={loadRemove}
            props={{
              caso: removing,
              onDone: (text: string) => {
                setRemoving(null)
                setRestored(null)
                setRemoved(text)
              },
              onClose: () => setRemoving(null),
            }}
          />
        )}
      </Page>
    </>
  )
}

function columns(busy: number | null, restore: (caso: Excluido) => void): Column<Excluido>[] {
  const t = texts()
  return [
    {
      key: 'numero',
      title: t.casos.columns.numero,
      cell: (one) => one.numero_notificacao,
      sort: 'numero_notificacao',
    },
    { key: 'agravo', title: t.casos.columns.agravo, cell: (one) => valorWords(one.tipo_agravo, t) },
    {
      key: 'notificacao',
      title: t.casos.columns.notificacao,
      cell: (one) => t.filtros.day(one.data_notificacao.slice(0, 10)),
      sort: 'data_notificacao',
    },
    { key: 'paciente', title: t.casos.columns.paciente, cell: (one) => one.paciente.nome ?? '' },
    {
      key: 'quando',
      title: t.excluidos.when,
      cell: (one) => t.casos.moment(new Date(one.excluido_em)),
      sort: 'excluido_em',
    },
    { key: 'quem', title: t.excluidos.who, cell: (one) => one.excluido_por?.nome ?? t.caso.somebody },
    {
      key: 'restaurar',
      title: t.excluidos.restore,
      cell: (one) => (
        <Button
          sends
          aria-label={t.excluidos.restoreOf(one.numero_notificacao)}
          aria-disabled={busy !== null}
          onClick={() => restore(one)}
        >
          {t.excluidos.restore}
        </Button>
      ),
    },
  ]
}

/** Of administrators, as the act. */
function removal(remove: (caso: Excluido) => void): Column<Excluido> {
  const own = remocaoTexts()
  return {
    key: 'remover',
    title: own.column,
    cell: (one) => (
      <Button kind="quiet" aria-label={own.caso.of(one.numero_notificacao)} onClick={() => remove(one)}>
        {own.action}
      </Button>
    ),
  }
}
