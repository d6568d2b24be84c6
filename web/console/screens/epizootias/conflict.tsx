import { useQuery } from '@tanstack/preact-query'
import { dateInBrazil } from '../../../../src/brasil/calendar.ts'
import { type Detalhe, valores } from '../../state/epizootias.ts'
import { EPIZOOTIAS } from '../../state/epizootias-keys.ts'
import { api } from '../../state/session.ts'
import { epizootiasTexts } from '../../state/texts/epizootias.ts'
import { ConflictDialog, type Side } from '../../ui/conflict.tsx'
import { useMunicipioNome } from '../../ui/municipio-field.tsx'
import { NAMES, type Name, type Typed, typedOf, typedText } from './fields.ts'

interface ConflictProps {
  base: Detalhe
  typed: Typed
  theirs: Detalhe
  isResending: boolean
  onSend(sides: Record<string, Side>): void
  onClose(): void
}

/** Comparison of both versions. Loaded where there is a conflict: few forms meet one. */
export function Conflict({ base, typed, theirs, isResending, onSend, onClose }: ConflictProps) {
  const { campos } = epizootiasTexts()
  const registered = useQuery(valores()).data?.items
  const last = useQuery({
    queryKey: [...EPIZOOTIAS, 'historico', base.id, theirs.versao],
    queryFn: ({ signal }) =>
      api.get(
        '/api/v1/epizootias/{id}/historico',
        { params: { id: base.id }, query: { page: 1, size: 1 } },
        { signal },
      ),
  }).data?.items[0]
  const before = typedOf(base)
  const other = typedOf(theirs)
  const mineName = useMunicipioNome(/^\d{7}$/.test(typed.municipio) ? typed.municipio : null)
  const say = (name: Name, values: Typed, place: string | undefined) =>
    name === 'municipio'
      ? (place ?? values.municipio)
      : typedText(name, values[name], dateInBrazil(new Date()), registered)
  const changed = NAMES.filter((name) => before[name] !== other[name])
  const both = changed.filter((name) => typed[name] !== before[name] && typed[name] !== other[name])
  const others = changed.filter((name) => typed[name] === before[name])
  return (
    <ConflictDialog
      rows={both.map((name) => ({
        key: name,
        label: campos[name],
        before: say(name, before, base.municipio),
        mine: say(name, typed, mineName),
        theirs: say(name, other, theirs.municipio),
      }))}
      others={others.map((name) => ({ label: campos[name], value: say(name, other, theirs.municipio) }))}
      who={last?.usuario?.nome ?? null}
      when={last === undefined ? null : new Date(last.data)}
      isSending={isResending}
      onSend={onSend}
      onClose={onClose}
    />
  )
}
