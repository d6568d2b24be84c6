import { effect } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { isConhecido } from '../../state/agravos.ts'
import { formularioOf } from '../../state/formularios.ts'
import { cache } from '../../state/session.ts'
import { errorText, Failure, Loading } from '../../ui/states.tsx'
import { CONHECIDA } from './conhecida.ts'
import type { Ficha } from './ficha.ts'
import type { CaseForm, TypedFields } from './form-state.ts'

/** Disease whose definition a form is made of; null: one that the console knows, or none yet. */
const definedBy = (tipo: unknown): string | null =>
  typeof tipo !== 'string' || tipo === '' || isConhecido(tipo) ? null : tipo

async function fichaFor(codigo: string | null): Promise<Ficha> {
  if (codigo === null) return CONHECIDA
  const { queryKey, queryFn, staleTime } = formularioOf(codigo)
  const [formulario, { fichaOf }] = await Promise.all([
    cache.fetchQuery({ queryKey, queryFn, staleTime }),
    import('./definida.ts'),
  ])
  return fichaOf(formulario, CONHECIDA)
}

interface WithFichaProps {
  tipo: unknown
  children(ficha: Ficha): ComponentChildren
}

/** The form of a disease, at once where it is a known one. */
export function WithFicha({ tipo, children }: WithFichaProps) {
  const codigo = definedBy(tipo)
  const [ficha, setFicha] = useState<Ficha>(CONHECIDA)
  const [error, setError] = useState<unknown>(null)
  const load = () => {
    setError(null)
    fichaFor(codigo).then(setFicha, setError)
  }
  useEffect(load, [codigo])
  if (codigo === null) return <>{children(CONHECIDA)}</>
  if (error !== null) return <Failure error={error} onRetry={load} />
  return <>{ficha.codigo === codigo ? children(ficha) : <Loading lines={8} />}</>
}

/** Tells when a disease of another form is chosen, once that form is there; until then, and without it, this one stays. */
export function useOtherFicha(form: CaseForm, onOther: (given: TypedFields) => void): void {
  useEffect(
    () =>
      effect(() => {
        const tipo = form.typed.tipo_agravo.value
        const codigo = definedBy(tipo)
        if (tipo === '' || codigo === form.ficha.codigo) return
        let isLeft = false
        fichaFor(codigo).then(
          () => isLeft || onOther(form.snapshot()),
          (error) => isLeft || form.tell(new Map([['tipo_agravo', errorText(error)]])),
        )
        return () => {
          isLeft = true
        }
      }),
    [form],
  )
}
