import { useRef, useState } from 'preact/hooks'
import { api } from '../../state/session.ts'
import { isStale, tagged } from '../../state/tagged.ts'
import { efeitoTexts } from '../../state/texts/efeito.ts'
import { gruposTexts } from '../../state/texts/grupos.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { errorText } from '../../ui/states.tsx'
import { sinceOf } from '../../ui/versions.tsx'
import { applied, type Change, type Changes } from './changes.ts'
import { aboutGrupo, type Catalogo, type Grupo, outdateGrupos, permissionText } from './grupo-data.ts'

const loadComparison = async () => ({
  default: (await import('../../ui/versions-dialog.tsx')).VersionsDialog,
})

const idsOf = ({ permissoes }: Grupo) => permissoes.map(({ id }) => id)

/** A group whose permissions somebody else changed since they were shown. */
interface Clash {
  seen: Grupo
  now: Grupo
  change: Change
}

/** Permissions of groups that were compared already, by the ids of the groups. */
type Compared = Map<number, string>

/** Saves what was ticked of a group, as long as its permissions are those that were shown. */
async function saveOne(seen: Grupo, change: Change, compared: Compared): Promise<Clash | null> {
  const params = { id: seen.id }
  const now = await tagged('/api/v1/grupos/{id}', { params })
  const ids = String(idsOf(now))
  if (ids !== String(idsOf(seen)) && ids !== compared.get(seen.id)) return { seen, now, change }
  const body = { permissoes_ids: applied(now, change) }
  try {
    await api.put('/api/v1/grupos/{id}/permissoes', { params, body }, { ifMatch: now.etag })
    return null
  } catch (error) {
    if (!isStale(error)) throw error
    return saveOne(seen, change, compared)
  }
}

interface DifferenceDialogProps {
  grupos: Grupo[]
  catalogo: Catalogo
  changes: Changes
  /** Of what is left to save. */
  onChange(changes: Changes): void
  onDone(): void
  onClose(): void
}

/** Shows the difference of every group and saves them one after the other; a refusal leaves the rest to be tried again. */
export function DifferenceDialog(props: DifferenceDialogProps) {
  const { grupos, catalogo, changes, onChange, onDone, onClose } = props
  const t = texts()
  const own = gruposTexts()
  const words = efeitoTexts()
  const [failedAt, setFailedAt] = useState<string | null>(null)
  const [clash, setClash] = useState<Clash | null>(null)
  const compared = useRef<Compared>(new Map())
  const permissoes = new Map(
    Object.values(catalogo.categorias)
      .flat()
      .map((one) => [one.id, permissionText(one)]),
  )
  const { form, isSending, error, submit } = useSending(async () => {
    const left = new Map(changes)
    try {
      for (const [id, change] of changes) {
        const seen = grupos.find((one) => one.id === id)
        if (seen === undefined) continue
        setFailedAt(seen.nome)
        const found = await saveOne(seen, change, compared.current)
        if (found !== null) return setClash(found)
        left.delete(id)
      }
    } finally {
      // The ticks stay until the groups have them.
      await outdateGrupos()
      onChange(left)
    }
    onDone()
  })
  if (clash !== null)
    return (
      <OnDemand
        load={loadComparison}
        props={{
          before: { permissoes: idsOf(clash.seen) },
          mine: { permissoes: applied(clash.seen, clash.change) },
          theirs: { permissoes: idsOf(clash.now) },
          changed: sinceOf(aboutGrupo(clash.seen), aboutGrupo(clash.now)),
          words: (_field: string, id: unknown) => ({
            label: clash.seen.nome,
            value: [...clash.seen.permissoes, ...clash.now.permissoes]
              .filter((one) => one.id === id)
              .map(permissionText)[0],
          }),
          onSend: () => {
            compared.current.set(clash.now.id, String(idsOf(clash.now)))
            setClash(null)
            void submit(new Event('submit'))
          },
          onClose: () => setClash(null),
        }}
      />
    )
  return (
    <Dialog title={own.differences} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        {error !== null && <Notice kind="error" text={own.failedAt(failedAt ?? '', errorText(error))} />}
        {grupos.map((grupo) => {
          const change = changes.get(grupo.id)
          if (change === undefined) return null
          return (
            <section key={grupo.id}>
              <h3>{own.differenceOf(grupo.nome, grupo.total_usuarios)}</h3>
              <ul class="difference">
                {[...change.gains].map((id) => (
                  <li key={id}>
                    <ins>{words.gains(permissoes.get(id) ?? String(id))}</ins>
                  </li>
                ))}
                {[...change.loses].map((id) => (
                  <li key={id}>
                    <del>{words.loses(permissoes.get(id) ?? String(id))}</del>
                  </li>
                ))}
              </ul>
            </section>
          )
        })}
        <p class="note">{own.effectNote}</p>
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button type="submit" kind="primary" aria-disabled={isSending}>
            {own.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
