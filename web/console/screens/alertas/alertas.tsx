import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { dateInBrazil } from '../../../../src/brasil/calendar.ts'
import type { AnswerOf } from '../../api/rows.ts'
import { PATHS } from '../../paths.ts'
import { alertasPath, alertasQuery, casesFilters, NO_FILTERS, readAlertas } from '../../state/alertas.ts'
import { addressOf, PAINEL_RULES, placed } from '../../state/filter-address.ts'
import { valorWords } from '../../state/filter-words.ts'
import { api, holds } from '../../state/session.ts'
import { alertasTexts } from '../../state/texts/alertas.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyByFilter, NoSuchPage, PaperFilter, partWords } from '../../ui/near-filters.tsx'
import { NivelBadge } from '../../ui/nivel.tsx'
import { Notice } from '../../ui/notice.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { AcknowledgeDialog } from './acknowledge-dialog.tsx'
import { Acknowledged } from './acknowledged.tsx'
import { AlertaFilterBar } from './filter-bar.tsx'
import { useAlertaParts } from './filter-parts.ts'

export type Alerta = AnswerOf<'GET', '/api/v1/agravos/alertas'>['items'][number]

const loadRules = async () => ({ default: (await import('./rules-dialog.tsx')).RulesDialog })

const SIZE = 25
/** Levels change under an open screen: asked for again after this long. */
const REFRESH_MS = 300_000

/** Alerts as they were told, and who took notice of them. */
export default function Alertas() {
  const t = texts()
  const { url, route } = useLocation()
  const today = dateInBrazil(new Date())
  const { filters, page, leftOut } = readAlertas(url.split('?')[1] ?? '', { today })
  const asked = { ...alertasQuery(filters), page, size: SIZE }
  const [acknowledging, setAcknowledging] = useState<Alerta | null>(null)
  const [done, setDone] = useState<Alerta | null>(null)
  const query = useQuery({
    queryKey: ['alertas', 'list', asked],
    queryFn: ({ signal }) => api.get('/api/v1/agravos/alertas', { query: asked }, { signal }),
    refetchInterval: REFRESH_MS,
  })
  const parts = useAlertaParts(filters)
  return (
    <Page
      title={t.screens.alertas}
      lead={alertasTexts().lead}
      actions={holds(['relatorios.gerar']) ? <Actions /> : undefined}
    >
      <AlertaFilterBar
        filters={filters}
        leftOut={leftOut}
        onChange={(next, replace) => route(alertasPath(next), replace)}
      />
      <PaperFilter words={parts.map(partWords)} />
      {done !== null && <Notice kind="done" text={alertasTexts().done(done.lugar.nome)} />}
      <Answer query={query} lines={8}>
        {({ items, total, pages, size }) =>
          total === 0 && parts.length > 0 ? (
            <EmptyByFilter
              text={alertasTexts().noneFiltered}
              name="alertas"
              {...{ filters, none: NO_FILTERS, parts }}
              ask={(next, signal) =>
                api.get('/api/v1/agravos/alertas', { query: { ...alertasQuery(next), size: 1 } }, { signal })
              }
              hrefOf={(next) => alertasPath(next)}
            />
          ) : total === 0 ? (
            <Empty text={alertasTexts().none} />
          ) : items.length === 0 ? (
            <NoSuchPage page={page} href={alertasPath(filters)} />
          ) : (
            <div class="imports alerts">
              <Table
                caption={t.screens.alertas}
                columns={columns(today, setAcknowledging)}
                rows={items}
                keyOf={({ id }) => id}
                keys={{ open: (alerta) => linksOf(alerta, today)[0]?.href }}
              />
              <Pager
                page={page}
                pages={pages}
                size={size}
                total={total}
                hrefOf={(page) => alertasPath(filters, page)}
              />
            </div>
          )
        }
      </Answer>
      {acknowledging !== null && (
        <AcknowledgeDialog
          alerta={acknowledging}
          onDone={() => {
            setDone(acknowledging)
            setAcknowledging(null)
          }}
          onClose={() => setAcknowledging(null)}
        />
      )}
    </Page>
  )
}

