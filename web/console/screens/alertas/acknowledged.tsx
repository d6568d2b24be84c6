import { useQuery } from '@tanstack/preact-query'
import { api } from '../../state/session.ts'
import { alertasTexts } from '../../state/texts/alertas.ts'
import { texts } from '../../state/texts.ts'
import { Popover } from '../../ui/popover.tsx'
import { Answer } from '../../ui/states.tsx'
import type { Alerta } from './alertas.tsx'

/** By whom and when an alert was acknowledged; the note on request, asked for when it is opened. */
export function Acknowledged({ alerta }: { alerta: Alerta }) {
  const t = texts()
  const { reconhecido_por, reconhecido_em, lugar } = alerta
  return (
    <>
      <Popover
        label={alertasTexts().noteOf(lugar.nome)}
        kind="button quiet"
        panel={() => <Note id={alerta.id} />}
      >
        {alertasTexts().by(reconhecido_por)}
      </Popover>
      {reconhecido_em !== null && <small>{t.niveis.moment(new Date(reconhecido_em))}</small>}
    </>
  )
}

function Note({ id }: { id: number }) {
  const query = useQuery({
    queryKey: ['alertas', id],
    queryFn: ({ signal }) => api.get('/api/v1/agravos/alertas/{id}', { params: { id } }, { signal }),
    // Of another alert: never shown instead.
    placeholderData: () => undefined,
  })
  return (
    <Answer query={query} lines={2}>
      {({ nota }) => <p class="their-note">{nota}</p>}
    </Answer>
  )
}
