import { computed, effect, type Signal, untracked } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { FieldName } from '../../../../src/domain/casos/campos.ts'
import type { AnswerOf } from '../../api/rows.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { api, holds } from '../../state/session.ts'
import { texts } from '../../state/texts.ts'
import { writeDate } from '../../ui/date-text.ts'
import type { Values } from './ficha.ts'
import type { CaseForm } from './form-state.ts'
import type { bodyOf as toBody } from './record.ts'

export type Verificado = AnswerOf<'POST', '/api/v1/agravos/casos/verificar'>

/** Fields by which another case is recognised, and the place. */
const TELLING: FieldName[] = [
  'tipo_agravo',
  'numero_notificacao',
  'data_notificacao',
  'data_inicio_sintomas',
  'paciente_data_nascimento',
  'paciente_sexo',
  'municipio_residencia',
  'estado_residencia',
  'dados_especificos.municipio_notificacao',
]
const PAUSE_MS = 800

const isEnough = (values: Values) =>
  values.tipo_agravo != null && (values.municipio_residencia != null || values.numero_notificacao != null)

/** Findings of the service before anything is written: cases that this one may repeat, a place outside the territory. */
function useVerified({ form, casoId, verified, bodyOf }: SimilarProps): void {
  useEffect(() => {
    const asked = computed(() => {
      const { value } = casoId === null ? form.values : form.changes
      const telling = TELLING.flatMap((nome) => (value[nome] == null ? [] : [[nome, value[nome]]]))
      // As text: the same fields are not asked about twice.
      return JSON.stringify(Object.fromEntries(telling))
    })
    return effect(() => {
      const values = JSON.parse(asked.value) as Values
      const isAsked = casoId === null ? isEnough(values) : Object.keys(values).length > 0
      if (!isAsked || !untracked(() => holds(['agravos.criar']))) {
        verified.value = null
        return
      }
      const stop = new AbortController()
      const timer = setTimeout(async () => {
        const body = { ...bodyOf(values), ...(casoId !== null && { id: casoId }) }
        // Advice: without it the form goes on, and sending is judged all the same.
        const answer = await api
          .post('/api/v1/agravos/casos/verificar', { body }, { signal: stop.signal })
          .catch(() => null)
        if (!stop.signal.aborted) verified.value = answer
      }, PAUSE_MS)
      return () => {
        clearTimeout(timer)
        stop.abort()
      }
    })
  }, [form])
}

export interface SimilarProps {
  form: CaseForm
  casoId: number | null
  verified: Signal<Verificado | null>
  /** Of the form that shows it: code that both have. */
  bodyOf: typeof toBody
}

export function Similar(props: SimilarProps) {
  const { form, verified } = props
  useVerified(props)
  const t = texts().formulario
  const found = verified.value?.possiveis_duplicados ?? []
  const isOutside =
    verified.value?.fora_do_territorio === true && form.values.value.municipio_residencia != null
  return (
    <div aria-live="polite" class="advice">
      {isOutside && <p class="card warning">{t.outside}</p>}
      {found.length > 0 && (
        <section class="card warning" aria-labelledby="parecidos">
          <h2 id="parecidos">{t.duplicates.title}</h2>
          <p class="note">{t.duplicates.lead}</p>
          <ul>
            {found.map(({ id, numero_notificacao, data_notificacao, motivo }) => (
              <li key={id}>
                <a href={pathTo(PATHS.caso, { id })} target="_blank" rel="noopener">
                  {t.duplicates.caso(numero_notificacao, writeDate(data_notificacao))}
                </a>
                <small>{t.duplicates.motivos[motivo]}</small>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
