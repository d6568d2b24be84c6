import { useQuery } from '@tanstack/preact-query'
import { useId } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { addressOf, type Filters, type LeftOut, placed } from '../../state/filter-address.ts'
import { type FormularioDoAgravo, formularioOf } from '../../state/formularios.ts'
import { holds } from '../../state/session.ts'
import { tabelasTexts } from '../../state/texts/tabelas.ts'
import { texts } from '../../state/texts.ts'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { Page } from '../../ui/page.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { useFilters } from '../../ui/use-filters.ts'
import { type Pergunta, perguntasIn } from './perguntas.ts'
import { Tabela } from './tabela.tsx'

/** A table is of one disease, as the painel is. */
const RULES = { agravo: 'dengue' } as const
/** The question, in the address. */
const CAMPO = 'campo'

const questionsOf = (formulario: FormularioDoAgravo) =>
  perguntasIn(formulario).flatMap(({ perguntas }) => perguntas)

/** Most people look for signs first, which are yes or no, and not for the places that a form begins with. */
const firstOf = (questions: readonly Pergunta[]) =>
  questions.find(({ tipo }) => tipo === 'bool') ?? questions[0]

function unknownCampo(formulario: FormularioDoAgravo | undefined, value: string | null): LeftOut[] {
  if (formulario === undefined || value === null) return []
  const isKnown = questionsOf(formulario).some(({ campo }) => campo === value)
  return isKnown ? [] : [{ name: CAMPO, value }]
}

/** Cases of the filter by the answers to one question of the form; filter and question are the address. */
export default function TelaDeTabelas() {
  const state = useFilters(RULES)
  const { filters, rules, words } = state
  const { url, route } = useLocation()
  const search = url.split('?')[1] ?? ''
  const chosen = new URLSearchParams(search).get(CAMPO)
  const form = useQuery(formularioOf(filters.agravo))
  const t = texts()
  const own = tabelasTexts()
  const change = (next: Filters, replace = false) => {
    // Another disease has other questions.
    const without = next.agravo === filters.agravo ? [] : [CAMPO]
    route(addressOf(PATHS.tabelas, placed(next), rules, { search, without }), replace)
  }
  const choose = (campo: string) => {
    const query = new URLSearchParams({ [CAMPO]: campo }).toString()
    route(addressOf(PATHS.tabelas, placed(filters), rules, { search: query }))
  }
  const leftOut = [...state.leftOut, ...unknownCampo(form.data, chosen)]
  return (
    <>
      {holds(['dashboard.visualizar']) && (
        <a class="back" href={PATHS.painel}>
          {t.screens.painel}
        </a>
      )}
      <Page title={t.screens.tabelas} lead={own.lead([words.title, ...words.parts])}>
        <FilterBar state={{ ...state, change, leftOut }} />
        <Answer query={form} lines={8}>
          {(formulario) => {
            const questions = questionsOf(formulario)
            const pergunta = questions.find(({ campo }) => campo === chosen) ?? firstOf(questions)
            if (pergunta === undefined) return <Empty text={own.noQuestions} />
            return (
              <div class="card">
                <PerguntaField {...{ formulario, pergunta }} onChange={choose} />
                <Tabela {...{ pergunta, filters }} today={rules.today} />
              </div>
            )
          }}
        </Answer>
      </Page>
    </>
  )
}

interface PerguntaFieldProps {
  formulario: FormularioDoAgravo
  pergunta: Pergunta
  onChange(campo: string): void
}

/** Choice of a question, under the headings of the form. */
function PerguntaField({ formulario, pergunta, onChange }: PerguntaFieldProps) {
  const id = useId()
  return (
    <div class="field short">
      <label for={id}>{tabelasTexts().question}</label>
      <select
        id={id}
        class="input"
        value={pergunta.campo}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {perguntasIn(formulario).map(({ rotulo, perguntas }) => (
          <optgroup key={rotulo} label={rotulo}>
            {perguntas.map((one) => (
              <option key={one.campo} value={one.campo}>
                {one.rotulo}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </div>
  )
}
