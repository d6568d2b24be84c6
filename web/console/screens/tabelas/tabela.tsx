import { useQuery } from '@tanstack/preact-query'
import type { AnswerOf } from '../../api/rows.ts'
import ChartTable from '../../charts/chart-table.tsx'
import type { Cell } from '../../charts/table-data.ts'
import { PATHS } from '../../paths.ts'
import { isField } from '../../state/caso-campos.ts'
import { addressOf, type Filters, placed } from '../../state/filter-address.ts'
import { casosQuery } from '../../state/filter-query.ts'
import { valorWords } from '../../state/filter-words.ts'
import { api, holds } from '../../state/session.ts'
import { tabelasTexts } from '../../state/texts/tabelas.ts'
import { type Texts, texts } from '../../state/texts.ts'
import { Answer, Empty } from '../../ui/states.tsx'
import type { Pergunta } from './perguntas.ts'

type Frequencias = Extract<
  AnswerOf<'GET', '/api/v1/agravos/casos/estatisticas/frequencias'>,
  { campos: unknown }
>
type Frequencia = Frequencias['campos'][number]
type Valor = Frequencia['valores'][number]

const CLASSES = ['confirmado', 'em_investigacao', 'inconclusivo', 'descartado'] as const
const LOGICAL: Readonly<Record<string, 'sim' | 'nao'>> = { true: 'sim', false: 'nao' }

function labelOf({ valor, rotulo }: Valor, { nome, tipo, opcoes }: Pergunta, t: Texts): string {
  const logical = tipo === 'bool' ? LOGICAL[valor] : undefined
  if (logical !== undefined) return t.valores[logical]
  if (isField(nome)) return valorWords(valor, t)
  return opcoes.find(({ codigo }) => codigo === valor)?.rotulo ?? rotulo
}

/** The list of exactly the cases with an answer, where lists can be filtered by the question. */
function casosHref({ valor }: Valor, { campo, filtravel }: Pergunta, filters: Filters, today: string) {
  if (!filtravel || !holds(['agravos.listar'])) return undefined
  const especificos = { ...filters.especificos, [campo]: valor }
  return addressOf(PATHS.casos, placed({ ...filters, especificos }), { today })
}

interface TabelaProps {
  pergunta: Pergunta
  filters: Filters
  today: string
}

/** Cases by the answer to a question and by classification. */
export function Tabela({ pergunta, filters, today }: TabelaProps) {
  const own = tabelasTexts()
  const asked = { ...casosQuery(filters, today), campos: pergunta.campo }
  const query = useQuery({
    queryKey: ['frequencias', asked],
    queryFn: async ({ signal }) =>
      (await api.get(
        '/api/v1/agravos/casos/estatisticas/frequencias',
        { query: asked as never },
        { signal },
      )) as Frequencias,
    // Answers to another question would stand under this one.
    placeholderData: () => undefined,
  })
  return (
    <Answer query={query} lines={6}>
      {({ total, campos: [frequencia] }) =>
        total === 0 || frequencia === undefined ? (
          <Empty text={own.none} />
        ) : (
          <Numeros {...{ pergunta, filters, today, total, frequencia }} />
        )
      }
    </Answer>
  )
}

interface NumerosProps extends TabelaProps {
  total: number
  frequencia: Frequencia
}

function Numeros({ pergunta, filters, today, total, frequencia }: NumerosProps) {
  const t = texts()
  const own = tabelasTexts()
  const { valores, sem_informacao } = frequencia
  const { number } = t.filtros
  const rows = valores.map((valor): [string, ...Cell[]] => {
    const href = valor.total > 0 ? casosHref(valor, pergunta, filters, today) : undefined
    return [
      labelOf(valor, pergunta, t),
      { text: number(valor.total), ...(href !== undefined && { href }) },
      { text: own.percent(valor.total, total - sem_informacao) },
      ...CLASSES.map((name) => ({ text: number(valor[name]) })),
    ]
  })
  const nothing = [own.percent(0, 0), ...CLASSES.map(() => own.percent(0, 0))].map((text) => ({ text }))
  return (
    <>
      <p class="sub">
        {own.cases(total, sem_informacao)} {pergunta.tipo === 'opcoes' && own.several}
      </p>
      <ChartTable
        title={pergunta.rotulo}
        name={`tabela-${pergunta.campo}`}
        columns={[own.answer, own.total, own.share, ...CLASSES.map((name) => t.painel.classes[name])]}
        rows={[...rows, [own.unknown, { text: number(sem_informacao) }, ...nothing]]}
      />
    </>
  )
}
