import { Fragment } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Permission } from '../../../../src/caller/permissions.ts'
import { holds } from '../../state/session.ts'
import { gruposTexts } from '../../state/texts/grupos.ts'
import { type Changes, changed, isChanged, isGranted } from './changes.ts'
import { type Catalogo, type Grupo, grupoHref, lackingOf, permissionText } from './grupo-data.ts'

interface MatrixProps {
  grupos: Grupo[]
  catalogo: Catalogo
  changes: Changes
  onChange(changes: Changes): void
}

/** Rows and columns that a key goes on; at the edges it stays. */
const STEPS: Record<string, readonly [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** Roving tab index: the table is one stop of Tab, arrows go from tick to tick. By Tab alone its end is hundreds of stops away. */
function useTicks(rows: number, columns: number) {
  const table = useRef<HTMLTableElement>(null)
  const [focused, setFocused] = useState(0)
  // A group may have gone since.
  const at = Math.min(focused, rows * columns - 1)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const ticks = [...(table.current?.querySelectorAll('input') ?? [])]
    const from = ticks.indexOf(event.target as HTMLInputElement)
    if (step === undefined || from < 0) return
    event.preventDefault()
    const column = (from % columns) + step[1]
    if (column < 0 || column >= columns) return
    ticks[from + step[0] * columns + step[1]]?.focus()
  }
  return {
    table: { ref: table, onKeyDown },
    tickOf: (row: number, column: number) => {
      const index = row * columns + column
      return { tabIndex: index === at ? 0 : -1, onFocus: () => setFocused(index) }
    },
  }
}

/** Permissions by module against groups. Ticks are collected; those out of the reader's reach stay as they are, and say why. */
export function Matrix({ grupos, catalogo, changes, onChange }: MatrixProps) {
  const t = gruposTexts()
  const mayEdit = holds(['grupos.editar'])
  const rows = Object.values(catalogo.categorias).flat()
  const { table, tickOf } = useTicks(rows.length, grupos.length)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keys
    <section class="table-box matrix" aria-label={t.matrix} tabIndex={0}>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are gone through by arrows is a grid */}
      <table role="grid" {...table}>
        <caption class="unseen">{t.matrix}</caption>
        <thead>
          <tr>
            <th scope="col">{t.permission}</th>
            {grupos.map(({ id, nome }) => (
              <th key={id} scope="col">
                <a href={grupoHref(id)}>{nome}</a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Object.entries(catalogo.categorias).map(([modulo, permissoes]) => (
            <Fragment key={modulo}>
              <tr class="module-name">
                <th scope="rowgroup" colSpan={grupos.length + 1}>
                  {t.modules[modulo] ?? modulo}
                </th>
              </tr>
              {permissoes.map((permissao) => {
                const isHeld = holds([permissao.nome as Permission])
                return (
                  <tr key={permissao.id}>
                    <th scope="row">
                      {permissionText(permissao)}
                      {!isHeld && <small>{t.lackedNote}</small>}
                    </th>
                    {grupos.map((grupo, column) => {
                      const lacking = lackingOf(grupo)
                      const why =
                        lacking !== undefined
                          ? t.groupAbove(permissionText(lacking))
                          : isHeld
                            ? undefined
                            : t.youLack
                      const isFixed = !mayEdit || why !== undefined
                      return (
                        <td
                          key={grupo.id}
                          class={isChanged(changes, grupo, permissao.id) ? 'changed' : undefined}
                        >
                          <input
                            type="checkbox"
                            {...tickOf(rows.indexOf(permissao), column)}
                            aria-label={t.cell(permissionText(permissao), grupo.nome)}
                            aria-disabled={isFixed}
                            title={why}
                            checked={isGranted(changes, grupo, permissao.id)}
                            onClick={(event) => {
                              if (isFixed) event.preventDefault()
                            }}
                            onChange={(event) => {
                              if (!isFixed)
                                onChange(changed(changes, grupo, permissao.id, event.currentTarget.checked))
                            }}
                          />
                        </td>
                      )
                    })}
                  </tr>
                )
              })}
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  )
}
