import { useState } from 'preact/hooks'
import { dateInBrazil } from '../../../../src/brasil/calendar.ts'
import { ApiError } from '../../api/errors.ts'
import { pessoasTexts } from '../../state/texts/pessoas.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { MunicipioField } from '../../ui/municipio-field.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import { type Busca, EMPTY, problemsOf } from './busca.ts'

export const MAX_MOTIVO = 300
const MAX_NOME = 200

/** Asks for a person; what it needs and that it is recorded is told before it is sent. */
export function SearchForm({ search }: { search(busca: Busca, today: string): Promise<void> }) {
  const t = pessoasTexts()
  const [busca, setBusca] = useState(EMPTY)
  const [isTried, setTried] = useState(false)
  const today = dateInBrazil(new Date())
  const problems = problemsOf(busca, today)
  const { form, isSending, error, submit } = useSending(async () => {
    setTried(true)
    if (Object.keys(problems).length > 0) return focusFirstProblem(form.current)
    await search(busca, today)
  })
  const change = (part: Partial<Busca>) => setBusca({ ...busca, ...part })
  const problemOf = (name: keyof Busca) => {
    const problem = problems[name]
    if (isTried && problem !== undefined) return t[problem]
    return error instanceof ApiError ? error.of(name) : undefined
  }
  const text = (name: 'nome' | 'nascimento' | 'motivo') => ({
    value: busca[name],
    autocomplete: 'off' as const,
    onInput: (value: string) => change({ [name]: value }),
    problem: problemOf(name),
  })
  return (
    <form class="card form unprinted" ref={form} onSubmit={submit} noValidate>
      {error !== null && <Refusal error={error} />}
      <p class="note">{t.recorded}</p>
      <div class="two">
        <Field label={t.name} maxLength={MAX_NOME} isFirst {...text('nome')} />
        <Field label={t.birth} note={t.birthNote} maxLength={10} {...text('nascimento')} />
        <MunicipioField
          label={t.town}
          note={t.townNote}
          value={busca.municipio}
          onChoose={(municipio) => change({ municipio: municipio?.codigo ?? null })}
          onText={(municipio) => change({ municipio: municipio === '' ? null : municipio })}
          problem={problemOf('municipio')}
        />
        <Field label={t.motive} note={t.motiveNote} maxLength={MAX_MOTIVO} {...text('motivo')} />
      </div>
      <div class="row end">
        <Button type="submit" kind="primary" aria-disabled={isSending}>
          {isSending ? t.searching : t.search}
        </Button>
      </div>
    </form>
  )
}
