import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { api, holds } from '../../state/session.ts'
import { identidadeTexts } from '../../state/texts/identidade.ts'
import { Answer } from '../../ui/states.tsx'

/** Readings that are told. */
const MOST = 20

/** Readings of the patient's identity, asked for once it is unfolded; for those who edit cases or read the audit. */
export function Readings({ id }: { id: number }) {
  const t = identidadeTexts()
  const [isOpen, setOpen] = useState(false)
  const query = useQuery({
    queryKey: ['caso', id, 'acessos'],
    queryFn: ({ signal }) =>
      api.get('/api/v1/agravos/casos/{id}/acessos', { params: { id }, query: { size: MOST } }, { signal }),
    enabled: isOpen,
    placeholderData: () => undefined,
    // Somebody looks at it anew.
    staleTime: 0,
  })
  if (!holds(['auditoria.ver']) && !holds(['agravos.editar'])) return null
  return (
    <section class="card unprinted">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t.readings}</summary>
        {isOpen && (
          <Answer query={query} lines={3}>
            {({ items, total }) =>
              total === 0 ? (
                <p class="note">{t.noReadings}</p>
              ) : (
                <>
                  <ul class="history">
                    {items.map(({ id: record, data, acao, usuario, motivo }) => (
                      <li key={record}>
                        <p>
                          <b>{usuario?.nome ?? t.somebody}</b> {t.acts[acao] ?? acao}{' '}
                          <small>{t.at(new Date(data))}</small>
                        </p>
                        {motivo !== null && <p>{t.reason(motivo)}</p>}
                      </li>
                    ))}
                  </ul>
                  {total > items.length && <p class="note">{t.moreReadings(items.length, total)}</p>}
                </>
              )
            }
          </Answer>
        )}
      </details>
    </section>
  )
}
