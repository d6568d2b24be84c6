/**
 * Reason of every row that a bound importer may not write: its own places are outside, it would move its case outside, or its
 * key belongs to a case outside. One text, so that it does not tell which. The account that answers for a case counts only in
 * single reads.
 */
export const OUTSIDE_TEXT = 'Fora do seu território'
