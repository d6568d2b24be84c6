import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso/router'
import { dateInBrazil } from '../../../../src/brasil/calendar.ts'
import type { AnswerOf } from '../../api/rows.ts'
import { urlOf } from '../../api/url.ts'
import { PATHS } from '../../paths.ts'
import { api, holds } from '../../state/session.ts'
import { qualidadeTexts } from '../../state/texts/qualidade.ts'
import { texts } from '../../state/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { daysOf, qualidadePath, qualidadeQuery, type Recorte, readRecorte, tabelasHref } from './address.ts'
import { Completude, Inconsistencias, Oportunidade } from './cards.tsx'
import { Atrasos } from './delays.tsx'
import { RecorteBar } from './filter-bar.tsx'
import '../../ui/gestao.ts'
import { Grupos } from './groups.tsx'
import { Pendentes } from './pending.tsx'

export type Qualidade = Extract<AnswerOf<'GET', '/api/v1/agravos/casos/qualidade'>, { completude: unknown }>

/** Given to every card. */
export interface CardProps {
  qualidade: Qualidade
  recorte: Recorte
  today: string
  /** Pages of both tables, which are the address. */
  pages: { pagina: number; lista: number }
  mayList: boolean
}

const SIZE = 25

/** How complete, timely and consistent the records of a place are, and where work waits. */
export default function TelaDeQualidade() {
  const t = texts()
  const own = qualidadeTexts()
  const { url, route } = useLocation()
  const today = dateInBrazil(new Date())
  const { recorte, leftOut, ...pages } = readRecorte(url.split('?')[1] ?? '', today)
  const asked = qualidadeQuery(recorte, today)
  const query = useQuery({
    queryKey: ['qualidade', asked, pages.pagina],
    queryFn: async ({ signal }) =>
      (await api.get(
        '/api/v1/agravos/casos/qualidade',
        { query: { ...asked, page: pages.pagina, size: SIZE } as never },
        { signal },
      )) as Qualidade,
  })
  const props = { recorte, today, pages, mayList: holds(['agravos.listar']) }
  const { de, ate } = daysOf(recorte, today)
  return (
    <>
      {holds(['dashboard.visualizar']) && (
        <a class="back" href={PATHS.painel}>
          {t.screens.painel}
        </a>
      )}
      <Page
        title={t.screens.qualidade}
        lead={own.lead(query.data?.casos, t.filtros.day(de), t.filtros.day(ate))}
        actions={
          <>
            {holds(['agravos.panorama']) && (
              <a class="button plain" href={PATHS.panorama}>
                {t.screens.panorama}
              </a>
            )}
            <a class="button plain" href={tabelasHref(recorte, today)}>
              {t.screens.tabelas}
            </a>
            <a
              class="button plain"
              href={urlOf('/api/v1/agravos/casos/qualidade', {
                query: { ...asked, size: 100, formato: 'csv' },
              })}
              download
            >
              <Icon name="download" />
              {own.file}
            </a>
          </>
        }
      >
        <RecorteBar
          recorte={recorte}
          today={today}
          leftOut={leftOut}
          onChange={(next, replace) => route(qualidadePath(next), replace)}
        />
        <Answer query={query} lines={12}>
          {(qualidade) =>
            qualidade.casos === 0 ? (
              <Empty text={own.none} />
            ) : (
              <div class="case-blocks labelled">
                {qualidade.parcial && <p class="notice info">{own.partial}</p>}
                <Completude {...props} qualidade={qualidade} />
                <Oportunidade {...props} qualidade={qualidade} />
                <Inconsistencias {...props} qualidade={qualidade} />
                <Atrasos recorte={recorte} />
                {props.mayList && <Pendentes {...props} />}
                <Grupos {...props} qualidade={qualidade} />
              </div>
            )
          }
        </Answer>
      </Page>
    </>
  )
}
