import { envioTexts } from '../state/texts/envio.ts'
import { Icon } from './icon.tsx'
import { type ImportTarget, importResultOf, rejeitadosHref } from './import-target.ts'
import { Notice } from './notice.tsx'
import { StepHeading } from './steps.tsx'
import type { Job } from './use-job.ts'

/** Lines that were refused, as a file to mend. */
export function Rejected({ job, erros }: { job: Job; erros: number }) {
  if (job.rejeitados_url === undefined) return null
  return (
    <a class="button plain" href={rejeitadosHref(job.job_id)} download>
      <Icon name="download" />
      {envioTexts().problems.download(erros)}
    </a>
  )
}

/** An import that wrote nothing: why, and how to go on. */
export function NaoConcluida({ job, target }: { job: Job; target: ImportTarget }) {
  const t = envioTexts()
  const isCanceled = job.status === 'canceled'
  const file = target.upload.current.value
  /** Check of the same file, while this page still has that: it need not be checked again. */
  const kept = file?.file.name === job.arquivo_nome ? file : null
  return (
    <section class="card step">
      <StepHeading>{isCanceled ? t.failed.canceled : t.failed.title}</StepHeading>
      {!isCanceled && <Notice kind="error" text={job.message} />}
      <p class="note">{t.failed.nothing}</p>
      <div class="row start">
        <Rejected job={job} erros={importResultOf(job)?.erros ?? 0} />
        {kept?.jobId != null && (
          <a class="button primary" href={target.importarHref(kept.form, kept.jobId, 'conferencia')}>
            {t.failed.resume}
          </a>
        )}
        <a class={kept?.jobId != null ? 'button plain' : 'button primary'} href={target.importarHref()}>
          {t.failed.again}
        </a>
        <a class="button plain" href={target.listPath}>
          {target.words().all}
        </a>
      </div>
    </section>
  )
}
