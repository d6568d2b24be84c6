/** What people decide about a pair of cases. */
export const DECISOES = ['mesmo_caso', 'outro_episodio', 'outra_pessoa'] as const
export const SITUACOES = ['pendente', ...DECISOES] as const
export type SituacaoDoPar = (typeof SITUACOES)[number]
