import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { type Reach, reachedBy } from '../territorios/alcance.ts'

export interface UsuarioCounts {
  total_usuarios: number
  usuarios_ativos: number
  usuarios_inativos: number
  novos_usuarios_periodo: number
  mfa_habilitado: number
  email_verificado: number
  administradores: number
  troca_de_senha_pendente: number
}

/** Null: everybody. */
const within = (reach: Reach | null, id: Sql) => (reach === null ? sql`true` : reachedBy(reach, id))

export function countContas(db: Db, reach: Reach | null, since: Date): Promise<UsuarioCounts> {
  return db.one(sql`
    select count(*) as total_usuarios,
           count(*) filter (where ativo) as usuarios_ativos,
           count(*) filter (where not ativo) as usuarios_inativos,
           count(*) filter (where criado_em >= ${since}) as novos_usuarios_periodo,
           count(*) filter (where mfa_ativado_em is not null) as mfa_habilitado,
           count(*) filter (where email_verificado) as email_verificado,
           (select count(*) from administradores a where ${within(reach, sql`a.id`)}) as administradores,
           count(*) filter (where trocar_senha) as troca_de_senha_pendente
      from usuarios u where ${within(reach, sql`u.id`)}`)
}

export interface NamedCount {
  nome: string
  total: number
}

export function countByGrupo(db: Db, reach: Reach | null): Promise<NamedCount[]> {
  return db.rows(sql`
    select g.nome, count(ug.usuario_id) as total
      from grupos g left join usuarios_grupos ug on ug.grupo_id = g.id and ${within(reach, sql`ug.usuario_id`)}
     group by g.id order by g.id`)
}

export function countByEstado(db: Db, reach: Reach | null): Promise<NamedCount[]> {
  return db.rows(sql`
    select coalesce(estado, 'nao_informado') as nome, count(*) as total
      from usuarios u where ${within(reach, sql`u.id`)} group by 1 order by 1`)
}

export function countByDepartamento(db: Db, reach: Reach | null): Promise<NamedCount[]> {
  return db.rows(sql`
    select coalesce(departamento, 'nao_informado') as nome, count(*) as total
      from usuarios u where ${within(reach, sql`u.id`)} group by 1 order by 1`)
}

const CONTA = sql`(case acao when 'login.sucesso' then ator_id else recurso_id::int end)`

export interface LoginCounts {
  logins: number
  usuarios_distintos: number
  falhas: number
  bloqueios: number
}

/** A login names its account as the author; a failure, which has none, as what it is about. */
export function countLogins(db: Db, reach: Reach | null, since: Date): Promise<LoginCounts> {
  return db.one(sql`
    select count(*) filter (where acao = 'login.sucesso') as logins,
           count(distinct ator_id) filter (where acao = 'login.sucesso') as usuarios_distintos,
           count(*) filter (where acao in ('login.falhou', 'conta.bloqueada')) as falhas,
           count(*) filter (where acao = 'conta.bloqueada') as bloqueios
      from auditoria where data >= ${since}
       and acao in ('login.sucesso', 'login.falhou', 'conta.bloqueada') and ${within(reach, CONTA)}`)
}
