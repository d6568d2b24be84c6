import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { exec, useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { holds } from '../../state/session.ts'
import { type Tagged, tagged } from '../../state/tagged.ts'
import { gruposTexts } from '../../state/texts/grupos.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Answer } from '../../ui/states.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { type Grupo as Conjunto, lackingOf, permissionText } from './grupo-data.ts'
import { MembersCard } from './members-card.tsx'
import './styles.ts'

/** One group: its members and what it grants. */
export default function Grupo() {
  const t = texts()
  const own = gruposTexts()
  const { path } = useLocation()
  const id = Number(exec(path, PATHS.grupo)?.params.id)
  const [isDone, setDone] = useState(false)
  const query = useQuery({
    queryKey: ['grupos', id],
    queryFn: ({ signal }) => tagged('/api/v1/grupos/{id}', { params: { id } }, signal),
  })
  return (
    <>
      <a class="back" href={PATHS.grupos}>
        {own.back}
      </a>
      <Page
        title={query.data?.nome ?? t.screens.grupo}
        {...(query.data?.descricao && { lead: query.data.descricao })}
        actions={
          query.data === undefined ? undefined : <Actions grupo={query.data} onDone={() => setDone(true)} />
        }
      >
        {isDone && <Notice kind="done" text={own.saved} />}
        <Answer query={query} lines={10}>
          {(grupo) => <Parts grupo={grupo} />}
        </Answer>
      </Page>
    </>
  )
}

function Parts({ grupo }: { grupo: Conjunto }) {
  const t = gruposTexts()
  const lacking = lackingOf(grupo)
  return (
    <div class="case people">
      <div class="case-blocks">
        {lacking !== undefined && <p class="notice info">{t.groupAbove(permissionText(lacking))}</p>}
        {!grupo.ativo && <p class="notice info">{t.activeNote}</p>}
        {grupo.exige_mfa && <p class="notice info">{t.requiresFactorNote}</p>}
        <MembersCard
          grupo={grupo}
          mayChange={lacking === undefined && holds(['usuarios.gerenciar_permissoes'])}
        />
      </div>
      <div class="case-side">
        <section class="card">
          <header class="row">
            <h2>{t.permissionsTitle}</h2>
            {holds(['grupos.editar']) && (
              <a class="button plain" href={PATHS.grupos}>
                {t.toMatrix}
              </a>
            )}
          </header>
          {grupo.permissoes.length === 0 ? (
            <p class="note">{t.permissionsNone}</p>
          ) : (
            <ul class="history">
              {grupo.permissoes.map((permissao) => (
                <li key={permissao.id}>
                  {permissionText(permissao)}
                  <br />
                  <small>{permissao.nome}</small>
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
    </div>
  )
}

/** Nothing for those who hold less than the group grants. */
function Actions({ grupo, onDone }: { grupo: Tagged<Conjunto>; onDone(): void }) {
  const t = gruposTexts()
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const isAbove = lackingOf(grupo) !== undefined
  useKeys(!isAbove && holds(['grupos.editar']) ? { e: () => setOpen('edit') } : {})
  if (isAbove) return null
  return (
    <>
      {holds(['grupos.deletar']) && <Button onClick={() => setOpen('delete')}>{t.delete}</Button>}
      {holds(['grupos.editar']) && (
        <Button kind="primary" icon="edit" onClick={() => setOpen('edit')}>
          {t.edit}
        </Button>
      )}
      {open === 'edit' && (
        <EditDialog
          grupo={grupo}
          onDone={() => {
            close()
            onDone()
          }}
          onClose={close}
        />
      )}
      {open === 'delete' && <DeleteDialog grupo={grupo} onClose={close} />}
    </>
  )
}
