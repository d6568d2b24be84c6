import { agravosTexts } from '../../state/texts/agravos.ts'
import { texts } from '../../state/texts.ts'
import { Check, Field } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Words } from './basic.tsx'
import { Conditions } from './conditions.tsx'
import type { CampoProprio, LinhaPropria, Mudanca } from './definicao-data.ts'
import { NumberField } from './fields.tsx'

interface FieldDetailsProps {
  linha: LinhaPropria
  before: readonly LinhaPropria[]
  onChange(part: Mudanca): void
}

/** All of a field that most fields do without. */
export function FieldDetails({ linha: { campo, isStored }, before, onChange }: FieldDetailsProps) {
  const own = agravosTexts().campos
  const text = (key: 'ajuda' | 'rotulo_en' | 'rotulo_es', label: string, max: number) => (
    <Field
      label={label}
      value={campo[key] ?? ''}
      maxLength={max}
      onInput={(value) => onChange({ [key]: value === '' ? undefined : value })}
    />
  )
  return (
    <div class="linha-more">
      <div class="grid">
        {!isStored && (
          <Field
            label={own.nome}
            value={campo.nome}
            maxLength={40}
            note={own.nomeNote}
            onInput={(nome) => onChange({ nome })}
          />
        )}
        {text('ajuda', own.ajuda, 500)}
        {text('rotulo_en', own.en, 200)}
        {text('rotulo_es', own.es, 200)}
        <Words label={own.sinan} words={campo.sinan} onWords={(sinan) => onChange({ sinan })} />
        {campo.tipo === 'numero' && (
          <NumberField label={own.casas} value={campo.casas} onNumber={(casas) => onChange({ casas })} />
        )}
        {campo.tipo === 'texto' && (
          <NumberField label={own.max} value={campo.max} onNumber={(max) => onChange({ max })} />
        )}
        {campo.tipo === 'data' && <DateOrder campo={campo} before={before} onChange={onChange} />}
      </div>
      <div class="choices-row">
        <Check
          label={own.obrigatorio}
          checked={campo.obrigatorio}
          onChange={(obrigatorio) => onChange({ obrigatorio })}
        />
        {!isStored && (
          <Check
            label={own.sigiloso}
            checked={campo.sigiloso}
            onChange={(sigiloso) => onChange({ sigiloso })}
          />
        )}
        {(campo.tipo === 'bool' || campo.tipo === 'opcao') && (
          <Check
            label={own.filtravel}
            checked={campo.filtravel}
            onChange={(filtravel) => onChange({ filtravel })}
          />
        )}
      </div>
      <Conditions
        title={own.mostrar}
        condicoes={campo.mostrar_quando ?? []}
        modo={campo.mostrar_quando_modo}
        before={before}
        onChange={(condicoes) => onChange({ mostrar_quando: condicoes.length === 0 ? undefined : condicoes })}
        onModo={(mostrar_quando_modo) => onChange({ mostrar_quando_modo })}
      />
      <Conditions
        title={own.exigir}
        condicoes={campo.obrigatorio_quando ?? []}
        modo={campo.obrigatorio_quando_modo}
        before={before}
        onChange={(condicoes) =>
          onChange({ obrigatorio_quando: condicoes.length === 0 ? undefined : condicoes })
        }
        onModo={(obrigatorio_quando_modo) => onChange({ obrigatorio_quando_modo })}
      />
    </div>
  )
}

const STANDARD_DATES = ['data_inicio_sintomas', 'data_notificacao', 'data_internacao', 'data_obito'] as const

interface DateOrderProps {
  campo: CampoProprio
  before: readonly LinhaPropria[]
  onChange(part: Mudanca): void
}

/** Dates that this one may not be before, or after. */
function DateOrder({ campo, before, onChange }: DateOrderProps) {
  const t = texts()
  const own = agravosTexts().campos
  const options = [
    { value: '', label: own.nenhuma },
    ...STANDARD_DATES.map((value) => ({ value: value as string, label: t.campos[value] })),
    ...before
      .filter(({ campo: { tipo } }) => tipo === 'data')
      .map(({ campo: { nome, rotulo } }) => ({ value: nome, label: rotulo })),
  ]
  const select = (key: 'depois_de' | 'antes_de', label: string) => (
    <SelectField
      label={label}
      value={campo[key] ?? ''}
      options={options}
      onChange={(value) => onChange({ [key]: value === '' ? undefined : value })}
    />
  )
  return (
    <>
      {select('depois_de', own.depois)}
      {select('antes_de', own.antes)}
    </>
  )
}
