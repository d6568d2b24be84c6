import { useQuery } from '@tanstack/preact-query'
import { exec, useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api, holds, session } from '../../state/session.ts'
import { importacoesTexts } from '../../state/texts/importacoes.ts'
import { texts } from '../../state/texts.ts'
import { AuditLink } from '../../ui/audit-link.tsx'
import { Contagens } from '../../ui/contagem.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { Answer } from '../../ui/states.tsx'
import { Desfazer } from './desfazer.tsx'
import { type Importacao, rejeitadosHref, useJob } from './job.ts'
import { CasosLink } from './resultado.tsx'

/** One import: what it did, and the way back. */
export default function UmaImportacao() {
  const t = texts()
  const { path } = useLocation()
  const id = Number(exec(path, PATHS.importacao)?.params.id)
  const importacao = useQuery({
    queryKey: ['importacoes', id],
    queryFn: ({ signal }) => api.get('/api/v1/agravos/importacoes/{id}', { params: { id } }, { signal }),
    placeholderData: () => undefined,
  })
  const list = (
    <>
      <AuditLink recurso="importacao" id={id} />
      <a class="button plain" href={PATHS.importacoes}>
        {importacoesTexts().toList}
      </a>
    </>
  )
  return (
    <Page title={importacao.data?.arquivo.nome ?? t.screens.importacao} actions={list}>
      <Answer query={importacao} lines={6}>
        {(data) => (
          <div class="import-detail">
            <Feita importacao={data} />
            <Desfazer importacao={data} />
          </div>
        )}
      </Answer>
    </Page>
  )
}

/** True for the account that sent it: only it has the job and the rejected lines. */
export const isOwn = ({ usuario }: Importacao) =>
  session.value.kind === 'open' && session.value.perfil.id === usuario.id

function Feita({ importacao }: { importacao: Importacao }) {
  const t = importacoesTexts()
  const { id, arquivo, usuario, criado_em, desfeita_em, erros } = importacao
  const job = useJob(isOwn(importacao) ? importacao.job_id : null)
  const facts: [string, string | null][] = [
    [t.list.who, usuario.nome],
    [t.list.when, t.moment(new Date(criado_em))],
    [t.facts.format, arquivo.formato.toUpperCase()],
    [t.facts.layout, t.layouts[arquivo.layout]],
    [t.facts.size, arquivo.tamanho === null ? null : t.bytes(arquivo.tamanho)],
    [t.facts.warnings, t.number(importacao.avisos)],
  ]
  return (
    <section class="card step">
      <h2>{t.detail.title(importacao.total_linhas)}</h2>
      <Contagens counts={importacao} names={t.parts} />
      <dl class="meta">
        {facts.map(
          ([name, value]) =>
            value !== null && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <div class="row start">
        {desfeita_em === null && <CasosLink importacaoId={id} />}
        {job.data?.rejeitados_url !== undefined && holds(['agravos.importar']) && (
          <a class="button plain" href={rejeitadosHref(job.data.job_id)} download>
            <Icon name="download" />
            {t.problems.download(erros)}
          </a>
        )}
      </div>
    </section>
  )
}
