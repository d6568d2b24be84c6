import { useState } from 'preact/hooks'
import { PATHS } from '../../paths.ts'
import { holds } from '../../state/session.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { Button } from '../../ui/button.tsx'
import type { Usuario } from './usuario-texts.ts'

const MOST = 10

/** The latest records about the account, in words; the others on demand. */
export function HistoryCard({ conta: { id, historico = [] } }: { conta: Usuario }) {
  const t = usuariosTexts()
  const [isWhole, setWhole] = useState(false)
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
          {historico.slice(0, isWhole ? historico.length : MOST).map(({ data, acao, usuario }) => (
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
      {!isWhole && historico.length > MOST && (
        <Button kind="quiet" onClick={() => setWhole(true)}>
          {t.historyAll(historico.length)}
        </Button>
      )}
    </section>
  )
}
