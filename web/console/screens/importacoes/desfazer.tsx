import { useMutation, useQueryClient } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { UndoResult } from '../../../../src/domain/casos/bulk/undo.ts'
import { offline } from '../../state/connection.ts'
import { api, holds, session } from '../../state/session.ts'
import { importacoesTexts } from '../../state/texts/importacoes.ts'
import { texts } from '../../state/texts.ts'
import { Andamento } from '../../ui/andamento.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import { Answer } from '../../ui/states.tsx'
import { type Importacao, importacaoHref, type Job, useJob } from './job.ts'

/** Above this many cases their number is typed. */
const TYPED_ABOVE = 1_000
const MAX_LISTED = 10

type Asked = 'simulacao' | 'desfazer'

/** Undo: first what it would do, then the decision. Both jobs are in the address: a reload finds them again. */
export function Desfazer({ importacao }: { importacao: Importacao }) {
  const t = importacoesTexts().undo
  const { query } = useLocation()
  const { desfeita_em, desfeita_por } = importacao
  const jobId = query.desfazer ?? query.simulacao ?? null
  if (desfeita_em !== null)
    return (
      <section class="card step">
        <h2>{t.title}</h2>
        <p>{t.undone(importacoesTexts().moment(new Date(desfeita_em)), desfeita_por)}</p>
        {query.desfazer !== undefined && <Undone jobId={query.desfazer} />}
      </section>
    )
  return (
    <section class="card step">
      <h2>{t.title}</h2>
      {!mayUndo(importacao) ? (
        <p class="note">{t.notAllowed}</p>
      ) : importacao.importados + importacao.atualizados === 0 ? (
        <p class="note">{t.wroteNothing}</p>
      ) : jobId === null ? (
        <Ask importacao={importacao} asked="simulacao" label={t.simulate} lead={t.lead} />
      ) : (
        <Asking key={jobId} jobId={jobId} importacao={importacao} />
      )}
    </section>
  )
}

/** One's own, or anybody's with the right to delete cases. */
function mayUndo({ usuario }: Importacao): boolean {
  const isOwn = session.value.kind === 'open' && session.value.perfil.id === usuario.id
  return isOwn || holds(['agravos.deletar'])
}

function useAsk(importacao: Importacao, asked: Asked) {
  const { route } = useLocation()
  // One for all attempts: a lost answer leads to the job that was begun.
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  return useMutation({
    mutationFn: () =>
      api.post(
        '/api/v1/agravos/importacoes/{id}/desfazer',
        { params: { id: importacao.id }, query: { simular: asked === 'simulacao' } },
        { idempotencyKey },
      ),
    onSuccess: ({ job_id }) => route(importacaoHref(importacao.id, { [asked]: job_id }), true),
  })
}

function Ask({
  importacao,
  asked,
  label,
  lead,
}: {
  importacao: Importacao
  asked: Asked
  label: string
  lead: string
}) {
  const ask = useAsk(importacao, asked)
  const isCut = offline.value !== null
  return (
    <>
      <p class="note">{lead}</p>
      {ask.isError && <Refusal error={ask.error} />}
      <div>
        <Button
          icon="undo"
          aria-disabled={ask.isPending || isCut}
          onClick={() => {
            if (!ask.isPending && !isCut) ask.mutate()
          }}
        >
          {isCut ? texts().states.awaiting : label}
        </Button>
      </div>
    </>
  )
}

/** A simulation or the undo itself, until it is over. */
function Asking({ jobId, importacao }: { jobId: string; importacao: Importacao }) {
  const t = importacoesTexts()
  const client = useQueryClient()
  const job = useJob(jobId)
  const isUndone = job.data?.trabalho === 'desfazimento' && job.data.status === 'completed'
  useEffect(() => {
    if (isUndone) void client.invalidateQueries({ queryKey: ['importacoes'] })
  }, [isUndone])
  return (
    <Answer query={job} lines={3}>
      {(data) => {
        if (data.status === 'processing') return <Andamento job={data} note={t.mayLeave} />
        const result = resultOf(data)
        if (data.status !== 'completed' || result === undefined)
          return (
            <>
              <Notice kind="error" text={data.message} />
              <Ask importacao={importacao} asked="simulacao" label={t.undo.simulate} lead={t.undo.lead} />
            </>
          )
        return isUndone ? null : <Decide importacao={importacao} result={result} />
      }}
    </Answer>
  )
}

const resultOf = (job: Job) => job.result as (UndoResult & Record<string, unknown>) | undefined

function Decide({ importacao, result }: { importacao: Importacao; result: UndoResult }) {
  const t = importacoesTexts()
  const undo = useAsk(importacao, 'desfazer')
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | undefined>()
  const isCut = offline.value !== null
  const casos = result.removidos + result.restaurados
  if (casos === 0)
    return (
      <>
        <Effect result={result} />
        <p>{t.undo.nothing}</p>
      </>
    )
  const mustType = casos > TYPED_ABOVE
  const submit = (event: Event) => {
    event.preventDefault()
    if (undo.isPending || isCut) return
    if (mustType && typed.replaceAll(/\D/g, '') !== String(casos)) return setProblem(t.undo.mistyped(casos))
    setProblem(undefined)
    undo.mutate()
  }
  return (
    <form class="form" onSubmit={submit} noValidate>
      <p role="status">{t.undo.simulated}</p>
      <Effect result={result} />
      {mustType && (
        <Field
          label={t.undo.type(casos)}
          value={typed}
          onInput={setTyped}
          inputMode="numeric"
          autocomplete="off"
          problem={problem}
        />
      )}
      {undo.isError && <Refusal error={undo.error} />}
      <div>
        <button type="submit" class="button danger" aria-disabled={undo.isPending || isCut}>
          {undo.isPending ? t.undo.sending : isCut ? texts().states.awaiting : t.undo.confirm(casos)}
        </button>
      </div>
    </form>
  )
}

function Effect({ result }: { result: UndoResult }) {
  const t = importacoesTexts()
  const { removidos, restaurados, mantidos, total_mantidos } = result
  const shown = mantidos.slice(0, MAX_LISTED).map(({ numero_notificacao }) => numero_notificacao)
  return (
    <>
      <dl class="sum undo">
        <div>
          <dt>{t.undo.removed}</dt>
          <dd>{t.number(removidos)}</dd>
        </div>
        <div>
          <dt>{t.undo.restored}</dt>
          <dd>{t.number(restaurados)}</dd>
        </div>
        <div>
          <dt>{t.undo.kept}</dt>
          <dd>{t.number(total_mantidos)}</dd>
        </div>
      </dl>
      {total_mantidos > 0 && (
        <p class="note">{t.undo.keptNote(shown.join(', '), total_mantidos - shown.length)}</p>
      )}
    </>
  )
}

function Undone({ jobId }: { jobId: string }) {
  const t = importacoesTexts()
  const job = useJob(jobId)
  const result = job.data && resultOf(job.data)
  if (result === undefined) return null
  return (
    <>
      <Notice kind="done" text={t.undo.done} />
      <Effect result={result} />
    </>
  )
}
