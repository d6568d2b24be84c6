import { useId, useState } from 'preact/hooks'
import { remocaoTexts } from '../state/texts/remocao.ts'
import { texts } from '../state/texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { focusFirstProblem, useSending } from './form.ts'
import { Refusal } from './refusal.tsx'

const MAX_MOTIVO = 500

interface FinalRemovalDialogProps {
  title: string
  /** What ceases to exist, and what stays. */
  note: string
  /** What is typed to confirm, and the label of its field. */
  word: string
  typedLabel: string
  /** False where the service records no reason. */
  takesMotivo?: boolean
  remove(motivo: string): Promise<void>
  onClose(): void
}

/** Removal that nobody can take back: with a reason where one is kept, and only once the record's own word was typed. */
export function FinalRemovalDialog({
  title,
  note,
  word,
  typedLabel,
  takesMotivo = true,
  remove,
  onClose,
}: FinalRemovalDialogProps) {
  const own = remocaoTexts()
  const [typed, setTyped] = useState('')
  const [motivo, setMotivo] = useState('')
  const [isTried, setTried] = useState(false)
  const isWrong = typed.trim() !== word
  const isMissing = takesMotivo && motivo.trim() === ''
  const { form, isSending, error, submit } = useSending(async () => {
    setTried(true)
    if (isWrong || isMissing) return focusFirstProblem(form.current)
    await remove(motivo.trim())
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit} noValidate>
        {error !== null && <Refusal error={error} />}
        <p>{note}</p>
        {takesMotivo && <Motivo value={motivo} isMissing={isTried && isMissing} onInput={setMotivo} />}
        <Field
          label={typedLabel}
          value={typed}
          autocomplete="off"
          onInput={setTyped}
          problem={isTried && isWrong ? own.wrong(word) : undefined}
        />
        <div class="row">
          <Button onClick={onClose}>{texts().app.cancel}</Button>
          <Button type="submit" kind="primary" class="button danger" aria-disabled={isSending}>
            {own.action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface MotivoProps {
  value: string
  isMissing: boolean
  onInput(value: string): void
}

function Motivo({ value, isMissing, onInput }: MotivoProps) {
  const own = remocaoTexts()
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{own.reason}</label>
      <textarea
        id={id}
        class="input"
        rows={3}
        maxLength={MAX_MOTIVO}
        value={value}
        aria-invalid={isMissing}
        aria-describedby={isMissing ? `${id}-problem` : undefined}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {isMissing && (
        <p class="problem" id={`${id}-problem`}>
          {own.reasonMissing}
        </p>
      )}
    </div>
  )
}
