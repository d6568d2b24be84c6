import { useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { exec, useLocation } from 'preact-iso/router'
import type { FieldName } from '../../../../src/domain/casos/campos.ts'
import { ApiError } from '../../api/errors.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { loadCode } from '../../state/code.ts'
import { dropDraft, RASCUNHO } from '../../state/drafts.ts'
import { api, session } from '../../state/session.ts'
import { texts } from '../../state/texts.ts'
import type { Side } from '../../ui/conflict.tsx'
import { Page } from '../../ui/page.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { CaseFormPage } from './case-form.tsx'
import type { CaseConflict, Conflict } from './conflicts.tsx'
import type { Ficha } from './ficha.ts'
import { createForm, type TypedFields } from './form-state.ts'
import { FoundDrafts, FromDraft } from './later.tsx'
import { outdateCasos } from './outdate.ts'
import { writeField } from './reading.ts'
import { bodyOf, type Detalhe, fromDetalhe, iniciaisOf, versaoOf } from './record.ts'
import { type DraftContent, useDraft } from './use-draft.ts'
import { useOtherFicha, WithFicha } from './with-ficha.tsx'

export default function Editar() {
  const state = session.value
  // Another person at this computer begins with the case as it is stored.
  return <EditarOf key={state.kind === 'open' ? state.perfil.id : 0} />
}

function EditarOf() {
  const { path, query } = useLocation()
  const id = Number(exec(path, PATHS.casoEditar)?.params.id)
  const wanted = query[RASCUNHO]
  const [fresh] = useState(() => crypto.randomUUID())
  const t = texts()
  const caso = useQuery({
    queryKey: ['caso', id, 'editar'],
    queryFn: ({ signal }) => api.get('/api/v1/agravos/casos/{id}', { params: { id } }, { signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  if (caso.error instanceof ApiError && caso.error.status === 404)
    return (
      <Page title={t.screens.casoEditar}>
        <Empty text={texts().formulario.notFound}>
          <a class="button plain" href={PATHS.casos}>
            {texts().formulario.cancel}
          </a>
        </Empty>
      </Page>
    )
  if (caso.data === undefined)
    return (
      <Page title={t.screens.casoEditar}>
        <Answer query={caso} lines={8}>
          {() => null}
        </Answer>
      </Page>
    )
  const answer = caso.data
  // The draft that this form itself keeps comes into the address later.
  if (wanted === undefined || wanted === fresh)
    return <WithForm key={fresh} id={id} answer={answer} uuid={fresh} content={null} />
  return (
    <FromDraft key={wanted} uuid={wanted}>
      {(content, notice) => (
        <WithForm id={id} answer={answer} uuid={wanted} content={content} notice={notice} />
      )}
    </FromDraft>
  )
}

interface EditarFormProps {
  ficha: Ficha
  id: number
  answer: Detalhe
  uuid: string
  content: DraftContent | null
  onOther(given: TypedFields, ficha: Ficha): void
  notice?: ComponentChildren
}

/** The form of the case's disease, or of the one that is chosen instead. */
function WithForm({ content, answer, ...rest }: Omit<EditarFormProps, 'ficha' | 'onOther'>) {
  const [given, setGiven] = useState<TypedFields | undefined>(content?.campos)
  const kept = given === undefined ? content : { ...content, campos: given }
  return (
    <WithFicha title={texts().screens.casoEditar} tipo={given?.tipo_agravo ?? answer.tipo_agravo}>
      {(ficha, turnTo) => (
        <EditarForm
          key={ficha.codigo ?? ''}
          ficha={ficha}
          answer={answer}
          content={kept}
          onOther={(next, other) => {
            turnTo(other)
            setGiven(next)
          }}
          {...rest}
        />
      )}
    </WithFicha>
  )
}

function EditarForm({ ficha, id, answer, uuid, content, onOther, notice }: EditarFormProps) {
  // A draft stands on the version of the case it was typed over: what changed since is a conflict, not overwritten.
  const [form] = useState(() =>
    createForm(
      ficha,
      content?.antes ?? fromDetalhe(answer, ficha),
      content?.campos,
      undefined,
      content?.apagar,
    ),
  )
  const versao = useRef<number | undefined>(content?.versao ?? versaoOf(answer))
  const [conflict, setConflict] = useState<(Conflict & { Dialog: typeof CaseConflict }) | null>(null)
  const [isResending, setResending] = useState(false)
  const submitAgain = useRef<((next: boolean) => Promise<void>) | undefined>(undefined)
  useDraft({ form, uuid, casoId: id, versao })
  useOtherFicha(form, onOther)
  const { route } = useLocation()
  const put = async () => {
    const body = bodyOf(form.changes.peek())
    await api.put('/api/v1/agravos/casos/{id}', { params: { id }, body }, { ifMatch: `"${versao.current}"` })
    void dropDraft(uuid)
    outdateCasos()
    route(pathTo(PATHS.caso, { id }))
  }
  const send = async () => {
    try {
      await put()
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error
      const [current, { conflictOf, CaseConflict }] = await Promise.all([
        api.get('/api/v1/agravos/casos/{id}', { params: { id } }),
        loadCode(() => import('./conflicts.tsx')),
      ])
      setConflict({ ...conflictOf(form, current), Dialog: CaseConflict })
    }
  }
  const resend = async (sides: Record<string, Side>) => {
    if (conflict === null) return
    setResending(true)
    const mine = new Set(
      (Object.keys(form.changes.peek()) as FieldName[]).filter((nome) => sides[nome] !== 'theirs'),
    )
    form.rebase(conflict.campos, mine)
    versao.current = conflict.versao
    setConflict(null)
    await submitAgain.current?.(false)
    setResending(false)
  }
  return (
    <>
      <CaseFormPage
        form={form}
        uuid={uuid}
        casoId={id}
        title={texts().formulario.edit(
          String(writeField(ficha, 'numero_notificacao', form.base.value?.numero_notificacao)),
        )}
        lead={texts().formulario.editLead}
        iniciais={iniciaisOf(answer)}
        back={pathTo(PATHS.caso, { id })}
        send={send}
        submitAgain={submitAgain}
        hasNext={false}
        drafts={<FoundDrafts casoId={id} except={uuid} />}
      >
        {notice}
      </CaseFormPage>
      {conflict !== null && (
        <conflict.Dialog
          conflict={conflict}
          isSending={isResending}
          onSend={(sides) => void resend(sides)}
          onClose={() => setConflict(null)}
        />
      )}
    </>
  )
}
