import { useId } from 'preact/hooks'
import { choose, DENSIDADES, type Densidade, preferences } from '../../state/preferences.ts'
import { contaTexts } from '../../state/texts/conta.ts'

/** Height of the rows of tables. */
export function Density() {
  const own = contaTexts().preferences
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{own.density}</label>
      <select
        id={id}
        class="input"
        value={preferences.value.densidade}
        onChange={(event) => choose({ densidade: event.currentTarget.value as Densidade })}
      >
        {DENSIDADES.map((one) => (
          <option key={one} value={one}>
            {own.densities[one]}
          </option>
        ))}
      </select>
    </div>
  )
}
