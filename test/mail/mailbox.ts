import type { Db } from '../../src/db/db.ts'
import { sql } from '../../src/db/sql.ts'
import type { Mail, MailTransport } from '../../src/domain/emails/mail.ts'
import { createMailWorker, type FailedEmail, type MailWorkerOptions } from '../../src/domain/emails/worker.ts'
import type { TestDatabase } from '../harness/database.ts'

export const PUBLIC_URL = 'https://vigia.example'

/** Where a test's mails end; `refuse` may throw instead. */
export function mailbox(refuse: (mail: Mail) => unknown = () => {}) {
  const mails: Mail[] = []
  const transport: MailTransport = {
    async send(mail) {
      await refuse(mail)
      mails.push(mail)
    },
  }
  return { mails, transport }
}

/** Stands still until it is pushed; a minute ahead, so that what a test writes in the next minute is due. */
export function stillClock({ ahead = 60_000 } = {}) {
  let now = Date.now() + ahead
  return {
    now: () => new Date(now),
    advance(ms: number) {
      now += ms
    },
  }
}

export interface Failure extends FailedEmail {
  message: string
}

export function testWorker(
  database: TestDatabase,
  options: Pick<MailWorkerOptions, 'clock' | 'transport'> & Partial<MailWorkerOptions>,
) {
  const failures: Failure[] = []
  const worker = createMailWorker({
    db: database.pool,
    publicUrl: PUBLIC_URL,
    onError(error, email) {
      if (email === null) throw error
      failures.push({ ...email, message: (error as Error).message })
    },
    ...options,
  })
  return { ...worker, failures }
}

let accounts = 0

export async function account(
  db: Db,
  { nome = 'Ana Souza', idioma = 'pt-BR', ativo = true, email = `conta${++accounts}@teste.local` } = {},
): Promise<{ id: number; email: string }> {
  const row = await db.first<{ id: number; email: string }>(sql`
    insert into usuarios (nome, email, senha_hash, idioma, desativado_em)
    values (${nome}, ${email}, '-', ${idioma}, case when ${ativo} then null else now() end)
    returning id, email`)
  return row as { id: number; email: string }
}

export async function waiting(
  db: Db,
): Promise<{ para: string; tentativas: number; proxima_tentativa: Date }[]> {
  return db.rows(sql`select para, tentativas, proxima_tentativa from emails_pendentes order by id`)
}

export const tokenIn = (mail: Mail | undefined) => /#token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
