import { useQuery } from '@tanstack/preact-query'
import { dateInBrazil } from '../../../../src/brasil/calendar.ts'
import { api } from '../../state/session.ts'
import { type Texts, texts } from '../../state/texts.ts'
import { type Detalhe, daysBetween, timelineOf } from './detalhe.ts'

interface Pendencia {
  codigo: keyof Texts['filtros']['pendencias']
  prazo: string | null
  dias: number | null
}

interface TimelineProps {
  caso: Detalhe
  isNow: boolean
  /** Word of the disease for its first date, where it has one. */
  inicio: string | undefined
}

/** Dates of the case in their order with the days between; while it is open, its deadline and what it lacks. */
export function Timeline({ caso, isNow, inicio }: TimelineProps) {
  const t = texts()
  const { data } = useQuery({
    queryKey: ['caso', caso.id, 'pendencias', caso.versao],
    queryFn: ({ signal }) => askPendencias(caso.id, signal),
    enabled: isNow,
  })
  const pendencias = isNow ? (data ?? []) : []
  const { prazo, dias } = pendencias.find(({ prazo }) => prazo !== null) ?? { prazo: null, dias: null }
  const others = pendencias.filter(({ codigo }) => codigo !== 'atrasado' && codigo !== 'a_encerrar')
  const today = dateInBrazil(new Date())
  return (
    <section class="card">
      <h2>{t.caso.timeline}</h2>
      <ol class="timeline">
        {timelineOf(caso).map(({ nome, day, days }) => (
          <li key={nome} class={nome === 'data_obito' ? 'harm' : undefined}>
            <b>{(nome === 'data_inicio_sintomas' ? inicio : undefined) ?? t.caso.events[nome]}</b>
            <span>{t.filtros.day(day)}</span>
            {days !== null && <small>{t.caso.after(days)}</small>}
          </li>
        ))}
        {isNow && caso.status === 'em_investigacao' && (
          <li class="open">
            <b>{t.caso.openFor(Math.max(0, daysBetween(caso.data_notificacao.slice(0, 10), today)))}</b>
            {prazo !== null && (
              <span>
                {dias !== null && dias > 0
                  ? t.caso.overdue(t.filtros.day(prazo), dias)
                  : t.caso.deadline(t.filtros.day(prazo))}
              </span>
            )}
          </li>
        )}
      </ol>
      {others.length > 0 && (
        <ul class="to-do">
          {others.map(({ codigo }) => (
            <li key={codigo}>
              <span class="tag amber">{t.filtros.pendencias[codigo]}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

async function askPendencias(id: number, signal: AbortSignal): Promise<Pendencia[]> {
  const path = '/api/v1/agravos/casos/qualidade/pendencias'
  const { items } = (await api.send('GET', path, { query: { id } }, { signal })) as {
    items: { pendencias: Pendencia[] }[]
  }
  return items[0]?.pendencias ?? []
}
