import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { after } from 'node:test'
import { runVigia } from '../../clients/cli/app.ts'
import { ADMIN_EMAIL } from './app.ts'
import { consoleService } from './console-service.ts'

export interface Given {
  /** What comes in, piece by piece if it is to wait for something. */
  input?: string | AsyncIterable<string>
  /** Somebody types the input at a terminal. */
  isTyped?: boolean
  env?: Record<string, string>
  /** Writes to a terminal. */
  isTTY?: boolean
  signal?: AbortSignal
  onOutput?: (text: string) => void
}

const HEADER =
  'tipo_agravo;numero_notificacao;data_notificacao;paciente_nome;municipio_residencia;estado_residencia'

export const linesOf = (text: string) => text.trimEnd().split('\n')
export const linha = (numero: string, dia = '2026-03-12') => `dengue;${numero};${dia};Rui Costa;Olinda;PE`

/** The command line, run in this process against a service of its own, with its configuration in a folder that the end removes. */
export async function commandLine() {
  const service = await consoleService()
  const folder = await mkdtemp(join(tmpdir(), 'vigia-cli-'))
  const caFile = join(folder, 'ca.pem')
  await writeFile(caFile, service.ca)
  service.t.jobWorker.start()
  after(async () => {
    await service.t.jobWorker.stop()
    await service[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  async function vigia(
    args: string[],
    { input = '', env = {}, isTTY = false, isTyped = false, signal, onOutput }: Given = {},
  ) {
    const written = { stdout: '', stderr: '' }
    const streamOf = (name: 'stdout' | 'stderr') =>
      Object.assign(
        new Writable({
          write(chunk, _encoding, done) {
            written[name] += chunk
            onOutput?.(String(chunk))
            done()
          },
        }),
        { isTTY },
      )
    const io = {
      stdout: streamOf('stdout'),
      stderr: streamOf('stderr'),
      stdin: Object.assign(Readable.from(typeof input === 'string' ? [input] : input), { isTTY: isTyped }),
      env: { XDG_CONFIG_HOME: folder, ...env },
      signal: signal ?? new AbortController().signal,
    }
    const code = await runVigia(args, io)
    return { code, ...written }
  }

  async function done(args: string[], given: Given = {}) {
    const { code, stdout, stderr } = await vigia(args, given)
    assert.equal(code, 0, `${stderr}${stdout}`)
    return { stdout, stderr }
  }

  async function arquivo(name: string, ...rows: string[]): Promise<string> {
    const file = join(folder, name)
    await writeFile(file, `${[HEADER, ...rows].join('\n')}\n`)
    return file
  }

  return {
    service,
    folder,
    caFile,
    vigia,
    done,
    json: async (args: string[], given: Given = {}) =>
      JSON.parse((await done([...args, '--json'], given)).stdout),
    LOGIN: ['login', '--url', service.origin, '--ca', caFile, '--email', ADMIN_EMAIL],
    arquivo,
    casosOf: async (numero: string) =>
      linesOf((await done(['casos', 'listar', '--json', '--filtro', `numero_notificacao=${numero}`])).stdout)
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  }
}
