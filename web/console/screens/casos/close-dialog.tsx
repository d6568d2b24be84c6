import { useQueries } from '@tanstack/preact-query'
import { useId, useState } from 'preact/hooks'
import { CRITERIOS, EVOLUCOES } from '../../../../src/domain/casos/enumeracoes.ts'
import { isConhecido } from '../../state/agravos.ts'
import { valorWords } from '../../state/filter-words.ts'
import { addedCodes, codigosIn, formularioOf } from '../../state/formularios.ts'
import { api, cache } from '../../state/session.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { errorText } from '../../ui/states.tsx'
import { classificacoesOf } from './classificacoes.ts'
import type { CasoListado } from './row.ts'

interface Outcome {
  caso: CasoListado
  problem: string | null
}

interface CloseDialogProps {
  casos: Pick<CasoListado, 'id' | 'tipo_agravo' | 'numero_notificacao'>[]
  today: string
  /** Entity tag, where one case is closed that is on the screen. */
  ifMatch?: string
  onClose: () => void
}

/** Closes cases with a classification, one change each: what the service refuses is named with its reason and can be tried again, the rest is done. */
export function CloseDialog({ casos: given, today, ifMatch, onClose }: CloseDialogProps) {
  const t = texts()
  const [casos, setCasos] = useState(given)
  const id = useId()
  const tipos = [...new Set(casos.map(({ tipo_agravo }) => tipo_agravo))]
  const codesFor = useCodes(tipos)
  const [classificacao, setClassificacao] = useState('')
  const [criterio, setCriterio] = useState('')
  const [evolucao, setEvolucao] = useState('')
  const [outcomes, setOutcomes] = useState<Outcome[] | null>(null)
  const [isTried, setTried] = useState(false)
  const isRunning = outcomes !== null && outcomes.length < casos.length
  const run = async (event: Event) => {
    event.preventDefault()
    setTried(true)
    if (classificacao === '' || isRunning) return
    const body = {
      classificacao_final: classificacao,
      data_encerramento: today,
      ...(criterio !== '' && { criterio_confirmacao: criterio }),
      ...(evolucao !== '' && { evolucao }),
    }
    const done: Outcome[] = []
    setOutcomes([])
    for (const caso of casos as CasoListado[]) {
      const problem = await closeOne(caso.id, body, ifMatch)
      done.push({ caso, problem })
      setOutcomes([...done])
    }
    await cache.invalidateQueries({
      predicate: ({ queryKey }) => ['casos', 'caso'].includes(String(queryKey[0])),
    })
  }
  const refused = outcomes?.filter(({ problem }) => problem !== null) ?? []
  /** Requests under way are seen to their end. */
  const close = () => {
    if (!isRunning) onClose()
  }
  /** Back to the choices, for those that are not closed yet. */
  const again = () => {
    setCasos(refused.map(({ caso }) => caso))
    setOutcomes(null)
  }
  const select = (label: string, value: string, values: readonly string[], set: (value: string) => void) => (
    <div class="field">
      <label for={`${id}-${label}`}>{label}</label>
      <select
        id={`${id}-${label}`}
        class="input"
        value={value}
        onChange={(event) => set(event.currentTarget.value)}
      >
        <option value="">{t.casos.unchanged}</option>
        {values.map((one) => (
          <option key={one} value={one}>
            {valorWords(one, t)}
          </option>
        ))}
      </select>
    </div>
  )
  return (
    <Dialog title={t.casos.closeTitle(casos.length)} onClose={close}>
      {outcomes === null ? (
        <form class="form" onSubmit={run}>
          {select(
            texts().campos.classificacao_final,
            classificacao,
            codesFor('classificacao_final', classificacoesOf(tipos.filter(isConhecido))),
            setClassificacao,
          )}
          {isTried && classificacao === '' && (
            <p class="problem" role="alert">
              {t.casos.classificacaoMissing}
            </p>
          )}
          {select(
            texts().campos.criterio_confirmacao,
            criterio,
            codesFor('criterio_confirmacao', CRITERIOS),
            setCriterio,
          )}
          {select(texts().campos.evolucao, evolucao, codesFor('evolucao', EVOLUCOES), setEvolucao)}
          <p class="note">{t.casos.closeNote(t.filtros.day(today))}</p>
          <div class="row">
            <Button onClick={onClose}>{t.app.cancel}</Button>
            <Button type="submit" kind="primary">
              {t.casos.closeCases}
            </Button>
          </div>
        </form>
      ) : (
        <div class="form">
          <progress
            max={casos.length}
            value={outcomes.length}
            aria-label={t.casos.closeTitle(casos.length)}
          />
          <p role="status">{t.casos.closed(outcomes.length - refused.length, casos.length)}</p>
          {refused.length > 0 && (
            <ul class="refused">
              {refused.map(({ caso, problem }) => (
                <li key={caso.id}>
                  <b>{caso.numero_notificacao}</b> {problem}
                </li>
              ))}
            </ul>
          )}
          <div class="row">
            {refused.length > 0 && !isRunning && (
              <Button icon="retry" onClick={again}>
                {t.casos.closeAgain}
              </Button>
            )}
            <Button kind="primary" onClick={close} aria-disabled={isRunning}>
              {t.app.close}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  )
}

/** Codes that cases of all of these diseases can have; `known`: those that the known ones among them have everywhere. */
function useCodes(tipos: readonly string[]) {
  const found = useQueries({
    queries: tipos.map((tipo) => formularioOf(tipo)),
  })
  return (nome: string, known: readonly string[]): readonly string[] => {
    const lists = tipos.map((tipo, at) => {
      const formulario = found[at]?.data
      if (isConhecido(tipo)) return [...known, ...addedCodes(formulario, nome)]
      return codigosIn(formulario, nome) ?? []
    })
    return (lists[0] ?? []).filter((codigo) => lists.every((list) => list.includes(codigo)))
  }
}

async function closeOne(id: number, body: object, ifMatch: string | undefined): Promise<string | null> {
  try {
    const options = ifMatch === undefined ? {} : { ifMatch }
    await api.put('/api/v1/agravos/casos/{id}', { params: { id }, body: body as never }, options)
    return null
  } catch (error) {
    return problemsOf(error)
  }
}

/** The API's words, with those of each field. */
function problemsOf(error: unknown): string {
  const details = (error as { details?: ({ message: string } | string)[] }).details ?? []
  const messages = details.map((detail) => (typeof detail === 'string' ? detail : detail.message))
  return messages.length > 0 ? messages.join('; ') : errorText(error)
}
