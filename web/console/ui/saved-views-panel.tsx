import { useQuery } from '@tanstack/preact-query'
import { useId, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { ApiError } from '../api/errors.ts'
import type { AnswerOf } from '../api/rows.ts'
import { PATHS } from '../paths.ts'
import { api, cache, session } from '../state/session.ts'
import { visoesTexts } from '../state/texts/visoes.ts'
import visoesCss from '../styles/visoes.screen.css'
import { adopt } from './adopt.ts'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import { focusFirstProblem, useSending } from './form.ts'
import { Notice } from './notice.tsx'
import { Refusal } from './refusal.tsx'
import { Answer } from './states.tsx'

adopt(visoesCss)

type Visao = AnswerOf<'GET', '/api/v1/visoes'>['visoes'][number]

const MAX_NOME = 80
const VISOES = ['visoes']

export type Tela = Visao['tela']

const hrefOf = ({ tela, consulta }: Visao) => (consulta === '' ? PATHS[tela] : `${PATHS[tela]}?${consulta}`)

/** The present address without its page: a view begins at the first. */
function presentQuery(url: string): string {
  const search = new URLSearchParams(url.split('?')[1] ?? '')
  search.delete('pagina')
  return search.toString().replaceAll('%2C', ',')
}

export interface ViewsPanelProps {
  tela: Tela
  close(): void
}

/** Views of a screen, of the account and its groups, and the present address as another one. */
export default function ViewsPanel({ tela, close }: ViewsPanelProps) {
  const own = visoesTexts()
  const [done, setDone] = useState<string | null>(null)
  const query = useQuery({
    queryKey: VISOES,
    queryFn: ({ signal }) => api.get('/api/v1/visoes', {}, { signal }),
  })
  return (
    <div class="form">
      {done !== null && <Notice kind="done" text={done} />}
      <Answer query={query} lines={3}>
        {({ visoes }) => {
          const here = visoes.filter((one) => one.tela === tela)
          const [mine, shared] = [here.filter(({ propria }) => propria), here.filter((one) => !one.propria)]
          return here.length === 0 ? (
            <p class="note">{own.none[tela]}</p>
          ) : (
            <>
              <Group title={own.mine} views={mine} onOpen={close} onRemoved={setDone} />
              <Group title={own.shared} views={shared} onOpen={close} onRemoved={setDone} />
            </>
          )
        }}
      </Answer>
      <SaveForm tela={tela} onSaved={setDone} />
    </div>
  )
}

interface GroupProps {
  title: string
  views: readonly Visao[]
  onOpen(): void
  onRemoved(text: string): void
}

function Group({ title, views, onOpen, onRemoved }: GroupProps) {
  const own = visoesTexts()
  const { url } = useLocation()
  const [error, setError] = useState<unknown>(null)
  const remove = async ({ id, nome }: Visao) => {
    setError(null)
    try {
      await api.delete('/api/v1/visoes/{id}', { params: { id } })
      onRemoved(own.removed(nome))
    } catch (failure) {
      setError(failure)
    }
    void cache.invalidateQueries({ queryKey: VISOES })
  }
  if (views.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      {error !== null && <Refusal error={error} />}
      <ul class="saved-views">
        {views.map((view) => (
          <li key={view.id}>
            <a
              href={hrefOf(view)}
              aria-current={view.consulta === presentQuery(url) ? 'true' : undefined}
              onClick={onOpen}
            >
              {view.nome}
              <small>{wordsOf(view)}</small>
            </a>
            {view.propria && (
              <Button
                kind="quiet"
                icon="remove"
                aria-label={own.remove(view.nome)}
                onClick={() => void remove(view)}
              >
                {''}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function wordsOf({ grupo, propria, usuario }: Visao): string {
  const own = visoesTexts()
  if (grupo === null) return ''
  return propria ? own.sharedWith(grupo.nome) : own.sharedBy(grupo.nome, usuario.nome)
}

function SaveForm({ tela, onSaved }: { tela: Tela; onSaved(text: string): void }) {
  const own = visoesTexts()
  const { url } = useLocation()
  const id = useId()
  const [nome, setNome] = useState('')
  const [grupo, setGrupo] = useState('')
  const [isTried, setTried] = useState(false)
  const grupos = session.value.kind === 'open' ? (session.value.perfil.grupos ?? []) : []
  const sending = useSending(async () => {
    setTried(true)
    if (nome.trim() === '') return focusFirstProblem(sending.form.current)
    const body = {
      nome: nome.trim(),
      tela,
      consulta: presentQuery(url),
      ...(grupo !== '' && { grupo_id: Number(grupo) }),
    } as const
    await api.post('/api/v1/visoes', { body })
    void cache.invalidateQueries({ queryKey: VISOES })
    setNome('')
    setTried(false)
    onSaved(own.saved(body.nome))
  })
  const { error } = sending
  const refused = error instanceof ApiError ? error.of('nome') : undefined
  return (
    <form class="form in-panel" ref={sending.form} onSubmit={sending.submit} noValidate>
      <h2>{own.title[tela]}</h2>
      {error !== null && refused === undefined && <Refusal error={error} />}
      <Field
        label={own.name}
        value={nome}
        maxLength={MAX_NOME}
        autocomplete="off"
        onInput={setNome}
        problem={isTried && nome.trim() === '' ? own.nameMissing : refused}
      />
      {grupos.length > 0 && (
        <div class="field">
          <label for={id}>{own.share}</label>
          <select
            id={id}
            class="input"
            value={grupo}
            onChange={(event) => setGrupo(event.currentTarget.value)}
          >
            <option value="">{own.nobody}</option>
            {grupos.map((one) => (
              <option key={one.id} value={one.id}>
                {one.nome}
              </option>
            ))}
          </select>
        </div>
      )}
      <Button type="submit" kind="primary" aria-disabled={sending.isSending}>
        {own.save}
      </Button>
    </form>
  )
}
