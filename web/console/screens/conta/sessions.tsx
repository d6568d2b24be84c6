import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { AnswerOf } from '../../api/rows.ts'
import { api, cache } from '../../state/session.ts'
import { contaTexts } from '../../state/texts/conta.ts'
import { ActButton } from '../../ui/act-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Answer, errorText } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { CONTA } from './conta-data.ts'

type Sessao = AnswerOf<'GET', '/api/v1/auth/sessions'>['items'][number]

/** Open sessions of the account; each can be ended but this one, which signing out ends. */
export function SessionsCard() {
  const own = contaTexts().sessions
  const [ended, setEnded] = useState<number | null>(null)
  const [error, setError] = useState<unknown>(null)
  const query = useQuery({
    queryKey: [...CONTA, 'sessoes'],
    queryFn: ({ signal }) => api.get('/api/v1/auth/sessions', {}, { signal }),
  })
  const end = async (sessions: readonly Sessao[]) => {
    setEnded(null)
    setError(null)
    try {
      for (const { id } of sessions)
        await api.delete('/api/v1/auth/sessions/{session_id}', { params: { session_id: id } })
      setEnded(sessions.length)
    } catch (failure) {
      setError(failure)
    }
    void cache.invalidateQueries({ queryKey: CONTA })
  }
  const others = query.data?.items.filter(({ current }) => !current) ?? []
  return (
    <section class="card form sessions">
      <header class="row">
        <h2>{own.title}</h2>
        {others.length > 1 && <ActButton act={() => end(others)}>{own.endOthers}</ActButton>}
      </header>
      {error !== null && <Notice kind="error" text={errorText(error)} />}
      {ended !== null && <Notice kind="done" text={own.ended(ended)} />}
      <p class="sub">{own.lead}</p>
      <Answer query={query} lines={3}>
        {({ items }) => (
          <div class="imports">
            <Table
              caption={own.title}
              columns={columns((sessao) => end([sessao]))}
              rows={items}
              keyOf={({ id }) => id}
            />
          </div>
        )}
      </Answer>
    </section>
  )
}

function columns(end: (sessao: Sessao) => Promise<void>): Column<Sessao>[] {
  const t = contaTexts()
  const own = t.sessions
  return [
    {
      key: 'onde',
      title: own.device,
      cell: ({ device, created_at }) => (
        <>
          {device}
          <small>{own.opened(new Date(created_at))}</small>
        </>
      ),
    },
    { key: 'quem', title: own.address, cell: ({ ip_address }) => ip_address ?? '' },
    { key: 'quando', title: own.last, cell: ({ last_activity }) => t.moment(new Date(last_activity)) },
    {
      key: 'acoes',
      title: own.actions,
      cell: (sessao) =>
        sessao.current ? (
          <span class="tag green">{own.current}</span>
        ) : (
          <ActButton kind="quiet" aria-label={own.endOf(sessao.device)} act={() => end(sessao)}>
            {own.end}
          </ActButton>
        ),
    },
  ]
}
