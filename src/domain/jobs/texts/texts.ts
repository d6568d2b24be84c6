/** Kinds of work, as users know them. */
export const TRABALHOS = [
  'importacao',
  'validacao',
  'exportacao',
  'desfazimento',
  'simulacao',
  'boletim',
  'verificacao',
  'varredura',
] as const
export type Trabalho = (typeof TRABALHOS)[number]

/** Message codes and the parameters of their texts. */
export interface MessageParams {
  WAITING: { trabalho: Trabalho }
  INTERRUPTED: { trabalho: Trabalho }
  READING: object
  RUNNING: { trabalho: Trabalho }
  CANCELING: object
  COMPLETED: { trabalho: Trabalho; rejeitadas: number }
  REFUSED: { trabalho: Trabalho; linhas: number }
  /** The reason comes from the reader of the file, in Portuguese. */
  INVALID_FILE: { motivo: string }
  /** A file without a disease column, sent without a disease. */
  WITHOUT_DISEASE: { motivo: string }
  TOO_MANY_ROWS: { linhas: number; limite: number }
  /** Rows of the file are not those that its header tells. */
  TOTAL_DIFFERS: { contadas: number; linhas: number }
  /** No generalisation leaves enough cases together. */
  TOO_FEW_CASES: { k: number }
  ALREADY_UNDONE: object
  /** Of the service itself: shown to nobody. */
  LEVELS_COMPUTED: object
  PAIRS_FOUND: object
  CANCELED: object
  ACCOUNT_OFF: object
  NOT_PERMITTED: object
  STALLED: object
  FAILED: object
}

export type JobMessage = {
  [C in keyof MessageParams]: { code: C } & MessageParams[C]
}[keyof MessageParams]

/** The texts of one language. A code without a text does not compile. */
export interface JobTexts {
  works: Record<Trabalho, string>
  messages: { [C in keyof MessageParams]: (params: MessageParams[C]) => string }
}
