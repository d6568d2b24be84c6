import { useId, useState } from 'preact/hooks'
import { anoOfWeek, semanaByCodigo, weekOf } from '../../../src/brasil/epi-week.ts'
import type { FilterRules } from '../state/filter-address.ts'
import { diasOf, type Periodo, semanasOf, YEARS } from '../state/periodo.ts'
import { texts } from '../state/texts.ts'
import { Button } from './button.tsx'
import type { CountsByFilter } from './filter-bar.tsx'

const KINDS = ['ano', '12m', 'temporada', 'datas', 'semanas', 'sempre'] as const
type Kind = (typeof KINDS)[number]

interface PeriodoPanelProps {
  periodo: Periodo
  rules: FilterRules
  /** Cases of a period, once that is known. */
  countOf: CountsByFilter['periodo']
  onChange(periodo: Periodo): void
  close(): void
}

const toSemana = (codigo: string) => `${codigo.slice(4)}/${codigo.slice(0, 4)}`
function fromSemana(text: string): string | null {
  const [, week = '', year = ''] = /^\s*(\d{1,2})\s*\/\s*(\d{4})\s*$/.exec(text) ?? []
  const codigo = `${year}${week.padStart(2, '0')}`
  return semanaByCodigo(codigo) === null ? null : codigo
}

export function PeriodoPanel({ periodo, rules, countOf, onChange, close }: PeriodoPanelProps) {
  const { today, isCounted } = rules
  const t = texts().filtros
  const [kind, setKind] = useState<Kind>(periodo.kind)
  const thisYear = anoOfWeek(weekOf(today))
  const ano = 'ano' in periodo ? periodo.ano : thisYear
  const name = useId()
  /** What a kind alone chooses; null: dates and weeks are typed. */
  const periodoOf = (next: Kind): Periodo | null => {
    if (next === 'ano' || next === 'temporada') return { kind: next, ano: next === 'ano' ? ano : ano - 1 }
    return next === '12m' || next === 'sempre' ? { kind: next } : null
  }
  const casesOf = (of: Periodo | null) => (of && countOf?.(of)) ?? null
  const choose = (next: Kind) => {
    setKind(next)
    const chosen = periodoOf(next)
    if (chosen !== null) onChange(chosen)
  }
  const years = Array.from({ length: YEARS }, (_, at) => thisYear - at)
  return (
    <div class="panel">
      <fieldset class="choices">
        <legend>{t.names.periodo}</legend>
        {KINDS.filter((one) => one !== 'sempre' || !isCounted).map((one) => (
          <label key={one}>
            <input
              type="radio"
              name={name}
              checked={one === kind}
              onChange={() => choose(one)}
              onKeyDown={(event) => {
                if (event.key === 'Enter') close()
              }}
            />
            <span>{t.periodos[one]}</span>
            <Cases count={casesOf(one === periodo.kind ? periodo : periodoOf(one))} />
          </label>
        ))}
      </fieldset>
      {(kind === 'ano' || kind === 'temporada') && (
        <Select
          label={t.ano}
          value={ano}
          years={years.includes(ano) ? years : [ano, ...years]}
          words={(ano) => {
            const count = casesOf({ kind, ano })
            const name = kind === 'ano' ? t.anoDe(ano) : t.temporadaDe(ano)
            return count === null ? name : `${name} · ${texts().casos.cases(count)}`
          }}
          onChange={(ano) => onChange({ kind, ano })}
        />
      )}
      {kind === 'datas' && <Datas days={diasOf(periodo, today)} onChange={onChange} close={close} />}
      {kind === 'semanas' && <Semanas weeks={semanasOf(periodo, today)} onChange={onChange} close={close} />}
    </div>
  )
}

const Cases = ({ count }: { count: number | null }) =>
  count === null ? null : <span class="count">{texts().filtros.number(count)}</span>

interface SelectProps {
  label: string
  value: number
  years: number[]
  words(ano: number): string
  onChange(ano: number): void
}

function Select({ label, value, years, words, onChange }: SelectProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input"
        value={value}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      >
        {years.map((ano) => (
          <option key={ano} value={ano}>
            {words(ano)}
          </option>
        ))}
      </select>
    </div>
  )
}

interface RangeProps {
  onChange(periodo: Periodo): void
  close(): void
}
interface Limits {
  de: string
  ate: string
}

function Datas({ days, onChange, close }: RangeProps & { days: Limits | null }) {
  const t = texts().filtros
  const [limits, setLimits] = useState<Limits>(days ?? { de: '', ate: '' })
  return (
    <Range
      limits={limits}
      setLimits={setLimits}
      type="date"
      problemOf={({ de, ate }) =>
        de === '' || ate === '' ? t.dateProblem : ate < de ? t.orderProblem : undefined
      }
      apply={({ de, ate }) => {
        onChange({ kind: 'datas', de, ate })
        close()
      }}
    />
  )
}

function Semanas({ weeks, onChange, close }: RangeProps & { weeks: Limits | null }) {
  const t = texts().filtros
  const [limits, setLimits] = useState<Limits>(
    weeks === null ? { de: '', ate: '' } : { de: toSemana(weeks.de), ate: toSemana(weeks.ate) },
  )
  const codesOf = ({ de, ate }: Limits) => ({ de: fromSemana(de), ate: fromSemana(ate) })
  return (
    <Range
      limits={limits}
      setLimits={setLimits}
      type="text"
      note={t.semana}
      problemOf={(limits) => {
        const { de, ate } = codesOf(limits)
        if (de === null || ate === null) return t.semanaProblem
        return ate < de ? t.orderProblem : undefined
      }}
      apply={(limits) => {
        const { de, ate } = codesOf(limits)
        if (de !== null && ate !== null) onChange({ kind: 'semanas', de, ate })
        close()
      }}
    />
  )
}

interface RangeFieldsProps {
  limits: Limits
  setLimits(limits: Limits): void
  type: 'date' | 'text'
  note?: string
  problemOf(limits: Limits): string | undefined
  apply(limits: Limits): void
}

/** Beginning and end, applied together: half a period is none. */
function Range({ limits, setLimits, type, note, problemOf, apply }: RangeFieldsProps) {
  const t = texts().filtros
  const id = useId()
  const [isTried, setTried] = useState(false)
  const problem = isTried ? problemOf(limits) : undefined
  return (
    <form
      class="form range"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (problemOf(limits) === undefined) apply(limits)
      }}
    >
      <div class="range-fields">
        {(['de', 'ate'] as const).map((end) => (
          <div key={end} class="field">
            <label for={`${id}-${end}`}>{t[end]}</label>
            <input
              id={`${id}-${end}`}
              class="input"
              // Each type has attributes of its own in the types of Preact; these fit both.
              type={type as 'text'}
              value={limits[end]}
              autocomplete="off"
              aria-invalid={problem !== undefined}
              aria-describedby={`${id}-said`}
              onInput={(event) => setLimits({ ...limits, [end]: event.currentTarget.value })}
            />
          </div>
        ))}
      </div>
      <p id={`${id}-said`} class={problem === undefined ? 'note' : 'problem'}>
        {problem ?? note}
      </p>
      <Button type="submit" kind="primary" sends={false}>
        {t.apply}
      </Button>
    </form>
  )
}
