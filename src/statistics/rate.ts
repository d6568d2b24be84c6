const PER = 100_000

/** Cases for each 100,000 residents; null where the residents are unknown. */
export const ratePer100k = (casos: number, populacao: number | null): number | null =>
  populacao === null || populacao === 0 ? null : (casos / populacao) * PER
