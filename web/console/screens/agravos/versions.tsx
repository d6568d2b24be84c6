import { useQuery } from '@tanstack/preact-query'
import { api } from '../../state/session.ts'
import { agravosTexts } from '../../state/texts/agravos.ts'
import { Answer } from '../../ui/states.tsx'

const SIZE = 20

/** Versions of a definition, the newest first, each with what it changed. */
export function Versions({ codigo, ultima }: { codigo: string; ultima: number }) {
  const own = agravosTexts().versions
  const versoes = useQuery({
    queryKey: ['agravos', codigo, 'versoes', ultima],
    queryFn: ({ signal }) =>
      api.get(
        '/api/v1/agravos/tipos/{codigo}/versoes',
        { params: { codigo }, query: { size: SIZE } },
        { signal },
      ),
  })
  return (
    <section class="card">
      <h2>{own.title}</h2>
      <Answer query={versoes} lines={3}>
        {({ items }) => (
          <ol class="history">
            {items.map(({ versao, estado, autor, criada_em, mudancas }) => (
              <li key={versao}>
                <p>
                  <b>{own.by(versao, autor?.nome ?? own.service, new Date(criada_em))}</b>{' '}
                  <span class={`tag ${estado === 'ativa' ? 'green' : estado === 'rascunho' ? 'amber' : ''}`}>
                    {own.states[estado]}
                  </span>
                </p>
                {versao === 1 ? <p class="note">{own.first}</p> : <Changes mudancas={mudancas} />}
              </li>
            ))}
          </ol>
        )}
      </Answer>
    </section>
  )
}

function Changes({ mudancas }: { mudancas: Record<string, unknown> }) {
  const own = agravosTexts().versions.changes
  const told = (Object.keys(own) as (keyof typeof own)[]).flatMap((key) => {
    const list = (mudancas[key] ?? []) as unknown[]
    return list.length === 0 ? [] : [{ key, words: list.map(wordsOf).join(', ') }]
  })
  return (
    <ul>
      {told.map(({ key, words }) => (
        <li key={key}>
          {own[key]}
          {': '}
          {words}
        </li>
      ))}
    </ul>
  )
}

/** A name, or a field with what of it changed. */
function wordsOf(change: unknown): string {
  if (typeof change === 'string') return change
  const {
    campo,
    opcoes = [],
    chaves = [],
  } = change as { campo: string; opcoes?: string[]; chaves?: string[] }
  return `${campo} (${[...opcoes, ...chaves].join(', ')})`
}
