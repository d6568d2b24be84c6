import type { Place } from '../../../../src/charts/outlines.ts'
import { texts } from '../../state/texts.ts'
import { CasesLink } from './cases-link.tsx'
import { casosPath, inPlace, painelPath } from './links.ts'
import type { PartProps } from './painel.tsx'
import type { Silent, SilentPlace } from './silent.ts'

interface SilentListProps {
  silent: Silent
  places: readonly Place[] | undefined
  state: PartProps['state']
}

/** Municipalities that sent nothing of late; each leads to its painel and its cases. */
export default function SilentList({ silent, places, state }: SilentListProps) {
  const t = texts().painel
  const names = new Map(places?.map((place) => [place.id, place.nome]))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: it scrolls, also by keys
    <div class="silent" role="group" aria-label={t.silent(silent.from, silent.to)} tabIndex={0}>
      <ul>
        {silent.places.map((place) => (
          <SilentEntry key={place.codigo} {...{ place, state }} nome={names.get(place.codigo)} />
        ))}
      </ul>
    </div>
  )
}

interface SilentEntryProps {
  place: SilentPlace
  nome: string | undefined
  state: PartProps['state']
}

function SilentEntry({
  place: { codigo, ultima, casos },
  nome,
  state: { filters, rules },
}: SilentEntryProps) {
  const t = texts().painel
  return (
    <li>
      <a href={painelPath(inPlace(filters, codigo), rules)}>{nome ?? codigo}</a>{' '}
      {ultima === null ? (
        <span>{t.silentAlways}</span>
      ) : (
        <span>
          {t.silentSince(ultima)}{' '}
          <CasesLink href={casosPath(inPlace(filters, codigo), rules)}>{t.casesOf(casos)}</CasesLink>
        </span>
      )}
    </li>
  )
}
