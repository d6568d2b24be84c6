import { PATHS, pathTo } from '../../paths.ts'
import { isField, isHidden, textOf } from '../../state/caso-campos.ts'
import { type Texts, texts } from '../../state/texts.ts'
import type { Acontecido, Alteracao, Detalhe } from './detalhe.ts'

/** Lines that a case brings with it. */
const MOST = 100

/** Changes with their author and time, newest first; each line leads to the case as it was then. */
export function History({ caso, em }: { caso: Detalhe; em: string | null }) {
  const t = texts()
  const newestFirst = caso.historico.toSorted((one, other) => other.data.localeCompare(one.data))
  return (
    <section class="card">
      <h2>{t.caso.history}</h2>
      <ol class="history">
        {newestFirst.map((line, at) => (
          <li key={`${line.data}-${line.acao}`} aria-current={line.data === em ? 'true' : undefined}>
            <Line line={line} />
            {(at > 0 || em !== null) && line.data !== em && (
              <a
                class="unprinted"
                href={`${pathTo(PATHS.caso, { id: caso.id })}?${new URLSearchParams({ em: line.data })}`}
              >
                {t.caso.seeAsItWas}
              </a>
            )}
          </li>
        ))}
      </ol>
      {caso.historico.length >= MOST && <p class="note">{t.caso.historyMore}</p>}
    </section>
  )
}

function Line({ line: { data, acao, usuario, detalhes } }: { line: Acontecido }) {
  const t = texts()
  const { alteracoes = [], motivo } = detalhes
  return (
    <>
      <p>
        <b>{t.caso.actions[acao] ?? acao}</b>{' '}
        <small>{t.caso.by(usuario?.nome ?? t.caso.somebody, new Date(data))}</small>
      </p>
      {alteracoes.length > 0 && (
        <ul>
          {alteracoes.map((one) => (
            <Change key={one.campo} change={one} />
          ))}
        </ul>
      )}
      {typeof motivo === 'string' && <p>{t.caso.reason(motivo)}</p>}
    </>
  )
}

function Change({ change: { campo, anterior, novo } }: { change: Alteracao }) {
  const t = texts()
  if (!isField(campo)) return <li>{campo}</li>
  const isSealed = isHidden(campo) && anterior === null && novo === null
  return (
    <li>
      {texts().campos[campo]}:{' '}
      {isSealed ? t.caso.sealed : <Values campo={campo} anterior={anterior} novo={novo} t={t} />}
    </li>
  )
}

function Values({ campo, anterior, novo, t }: Alteracao & { campo: Parameters<typeof textOf>[0]; t: Texts }) {
  const said = (value: unknown) => textOf(campo, value, t) || t.caso.nothing
  return (
    <>
      <span class="unseen">{t.caso.changedFrom} </span>
      <del>{said(anterior)}</del> <span aria-hidden="true">→</span>
      <span class="unseen"> {t.caso.changedTo} </span> <ins>{said(novo)}</ins>
    </>
  )
}
