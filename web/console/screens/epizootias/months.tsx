import { useQuery } from '@tanstack/preact-query'
import type { AnswerOf } from '../../api/rows.ts'
import { urlOf } from '../../api/url.ts'
import { EPIZOOTIAS } from '../../state/epizootias-keys.ts'
import { api } from '../../state/session.ts'
import { epizootiasTexts } from '../../state/texts/epizootias.ts'
import { Icon } from '../../ui/icon.tsx'
import { Answer } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { type EpizootiaFilters, mesesQuery } from './address.ts'

type Meses = Extract<AnswerOf<'GET', '/api/v1/epizootias/estatisticas'>, { periodos: unknown }>
type Mes = Meses['periodos'][number]

/** Events and dead animals by month, the newest first. */
export function Months({ filters }: { filters: EpizootiaFilters }) {
  const t = epizootiasTexts()
  const asked = mesesQuery(filters)
  const query = useQuery({
    queryKey: [...EPIZOOTIAS, 'meses', asked],
    queryFn: async ({ signal }) =>
      (await api.get('/api/v1/epizootias/estatisticas', { query: asked as never }, { signal })) as Meses,
  })
  const columns: Column<Mes>[] = [
    {
      key: 'mes',
      title: t.months.month,
      cell: ({ inicio }) => t.month(Number(inicio.slice(0, 4)), Number(inicio.slice(5, 7))),
    },
    { key: 'eventos', title: t.months.events, isNumber: true, cell: ({ eventos }) => t.number(eventos) },
    {
      key: 'mortos',
      title: t.months.dead,
      isNumber: true,
      cell: ({ animais_mortos }) => t.number(animais_mortos),
    },
  ]
  return (
    <>
      {(filters.busca !== null || filters.importacao !== null) && (
        <p class="notice info">{t.months.leftOut}</p>
      )}
      <Answer query={query} lines={10}>
        {({ periodos, eventos, animais_mortos, sem_data }) => (
          <div class="form">
            <p role="status">{t.months.all(eventos, animais_mortos)}</p>
            {periodos.length > 0 && (
              <Table
                caption={t.list.views.meses}
                columns={columns}
                rows={periodos.toReversed()}
                keyOf={({ periodo }) => periodo}
                current={-1}
              />
            )}
            {sem_data.ano > 0 && <p class="note">{t.months.undated(sem_data.ano)}</p>}
            <p>
              <a
                class="button plain"
                href={urlOf('/api/v1/epizootias/estatisticas', { query: { ...asked, formato: 'csv' } })}
                download
              >
                <Icon name="download" />
                {t.months.file}
              </a>
            </p>
          </div>
        )}
      </Answer>
    </>
  )
}
