import { useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { dateInBrazil } from '../../../../src/brasil/calendar.ts'
import { lastPares, NO_FILTERS, paresPath, paresQuery, readPares } from '../../state/duplicidades.ts'
import { valorWords } from '../../state/filter-words.ts'
import { api } from '../../state/session.ts'
import { duplicidadesTexts } from '../../state/texts/duplicidades.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Folded } from '../../ui/folded.tsx'
import { useSending } from '../../ui/form.ts'
import { EmptyByFilter, NoSuchPage, PaperFilter, partWords } from '../../ui/near-filters.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { ParFilterBar } from './filter-bar.tsx'
import { useParParts } from './filter-parts.ts'
import { Numbers } from './numbers.tsx'
import { casosOf, PARES, type Par, parHref } from './par.ts'
import { BandTag, razoesOf } from './reasons.tsx'
import './styles.ts'

const SIZE = 25

/** Pairs of cases that may be one, the likeliest first. */
export default function Duplicidades() {
  const t = texts()
  const own = duplicidadesTexts()
  const { url, route } = useLocation()
  const today = dateInBrazil(new Date())
  const { filters, page, leftOut } = readPares(url.split('?')[1] ?? '', { today })
  const asked = { ...paresQuery(filters), page, size: SIZE }
  const query = useQuery({
    queryKey: [...PARES, 'list', asked],
    queryFn: ({ signal }) => api.get('/api/v1/agravos/duplicidades', { query: asked }, { signal }),
  })
  useEffect(() => {
    lastPares.value = url
  }, [url])
  const parts = useParParts(filters)
  return (
    <Page title={t.screens.duplicidades} lead={own.lead(query.data?.total)} actions={<Scan />}>
      <ParFilterBar
        filters={filters}
        leftOut={leftOut}
        onChange={(next, replace) => route(paresPath(next), replace)}
      />
      <PaperFilter words={parts.map(partWords)} />
      <Folded title={own.numbers.title}>
        <Numbers />
      </Folded>
      <Answer query={query} lines={8}>
        {({ items, total, pages, size }) =>
          total === 0 && parts.length > 0 ? (
            <EmptyByFilter
              text={own.noneFiltered}
              name={PARES[0]}
              {...{ filters, none: NO_FILTERS, parts }}
              ask={(next, signal) =>
                api.get(
                  '/api/v1/agravos/duplicidades',
                  { query: { ...paresQuery(next), size: 1 } },
                  { signal },
                )
              }
              hrefOf={(next) => paresPath(next)}
            />
          ) : total === 0 ? (
            <Empty text={own.none} />
          ) : items.length === 0 ? (
            <NoSuchPage page={page} href={paresPath(filters)} />
          ) : (
            <div class="imports duplicates">
              <Table
                caption={t.screens.duplicidades}
                columns={columns()}
                rows={items}
                keyOf={({ id }) => id}
                keys={{ open: ({ id }) => parHref(id) }}
              />
              <Pager
                page={page}
                pages={pages}
                size={size}
                total={total}
                hrefOf={(next) => paresPath(filters, next)}
              />
            </div>
          )
        }
      </Answer>
    </Page>
  )
}

/** Asks for a scan of all cases, which is a job. */
function Scan() {
  const t = duplicidadesTexts()
  const [isAsked, setAsked] = useState(false)
  const { isSending, error, submit } = useSending(async () => {
    await api.post('/api/v1/agravos/duplicidades/varredura', {})
    setAsked(true)
  })
  if (isAsked) return <Notice kind="done" text={t.scanAsked} />
  return (
    <>
      {error !== null && <Refusal error={error} />}
      <Button icon="search" aria-disabled={isSending} onClick={submit}>
        {isSending ? t.scanning : t.scan}
      </Button>
    </>
  )
}

const STATE_COLOURS = {
  pendente: 'amber',
  mesmo_caso: 'green',
  outro_episodio: 'plain',
  outra_pessoa: 'plain',
} as const

function columns(): Column<Par>[] {
  const t = texts()
  const own = duplicidadesTexts()
  return [
    { key: 'par', title: own.columns.par, cell: (par) => <BandTag par={par} /> },
    {
      key: 'casos',
      title: own.columns.casos,
      cell: (par) => (
        <ul class="both">
          {casosOf(par).map(({ id, numero_notificacao, data_notificacao, paciente }) => (
            <li key={id}>
              <b>{numero_notificacao}</b> {paciente.nome}
              <small>{own.notified(t.filtros.day(data_notificacao.slice(0, 10)))}</small>
            </li>
          ))}
        </ul>
      ),
    },
    {
      key: 'agravo',
      title: own.columns.agravo,
      cell: (par) => valorWords(casosOf(par)[0].tipo_agravo, t),
    },
    {
      key: 'lugar',
      title: own.columns.lugar,
      cell: (par) =>
        [...new Set(casosOf(par).map(({ endereco }) => placeOf(endereco)))].filter(Boolean).join('; '),
    },
    {
      key: 'razoes',
      title: own.columns.razoes,
      cell: (par) => (
        <small>
          {razoesOf(par)
            .filter(({ lado }) => lado !== 'neutra')
            .map(({ text }) => text)
            .join('; ')}
        </small>
      ),
    },
    {
      key: 'estado',
      title: own.columns.situacao,
      cell: ({ situacao }) => <span class={`tag ${STATE_COLOURS[situacao]}`}>{own.states[situacao]}</span>,
    },
    {
      key: 'acoes',
      title: own.columns.acoes,
      cell: (par) => {
        const [one, other] = casosOf(par).map(({ numero_notificacao }) => numero_notificacao) as [
          string,
          string,
        ]
        const isOpen = par.situacao === 'pendente'
        return (
          <div class="row-actions">
            <a href={parHref(par.id)} aria-label={isOpen ? own.compareOf(one, other) : own.seeOf(one, other)}>
              {isOpen ? own.compare : own.see}
            </a>
          </div>
        )
      },
    },
  ]
}

const placeOf = ({
  municipio_residencia,
  estado_residencia,
}: ReturnType<typeof casosOf>[number]['endereco']) =>
  [municipio_residencia, estado_residencia].filter(Boolean).join(', ')
