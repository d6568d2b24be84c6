import type { App } from '../app.ts'

/** The slice of the service that jobs are given; a process of their own builds it from the data key and a connection. */
export type JobApp = Pick<
  App,
  | 'db'
  | 'reader'
  | 'clock'
  | 'cipher'
  | 'chaves'
  | 'linhaHash'
  | 'municipios'
  | 'territorios'
  | 'territories'
  | 'agravos'
  | 'auditoria'
  | 'duplicidadeDias'
>
