import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { AnswerOf } from '../../api/rows.ts'
import { PATHS } from '../../paths.ts'
import { api, cache } from '../../state/session.ts'
import { sistemaTexts } from '../../state/texts/sistema.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSending } from '../../ui/form.ts'
import { NoSuchPage } from '../../ui/near-filters.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Answer, Empty, errorText } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'

type Job = AnswerOf<'GET', '/api/v1/jobs'>['items'][number]

const SIZE = 10
const REFRESH_MS = 10_000
const TAGS = { processing: 'amber', completed: 'green', failed: 'red', canceled: 'amber' } as const

const nameOf = ({ tipo }: Job) => sistemaTexts().tipos[tipo] ?? tipo
const ownerOf = ({ usuario }: Job) => usuario?.nome ?? ''

/** Jobs of every account, the newest first; one that waits or runs can be canceled. */
export function Jobs() {
  const own = sistemaTexts()
  const { query } = useLocation()
  const [canceling, setCanceling] = useState<Job | null>(null)
  const page = Math.max(1, Math.trunc(Number(query.pagina)) || 1)
  const list = useQuery({
    queryKey: ['sistema', 'jobs', page],
    queryFn: ({ signal }) =>
      api.get('/api/v1/jobs', { query: { de: 'todos', page, size: SIZE } }, { signal }),
    refetchInterval: REFRESH_MS,
  })
  return (
    <section class="card form">
      <h2>{own.jobs}</h2>
      <Answer query={list} lines={5}>
        {({ items, total, pages, size }) =>
          total === 0 ? (
            <Empty text={own.noJobs} />
          ) : items.length === 0 ? (
            <NoSuchPage page={page} href={hrefOfPage(1)} />
          ) : (
            <div class="imports">
              <Table
                caption={own.jobs}
                columns={columns(setCanceling)}
                rows={items}
                keyOf={({ job_id }) => job_id}
                keys={{}}
              />
              <Pager page={page} pages={pages} size={size} total={total} hrefOf={hrefOfPage} />
            </div>
          )
        }
      </Answer>
      {canceling !== null && <CancelDialog job={canceling} onClose={() => setCanceling(null)} />}
    </section>
  )
}

const hrefOfPage = (page: number) => (page === 1 ? PATHS.sistema : `${PATHS.sistema}?pagina=${page}`)

function columns(cancel: (job: Job) => void): Column<Job>[] {
  const own = sistemaTexts()
  return [
    { key: 'trabalho', title: own.job, cell: nameOf },
    { key: 'quem', title: own.who, cell: ownerOf },
    { key: 'quando', title: own.when, cell: ({ created_at }) => own.moment(new Date(created_at)) },
    {
      key: 'andamento',
      title: own.progress,
      cell: ({ status, progress, message }) => (
        <>
          <span class={`tag ${TAGS[status]}`}>
            {own.statuses[status]}
            {status === 'processing' && ` ${progress} %`}
          </span>
          <small>{message}</small>
        </>
      ),
    },
    {
      key: 'acoes',
      title: own.actions,
      cell: (job) =>
        job.status === 'processing' ? (
          <Button
            kind="quiet"
            aria-label={own.cancelOf(nameOf(job), ownerOf(job))}
            onClick={() => cancel(job)}
          >
            {own.cancel}
          </Button>
        ) : null,
    },
  ]
}

/** Says whose it is before it ends. */
function CancelDialog({ job, onClose }: { job: Job; onClose(): void }) {
  const own = sistemaTexts()
  const { form, isSending, error, submit } = useSending(async () => {
    await api.delete('/api/v1/jobs/{job_id}', { params: { job_id: job.job_id } })
    void cache.invalidateQueries({ queryKey: ['sistema'] })
    onClose()
  })
  return (
    <Dialog title={own.cancelTitle} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        {error !== null && <Notice kind="error" text={errorText(error)} />}
        <p>{own.cancelNote(nameOf(job), ownerOf(job))}</p>
        <div class="row">
          <Button onClick={onClose}>{own.keep}</Button>
          <Button type="submit" kind="primary" class="button danger" aria-disabled={isSending}>
            {own.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
