import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { ApiError } from '../../api/errors.ts'
import { api } from '../../state/session.ts'
import { gruposTexts } from '../../state/texts/grupos.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'
import { type Grupo, grupoHref, outdateGrupos } from './grupo-data.ts'

interface EditDialogProps {
  /** Null: a new one, which is opened when it is made. */
  grupo: Grupo | null
  onDone?(): void
  onClose(): void
}

export function EditDialog({ grupo, onDone, onClose }: EditDialogProps) {
  const t = texts()
  const own = gruposTexts()
  const { route } = useLocation()
  const [nome, setNome] = useState(grupo?.nome ?? '')
  const [descricao, setDescricao] = useState(grupo?.descricao ?? '')
  const [ativo, setAtivo] = useState(grupo?.ativo ?? true)
  const [exige, setExige] = useState(grupo?.exige_mfa ?? false)
  const [isTried, setTried] = useState(false)
  const isMissing = nome.trim() === ''
  const sending = useSending(async () => {
    setTried(true)
    if (isMissing) return focusFirstProblem(sending.form.current)
    const body = { nome: nome.trim(), descricao: descricao.trim() || null, ativo, exige_mfa: exige }
    if (grupo === null) {
      const { id } = await api.post('/api/v1/grupos', { body })
      void outdateGrupos()
      return route(grupoHref(id))
    }
    await api.put('/api/v1/grupos/{id}', { params: { id: grupo.id }, body })
    void outdateGrupos()
    onDone?.()
  })
  const { error } = sending
  const ofServer = (name: string) => (error instanceof ApiError ? error.of(name) : undefined)
  return (
    <Dialog title={grupo === null ? own.new : own.edit} onClose={onClose}>
      <form class="form" ref={sending.form} onSubmit={sending.submit} noValidate>
        {error !== null && <Notice kind="error" text={errorText(error)} />}
        <Field
          label={own.name}
          value={nome}
          maxLength={60}
          onInput={setNome}
          note={own.nameNote}
          problem={isTried && isMissing ? own.required : ofServer('nome')}
          isFirst
        />
        <Field
          label={own.description}
          value={descricao}
          maxLength={500}
          onInput={setDescricao}
          problem={ofServer('descricao')}
        />
        <Check label={own.activeLabel} note={own.activeNote} checked={ativo} onChange={setAtivo} />
        <Check label={own.requiresFactor} note={own.requiresFactorNote} checked={exige} onChange={setExige} />
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button type="submit" kind="primary" aria-disabled={sending.isSending}>
            {grupo === null ? own.create : own.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
