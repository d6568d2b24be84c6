/** Reporting triangle: `at(row, delay)` is the number of a row's cases that came with that delay. */
export interface ReportingTriangle {
  at(row: number, delay: number): number
}

/**
 * Chain ladder: share of its cases that a row has after each delay 0…`last`, going down from 1 at `last`. The rows of a step to
 * delay `d` are the `rows` latest ones for which that delay is over, `now − d − rows + 1 … now − d`.
 */
export function completeness(
  triangle: ReportingTriangle,
  { now, rows, last }: { now: number; rows: number; last: number },
): number[] {
  const shares = new Array<number>(last + 1).fill(1)
  for (let delay = last; delay >= 1; delay--) {
    let [before, after] = [0, 0]
    for (let row = now - delay - rows + 1; row <= now - delay; row++) {
      for (let earlier = 0; earlier < delay; earlier++) before += triangle.at(row, earlier)
      after += triangle.at(row, delay)
    }
    const growth = (before + after + 0.5) / (before + 0.5)
    shares[delay - 1] = (shares[delay] as number) / Math.max(growth, 1)
  }
  return shares
}
