import type { Permission } from '../../../src/caller/permissions.ts'
import { efeitoTexts } from '../state/texts/efeito.ts'
import { permissoesTexts } from '../state/texts/permissoes.ts'

/** What an account gains and loses, in words. */
interface EffectProps {
  /** Where nothing is saved. */
  title?: string
  gains: readonly string[]
  loses: readonly string[]
  more?: readonly string[]
  /** Nothing is told of a form that is as it was opened. */
  isChanged: boolean
}

/** Effect of a form before it is saved, read out as it changes. */
export function Effect({ title, gains, loses, more = [], isChanged }: EffectProps) {
  const t = efeitoTexts()
  const isNone = gains.length + loses.length + more.length === 0
  return (
    <div role="status">
      {isChanged && (
        <section class="rules">
          <h3>{title ?? t.difference}</h3>
          {isNone ? (
            <p>{t.noDifference}</p>
          ) : (
            <ul class="difference">
              {gains.map((one) => (
                <li key={one}>
                  <ins>{t.gains(one)}</ins>
                </li>
              ))}
              {loses.map((one) => (
                <li key={one}>
                  <del>{t.loses(one)}</del>
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
