/** The work a job does, as people call it. */
export type Trabalho = 'importacao' | 'validacao' | 'exportacao' | 'desfazimento' | 'simulacao'

/** Messages of jobs by code, with the parameters of their texts. */
export interface MessageParams {
  WAITING: { trabalho: Trabalho }
  INTERRUPTED: { trabalho: Trabalho }
  READING: object
  RUNNING: { trabalho: Trabalho }
  CANCELING: object
  COMPLETED: { trabalho: Trabalho; rejeitadas: number }
  REFUSED: { trabalho: Trabalho; linhas: number }
  /** The reason is worded where the file is read, in Portuguese. */
  INVALID_FILE: { motivo: string }
  TOO_MANY_ROWS: { linhas: number; limite: number }
  ALREADY_UNDONE: object
  CANCELED: object
  ACCOUNT_OFF: object
  NOT_PERMITTED: object
  STALLED: object
  FAILED: object
}

export type Mensagem = {
  [C in keyof MessageParams]: { code: C } & MessageParams[C]
}[keyof MessageParams]

/** The texts of one language. A code without a text does not compile. */
export interface Textos {
  trabalhos: Record<Trabalho, string>
  mensagens: { [C in keyof MessageParams]: (params: MessageParams[C]) => string }
}
