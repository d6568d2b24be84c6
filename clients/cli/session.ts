import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { httpsFetch } from '../ts/src/https.ts'
import { createVigia, type Vigia } from '../ts/src/index.ts'
import { CliError, type Context, EXIT, type Io } from './context.ts'
import { fileOf, readCredentials, storeOf } from './credentials.ts'
import { type Idioma, TEXTS, type Texts } from './texts.ts'

/** Flags of every command. */
export interface Global {
  json: boolean
  url?: string
  ca?: string
  idioma: Idioma
}

export interface Session {
  io: Io
  t: Texts
  url: string
  ca: string | null
  vigia: Vigia
  /** Passed to every call, so that an interrupt ends it. */
  given: { signal: AbortSignal }
  /** Tells from then on how many bytes of bodies are sent. */
  onSent(tell: (bytes: number) => void): void
}

const DEFAULT_URL = 'https://127.0.0.1:8443'
/** Somebody waits: three and a half seconds of pauses. */
const ATTEMPTS = 4

/** The service to talk to: `--url`, `VIGIA_URL`, that of the login, or the one on this machine. */
export async function connect({ io }: Context, { url: asked, ca: named, idioma }: Global): Promise<Session> {
  let tell = (_bytes: number) => {}
  const t = TEXTS[idioma]
  const file = fileOf(io.env)
  const kept = await readCredentials(file)
  const url = (asked ?? io.env.VIGIA_URL ?? kept?.url ?? DEFAULT_URL).replace(/\/+$/, '')
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') throw new CliError(t.badUrl(url), EXIT.usage)
  const ca = named === undefined ? (kept?.url === url ? kept.ca : null) : resolve(named)
  const pem =
    ca === null
      ? undefined
      : await readFile(ca, 'utf8').catch(() => {
          throw new CliError(t.unreadable(ca), EXIT.usage)
        })
  const token = io.env.VIGIA_TOKEN
  const vigia = createVigia({
    url,
    language: idioma,
    attempts: ATTEMPTS,
    fetch: httpsFetch({ ca: pem, onSent: (bytes) => tell(bytes) }),
    ...(token ? { token } : { store: storeOf(file, { url, ca }, io.signal) }),
  })
  return {
    io,
    t,
    url,
    ca,
    vigia,
    given: { signal: io.signal },
    onSent(told) {
      tell = told
    },
  }
}
