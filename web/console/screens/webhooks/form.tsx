import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { Permission } from '../../../../src/caller/permissions.ts'
import { ApiError } from '../../api/errors.ts'
import type { RequestOf } from '../../api/rows.ts'
import { api, holds } from '../../state/session.ts'
import { webhooksTexts } from '../../state/texts/webhooks.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Answer, errorText } from '../../ui/states.tsx'
import { FilterFields } from './filter-fields.tsx'
import { HeaderFields, type HeaderRow } from './header-fields.tsx'
import { eventName, type Webhook } from './webhook-words.ts'

export type WebhookBody = RequestOf<'POST', '/api/v1/webhooks'>['body']
export type Given = Pick<Webhook, 'url' | 'eventos' | 'headers' | 'filtros'>

export const EMPTY_WEBHOOK: Given = {
  url: '',
  eventos: [],
  headers: {},
  filtros: { tipo_agravo: [], estado: [], municipio: [], nivel: [], suspeita: [] },
}

const MAX_URL = 2048

interface WebhookFormProps {
  webhook: Given
  submitLabel: string
  /** Of what was sent again after a comparison. */
  refusal?: unknown
  send(body: WebhookBody): Promise<void>
  onClose(): void
}

/** Address, events, filters and headers of a webhook, new or not. */
export function WebhookForm({ webhook, submitLabel, refusal = null, send, onClose }: WebhookFormProps) {
  const t = texts()
  const own = webhooksTexts()
  const [url, setUrl] = useState(webhook.url)
  const [eventos, setEventos] = useState<readonly string[]>(webhook.eventos)
  const [filtros, setFiltros] = useState(webhook.filtros)
  const [headers, setHeaders] = useState<HeaderRow[]>(Object.entries(webhook.headers))
  const [isTried, setTried] = useState(false)
  const sending = useSending(async () => {
    setTried(true)
    if (url.trim() === '' || eventos.length === 0) return focusFirstProblem(sending.form.current)
    const named = headers.filter(([name]) => name.trim() !== '')
    await send({
      url: url.trim(),
      eventos: eventos as WebhookBody['eventos'],
      headers: Object.fromEntries(named.map(([name, value]) => [name.trim(), value])),
      filtros,
    })
  })
  const error = sending.error ?? refusal
  const urlProblem =
    isTried && url.trim() === '' ? own.form.required : error instanceof ApiError ? error.of('url') : undefined
  return (
    <form class="form" ref={sending.form} onSubmit={sending.submit} noValidate>
      {error !== null && <Notice kind="error" text={refusalText(error)} />}
      <Field
        label={own.url}
        value={url}
        maxLength={MAX_URL}
        autocomplete="off"
        onInput={setUrl}
        problem={urlProblem}
        note={own.form.urlNote}
        isFirst
      />
      <EventFields
        chosen={eventos}
        onChange={setEventos}
        problem={isTried && eventos.length === 0 ? own.form.eventsMissing : undefined}
      />
      <FilterFields filtros={filtros} onChange={setFiltros} />
      <HeaderFields rows={headers} onChange={setHeaders} />
      <div class="row">
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button type="submit" kind="primary" aria-disabled={sending.isSending}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}

/** With the problems that belong to no single field of the form. */
function refusalText(error: unknown): string {
  const problems = error instanceof ApiError ? error.details : []
  const told = problems.flatMap((one) =>
    typeof one === 'string' || one.field === 'url' ? [] : [one.message],
  )
  return [errorText(error), ...told].join(' ')
}

interface EventFieldsProps {
  chosen: readonly string[]
  onChange(eventos: string[]): void
  problem: string | undefined
}

/** Events of the catalogue; those about records that the person may not read cannot be chosen, and say why. */
function EventFields({ chosen, onChange, problem }: EventFieldsProps) {
  const own = webhooksTexts()
  const query = useQuery({
    queryKey: ['webhooks', 'eventos'],
    queryFn: ({ signal }) => api.get('/api/v1/webhooks/eventos', {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const toggle = (nome: string) =>
    onChange(chosen.includes(nome) ? chosen.filter((one) => one !== nome) : [...chosen, nome])
  return (
    <fieldset class="options" aria-describedby={problem === undefined ? undefined : 'eventos-problem'}>
      <legend>{own.events}</legend>
      {problem !== undefined && (
        <p class="problem" id="eventos-problem">
          {problem}
        </p>
      )}
      <Answer query={query} lines={4}>
        {({ eventos }) => (
          <div class="two">
            {eventos.map(({ nome, permissao }) => (
              <EventOption
                key={nome}
                nome={nome}
                permissao={permissao}
                isChosen={chosen.includes(nome)}
                isProblem={problem !== undefined}
                onToggle={() => toggle(nome)}
              />
            ))}
          </div>
        )}
      </Answer>
    </fieldset>
  )
}

interface EventOptionProps {
  nome: string
  permissao: string
  isChosen: boolean
  isProblem: boolean
  onToggle(): void
}

function EventOption({ nome, permissao, isChosen, isProblem, onToggle }: EventOptionProps) {
  const isForbidden = !holds([permissao as Permission])
  return (
    <label class="option">
      <input
        type="checkbox"
        checked={isChosen}
        disabled={isForbidden && !isChosen}
        aria-invalid={isProblem}
        onChange={onToggle}
      />
      <span>
        {eventName(nome)}
        <small>{isForbidden ? webhooksTexts().form.needs(permissao) : <code>{nome}</code>}</small>
      </span>
    </label>
  )
}
