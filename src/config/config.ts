import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { networkList } from '../system/networks.ts'
import { databaseUrlProblem } from './database-url.ts'
import { type ProvedorConfig, readProvedores } from './oidc.ts'

export const AMBIENTES = ['sandbox', 'staging', 'production'] as const
export type Ambiente = (typeof AMBIENTES)[number]

/** `count`: counts and shows, but refuses nobody; for load tests. */
export const RATE_LIMITS = ['on', 'off', 'count'] as const

export interface Config {
  host: string
  port: number
  dataDir: string
  /** Its hosts may be several, separated by commas. */
  databaseUrl: string | null
  /** Standbys for long reads. */
  databaseReadUrl: string | null
  ambiente: Ambiente
  adminEmail: string
  adminPassword: string | null
  masterKey: string | null
  dataKey: Buffer | null
  /** Keys that some values are under still. */
  otherDataKeys: Buffer[]
  tlsCertFile: string | null
  tlsKeyFile: string | null
  trustProxy: string[]
  publicUrl: string | null
  smtpUrl: string | null
  mailFrom: string
  rateLimits: (typeof RATE_LIMITS)[number]
  metricsPort: number | null
  worker: boolean
  /** An account without a territory sees nothing instead of the whole country. */
  territorioObrigatorio: boolean
  /** Routes that everybody may ask, with small counts hidden. */
  publico: boolean
  /** Smallest count that is shown where small ones are hidden. */
  supressaoMinimo: number
  /** Days between the notifications of one illness of one person, at most. */
  duplicidadeDias: number
  webhookAllowPrivate: boolean
  /** Private networks that webhooks may reach all the same. */
  webhookNetworks: string[]
  /** Providers of single sign-on; their secrets are among them. */
  oidcProvedores: ProvedorConfig[]
  /** Processes that share the port. */
  instances: number
  logLevel: string
}

/** A failure that the operator can mend: shown without a stack, exit code 1. */
export class StartupError extends Error {}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']
const DATA_KEY_BYTES = 32
const MASTER_KEY_LENGTH = 32
const MAX_INSTANCES = 64

/** Settings that may be given as the path of a file that holds them, as secret stores do: `DATA_KEY_FILE`. */
const SECRETS = [
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'ADMIN_PASSWORD',
  'MASTER_KEY',
  'DATA_KEY',
  'DATA_KEY_PREVIOUS',
  'SMTP_URL',
  'OIDC_PROVIDERS',
] as const

function withSecretFiles(given: NodeJS.ProcessEnv, problems: string[]): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = Object.create(given)
  for (const name of SECRETS) {
    const file = given[`${name}_FILE`]?.trim()
    if (!file) continue
    if (given[name]?.trim()) {
      problems.push(`${name} and ${name}_FILE are two values of one setting: give one`)
      continue
    }
    try {
      env[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
      if (env[name] === '') problems.push(`${name}_FILE names an empty file`)
    } catch (error) {
      problems.push(`${name}_FILE cannot be read: ${(error as NodeJS.ErrnoException).code}`)
    }
  }
  return env
}

