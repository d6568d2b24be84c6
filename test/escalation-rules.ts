import { sql } from '../src/db/sql.ts'
import type { TestApp } from './harness/app.ts'

/** What the database says of everybody's rights, and what one request may have changed of it. */

interface UserState {
  admin: boolean
  plano: string
  ativo: boolean
  email: string
  email_verificado: boolean
  senha_hash: string
  desativado_em: string | null
  mfa_ativado_em: string | null
  criado_em: string
  criado_por_id: number | null
  grupos: number[]
  diretas: number[]
  efetivas: string[]
  /** With those of switched-off groups. */
  atribuidas: string[]
  territorios: string[]
}
interface GroupState {
  ativo: boolean
  padrao: boolean
  permissoes: string[]
}
export interface Snapshot {
  usuarios: Record<number, UserState>
  grupos: Record<number, GroupState>
  permissoes: Record<number, { nome: string; padrao: boolean }>
}

/** Aggregates each table once, not once for each account: by the end there are a thousand, and as many snapshots. */
export async function snapshotOf(db: TestApp['database']['pool']): Promise<Snapshot> {
  return (await db.first<Snapshot>(sql`
    with grupos_de as (select usuario_id as id, array_agg(grupo_id order by grupo_id) as ids from usuarios_grupos group by 1),
         diretas_de as (select usuario_id as id, array_agg(permissao_id order by permissao_id) as ids
                          from usuarios_permissoes group by 1),
         efetivas_de as (select e.usuario_id as id, array_agg(p.nome order by p.nome) as nomes
                           from permissoes_efetivas e join permissoes p on p.id = e.permissao_id group by 1),
         atribuidas_de as (select a.usuario_id as id, array_agg(p.nome order by p.nome) as nomes
                             from (select usuario_id, permissao_id from usuarios_permissoes
                                   union select ug.usuario_id, gp.permissao_id from usuarios_grupos ug
                                           join grupos_permissoes gp using (grupo_id)) a
                             join permissoes p on p.id = a.permissao_id group by 1)
    select (select json_object_agg(u.id, json_build_object(
              'admin', u.admin, 'plano', u.plano, 'ativo', u.ativo, 'email', u.email,
              'email_verificado', u.email_verificado, 'senha_hash', u.senha_hash, 'desativado_em', u.desativado_em,
              'mfa_ativado_em', u.mfa_ativado_em, 'criado_em', u.criado_em, 'criado_por_id', u.criado_por_id,
              'grupos', coalesce(g.ids, '{}'), 'diretas', coalesce(d.ids, '{}'),
              'efetivas', coalesce(e.nomes, '{}'), 'atribuidas', coalesce(a.nomes, '{}'),
              'territorios', territorios_de(u.id)) order by u.id)
              from usuarios u left join grupos_de g using (id) left join diretas_de d using (id)
                   left join efetivas_de e using (id) left join atribuidas_de a using (id)) as usuarios,
           (select json_object_agg(g.id, json_build_object('ativo', g.ativo, 'padrao', g.padrao,
              'permissoes', array(select p.nome from grupos_permissoes gp join permissoes p on p.id = gp.permissao_id
                                   where gp.grupo_id = g.id order by 1)) order by g.id) from grupos g) as grupos,
           (select json_object_agg(p.id, json_build_object('nome', p.nome, 'padrao', p.padrao) order by p.id)
              from permissoes p) as permissoes`)) as Snapshot
}

const within = (some: string[], held: Set<string>, more: string[] = []) =>
  some.every((one) => held.has(one) || more.includes(one))
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Holds, or would with all its groups switched on, something that someone with `held` does not. */
const above = (user: UserState, held: Set<string>) => user.admin || !within(user.atribuidas, held)

/** What no account may lose or gain by anybody but an administrator. */
const FIXED = ['admin', 'plano', 'criado_em', 'criado_por_id', 'mfa_ativado_em'] as const
const RIGHTS = [
  'ativo',
  'desativado_em',
  'grupos',
  'diretas',
  'efetivas',
  'atribuidas',
  'territorios',
] as const

/** Everything about a change that its maker, who is no administrator, may not have done. */
export function violations(
  before: Snapshot,
  after: Snapshot,
  attackerId: number,
  powerful: boolean,
): string[] {
  const found: string[] = []
  const held = new Set((before.usuarios[attackerId] as UserState).efetivas)
  for (const [id, now] of Object.entries(after.usuarios)) {
    const was = before.usuarios[Number(id)]
    if (was === undefined)
      found.push(...ofNew(now, held, attackerId, powerful).map((what) => `new user: ${what}`))
    else
      found.push(
        ...ofUser(was, now, held, Number(id) === attackerId, powerful).map((what) => `user ${id}: ${what}`),
      )
  }
  for (const [id, was] of Object.entries(before.usuarios))
    if (after.usuarios[Number(id)] === undefined && (!powerful || above(was, held)))
      found.push(`user ${id}: removed`)
  found.push(...ofGroups(before, after, held, powerful))
  for (const [id, was] of Object.entries(before.permissoes))
    if (!same(was, after.permissoes[Number(id)]) && (was.padrao || !held.has(was.nome)))
      found.push(`permission ${id}: changed`)
  for (const [id, now] of Object.entries(after.permissoes))
    if (before.permissoes[Number(id)] === undefined && (now.padrao || !powerful))
      found.push(`permission ${id}: made`)
  return found
}

function ofNew(now: UserState, held: Set<string>, attackerId: number, powerful: boolean): string[] {
  const found: string[] = []
  if (!powerful) found.push('made')
  if (now.admin || now.plano !== 'basico') found.push('admin or plano')
  if (now.email_verificado || now.mfa_ativado_em !== null) found.push('verified')
  if (now.criado_por_id !== attackerId) found.push('maker')
  if (!within(now.atribuidas, held)) found.push('holds more than its maker')
  return found
}

function ofUser(
  was: UserState,
  now: UserState,
  held: Set<string>,
  self: boolean,
  powerful: boolean,
): string[] {
  const found: string[] = FIXED.filter((field) => !same(was[field], now[field]))
  if (now.email_verificado && !was.email_verificado) found.push('email_verificado')
  if (!within(now.atribuidas, self ? new Set() : held, was.atribuidas)) found.push('rights grew')
  if (self) {
    if (now.email !== was.email) found.push('own email without proof')
    if (!same(was.territorios, now.territorios)) found.push('own territory')
    if (!powerful) found.push(...RIGHTS.filter((field) => !same(was[field], now[field])))
  } else if (!powerful || above(was, held)) {
    const mayNot = [...RIGHTS, 'email', 'senha_hash', 'email_verificado'] as const
    found.push(...mayNot.filter((field) => !same(was[field], now[field])))
  }
  return found
}

function ofGroups(before: Snapshot, after: Snapshot, held: Set<string>, powerful: boolean): string[] {
  const found: string[] = []
  for (const [id, now] of Object.entries(after.grupos)) {
    const was = before.grupos[Number(id)]
    if (was === undefined) {
      if (!powerful || now.padrao || !within(now.permissoes, held)) found.push(`new group ${id}`)
    } else if (!same(was, now)) {
      const mine = powerful && within(was.permissoes, held) && within(now.permissoes, held)
      if (!mine || was.padrao !== now.padrao) found.push(`group ${id}: changed`)
    }
  }
  for (const [id, was] of Object.entries(before.grupos))
    if (after.grupos[Number(id)] === undefined && (!powerful || was.padrao || !within(was.permissoes, held)))
      found.push(`group ${id}: removed`)
  return found
}
