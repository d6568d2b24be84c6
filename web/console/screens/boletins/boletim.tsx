import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { exec, useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api, holds, session } from '../../state/session.ts'
import { boletinsTexts } from '../../state/texts/boletins.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Page } from '../../ui/page.tsx'
import { Answer } from '../../ui/states.tsx'
import { arquivoHref, nameOf } from './boletim-texts.ts'

/** One bulletin, where mails lead: of what and when it is, and its document. */
export default function Boletim() {
  const t = texts()
  const own = boletinsTexts()
  const { path } = useLocation()
  const id = Number(exec(path, PATHS.boletim)?.params.id)
  const [isDeleting, setDeleting] = useState(false)
  const query = useQuery({
    queryKey: ['boletins', id],
    queryFn: ({ signal }) => api.get('/api/v1/agravos/boletins/{id}', { params: { id } }, { signal }),
  })
  return (
    <Page title={t.screens.boletim} lead={own.frozen}>
      <Answer query={query} lines={6}>
        {(boletim) => (
          <section class="card form">
            <h2>
              {nameOf(boletim)}, {own.week(boletim.semana)}
            </h2>
            {boletim.titulo !== null && <p>{boletim.titulo}</p>}
            <p class="sub">
              {boletim.publico ? own.public : own.internal} · {boletim.criado_por.nome},{' '}
              {own.moment(new Date(boletim.criado_em))}
              {boletim.agenda_id !== null && ` · ${own.scheduled}`}
            </p>
            <div class="row start">
              {holds(['relatorios.exportar']) && (
                <>
                  <a class="button primary" href={arquivoHref(id, 'html')} target="_blank" rel="noreferrer">
                    {own.page}
                  </a>
                  <a class="button plain" href={arquivoHref(id, 'pdf')} download>
                    <Icon name="download" />
                    {own.pdf}
                  </a>
                </>
              )}
              <a class="button quiet" href={PATHS.boletins}>
                {own.all}
              </a>
              {mayDelete(boletim.criado_por.id) && (
                <Button kind="quiet" icon="remove" onClick={() => setDeleting(true)}>
                  {own.remove}
                </Button>
              )}
            </div>
            <p class="note">
              {own.hash}: <code class="long">{boletim.hash}</code> · {own.version} {boletim.versao}
            </p>
            {isDeleting && (
              <OnDemand
                load={() => import('./delete-dialog.tsx')}
                props={{ id, onClose: () => setDeleting(false) }}
              />
            )}
          </section>
        )}
      </Answer>
    </Page>
  )
}

/** Its author, and administrators. */
const mayDelete = (autor: number | null) =>
  holds(['admin']) || (session.value.kind === 'open' && session.value.perfil.id === autor)
