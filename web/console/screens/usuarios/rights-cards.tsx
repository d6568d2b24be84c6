import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { Permission } from '../../../../src/caller/permissions.ts'
import { rightsQuery } from '../../state/rights.ts'
import { holds } from '../../state/session.ts'
import { permissoesTexts } from '../../state/texts/permissoes.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { Button } from '../../ui/button.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Answer } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import type { UsuarioAberto } from './usuario-texts.ts'

const loadGroups = async () => ({ default: (await import('./groups-dialog.tsx')).GroupsDialog })
const loadPermissions = async () => ({
  default: (await import('./permissions-dialog.tsx')).PermissionsDialog,
})

/** Groups, direct permissions, and all that follows from both, with its source. */
export function RightsCards({ conta, onDone }: { conta: UsuarioAberto; onDone(text: string): void }) {
  const t = usuariosTexts()
  const permissions = permissoesTexts()
  const [open, setOpen] = useState<'groups' | 'permissions' | null>(null)
  const close = () => setOpen(null)
  const saved = () => {
    close()
    onDone(t.saved)
  }
  const rights = useQuery(rightsQuery(conta.id))
  const { grupos = [], permissoes_diretas = [] } = conta
  return (
    <>
      <section class="card">
        <header class="row">
          <h2>{t.groups}</h2>
          {holds(['usuarios.gerenciar_grupos', 'grupos.listar']) && (
            <Button onClick={() => setOpen('groups')}>{t.changeGroups}</Button>
          )}
        </header>
        {grupos.length === 0 ? (
          <p>{t.noGroup}</p>
        ) : (
          <ul class="history">
            {grupos.map(({ id, nome, descricao, permissoes_count }) => (
              <li key={id}>
                <b>{nome}</b> <small>{t.permissionsOf(permissoes_count)}</small>
                {descricao !== null && (
                  <>
                    <br />
                    <small>{descricao}</small>
                  </>
                )}
              </li>
            ))}
          </ul>
        )}
      </section>
      <section class="card">
        <header class="row">
          <h2>{t.direct}</h2>
          {holds(['usuarios.gerenciar_permissoes', 'usuarios.editar']) && (
            <Button onClick={() => setOpen('permissions')}>{t.changeDirect}</Button>
          )}
        </header>
        {permissoes_diretas.length === 0 ? (
          <p class="note">{t.directNone}</p>
        ) : (
          <ul class="history">
            {permissoes_diretas.map(({ id, nome }) => (
              <li key={id}>
                {permissions[nome as Permission] ?? nome} <small>{nome}</small>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section class="card">
        <h2>{t.effective}</h2>
        <Answer query={rights} lines={6}>
          {({ fontes, tem_permissao_admin }) => (
            <>
              {tem_permissao_admin && <p class="notice info">{t.allRights}</p>}
              {fontes.length === 0 && !tem_permissao_admin ? (
                <p class="note">{t.noRights}</p>
              ) : (
                <div class="imports rights">
                  <Table
                    caption={t.effective}
                    columns={[
                      {
                        key: 'permissao',
                        title: t.permission,
                        cell: ({ nome }) => (
                          <>
                            {permissions[nome as Permission] ?? nome}
                            <small>{nome}</small>
                          </>
                        ),
                      },
                      {
                        key: 'fonte',
                        title: t.source,
                        cell: ({ direta, grupos: de }) =>
                          [...(direta ? [t.ownSource] : []), ...de.map(t.groupSource)].join(', '),
                      },
                    ]}
                    rows={fontes}
                    keyOf={({ nome }) => nome}
                  />
                </div>
              )}
            </>
          )}
        </Answer>
      </section>
      {open === 'groups' && <OnDemand load={loadGroups} props={{ conta, onDone: saved, onClose: close }} />}
      {open === 'permissions' && (
        <OnDemand load={loadPermissions} props={{ conta, onDone: saved, onClose: close }} />
      )}
    </>
  )
}
