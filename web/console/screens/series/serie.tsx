import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { exec, useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api, holds } from '../../state/session.ts'
import { remocaoTexts } from '../../state/texts/remocao.ts'
import { seriesTexts } from '../../state/texts/series.ts'
import { texts } from '../../state/texts.ts'
import { ActButton } from '../../ui/act-button.tsx'
import { AuditLink } from '../../ui/audit-link.tsx'
import { Button } from '../../ui/button.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Notice } from '../../ui/notice.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Page } from '../../ui/page.tsx'
import { Answer, Empty, errorText } from '../../ui/states.tsx'
import { CorrelationCard } from './correlation-card.tsx'
import { Facts } from './facts.tsx'
import { PlacesCard } from './places-card.tsx'
import { type Recorte, readRecorte, recortePath } from './recorte.ts'
import { RecorteBar } from './recorte-bar.tsx'
import type { Serie } from './serie-data.ts'
import { refreshSeries, SERIES } from './serie-links.ts'
import './styles.ts'
import { ValuesCard } from './values-card.tsx'

/** Given to every card: the definition, the part that is looked at, and the way to another. */
export interface CardProps {
  serie: Serie
  recorte: Recorte
  change(next: Partial<Recorte>, replace?: boolean): void
}

/** One series: its values in a place, all places of a period, its correlation with cases, its revisions and its definition. */
export default function UmaSerie() {
  const t = texts()
  const { path } = useLocation()
  const codigo = exec(path, PATHS.serie)?.params.codigo ?? ''
  const query = useQuery({
    queryKey: [...SERIES, 'one', codigo],
    queryFn: ({ signal }) => api.get('/api/v1/series/{codigo}', { params: { codigo } }, { signal }),
    placeholderData: () => undefined,
  })
  const { data } = query
  const [told, setTold] = useState<Told | null>(null)
  return (
    <>
      <a class="back" href={PATHS.series}>
        {seriesTexts().detail.all}
      </a>
      <Page
        title={data?.nome ?? t.screens.serie}
        {...(data && data.descricao !== '' && { lead: data.descricao })}
        actions={data && <Actions serie={data} tell={setTold} />}
      >
        {told !== null && <Notice {...told} />}
        <Answer query={query} lines={10}>
          {(serie) => <Detail serie={serie} />}
        </Answer>
      </Page>
    </>
  )
}

function Detail({ serie }: { serie: Serie }) {
  const t = seriesTexts()
  const { url, route } = useLocation()
  const recorte = readRecorte(url.split('?')[1] ?? '', serie)
  const change = (next: Partial<Recorte>, replace = false) =>
    route(recortePath(serie, { ...recorte, pagina: 1, ...next }), replace)
  const props: CardProps = { serie, recorte, change }
  const hasValues = serie.ultimo !== null || serie.derivada !== null
  return (
    <div class="serie">
      {!serie.ativa && <p class="notice info">{t.detail.isArchived}</p>}
      <Facts serie={serie} />
      {hasValues ? (
        <>
          <RecorteBar {...props} />
          <div class="painel-grid">
            <ValuesCard {...props} />
            <PlacesCard {...props} />
            {holds(['agravos.estatisticas']) && <CorrelationCard {...props} />}
            <OnDemand load={() => import('./revisions-card.tsx')} props={props} />
          </div>
        </>
      ) : (
        <section class="card">
          <Empty text={t.detail.registered}>
            {holds(['series.importar']) && (
              <a class="button plain" href={PATHS.seriesImportar}>
                {t.list.import}
              </a>
            )}
          </Empty>
        </section>
      )}
    </div>
  )
}

interface Told {
  kind: 'done' | 'error'
  text: string
}

/** Change of the definition, archiving and its end, for holders of the right. */
function Actions({ serie, tell }: { serie: Serie; tell(told: Told): void }) {
  const t = seriesTexts().detail
  const [isEditing, setEditing] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const audit = <AuditLink recurso="serie" id={serie.codigo} />
  const mayDefine = holds(['series.definir'])
  useKeys(mayDefine ? { e: () => setEditing(true) } : {})
  if (!mayDefine) return audit
  const finish = (text: string) => {
    setEditing(false)
    tell({ kind: 'done', text })
    void refreshSeries()
  }
  const { codigo, ativa, versao, ultimo } = serie
  const toggle = async () => {
    try {
      const body = { ativa: !ativa }
      await api.put('/api/v1/series/{codigo}', { params: { codigo }, body }, { ifMatch: `"${versao}"` })
      finish(ativa ? t.archivedDone : t.restoredDone)
    } catch (failure) {
      tell({ kind: 'error', text: errorText(failure) })
      void refreshSeries()
    }
  }
  return (
    <>
      {audit}
      {ultimo === null && (
        <Button icon="remove" onClick={() => setRemoving(true)}>
          {remocaoTexts().action}
        </Button>
      )}
      <ActButton act={toggle}>{ativa ? t.archive : t.restore}</ActButton>
      <Button kind="primary" icon="edit" onClick={() => setEditing(true)}>
        {t.edit}
      </Button>
      {isRemoving && (
        <OnDemand
          load={() => import('./remove-dialog.tsx')}
          props={{ serie, onClose: () => setRemoving(false) }}
        />
      )}
      {isEditing && (
        <OnDemand
          load={async () => {
            const { DefinitionDialog } = await import('./definition-dialog.tsx')
            const close = () => setEditing(false)
            return {
              default: () => (
                <DefinitionDialog serie={serie} onClose={close} onDone={() => finish(t.saved)} />
              ),
            }
          }}
        />
      )}
    </>
  )
}
