import { useEffect } from 'preact/hooks'
import { PATHS } from '../../paths.ts'
import { dropSeries } from '../../state/series-upload.ts'
import { cache } from '../../state/session.ts'
import { envioTexts } from '../../state/texts/envio.ts'
import { seriesImportacoesTexts } from '../../state/texts/series-importacoes.ts'
import { Contagens } from '../../ui/contagem.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { StepHeading } from '../../ui/steps.tsx'
import type { Job } from '../../ui/use-job.ts'
import {
  IMPORTACOES,
  importacaoHref,
  importarHref,
  type Resultado,
  rejeitadosHref,
} from './importacao-data.ts'
import { refreshSeries } from './serie-links.ts'
import { SeriesTable } from './series-table.tsx'

/** Last step: what happened, the series, the rejected lines, and the way back. */
export function Concluida({ job, resultado }: { job: Job; resultado: Resultado }) {
  const t = envioTexts()
  const own = seriesImportacoesTexts()
  const { importacao_id, importados, atualizados, erros, series } = resultado
  useEffect(() => {
    // The file has served.
    dropSeries()
    void refreshSeries()
    void cache.invalidateQueries({ queryKey: IMPORTACOES })
  }, [])
  return (
    <section class="card step">
      <StepHeading>{own.resultTitle(importados, atualizados)}</StepHeading>
      <Contagens counts={resultado} names={own.parts} />
      <p class="note">{t.result.took(resultado.tempo_processamento, resultado.arquivo.nome)}</p>
      {series.length > 0 && <SeriesTable series={series} />}
      <div class="row start">
        {importacao_id !== null && importados + atualizados > 0 && (
          <a class="button plain" href={importacaoHref(importacao_id)}>
            <Icon name="undo" />
            {t.result.undo}
          </a>
        )}
        <Rejected job={job} erros={erros} />
        <a class="button plain" href={importarHref()}>
          {t.result.another}
        </a>
      </div>
    </section>
  )
}

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
export function NaoConcluida({ job }: { job: Job }) {
  const t = envioTexts()
  const isCanceled = job.status === 'canceled'
  return (
    <section class="card step">
      <StepHeading>{isCanceled ? t.failed.canceled : t.failed.title}</StepHeading>
      {!isCanceled && <Notice kind="error" text={job.message} />}
      <p class="note">{t.failed.nothing}</p>
      <div class="row start">
        <Rejected job={job} erros={(job.resultado as Resultado | undefined)?.erros ?? 0} />
        <a class="button primary" href={importarHref()}>
          {t.failed.again}
        </a>
        <a class="button plain" href={PATHS.seriesImportacoes}>
          {seriesImportacoesTexts().all}
        </a>
      </div>
    </section>
  )
}
