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

type Identidade = AnswerOf<'GET', '/api/v1/usuarios/me/identidades'>['items'][number]

/** Identities at providers of single sign-on; each can be unlinked. */
export function IdentitiesCard() {
  const own = contaTexts().identities
  const [isDone, setDone] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const query = useQuery({
    queryKey: [...CONTA, 'identidades'],
    queryFn: ({ signal }) => api.get('/api/v1/usuarios/me/identidades', {}, { signal }),
  })
  const unlink = async ({ id }: Identidade) => {
    setDone(false)
    setError(null)
    try {
      await api.delete('/api/v1/usuarios/me/identidades/{id}', { params: { id } })
      setDone(true)
    } catch (failure) {
      setError(failure)
    }
    void cache.invalidateQueries({ queryKey: CONTA })
  }
  return (
    <section class="card form sessions identities">
      <header class="row">
        <h2>{own.title}</h2>
      </header>
      {error !== null && <Notice kind="error" text={errorText(error)} />}
      {isDone && <Notice kind="done" text={own.done} />}
      <p class="sub">{own.lead}</p>
      <Answer query={query} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{own.none}</p>
          ) : (
            <div class="imports">
              <Table
                caption={own.title}
                columns={columns(unlink)}
                rows={items}
                keyOf={({ id }) => String(id)}
              />
            </div>
          )
        }
      </Answer>
    </section>
  )
}

function columns(unlink: (identidade: Identidade) => Promise<void>): Column<Identidade>[] {
  const t = contaTexts()
  const own = t.identities
  return [
    { key: 'onde', title: own.provider, cell: ({ provedor_nome }) => provedor_nome },
    { key: 'desde', title: own.linked, cell: ({ vinculada_em }) => t.moment(new Date(vinculada_em)) },
    { key: 'quando', title: own.last, cell: ({ ultimo_uso_em }) => t.moment(new Date(ultimo_uso_em)) },
    {
      key: 'acoes',
      title: own.actions,
      cell: (identidade) => (
        <ActButton
          kind="quiet"
          aria-label={own.unlinkOf(identidade.provedor_nome)}
          act={() => unlink(identidade)}
        >
          {own.unlink}
        </ActButton>
      ),
    },
  ]
}
