import type { Permission } from '../../../../src/caller/permissions.ts'
import type { AnswerOf } from '../../api/rows.ts'
import { holds } from '../../state/session.ts'
import { permissoesTexts } from '../../state/texts/permissoes.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { GivenCheck } from './given-check.tsx'

interface GroupChoicesProps {
  grupos: AnswerOf<'GET', '/api/v1/grupos'>['grupos']
  chosen: ReadonlySet<number>
  onChange(chosen: Set<number>): void
}

/** Groups to tick; one that grants more than the person at the console holds stays as it is, and says so. */
export function GroupChoices({ grupos, chosen, onChange }: GroupChoicesProps) {
  const own = usuariosTexts()
  return (
    <>
      {grupos.map(({ id, nome, descricao, permissoes }) => {
        const lacking = permissoes.find((one) => !holds([one.nome as Permission]))
        return (
          <GivenCheck
            key={id}
            label={nome}
            note={
              lacking === undefined
                ? (descricao ?? undefined)
                : own.cannotGiveGroup(permissoesTexts()[lacking.nome as Permission] ?? lacking.nome)
            }
            checked={chosen.has(id)}
            isFixed={lacking !== undefined}
            onChange={(isOn) => onChange(toggled(chosen, id, isOn))}
          />
        )
      })}
    </>
  )
}

export function toggled(chosen: ReadonlySet<number>, id: number, isOn: boolean): Set<number> {
  const next = new Set(chosen)
  if (isOn) next.add(id)
  else next.delete(id)
  return next
}