/** Of those who make bulletins; administrators are among them. */
function Actions() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {holds(['admin']) && <Button onClick={() => setOpen(true)}>{alertasTexts().rules.title}</Button>}
      <a class="button plain" href={PATHS.boletins}>
        {texts().screens.boletins}
      </a>
      {isOpen && <OnDemand load={loadRules} props={{ onClose: () => setOpen(false) }} />}
    </>
  )
}

function columns(today: string, acknowledge: (alerta: Alerta) => void): Column<Alerta>[] {
  const t = texts()
  return [
    {
      key: 'nivel',
      title: alertasTexts().level,
      cell: (alerta) => (
        <>
          <NivelBadge of={alerta} label={t.niveis.alerta} />
          <small>
            {alerta.nivel_anterior === null
              ? alertasTexts().first
              : alertasTexts().before(t.niveis.nomes[alerta.nivel_anterior])}
          </small>
        </>
      ),
    },
    {
      key: 'lugar',
      title: alertasTexts().place,
      cell: ({ lugar }) => (
        <>
          <b>{lugar.nome}</b>
          <small>
            {alertasTexts().kinds[lugar.nivel]}
            {lugar.estado !== null && lugar.nivel !== 'estado' && ` · ${lugar.estado}`}
          </small>
        </>
      ),
    },
    {
      key: 'agravo',
      title: alertasTexts().agravo,
      cell: ({ tipo_agravo }) => valorWords(tipo_agravo, t),
    },
    {
      key: 'desde',
      title: alertasTexts().since,
      cell: ({ semana, criado_em }) => (
        <>
          {t.niveis.week(semana)}
          <small>{alertasTexts().told(new Date(criado_em))}</small>
        </>
      ),
    },
    {
      key: 'motivos',
      title: alertasTexts().reasons,
      cell: ({ motivos }) => motivos.map((motivo) => t.niveis.motivosCurtos[motivo]).join(', '),
    },
    {
      key: 'esperados',
      title: alertasTexts().cases,
      isNumber: true,
      cell: ({ casos, casos_estimados }) => (
        <>
          {t.niveis.number(casos_estimados)}
          <small>{alertasTexts().ofKnown(casos)}</small>
        </>
      ),
    },
    {
      key: 'reconhecimento',
      title: alertasTexts().state,
      cell: (alerta) =>
        alerta.reconhecido ? (
          <Acknowledged alerta={alerta} />
        ) : (
          <Button
            aria-label={alertasTexts().acknowledgeOf(t.niveis.nomes[alerta.nivel], alerta.lugar.nome)}
            onClick={() => acknowledge(alerta)}
          >
            {alertasTexts().acknowledge}
          </Button>
        ),
    },
    {
      key: 'acoes',
      title: alertasTexts().actions,
      cell: (alerta) => <Links alerta={alerta} today={today} />,
    },
  ]
}

/** To the painel of the place, and to the cases of the week, as far as the person may see them. */
function linksOf({ lugar, tipo_agravo, semana }: Alerta, today: string) {
  const t = alertasTexts()
  const painel = { today, ...PAINEL_RULES }
  const ofWeek = {
    ...casesFilters({ today }, tipo_agravo, lugar),
    periodo: { kind: 'semanas' as const, de: semana, ate: semana },
  }
  return [
    ...(holds(['dashboard.visualizar'])
      ? [
          {
            href: addressOf(PATHS.painel, placed(casesFilters(painel, tipo_agravo, lugar)), painel),
            label: t.painelOf(lugar.nome),
            text: t.painel,
          },
        ]
      : []),
    ...(holds(['agravos.listar'])
      ? [
          {
            href: addressOf(PATHS.casos, placed(ofWeek), { today }),
            label: t.casesOf(lugar.nome, semana),
            text: t.casesLink,
          },
        ]
      : []),
  ]
}

function Links({ alerta, today }: { alerta: Alerta; today: string }) {
  return (
    <div class="row-actions">
      {linksOf(alerta, today).map(({ href, label, text }) => (
        <a key={text} href={href} aria-label={label}>
          {text}
        </a>
      ))}
    </div>
  )
}
