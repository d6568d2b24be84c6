import { cache } from '../../state/session.ts'

/** Lists and cases that the page has seen are asked for again where they are next looked at. */
export function outdateCasos(): void {
  void cache.invalidateQueries({
    predicate: ({ queryKey: [name] }) => name === 'caso' || name === 'casos',
    refetchType: 'none',
  })
}
