import { PATHS } from '../../paths.ts'
import { holds } from '../../state/session.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import type { Usuario } from './usuario-texts.ts'

const MOST = 10

/** The latest records about the account, in words. */
export function HistoryCard({ conta: { id, historico = [] } }: { conta: Usuario }) {
  const t = usuariosTexts()
  return (
    <section class="card">
      <header class="row">
        <h2>{t.history}</h2>
        {holds(['auditoria.ver']) && (
          <a class="button quiet" href={`${PATHS.auditoria}?ator=${id}`}>
            {t.acts}
          </a>
        )}
      </header>
      {historico.length === 0 ? (
        <p class="note">{t.historyNone}</p>
      ) : (
        <ul class="history">
          {historico.slice(0, MOST).map(({ data, acao, usuario }) => (
            <li key={`${data} ${acao}`}>
              {t.actions[acao] ?? acao}
              <br />
              <small>
                {usuario?.nome ?? t.service} · {t.moment(new Date(data))}
              </small>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
