import { useQuery, useQueryClient } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { api } from '../../state/session.ts'
import { importacoesTexts } from '../../state/texts/importacoes.ts'
import { upload } from '../../state/upload.ts'
import { stageOf } from '../../ui/andamento.tsx'
import { conferenciaOf, importacaoHref, type Job, novaHref } from './job.ts'

const POLL_MS = 2_000
const DAY_MS = 86_400_000
/** Shortest interval of asking for checked files: they hold for an hour. */
const KEPT_MS = 60_000

/** Imports that are not over: a file that is being sent, jobs under way, files that were checked and not imported, failures since yesterday. */
export function EmAberto() {
  const t = importacoesTexts()
  const client = useQueryClient()
  const since = useRef(new Date(Date.now() - DAY_MS).toISOString())
  const jobs = useQuery({
    queryKey: ['jobs', 'recent'],
    queryFn: ({ signal }) =>
      api.get(
        '/api/v1/jobs',
        {
          query: {
            'tipo[in]': 'importacao,desfazer_importacao',
            'status[in]': 'processing,failed',
            'created_at[gte]': since.current,
            size: 20,
          },
        },
        { signal },
      ),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === 'processing') ? POLL_MS : false,
  })
  const checked = useQuery({
    queryKey: ['jobs', 'checked'],
    queryFn: ({ signal }) =>
      // A day earlier: the service knows better than the clock of this computer what has expired.
      api.get(
        '/api/v1/jobs',
        { query: { 'arquivo_guardado_ate[gte]': since.current, size: 20 } },
        { signal },
      ),
    staleTime: KEPT_MS,
    refetchInterval: ({ state }) => untilNextExpiry(state.data?.items ?? []),
  })
  const items = jobs.data?.items ?? []
  const running = items.filter(({ status }) => status === 'processing')
  const failed = items.filter(({ status }) => status === 'failed')
  const kept = (checked.data?.items ?? []).filter(isKept)
  // One that is over may be a new row of the list, or a file that waits for its decision.
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ['importacoes', 'list'] })
    void client.invalidateQueries({ queryKey: ['jobs', 'checked'] })
  }, [running.length])
  const sending = upload.value?.state === 'sending' ? upload.value : null
  if (running.length + failed.length + kept.length === 0 && sending === null) return null
  return (
    <section class="card recent" aria-label={t.list.unfinished}>
      <h2>{t.list.unfinished}</h2>
      <ul>
        {sending !== null && (
          <Row
            title={t.file.sending(sending.file.name)}
            note={t.ofBytes(sending.sent, sending.file.size)}
            link={<a href={novaHref()}>{t.list.follow}</a>}
          >
            <progress
              class="bar-of"
              max={sending.file.size}
              value={sending.sent}
              aria-label={sending.file.name}
            />
          </Row>
        )}
        {running.map((job) => (
          <Running key={job.job_id} job={job} />
        ))}
        {kept.map((job) => (
          <Checked key={job.job_id} job={job} />
        ))}
        {failed.map((job) => (
          <Failed key={job.job_id} job={job} />
        ))}
      </ul>
    </section>
  )
}

type KeptJob = Job & { arquivo_guardado_ate: string }
const isKept = (job: Job): job is KeptJob => job.arquivo_guardado_ate !== undefined

/** Milliseconds until the first of them is gone; false where there is none. */
function untilNextExpiry(jobs: Job[]): number | false {
  const ends = jobs.filter(isKept).map(({ arquivo_guardado_ate }) => Date.parse(arquivo_guardado_ate))
  return ends.length > 0 && Math.max(KEPT_MS, Math.min(...ends) - Date.now())
}

const nameOf = ({ arquivo_nome, importacao_id }: Job) =>
  arquivo_nome ?? importacoesTexts().list.importOf(importacao_id ?? 0)

const hrefOf = ({ job_id, importacao_id }: Job) =>
  importacao_id === undefined ? novaHref(job_id) : importacaoHref(importacao_id)

function Running({ job }: { job: Job }) {
  const t = importacoesTexts()
  const name = nameOf(job)
  return (
    <Row
      title={`${t.works[job.trabalho]}: ${name}`}
      note={`${stageOf(job)}, ${t.percent(job.progress)}`}
      link={
        <a href={hrefOf(job)} aria-label={t.list.followOf(name)}>
          {t.list.follow}
        </a>
      }
    >
      <progress class="bar-of" max={100} value={job.progress} aria-label={name} />
    </Row>
  )
}

/** Nothing of it is stored; the decision is still to be made. */
function Checked({ job }: { job: KeptJob }) {
  const t = importacoesTexts()
  const name = nameOf(job)
  const lines = conferenciaOf(job)?.total_linhas
  return (
    <Row
      title={name}
      note={t.list.keptUntil(lines ?? null, new Date(job.arquivo_guardado_ate))}
      link={
        <a href={novaHref(job.job_id)} aria-label={t.list.continueOf(name)}>
          {t.list.continue}
        </a>
      }
    >
      <span class="tag amber">{t.list.checked}</span>
    </Row>
  )
}

function Failed({ job }: { job: Job }) {
  const t = importacoesTexts()
  const name = nameOf(job)
  return (
    <Row
      title={`${t.works[job.trabalho]}: ${name}`}
      note={job.message}
      link={
        <a href={hrefOf(job)} aria-label={t.list.seeOf(name)}>
          {t.list.see}
        </a>
      }
    >
      <span class="tag red">{t.list.failed}</span>
    </Row>
  )
}

interface RowProps {
  title: string
  note: string
  /** Its progress. */
  children: ComponentChildren
  link: ComponentChildren
}

function Row({ title, note, children, link }: RowProps) {
  return (
    <li>
      <div>
        <b>{title}</b>
        <small>{note}</small>
      </div>
      {children}
      {link}
    </li>
  )
}
