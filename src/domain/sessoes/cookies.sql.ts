import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/** Replaces a value and keeps the old one until `anterior_ate`; returns 0 if it was replaced meanwhile. */
export function rotateCookie(
  db: Db,
  sessaoId: string,
  { hash, sucessor, anterior_ate }: { hash: Buffer; sucessor: Buffer; anterior_ate: Date },
  now: Date,
): Promise<number> {
  return db.run(sql`
    update sessoes set cookie_anterior_hash = cookie_hash, cookie_anterior_ate = ${anterior_ate},
                       cookie_hash = ${sucessor}, cookie_desde = ${now}
     where id = ${sessaoId} and cookie_hash = ${hash} and encerrada_em is null`)
}

/** Replaces the value; old ones end at once. */
export function replaceCookie(db: Db, sessaoId: string, hash: Buffer, now: Date): Promise<number> {
  return db.run(sql`
    update sessoes set cookie_hash = ${hash}, cookie_desde = ${now},
                       cookie_anterior_hash = null, cookie_anterior_ate = null
     where id = ${sessaoId} and cookie_hash is not null`)
}

export function endSessaoOfCookie(db: Db, hash: Buffer, now: Date): Promise<number> {
  return db.run(sql`
    update sessoes set encerrada_em = ${now}
     where (cookie_hash = ${hash} or (cookie_anterior_hash = ${hash} and cookie_anterior_ate > ${now}))
       and encerrada_em is null and expira_em > ${now}`)
}
