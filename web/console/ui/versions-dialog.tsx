import type { ComponentChildren } from 'preact'
import { canonical, comparedParts, mergedParts, type Parts, type Sides } from '../state/parts.ts'
import { registroTexts } from '../state/texts/registro.ts'
import { texts } from '../state/texts.ts'
import { type Changed, useChangedBy } from './changed-by.ts'
import { ConflictDialog } from './conflict.tsx'

/** Fields of a form by name: texts and marks, or lists whose elements come and go one by one. */
export type Form = object

export interface Worded {
  label: string
  value: ComponentChildren
}

interface VersionsDialogProps {
  before: Form
  mine: Form
  theirs: Form
  changed: Changed | null
  words(field: string, value: unknown): Worded
  onSend(form: Form): void
  onClose(): void
}

/** Between the name of a list and its element. */
const OF = '\n'

/** Lists by their elements: what one side put in or took out stays beside what the other did. */
const partsOf = (form: Form): Parts =>
  new Map(
    Object.entries(form).flatMap(([name, value]): [string, unknown][] =>
      Array.isArray(value) ? value.map((one) => [`${name}${OF}${canonical(one)}`, one]) : [[name, value]],
    ),
  )

function formOf(parts: Parts, like: Form): Form {
  const elements = (name: string) =>
    [...parts].filter(([key]) => key.startsWith(`${name}${OF}`)).map(([, value]) => value)
  const lists = Object.entries(like).filter(([, value]) => Array.isArray(value))
  return {
    ...Object.fromEntries([...parts].filter(([key]) => !key.includes(OF))),
    ...Object.fromEntries(lists.map(([name]) => [name, elements(name)])),
  }
}

/** Comparison of both versions. Loaded where there is a conflict: few meet one. */
export function VersionsDialog({
  before,
  mine,
  theirs,
  changed,
  words,
  onSend,
  onClose,
}: VersionsDialogProps) {
  const t = texts().formulario
  const who = useChangedBy(changed)
  const sides: Sides = [partsOf(before), partsOf(mine), partsOf(theirs)]
  const { both, others } = comparedParts(sides)
  const say = (key: string, value: unknown) => {
    if (typeof value === 'boolean') return value ? t.sim : t.nao
    return value === undefined || value === '' ? registroTexts().conflict.empty : words(key, value).value
  }
  const labelOf = (key: string, value: unknown) => words(key.split(OF)[0] ?? '', value).label
  return (
    <ConflictDialog
      rows={both.map((key) => {
        const [was, own, their] = sides.map((side) => side.get(key))
        const label = labelOf(key, was ?? own ?? their)
        return { key, label, before: say(key, was), mine: say(key, own), theirs: say(key, their) }
      })}
      others={others.map((key) => {
        const [was, , their] = sides.map((side) => side.get(key))
        const label = labelOf(key, was ?? their)
        if (!key.includes(OF)) return { key, label, value: say(key, their) }
        const { value } = words(key.split(OF)[0] ?? '', was ?? their)
        const mark = their === undefined ? registroTexts().conflict.out : registroTexts().conflict.in
        return {
          key,
          label,
          value: (
            <>
              {value} ({mark})
            </>
          ),
        }
      })}
      who={who}
      when={changed && new Date(changed.em)}
      isSending={false}
      onSend={(chosen) => onSend(formOf(mergedParts(sides, chosen), { ...theirs, ...mine }))}
      onClose={onClose}
    />
  )
}
