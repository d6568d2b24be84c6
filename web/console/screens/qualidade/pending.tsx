import { useQuery } from '@tanstack/preact-query'
import type { AnswerOf } from '../../api/rows.ts'
import { casosQuery } from '../../state/filter-query.ts'
import { api } from '../../state/session.ts'
import { qualidadeTexts } from '../../state/texts/qualidade.ts'
import { texts } from '../../state/texts.ts'
import { NoSuchPage } from '../../ui/near-filters.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Answer } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { casosFilters, casosHref, qualidadePath } from './address.ts'
import { Card } from './cards.tsx'
import type { CardProps } from './qualidade.tsx'

type Resumo = Extract<
  AnswerOf<'GET', '/api/v1/agravos/casos/qualidade/pendencias/resumo'>,
  { items: unknown }
>
type Linha = Resumo['items'][number]

const SIZE = 10

/** Where work is pending: each number is the total of the list that it leads to. */
export function Pendentes({ recorte, today, pages }: Omit<CardProps, 'qualidade'>) {
  const t = texts()
  const own = qualidadeTexts().pending
  const filters = casosFilters(recorte, today)
  const asked = { ...casosQuery(filters, today), page: pages.lista, size: SIZE }
  const query = useQuery({
    queryKey: ['pendencias', asked],
    queryFn: async ({ signal }) =>
      (await api.get(
        '/api/v1/agravos/casos/qualidade/pendencias/resumo',
        { query: asked as never },
        { signal },
      )) as Resumo,
  })
  const pathOf = (lista: number) => qualidadePath(recorte, { ...pages, lista })
  const hrefOf = ({ codigo, municipio }: Linha) =>
    municipio === null ? undefined : casosHref({ ...filters, municipio, pendencia: codigo }, today)
  const columns: Column<Linha>[] = [
    {
      key: 'total',
      title: own.records,
      isNumber: true,
      cell: (linha) => {
        const href = hrefOf(linha)
        const total = t.filtros.number(linha.total)
        return href === undefined ? total : <a href={href}>{total}</a>
      },
    },
    { key: 'codigo', title: own.work, cell: ({ codigo }) => t.filtros.pendencias[codigo] },
    {
      key: 'municipio',
      title: own.place,
      cell: ({ municipio_nome, municipio, estado }) =>
        municipio === null ? own.unknown : [municipio_nome ?? municipio, estado].filter(Boolean).join(', '),
    },
  ]
  return (
    <Card title={own.title} note={own.note}>
      <Answer query={query} lines={6}>
        {({ items, total, size, pages: all }) =>
          total === 0 ? (
            <p>{own.none}</p>
          ) : items.length === 0 ? (
            <NoSuchPage page={pages.lista} href={pathOf(1)} />
          ) : (
            <>
              <Table
                caption={own.title}
                columns={columns}
                rows={items}
                keyOf={({ codigo, municipio }) => `${codigo} ${municipio}`}
                current={-1}
              />
              <Pager of={own.title} {...{ size, total }} page={pages.lista} pages={all} hrefOf={pathOf} />
            </>
          )
        }
      </Answer>
    </Card>
  )
}
