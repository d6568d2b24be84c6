import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface Logins {
  successful: number
  failed: number
  last_failed: Date | null
  enderecos: number
  reusos: number
  bloqueios: number
}

/** Login statistics of an account since a moment, from the audit. */
export function summariseLogins(db: Db, usuarioId: number, since: Date): Promise<Logins> {
  return db.one(sql`
    select count(*) filter (where acao = 'login.sucesso') as successful,
           count(*) filter (where acao in ('login.falhou', 'conta.bloqueada')) as failed,
           max(data) filter (where acao in ('login.falhou', 'conta.bloqueada')) as last_failed,
           count(distinct endereco_ip) filter (where acao = 'login.sucesso') as enderecos,
           count(*) filter (where acao = 'sessao.reuso_detectado') as reusos,
           count(*) filter (where acao = 'conta.bloqueada') as bloqueios
      from auditoria
     where data >= ${since}
       and ((ator_id = ${usuarioId} and acao in ('login.sucesso', 'sessao.reuso_detectado'))
         or (recurso = 'usuario' and recurso_id = ${String(usuarioId)} and acao in ('login.falhou', 'conta.bloqueada')))`)
}
