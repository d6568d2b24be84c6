import { useMutation } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { offline } from '../state/connection.ts'
import { holds, session } from '../state/session.ts'
import { envioTexts } from '../state/texts/envio.ts'
import { texts } from '../state/texts.ts'
import { Andamento } from './andamento.tsx'
import { Button } from './button.tsx'
import type { ImportTarget } from './import-target.ts'
import { Notice } from './notice.tsx'
import { Refusal } from './refusal.tsx'
import { Answer } from './states.tsx'
import { type Job, useFollowedJob } from './use-job.ts'

type Asked = 'simulacao' | 'desfazer'

interface Effect {
  removidos: number
  restaurados: number
  total_mantidos: number
}

const effectOf = (job: Job) => job.result as Effect | undefined

interface Undoable {
  id: number
  usuario: { id: number | null }
  desfeita_em: string | null
  desfeita_por: string | null
}

interface DesfazerProps {
  target: ImportTarget
  importacao: Undoable
  /** False where the import changed nothing. */
  wrote: boolean
}

/** Undo: first what it would do, then the decision. Both jobs are in the address: a reload finds them again. */
export function Desfazer({ target, importacao, wrote }: DesfazerProps) {
  const t = envioTexts()
  const own = target.words()
  const { query } = useLocation()
  const { desfeita_em, desfeita_por, usuario } = importacao
  const isOwn = session.value.kind === 'open' && session.value.perfil.id === usuario.id
  const jobId = query.desfazer ?? query.simulacao ?? null
  return (
    <section class="card step">
      <h2>{t.undo.title}</h2>
      {desfeita_em !== null ? (
        <>
          <p>{t.undo.undone(t.moment(new Date(desfeita_em)), desfeita_por)}</p>
          {query.desfazer !== undefined && <Undone target={target} jobId={query.desfazer} />}
        </>
      ) : !isOwn && !holds([target.undoesOthers]) ? (
        <p class="note">{own.notAllowed}</p>
      ) : !wrote ? (
        <p class="note">{own.wroteNothing}</p>
      ) : jobId === null ? (
        <Ask target={target} id={importacao.id} />
      ) : (
        <Asking key={jobId} target={target} jobId={jobId} id={importacao.id} />
      )}
    </section>
  )
}

function useAsk(target: ImportTarget, id: number, asked: Asked) {
  const { route } = useLocation()
  // One for all attempts: a lost answer leads to the job that was begun.
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  return useMutation({
    mutationFn: () => target.undo(id, asked === 'simulacao', idempotencyKey),
    onSuccess: ({ job_id }) => route(target.importacaoHref(id, { [asked]: job_id }), true),
  })
}

/** A simulation: nothing changes by it. */
function Ask({ target, id }: { target: ImportTarget; id: number }) {
  const t = envioTexts()
  const ask = useAsk(target, id, 'simulacao')
  const isCut = offline.value !== null
  return (
    <>
      <p class="note">{t.check.undoLead}</p>
      {ask.isError && <Refusal error={ask.error} />}
      <div>
        <Button
          icon="undo"
          aria-disabled={ask.isPending || isCut}
          onClick={() => {
            if (!ask.isPending && !isCut) ask.mutate()
          }}
        >
          {isCut ? texts().states.awaiting : t.undo.simulate}
        </Button>
      </div>
    </>
  )
}

interface AskingProps {
  target: ImportTarget
  jobId: string
  id: number
}

/** A simulation or the undo itself, until it is over. */
function Asking({ target, jobId, id }: AskingProps) {
  const own = target.words()
  const job = useFollowedJob(jobId)
  const isUndone = job.data?.trabalho === 'desfazimento' && job.data.status === 'completed'
  useEffect(() => {
    if (isUndone) target.refresh()
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
              <Ask target={target} id={id} />
            </>
          )
        return isUndone ? null : <Decide {...{ target, id, effect }} />
      }}
    </Answer>
  )
}

function Decide({ target, id, effect }: { target: ImportTarget; id: number; effect: Effect }) {
  const t = envioTexts()
  const undo = useAsk(target, id, 'desfazer')
  const isCut = offline.value !== null
  const values = effect.removidos + effect.restaurados
  return (
    <div class="form">
      <p role="status">{t.undo.simulated}</p>
      <Counts target={target} effect={effect} />
      {undo.isError && <Refusal error={undo.error} />}
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
                ? texts().states.awaiting
                : target.words().confirmUndo(values)}
          </button>
        </div>
      )}
    </div>
  )
}

function Counts({ target, effect }: { target: ImportTarget; effect: Effect }) {
  const { removidos, restaurados, total_mantidos } = effect
  const t = envioTexts()
  const counts = [
    [target.words().removed, removidos],
    [t.check.restored, restaurados],
    [t.check.kept, total_mantidos],
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

function Undone({ target, jobId }: { target: ImportTarget; jobId: string }) {
  const job = useFollowedJob(jobId)
  const effect = job.data && effectOf(job.data)
  if (effect === undefined) return null
  return (
    <>
      <Notice kind="done" text={envioTexts().undo.done} />
      <Counts target={target} effect={effect} />
    </>
  )
}
