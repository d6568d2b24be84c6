import { useQuery } from '@tanstack/preact-query'
import type { AnswerOf } from '../../api/rows.ts'
import { placeQuery } from '../../state/place-query.ts'
import { api } from '../../state/session.ts'
import { qualidadeTexts } from '../../state/texts/qualidade.ts'
import { Answer } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import type { Recorte } from './address.ts'
import { Card } from './cards.tsx'

type Atrasos = Extract<
  AnswerOf<'GET', '/api/v1/agravos/casos/estatisticas/atrasos'>,
  { distribuicao: unknown }
>
type Atraso = NonNullable<Atrasos['distribuicao']>[number]

/** Weeks until nearly all is typed in; rows beyond say nothing more. */
const ALL_PCT = 99

/** How long records take from onset to typing, of one disease: the last half a year, whatever the period of the screen. */
export function Atrasos({ recorte }: { recorte: Recorte }) {
  const { delays: t } = qualidadeTexts()
  const { agravo } = recorte
  const asked = { tipo_agravo: agravo, ...placeQuery(recorte) }
  const query = useQuery({
    queryKey: ['atrasos', asked],
    queryFn: async ({ signal }) =>
      (await api.get(
        '/api/v1/agravos/casos/estatisticas/atrasos',
        { query: asked as never },
        { signal },
      )) as Atrasos,
    enabled: agravo !== null,
  })
  return (
    <Card title={t.title} note={t.note}>
      {agravo === null ? (
        <p>{t.choose}</p>
      ) : (
        <Answer query={query} lines={6}>
          {(atrasos) => <Distribution atrasos={atrasos} />}
        </Answer>
      )}
    </Card>
  )
}

function Distribution({ atrasos }: { atrasos: Atrasos }) {
  const own = qualidadeTexts()
  const t = own.delays
  const { distribuicao, mediana_semanas, p90_semanas, sem_data_de_digitacao } = atrasos
  const undated = sem_data_de_digitacao > 0 && <p class="note">{t.undated(sem_data_de_digitacao)}</p>
  if (distribuicao === null)
    return (
      <div class="form">
        <p>{t.few}</p>
        {undated}
      </div>
    )
  const all = distribuicao.findIndex(({ acumulado_pct }) => acumulado_pct >= ALL_PCT)
  const columns: Column<Atraso>[] = [
    { key: 'semanas', title: t.weeks, cell: ({ semanas }) => t.after(semanas) },
    { key: 'pct', title: t.share, isNumber: true, cell: ({ pct }) => own.percent(pct) },
    { key: 'ate', title: t.until, isNumber: true, cell: ({ acumulado_pct }) => own.percent(acumulado_pct) },
  ]
  return (
    <div class="form">
      {mediana_semanas !== null && <p>{t.half(mediana_semanas, p90_semanas)}</p>}
      <Table
        caption={t.title}
        columns={columns}
        rows={all === -1 ? distribuicao : distribuicao.slice(0, all + 1)}
        keyOf={({ semanas }) => semanas}
        current={-1}
      />
      {undated}
    </div>
  )
}
