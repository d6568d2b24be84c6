import { useQuery } from '@tanstack/preact-query'
import { exec, useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api, session } from '../../state/session.ts'
import { envioTexts } from '../../state/texts/envio.ts'
import { seriesImportacoesTexts } from '../../state/texts/series-importacoes.ts'
import { texts } from '../../state/texts.ts'
import { AuditLink } from '../../ui/audit-link.tsx'
import { Contagens } from '../../ui/contagem.tsx'
import { Rejected } from '../../ui/import-result.tsx'
import { Desfazer } from '../../ui/import-undo.tsx'
import { Page } from '../../ui/page.tsx'
import { Answer } from '../../ui/states.tsx'
import { useFollowedJob } from '../../ui/use-job.ts'
import { IMPORTACOES, type Importacao, resultadoOf, SERIES_IMPORT } from './importacao-data.ts'
import { SeriesTable } from './series-table.tsx'
import './styles.ts'

/** One import of series: what it did, and the way back. */
export default function UmaImportacaoDeSeries() {
  const t = texts()
  const own = seriesImportacoesTexts()
  const { path } = useLocation()
  const id = Number(exec(path, PATHS.seriesImportacao)?.params.id)
  const importacao = useQuery({
    queryKey: [...IMPORTACOES, id],
    queryFn: ({ signal }) => api.get('/api/v1/series/importacoes/{id}', { params: { id } }, { signal }),
    placeholderData: () => undefined,
  })
  return (
    <>
      <a class="back" href={PATHS.seriesImportacoes}>
        {own.all}
      </a>
      <Page
        title={importacao.data?.arquivo.nome || t.screens.seriesImportacao}
        actions={<AuditLink recurso="importacao" id={id} />}
      >
        <Answer query={importacao} lines={6}>
          {(data) => (
            <div class="import-detail">
              <Feita importacao={data} />
              <Desfazer
                target={SERIES_IMPORT}
                importacao={data}
                wrote={data.importados + data.atualizados + data.apagados > 0}
              />
            </div>
          )}
        </Answer>
      </Page>
    </>
  )
}

function Feita({ importacao }: { importacao: Importacao }) {
  const t = envioTexts()
  const own = seriesImportacoesTexts()
  const { arquivo, usuario, criado_em, avisos, erros } = importacao
  // Only the account that sent it has the job: its series and the rejected lines.
  const isOwn = session.value.kind === 'open' && session.value.perfil.id === usuario.id
  const job = useFollowedJob(isOwn ? importacao.job_id : null)
  const series = job.data && resultadoOf(job.data)?.series
  const facts: [string, string][] = [
    [t.list.who, usuario.nome],
    [t.list.when, t.moment(new Date(criado_em))],
    [t.facts.format, arquivo.formato.toUpperCase()],
    [own.layout, own.layouts[arquivo.layout]],
    [t.facts.lines, t.number(importacao.total_linhas)],
    [t.facts.warnings, t.number(avisos)],
  ]
  return (
    <section class="card step">
      <h2>{t.check.detailTitle}</h2>
      <Contagens counts={importacao} names={own.parts} />
      <dl class="meta">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {series !== undefined && series.length > 0 && <SeriesTable series={series} />}
      {job.data !== undefined && (
        <div class="row start">
          <Rejected job={job.data} erros={erros} />
        </div>
      )}
    </section>
  )
}
