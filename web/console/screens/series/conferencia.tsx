import type { SeriesForm } from '../../state/series-upload.ts'
import { envioTexts } from '../../state/texts/envio.ts'
import { seriesImportacoesTexts } from '../../state/texts/series-importacoes.ts'
import { ImportCheck } from '../../ui/import-check.tsx'
import { StepHeading } from '../../ui/steps.tsx'
import type { Job } from '../../ui/use-job.ts'
import { importarHref, type Resultado, SERIES_IMPORT } from './importacao-data.ts'
import { SeriesTable } from './series-table.tsx'

interface CheckedProps {
  job: Job
  form: SeriesForm
  resultado: Resultado
}

/** Second step: layout, series, places and time that were found in the file. */
export function Reconhecido({ job, form, resultado }: CheckedProps) {
  const own = seriesImportacoesTexts()
  const t = own
  const { arquivo, total_linhas, sem_lugar, series } = resultado
  return (
    <section class="card step">
      <StepHeading>{own.recognised(own.layouts[arquivo.layout])}</StepHeading>
      <dl class="meta">
        {(
          [
            [envioTexts().facts.file, arquivo.nome],
            [envioTexts().facts.format, arquivo.formato.toUpperCase()],
            [envioTexts().facts.size, envioTexts().bytes(arquivo.tamanho)],
            [envioTexts().facts.lines, t.number(total_linhas)],
            [own.sem_lugar, t.number(sem_lugar)],
          ] as const
        ).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {series.length === 0 ? <p>{own.withoutSeries}</p> : <SeriesTable series={series} />}
      <div class="row start">
        <a class="button primary" href={importarHref(form, job.job_id, 'conferencia')}>
          {own.next}
        </a>
        <a class="button plain" href={importarHref(form)}>
          {envioTexts().changeFile}
        </a>
      </div>
    </section>
  )
}

/** Third step: what would happen, and the decision. */
export function Conferencia({ job, form, resultado }: CheckedProps) {
  const back = (
    <a class="button plain" href={importarHref(form, job.job_id)}>
      {seriesImportacoesTexts().back}
    </a>
  )
  return <ImportCheck target={SERIES_IMPORT} {...{ job, form, resultado, back }} />
}
