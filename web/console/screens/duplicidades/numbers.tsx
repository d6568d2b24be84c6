import { useQuery } from '@tanstack/preact-query'
import { SITUACOES } from '../../../../src/domain/casos/duplicidades/situacao.ts'
import type { AnswerOf } from '../../api/rows.ts'
import { paresPath } from '../../state/duplicidades.ts'
import { api } from '../../state/session.ts'
import { duplicidadesTexts } from '../../state/texts/duplicidades.ts'
import { Answer } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { PARES } from './par.ts'

type Faixa = AnswerOf<'GET', '/api/v1/agravos/duplicidades/qualidade'>['faixas'][number]

/** Decisions about the pairs of each band. */
export function Numbers() {
  const t = duplicidadesTexts().numbers
  const query = useQuery({
    queryKey: [...PARES, 'qualidade'],
    queryFn: ({ signal }) => api.get('/api/v1/agravos/duplicidades/qualidade', {}, { signal }),
  })
  return (
    <Answer query={query} lines={4}>
      {({ faixas }) => (
        <div class="form">
          <p class="note">{t.note}</p>
          <Table
            caption={t.title}
            columns={columns()}
            rows={faixas}
            keyOf={({ faixa }) => faixa}
            current={-1}
          />
        </div>
      )}
    </Answer>
  )
}

function columns(): Column<Faixa>[] {
  const t = duplicidadesTexts()
  return [
    { key: 'faixa', title: t.band, cell: ({ faixa }) => t.bands[faixa] },
    ...SITUACOES.map(
      (situacao): Column<Faixa> => ({
        key: situacao,
        title: t.states[situacao],
        isNumber: true,
        cell: ({ faixa, por_situacao }) => {
          const total = t.numbers.number(por_situacao[situacao])
          return por_situacao[situacao] === 0 ? (
            total
          ) : (
            <a
              href={paresPath({ faixa, situacao })}
              aria-label={`${t.bands[faixa]}, ${t.states[situacao]}: ${total}`}
            >
              {total}
            </a>
          )
        },
      }),
    ),
    {
      key: 'precisao',
      title: t.numbers.precision,
      isNumber: true,
      cell: ({ precisao }) => (precisao === null ? '–' : t.numbers.percent(precisao)),
    },
  ]
}
