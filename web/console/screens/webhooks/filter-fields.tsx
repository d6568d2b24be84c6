import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { ESTADOS_IBGE } from '../../../../src/brasil/uf.ts'
import { agravos } from '../../state/agravos.ts'
import { NIVEIS } from '../../state/alertas.ts'
import { valores, word } from '../../state/epizootias.ts'
import { valorWords } from '../../state/filter-words.ts'
import { holds } from '../../state/session.ts'
import { webhooksTexts } from '../../state/texts/webhooks.ts'
import { texts } from '../../state/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { MunicipioField, useMunicipioNome } from '../../ui/municipio-field.tsx'
import type { Webhook } from './webhook-words.ts'

type Filtros = Webhook['filtros']

interface FilterFieldsProps {
  filtros: Filtros
  onChange(filtros: Filtros): void
}

/** Narrows the events of cases, alerts and animals; nothing chosen lets everything pass. */
export function FilterFields({ filtros, onChange }: FilterFieldsProps) {
  const t = texts()
  const own = webhooksTexts()
  const set = (name: keyof Filtros) => (values: string[]) => onChange({ ...filtros, [name]: values })
  return (
    <fieldset class="options">
      <legend>{own.filters}</legend>
      <p class="note">{own.form.filtersNote}</p>
      <Options
        label={own.form.agravos}
        options={agravos().map((value) => ({ value, label: valorWords(value, t) }))}
        chosen={filtros.tipo_agravo}
        onChange={set('tipo_agravo')}
      />
      <Options
        label={own.form.niveis}
        options={NIVEIS.map((value) => ({ value, label: t.niveis.nomes[value] }))}
        chosen={filtros.nivel}
        onChange={set('nivel')}
      />
      <Suspeitas chosen={filtros.suspeita} onChange={set('suspeita')} />
      <details open={filtros.estado.length > 0}>
        <summary>
          {own.form.estados}: {own.form.estadosCount(filtros.estado.length)}
        </summary>
        <Options
          label={own.form.estados}
          isLabelSeen={false}
          options={ESTADOS_IBGE.map(({ uf, nome }) => ({ value: uf, label: nome }))}
          chosen={filtros.estado}
          onChange={set('estado')}
        />
      </details>
      <Municipios chosen={filtros.municipio} onChange={set('municipio')} />
    </fieldset>
  )
}

interface OptionsProps {
  label: string
  isLabelSeen?: boolean
  options: readonly { value: string; label: string }[]
  chosen: readonly string[]
  onChange(values: string[]): void
}

function Options({ label, isLabelSeen = true, options, chosen, onChange }: OptionsProps) {
  return (
    <fieldset class="inline">
      <legend class={isLabelSeen ? undefined : 'unseen'}>{label}</legend>
      {options.map((option) => (
        <label key={option.value} class="option">
          <input
            type="checkbox"
            checked={chosen.includes(option.value)}
            onChange={(event) =>
              onChange(
                event.currentTarget.checked
                  ? [...chosen, option.value]
                  : chosen.filter((one) => one !== option.value),
              )
            }
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** Suspicions to choose from: the registered ones, and chosen ones that are no longer registered. */
function Suspeitas({ chosen, onChange }: Pick<OptionsProps, 'chosen' | 'onChange'>) {
  const { data } = useQuery({ ...valores(), enabled: holds(['epizootias.listar']) })
  const registered = data?.items.filter(({ campo }) => campo === 'suspeita') ?? []
  const codes = new Set([...registered.map(({ codigo }) => codigo), ...chosen])
  if (codes.size === 0) return null
  const options = [...codes].map((value) => ({ value, label: word(value, registered) }))
  return <Options label={webhooksTexts().form.suspeitas} {...{ options, chosen, onChange }} />
}

/** One after the other; each is emptied into the list below it. */
function Municipios({ chosen, onChange }: { chosen: readonly string[]; onChange(codes: string[]): void }) {
  const own = webhooksTexts().form
  const [text, setText] = useState<string | null>(null)
  return (
    <>
      <MunicipioField
        // A new field after each choice: the last text is in the list.
        key={chosen.length}
        label={own.addMunicipio}
        value={text}
        onChoose={(municipio) => {
          setText(null)
          if (municipio !== null && !chosen.includes(municipio.codigo))
            onChange([...chosen, municipio.codigo])
        }}
        onText={setText}
      />
      {chosen.length > 0 && (
        <ul class="chips" aria-label={own.municipios}>
          {chosen.map((codigo) => (
            <li key={codigo}>
              <Municipio codigo={codigo} onRemove={() => onChange(chosen.filter((one) => one !== codigo))} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Municipio({ codigo, onRemove }: { codigo: string; onRemove(): void }) {
  const name = useMunicipioNome(codigo) ?? codigo
  return (
    <button
      type="button"
      class="chip"
      aria-label={webhooksTexts().form.removeMunicipio(name)}
      onClick={onRemove}
    >
      <span>{name}</span>
      <Icon name="close" />
    </button>
  )
}
