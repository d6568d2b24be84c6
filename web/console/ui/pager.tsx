import { useId } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { pagesAround } from '../state/pages.ts'
import { texts } from '../state/texts.ts'

interface PagerProps {
  page: number
  pages: number
  size: number
  total: number
  hrefOf(page: number): string
  /** Choice of the number of rows: the address with another. */
  sizes?: { all: readonly number[]; hrefOf(size: number): string }
  /** Name of its table, where a screen has several. */
  of?: string
}

/** Pages are addresses: they open in a new tab, and the browser goes back to them. */
export function Pager({ page, pages, size, total, hrefOf, sizes, of }: PagerProps) {
  const t = texts()
  const { route } = useLocation()
  const id = useId()
  const first = (page - 1) * size + 1
  return (
    <nav class="pager" aria-label={of === undefined ? t.pager.label : `${t.pager.label}: ${of}`}>
      <p>{t.pager.rows(first, Math.min(page * size, total), total)}</p>
      {sizes && (
        <div class="pager-size">
          <label for={id}>{t.pager.size}</label>
          <select
            id={id}
            class="input"
            value={size}
            onChange={(event) => route(sizes.hrefOf(Number(event.currentTarget.value)))}
          >
            {sizes.all.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </div>
      )}
      {pages > 1 && (
        <ul>
          <li>
            {page > 1 && (
              <a href={hrefOf(page - 1)} rel="prev" aria-label={t.pager.previous}>
                ‹
              </a>
            )}
          </li>
          {pagesAround(page, pages).map((one, at) => (
            <li key={one ?? `gap-${at}`}>
              {one === null ? (
                <span class="gap" aria-hidden="true">
                  …
                </span>
              ) : (
                <a
                  href={hrefOf(one)}
                  aria-current={one === page ? 'page' : undefined}
                  aria-label={t.pager.page(one)}
                >
                  {t.filtros.number(one)}
                </a>
              )}
            </li>
          ))}
          <li>
            {page < pages && (
              <a href={hrefOf(page + 1)} rel="next" aria-label={t.pager.next}>
                ›
              </a>
            )}
          </li>
        </ul>
      )}
    </nav>
  )
}
