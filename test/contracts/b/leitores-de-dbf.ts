// DBF as programs of others read it: rows of texts, dates in ISO 8601, empty where nothing is known.
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'csv-parse/sync'

type Row = Record<string, string>

export interface Leitor {
  nome: string
  /** Why it cannot be asked here; false where it can. */
  missing: string | false
  read(dbf: Buffer): Promise<Row[]>
}

const DBFREAD = `
import json, sys
from dbfread import DBF
table = DBF(sys.argv[1], encoding='latin1', char_decode_errors='strict')
print(json.dumps([{name: '' if cell is None else str(cell) for name, cell in row.items()} for row in table]))
`
const FOREIGN = `
rows <- foreign::read.dbf(commandArgs(TRUE)[1], as.is = TRUE)
rows[] <- lapply(rows, function(cells) if (is.character(cells)) iconv(cells, "latin1", "UTF-8") else as.character(cells))
write.table(rows, sep = ";", na = "", row.names = FALSE, qmethod = "double")
`
const MOST_BYTES = 256 * 1024 * 1024
const env = { ...process.env, LC_ALL: 'C.UTF-8', PYTHONUTF8: '1' }

async function printed(program: string, args: string[], dbf: Buffer): Promise<string> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'vigia-dbf-'))
  const path = join(folder.path, 'casos.dbf')
  await writeFile(path, dbf)
  const { stdout } = await promisify(execFile)(program, [...args, path], { env, maxBuffer: MOST_BYTES })
  return stdout
}

const succeeds = (program: string, ...args: string[]) => spawnSync(program, args, { env }).status === 0

/** Debian's packages belong to Debian's Python, which need not be the first one. */
const python = ['python3', '/usr/bin/python3'].find((one) => succeeds(one, '-c', 'import dbfread'))

export const LEITORES: readonly Leitor[] = [
  {
    nome: 'dbfread',
    missing: python === undefined && 'dbfread is not installed (Debian: python3-dbfread)',
    read: async (dbf) => JSON.parse(await printed(python as string, ['-c', DBFREAD], dbf)),
  },
  {
    nome: 'read.dbf of R',
    missing: !succeeds('Rscript', '-e', 'library(foreign)') && 'R has no foreign (Debian: r-cran-foreign)',
    read: async (dbf) =>
      parse(await printed('Rscript', ['--vanilla', '-e', FOREIGN], dbf), { delimiter: ';', columns: true }),
  },
]
