import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { Filters } from '../state/filter-address.ts'
import { casosQuery } from '../state/filter-query.ts'
import { plain } from '../state/plain.ts'
import { api, holds } from '../state/session.ts'
import { texts } from '../state/texts.ts'
import { Combobox } from './combobox.tsx'

interface BairroFieldProps {
  filters: Filters
  today: string
  set(next: Partial<Filters>): void
  close(): void
}

const MOST = 50

/**
 * Bairro of the chosen municipality: of those that the cases name, the most frequent first, or any text. The filter compares parts of
 * the written name, the numbers of the service count whole names: none stands beside a choice, for the list would have another.
 */
export default function BairroField({ filters, today, set, close }: BairroFieldProps) {
  const t = texts().filtros
  const [wanted, setWanted] = useState('')
  const query = { ...casosQuery({ ...filters, bairro: null }, today), agrupar_por: 'bairro' }
  const { data, isFetching } = useQuery({
    queryKey: ['bairros', 'filter', query],
    queryFn: ({ signal }) => api.get('/api/v1/agravos/casos/estatisticas/resumo', { query }, { signal }),
    // A pendency is no filter of what is counted.
    enabled: holds(['agravos.estatisticas']) && filters.pendencia === null,
  })
  const names = (data?.por_bairro ?? [])
    .filter(({ valor }) => valor !== null && plain(valor).includes(plain(wanted.trim())))
    .toSorted((one, other) => (other.total ?? 0) - (one.total ?? 0))
    .slice(0, MOST)
  const choose = (bairro: string | null) => {
    if (bairro !== filters.bairro) set({ bairro })
    close()
  }
  return (
    <Combobox
      label={t.names.bairro}
      value={filters.bairro ?? ''}
      options={names.map(({ valor }) => ({ key: valor as string, label: valor as string }))}
      onInput={setWanted}
      onChoose={choose}
      onClear={() => choose(null)}
      onLeave={(text) => text.trim() !== '' && choose(text.trim().slice(0, 100))}
      none={t.bairroNone}
      isLoading={isFetching}
    />
  )
}
