import { AgeCard } from './age-card.tsx'
import { MonthsCard } from './months-card.tsx'
import type { PartProps } from './painel.tsx'

/** The last cards, below what a window shows: their code comes after the numbers. */
export default function People(of: PartProps) {
  return (
    <>
      <AgeCard {...of} />
      <MonthsCard {...of} />
    </>
  )
}
