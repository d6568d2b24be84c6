import { useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { FIELD_OF, MEDIDAS } from '../../../../src/domain/casos/qualidade/regras.ts'
import { isField } from '../../state/caso-campos.ts'
import { campoIn, formularioOf } from '../../state/formularios.ts'
import { qualidadeTexts } from '../../state/texts/qualidade.ts'
import { texts } from '../../state/texts.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { casosFilters, casosHref } from './address.ts'
import type { CardProps, Qualidade } from './qualidade.tsx'

interface CardFrameProps {
  title: string
  note: string
  children: ComponentChildren
}

/** No landmark: its table is one of the same name. */
export function Card({ title, note, children }: CardFrameProps) {
  return (
    <div class="card form">
      <h2>{title}</h2>
      <p class="sub">{note}</p>
      {children}
    </div>
  )
}

type Campo = Qualidade['completude'][number]

const COLOURS = {
  ...{ excelente: 'green', bom: 'green', regular: 'amber' },
  ...{ ruim: 'red', muito_ruim: 'red' },
} as const
const OF_DISEASE = 'dados_especificos.'

/** Name of a field of the completeness; own ones of a disease are worded by its form. */
function useFieldName(agravo: string | null): (campo: string) => string {
  const { data } = useQuery(formularioOf(agravo))
  const t = texts()
  return (campo) => {
    const nome = FIELD_OF[campo] ?? campo
    if (isField(nome)) return t.campos[nome]
    const own = nome.replace(OF_DISEASE, '')
    return (campoIn(data, nome) ?? campoIn(data, own))?.rotulo ?? own
  }
}

/** Shares of the records in which each field is filled in, as the Ministry of Health grades them. */
export function Completude({ qualidade, recorte }: CardProps) {
  const t = qualidadeTexts()
  const nameOf = useFieldName(recorte.agravo)
  const columns: Column<Campo>[] = [
    { key: 'campo', title: t.completeness.field, cell: ({ campo }) => nameOf(campo) },
    { key: 'pct', title: t.completeness.share, isNumber: true, cell: ({ pct }) => t.percent(pct) },
    {
      key: 'faixa',
      title: t.completeness.grade,
      cell: ({ faixa }) =>
        faixa === null ? '' : <span class={`tag ${COLOURS[faixa]}`}>{t.grades[faixa]}</span>,
    },
    {
      key: 'fichas',
      title: t.completeness.records,
      isNumber: true,
      cell: ({ preenchidos, de }) => t.of(preenchidos, de),
    },
  ]
  return (
    <Card title={t.completeness.title} note={t.completeness.note}>
      <Table
        caption={t.completeness.title}
        columns={columns}
        rows={qualidade.completude}
        keyOf={({ campo }) => campo}
      />
    </Card>
  )
}

type Medida = (typeof MEDIDAS)[number]

/** Days between two events of a record, and the share in time. */
export function Oportunidade({ qualidade: { oportunidade, encerrado_automatico } }: CardProps) {
  const t = qualidadeTexts()
  const days = (of: 'mediana' | 'p90'): Column<Medida> => ({
    key: of,
    title: t.timeliness[of],
    isNumber: true,
    cell: (medida) => t.days(oportunidade[medida][of]),
  })
  const columns: Column<Medida>[] = [
    {
      key: 'medida',
      title: t.timeliness.measure,
      cell: (medida) => (
        <>
          {t.timeliness.measures[medida]} <small>{t.timeliness.limits[medida]}</small>
        </>
      ),
    },
    {
      key: 'pct',
      title: t.timeliness.inTime,
      isNumber: true,
      cell: (medida) => t.percent(oportunidade[medida].pct),
    },
    days('mediana'),
    days('p90'),
    {
      key: 'fichas',
      title: t.completeness.records,
      isNumber: true,
      cell: (medida) => t.of(oportunidade[medida].no_prazo, oportunidade[medida].de),
    },
  ]
  return (
    <Card title={t.timeliness.title} note={t.timeliness.note}>
      <Table caption={t.timeliness.title} columns={columns} rows={[...MEDIDAS]} keyOf={(medida) => medida} />
      {encerrado_automatico > 0 && <p class="note">{t.timeliness.automatic(encerrado_automatico)}</p>}
    </Card>
  )
}

type Codigo = keyof ReturnType<typeof texts>['filtros']['pendencias']
/** Pairs of records, not records: no list has that total. */
const OF_PAIRS = 'possivel_duplicado'

/** Contradictions, each with the way to exactly its records. */
export function Inconsistencias({ qualidade, recorte, today, mayList }: CardProps) {
  const t = texts()
  const own = qualidadeTexts()
  const found = qualidade.inconsistencias
    .filter(({ total }) => total !== null && total > 0)
    .toSorted((one, other) => (other.total as number) - (one.total as number))
  const filters = casosFilters(recorte, today)
  return (
    <Card title={own.contradictions.title} note={own.contradictions.note}>
      {found.length === 0 ? (
        <p>{own.contradictions.none}</p>
      ) : (
        <ul class="history">
          {found.map(({ codigo, total }) => (
            <li key={codigo}>
              <b>{t.filtros.number(total as number)}</b>{' '}
              {codigo === OF_PAIRS ? (
                own.contradictions.pairs
              ) : mayList ? (
                <a href={casosHref({ ...filters, pendencia: codigo }, today)}>
                  {t.filtros.pendencias[codigo as Codigo]}
                </a>
              ) : (
                t.filtros.pendencias[codigo as Codigo]
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
