import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { holds } from '../../state/session.ts'
import { tagged } from '../../state/tagged.ts'
import { gruposTexts } from '../../state/texts/grupos.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { LeaveQuestion } from '../../ui/leave-question.tsx'
import { Notice } from '../../ui/notice.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Page } from '../../ui/page.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { type Changes, countChanges } from './changes.ts'
import { DifferenceDialog } from './difference-dialog.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { catalogoQuery, type Grupo, grupoHref, gruposQuery, lackingOf } from './grupo-data.ts'
import { Matrix } from './matrix.tsx'
import './styles.ts'

/** Dialogue over the group of now: rows of a list have no version. */
async function loadEdit(id: number) {
  const grupo = await tagged('/api/v1/grupos/{id}', { params: { id } })
  return {
    default: (props: { onDone(): void; onClose(): void }) => <EditDialog grupo={grupo} {...props} />,
  }
}

/** Groups, and what each grants, as one table. */
export default function Grupos() {
  const t = texts()
  const own = gruposTexts()
  const [open, setOpen] = useState<'new' | { edit: number } | null>(null)
  const [isSaved, setSaved] = useState(false)
  const grupos = useQuery(gruposQuery())
  return (
    <Page
      title={t.screens.grupos}
      lead={own.lead}
      actions={
        holds(['grupos.criar']) ? (
          <Button kind="primary" icon="add" onClick={() => setOpen('new')}>
            {own.new}
          </Button>
        ) : undefined
      }
    >
      {isSaved && <Notice kind="done" text={own.saved} />}
      <Answer query={grupos} lines={8}>
        {(all) =>
          all.length === 0 ? (
            <Empty text={own.none} />
          ) : (
            <div class="people form">
              <div class="imports">
                <Table
                  caption={t.screens.grupos}
                  columns={columns()}
                  rows={all}
                  keyOf={({ id }) => id}
                  keys={{
                    open: ({ id }) => grupoHref(id),
                    edit: holds(['grupos.editar'])
                      ? (grupo) => lackingOf(grupo) === undefined && setOpen({ edit: grupo.id })
                      : undefined,
                  }}
                />
              </div>
              <Rights grupos={all} />
            </div>
          )
        }
      </Answer>
      {open === 'new' && <EditDialog grupo={null} onClose={() => setOpen(null)} />}
      {open !== null && open !== 'new' && (
        <OnDemand
          load={() => loadEdit(open.edit)}
          props={{
            onClose: () => setOpen(null),
            onDone: () => {
              setOpen(null)
              setSaved(true)
            },
          }}
        />
      )}
    </Page>
  )
}

function columns(): Column<Grupo>[] {
  const t = gruposTexts()
  return [
    {
      key: 'nome',
      title: t.columns.nome,
      cell: ({ id, nome, descricao }) => (
        <>
          <a href={grupoHref(id)}>{nome}</a>
          {descricao !== null && <small>{descricao}</small>}
        </>
      ),
    },
    { key: 'membros', title: t.columns.membros, cell: ({ total_usuarios }) => t.members(total_usuarios) },
    {
      key: 'permissoes',
      title: t.columns.permissoes,
      cell: ({ permissoes }) => t.permissions(permissoes.length),
    },
    {
      key: 'situacao',
      title: t.columns.situacao,
      cell: ({ ativo, exige_mfa }) => (
        <>
          <span class={ativo ? 'tag green' : 'tag plain'}>{ativo ? t.active : t.inactive}</span>{' '}
          {exige_mfa && <span class="tag amber">{t.factorTag}</span>}
        </>
      ),
    },
  ]
}

/** The matrix and what was ticked in it. */
function Rights({ grupos }: { grupos: Grupo[] }) {
  const t = gruposTexts()
  const [changes, setChanges] = useState<Changes>(new Map())
  const [isReviewing, setReviewing] = useState(false)
  const [isDone, setDone] = useState(false)
  const catalogo = useQuery(catalogoQuery())
  const count = countChanges(changes)
  const discard = () => setChanges(new Map())
  return (
    <section>
      <h2>{t.matrix}</h2>
      {count > 0 && <LeaveQuestion note={t.unsavedLost(count)} onDiscard={discard} />}
      <p class="note">{holds(['grupos.editar']) ? t.matrixLead : t.matrixReadOnly}</p>
      {isDone && <Notice kind="done" text={t.saved} />}
      <Answer query={catalogo} lines={10}>
        {(permissoes) => (
          <>
            <Matrix
              grupos={grupos}
              catalogo={permissoes}
              changes={changes}
              onChange={(next) => {
                setDone(false)
                setChanges(next)
              }}
            />
            {count > 0 && (
              <div class="unsaved">
                <b role="status">{t.unsaved(count)}</b>
                <div class="row">
                  <Button onClick={discard}>{t.discard}</Button>
                  <Button kind="primary" onClick={() => setReviewing(true)}>
                    {t.review}
                  </Button>
                </div>
              </div>
            )}
            {isReviewing && (
              <DifferenceDialog
                grupos={grupos}
                catalogo={permissoes}
                changes={changes}
                onChange={setChanges}
                onDone={() => {
                  setReviewing(false)
                  setDone(true)
                }}
                onClose={() => setReviewing(false)}
              />
            )}
          </>
        )}
      </Answer>
    </section>
  )
}
