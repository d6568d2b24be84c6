import { useEffect, useId, useState } from 'preact/hooks'
import {
  CRITERIOS,
  EVOLUCOES,
  FAIXAS_ETARIAS,
  RACAS,
  SEXOS,
  STATUS,
  ZONAS,
} from '../../../src/domain/casos/enumeracoes.ts'
import { faixaOf, idadesOf } from '../state/faixas.ts'
import { type ChipName, type FilterRules, type Filters, SIM_NAO } from '../state/filter-address.ts'
import { valorWords } from '../state/filter-words.ts'
import { campoIn, camposIn, codigosIn, type FormularioDoAgravo } from '../state/formularios.ts'
import { type Texts, texts } from '../state/texts.ts'
import { Button } from './button.tsx'
import type { Counts, CountsByFilter } from './filter-bar.tsx'

/** Filters with a list of values, in the order of the panel. */
export const MORE = {
  sexo: SEXOS,
  raca: RACAS,
  gestante: SIM_NAO,
  zona: ZONAS,
  hospitalizacao: SIM_NAO,
  evolucao: EVOLUCOES,
  criterio: CRITERIOS,
  status: STATUS,
} as const satisfies Partial<Record<ChipName, readonly string[]>>

/** Filters whose values a definition decides, by their fields. */
const FIELDS: Partial<Record<keyof typeof MORE, string>> = {
  evolucao: 'evolucao',
  criterio: 'criterio_confirmacao',
}

const nameOf = (nome: string) => `dados_especificos.${nome}`
const LOGICAL = { true: 'sim', false: 'nao' } as const

/** Filter by an own field in words; by its codes while the form is not known. */
export function especificoWords(
  formulario: FormularioDoAgravo | undefined,
  nome: string,
  value: string,
  t: Texts,
): { name: string; value: string } {
  const campo = campoIn(formulario, nameOf(nome))
  const option = campo?.opcoes.find(({ codigo }) => codigo === value)
  return {
    name: campo?.rotulo ?? nome,
    value: option?.rotulo ?? valorWords(LOGICAL[value as keyof typeof LOGICAL] ?? value, t),
  }
}

interface MoreFiltersProps {
  filters: Filters
  rules: FilterRules
  /** Of the chosen disease, where it has a definition. */
  formulario: FormularioDoAgravo | undefined
  set(next: Partial<Filters>): void
  counts: CountsByFilter
  close(): void
}

export function MoreFilters({ filters, rules, formulario, set, counts, close }: MoreFiltersProps) {
  const t = texts()
  const { especificos } = filters
  const own = rules.isCounted ? [] : camposIn(formulario).filter(({ filtravel }) => filtravel)
  return (
    <div class="panel more-filters">
      {Object.entries(MORE).map(([name, values]) => (
        <Choice
          key={name}
          label={t.filtros.names[name as keyof typeof MORE]}
          options={(codigosIn(formulario, FIELDS[name as keyof typeof MORE] ?? '') ?? values).map(
            (value) => ({
              value,
              label: valorWords(value, t),
            }),
          )}
          value={filters[name as keyof typeof MORE]}
          counts={counts[name as ChipName]}
          onChange={(value) => set({ [name]: value })}
        />
      ))}
      {own.map(({ nome: sent, rotulo, tipo, opcoes }) => {
        const nome = sent.slice(nameOf('').length)
        return (
          <Choice
            key={sent}
            label={rotulo}
            options={
              tipo === 'bool'
                ? Object.entries(LOGICAL).map(([value, word]) => ({ value, label: t.valores[word] }))
                : opcoes.map(({ codigo, rotulo }) => ({ value: codigo, label: rotulo }))
            }
            value={especificos[nome] ?? null}
            counts={undefined}
            onChange={(value) => {
              const { [nome]: _, ...others } = especificos
              set({ especificos: value === null ? others : { ...others, [nome]: value } })
            }}
          />
        )
      })}
      <Choice
        label={t.filtros.names.faixa}
        options={FAIXAS_ETARIAS.map((value) => ({ value, label: t.painel.age(value) }))}
        value={faixaOf(filters)}
        counts={counts.faixa}
        onChange={(value) => set(idadesOf(value))}
      />
      <Typed name="idade_de" filters={filters} set={set} pattern={/^\d{1,3}$/} />
      <Typed name="idade_ate" filters={filters} set={set} pattern={/^\d{1,3}$/} />
      <Typed name="cnes" filters={filters} set={set} pattern={/^\d{1,7}$/} counts={counts.cnes} />
      <div class="row">
        <Button kind="primary" onClick={close}>
          {t.app.close}
        </Button>
      </div>
    </div>
  )
}

interface ChoiceProps {
  label: string
  options: readonly { value: string; label: string }[]
  value: string | null
  counts: Counts | undefined
  onChange(value: string | null): void
}

function Choice({ label, options, value, counts, onChange }: ChoiceProps) {
  const t = texts()
  const id = useId()
  const count = (one: string) => (counts === undefined ? '' : ` (${t.filtros.number(counts.get(one) ?? 0)})`)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input"
        value={value ?? ''}
        onChange={(event) => onChange(event.currentTarget.value || null)}
      >
        <option value="">{t.filtros.any}</option>
        {options.map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
            {count(one.value)}
          </option>
        ))}
      </select>
    </div>
  )
}

interface TypedProps {
  name: 'idade_de' | 'idade_ate' | 'cnes'
  filters: Filters
  set(next: Partial<Filters>): void
  pattern: RegExp
  /** Values to choose from, beside any other. */
  counts?: Counts | undefined
}

/** Numbers, applied when the field is left or with Enter. */
function Typed({ name, filters, set, pattern, counts }: TypedProps) {
  const { filtros: t, casos } = texts()
  const [id, listId] = [useId(), useId()]
  const [text, setText] = useState(filters[name] ?? '')
  // An age group sets both ages.
  useEffect(() => setText(filters[name] ?? ''), [filters[name]])
  const apply = () => {
    const value = text.trim() === '' ? null : text.trim()
    if (value !== null && !pattern.test(value)) return setText(filters[name] ?? '')
    if (value !== filters[name]) set({ [name]: value })
  }
  return (
    <div class="field">
      <label for={id}>{t.names[name]}</label>
      <input
        id={id}
        class="input"
        type="text"
        inputMode="numeric"
        autocomplete="off"
        maxLength={name === 'cnes' ? 7 : 3}
        list={counts && listId}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={apply}
        onKeyDown={(event) => {
          if (event.key === 'Enter') apply()
        }}
      />
      {counts !== undefined && (
        <datalist id={listId}>
          {[...counts].map(
            ([value, total]) =>
              value !== '' && <option key={value} value={value} label={casos.cases(total)} />,
          )}
        </datalist>
      )}
    </div>
  )
}
