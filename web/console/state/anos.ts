/** Years that are offered, the present one among them. */
const YEARS = 6

/** Years of notification, the present one first. */
export const anosUntil = (today: string): string[] =>
  Array.from({ length: YEARS }, (_, ago) => String(Number(today.slice(0, 4)) - ago))
