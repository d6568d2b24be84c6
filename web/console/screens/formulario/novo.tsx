import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { FieldName } from '../../../../src/domain/casos/campos.ts'
import { ApiError, type Candidato } from '../../api/errors.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { loadCode } from '../../state/code.ts'
import { dropDraft, RASCUNHO } from '../../state/drafts.ts'
import { api, holds, session } from '../../state/session.ts'
import { texts } from '../../state/texts.ts'
import { CaseFormPage } from './case-form.tsx'
import type { Ficha } from './ficha.ts'
import { focusField } from './field.tsx'
import { createForm, type TypedFields } from './form-state.ts'
import { FoundDrafts, FromDraft } from './later.tsx'
import { outdateCasos } from './outdate.ts'
import { bodyOf } from './record.ts'
import type { RepeatedDialog } from './repeated.tsx'
import { useDraft } from './use-draft.ts'
import { useOtherFicha, WithFicha } from './with-ficha.tsx'

/** Kept for the next case of a pile of forms: who notified, where, when. */
const KEPT: FieldName[] = [
  'tipo_agravo',
  'data_notificacao',
  'unidade_notificante.nome',
  'unidade_notificante.cnes',
  'unidade_notificante.telefone',
  'unidade_notificante.responsavel',
  'dados_especificos.municipio_notificacao',
  'dados_especificos.estado_notificacao',
  'dados_especificos.regional_notificacao',
  'municipio_residencia',
  'estado_residencia',
]

interface Saved {
  id: number
  numero: string
}

/** One form: empty, of a draft, or after another that was saved. */
interface Opened {
  uuid: string
  isDraft: boolean
  given: TypedFields
  saved: Saved | null
  /** Another disease was chosen in it, and with it another form. */
  isTurned?: boolean
}

const open = (wanted: string | undefined): Opened => ({
  uuid: wanted ?? crypto.randomUUID(),
  isDraft: wanted !== undefined,
  given: {},
  saved: null,
})

export default function Novo() {
  const state = session.value
  // Another person at this computer begins with an empty form.
  return <NovoOf key={state.kind === 'open' ? state.perfil.id : 0} />
}

function NovoOf() {
  const { query, route } = useLocation()
  const wanted = query[RASCUNHO]
  const [opened, setOpened] = useState(() => open(wanted))
  const before = useRef(wanted)
  useEffect(() => {
    if (before.current === wanted) return
    before.current = wanted
    if (wanted !== opened.uuid && (wanted !== undefined || opened.saved === null)) setOpened(open(wanted))
  }, [wanted])
  const onSaved = (saved: Saved, given: TypedFields | null) => {
    if (given === null) return route(pathTo(PATHS.caso, { id: saved.id }))
    setOpened({ ...open(undefined), given, saved })
    route(PATHS.casoNovo, true)
  }
  const formOf = (shown: Opened, notice?: ComponentChildren) => (
    <WithFicha title={texts().screens.casoNovo} tipo={shown.given.tipo_agravo}>
      {(ficha, turnTo) => (
        <NovoForm
          key={`${shown.uuid} ${ficha.codigo}`}
          ficha={ficha}
          opened={shown}
          onSaved={onSaved}
          onOther={(given, other) => {
            turnTo(other)
            setOpened({ ...shown, given, isDraft: false, isTurned: true })
          }}
          notice={notice}
        />
      )}
    </WithFicha>
  )
  if (!opened.isDraft) return formOf(opened)
  return (
    <FromDraft key={opened.uuid} uuid={opened.uuid}>
      {(content, notice) => formOf({ ...opened, given: content?.campos ?? {} }, notice)}
    </FromDraft>
  )
}

interface NovoFormProps {
  ficha: Ficha
  opened: Opened
  onSaved(saved: Saved, next: TypedFields | null): void
  onOther(given: TypedFields, ficha: Ficha): void
  notice?: ComponentChildren
}

