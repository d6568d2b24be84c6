import { useQuery } from '@tanstack/preact-query'
import type { Candidato } from '../../api/errors.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { api, holds } from '../../state/session.ts'
import { duplicidadesTexts } from '../../state/texts/duplicidades.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

interface RepeatedDialogProps {
  candidatos: Candidato[]
  onSave(): void
  onClose(): void
}

/** Asks before a second notification of one person is saved. */
export function RepeatedDialog({ candidatos, onSave, onClose }: RepeatedDialogProps) {
  const t = duplicidadesTexts()
  return (
    <Dialog title={t.ask.title} onClose={onClose}>
      <p>{t.ask.lead(candidatos.length)}</p>
      <Candidates candidatos={candidatos} />
      <div class="row">
        <Button onClick={onSave}>{t.ask.save}</Button>
        <Button kind="primary" onClick={onClose}>
          {t.ask.back}
        </Button>
      </div>
    </Dialog>
  )
}

interface Listado {
  id: number
  numero_notificacao: string
  data_notificacao: string
}

/** The likeliest first, as the service names them; numbers and days come with a question of their own. */
function Candidates({ candidatos }: { candidatos: Candidato[] }) {
  const t = duplicidadesTexts()
  const ids = candidatos.map(({ id }) => id)
  const { data } = useQuery({
    queryKey: ['casos', 'parecidos', ids],
    queryFn: ({ signal }) =>
      api.get(
        '/api/v1/agravos/casos',
        {
          query: {
            'id[in]': ids.join(','),
            size: ids.length,
            campos: 'numero_notificacao,data_notificacao',
          },
        },
        { signal },
      ),
    enabled: holds(['agravos.listar']),
  })
  const listados = (data?.tipos ?? []) as unknown as Listado[]
  const nameOf = (id: number) => {
    const caso = listados.find((one) => one.id === id)
    if (caso === undefined) return t.ask.unnamed(id)
    return t.ask.caso(caso.numero_notificacao, texts().filtros.day(caso.data_notificacao.slice(0, 10)))
  }
  return (
    <ul class="candidates">
      {candidatos.map(({ id, faixa }) => (
        <li key={id}>
          <p>
            {nameOf(id)} <span class="tag amber">{t.bands[faixa]}</span>
          </p>
          {holds(['agravos.listar']) && (
            <a
              href={pathTo(PATHS.caso, { id })}
              target="_blank"
              rel="noopener"
              aria-label={t.ask.openOf(nameOf(id))}
            >
              {t.ask.open}
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
