import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { makeFolder } from '../../system/folder.ts'

/** A certificate (with its chain) and its private key, both PEM. */
export interface KeyPair {
  readonly cert: string
  readonly key: string
}

interface PairFiles {
  readonly certFile: string
  readonly keyFile: string
}

export interface Certificate extends KeyPair, PairFiles {
  /** True when the service made it itself; browsers will warn about it. */
  readonly generated: boolean
  readonly validTo: Date
}

export interface CertificateSource {
  readonly certFile?: string | undefined
  readonly keyFile?: string | undefined
  readonly dataDir: string
  /** Names and addresses, besides the local ones, that a generated certificate is made out to. */
  readonly hosts: readonly string[]
}

export interface CertificateWatch {
  onChange(pair: KeyPair): void
  /** The files changed into something unusable; the pair in use stays in use. */
  onError(error: Error): void
  readonly interval?: number
}

// Apple's systems refuse server certificates that are valid for longer.
const GENERATED_DAYS = 825
const DAY = 24 * 60 * 60 * 1000

export async function loadCertificate(source: CertificateSource): Promise<Certificate> {
  const { certFile, keyFile } = source
  if (certFile && keyFile) return describe({ certFile, keyFile }, false)
  if (certFile || keyFile) {
    const [given, missing] = certFile ? ['certificate', 'key'] : ['key', 'certificate']
    throw new Error(`TLS: a ${given} file is given without a ${missing} file; give both or neither`)
  }
  return loadOrGenerate(join(source.dataDir, 'tls'), source.hosts)
}

/**
 * Reads the files again and again instead of asking the system to watch them: that also notices renamed files,
 * swapped symbolic links (certbot, Kubernetes) and network file systems. A change counts once it has stood still
 * for one interval, so that certificate and key can be written one after the other. Returns the way to stop.
 */
export function watchCertificate(certificate: Certificate, watch: CertificateWatch): () => void {
  const interval = watch.interval ?? 1000
  let settled = certificate.cert + certificate.key
  let previous = settled
  let timer: NodeJS.Timeout
  let stopped = false

  async function look() {
    const outcome = await readPair(certificate).catch((error: Error) => error)
    if (stopped) return
    const found = outcome instanceof Error ? outcome.message : outcome.cert + outcome.key
    if (found !== settled && found === previous) {
      settled = found
      adopt(outcome)
    }
    previous = found
    schedule()
  }

  function adopt(outcome: KeyPair | Error) {
    try {
      if (outcome instanceof Error) throw outcome
      checkPair(outcome, certificate)
      watch.onChange(outcome)
    } catch (error) {
      watch.onError(error as Error)
    }
  }

  function schedule() {
    timer = setTimeout(look, interval).unref()
  }

  schedule()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

async function describe(files: PairFiles, generated: boolean): Promise<Certificate> {
  const pair = await readPair(files)
  const { validToDate } = checkPair(pair, files)
  return { ...pair, ...files, generated, validTo: validToDate }
}

async function readPair({ certFile, keyFile }: PairFiles): Promise<KeyPair> {
  const cert = await readPem('certificate', certFile)
  const key = await readPem('key', keyFile)
  return { cert, key }
}

async function readPem(what: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new Error(`TLS: the ${what} file ${file} cannot be read (${reason(error)})`)
  }
}

function checkPair(pair: KeyPair, { certFile, keyFile }: PairFiles): X509Certificate {
  const certificate = attempt(`${certFile} holds no PEM certificate`, () => new X509Certificate(pair.cert))
  const key = attempt(`${keyFile} holds no PEM private key without passphrase`, () =>
    createPrivateKey(pair.key),
  )
  if (!certificate.checkPrivateKey(key)) {
    throw new Error(`TLS: the key in ${keyFile} does not belong to the certificate in ${certFile}`)
  }
  attempt(`${certFile} and ${keyFile} cannot be used together`, () => createSecureContext(pair))
  return certificate
}

function attempt<T>(complaint: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw new Error(`TLS: ${complaint} (${reason(error)})`)
  }
}

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? message
}

async function loadOrGenerate(folder: string, hosts: readonly string[]): Promise<Certificate> {
  const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }
  const kept = await describe(files, true).catch(() => null)
  if (kept && kept.validTo.getTime() > Date.now()) return kept

  await keepPair(folder, files, await generatePair(hosts))
  return describe(files, true)
}

async function keepPair(folder: string, files: PairFiles, pair: KeyPair): Promise<void> {
  try {
    await makeFolder(folder, 0o700)
    await replaceFile(files.keyFile, pair.key, 0o600)
    await replaceFile(files.certFile, pair.cert, 0o644)
  } catch (error) {
    throw new Error(`TLS: the generated certificate cannot be kept in ${folder} (${reason(error)})`)
  }
}

async function replaceFile(file: string, text: string, mode: number): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, text, { mode, flush: true, flag: 'wx' })
  await rename(draft, file)
}

async function generatePair(hosts: readonly string[]): Promise<KeyPair> {
  // Loaded only when needed: it brings a large ASN.1 library, and most starts reuse the certificate.
  const { generate } = await import('selfsigned')
  // An hour back, for clients whose clock is a little behind.
  const notBeforeDate = new Date(Date.now() - 60 * 60 * 1000)
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate,
    notAfterDate: new Date(notBeforeDate.getTime() + GENERATED_DAYS * DAY),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: altNames(hosts) },
    ],
  })
  return { cert: made.cert, key: made.private }
}

function altNames(hosts: readonly string[]) {
  const names = new Set(['localhost', '127.0.0.1', '::1', ...hosts.map((host) => host.trim())])
  // The addresses that mean "listen everywhere" name no host.
  for (const nowhere of ['', '0.0.0.0', '::']) names.delete(nowhere)
  return [...names].map((name) =>
    isIP(name) ? { type: 7 as const, ip: name } : { type: 2 as const, value: name },
  )
}
