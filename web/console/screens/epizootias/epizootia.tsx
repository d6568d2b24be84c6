import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { exec, useLocation } from 'preact-iso/router'
import { ApiError } from '../../api/errors.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { type Detalhe, valores, word } from '../../state/epizootias.ts'
import { EPIZOOTIAS, refreshEpizootias } from '../../state/epizootias-keys.ts'
import { api, holds } from '../../state/session.ts'
import { epizootiasTexts } from '../../state/texts/epizootias.ts'
import { texts } from '../../state/texts.ts'
import { AuditLink } from '../../ui/audit-link.tsx'
import { Button } from '../../ui/button.tsx'
import { ClassTag } from '../../ui/epizootia-marks.tsx'
import { useSending } from '../../ui/form.ts'
import { Icon } from '../../ui/icon.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { Answer, Empty, errorText } from '../../ui/states.tsx'
import { epizootiasPath, NO_FILTERS } from './address.ts'
import { type Name, SECTIONS, valueText } from './fields.ts'
import { History } from './history.tsx'
import '../../ui/epizootia-styles.ts'

const idOf = (path: string) => {
  const id = exec(path, PATHS.epizootia)?.params.id ?? ''
  return /^[1-9]\d{0,9}$/.test(id) ? Number(id) : null
}

export default function UmaEpizootia() {
  const { path } = useLocation()
  const id = idOf(path)
  const [isExcluded, setExcluded] = useState(false)
  const query = useQuery({
    queryKey: [...EPIZOOTIAS, 'uma', id],
    queryFn: ({ signal }) => api.get('/api/v1/epizootias/{id}', { params: { id: id as number } }, { signal }),
    enabled: id !== null,
    placeholderData: () => undefined,
  })
  const title = texts().screens.epizootia
  const isMissing = id === null || (query.error instanceof ApiError && query.error.status === 404)
  if (isMissing || isExcluded)
    return (
      <Page key="missing" title={title}>
        <Missing
          id={id}
          isExcluded={isExcluded}
          onRestored={() => {
            setExcluded(false)
            void refreshEpizootias()
          }}
        />
      </Page>
    )
  if (query.data === undefined)
    return (
      <Page key="loading" title={title}>
        <Answer query={query} lines={10}>
          {() => null}
        </Answer>
      </Page>
    )
  return <Shown epizootia={query.data} onExcluded={() => setExcluded(true)} />
}

interface MissingProps {
  id: number | null
  isExcluded: boolean
  onRestored(): void
}

/** An event that is not there. It may have been deleted: restoring it needs no more than its address. */
function Missing({ id, isExcluded, onRestored }: MissingProps) {
  const t = epizootiasTexts()
  const { error, isSending, submit } = useSending(async () => {
    await api.post('/api/v1/epizootias/{id}/restaurar', { params: { id: id as number } })
    onRestored()
  })
  const isNone = error instanceof ApiError && error.status === 404
  return (
    <Empty text={isExcluded ? t.detail.excluded : t.detail.missing}>
      {error !== null && <Notice kind="error" text={isNone ? t.detail.notExcluded : errorText(error)} />}
      {id !== null && holds(['epizootias.deletar']) && (
        <>
          {!isExcluded && <p class="note">{t.detail.restoreIf}</p>}
          <Button icon="undo" aria-disabled={isSending} onClick={(event) => void submit(event)}>
            {isSending ? t.detail.restoring : t.detail.restore}
          </Button>
        </>
      )}
      <a class="button plain" href={PATHS.epizootias}>
        {t.back}
      </a>
    </Empty>
  )
}

function Shown({ epizootia, onExcluded }: { epizootia: Detalhe; onExcluded(): void }) {
  const t = epizootiasTexts()
  const { route } = useLocation()
  const [isExcluding, setExcluding] = useState(false)
  const registered = useQuery(valores()).data?.items
  const { id, numero, suspeita, semana, municipio, estado, versao, importacao_id } = epizootia
  const mayEdit = holds(['epizootias.registrar'])
  const editPath = pathTo(PATHS.epizootiaEditar, { id })
  useKeys(mayEdit ? { e: () => route(editPath) } : {})
  const exclude = async (motivo: string) => {
    try {
      await api.delete(
        '/api/v1/epizootias/{id}',
        { params: { id }, query: { motivo } as never },
        { ifMatch: `"${versao}"` },
      )
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) void refreshEpizootias()
      throw error
    }
    onExcluded()
    void refreshEpizootias()
  }
  const actions = (
    <>
      {mayEdit && (
        <a class="button primary" href={editPath}>
          <Icon name="edit" />
          {t.detail.edit}
        </a>
      )}
      {holds(['epizootias.deletar']) && (
        <Button icon="remove" onClick={() => setExcluding(true)}>
          {t.detail.exclude}
        </Button>
      )}
      <AuditLink recurso="epizootia" id={id} />
    </>
  )
  return (
    <>
      <a class="back" href={PATHS.epizootias}>
        {t.back}
      </a>
      <Page
        title={t.detail.title(word(suspeita, registered), numero)}
        lead={[word(epizootia.classificacao), semana && t.week(semana), `${municipio}, ${estado}`]
          .filter(Boolean)
          .join(' · ')}
        actions={actions}
      >
        <div class="case">
          <div class="case-blocks">
            {SECTIONS.map(([section, names]) => (
              <section class="card block" key={section}>
                <h2>{t.detail.sections[section]}</h2>
                <Pairs {...{ epizootia, names, registered }} />
                {section === 'lugar' && !mayEdit && epizootia.latitude !== null && (
                  <p class="note">{t.detail.rough}</p>
                )}
              </section>
            ))}
          </div>
          <div class="case-side">
            <History id={id} versao={versao} registered={registered} />
            {importacao_id !== null && (
              <section class="card">
                <a href={epizootiasPath({ filters: { ...NO_FILTERS, importacao: String(importacao_id) } })}>
                  {t.detail.origin(importacao_id)}
                </a>
              </section>
            )}
          </div>
        </div>
      </Page>
      {isExcluding && (
        <ReasonDialog
          title={t.detail.excludeTitle}
          note={t.detail.excludeNote}
          action={t.detail.exclude}
          conflict={t.detail.conflict}
          send={exclude}
          onClose={() => setExcluding(false)}
        />
      )}
    </>
  )
}

interface PairsProps {
  epizootia: Detalhe
  names: readonly Name[]
  registered: Parameters<typeof valueText>[2]
}

/** Date of occurrence as far as it is known: a day tells its month and year. */
function Pairs({ epizootia, names, registered }: PairsProps) {
  const t = epizootiasTexts()
  const isTold = (name: Name) =>
    epizootia.data_ocorrencia !== null && (name === 'mes_ocorrencia' || name === 'ano_ocorrencia')
  const known = names.flatMap((name) => {
    const value = name === 'municipio' ? `${epizootia.municipio}, ${epizootia.estado}` : epizootia[name]
    const text = isTold(name) ? '' : valueText(name, value, registered)
    return text === '' ? [] : [[name, text] as const]
  })
  if (known.length === 0) return <p class="note">{t.unknown}</p>
  return (
    <dl class="pairs">
      {known.map(([name, text]) => (
        <div key={name}>
          <dt>{t.campos[name]}</dt>
          <dd>{name === 'classificacao' ? <ClassTag classificacao={epizootia.classificacao} /> : text}</dd>
        </div>
      ))}
    </dl>
  )
}
