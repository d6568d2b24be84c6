import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Call, Method } from '../../ts/src/index.ts'
import { isJson, urlOf } from '../../ts/src/request.ts'
import { confirm } from '../ask.ts'
import { CliError, EXIT, say, write } from '../context.ts'
import { openTarget } from '../download.ts'
import { command } from '../run.ts'
import type { Session } from '../session.ts'

interface Asking {
  corpo?: string
  consulta?: readonly string[]
  saida: string
  simular: boolean
  sim: boolean
}

/** Any operation, as it is in the documentation. Answers are JSON, for people with indents; files go on piece by piece. */
export const api = command<Asking, [Method, string]>(async (session, flags, method, given) => {
  const { io, t, url, vigia } = session
  const call = await callOf(session, flags, method, given)
  const address = urlOf(url, call)
  if (flags.simular) {
    say(io, t.would(`${method} ${address}`))
    const { body: corpo } = call
    return write(
      io,
      `${JSON.stringify({ metodo: method, endereco: address, ...(corpo !== undefined && { corpo }) })}\n`,
    )
  }
  if (method === 'DELETE') await confirm(io, `DELETE ${call.path}`, flags.sim, t)
  await using target = await openTarget(session, flags.saida)
  const answer = await vigia.response(call, session.given)
  if (answer.status === 204) return
  if (!isJson(answer) || flags.saida !== '-') return await target.fill(Readable.fromWeb(answer.body as never))
  const isShown = io.stdout.isTTY && !flags.json
  await write(io, `${JSON.stringify(await answer.json(), null, isShown ? 2 : 0)}\n`)
})

async function callOf(
  session: Session,
  { corpo, consulta = [] }: Asking,
  method: Method,
  given: string,
): Promise<Call> {
  const { t } = session
  const [path = '', asked = ''] = given.replace(/^\/api\/v1(?=\/)/, '').split('?')
  if (!/^\/[\w./~%@:+,-]*$/.test(path)) throw new CliError(t.badPath(given), EXIT.usage)
  if (method === 'GET' && corpo !== undefined) throw new CliError(t.noBody, EXIT.usage)
  const pairs = consulta.map((pair): [string, string] => {
    const at = pair.indexOf('=')
    if (at < 1) throw new CliError(t.badQuery(pair), EXIT.usage)
    return [pair.slice(0, at), pair.slice(at + 1)]
  })
  const query = Object.fromEntries([...new URLSearchParams(asked), ...pairs])
  const body = corpo === undefined ? undefined : await bodyOf(session, corpo)
  return { method, path, query, ...(body !== undefined && { body }) }
}

/** JSON itself, `@` and a file with it, or `-` for the input: what is secret is no argument, which others could read. */
async function bodyOf({ io, t }: Session, given: string): Promise<unknown> {
  const file = given.startsWith('@') ? given.slice(1) : given
  const isInline = file === given && given !== '-'
  const read = () => (file === '-' ? text(io.stdin) : readFile(file, 'utf8'))
  const content = isInline ? given : await read().catch(() => null)
  if (content === null) throw new CliError(t.unreadable(file), EXIT.usage)
  try {
    return JSON.parse(content)
  } catch {
    // Never what was given: it may hold a password.
    throw new CliError(t.notJson(isInline ? '--corpo' : file), EXIT.usage)
  }
}
