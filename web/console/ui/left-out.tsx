import type { LeftOut } from '../state/filter-address.ts'
import { texts } from '../state/texts.ts'

/** Parts of the address that are no filter. */
export function LeftOutNotice({ leftOut }: { leftOut: readonly LeftOut[] }) {
  if (leftOut.length === 0) return null
  return (
    <p class="notice info left-out" role="status">
      {texts().filtros.leftOut(leftOut.map(({ name, value }) => `${name}=${value}`).join(', '))}
    </p>
  )
}
