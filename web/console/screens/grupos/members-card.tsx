import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { AnswerOf } from '../../api/rows.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { api, holds } from '../../state/session.ts'
import { gruposTexts } from '../../state/texts/grupos.ts'
import { Button } from '../../ui/button.tsx'
import { NoSuchPage } from '../../ui/near-filters.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Answer, errorText } from '../../ui/states.tsx'
import { type Pessoa, UsuarioField } from '../../ui/usuario-field.tsx'
import { type Grupo, grupoHref, outdateGrupos } from './grupo-data.ts'

type Membro = AnswerOf<'GET', '/api/v1/grupos/{grupo_id}/usuarios'>['usuarios'][number]

const SIZE = 25

/** Members within reach; people are added by name and leave with one click. */
export function MembersCard({ grupo, mayChange }: { grupo: Grupo; mayChange: boolean }) {
  const t = gruposTexts()
  const { query: address } = useLocation()
  const [person, setPerson] = useState<Pessoa | null>(null)
  const [said, setSaid] = useState<{ kind: 'done' | 'error'; text: string } | null>(null)
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
  const act = async (send: () => Promise<unknown>, done: string) => {
    try {
      await send()
      setPerson(null)
      setSaid({ kind: 'done', text: done })
      void outdateGrupos()
    } catch (error) {
      setSaid({ kind: 'error', text: errorText(error) })
    }
  }
  const path = '/api/v1/grupos/{grupo_id}/usuarios/{usuario_id}' as const
  const add = (pessoa: Pessoa) =>
    act(() => api.post(path, { params: { grupo_id, usuario_id: pessoa.id } }), t.added(pessoa.nome))
  const remove = ({ id, nome }: Membro) =>
    act(() => api.delete(path, { params: { grupo_id, usuario_id: id } }), t.removed(nome))
  return (
    <section class="card">
      <h2>{t.membersTitle}</h2>
      {said !== null && <Notice kind={said.kind} text={said.text} />}
      {mayChange && holds(['usuarios.listar']) && (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault()
            if (person !== null) void add(person)
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
            <Button type="submit" aria-disabled={person === null}>
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
                        onClick={() => void remove(membro)}
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
