import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { BoletimNoEmail, EmailTipo } from './texts/texts.ts'

export interface EmailRow {
  id: number
  tipo: EmailTipo
  para: string
  usuario_id: number | null
  idioma: string | null
  /** Bulletin that it is about, and what it says of it. */
  boletim_id: number | null
  boletim: BoletimNoEmail | null
  criado_em: Date
  tentativas: number
}

/** Nothing for a service account, which has no mailbox. Due at once; truncated to milliseconds like JavaScript's clock, so that it is not due just after its worker was woken. */
export function insertEmail(
  db: Db,
  email: Pick<EmailRow, 'tipo' | 'para' | 'usuario_id' | 'idioma' | 'boletim_id' | 'boletim'>,
): Promise<number> {
  return db.run(sql`
    insert into emails_pendentes (tipo, para, usuario_id, idioma, boletim_id, boletim, proxima_tentativa)
    select ${email.tipo}, ${email.para}, ${email.usuario_id}::integer, ${email.idioma}, ${email.boletim_id}::integer,
      ${email.boletim && JSON.stringify(email.boletim)}::jsonb, date_trunc('milliseconds', now())
     where not exists (select from usuarios u where u.id = ${email.usuario_id}::integer and u.servico)`)
}

/** Leases due mails; skips rows that another instance is claiming. */
export function claimEmails(db: Db, atMost: number, now: Date, leaseUntil: Date): Promise<EmailRow[]> {
  return db.rows(sql`
    update emails_pendentes set tentativas = tentativas + 1, proxima_tentativa = ${leaseUntil}
     where id in (select id from emails_pendentes where proxima_tentativa <= ${now}
                   order by proxima_tentativa, id limit ${atMost} for update skip locked)
    returning id, tipo, para, usuario_id, idioma, boletim_id, boletim, criado_em, tentativas`)
}

export function deleteEmail(db: Db, id: number): Promise<number> {
  return db.run(sql`delete from emails_pendentes where id = ${id}`)
}

/** Only by the holder of the lease: afterwards another instance may be sending it. */
export function rescheduleEmail(
  db: Db,
  { id, tentativas }: Pick<EmailRow, 'id' | 'tentativas'>,
  proxima_tentativa: Date,
): Promise<number> {
  return db.run(sql`
    update emails_pendentes set proxima_tentativa = ${proxima_tentativa}
     where id = ${id} and tentativas = ${tentativas}`)
}

export interface RecipientRow {
  usuario_id: number
  nome: string
  email: string
  email_pendente: string | null
  emails_anteriores: string[]
  idioma: string
  trocar_senha: boolean
  ativo: boolean
  /** Has logged in before. */
  entrou: boolean
}

const RECIPIENT: Sql = sql`
  id as usuario_id, nome, email, email_pendente, idioma, trocar_senha, ativo,
  ultimo_login is not null as entrou,
  array(select a.email from emails_anteriores a where a.usuario_id = usuarios.id) as emails_anteriores`

export function findRecipient(db: Db, usuarioId: number): Promise<RecipientRow | null> {
  return db.first(sql`select ${RECIPIENT} from usuarios where id = ${usuarioId}`)
}

/** Locks the account, so that its mails are counted by one instance at a time. */
export function findActiveRecipientForUpdate(db: Db, email: string): Promise<RecipientRow | null> {
  return db.first(sql`
    select ${RECIPIENT} from usuarios where lower(email) = lower(${email}) and ativo and not servico
       for no key update`)
}

export interface EmailQueueSize {
  waiting: number
  retrying: number
  oldest_seconds: number
}

export function measureQueue(db: Db, atMost: number): Promise<EmailQueueSize> {
  return db.one(sql`
    select count(*)::integer as waiting, count(*) filter (where tentativas > 0)::integer as retrying,
      coalesce(extract(epoch from now() - min(criado_em)), 0)::float8 as oldest_seconds
    from (select tentativas, criado_em from emails_pendentes order by id limit ${atMost}) e`)
}
