import { useMutation } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { offline } from '../../state/connection.ts'
import { api, cache, holds, session } from '../../state/session.ts'
import { envioTexts } from '../../state/texts/envio.ts'
import { seriesImportacoesTexts } from '../../state/texts/series-importacoes.ts'
import { Andamento } from '../../ui/andamento.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Answer, errorText } from '../../ui/states.tsx'
import { type Job, useFollowedJob } from '../../ui/use-job.ts'
import { IMPORTACOES, type Importacao, importacaoHref } from './importacao-data.ts'
import { refreshSeries } from './serie-links.ts'

type Asked = 'simulacao' | 'desfazer'

interface Effect {
  removidos: number
  restaurados: number
  total_mantidos: number
}

const effectOf = (job: Job) => job.result as Effect | undefined

/** Undo: first what it would do, then the decision. Both jobs are in the address: a reload finds them again. */
export function Desfazer({ importacao }: { importacao: Importacao }) {
  const t = envioTexts()
  const own = seriesImportacoesTexts()
  const { query } = useLocation()
  const { desfeita_em, desfeita_por, usuario, importados, atualizados, apagados } = importacao
  const isOwn = session.value.kind === 'open' && session.value.perfil.id === usuario.id
  const jobId = query.desfazer ?? query.simulacao ?? null
  return (
    <section class="card step">
      <h2>{t.undo.title}</h2>
      {desfeita_em !== null ? (
        <>
          <p>{t.undo.undone(t.moment(new Date(desfeita_em)), desfeita_por)}</p>
          {query.desfazer !== undefined && <Undone jobId={query.desfazer} />}
        </>
      ) : !isOwn && !holds(['series.definir']) ? (
        <p class="note">{own.notAllowed}</p>
      ) : importados + atualizados + apagados === 0 ? (
        <p class="note">{own.wroteNothing}</p>
      ) : jobId === null ? (
        <Ask id={importacao.id} />
      ) : (
        <Asking key={jobId} jobId={jobId} id={importacao.id} />
      )}
    </section>
  )
}

function useAsk(id: number, asked: Asked) {
  const { route } = useLocation()
  // One for all attempts: a lost answer leads to the job that was begun.
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  return useMutation({
    mutationFn: () =>
      api.post(
        '/api/v1/series/importacoes/{id}/desfazer',
        { params: { id }, query: { simular: asked === 'simulacao' } },
        { idempotencyKey },
      ),
    onSuccess: ({ job_id }) => route(importacaoHref(id, { [asked]: job_id }), true),
  })
}

/** A simulation: nothing changes by it. */
function Ask({ id }: { id: number }) {
  const t = envioTexts()
  const ask = useAsk(id, 'simulacao')
  const isCut = offline.value !== null
  return (
    <>
      <p class="note">{seriesImportacoesTexts().undoLead}</p>
      {ask.isError && <Notice kind="error" text={errorText(ask.error)} />}
      <div>
        <Button
          icon="undo"
          aria-disabled={ask.isPending || isCut}
          onClick={() => {
            if (!ask.isPending && !isCut) ask.mutate()
          }}
        >
          {isCut ? t.decide.offline : t.undo.simulate}
        </Button>
      </div>
    </>
  )
}

/** A simulation or the undo itself, until it is over. */
function Asking({ jobId, id }: { jobId: string; id: number }) {
  const own = seriesImportacoesTexts()
  const job = useFollowedJob(jobId)
  const isUndone = job.data?.trabalho === 'desfazimento' && job.data.status === 'completed'
  useEffect(() => {
    if (!isUndone) return
    void cache.invalidateQueries({ queryKey: IMPORTACOES })
    void refreshSeries()
  }, [isUndone])
  return (
    <Answer query={job} lines={3}>
      {(data) => {
        if (data.status === 'processing')
          return <Andamento job={data} note={own.mayLeave} stages={own.stages} />
        const effect = effectOf(data)
        if (data.status !== 'completed' || effect === undefined)
          return (
            <>
              <Notice kind="error" text={data.message} />
              <Ask id={id} />
            </>
          )
        return isUndone ? null : <Decide id={id} effect={effect} />
      }}
    </Answer>
  )
}

function Decide({ id, effect }: { id: number; effect: Effect }) {
  const t = envioTexts()
  const undo = useAsk(id, 'desfazer')
  const isCut = offline.value !== null
  const values = effect.removidos + effect.restaurados
  return (
    <div class="form">
      <p role="status">{t.undo.simulated}</p>
      <Counts effect={effect} />
      {undo.isError && <Notice kind="error" text={errorText(undo.error)} />}
      {values === 0 ? (
        <p>{t.undo.nothing}</p>
      ) : (
        <div>
          <button
            type="button"
            class="button danger"
            aria-disabled={undo.isPending || isCut}
            onClick={() => {
              if (!undo.isPending && !isCut) undo.mutate()
            }}
          >
            {undo.isPending
              ? t.undo.sending
              : isCut
                ? t.decide.offline
                : seriesImportacoesTexts().confirmUndo(values)}
          </button>
        </div>
      )}
    </div>
  )
}

function Counts({ effect: { removidos, restaurados, total_mantidos } }: { effect: Effect }) {
  const t = seriesImportacoesTexts()
  const counts = [
    [t.removed, removidos],
    [t.restored, restaurados],
    [t.kept, total_mantidos],
  ] as const
  return (
    <dl class="sum undo">
      {counts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{t.number(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Undone({ jobId }: { jobId: string }) {
  const job = useFollowedJob(jobId)
  const effect = job.data && effectOf(job.data)
  if (effect === undefined) return null
  return (
    <>
      <Notice kind="done" text={envioTexts().undo.done} />
      <Counts effect={effect} />
    </>
  )
}
