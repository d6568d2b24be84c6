import { useQuery } from '@tanstack/preact-query'
import { exec, useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api, session } from '../../state/session.ts'
import { envioTexts } from '../../state/texts/envio.ts'
import { epizootiasImportacoesTexts } from '../../state/texts/epizootias-importacoes.ts'
import { texts } from '../../state/texts.ts'
import { AuditLink } from '../../ui/audit-link.tsx'
import { Contagens } from '../../ui/contagem.tsx'
import '../../ui/gestao.ts'
import { Rejected } from '../../ui/import-result.tsx'
import { Desfazer } from '../../ui/import-undo.tsx'
import { Page } from '../../ui/page.tsx'
import { Answer } from '../../ui/states.tsx'
import { useFollowedJob } from '../../ui/use-job.ts'
import { epizootiasPath, NO_FILTERS } from './address.ts'
import { EPIZOOTIAS_IMPORT, IMPORTACOES, type Importacao } from './importacao-data.ts'

/** One import of events: what it did, and the way back. */
export default function UmaImportacaoDeEpizootias() {
  const t = texts()
  const { path } = useLocation()
  const id = Number(exec(path, PATHS.epizootiasImportacao)?.params.id)
  const importacao = useQuery({
    queryKey: [...IMPORTACOES, id],
    queryFn: ({ signal }) => api.get('/api/v1/epizootias/importacoes/{id}', { params: { id } }, { signal }),
    placeholderData: () => undefined,
  })
  return (
    <>
      <a class="back" href={PATHS.epizootiasImportacoes}>
        {epizootiasImportacoesTexts().all}
      </a>
      <Page
        title={importacao.data?.arquivo.nome || t.screens.epizootiasImportacao}
        actions={<AuditLink recurso="importacao" id={id} />}
      >
        <Answer query={importacao} lines={6}>
          {(data) => (
            <div class="import-detail">
              <Feita importacao={data} />
              <Desfazer
                target={EPIZOOTIAS_IMPORT}
                importacao={data}
                wrote={data.importados + data.atualizados > 0}
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
  const own = epizootiasImportacoesTexts()
  const { id, arquivo, usuario, criado_em, avisos, erros, importados, atualizados, desfeita_em } = importacao
  // Only the account that sent it has the job with the rejected lines.
  const isOwn = session.value.kind === 'open' && session.value.perfil.id === usuario.id
  const job = useFollowedJob(isOwn ? importacao.job_id : null)
  const facts: [string, string][] = [
    [t.list.who, usuario.nome],
    [t.list.when, t.moment(new Date(criado_em))],
    [t.facts.format, arquivo.formato.toUpperCase()],
    [t.facts.layout, own.layouts[arquivo.layout] ?? arquivo.layout],
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
      <div class="row start">
        {desfeita_em === null && importados + atualizados > 0 && (
          <a
            class="button plain"
            href={epizootiasPath({ filters: { ...NO_FILTERS, importacao: String(id) } })}
          >
            {own.seeEvents}
          </a>
        )}
        {job.data !== undefined && <Rejected job={job.data} erros={erros} />}
      </div>
    </section>
  )
}
