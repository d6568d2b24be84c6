import { useQuery } from '@tanstack/preact-query'
import { exec, useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api, holds } from '../../state/session.ts'
import { texts } from '../../state/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { Answer } from '../../ui/states.tsx'
import { arquivoHref, nameOf } from './boletim-texts.ts'

/** One bulletin, where mails lead: of what and when it is, and its document. */
export default function Boletim() {
  const t = texts()
  const { path } = useLocation()
  const id = Number(exec(path, PATHS.boletim)?.params.id)
  const query = useQuery({
    queryKey: ['boletins', id],
    queryFn: ({ signal }) => api.get('/api/v1/agravos/boletins/{id}', { params: { id } }, { signal }),
  })
  return (
    <Page title={t.screens.boletim} lead={t.boletins.frozen}>
      <Answer query={query} lines={6}>
        {(boletim) => (
          <section class="card form">
            <h2>
              {nameOf(boletim)}, {t.boletins.week(boletim.semana)}
            </h2>
            {boletim.titulo !== null && <p>{boletim.titulo}</p>}
            <p class="sub">
              {boletim.publico ? t.boletins.public : t.boletins.internal} · {boletim.criado_por.nome},{' '}
              {t.boletins.moment(new Date(boletim.criado_em))}
              {boletim.agenda_id !== null && ` · ${t.boletins.scheduled}`}
            </p>
            <div class="row start">
              {holds(['relatorios.exportar']) && (
                <>
                  <a class="button primary" href={arquivoHref(id, 'html')} target="_blank" rel="noreferrer">
                    {t.boletins.page}
                  </a>
                  <a class="button plain" href={arquivoHref(id, 'pdf')} download>
                    <Icon name="download" />
                    {t.boletins.pdf}
                  </a>
                </>
              )}
              <a class="button quiet" href={PATHS.boletins}>
                {t.boletins.all}
              </a>
            </div>
            <p class="note">
              {t.boletins.hash}: <code class="long">{boletim.hash}</code> · {t.boletins.version}{' '}
              {boletim.versao}
            </p>
          </section>
        )}
      </Answer>
    </Page>
  )
}
