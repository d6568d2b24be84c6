import { useEffect } from 'preact/hooks'
import { seriesUpload } from '../../state/series-upload.ts'
import { envioTexts } from '../../state/texts/envio.ts'
import { seriesImportacoesTexts } from '../../state/texts/series-importacoes.ts'
import { Contagens } from '../../ui/contagem.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Rejected } from '../../ui/import-result.tsx'
import { StepHeading } from '../../ui/steps.tsx'
import type { Job } from '../../ui/use-job.ts'
import { importacaoHref, importarHref, type Resultado, SERIES_IMPORT } from './importacao-data.ts'
import { SeriesTable } from './series-table.tsx'

/** Last step: what happened, the series, the rejected lines, and the way back. */
export function Concluida({ job, resultado }: { job: Job; resultado: Resultado }) {
  const t = envioTexts()
  const own = seriesImportacoesTexts()
  const { importacao_id, importados, atualizados, erros, series } = resultado
  useEffect(() => {
    seriesUpload.dropServed()
    SERIES_IMPORT.refresh()
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
