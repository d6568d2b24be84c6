import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { ApiError } from '../../api/errors.ts'
import { type Valor, valores, word } from '../../state/epizootias.ts'
import { refreshEpizootias } from '../../state/epizootias-keys.ts'
import { api } from '../../state/session.ts'
import { slug } from '../../state/slug.ts'
import { epizootiasTexts } from '../../state/texts/epizootias.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Answer } from '../../ui/states.tsx'

const CAMPOS = ['suspeita', 'especie'] as const satisfies readonly Valor['campo'][]
const MAX_ROTULO = 80
const MAX_CODIGO = 40

/** Suspicions and suggested species: what there is, what nothing uses can go, and more can be added. */
export function ValoresDialog({ onClose }: { onClose(): void }) {
  const t = texts()
  const own = epizootiasTexts().registered
  const query = useQuery({ ...valores(), staleTime: 0 })
  const [removing, setRemoving] = useState<Valor | null>(null)
  const [done, setDone] = useState<string | null>(null)
  /** Why the last one stays. */
  const [kept, setKept] = useState<string | null>(null)
  const onDone = (text: string) => {
    setDone(text)
    setKept(null)
    setRemoving(null)
    void refreshEpizootias()
  }
  const remove = async (valor: Valor) => {
    const { campo, codigo } = valor
    try {
      await api.delete('/api/v1/epizootias/valores/{campo}/{codigo}', { params: { campo, codigo } })
      onDone(own.removed(nameOf(valor)))
    } catch (error) {
      const why = error instanceof ApiError ? error.of('codigo') : undefined
      if (why === undefined) throw error
      setDone(null)
      setKept(`${nameOf(valor)}: ${why}.`)
      setRemoving(null)
    }
  }
  return (
    <>
      <Dialog title={own.title} kind="broad" onClose={onClose}>
        {done !== null && <Notice kind="done" text={done} />}
        {kept !== null && <Notice kind="error" text={kept} />}
        <NewValor onDone={onDone} />
        <Answer query={query} lines={8}>
          {({ items }) => (
            <>
              {CAMPOS.map((campo) => (
                <section key={campo}>
                  <h3>{own.of[campo]}</h3>
                  <ul class="history">
                    {items
                      .filter((one) => one.campo === campo)
                      .map((one) => (
                        <li key={one.codigo} class="row">
                          <span>
                            {nameOf(one)} <small>{one.codigo}</small>
                          </span>
                          <Button aria-label={own.removeOf(nameOf(one))} onClick={() => setRemoving(one)}>
                            {own.remove}
                          </Button>
                        </li>
                      ))}
                  </ul>
                </section>
              ))}
            </>
          )}
        </Answer>
        <div class="row">
          <Button onClick={onClose}>{t.app.close}</Button>
        </div>
      </Dialog>
      {removing !== null && (
        <RemovalDialog
          title={own.removeOf(nameOf(removing))}
          note={own.removeNote}
          action={own.remove}
          remove={() => remove(removing)}
          onClose={() => setRemoving(null)}
        />
      )}
    </>
  )
}

/** Suspicions that are shipped have words in every language; species are offered as they were registered. */
const nameOf = (valor: Valor) => (valor.campo === 'suspeita' ? word(valor.codigo, [valor]) : valor.rotulo)

const NEW: Valor = { campo: 'suspeita', codigo: '', rotulo: '' }

/** Its code, which never changes, follows the name until somebody types another one. */
function NewValor({ onDone }: { onDone(text: string): void }) {
  const own = epizootiasTexts().registered
  const [valor, setValor] = useState(NEW)
  const [isTried, setTried] = useState(false)
  const { campo, codigo, rotulo } = valor
  const sending = useSending(async () => {
    setTried(true)
    if (rotulo.trim() === '' || codigo.trim() === '') return focusFirstProblem(sending.form.current)
    const made = await api.post('/api/v1/epizootias/valores', {
      body: { ...valor, codigo: codigo.trim(), rotulo: rotulo.trim() },
    })
    setTried(false)
    setValor({ ...NEW, campo })
    onDone(own.added(made.rotulo))
  })
  const { error } = sending
  const problemOf = (name: 'codigo' | 'rotulo') =>
    isTried && valor[name].trim() === ''
      ? epizootiasTexts().form.required
      : error instanceof ApiError
        ? error.of(name)
        : undefined
  const rename = (next: string) =>
    setValor({
      ...valor,
      rotulo: next,
      ...(codigo === slug(rotulo, MAX_CODIGO) && { codigo: slug(next, MAX_CODIGO) }),
    })
  return (
    <form class="form" ref={sending.form} onSubmit={sending.submit} noValidate>
      {error !== null && <Refusal error={error} />}
      <div class="two">
        <SelectField
          label={own.kind}
          value={campo}
          options={CAMPOS.map((value) => ({ value, label: own.kinds[value] }))}
          onChange={(next) => setValor({ ...valor, campo: next })}
          note={own.notes[campo]}
        />
        <Field
          label={own.name}
          value={rotulo}
          maxLength={MAX_ROTULO}
          autocomplete="off"
          onInput={rename}
          problem={problemOf('rotulo')}
        />
        <Field
          label={own.code}
          value={codigo}
          maxLength={MAX_CODIGO}
          autocomplete="off"
          onInput={(next) => setValor({ ...valor, codigo: next })}
          note={own.codeNote}
          problem={problemOf('codigo')}
        />
      </div>
      <div class="row end">
        <Button type="submit" kind="primary" icon="add" aria-disabled={sending.isSending}>
          {own.add}
        </Button>
      </div>
    </form>
  )
}
