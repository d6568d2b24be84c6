import { randomBytes } from 'node:crypto'
import { chmod, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SendMailOptions } from 'nodemailer'
import { type Mail, MailFailure, type MailTransport } from '../domain/emails/mail.ts'
import { makeFolder } from '../system/folder.ts'

export interface TransportOptions {
  /** `smtp://` (STARTTLS when the server has it; `?requireTLS=true` insists) or `smtps://`; null: files. */
  smtpUrl: string | null
  mailFrom: string
  dataDir: string
}

export function createTransport({ smtpUrl, mailFrom, dataDir }: TransportOptions): MailTransport {
  return smtpUrl === null ? fileTransport(mailFrom, join(dataDir, 'mail')) : smtpTransport(mailFrom, smtpUrl)
}

/** For each stage of SMTP; the worker's own limit of a minute is for all of them. */
const TIMEOUT_MS = 15_000
/** Our mails are texts: nothing in them may make the library read a file or fetch an address. */
const TEXT_ONLY = { disableFileAccess: true, disableUrlAccess: true }

/** Loaded with the first mail. */
const loadMailer = () => import('nodemailer')

function smtpTransport(from: string, url: string): MailTransport {
  const options = {
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    ...TEXT_ONLY,
  }
  return {
    async send({ text, html, ...mail }) {
      const message = { ...headersOf(from, mail), text, html }
      const mailer = (await loadMailer()).createTransport(options)
      try {
        await mailer.sendMail(message)
      } catch (error) {
        throw toFailure(error as SmtpError)
      }
    },
  }
}

/** Without a mail server: one file for each mail, for the operator alone, since it holds a working link. */
function fileTransport(from: string, folder: string): MailTransport {
  const options = { streamTransport: true, buffer: true, newline: 'windows', ...TEXT_ONLY } as const
  return {
    async send({ text, html, ...mail }) {
      // As it is, not quoted-printable: the link can be copied out of the file.
      const alternatives = [rawPart('text/plain', text), rawPart('text/html', html)]
      const composer = (await loadMailer()).createTransport(options)
      const { message } = await composer.sendMail({ ...headersOf(from, mail), alternatives })
      const time = new Date().toISOString().replaceAll(/[-:.]/g, '')
      await writePrivately(folder, `${time}-${randomBytes(6).toString('hex')}.eml`, message as Buffer)
    },
  }
}

/** Atomic: written beside and renamed. */
async function writePrivately(folder: string, name: string, content: Buffer): Promise<void> {
  const unfinished = join(folder, `.${name}.new`)
  try {
    await makeFolder(folder, 0o700)
    await chmod(folder, 0o700)
    await writeFile(unfinished, content, { flag: 'wx', mode: 0o600 })
    await rename(unfinished, join(folder, name))
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {})
    throw new MailFailure(`no file could be written: ${(error as NodeJS.ErrnoException).code}`)
  }
}

function rawPart(type: string, content: string) {
  const lines = content.replaceAll(/\r?\n/g, '\r\n')
  return { raw: `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${lines}` }
}

/** One plain address and nothing that a header or the SMTP dialogue could take for more. */
const ADDRESS = /^[^\p{C}\p{Z}<>()[\]\\,;:"@]+@[^\p{C}\p{Z}<>()[\]\\,;:"@]+$/u

function headersOf(from: string, { to, subject }: Pick<Mail, 'to' | 'subject'>): SendMailOptions {
  if (!ADDRESS.test(to)) throw new MailFailure('not an address')
  return {
    from,
    // As an object it is not parsed as a list.
    to: { name: '', address: to },
    subject: subject.replaceAll(/\p{C}+/gu, ' '),
    // RFC 3834: no automatic answers.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  }
}

interface SmtpError extends Error {
  code?: string
  command?: string
  responseCode?: number
  syscall?: string
  timeoutType?: string
}

/** Only codes: what the server says and what the library adds quote the address. */
function toFailure({ code, command, responseCode, syscall, timeoutType }: SmtpError): MailFailure {
  const broke = timeoutType === 'SOCKET_TIMEOUT' || code === 'ECONNECTION' || code === 'ESOCKET'
  const mayHaveArrived = broke && responseCode === undefined && syscall !== 'connect'
  const what = [code, command, responseCode, timeoutType].filter((part) => part !== undefined)
  return new MailFailure(`SMTP: ${what.join(' ')}`, { mayHaveArrived })
}
