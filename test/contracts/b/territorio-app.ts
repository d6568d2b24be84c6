// What the tests of accounts and their territories share: people who are bound to places.
import { sql } from '../../../src/db/sql.ts'
import { type Person, type TestApp, type TestAppOptions, testApp } from '../../harness/app.ts'
import { refusalsOf } from '../refusals.ts'

export const PE = { nivel: 'uf', codigo: 'PE' }
export const SP = { nivel: 'uf', codigo: 'SP' }
/** Health region of Recife and Olinda. */
export const REGIAO = { nivel: 'regiao_saude', codigo: '26010' }
export const RECIFE = { nivel: 'municipio', codigo: '2611606' }
export const OLINDA = { nivel: 'municipio', codigo: '2609600' }
/** In Pernambuco, in another region. */
export const CARUARU = { nivel: 'municipio', codigo: '2604106' }
export type Lugar = typeof PE

export async function territorioApp(options: TestAppOptions = {}) {
  const t = await testApp(options)
  const { pool } = t.database

  async function bind({ id }: { id: number }, ...lugares: Lugar[]): Promise<void> {
    await pool.run(sql`delete from usuarios_territorios where usuario_id = ${id}`)
    for (const { nivel, codigo } of lugares)
      await pool.run(sql`insert into usuarios_territorios values (${id}, ${nivel}, ${codigo})`)
  }

  /** A new account bound to these places. */
  async function person(who: Parameters<TestApp['person']>[0], ...lugares: Lugar[]): Promise<Person> {
    const one = await t.person(who)
    await bind(one, ...lugares)
    return one
  }

  /** Places of an account as they are stored. */
  const placesOf = ({ id }: { id: number }) => pool.value<string[]>(sql`select territorios_de(${id})`)

  /** Hashes of accounts with all that may change of them, and the length of the record of changes. */
  const stored = () =>
    pool.one(sql`
      select (select md5(json_agg(to_jsonb(u) - '{ultimo_acesso,ultimo_login}'::text[] order by u.id)::text) from usuarios u) as usuarios,
             (select md5(json_agg(x order by x.usuario_id, x.grupo_id)::text) from usuarios_grupos x) as grupos,
             (select md5(json_agg(x order by x.usuario_id, x.permissao_id)::text) from usuarios_permissoes x) as permissoes,
             (select md5(json_agg(x order by x.usuario_id, x.nivel, x.codigo)::text) from usuarios_territorios x) as territorios,
             (select md5(json_agg(f.versao order by f.usuario_id)::text) from fotos_de_perfil f) as fotos,
             (select count(*) from auditoria) as auditoria, (select count(*) from eventos) as eventos,
             (select count(*) from eventos_novos) as eventos_novos, (select count(*) from sessoes where encerrada_em is null) as sessoes`)

  return { t, pool, admin: await t.administrador(), bind, person, placesOf, stored, ...refusalsOf(stored) }
}
