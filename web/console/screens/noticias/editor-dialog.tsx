import { useId, useState } from 'preact/hooks'
import { ApiError } from '../../api/errors.ts'
import { api, cache } from '../../state/session.ts'
import { noticiasTexts } from '../../state/texts/noticias.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'
import { useVersions } from '../../ui/versions.tsx'
import { Article } from './article.tsx'
import { NOTICIAS, type Noticia, type NoticiaAberta, openNoticia } from './noticia-data.ts'

const MAX = { titulo: 200, resumo: 1_000, conteudo: 50_000, fonte: 200, url: 2_000 } as const
type Name = keyof typeof MAX
/** As typed, with the moment of its publication as the field of it has it. */
type Form = Record<Name | 'publicado', string>

interface EditorDialogProps {
  /** Null: a new one. */
  noticia: NoticiaAberta | null
  onClose(): void
  onDone(id: number): void
}

/** Writes news as plain text, with a look at how it will be read. */
export function EditorDialog({ noticia, onClose, onDone }: EditorDialogProps) {
  const t = texts()
  const own = noticiasTexts().form
  const [form, setForm] = useState(() => formOf(noticia))
  const [isTried, setTried] = useState(false)
  const [isPreview, setPreview] = useState(false)
  const body = bodyOf(form)
  const sending = useSending(async () => {
    setTried(true)
    if (body.titulo === '' || body.conteudo === '') {
      setPreview(false)
      return focusFirstProblem(sending.form.current)
    }
    if (noticia !== null) return save(form)
    end((await api.post('/api/v1/noticias', { body })).id)
  })
  const { error } = sending
  const id = noticia?.id ?? 0
  const end = (saved: number) => {
    void cache.invalidateQueries({ queryKey: NOTICIAS })
    onDone(saved)
  }
  const { save, conflict } = useVersions<Noticia, Form>({
    opened: noticia,
    read: () => openNoticia(id),
    about: ({ atualizado_em }) => ({ recurso: 'noticia', id, em: atualizado_em }),
    formOf,
    put: (changed, ifMatch, whole) => {
      const sent = bodyOf(whole)
      const names = Object.keys(changed).map((name) => (name === 'publicado' ? 'publicado_em' : name))
      const only = Object.fromEntries(Object.entries(sent).filter(([name]) => names.includes(name)))
      return api.put('/api/v1/noticias/{id}', { params: { id }, body: only }, { ifMatch })
    },
    words: (name, value) => ({
      label: own[name],
      value: name === 'publicado' ? noticiasTexts().moment(new Date(String(value))) : String(value),
    }),
    onMerged: setForm,
    onError: sending.setError,
    onDone: () => end(id),
  })
  const input = (name: Name) => ({
    label: own[name],
    value: form[name],
    maxLength: MAX[name],
    onInput: (value: string) => setForm((last) => ({ ...last, [name]: value })),
    problem: problemOf(name),
  })
  function problemOf(name: Name): string | undefined {
    const isMissing = (name === 'titulo' || name === 'conteudo') && form[name].trim() === ''
    if (isTried && isMissing) return own.missing
    return error instanceof ApiError ? error.of(name) : undefined
  }
  return (
    <>
      <Dialog title={noticia === null ? own.create : own.edit} kind="broad" onClose={onClose}>
        <form class="form" ref={sending.form} onSubmit={sending.submit} noValidate>
          {error !== null && <Notice kind="error" text={errorText(error)} />}
          {isPreview ? (
            <Article noticia={{ ...body, publicado_em: body.publicado_em ?? new Date().toISOString() }} />
          ) : (
            <>
              <Field {...input('titulo')} isFirst />
              <Area {...input('resumo')} rows={2} />
              <Area {...input('conteudo')} rows={10} note={own.conteudoNote} />
              <Field {...input('fonte')} />
              <Field {...input('url')} />
              <Moment
                value={form.publicado}
                onInput={(publicado) => setForm((last) => ({ ...last, publicado }))}
              />
            </>
          )}
          <div class="row">
            <Button onClick={onClose}>{t.app.cancel}</Button>
            <Button onClick={() => setPreview(!isPreview)}>{isPreview ? own.write : own.preview}</Button>
            <Button type="submit" kind="primary" aria-disabled={sending.isSending}>
              {noticia === null ? own.publish : own.save}
            </Button>
          </div>
        </form>
      </Dialog>
      {conflict}
    </>
  )
}

const formOf = (noticia: Noticia | null): Form => ({
  titulo: noticia?.titulo ?? '',
  resumo: noticia?.resumo ?? '',
  conteudo: noticia?.conteudo ?? '',
  fonte: noticia?.fonte ?? '',
  url: noticia?.url ?? '',
  publicado: localOf(noticia?.publicado_em),
})

const orNull = (text: string) => (text.trim() === '' ? null : text.trim())

const bodyOf = ({ titulo, resumo, conteudo, fonte, url, publicado }: Form) => ({
  titulo: titulo.trim(),
  resumo: orNull(resumo),
  conteudo: conteudo.trim(),
  fonte: orNull(fonte),
  url: orNull(url),
  ...(publicado !== '' && { publicado_em: new Date(publicado).toISOString() }),
})

/** As a field of date and time takes it, in the time of this computer. */
function localOf(moment: string | undefined): string {
  if (moment === undefined) return ''
  const at = new Date(moment)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

interface AreaProps {
  label: string
  value: string
  maxLength: number
  rows: number
  note?: string
  problem: string | undefined
  onInput(value: string): void
}

function Area({ label, problem, note, onInput, ...rest }: AreaProps) {
  const id = useId()
  const told = problem ?? note
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        {...rest}
        id={id}
        class="input"
        aria-invalid={problem !== undefined}
        aria-describedby={told === undefined ? undefined : `${id}-note`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {told !== undefined && (
        <p class={problem === undefined ? 'note' : 'problem'} id={`${id}-note`}>
          {told}
        </p>
      )}
    </div>
  )
}

function Moment({ value, onInput }: { value: string; onInput(value: string): void }) {
  const own = noticiasTexts().form
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{own.publicado}</label>
      <input
        id={id}
        type="datetime-local"
        class="input"
        value={value}
        aria-describedby={`${id}-note`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <p class="note" id={`${id}-note`}>
        {own.publicadoNote}
      </p>
    </div>
  )
}
