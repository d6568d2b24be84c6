import { usuariosTexts } from '../../state/texts/usuarios.ts'
import type { Usuario } from './usuario-texts.ts'

const MOST = 10

/** The latest records about the account, in words. */
export function HistoryCard({ conta: { historico = [] } }: { conta: Usuario }) {
  const t = usuariosTexts()
  return (
    <section class="card">
      <h2>{t.history}</h2>
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
