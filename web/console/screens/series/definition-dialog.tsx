import { useState } from 'preact/hooks'
import { ApiError } from '../../api/errors.ts'
import { api } from '../../state/session.ts'
import { seriesTexts } from '../../state/texts/series.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConflictDialog, type ConflictRow } from '../../ui/conflict.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'
import { type Body, bodyOf, changesOf, clashOf, type Form, formOf, problemsOf } from './definition.ts'
import { DefinitionFields } from './definition-fields.tsx'
import type { Serie } from './serie-data.ts'

interface DefinitionDialogProps {
  /** Null: a new one. */
  serie: Serie | null
  onClose(): void
  onDone(serie: Serie): void
}

interface Clash {
  mine: Partial<Body>
  theirs: Serie
  both: string[]
  others: string[]
}

/** Definition of a series, new or to be changed. What somebody else changed meanwhile is compared field by field. */
export function DefinitionDialog({ serie, onClose, onDone }: DefinitionDialogProps) {
  const t = texts()
  const own = seriesTexts().form
  const [form, setForm] = useState<Form>(() => formOf(serie))
  const [isTried, setTried] = useState(false)
  const [clash, setClash] = useState<Clash | null>(null)
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const problems = problemsOf(form, serie === null)
  const put = async (base: Serie, change: Partial<Body>) => {
    const { codigo, versao } = base
    const answer = await api.put(
      '/api/v1/series/{codigo}',
      { params: { codigo }, body: change as never },
      { ifMatch: `"${versao}"` },
    )
    onDone(answer)
  }
  const save = async (base: Serie, mine: Partial<Body>) => {
    try {
      await put(base, mine)
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status !== 409) throw failure
      const theirs = await api.get('/api/v1/series/{codigo}', { params: { codigo: base.codigo } })
      setClash({ mine, theirs, ...clashOf(mine, base, theirs) })
    }
  }
  const sending = useSending(async () => {
    setTried(true)
    if (problems.size > 0) return focusFirstProblem(sending.form.current)
    const body = bodyOf(form)
    if (serie === null) return onDone(await api.post('/api/v1/series', { body }, { idempotencyKey }))
    const mine = changesOf(body, serie)
    if (Object.keys(mine).length === 0) return onClose()
    await save(serie, mine)
  })
  const { error } = sending
  const problemOf = (path: string) => {
    const found = problems.get(path)
    if (isTried && found !== undefined) return own[found]
    return error instanceof ApiError ? error.of(path) : undefined
  }
  return (
    <>
      <Dialog
        title={serie === null ? own.newTitle : own.editTitle(serie.nome)}
        kind="broad"
        onClose={onClose}
      >
        <form class="form definition" ref={sending.form} onSubmit={sending.submit} noValidate>
          {error !== null && <Notice kind="error" text={refusalText(error)} />}
          <DefinitionFields
            form={form}
            serie={serie}
            problemOf={problemOf}
            set={(more) => setForm({ ...form, ...more })}
          />
          <div class="row">
            <Button onClick={onClose}>{t.app.cancel}</Button>
            <Button type="submit" kind="primary" aria-disabled={sending.isSending}>
              {serie === null ? own.register : own.save}
            </Button>
          </div>
        </form>
      </Dialog>
      {clash !== null && serie !== null && (
        <ConflictDialog
          rows={clash.both.map((name) => rowOf(name, serie, clash))}
          others={clash.others.map((name) => ({ label: labelOf(name), value: wordsOf(clash.theirs, name) }))}
          who={null}
          when={new Date(clash.theirs.atualizado_em)}
          isSending={sending.isSending}
          onClose={() => setClash(null)}
          onSend={(sides) => {
            const { mine, theirs } = clash
            const kept = Object.fromEntries(
              Object.entries(mine).filter(([name]) => sides[name] !== 'theirs'),
            ) as Partial<Body>
            setClash(null)
            if (Object.keys(kept).length === 0) return onDone(theirs)
            save(theirs, kept).catch(sending.setError)
          }}
        />
      )}
    </>
  )
}

/** Problems of fields that the form does not show are told above it. */
function refusalText(error: unknown): string {
  if (!(error instanceof ApiError)) return errorText(error)
  const told = error.details.map((detail) =>
    typeof detail === 'string' ? detail : `${labelOf(detail.field)}: ${detail.message}`,
  )
  return [errorText(error), ...told].join(' ')
}

function labelOf(name: string): string {
  const t = seriesTexts().form
  const labels: Record<string, string> = {
    ...{ codigo: t.codigo, nome: t.nome, descricao: t.descricao, dominio: t.dominio, tema: t.tema },
    ...{ unidade: t.unidade, tipo_valor: t.tipo, categorias: t.categorias, periodo: t.periodo },
    ...{ nivel: t.nivel, agrega_tempo: t.tempo, agrega_lugar: t.lugar, derivada: t.kind },
    ...{ minimo: t.minimo, maximo: t.maximo, casas: t.casas, validade: t.validade },
    ...{ limiares: t.limiares, fonte: t.fonte, fonte_url: t.fonteUrl, licenca: t.licenca },
    ...{ atribuicao: t.atribuicao, publica: t.publica },
  }
  return labels[name.split('.')[0] ?? ''] ?? name
}

const rowOf = (name: string, before: Serie, { mine, theirs }: Clash): ConflictRow => ({
  key: name,
  label: labelOf(name),
  before: wordsOf(before, name),
  mine: wordsOf(mine, name),
  theirs: wordsOf(theirs, name),
})

/** Value of a field in words; of a list, its labels. */
function wordsOf(of: object, name: string): string {
  const t = seriesTexts()
  const value = (of as Record<string, unknown>)[name]
  if (value === null || value === undefined || value === '') return t.form.conflictEmpty
  if (typeof value === 'boolean') return value ? t.detail.yes : t.detail.no
  if (typeof value === 'number') return t.decimal(value, 6)
  if (!Array.isArray(value)) return typeof value === 'string' ? value : JSON.stringify(value)
  if (value.length === 0) return t.form.conflictEmpty
  return value
    .map(({ rotulo, valor, semanas }) => (valor === undefined ? rotulo : `${rotulo} (${valor}, ${semanas})`))
    .join('; ')
}
