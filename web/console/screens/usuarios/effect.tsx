import type { Permission } from '../../../../src/caller/permissions.ts'
import { gruposTexts } from '../../state/texts/grupos.ts'
import { permissoesTexts } from '../../state/texts/permissoes.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'

/** What an account gains and loses, in words. */
interface EffectProps {
  gains: readonly string[]
  loses: readonly string[]
  more?: readonly string[]
  /** Nothing is told of a form that is as it was opened. */
  isChanged: boolean
}

/** Effect of a form before it is saved, read out as it changes. */
export function Effect({ gains, loses, more = [], isChanged }: EffectProps) {
  const own = usuariosTexts()
  const words = gruposTexts()
  const isNone = gains.length + loses.length + more.length === 0
  return (
    <div role="status">
      {isChanged && (
        <section class="rules">
          <h3>{own.difference}</h3>
          {isNone ? (
            <p>{own.noDifference}</p>
          ) : (
            <ul class="difference">
              {gains.map((one) => (
                <li key={one}>
                  <ins>{words.gains(one)}</ins>
                </li>
              ))}
              {loses.map((one) => (
                <li key={one}>
                  <del>{words.loses(one)}</del>
                </li>
              ))}
              {more.map((one) => (
                <li key={one}>{one}</li>
              ))}
            </ul>
          )}
        </section>
      )}
    </div>
  )
}

/** Permissions that are gained and lost; to whom `admin` stays, no other makes a difference. */
export function rightsEffect(
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): Pick<EffectProps, 'gains' | 'loses'> {
  if (before.has('admin') && after.has('admin')) return { gains: [], loses: [] }
  const words = (of: ReadonlySet<string>, but: ReadonlySet<string>) =>
    [...of].filter((nome) => !but.has(nome)).map((nome) => permissoesTexts()[nome as Permission] ?? nome)
  return { gains: words(after, before), loses: words(before, after) }
}

/** True where both have the same, whatever the order. */
export const isSame = <T,>(one: readonly T[], other: ReadonlySet<T>): boolean =>
  one.length === other.size && one.every((item) => other.has(item))
