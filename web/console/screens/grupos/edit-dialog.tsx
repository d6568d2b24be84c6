import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { ApiError } from '../../api/errors.ts'
import { api, holds } from '../../state/session.ts'
import { type Tagged, tagged } from '../../state/tagged.ts'
import { gruposTexts } from '../../state/texts/grupos.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'
import { useVersions } from '../../ui/versions.tsx'
import { aboutGrupo, type Grupo, grupoHref, outdateGrupos } from './grupo-data.ts'

interface EditDialogProps {
  /** Null: a new one, which is opened when it is made. */
  grupo: Tagged<Grupo> | null
  onDone?(): void
  onClose(): void
}

interface Form {
  nome: string
  descricao: string
  ativo: boolean
  exige_mfa: boolean
}

const formOf = ({ nome, descricao, ativo, exige_mfa }: Grupo): Form => ({
  ...{ nome, descricao: descricao ?? '', ativo, exige_mfa },
})
const NEW: Form = { nome: '', descricao: '', ativo: true, exige_mfa: false }

/** An emptied description is taken away. */
const bodyOf = ({ descricao, ...rest }: Partial<Form>) => ({
  ...rest,
  ...(descricao !== undefined && { descricao: descricao || null }),
})

export function EditDialog({ grupo, onDone, onClose }: EditDialogProps) {
  const t = texts()
  const own = gruposTexts()
  const { route } = useLocation()
  const [form, setForm] = useState(() => (grupo === null ? NEW : formOf(grupo)))
  const [isTried, setTried] = useState(false)
  const trimmed = { ...form, nome: form.nome.trim(), descricao: form.descricao.trim() }
  const sending = useSending(async () => {
    setTried(true)
    if (trimmed.nome === '') return focusFirstProblem(sending.form.current)
    if (grupo !== null) return save(trimmed)
    const { id } = await api.post('/api/v1/grupos', { body: { ...bodyOf(trimmed), nome: trimmed.nome } })
    void outdateGrupos()
    route(grupoHref(id))
  })
  const { error } = sending
  const params = { id: grupo?.id ?? 0 }
  const { save, conflict } = useVersions<Grupo, Form>({
    opened: grupo,
    read: () => tagged('/api/v1/grupos/{id}', { params }),
    about: aboutGrupo,
    formOf,
    put: (changed, ifMatch) => api.put('/api/v1/grupos/{id}', { params, body: bodyOf(changed) }, { ifMatch }),
    words: (field, value) => ({ label: LABELS[field](), value: String(value) }),
    onMerged: setForm,
    onError: sending.setError,
    onDone: () => {
      void outdateGrupos()
      onDone?.()
    },
  })
  const set = (more: Partial<Form>) => setForm((last) => ({ ...last, ...more }))
  const ofServer = (name: string) => (error instanceof ApiError ? error.of(name) : undefined)
  return (
    <>
      <Dialog title={grupo === null ? own.new : own.edit} onClose={onClose}>
        <form class="form" ref={sending.form} onSubmit={sending.submit} noValidate>
          {error !== null && <Notice kind="error" text={errorText(error)} />}
          <Field
            label={own.name}
            value={form.nome}
            maxLength={60}
            onInput={(nome) => set({ nome })}
            note={own.nameNote}
            problem={isTried && trimmed.nome === '' ? own.required : ofServer('nome')}
            isFirst
          />
          <Field
            label={own.description}
            value={form.descricao}
            maxLength={500}
            onInput={(descricao) => set({ descricao })}
            problem={ofServer('descricao')}
          />
          <Check
            label={own.activeLabel}
            note={own.activeNote}
            checked={form.ativo}
            onChange={(ativo) => set({ ativo })}
          />
          <Check
            label={own.requiresFactor}
            note={own.requiresFactorNote}
            checked={form.exige_mfa}
            onChange={(exige_mfa) => set({ exige_mfa })}
          />
          {grupo !== null && <Effect grupo={grupo} form={form} />}
          <div class="row">
            <Button onClick={onClose}>{t.app.cancel}</Button>
            <Button type="submit" kind="primary" aria-disabled={sending.isSending}>
              {grupo === null ? own.create : own.save}
            </Button>
          </div>
        </form>
      </Dialog>
      {conflict}
    </>
  )
}

const LABELS: Record<keyof Form, () => string> = {
  nome: () => gruposTexts().name,
  descricao: () => gruposTexts().description,
  ativo: () => gruposTexts().activeLabel,
  exige_mfa: () => gruposTexts().requiresFactor,
}

/** What a rule of the group does to its members, before it is saved; read out as it changes. */
function Effect({ grupo, form }: { grupo: Grupo; form: Form }) {
  const own = gruposTexts()
  const { id, total_usuarios } = grupo
  const mustEnrol = form.ativo && form.exige_mfa && !(grupo.ativo && grupo.exige_mfa)
  const without = useQuery({
    queryKey: ['grupos', id, 'sem-fator'],
    queryFn: async ({ signal }) => {
      const query = { grupo_id: id, mfa_habilitado: false, ativo: true, size: 1 }
      return (await api.get('/api/v1/usuarios', { query }, { signal })).total
    },
    enabled: mustEnrol && holds(['usuarios.listar']),
  })
  const effects = [
    ...(form.ativo === grupo.ativo ? [] : [own.activeEffect(form.ativo, total_usuarios)]),
    ...(mustEnrol && without.data !== undefined ? [own.factorEffect(without.data)] : []),
  ]
  return (
    <div role="status">
      {effects.map((effect) => (
        <p key={effect} class="notice info">
          {effect}
        </p>
      ))}
    </div>
  )
}
