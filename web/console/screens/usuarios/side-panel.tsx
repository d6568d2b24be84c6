import { useQuery } from '@tanstack/preact-query'
import { api } from '../../state/session.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { texts } from '../../state/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Answer } from '../../ui/states.tsx'
import { StateTags } from './state-tags.tsx'
import { lugarName, type UsuarioListado, usuarioHref } from './usuario-texts.ts'

/** An account beside the list: what it is and how it is used; everything that changes it is on its own screen. */
export function SidePanel({ listado, onClose }: { listado: UsuarioListado; onClose: () => void }) {
  const t = texts()
  const own = usuariosTexts()
  const { id, nome, email } = listado
  const query = useQuery({
    queryKey: ['usuarios', id, 'beside'],
    queryFn: ({ signal }) =>
      api.get('/api/v1/usuarios/{id}', { params: { id }, query: { include: 'situacao' } }, { signal }),
    placeholderData: () => undefined,
  })
  useKeys({ escape: onClose })
  return (
    <aside class="card summary" aria-label={own.beside}>
      <header>
        <h2>{nome}</h2>
        <button type="button" class="button quiet" aria-label={t.app.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <p class="sub">{email}</p>
      <Answer query={query} lines={6}>
        {({ situacao, ...conta }) => (
          <>
            <p class="row start">
              <StateTags conta={conta} lockedUntil={situacao?.bloqueado_ate} />
              {situacao?.trocar_senha && <span class="tag amber">{own.mustChange}</span>}
            </p>
            <dl class="pairs one">
              {[
                [own.groups, conta.grupos?.map((grupo) => grupo.nome).join(', ') || own.noGroup],
                [own.columns.territorio, conta.territorios.map(lugarName).join(', ') || own.country],
                [own.fields.cargo, conta.cargo ?? ''],
                [own.factor, conta.mfa_habilitado ? own.on : own.off],
                [own.lastUse, conta.ultimo_acesso ? own.moment(new Date(conta.ultimo_acesso)) : own.never],
                [own.effective, own.permissionsOf(listado.total_permissoes)],
              ].map(
                ([name, value]) =>
                  value !== '' && (
                    <div key={name}>
                      <dt>{name}</dt>
                      <dd>{value}</dd>
                    </div>
                  ),
              )}
            </dl>
          </>
        )}
      </Answer>
      <div class="row">
        <a class="button primary" href={usuarioHref(id)}>
          {own.open}
        </a>
      </div>
    </aside>
  )
}
