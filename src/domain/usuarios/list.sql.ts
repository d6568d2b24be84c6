import { cpfDigits } from '../../brasil/cpf.ts'
import type { Db } from '../../db/db.ts'
import { identifier, join, sql } from '../../db/sql.ts'
import { type Columns, type FilterTest, orderBy, slice, test, where } from '../../db/where.ts'
import type { Filter, ListQuery } from '../../filter.ts'
import { TEXTOS } from './fichario/fichas.ts'
import { SEARCHED, type SearchScope } from './fichario/filtrar.ts'
import { RIGHTS, USUARIO, type UsuarioWithRights } from './usuarios.sql.ts'

const FIELDS = {
  id: sql`u.id`,
  nome: sql`u.nome`,
  email: sql`u.email`,
  cpf: sql`u.cpf`,
  estado: sql`u.estado`,
  cidade: sql`u.cidade`,
  instituicao: sql`u.instituicao`,
  cargo: sql`u.cargo`,
  departamento: sql`u.departamento`,
  admin: sql`u.admin`,
  ativo: sql`u.ativo`,
  plano: sql`u.plano`,
  email_verificado: sql`u.email_verificado`,
  mfa_habilitado: sql`(u.mfa_ativado_em is not null)`,
  criado_em: sql`u.criado_em`,
  atualizado_em: sql`u.atualizado_em`,
  ultimo_acesso: sql`u.ultimo_acesso`,
}

const REQUIRED = new Set(['id', 'nome', 'email', 'admin', 'ativo', 'criado_em', 'atualizado_em'])

const column = (name: string) => identifier(`u.${name}`)
const PLAIN = Object.fromEntries(TEXTOS.map((field) => [field, column(`${field}_busca`)]))

function columnsFor(scope: SearchScope): Columns {
  return {
    fields: FIELDS,
    plain: PLAIN,
    required: REQUIRED,
    conditions: {
      cpf: (filter) => test(sql`u.cpf`, withDigitsOnly(filter)),
      grupo_id: (filter) =>
        sql`u.id in (select ug.usuario_id from usuarios_grupos ug where ${test(sql`ug.grupo_id`, filter)})`,
    },
    search: (text) =>
      sql`(${join(
        SEARCHED[scope].map((busca) => sql`${column(busca)} like plain(${text})`),
        ' or ',
      )})`,
  }
}

function withDigitsOnly(filter: FilterTest): FilterTest {
  return filter.op === 'in'
    ? { ...filter, value: filter.value.map((value) => cpfDigits(String(value))) }
    : { ...filter, value: cpfDigits(String(filter.value)) }
}

/** Those who meet a filter, or the ones who are named. */
export type Wanted = { filter: Filter; scope: SearchScope } | { ids: number[] }

/** The rows of the page are found first; what they hold is read for them alone. */
export function listUsuarios(
  db: Db,
  wanted: Wanted,
  list: Pick<ListQuery, 'sort' | 'order' | 'thenBy'> & { size: number; offset: number },
): Promise<UsuarioWithRights[]> {
  const columns = columnsFor('scope' in wanted ? wanted.scope : 'name')
  const isWanted = 'ids' in wanted ? sql`u.id = any(${wanted.ids}::int[])` : where(wanted.filter, columns)
  const order = orderBy(list, columns, sql`u.id`)
  return db.rows(sql`
    with pagina as materialized (
      select u.* from usuarios u where ${isWanted} ${order} ${slice(list.size, list.offset)})
    select ${USUARIO}, ${RIGHTS} from pagina u ${order}`)
}

export async function countUsuarios(db: Db, filter: Filter, scope: SearchScope): Promise<number> {
  const row = await db.first<{ total: number }>(sql`
    select count(*) as total from usuarios u where ${where(filter, columnsFor(scope))}`)
  return row?.total ?? 0
}
