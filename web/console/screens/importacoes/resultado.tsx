import { useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { PATHS } from '../../paths.ts'
import { paresPath } from '../../state/duplicidades.ts'
import { api, holds } from '../../state/session.ts'
import { importacoesTexts } from '../../state/texts/importacoes.ts'
import { dropServed } from '../../state/upload.ts'
import { Contagens } from '../../ui/contagem.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { StepHeading } from '../../ui/steps.tsx'
import {
  casosHref,
  importacaoHref,
  type Job,
  novaHref,
  type Resultado,
  rejeitadosHref,
  waitsForPairs,
} from './job.ts'

/** The service knows better than the clock of this computer what has expired. */
const DAY_MS = 86_400_000

/** Last step: what happened, the cases, the rejected lines, and the way back. */
export function Concluida({ job, resultado }: { job: Job; resultado: Resultado }) {
  const t = importacoesTexts()
  const { importacao_id, importados, atualizados, erros } = resultado
  useEffect(dropServed, [])
  return (
    <section class="card step">
      <StepHeading>{t.result.title(importados, atualizados)}</StepHeading>
      <Contagens counts={resultado} names={t.parts} />
      <p class="note">{t.result.took(resultado.tempo_processamento, resultado.arquivo.nome)}</p>
      <Duplicidades job={job} resultado={resultado} />
      <div class="row start">
        {importacao_id !== null && <CasosLink importacaoId={importacao_id} />}
        {importacao_id !== null && <DuplicidadesLink importacaoId={importacao_id} resultado={resultado} />}
        {job.rejeitados_url !== undefined && (
          <a class="button plain" href={rejeitadosHref(job.job_id)} download>
            <Icon name="download" />
            {t.problems.download(erros)}
          </a>
        )}
        {importacao_id !== null && importados + atualizados > 0 && (
          <a class="button plain" href={importacaoHref(importacao_id)}>
            <Icon name="undo" />
            {t.result.undo}
          </a>
        )}
        <a class="button plain" href={novaHref()}>
          {t.result.another}
        </a>
      </div>
      {job.rejeitados_url !== undefined && <p class="note">{t.result.mend}</p>}
    </section>
  )
}

const totalOf = ({ quase_certas, provaveis, possiveis }: NonNullable<Resultado['duplicidades']>) =>
  quase_certas + provaveis + possiveis

/** Cases of the import that may repeat others, once all are compared. */
function Duplicidades({ job, resultado: { duplicidades } }: { job: Job; resultado: Resultado }) {
  const t = importacoesTexts().result
  if (duplicidades === undefined)
    return waitsForPairs(job) ? (
      <p class="note" role="status">
        {t.searching}
      </p>
    ) : null
  return <p role="status">{t.duplicates(totalOf(duplicidades), duplicidades.quase_certas)}</p>
}

function DuplicidadesLink({ importacaoId, resultado }: { importacaoId: number; resultado: Resultado }) {
  const total = resultado.duplicidades === undefined ? 0 : totalOf(resultado.duplicidades)
  if (total === 0 || !holds(['agravos.duplicidades'])) return null
  return (
    <a class="button plain" href={paresPath({ importacao: String(importacaoId) })}>
      {importacoesTexts().result.seeDuplicates(total)}
    </a>
  )
}

/** Number of the very list that it leads to. */
export function CasosLink({ importacaoId }: { importacaoId: number }) {
  const t = importacoesTexts()
  const mayList = holds(['agravos.listar'])
  const list = useQuery({
    queryKey: ['importacoes', importacaoId, 'casos'],
    queryFn: ({ signal }) =>
      api.get('/api/v1/agravos/casos', { query: { importacao_id: importacaoId, size: 1 } }, { signal }),
    enabled: mayList,
  })
  if (!mayList || list.data?.total === 0) return null
  return (
    <a class="button primary" href={casosHref(importacaoId)}>
      {list.data === undefined ? t.result.cases : t.result.casesOf(list.data.total)}
    </a>
  )
}

/** Check of the same file, while the service still keeps that: nothing has to be sent or checked again. */
function useKeptCheck({ arquivo_nome }: Job): Job | undefined {
  const [since] = useState(() => new Date(Date.now() - DAY_MS).toISOString())
  const checked = useQuery({
    queryKey: ['jobs', 'kept', since],
    queryFn: ({ signal }) =>
      api.get('/api/v1/jobs', { query: { 'arquivo_guardado_ate[gte]': since, size: 20 } }, { signal }),
  })
  return checked.data?.items.find(
    (one) => one.arquivo_guardado_ate !== undefined && one.arquivo_nome === arquivo_nome,
  )
}

/** An import that wrote nothing: why, and how to go on. */
export function NaoConcluida({ job, resultado }: { job: Job; resultado: Resultado | undefined }) {
  const t = importacoesTexts()
  const isCanceled = job.status === 'canceled'
  const kept = useKeptCheck(job)
  return (
    <section class="card step">
      <StepHeading>{isCanceled ? t.failed.canceled : t.failed.title}</StepHeading>
      {!isCanceled && <Notice kind="error" text={job.message} />}
      <p class="note">{t.failed.nothing}</p>
      <div class="row start">
        {job.rejeitados_url !== undefined && (
          <a class="button plain" href={rejeitadosHref(job.job_id)} download>
            <Icon name="download" />
            {t.problems.download(resultado?.erros ?? 0)}
          </a>
        )}
        {kept !== undefined && (
          <a class="button primary" href={novaHref(kept.job_id, 'conferencia')}>
            {t.failed.resume}
          </a>
        )}
        <a class={kept === undefined ? 'button primary' : 'button plain'} href={novaHref()}>
          {t.failed.again}
        </a>
        <a class="button plain" href={PATHS.importacoes}>
          {t.toList}
        </a>
      </div>
    </section>
  )
}
