import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export const CAMPOS_COM_VALORES = ['suspeita', 'especie'] as const
export type CampoComValores = (typeof CAMPOS_COM_VALORES)[number]

export interface ValorRegistrado {
  campo: CampoComValores
  codigo: string
  rotulo: string
}

export function listValores(db: Db): Promise<ValorRegistrado[]> {
  return db.rows(
    sql`select campo, codigo, rotulo from epizootias_valores order by campo desc, criado_em, plain(rotulo)`,
  )
}

export async function codigosOf(db: Db, campo: CampoComValores): Promise<Set<string>> {
  const rows = await db.rows<{ codigo: string }>(
    sql`select codigo from epizootias_valores where campo = ${campo} order by criado_em, codigo`,
  )
  return new Set(rows.map(({ codigo }) => codigo))
}

/** Two additions, or an addition and a removal, at once wait for each other. */
export async function lockValores(tx: Db): Promise<void> {
  await tx.run(sql`lock table epizootias_valores in share row exclusive mode`)
}

/** An event that is being stored keeps its suspicion from being removed. */
export async function holdSuspeita(tx: Db, codigo: string): Promise<void> {
  await tx.run(
    sql`select from epizootias_valores where campo = 'suspeita' and codigo = ${codigo} for key share`,
  )
}

export function countValores(db: Db, campo: CampoComValores): Promise<number> {
  return db.value(sql`select count(*) from epizootias_valores where campo = ${campo}`)
}

export function insertValor(tx: Db, { campo, codigo, rotulo }: ValorRegistrado, now: Date): Promise<number> {
  return tx.run(sql`
    insert into epizootias_valores (campo, codigo, rotulo, criado_em) values (${campo}, ${codigo}, ${rotulo}, ${now})
    on conflict do nothing`)
}

/** Locked: events that are being stored with it have ended then. */
export function lockValor(tx: Db, campo: CampoComValores, codigo: string): Promise<ValorRegistrado | null> {
  return tx.first(sql`
    select campo, codigo, rotulo from epizootias_valores where campo = ${campo} and codigo = ${codigo} for update`)
}

/** By any event, deleted ones too, or by a derived series. */
export function isUsed(db: Db, { campo, codigo, rotulo }: ValorRegistrado): Promise<boolean> {
  return db.value(
    campo === 'suspeita'
      ? sql`select exists (select from epizootias where suspeita = ${codigo})
          or exists (select from series where derivada->>'tipo' = 'epizootias' and derivada->>'suspeita' = ${codigo})`
      : sql`select exists (select from epizootias where plain(especie) in (plain(${codigo}), plain(${rotulo})))`,
  )
}

export function deleteValor(tx: Db, { campo, codigo }: ValorRegistrado): Promise<number> {
  return tx.run(sql`delete from epizootias_valores where campo = ${campo} and codigo = ${codigo}`)
}
