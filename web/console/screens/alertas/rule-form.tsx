import { useState } from 'preact/hooks'
import { ApiError } from '../../api/errors.ts'
import { valorWords } from '../../state/filter-words.ts'
import { api } from '../../state/session.ts'
import { alertasTexts } from '../../state/texts/alertas.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { Refusal } from '../../ui/refusal.tsx'
import { useVersions } from '../../ui/versions.tsx'
import {
  bodyOf,
  type Change,
  changesOf,
  type Form,
  formOf,
  LIMIARES,
  type Limiar,
  numberTyped,
  opened,
  type Regra,
  readRegra,
} from './rule.ts'

interface RuleFormProps {
  regra: Regra
  onDone(): void
  onClose(): void
}

/** Thresholds of one disease; what a change does is told as it is typed. */
export function RuleForm({ regra, onDone, onClose }: RuleFormProps) {
  const t = texts()
  const own = alertasTexts().rules
  const { tipo_agravo } = regra
  const [form, setForm] = useState(() => formOf(regra))
  const [isTried, setTried] = useState(false)
  const isNone = (name: Limiar) => Number.isNaN(numberTyped(form[name]))
  const sending = useSending(async () => {
    setTried(true)
    if (LIMIARES.some(isNone)) return focusFirstProblem(sending.form.current)
    await save(form)
  })
  const { save, conflict } = useVersions<Regra, Form>({
    opened: opened(regra),
    read: () => readRegra(tipo_agravo),
    // The answer has no moment of a rule.
    about: () => ({ recurso: 'alerta_regra', id: tipo_agravo, em: '' }),
    formOf,
    put: (changed, versao) => {
      const body = { tipo_agravo, versao: Number(versao), ...bodyOf(changed) }
      return api.put('/api/v1/agravos/alertas/regras', { body })
    },
    words: (name, value) => ({ label: own.fields[name], value: String(value) }),
    onMerged: setForm,
    onError: sending.setError,
    onDone,
  })
  const { error } = sending
  const problemOf = (name: Limiar) =>
    isTried && isNone(name) ? own.notNumber : error instanceof ApiError ? error.of(name) : undefined
  return (
    <>
      <Dialog title={own.titleOf(valorWords(tipo_agravo, t))} kind="broad" onClose={onClose}>
        <form class="form" ref={sending.form} onSubmit={sending.submit} noValidate>
          {error !== null && <Refusal error={error} />}
          <div class="two">
            {LIMIARES.map((name) => (
              <Field
                key={name}
                label={own.fields[name]}
                note={own.notes[name]}
                value={form[name]}
                maxLength={12}
                autocomplete="off"
                onInput={(value) => setForm({ ...form, [name]: value })}
                problem={problemOf(name)}
              />
            ))}
          </div>
          <Effect changes={changesOf(regra, form)} versao={regra.versao} />
          <div class="row">
            <Button onClick={onClose}>{own.back}</Button>
            <Button type="submit" kind="primary" aria-disabled={sending.isSending}>
              {own.save}
            </Button>
          </div>
        </form>
      </Dialog>
      {conflict}
    </>
  )
}

/** Each threshold that changes with what follows for places, and for which levels it holds; read out as it changes. */
function Effect({ changes, versao }: { changes: Change[]; versao: number }) {
  const own = alertasTexts().rules
  return (
    <div role="status">
      {changes.length > 0 && (
        <section class="rules">
          <h3>{own.effect}</h3>
          <ul>
            {changes.map(({ name, from, to }) => (
              <li key={name}>{own.effectOf(own.fields[name], from, to)}</li>
            ))}
            <li>{own.since(versao + 1)}</li>
          </ul>
        </section>
      )}
    </div>
  )
}
