import { effect } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { isConhecido } from '../../state/agravos.ts'
import { loadCode } from '../../state/code.ts'
import { Page } from '../../ui/page.tsx'
import { Awaited, errorText } from '../../ui/states.tsx'
import { CONHECIDA } from './conhecida.ts'
import type { Ficha } from './ficha.ts'
import type { CaseForm, TypedFields } from './form-state.ts'

/** Disease whose form is asked for; null: none yet. */
const chosenIn = (tipo: unknown) => (tipo as string | undefined) || null

/** Forms of known diseases, with the fields that a version added to them, once they were asked for. */
const extended = new Map<string, Ficha>()

/** The form that is there at once; null: it has to be waited for. */
function fichaNow(codigo: string | null): Ficha | null {
  if (codigo === null) return CONHECIDA
  return isConhecido(codigo) ? (extended.get(codigo) ?? CONHECIDA) : null
}

async function fichaFor(codigo: string): Promise<Ficha> {
  const { readFicha } = await loadCode(() => import('./definida.ts'))
  const ficha = await readFicha(codigo, CONHECIDA)
  if (isConhecido(codigo)) extended.set(codigo, ficha)
  return ficha
}

interface WithFichaProps {
  /** Of the page, while the form is waited for. */
  title: string
  tipo: unknown
  /** `turnTo`: shows a form that is there already. */
  children(ficha: Ficha, turnTo: (other: Ficha) => void): ComponentChildren
}

/** The form of a disease, at once where it is a known one; what was added to that comes behind (`useOtherFicha`). */
export function WithFicha({ title, tipo, children }: WithFichaProps) {
  const codigo = chosenIn(tipo)
  const atOnce = fichaNow(codigo)
  const [ficha, setFicha] = useState<Ficha>(CONHECIDA)
  const [error, setError] = useState<unknown>(null)
  const load = () => {
    setError(null)
    if (codigo !== null && atOnce === null) fichaFor(codigo).then(setFicha, setError)
  }
  useEffect(load, [codigo])
  const now = atOnce ?? (ficha.codigo === codigo && ficha)
  return now ? (
    children(now, setFicha)
  ) : (
    <Page title={title}>
      <Awaited error={error} lines={8} onRetry={load} />
    </Page>
  )
}

/** Tells when a disease has another form, once that form is there; until then, and without it, this one stays. */
export function useOtherFicha(form: CaseForm, onOther: (given: TypedFields, ficha: Ficha) => void): void {
  useEffect(
    () =>
      effect(() => {
        const codigo = chosenIn(form.typed.tipo_agravo.value)
        if (codigo === null || codigo === form.ficha.codigo) return
        let isLeft = false
        fichaFor(codigo).then(
          (ficha) => isLeft || ficha.codigo === form.ficha.codigo || onOther(form.snapshot(), ficha),
          (error) => {
            // A known disease has its form without what was added to it.
            if (isLeft || (isConhecido(codigo) && form.ficha.codigo === null)) return
            if (isConhecido(codigo)) onOther(form.snapshot(), CONHECIDA)
            else form.tell(new Map([['tipo_agravo', errorText(error)]]))
          },
        )
        return () => {
          isLeft = true
        }
      }),
    [form],
  )
}
