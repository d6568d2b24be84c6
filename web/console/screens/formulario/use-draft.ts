import { effect, untracked } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Campos, FieldName } from '../../../../src/domain/casos/campos.ts'
import { dropDraft, keepDraft } from '../../state/drafts.ts'
import { useDraftAddress } from '../../ui/use-draft-address.ts'
import type { CaseForm, TypedFields } from './form-state.ts'

/** A draft of this form: what is typed, and for a change the version of the case beneath it. */
export interface DraftContent {
  campos: TypedFields
  versao?: number
  antes?: Campos
  /** Stored secrets that are to be emptied. */
  apagar?: FieldName[]
}

interface Drafted {
  form: CaseForm
  uuid: string
  casoId: number | null
  /** Version of the case beneath what is typed. */
  versao: { current: number | undefined }
}

/** Keeps a form as a draft while it is typed in; its address then names the draft, so that a reload finds it. */
export function useDraft({ form, uuid, casoId, versao }: Drafted): void {
  useEffect(() => {
    let isFirst = true
    const stop = effect(() => {
      const campos = form.snapshot()
      const antes = form.base.value
      const isChanged = form.isChanged.value
      const apagar = [...form.erased.value]
      const conteudo = {
        campos,
        ...(antes !== null && { antes, versao: versao.current }),
        ...(apagar.length > 0 && { apagar }),
      }
      if (!isFirst)
        untracked(() =>
          isChanged ? keepDraft(uuid, { formulario: 'caso', id: casoId }, conteudo) : void dropDraft(uuid),
        )
      isFirst = false
    })
    return stop
  }, [form])
  useDraftAddress(uuid, form)
}