function NovoForm({ ficha, opened, onSaved, onOther, notice }: NovoFormProps) {
  const { uuid, given, saved } = opened
  const [form] = useState(() => createForm(ficha, null, given))
  const key = useRef(crypto.randomUUID())
  const versao = useRef<number | undefined>(undefined)
  useDraft({ form, uuid, casoId: null, versao })
  useOtherFicha(form, onOther)
  const t = texts()
  useEffect(() => {
    if (opened.isTurned) focusField('tipo_agravo')
    else if (saved !== null) focusField('numero_notificacao')
  }, [])
  const create = async (isAsked: boolean) => {
    const body = bodyOf(form.changes.peek())
    const query = isAsked ? {} : { duplicidade: 'recusar' as const }
    const post = () => api.post('/api/v1/agravos/casos', { body, query }, { idempotencyKey: key.current })
    return post().catch((error: unknown) => {
      if (!isKeyReused(error)) throw error
      // An earlier attempt may have come through unseen, with other fields: the service then names the duplicate.
      key.current = crypto.randomUUID()
      return post()
    })
  }
  const { question, ask, isAnswered, answer } = useQuestion()
  const submitAgain = useRef<((next: boolean) => Promise<void>) | undefined>(undefined)
  const send = async (next: boolean) => {
    const created = await create(isAnswered.current || !holds(['agravos.duplicidades'])).catch(
      (error: unknown) => {
        if (!(error instanceof ApiError) || error.code !== 'POSSIBLE_DUPLICATE') throw error
        return ask(error.duplicidades, next)
      },
    )
    if (created === undefined) return
    const { id, numero_notificacao: numero } = created
    void dropDraft(uuid)
    outdateCasos()
    const kept = Object.fromEntries(
      KEPT.flatMap((nome) => (form.typed[nome] ? [[nome, form.typed[nome].peek()]] : [])),
    )
    onSaved({ id, numero }, next ? kept : null)
  }
  return (
    <>
      <CaseFormPage
        form={form}
        uuid={uuid}
        casoId={null}
        title={t.screens.casoNovo}
        lead={texts().formulario.newLead}
        iniciais={null}
        back={PATHS.casos}
        send={send}
        submitAgain={submitAgain}
        hasNext
        drafts={<FoundDrafts casoId={null} except={uuid} />}
      >
        {notice}
        {saved !== null && (
          <p class="notice done" role="status">
            {texts().formulario.saved(saved.numero)}{' '}
            <a href={pathTo(PATHS.caso, { id: saved.id })}>{texts().formulario.openSaved}</a>
          </p>
        )}
      </CaseFormPage>
      {question !== null && (
        <question.Dialog
          candidatos={question.candidatos}
          onSave={() => void answer(() => submitAgain.current?.(question.next))}
          onClose={() => void answer()}
        />
      )}
    </>
  )
}

interface Question {
  candidatos: Candidato[]
  /** Another case was to follow. */
  next: boolean
  Dialog: typeof RepeatedDialog
}

/** The question whether a case that looks like others is saved all the same; the answer is good for one attempt. */
function useQuestion() {
  const [question, setQuestion] = useState<Question | null>(null)
  const isAnswered = useRef(false)
  const ask = async (candidatos: Candidato[], next: boolean): Promise<undefined> => {
    const { RepeatedDialog: Dialog } = await loadCode(() => import('./repeated.tsx'))
    setQuestion({ candidatos, next, Dialog })
  }
  const answer = async (save?: () => Promise<void> | undefined) => {
    setQuestion(null)
    isAnswered.current = save !== undefined
    await save?.()
    isAnswered.current = false
  }
  return { question, ask, isAnswered, answer }
}

const isKeyReused = (error: unknown) =>
  error instanceof ApiError &&
  error.details.some((one) => typeof one !== 'string' && one.code === 'IDEMPOTENCY_KEY_REUSED')
