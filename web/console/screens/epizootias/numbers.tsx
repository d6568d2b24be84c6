import { useQueries } from '@tanstack/preact-query'
import { CLASSIFICACOES_DE_EPIZOOTIA } from '../../../../src/domain/epizootias/campos.ts'
import { EPIZOOTIAS } from '../../state/epizootias-keys.ts'
import { api } from '../../state/session.ts'
import { epizootiasTexts } from '../../state/texts/epizootias.ts'
import { ClassTag } from '../../ui/epizootia-marks.tsx'
import { type EpizootiaFilters, type EpizootiasAddress, epizootiasPath, epizootiasQuery } from './address.ts'

const ALL = [null, ...CLASSIFICACOES_DE_EPIZOOTIA] as const

/** Events by classification under all other filters. Each number is the total of the list that it leads to. */
export function Numbers({ filters, vista }: Pick<EpizootiasAddress, 'filters' | 'vista'>) {
  const t = epizootiasTexts()
  const of = (classificacao: EpizootiaFilters['classificacao']) => ({ ...filters, classificacao })
  const totals = useQueries({
    queries: ALL.map((classificacao) => {
      const query = { ...epizootiasQuery(of(classificacao)), page: 1, size: 1 }
      return {
        queryKey: [...EPIZOOTIAS, 'total', query],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          api.get('/api/v1/epizootias', { query }, { signal }),
      }
    }),
  })
  return (
    <nav class="class-numbers" aria-label={t.list.numbers}>
      {ALL.map((classificacao, i) => {
        const total = totals[i]?.data?.total
        return (
          <a
            key={classificacao}
            href={epizootiasPath({ filters: of(classificacao), vista })}
            aria-current={filters.classificacao === classificacao ? 'true' : undefined}
          >
            {classificacao === null ? t.list.all : <ClassTag classificacao={classificacao} />}
            <b>{total === undefined ? t.none : t.number(total)}</b>
          </a>
        )
      })}
    </nav>
  )
}
