import { useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { dateInBrazil } from '../../../../src/brasil/calendar.ts'
import { ApiError } from '../../api/errors.ts'
import { draftAt } from '../../state/drafts.ts'
import { valores, word } from '../../state/epizootias.ts'
import { epizootiasTexts } from '../../state/texts/epizootias.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { DraftLine } from '../../ui/draft-line.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { FoundDrafts } from '../../ui/found-drafts.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import { Failure } from '../../ui/states.tsx'
import { FIELDS, type Name, type Problems, problemsOf, SECTIONS, type Typed } from './fields.ts'
import { FormField } from './form-field.tsx'

interface EventFormProps {
  /** Of its draft. */
  uuid: string
  /** Event that it changes; null: a new one. */
  id: number | null
  typed: Typed
  onType(next: Typed): void
  /** Address that leaving leads to. */
  back: string
  send(today: string): Promise<void>
  /** Above the fields: what happened before. */
  children?: ComponentChildren
}

/** The form of an event. Problems stand at their fields, those of the service too, until the field is typed in again. */
export function EventForm({ uuid, id, typed, onType, back, send, children }: EventFormProps) {
  const t = texts()
  const own = epizootiasTexts()
  const registrados = useQuery(valores())
  const { data } = registrados
  const { path } = useLocation()
  const [today] = useState(() => dateInBrazil(new Date()))
  const [isTried, setTried] = useState(false)
  /** Fields that were typed in since the service answered. */
  const [mended, setMended] = useState<ReadonlySet<Name>>(new Set())
  const problems: Problems = isTried ? problemsOf(typed, today) : {}
  const { form, isSending, error, submit } = useSending(async () => {
    setTried(true)
    setMended(new Set())
    if (Object.keys(problemsOf(typed, today)).length > 0) return focusFirstProblem(form.current)
    await send(today)
  })
  const problemAt = (name: Name) =>
    problems[name] ?? (error instanceof ApiError && !mended.has(name) ? error.of(name) : undefined)
  const optionsOf = (name: Name) => {
    const { kind, options = [] } = FIELDS[name]
    if (name === 'mes_ocorrencia')
      return options.map((value) => ({ value, label: own.form.months[Number(value) - 1] ?? value }))
    if (kind === 'yes-no')
      return [
        { value: 'sim', label: own.yes },
        { value: 'nao', label: own.no },
      ]
    if (name !== 'suspeita' && name !== 'especie')
      return options.map((value) => ({ value, label: word(value) }))
    const registered = (data?.items ?? []).filter(({ campo }) => campo === name)
    if (name === 'especie') return registered.map(({ rotulo }) => ({ value: rotulo, label: rotulo }))
    const codes = registered.map(({ codigo }) => codigo)
    // A stored one stays to be seen until the list has come.
    return (typed.suspeita === '' || codes.includes(typed.suspeita) ? codes : [typed.suspeita, ...codes]).map(
      (value) => ({ value, label: word(value, data?.items) }),
    )
  }
  const count = Object.keys(FIELDS).filter((name) => problemAt(name as Name) !== undefined).length
  return (
    <form class="animal-form" ref={form} onSubmit={submit} noValidate autocomplete="off">
      {children}
      <FoundDrafts
        alvo={{ formulario: 'epizootia', id }}
        said={own.form.foundDraft}
        except={uuid}
        hrefOf={(one) => draftAt(path, one)}
      />
      {error !== null && <Refusal error={error} />}
      {/* Without them no suspicion can be chosen. */}
      {data === undefined && registrados.isError && (
        <Failure error={registrados.error} onRetry={() => void registrados.refetch()} />
      )}
      {SECTIONS.map(([section, names]) => (
        <section class="card" key={section} aria-label={own.detail.sections[section]}>
          <h2>{own.detail.sections[section]}</h2>
          <div class="fields">
            {names.map((name) => (
              <FormField
                key={name}
                name={name}
                value={typed[name]}
                today={today}
                options={optionsOf(name)}
                problem={problemAt(name)}
                onType={(value) => {
                  setMended(new Set([...mended, name]))
                  onType({ ...typed, [name]: value })
                }}
              />
            ))}
          </div>
        </section>
      ))}
      <div class="row start">
        <Button type="submit" kind="primary" aria-disabled={isSending}>
          {isSending ? own.form.saving : own.form.save}
        </Button>
        <a class="button plain" href={back}>
          {t.app.cancel}
        </a>
        <DraftLine uuid={uuid} />
        {count > 0 && (
          <p class="problem" role="status">
            {own.form.problems(count)}
          </p>
        )}
      </div>
    </form>
  )
}
