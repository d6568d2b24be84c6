import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'

/** Journal of acknowledged writes, appended the moment the answer came. */
export type Acknowledged =
  | { what: 'caso'; id: number; numero: string }
  | { what: 'alteracao'; id: number; versao: number }
  | { what: 'usuario'; id: number; email: string }

export interface Journal {
  file: string
  note(entry: Acknowledged): void
  read(): Acknowledged[]
  close(): void
}

export function openJournal(file: string): Journal {
  const handle = openSync(file, 'wx')
  return {
    file,
    note: (entry) => void writeSync(handle, `${JSON.stringify(entry)}\n`),
    read: () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    close: () => closeSync(handle),
  }
}