/** The only reader of the environment. Reports every bad variable at once. */
export function readConfig(given: NodeJS.ProcessEnv): Config {
  const problems: string[] = []
  const env = withSecretFiles(given, problems)
  const text = (name: string) => env[name]?.trim() || null
  const oneOf = <T extends string>(name: string, allowed: readonly T[], fallback: T): T => {
    const value = text(name) ?? fallback
    if ((allowed as readonly string[]).includes(value)) return value as T
    problems.push(`${name} must be one of ${allowed.join(', ')}`)
    return fallback
  }
  const port = (name: string): number | null => {
    const value = text(name)
    if (value === null) return null
    if (/^\d{1,5}$/.test(value) && Number(value) <= 65535) return Number(value)
    problems.push(`${name} must be a port number (0 to 65535)`)
    return null
  }
  const url = (name: string, protocols: string[]): string | null => {
    const value = text(name)
    if (value === null) return null
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value.replace(/\/+$/, '')
    problems.push(`${name} must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`)
    return null
  }
  const databaseUrl = (name: string): string | null => {
    const value = text(name)
    const found = value === null ? null : databaseUrlProblem(value)
    if (found !== null) problems.push(`${name} ${found}`)
    return found === null ? value : null
  }
  const dataKey = (): Buffer | null => {
    const value = text('DATA_KEY')
    return value === null ? null : (keysIn('DATA_KEY', [value])[0] ?? null)
  }
  const keysIn = (name: string, values: string[]): Buffer[] =>
    values.flatMap((value) => {
      const key = Buffer.from(value, 'base64')
      // The decoder skips characters that are not base64: a mistyped key would be another key.
      if (key.length === DATA_KEY_BYTES && key.toString('base64') === value) return [key]
      problems.push(
        `${name} must be ${DATA_KEY_BYTES} bytes in base64 (openssl rand -base64 ${DATA_KEY_BYTES})`,
      )
      return []
    })

  const instances = (): number => {
    const value = text('INSTANCES') ?? '1'
    const count = value === 'auto' ? availableParallelism() : Number(value)
    if (/^(?:auto|\d{1,3})$/.test(value) && count >= 1 && count <= MAX_INSTANCES) return count
    problems.push(`INSTANCES must be auto or a number from 1 to ${MAX_INSTANCES}`)
    return 1
  }
  const supressaoMinimo = (): number => {
    const value = text('SUPRESSAO_MINIMO') ?? '5'
    if (/^\d{1,2}$/.test(value) && Number(value) >= 3 && Number(value) <= 20) return Number(value)
    problems.push('SUPRESSAO_MINIMO must be a number from 3 to 20')
    return 5
  }
  const duplicidadeDias = (): number => {
    const value = text('DUPLICIDADE_DIAS') ?? '60'
    if (/^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= 365) return Number(value)
    problems.push('DUPLICIDADE_DIAS must be a number from 1 to 365')
    return 60
  }
  const list = (name: string): string[] => (text(name) ?? '').split(/[\s,]+/).filter(Boolean)
  const networks = (name: string): string[] => {
    try {
      networkList(list(name), name)
    } catch (error) {
      problems.push((error as Error).message)
    }
    return list(name)
  }
  const ambiente = oneOf('AMBIENTE', AMBIENTES, 'sandbox')
  const oidc = readProvedores(text('OIDC_PROVIDERS'), { production: ambiente === 'production' })
  problems.push(...oidc.problems)
  const config: Config = {
    host: text('HOST') ?? '127.0.0.1',
    port: port('PORT') ?? 8443,
    dataDir: resolve(text('DATA_DIR') ?? './data'),
    databaseUrl: databaseUrl('DATABASE_URL'),
    databaseReadUrl: databaseUrl('DATABASE_READ_URL'),
    ambiente,
    adminEmail: text('ADMIN_EMAIL') ?? 'admin@vigia.local',
    adminPassword: env.ADMIN_PASSWORD || null,
    masterKey: env.MASTER_KEY || null,
    dataKey: dataKey(),
    otherDataKeys: keysIn('DATA_KEY_PREVIOUS', list('DATA_KEY_PREVIOUS')),
    tlsCertFile: text('TLS_CERT_FILE'),
    tlsKeyFile: text('TLS_KEY_FILE'),
    trustProxy: list('TRUST_PROXY'),
    publicUrl: url('PUBLIC_URL', ['https:']),
    smtpUrl: url('SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: text('MAIL_FROM') ?? 'Vigia <vigia@localhost>',
    rateLimits: oneOf('RATE_LIMITS', RATE_LIMITS, 'on'),
    metricsPort: port('METRICS_PORT'),
    worker: oneOf('WORKER', ['on', 'off'], 'on') === 'on',
    territorioObrigatorio: oneOf('TERRITORIO_OBRIGATORIO', ['on', 'off'], 'off') === 'on',
    publico: oneOf('PUBLICO', ['on', 'off'], 'off') === 'on',
    supressaoMinimo: supressaoMinimo(),
    duplicidadeDias: duplicidadeDias(),
    webhookAllowPrivate:
      oneOf('WEBHOOK_ALLOW_PRIVATE', ['on', 'off'], ambiente === 'sandbox' ? 'on' : 'off') === 'on',
    webhookNetworks: networks('WEBHOOK_NETWORKS'),
    oidcProvedores: oidc.provedores,
    instances: instances(),
    logLevel: oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
  }
  if (!/^[^\s@]+@[^\s@]+$/.test(config.adminEmail)) problems.push('ADMIN_EMAIL must be an e-mail address')
  if ((config.tlsCertFile === null) !== (config.tlsKeyFile === null))
    problems.push('TLS_CERT_FILE and TLS_KEY_FILE go together: give both or neither')
  if (config.databaseReadUrl !== null && config.databaseUrl === null)
    problems.push('DATABASE_READ_URL needs DATABASE_URL: the embedded database has no standby')
  if (config.ambiente === 'production') problems.push(...weakInProduction(config))
  if (problems.length > 0) throw new StartupError(problems.join('\n'))
  return config
}

function weakInProduction(config: Config): string[] {
  const problems: string[] = []
  if (config.tlsCertFile === null && config.trustProxy.length === 0)
    problems.push('production needs TLS_CERT_FILE and TLS_KEY_FILE, or TRUST_PROXY')
  if (config.dataKey === null) problems.push('production needs DATA_KEY')
  if (config.masterKey !== null && config.masterKey.length < MASTER_KEY_LENGTH)
    problems.push(`production needs a MASTER_KEY of at least ${MASTER_KEY_LENGTH} characters`)
  if (config.oidcProvedores.length > 0 && config.publicUrl === null)
    problems.push('production needs PUBLIC_URL for OIDC_PROVIDERS: providers send people back to it')
  if (config.webhookAllowPrivate)
    problems.push('production needs WEBHOOK_ALLOW_PRIVATE=off; WEBHOOK_NETWORKS names private receivers')
  return problems
}
