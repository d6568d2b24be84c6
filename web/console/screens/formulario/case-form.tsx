import { type ReadonlySignal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { FieldName } from '../../../../src/domain/casos/campos.ts'
import { ApiError } from '../../api/errors.ts'
import { offline } from '../../state/connection.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { errorText, RequestId } from '../../ui/states.tsx'
import type { CaseForm } from './form-state.ts'
import { Aside, DraftLine } from './later.tsx'
import { Follows, ProblemSummary, SectionCard, SectionIndex } from './parts.tsx'
import { bodyOf, fieldAt } from './record.ts'
import type { Verificado } from './similar.tsx'

interface CaseFormProps {
  form: CaseForm
  uuid: string
  casoId: number | null
  title: string
  lead: string
  iniciais: string | null
  /** Target of "Cancelar". */
  back: string
  /** Sends what is typed, after the rules have nothing against it. */
  send(next: boolean): Promise<void>
  /** Set to an attempt that begins as one by the button. */
  submitAgain?: { current: ((next: boolean) => Promise<void>) | undefined }
  /** True where another case may be registered after this one. */
  hasNext: boolean
  /** Drafts that were left: beside the form, so that nothing moves when they are found. */
  drafts: ComponentChildren
  /** Above the sections: what happened before. */
  children?: ComponentChildren
}

/** Outcome of an attempt to send; the round focuses its message again. `others`: problems of no field that is seen. */
type Outcome =
  | { kind: 'problems' | 'nothing'; others: readonly string[] }
  | { kind: 'refused'; error: unknown; others: readonly string[] }
  | null

export function CaseFormPage(props: CaseFormProps) {
  const { form, uuid, casoId, title, lead, iniciais, back, hasNext, drafts, children } = props
  const { outcome, round, isSending, submit } = useSubmit(props)
  const verified = useSignal<Verificado | null>(null)
  const t = texts().formulario
  if (props.submitAgain !== undefined) props.submitAgain.current = submit
  useKeys({ 'ctrl+s': () => void submit(false), 'ctrl+enter': () => void submit(hasNext) })
  return (
    <Page title={title} lead={lead}>
      <form class="ficha" autocomplete="off" noValidate onSubmit={(event) => event.preventDefault()}>
        <SectionIndex form={form} />
        <aside class="ficha-aside" aria-label={t.follows.title}>
          {drafts}
          <Aside form={form} casoId={casoId} verified={verified} bodyOf={bodyOf} />
          <Follows form={form} />
        </aside>
        <div class="ficha-main">
          {children}
          {outcome?.kind === 'problems' && <ProblemSummary form={form} round={round} />}
          {outcome?.kind === 'problems' && outcome.others.length > 0 && (
            <Notice key={`others ${round}`} kind="error" text={outcome.others.join(' ')} />
          )}
          {outcome?.kind === 'nothing' && <Notice key={round} kind="info" text={t.nothingChanged} />}
          {outcome?.kind === 'refused' && (
            <Notice
              key={round}
              kind="error"
              text={[`${t.refused}.`, errorText(outcome.error), ...outcome.others, t.nothingLost].join(' ')}
            />
          )}
          {outcome?.kind === 'refused' && outcome.error instanceof ApiError && (
            <RequestId of={outcome.error} />
          )}
          {form.ficha.sections.map((section, at) => (
            <SectionCard key={section.id} form={form} section={section} place={at + 1} iniciais={iniciais} />
          ))}
        </div>
        <div class="ficha-actions">
          {/* No submit button: Enter in one of a hundred fields sends nothing. */}
          <Button
            kind="primary"
            sends
            title={t.saveKeys}
            aria-disabled={isSending}
            onClick={() => void submit(false)}
          >
            {isSending ? t.saving : t.save}
          </Button>
          {hasNext && (
            <Button sends aria-disabled={isSending} onClick={() => void submit(true)}>
              {t.saveAndNext}
            </Button>
          )}
          <a class="button quiet" href={back}>
            {t.cancel}
          </a>
          <SimilarLink verified={verified} />
          <DraftLine uuid={uuid} />
        </div>
      </form>
    </Page>
  )
}

function useSubmit({ form, casoId, send }: CaseFormProps) {
  const [outcome, setOutcome] = useState<Outcome>(null)
  const [round, setRound] = useState(0)
  const [isSending, setSending] = useState(false)
  const isUnderWay = useRef(false)
  const end = (next: Outcome) => {
    setOutcome(next)
    setRound((count) => count + 1)
  }
  const submit = async (next: boolean) => {
    if (isUnderWay.current || offline.value !== null) return
    form.leaveAll()
    if (form.problems.peek().size > 0) return end({ kind: 'problems', others: [] })
    if (casoId !== null && Object.keys(form.changes.peek()).length === 0)
      return end({ kind: 'nothing', others: [] })
    isUnderWay.current = true
    setSending(true)
    setOutcome(null)
    try {
      await send(next)
    } catch (error) {
      const { isTold, others } = tellProblems(form, error)
      end(isTold ? { kind: 'problems', others } : { kind: 'refused', error, others })
    } finally {
      isUnderWay.current = false
      setSending(false)
    }
  }
  return { outcome, round, isSending, submit }
}

/** Puts the service's problems on their fields; those of fields that are not seen are told beside them. */
function tellProblems(form: CaseForm, error: unknown): { isTold: boolean; others: string[] } {
  if (!(error instanceof ApiError) || error.status !== 422) return { isTold: false, others: [] }
  const told = new Map<FieldName, string>()
  const others: string[] = []
  for (const detail of error.details) {
    if (typeof detail === 'string') {
      others.push(detail)
      continue
    }
    const { field, message } = detail
    const nome = fieldAt(field, form.ficha)
    if (nome !== null && form.isShown[nome]?.value) told.set(nome, message)
    else others.push(`${nome === null ? field : form.ficha.labelOf(nome, texts())}: ${message}.`)
  }
  form.tell(told)
  return { isTold: told.size > 0, others }
}

/** In the bar of actions of a narrow screen, where the cases themselves are far below. */
function SimilarLink({ verified }: { verified: ReadonlySignal<Verificado | null> }) {
  if ((verified.value?.possiveis_duplicados.length ?? 0) === 0) return null
  return (
    <a class="see-similar" href="#parecidos">
      {texts().formulario.duplicates.title}
    </a>
  )
}
