import { useId, useState } from 'preact/hooks'
import { holdsIn } from '../../state/condicoes.ts'
import { agravosTexts } from '../../state/texts/agravos.ts'
import { texts } from '../../state/texts.ts'
import { type CampoProprio, isPropria, type Linha } from './definicao-data.ts'

type Values = Readonly<Record<string, unknown>>

/** The form as the rows make it: it can be tried, and shows and hides as the conditions say. */
export function Preview({ linhas }: { linhas: readonly Linha[] }) {
  const own = agravosTexts().preview
  const [values, setValues] = useState<Values>({})
  const campos = linhas
    .filter(isPropria)
    .map(({ campo }) => campo)
    .filter(({ ativo, rotulo }) => ativo && rotulo.trim() !== '')
  const names = new Set(campos.map(({ nome }) => nome))
  /** Standard fields are not tried here: what they decide is shown. */
  const isShown = ({ mostrar_quando = [], mostrar_quando_modo: modo }: CampoProprio) => {
    const condicoes = mostrar_quando.filter(({ campo }) => names.has(campo))
    return condicoes.length === 0 || holdsIn({ modo, condicoes }, values)
  }
  const grupos = Map.groupBy(campos.filter(isShown), ({ grupo }) => grupo)
  return (
    <>
      <h2 id="como-fica">{own.title}</h2>
      <p class="note">{campos.length === 0 ? own.empty : own.lead}</p>
      {[...grupos].map(([grupo, list]) => (
        <section key={grupo}>
          {grupo !== '' && <h3>{grupo}</h3>}
          {list.map((campo) => (
            <Control
              key={campo.nome}
              campo={campo}
              value={values[campo.nome]}
              onValue={(value) => setValues({ ...values, [campo.nome]: value })}
            />
          ))}
        </section>
      ))}
    </>
  )
}

interface ControlProps {
  campo: CampoProprio
  value: unknown
  onValue(value: unknown): void
}

function Control({ campo, value, onValue }: ControlProps) {
  const t = texts()
  const id = useId()
  const { rotulo, tipo, opcoes, ajuda, obrigatorio } = campo
  const isChoice = tipo === 'bool' || tipo === 'opcao' || tipo === 'opcoes'
  const options =
    tipo === 'bool'
      ? (['sim', 'nao'] as const).map((one) => ({ value: one as string, label: t.valores[one] }))
      : opcoes.filter(({ ativo }) => ativo).map(({ codigo, rotulo }) => ({ value: codigo, label: rotulo }))
  const typed = (text: string) => {
    if (text === '') return onValue(null)
    onValue(tipo === 'inteiro' || tipo === 'numero' ? Number(text) : text)
  }
  return (
    <div class="field">
      <label for={id}>
        {rotulo}
        {obrigatorio && <span aria-hidden="true"> *</span>}
      </label>
      {isChoice ? (
        <select
          id={id}
          class="input"
          value={typeof value === 'boolean' ? (value ? 'sim' : 'nao') : String(value ?? '')}
          onChange={({ currentTarget: { value: chosen } }) =>
            onValue(chosen === '' ? null : tipo === 'bool' ? chosen === 'sim' : chosen)
          }
        >
          <option value="">{texts().formulario.choose}</option>
          {options.map((one) => (
            <option key={one.value} value={one.value}>
              {one.label}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          class="input"
          autocomplete="off"
          placeholder={tipo === 'data' ? texts().formulario.datePlaceholder : ''}
          value={String(value ?? '')}
          onInput={(event) => typed(event.currentTarget.value)}
        />
      )}
      {ajuda !== undefined && <p class="note">{ajuda}</p>}
    </div>
  )
}
