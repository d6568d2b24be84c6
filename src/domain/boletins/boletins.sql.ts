import type { Municipios } from '../../brasil/municipios.ts'
import type { Db } from '../../db/db.ts'
import { pageOf } from '../../db/page.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Columns } from '../../db/where.ts'
import { type ListQuery, type Page, valuesOf } from '../../filter.ts'
import { municipiosOf } from '../casos/counters/scope.ts'
import type { NivelDeLugar } from '../territorios/lugar.ts'
import type { Boletim } from './dados.ts'

export interface NewBoletim {
  tipo_agravo: string
  nivel_lugar: NivelDeLugar
  estado: string | null
  regiao_saude: number | null
  municipio: number | null
  lugar_nome: string
  semana: string
  publico: boolean
  titulo: string | null
  pedido: Record<string, unknown>
  /** Canonical JSON of head and data. */
  conteudo: string
  hash: string
  versao: string
  agenda_id: number | null
  job_id: string
  criado_por: { id: number | null; nome: string }
}

export interface BoletimRow extends Omit<NewBoletim, 'pedido' | 'conteudo' | 'job_id' | 'criado_por'> {
  id: number
  criado_em: Date
  criado_por_id: number | null
  criado_por_nome: string
}

const BOLETIM = sql`b.id, b.tipo_agravo, b.nivel_lugar, b.estado, b.regiao_saude, b.municipio, b.lugar_nome, b.semana,
  b.publico, b.titulo, b.hash, b.versao, b.agenda_id, b.criado_em, b.criado_por_id, b.criado_por_nome`

export function insertBoletim(tx: Db, boletim: NewBoletim, now: Date): Promise<number> {
  const { criado_por, pedido, ...row } = boletim
  return tx.value(sql`
    insert into boletins (tipo_agravo, nivel_lugar, estado, regiao_saude, municipio, lugar_nome, semana, publico, titulo,
      pedido, conteudo, hash, versao, agenda_id, job_id, criado_em, criado_por_id, criado_por_nome)
    values (${row.tipo_agravo}, ${row.nivel_lugar}, ${row.estado}, ${row.regiao_saude}, ${row.municipio}, ${row.lugar_nome},
      ${row.semana}, ${row.publico}, ${row.titulo}, ${JSON.stringify(pedido)}, ${row.conteudo}, ${row.hash}, ${row.versao},
      (select id from boletins_agendas where id = ${row.agenda_id}), ${row.job_id}, ${now}, ${criado_por.id},
      ${criado_por.nome})
    returning id`)
}

/** Places of a bound account: whole states, whole regions, municipalities; null: no bounds. */
export interface Bounds {
  estados: readonly string[]
  regioes: readonly number[]
  municipios: readonly number[]
}

/** A larger place is seen by those that see all of it. */
function within(bounds: Bounds | null): Sql {
  if (bounds === null) return sql`true`
  const { estados, regioes, municipios } = bounds
  return sql`coalesce(b.estado = any(${estados}::text[]) or b.municipio = any(${municipios}::integer[])
    or b.nivel_lugar = 'regiao_saude' and b.regiao_saude = any(${regioes}::integer[]), false)`
}

const columnsOf = (municipios: Municipios): Columns => ({
  fields: {
    id: sql`b.id`,
    tipo_agravo: sql`b.tipo_agravo`,
    nivel_lugar: sql`b.nivel_lugar`,
    estado: sql`b.estado`,
    semana: sql`b.semana`,
    publico: sql`b.publico`,
    agenda_id: sql`b.agenda_id`,
    criado_em: sql`b.criado_em`,
  },
  required: new Set(['id', 'tipo_agravo', 'nivel_lugar', 'semana', 'publico', 'criado_em']),
  conditions: {
    municipio: (test) => {
      const codigos = municipiosOf(test, municipios).map(({ codigo }) => codigo)
      return sql`coalesce(b.municipio = any(${codigos}::integer[]), false)`
    },
    regiao_saude: (test) =>
      sql`coalesce(b.regiao_saude = any(${valuesOf(test).map(Number)}::integer[]), false)`,
  },
  search: (contains) =>
    sql`plain(coalesce(b.titulo, '') || ' ' || b.lugar_nome || ' ' || b.tipo_agravo || ' ' || b.semana) like plain(${contains})`,
})

export function pageOfBoletimRows(
  db: Db,
  municipios: Municipios,
  bounds: Bounds | null,
  list: ListQuery,
): Promise<Page<BoletimRow>> {
  const listing = { select: BOLETIM, from: sql`boletins b`, id: sql`b.id`, only: within(bounds) }
  return pageOf(db, { ...listing, columns: columnsOf(municipios) }, list)
}

export function findBoletim(
  db: Db,
  bounds: Bounds | null,
  id: number,
): Promise<(BoletimRow & { conteudo: Boletim }) | null> {
  return db.first(sql`select ${BOLETIM}, b.conteudo from boletins b where b.id = ${id} and ${within(bounds)}`)
}

export function deleteBoletim(tx: Db, id: number): Promise<number> {
  return tx.run(sql`delete from boletins where id = ${id}`)
}

/** Member of the groups of a schedule who is active and may read bulletins, with the places that bound the account. */
export interface Destinatario {
  id: number
  email: string
  admin: boolean
  territorios: string[]
}

export function listDestinatarios(tx: Db, agendaId: number, permissao: string): Promise<Destinatario[]> {
  return tx.rows(sql`
    select u.id, u.email, territorios_de(u.id) as territorios,
      exists (select from administradores a where a.id = u.id) as admin
    from usuarios u
    where u.ativo
      and u.id in (
        select ug.usuario_id from boletins_agendas_grupos ag
        join grupos g on g.id = ag.grupo_id and g.ativo
        join usuarios_grupos ug on ug.grupo_id = ag.grupo_id
        where ag.agenda_id = ${agendaId})
      and (exists (select from administradores a where a.id = u.id)
        or exists (select from permissoes_efetivas e join permissoes p on p.id = e.permissao_id
                   where e.usuario_id = u.id and p.nome = ${permissao}))
    order by u.id`)
}
