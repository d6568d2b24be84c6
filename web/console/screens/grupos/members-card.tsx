import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { PATHS, pathTo } from '../../paths.ts'
import { api, holds } from '../../state/session.ts'
import { gruposTexts } from '../../state/texts/grupos.ts'
import { Button } from '../../ui/button.tsx'
import { NoSuchPage } from '../../ui/near-filters.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Answer } from '../../ui/states.tsx'
import { type Pessoa, UsuarioField } from '../../ui/usuario-field.tsx'
import { type Grupo, grupoHref } from './grupo-data.ts'
import { MemberDialog, type Step } from './member-dialog.tsx'

const SIZE = 25

/** Members within reach; what somebody gains or loses by the group is told before they join or leave it. */
export function MembersCard({ grupo, mayChange }: { grupo: Grupo; mayChange: boolean }) {
  const t = gruposTexts()
  const { query: address } = useLocation()
  const [person, setPerson] = useState<Pessoa | null>(null)
  const [open, setOpen] = useState<{ step: Step; pessoa: Pick<Pessoa, 'id' | 'nome'> } | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const page = Math.max(1, Math.trunc(Number(address.pagina)) || 1)
  const grupo_id = grupo.id
  const members = useQuery({
    queryKey: ['grupos', grupo_id, 'membros', page],
    queryFn: ({ signal }) =>
      api.get(
        '/api/v1/grupos/{grupo_id}/usuarios',
        { params: { grupo_id }, query: { page, size: SIZE } },
        { signal },
      ),
  })
  const ask = (step: Step, pessoa: Pick<Pessoa, 'id' | 'nome'>) => {
    setDone(null)
    setOpen({ step, pessoa })
  }
  return (
    <section class="card">
      <h2>{t.membersTitle}</h2>
      {done !== null && <Notice kind="done" text={done} />}
      {open !== null && (
        <MemberDialog
          grupo={grupo}
          {...open}
          onDone={() => {
            if (open.step === 'add') setPerson(null)
            setDone(open.step === 'add' ? t.added(open.pessoa.nome) : t.removed(open.pessoa.nome))
            setOpen(null)
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {mayChange && holds(['usuarios.listar']) && (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault()
            if (person !== null) ask('add', person)
          }}
        >
          <UsuarioField
            label={t.addLabel}
            value={person}
            onChange={setPerson}
            except={(members.data?.usuarios ?? []).map(({ id }) => id)}
            hint={t.personHint}
            none={t.personNone}
          />
          <div class="row">
            <Button type="submit" sends={false} aria-disabled={person === null}>
              {t.add}
            </Button>
          </div>
        </form>
      )}
      <Answer query={members} lines={6}>
        {({ usuarios, total, pages, size }) =>
          total === 0 ? (
            <p class="note">{t.membersNone}</p>
          ) : usuarios.length === 0 ? (
            <NoSuchPage page={page} href={grupoHref(grupo_id)} />
          ) : (
            <>
              <ul class="history">
                {usuarios.map((membro) => (
                  <li key={membro.id} class="row">
                    <span>
                      {holds(['usuarios.listar']) ? (
                        <a href={pathTo(PATHS.usuario, { id: membro.id })}>{membro.nome}</a>
                      ) : (
                        membro.nome
                      )}
                      <br />
                      <small>
                        {membro.email}
                        {!membro.ativo && ` · ${t.inactiveMember}`}
                      </small>
                    </span>
                    {mayChange && (
                      <Button
                        kind="quiet"
                        aria-label={t.removeOf(membro.nome)}
                        onClick={() => ask('remove', membro)}
                      >
                        {t.remove}
                      </Button>
                    )}
                  </li>
                ))}
              </ul>
              <Pager
                page={page}
                pages={pages}
                size={size}
                total={total}
                hrefOf={(next) =>
                  next === 1 ? grupoHref(grupo_id) : `${grupoHref(grupo_id)}?pagina=${next}`
                }
              />
            </>
          )
        }
      </Answer>
    </section>
  )
}
