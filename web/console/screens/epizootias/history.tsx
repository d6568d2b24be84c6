import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { AnswerOf } from '../../api/rows.ts'
import type { Campo } from '../../state/epizootias.ts'
import { EPIZOOTIAS } from '../../state/epizootias-keys.ts'
import { api } from '../../state/session.ts'
import { epizootiasTexts } from '../../state/texts/epizootias.ts'
import { Button } from '../../ui/button.tsx'
import { Answer } from '../../ui/states.tsx'
import { valueText } from './fields.ts'

type Acontecido = AnswerOf<'GET', '/api/v1/epizootias/{id}/historico'>['items'][number]
type Registered = Parameters<typeof valueText>[2]

const STEP = 20
const MOST = 100

/** Changes with their author and time, newest first. */
export function History({ id, versao, registered }: { id: number; versao: number; registered: Registered }) {
  const t = epizootiasTexts().detail
  const [size, setSize] = useState(STEP)
  const query = useQuery({
    queryKey: [...EPIZOOTIAS, 'historico', id, versao, size],
    queryFn: ({ signal }) =>
      api.get('/api/v1/epizootias/{id}/historico', { params: { id }, query: { page: 1, size } }, { signal }),
  })
  return (
    <section class="card">
      <h2>{t.history}</h2>
      <Answer query={query} lines={3}>
        {({ items, total }) => (
          <>
            <ol class="history">
              {items.map((line) => (
                <li key={`${line.data}-${line.acao}`}>
                  <Line line={line} registered={registered} />
                </li>
              ))}
            </ol>
            {total > items.length && size < MOST && (
              <Button kind="quiet" onClick={() => setSize(Math.min(MOST, size + STEP))}>
                {t.more}
              </Button>
            )}
          </>
        )}
      </Answer>
    </section>
  )
}

function Line({ line, registered }: { line: Acontecido; registered: Registered }) {
  const t = epizootiasTexts()
  const { data, acao, usuario, alteracoes, motivo } = line
  const say = (campo: string, value: unknown) => valueText(campo, value, registered) || t.unknown
  return (
    <>
      <p>
        <b>{t.detail.actions[acao] ?? acao}</b>{' '}
        <small>{t.detail.by(usuario?.nome ?? t.detail.somebody, t.moment(new Date(data)))}</small>
      </p>
      {alteracoes.length > 0 && (
        <ul>
          {alteracoes.map(({ campo, anterior, novo }) => (
            <li key={campo}>
              {t.campos[campo as Campo] ?? campo}: <span class="unseen">{t.detail.from} </span>
              <del>{say(campo, anterior)}</del> <span aria-hidden="true">→</span>
              <span class="unseen"> {t.detail.to} </span> <ins>{say(campo, novo)}</ins>
            </li>
          ))}
        </ul>
      )}
      {motivo !== null && <p>{t.detail.reason(motivo)}</p>}
    </>
  )
}
