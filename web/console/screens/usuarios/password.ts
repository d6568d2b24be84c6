/** No letters, digits and signs that look alike: the password is read out or copied by hand. */
const CLASSES = ['ABCDEFGHJKMNPQRSTUVWXYZ', 'abcdefghijkmnpqrstuvwxyz', '23456789', '#%+=?@'] as const
const ALL = CLASSES.join('')
const LENGTH = 14
const BYTE = 256

/** Uniform over the numbers below `limit`: bytes that would favour some are thrown away. */
function randomBelow(limit: number): number {
  const most = Math.floor(BYTE / limit) * limit
  const [byte] = crypto.getRandomValues(new Uint8Array(1)) as unknown as [number]
  return byte < most ? byte % limit : randomBelow(limit)
}

const pick = (from: string) => from[randomBelow(from.length)] as string

/** A password with a sign of every class, as the rules ask for, in random order. */
export function generatePassword(): string {
  const left = [...CLASSES.map(pick), ...Array.from({ length: LENGTH - CLASSES.length }, () => pick(ALL))]
  const signs: string[] = []
  while (left.length > 0) signs.push(...left.splice(randomBelow(left.length), 1))
  return signs.join('')
}
