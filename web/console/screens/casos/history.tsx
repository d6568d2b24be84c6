import { useState } from 'preact/hooks'
import type { FieldName } from '../../../../src/domain/casos/campos.ts'
import type { AlteracaoDoCaso } from '../../../../src/domain/casos/view.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { isField, isHidden, textOf } from '../../state/caso-campos.ts'
import type { FormularioDoAgravo } from '../../state/formularios.ts'
import { api } from '../../state/session.ts'
import { type Texts, texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import type { Acontecido, Detalhe } from './detalhe.ts'
import { ownField, ownText } from './own-fields.tsx'

/** Lines of a page; a case brings the first with it. */
const SIZE = 100

interface HistoryProps {
  caso: Detalhe
  em: string | null
  formulario: FormularioDoAgravo | undefined
}

/** Changes with their author and time, newest first; each line leads to the case as it was then. */
export function History({ caso, em, formulario }: HistoryProps) {
  const t = texts()
  const { lines, more, isLoading, error } = useHistory(caso)
  const newestFirst = lines.toSorted((one, other) => other.data.localeCompare(one.data))
  return (
    <section class="card">
      <h2>{t.caso.history}</h2>
      <ol class="history">
        {newestFirst.map((line, at) => (
          <li key={keyOf(line)} aria-current={line.data === em ? 'true' : undefined}>
            <Line line={line} formulario={formulario} />
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
      {error !== null && <Refusal error={error} />}
      {more !== null && (
        <Button kind="quiet" aria-disabled={isLoading} onClick={more}>
          {t.caso.historyMore}
        </Button>
      )}
    </section>
  )
}

/** Lines of a case and the way to older ones, until the first: its registration. */
function useHistory({ id, historico }: Detalhe) {
  const [older, setOlder] = useState<Acontecido[]>([])
  const [isLoading, setLoading] = useState(false)
  const [error, setError] = useState<unknown>(null)
  // A change meanwhile moves the pages by a line, which then comes twice.
  const lines = [...new Map([...historico, ...older].map((line) => [keyOf(line), line])).values()]
  const load = async () => {
    if (isLoading) return
    setLoading(true)
    setError(null)
    const query = { page: Math.floor(lines.length / SIZE) + 1, size: SIZE }
    try {
      const { items } = await api.get('/api/v1/agravos/casos/{id}/historico', { params: { id }, query })
      setOlder([...older, ...(items as unknown as Acontecido[])])
    } catch (failure) {
      setError(failure)
    } finally {
      setLoading(false)
    }
  }
  const isWhole = lines.length < SIZE || lines.some(({ acao }) => acao === 'criado')
  return { lines, more: isWhole ? null : () => void load(), isLoading, error }
}

const keyOf = ({ data, acao }: Acontecido) => `${data}-${acao}`

type OfDisease = Pick<HistoryProps, 'formulario'>

function Line({ line: { data, acao, usuario, detalhes }, formulario }: OfDisease & { line: Acontecido }) {
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
            <Change key={one.campo} change={one} formulario={formulario} />
          ))}
        </ul>
      )}
      {typeof motivo === 'string' && <p>{t.caso.reason(motivo)}</p>}
    </>
  )
}

function Change({ change, formulario }: OfDisease & { change: AlteracaoDoCaso }) {
  const { campo, anterior, novo, rotulo } = change
  const t = texts()
  const own = ownField(formulario, campo)
  if (!isField(campo) && own === undefined) return <li>{rotulo ?? campo}</li>
  const isSealed = (own?.sigiloso ?? isHidden(campo as FieldName)) && anterior === null && novo === null
  const said = (value: unknown, worded: string | null | undefined) =>
    (worded ?? (own === undefined ? textOf(campo as FieldName, value, t) : ownText(own, value, t))) ||
    t.caso.nothing
  return (
    <li>
      {rotulo ?? own?.rotulo ?? t.campos[campo as FieldName]}:{' '}
      {isSealed ? (
        t.caso.sealed
      ) : (
        <Values
          anterior={said(anterior, change.rotulo_anterior)}
          novo={said(novo, change.rotulo_novo)}
          t={t}
        />
      )}
    </li>
  )
}

function Values({ anterior, novo, t }: { anterior: string; novo: string; t: Texts }) {
  return (
    <>
      <span class="unseen">{t.caso.changedFrom} </span>
      <del>{anterior}</del> <span aria-hidden="true">→</span>
      <span class="unseen"> {t.caso.changedTo} </span> <ins>{novo}</ins>
    </>
  )
}
