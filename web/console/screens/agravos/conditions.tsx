import { valorWords } from '../../state/filter-words.ts'
import { agravosTexts } from '../../state/texts/agravos.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Words } from './basic.tsx'
import type { CampoProprio, Condicao, LinhaPropria } from './definicao-data.ts'

const MOST = 8
const OPS = ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte', 'presente', 'ausente'] as const
const MODOS = ['todos', 'algum'] as const

/** Standard fields that conditions most often look at. */
const STANDARD: Record<string, Pick<CampoProprio, 'tipo'> & { codigos?: readonly string[] }> = {
  paciente_sexo: { tipo: 'opcao', codigos: ['M', 'F', 'I'] },
  paciente_idade: { tipo: 'inteiro' },
  paciente_gestante: { tipo: 'bool' },
  hospitalizacao: { tipo: 'bool' },
  evolucao: { tipo: 'opcao', codigos: ['cura', 'obito', 'obito_outras_causas', 'ignorado'] },
}

interface ConditionsProps {
  title: string
  condicoes: readonly Condicao[]
  modo: CampoProprio['mostrar_quando_modo']
  /** Own fields that a condition may name: those before. */
  before: readonly LinhaPropria[]
  onChange(condicoes: Condicao[]): void
  onModo(modo: CampoProprio['mostrar_quando_modo']): void
}

export function Conditions({ title, condicoes, modo, before, onChange, onModo }: ConditionsProps) {
  const own = agravosTexts().campos
  const put = (place: number, condicao: Condicao) => onChange(condicoes.toSpliced(place, 1, condicao))
  const first = before.at(-1)?.campo.nome ?? 'hospitalizacao'
  return (
    <fieldset class="plain">
      <legend>{title}</legend>
      {condicoes.map((condicao, place) => (
        <Condition
          key={place}
          condicao={condicao}
          place={place}
          before={before}
          onChange={(next) => put(place, next)}
          onRemove={() => onChange(condicoes.toSpliced(place, 1))}
        />
      ))}
      {condicoes.length > 1 && (
        <SelectField
          label={own.modo}
          value={modo}
          options={MODOS.map((value) => ({ value, label: own.modos[value] }))}
          onChange={onModo}
        />
      )}
      {condicoes.length < MOST && (
        <Button
          kind="quiet"
          icon="add"
          onClick={() => onChange([...condicoes, { campo: first, op: 'eq', valor: firstOf(first, before) }])}
        >
          {own.addCondition}
        </Button>
      )}
    </fieldset>
  )
}

interface Testado {
  tipo: CampoProprio['tipo']
  codigos: readonly { value: string; label: string }[]
}

/** Kind and codes of the field that a condition looks at. */
function testadoOf(nome: string, before: readonly LinhaPropria[]): Testado {
  const t = texts()
  const own = before.find(({ campo }) => campo.nome === nome)?.campo
  if (own !== undefined)
    return {
      tipo: own.tipo,
      codigos: own.opcoes.map(({ codigo, rotulo }) => ({ value: codigo, label: rotulo })),
    }
  const { tipo = 'texto', codigos = [] } = STANDARD[nome] ?? {}
  return { tipo, codigos: codigos.map((value) => ({ value, label: valorWords(value, t) })) }
}

/** A value that the field can have, to begin with. */
function firstOf(nome: string, before: readonly LinhaPropria[]): string | number | boolean {
  const { tipo, codigos } = testadoOf(nome, before)
  if (tipo === 'bool') return true
  if (tipo === 'inteiro' || tipo === 'numero') return 0
  return codigos[0]?.value ?? ''
}

interface ConditionProps {
  condicao: Condicao
  place: number
  before: readonly LinhaPropria[]
  onChange(condicao: Condicao): void
  onRemove(): void
}

function Condition({ condicao, place, before, onChange, onRemove }: ConditionProps) {
  const t = texts()
  const own = agravosTexts().campos
  const { campo, op } = condicao
  const named = [
    ...before.map(({ campo: { nome, rotulo } }) => ({ value: nome, label: rotulo })),
    ...Object.keys(STANDARD).map((value) => ({
      value,
      label: (t.campos as Record<string, string>)[value] ?? value,
    })),
  ]
  const fields = named.some(({ value }) => value === campo)
    ? named
    : [...named, { value: campo, label: campo }]
  const withOp = (next: Condicao['op']): Condicao => {
    if (next === 'presente' || next === 'ausente') return { campo, op: next }
    const valor = condicao.valor ?? firstOf(campo, before)
    if (next === 'in') return { campo, op: next, valor: Array.isArray(valor) ? valor : [valor] }
    return { campo, op: next, valor: Array.isArray(valor) ? (valor[0] ?? firstOf(campo, before)) : valor }
  }
  return (
    <div class="condicao">
      <SelectField
        label={own.campo}
        value={campo}
        options={fields}
        onChange={(next) => onChange({ campo: next, op: 'eq', valor: firstOf(next, before) })}
      />
      <SelectField
        label={own.op}
        value={op}
        options={OPS.map((value) => ({ value, label: own.ops[value] }))}
        onChange={(next) => onChange(withOp(next))}
      />
      <Value condicao={condicao} testado={testadoOf(campo, before)} onChange={onChange} />
      <Button kind="quiet" icon="close" aria-label={own.removeCondition(place + 1)} onClick={onRemove}>
        {''}
      </Button>
    </div>
  )
}

interface ValueProps {
  condicao: Condicao
  testado: Testado
  onChange(condicao: Condicao): void
}

function Value({ condicao, testado: { tipo, codigos }, onChange }: ValueProps) {
  const t = texts()
  const own = agravosTexts().campos
  const { op, valor } = condicao
  if (op === 'presente' || op === 'ausente') return <span />
  if (op === 'in')
    return (
      <Words
        label={own.valor}
        words={(Array.isArray(valor) ? valor : []).map(String)}
        onWords={(words) => onChange({ ...condicao, valor: words })}
      />
    )
  if (tipo === 'bool')
    return (
      <SelectField
        label={own.valor}
        value={valor === false ? 'nao' : 'sim'}
        options={(['sim', 'nao'] as const).map((value) => ({ value, label: t.valores[value] }))}
        onChange={(next) => onChange({ ...condicao, valor: next === 'sim' })}
      />
    )
  if (codigos.length > 0)
    return (
      <SelectField
        label={own.valor}
        value={String(valor ?? '')}
        options={codigos}
        onChange={(next) => onChange({ ...condicao, valor: next })}
      />
    )
  const isNumber = tipo === 'inteiro' || tipo === 'numero'
  return (
    <Field
      label={own.valor}
      value={String(valor ?? '')}
      onInput={(text) =>
        onChange({ ...condicao, valor: isNumber ? Number(text.replace(',', '.')) || 0 : text })
      }
    />
  )
}
