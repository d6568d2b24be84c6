import { useQuery } from '@tanstack/preact-query'
import type { AnswerOf } from '../../api/rows.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { placeQuery } from '../../state/place-query.ts'
import { api, holds } from '../../state/session.ts'
import { seriesTexts } from '../../state/texts/series.ts'
import { Pager } from '../../ui/pager.tsx'
import { Answer } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { type Recorte, recortePath } from './recorte.ts'
import type { CardProps } from './serie.tsx'
import { type Serie, valueText } from './serie-data.ts'
import { SERIES } from './serie-links.ts'

type Revisao = AnswerOf<'GET', '/api/v1/series/{codigo}/revisoes'>['items'][number]

const SIZE = 10
/** Changes of a revision that are written out. */
const SHOWN = 3

/** Changes of the place's values, the newest first. */
export default function RevisionsCard({ serie, recorte }: CardProps) {
  const t = seriesTexts().revisions
  const { codigo } = serie
  const asked = { ...placeQuery(recorte), page: recorte.pagina, size: SIZE }
  const query = useQuery({
    queryKey: [...SERIES, 'revisoes', codigo, asked],
    queryFn: ({ signal }) =>
      api.get('/api/v1/series/{codigo}/revisoes', { params: { codigo }, query: asked }, { signal }),
  })
  return (
    <div class="card revisions">
      <header>
        <h2>{t.title}</h2>
      </header>
      <Answer query={query} lines={3}>
        {({ items, total, pages, size, page }) =>
          total === 0 ? (
            <p class="note">{t.none}</p>
          ) : (
            <div class="imports">
              <Table
                caption={t.title}
                columns={columns(serie, recorte)}
                rows={items}
                keyOf={({ ano, revisao }) => `${ano}-${revisao}`}
              />
              <Pager
                page={page}
                pages={pages}
                size={size}
                total={total}
                hrefOf={(next) => recortePath(serie, { ...recorte, pagina: next })}
              />
            </div>
          )
        }
      </Answer>
    </div>
  )
}

/** Just before a change: what was known then. */
const before = (ate: string) => new Date(Date.parse(ate) - 1).toISOString()

function columns(serie: Serie, recorte: Recorte): Column<Revisao>[] {
  const own = seriesTexts()
  const t = own.revisions
  return [
    {
      key: 'quando',
      title: t.when,
      cell: ({ ate }) => (
        <>
          {own.moment(new Date(ate))}
          <small>
            <a href={recortePath(serie, { ...recorte, conhecidos: before(ate) })}>{t.seeBefore}</a>
          </small>
        </>
      ),
    },
    {
      key: 'quem',
      title: t.who,
      cell: ({ usuario, importacao_id }) => (
        <>
          {usuario ?? t.byNobody}
          {importacao_id !== null && (
            <small>
              {holds(['series.importar']) ? (
                <a href={pathTo(PATHS.seriesImportacao, { id: importacao_id })}>{t.import(importacao_id)}</a>
              ) : (
                t.import(importacao_id)
              )}
            </small>
          )}
        </>
      ),
    },
    {
      key: 'mudanca',
      title: t.what,
      cell: ({ alterados }) => (
        <>
          {t.changed(alterados.length)}
          {alterados.slice(0, SHOWN).map(({ inicio, antes, depois }) => (
            <small key={inicio}>{t.change(inicio, valueText(serie, antes), valueText(serie, depois))}</small>
          ))}
          {alterados.length > SHOWN && <small>{t.more(alterados.length - SHOWN)}</small>}
        </>
      ),
    },
  ]
}
