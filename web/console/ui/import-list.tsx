import { useQuery } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import type { AnswerOf } from '../api/rows.ts'
import { api } from '../state/session.ts'
import { envioTexts } from '../state/texts/envio.ts'
import { stageOf } from './andamento.tsx'
import { Barra, type Contagem } from './contagem.tsx'
import type { ImportTarget } from './import-target.ts'
import { Answer } from './states.tsx'
import type { Column } from './table.tsx'

const POLL_MS = 2_000

type Job = AnswerOf<'GET', '/api/v1/jobs'>['items'][number]

/** Jobs of the account that are not over; one that ends is a new row of the list. They are above it, and it waits for them. */
export function RunningImports({ target }: { target: ImportTarget }) {
  const jobs = useQuery({
    queryKey: ['jobs', target.jobs],
    queryFn: ({ signal }) =>
      api.get(
        '/api/v1/jobs',
        { query: { 'tipo[in]': target.jobs, status: 'processing', size: 20 } },
        { signal },
      ),
    refetchInterval: ({ state }) => ((state.data?.items.length ?? 0) > 0 ? POLL_MS : false),
  })
  const items = jobs.data?.items ?? []
  useEffect(() => target.refresh(), [items.length])
  return (
    <Answer query={jobs} lines={8}>
      {({ items }) => items.length > 0 && <Running items={items} target={target} />}
    </Answer>
  )
}

function Running({ items, target }: { items: Job[]; target: ImportTarget }) {
  const t = envioTexts()
  return (
    <section class="card recent" aria-label={t.check.running}>
      <h2>{t.check.running}</h2>
      <ul>
        {items.map((job) => {
          const name = job.arquivo_nome ?? t.list.importOf(job.importacao_id ?? 0)
          const href =
            job.importacao_id === undefined
              ? target.importarHref({}, job.job_id)
              : target.importacaoHref(job.importacao_id)
          return (
            <li key={job.job_id}>
              <div>
                <b>{name}</b>
                <small>{stageOf(job, target.words().stages)}</small>
              </div>
              <progress class="bar-of" max={100} value={job.progress} aria-label={name} />
              <a href={href} aria-label={t.check.follow(name)}>
                {t.list.follow}
              </a>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

interface Importacao extends Contagem {
  id: number
  arquivo: { nome: string; formato: string; layout: string }
  usuario: { nome: string }
  criado_em: string
  total_linhas: number
  desfeita_em: string | null
}

interface ListWords {
  /** Heading of the column of the numbers. */
  values: string
  summary(created: number, updated: number, rejected: number): string
}

/** Columns of a list of imports of one kind. */
export function importColumns(target: ImportTarget, words: ListWords): Column<Importacao>[] {
  const t = envioTexts()
  const own = target.words()
  return [
    {
      key: 'arquivo',
      title: t.list.file,
      cell: ({ id, arquivo }) => (
        <>
          <a href={target.importacaoHref(id)}>
            {arquivo.nome === '' ? own.layouts[arquivo.layout] : arquivo.nome}
          </a>
          <small>
            {arquivo.formato.toUpperCase()} · {own.layouts[arquivo.layout]}
          </small>
        </>
      ),
    },
    { key: 'quem', title: t.list.who, cell: ({ usuario }) => usuario.nome },
    { key: 'quando', title: t.list.when, cell: ({ criado_em }) => t.moment(new Date(criado_em)) },
    {
      key: 'linhas',
      title: t.list.lines,
      isNumber: true,
      cell: ({ total_linhas }) => t.number(total_linhas),
    },
    {
      key: 'resultado',
      title: words.values,
      cell: (row) => (
        <>
          <Barra counts={row} names={own.parts} />
          <small>{words.summary(row.importados, row.atualizados, row.erros)}</small>
        </>
      ),
    },
    {
      key: 'situacao',
      title: t.list.state,
      cell: ({ desfeita_em }) =>
        desfeita_em === null ? (
          <span class="tag green">{t.list.done}</span>
        ) : (
          <span class="tag amber">{t.list.undone}</span>
        ),
    },
    {
      key: 'acoes',
      title: t.list.actions,
      cell: ({ id, arquivo, desfeita_em }) => (
        <div class="row-actions">
          <a href={target.importacaoHref(id)} aria-label={t.list.openOf(arquivo.nome)}>
            {desfeita_em === null ? t.list.openUndo : t.list.open}
          </a>
        </div>
      ),
    },
  ]
}
