import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { importacoesTexts } from '../../state/texts/importacoes.ts'
import { Icon } from '../../ui/icon.tsx'
import type { Etapa } from './job.ts'

const ETAPAS: Etapa[] = ['arquivo', 'colunas', 'conferencia', 'importacao', 'resultado']

interface PassosProps {
  current: Etapa
  /** Facts of a step that is behind. */
  notes: Partial<Record<Etapa, string>>
  hrefs: Partial<Record<Etapa, string>>
}

export function Passos({ current, notes, hrefs }: PassosProps) {
  const t = importacoesTexts()
  const at = ETAPAS.indexOf(current)
  return (
    <ol class="import-steps">
      {ETAPAS.map((etapa, index) => {
        const isDone = index < at || (etapa === 'resultado' && current === 'resultado')
        const href = index === at ? undefined : hrefs[etapa]
        return (
          <li
            key={etapa}
            class={index === at ? 'now' : isDone ? 'done' : 'later'}
            aria-current={index === at ? 'step' : undefined}
          >
            <i aria-hidden="true">{isDone ? <Icon name="done" /> : index + 1}</i>
            {href === undefined ? <b>{t.steps[etapa]}</b> : <a href={href}>{t.steps[etapa]}</a>}
            {notes[etapa] !== undefined && <small>{notes[etapa]}</small>}
          </li>
        )
      })}
    </ol>
  )
}

/** Heading of a step; takes the focus when its step is reached. */
export function StepHeading({ children }: { children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <h2 ref={heading} tabIndex={-1}>
      {children}
    </h2>
  )
}
