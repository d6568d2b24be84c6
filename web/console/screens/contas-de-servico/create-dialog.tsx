import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { ApiError } from '../../api/errors.ts'
import { api } from '../../state/session.ts'
import { servicoTexts } from '../../state/texts/servico.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'
import { contaHref, outdateContas } from './servico-data.ts'

/** Creates the account without rights, and leads to it: what it may do is given where accounts are managed. */
export function CreateDialog({ onClose }: { onClose(): void }) {
  const t = texts()
  const own = servicoTexts()
  const { route } = useLocation()
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const [nome, setNome] = useState('')
  const [finalidade, setFinalidade] = useState('')
  const [instituicao, setInstituicao] = useState('')
  const [isTried, setTried] = useState(false)
  const isMissing = nome.trim() === ''
  const sending = useSending(async () => {
    setTried(true)
    if (isMissing) return focusFirstProblem(sending.form.current)
    const body = {
      nome: nome.trim(),
      finalidade: finalidade.trim() || null,
      instituicao: instituicao.trim() || null,
    }
    const { id } = await api.post('/api/v1/contas-de-servico', { body }, { idempotencyKey })
    void outdateContas()
    route(contaHref(id))
  })
  const { error } = sending
  const ofServer = (name: string) => (error instanceof ApiError ? error.of(name) : undefined)
  return (
    <Dialog title={own.new} onClose={onClose}>
      <form class="form" ref={sending.form} onSubmit={sending.submit} noValidate>
        {error !== null && <Notice kind="error" text={errorText(error)} />}
        <Field
          label={own.name}
          value={nome}
          maxLength={200}
          autocomplete="off"
          onInput={setNome}
          problem={isTried && isMissing ? own.required : ofServer('nome')}
          isFirst
        />
        <Field
          label={own.purpose}
          value={finalidade}
          maxLength={100}
          autocomplete="off"
          onInput={setFinalidade}
          problem={ofServer('finalidade')}
        />
        <Field
          label={own.institution}
          value={instituicao}
          maxLength={200}
          autocomplete="off"
          onInput={setInstituicao}
          problem={ofServer('instituicao')}
        />
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button type="submit" kind="primary" aria-disabled={sending.isSending}>
            {own.create}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
