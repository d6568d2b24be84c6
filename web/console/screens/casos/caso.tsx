import { useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { exec, useLocation } from 'preact-iso/router'
import { dateInBrazil } from '../../../../src/brasil/calendar.ts'
import { ApiError } from '../../api/errors.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { isConhecido } from '../../state/agravos.ts'
import { BLOCK_FIELDS } from '../../state/caso-campos.ts'
import { addressOf, emptyFilters } from '../../state/filter-address.ts'
import { valorWords } from '../../state/filter-words.ts'
import { camposIn, formularioOf, rotulosIn } from '../../state/formularios.ts'
import { lastList } from '../../state/last-list.ts'
import { holds } from '../../state/session.ts'
import { casoParesTexts } from '../../state/texts/caso-pares.ts'
import { texts } from '../../state/texts.ts'
import { AuditLink } from '../../ui/audit-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { IdentifyBar, useIdentity } from '../../ui/identity.tsx'
import { useKeys } from '../../ui/keys.ts'
import { NearCase } from '../../ui/near-case.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Page } from '../../ui/page.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { askCaso } from './ask.ts'
import { Attachments } from './attachments.tsx'
import { Block } from './block.tsx'
import { CloseDialog } from './close-dialog.tsx'
import type { Detalhe } from './detalhe.ts'
import { Absorbed, absorbedText, Duplicates, useAbsorption, useDuplicates } from './duplicates.tsx'
import { ExcludeDialog } from './exclude-dialog.tsx'
import { History } from './history.tsx'
import { OwnBlocks } from './own-fields.tsx'
import { Readings } from './readings.tsx'
import { Timeline } from './timeline.tsx'

const idOf = (path: string) => {
  const id = exec(path, PATHS.caso)?.params.id ?? ''
  return /^[1-9]\d{0,9}$/.test(id) ? Number(id) : null
}

export default function Caso() {
  const { path, query } = useLocation()
  const t = texts()
  const id = idOf(path)
  const em = query.em !== undefined && !Number.isNaN(Date.parse(query.em)) ? query.em : null
  const caso = useQuery({
    queryKey: ['caso', id, em],
    queryFn: ({ signal }) => askCaso(id as number, em, null, signal),
    enabled: id !== null,
    // Of another moment it would be told as the case of this one.
    placeholderData: () => undefined,
  })
  const isMissing = id === null || (caso.error instanceof ApiError && caso.error.status === 404)
  const fusao = useAbsorption(id, isMissing)
  useDuplicates(em === null ? id : null)
  if (isMissing && fusao !== undefined)
    return (
      <Page title={t.screens.caso}>
        <Empty text={fusao === null ? t.caso.missing : absorbedText(fusao)}>
          {fusao !== null && <Absorbed fusao={fusao} />}
          <BackLink />
        </Empty>
      </Page>
    )
  if (caso.data === undefined || isMissing)
    return (
      <Page title={t.screens.caso}>
        <Answer query={caso} lines={14}>
          {() => null}
        </Answer>
      </Page>
    )
  return <Shown caso={caso.data} em={em} />
}

function BackLink() {
  return (
    <a class="back" href={lastList.value ?? PATHS.casos}>
      {texts().caso.back}
    </a>
  )
}

function Shown({ caso, em }: { caso: Detalhe; em: string | null }) {
  const t = texts()
  const { route } = useLocation()
  const [dialog, setDialog] = useState<'close' | 'attach' | 'exclude' | null>(null)
  const identity = useIdentity((motivo) => askCaso(caso.id, em, { motivo }), `${caso.id} ${em}`)
  const { data: formulario } = useQuery(formularioOf(caso.tipo_agravo))
  /** In the words of the version that held at the moment that is shown. */
  const { data: ofThen } = useQuery(formularioOf(caso.tipo_agravo, { em }))
  /** Of a disease that is not known here, with its standard fields. */
  const defined = isConhecido(caso.tipo_agravo) ? undefined : ofThen
  const asked = defined && new Set(camposIn(defined).map(({ nome }) => nome))
  const rotulos = rotulosIn(ofThen)
  const editPath = pathTo(PATHS.casoEditar, { id: caso.id })
  const isNow = em === null
  const now = useQuery({
    queryKey: ['caso', caso.id, null],
    queryFn: ({ signal }) => askCaso(caso.id, null, null, signal),
    enabled: !isNow,
    placeholderData: () => undefined,
  })
  useKeys({
    ...(isNow && holds(['agravos.editar']) && { e: () => route(editPath) }),
    escape: () => route(isNow ? (lastList.value ?? PATHS.casos) : pathTo(PATHS.caso, { id: caso.id })),
  })
  useOpenDetailsInPrint()
  useEffect(() => scrollTo(0, 0), [em])
  const { endereco, status, semana_epidemiologica } = caso
  const place = [endereco.municipio_residencia, endereco.estado_residencia].filter(Boolean).join(', ')
  const actions = (
    <>
      {isNow && holds(['agravos.editar']) && (
        <a class="button primary" href={editPath}>
          <Icon name="edit" />
          {t.caso.edit}
        </a>
      )}
      {isNow && holds(['agravos.editar']) && status !== 'encerrado' && (
        <Button icon="done" onClick={() => setDialog('close')}>
          {t.caso.close}
        </Button>
      )}
      {isNow && holds(['agravos.editar']) && (
        <Button icon="attach" onClick={() => setDialog('attach')}>
          {t.caso.attach}
        </Button>
      )}
      {isNow && holds(['agravos.duplicidades']) && (
        <a class="button plain" href={pathTo(PATHS.casoFundir, { id: caso.id })}>
          {casoParesTexts().merge}
        </a>
      )}
      <Button icon="print" onClick={() => print()}>
        {t.caso.print}
      </Button>
      {isNow && holds(['agravos.deletar']) && (
        <Button icon="remove" onClick={() => setDialog('exclude')}>
          {t.caso.exclude}
        </Button>
      )}
      <AuditLink recurso="caso" id={caso.id} />
    </>
  )
  return (
    <>
      <BackLink />
      <Page
        title={t.caso.title(valorWords(caso.tipo_agravo, t), caso.numero_notificacao)}
        lead={t.caso.lead([t.valores[status], t.caso.week(semana_epidemiologica), place].filter(Boolean))}
        actions={actions}
      >
        {em !== null && (
          <p class="bar as-it-was" role="status">
            {t.caso.asItWas(new Date(em))}{' '}
            <a href={pathTo(PATHS.caso, { id: caso.id })}>{t.caso.backToNow}</a>
          </p>
        )}
        <IdentifyBar identity={identity} />
        <div class={identity.isPrinted ? 'case printed' : 'case'}>
          <div class="case-blocks">
            {BLOCK_FIELDS.map(([name, fields]) => (
              <Block
                key={name}
                name={name}
                fields={asked === undefined ? fields : fields.filter((nome) => asked.has(nome))}
                rotulos={rotulos}
                caso={caso}
                identified={identity.shown}
                now={isNow ? null : (now.data ?? null)}
              />
            ))}
            {ofThen !== undefined && (
              <OwnBlocks
                formulario={ofThen}
                caso={caso}
                identified={identity.shown}
                now={isNow ? null : (now.data ?? null)}
              />
            )}
          </div>
          <div class="case-side">
            {isNow && <Duplicates id={caso.id} />}
            {isNow && (
              <NearCase
                tipo={caso.tipo_agravo}
                municipio={endereco.municipio_residencia}
                estado={endereco.estado_residencia}
              />
            )}
            <Timeline caso={caso} isNow={isNow} inicio={rotulos.get('data_inicio_sintomas')} />
            <Attachments caso={identity.shown ?? caso} isNow={isNow} />
            <History key={caso.id} caso={now.data ?? caso} em={em} formulario={formulario} />
            {isNow && <Readings id={caso.id} />}
            <Origin caso={caso} />
          </div>
        </div>
      </Page>
      {dialog === 'close' && (
        <CloseDialog
          casos={[caso]}
          today={dateInBrazil(new Date())}
          ifMatch={`"${caso.versao}"`}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'attach' && (
        <OnDemand
          load={() => import('./attach-dialog.tsx')}
          props={{ caso, onClose: () => setDialog(null) }}
        />
      )}
      {dialog === 'exclude' && <ExcludeDialog caso={caso} onClose={() => setDialog(null)} />}
    </>
  )
}

/** Link to exactly the cases of the import that wrote this one. */
function Origin({ caso: { origem } }: { caso: Detalhe }) {
  const t = texts().caso
  if (origem === null) return null
  const rules = { today: dateInBrazil(new Date()) }
  const filters = {
    ...emptyFilters(rules),
    importacao: String(origem.importacao_id),
    periodo: { kind: 'sempre' as const },
    classificacao: 'notificado' as const,
  }
  return (
    <section class="card">
      <h2>{t.origin}</h2>
      <p>{t.originOf(origem.importacao_id, origem.linha)}</p>
      <p class="unprinted">
        <a href={addressOf(PATHS.casos, filters, rules)}>{t.sameImport}</a>
      </p>
    </section>
  )
}

/** Paper has nothing to unfold. */
function useOpenDetailsInPrint(): void {
  useEffect(() => {
    let closed: HTMLDetailsElement[] = []
    const open = () => {
      closed = [...document.querySelectorAll<HTMLDetailsElement>('main details:not([open])')]
      for (const one of closed) one.open = true
    }
    const close = () => {
      for (const one of closed) one.open = false
    }
    addEventListener('beforeprint', open)
    addEventListener('afterprint', close)
    return () => {
      removeEventListener('beforeprint', open)
      removeEventListener('afterprint', close)
    }
  }, [])
}
