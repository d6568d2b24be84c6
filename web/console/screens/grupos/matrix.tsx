import { Fragment } from 'preact'
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

/** Permissions by module against groups. Ticks are collected; those out of the reader's reach stay as they are, and say why. */
export function Matrix({ grupos, catalogo, changes, onChange }: MatrixProps) {
  const t = gruposTexts()
  const mayEdit = holds(['grupos.editar'])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keys
    <section class="table-box matrix" aria-label={t.matrix} tabIndex={0}>
      <table>
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
                    {grupos.map((grupo) => {
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
