import { UFS } from '../../brasil/uf.ts'
import type { Caller } from '../../caller/caller.ts'
import { AppError, because } from '../../errors/catalogue.ts'
import type { FilterField, ListQuery, ListRules, Operator, Page } from '../../filter.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { TIPOS_AGRAVO } from '../casos/enumeracoes.ts'
import { type Lugar, lugarOf, NIVEIS_DE_LUGAR } from '../territorios/lugar.ts'
import { boundsOf } from './alcance.ts'
import { type AlertaRow, acknowledge, findAlerta, pageOfAlertaRows } from './alertas.sql.ts'
import { NIVEIS_DE_ALERTA } from './nivel.ts'

/** Alerts as they were told, and who took notice of them. */

const EXACT: readonly Operator[] = ['eq', 'ne', 'in']
const oneOf = (values: readonly string[]): FilterField => ({ type: 'text', operators: EXACT, values })

export const ALERTAS_LIST: ListRules = {
  fields: {
    id: { type: 'integer' },
    tipo_agravo: oneOf(TIPOS_AGRAVO),
    nivel_lugar: oneOf(NIVEIS_DE_LUGAR),
    estado: oneOf(UFS),
    regiao_saude: {
      type: 'text',
      operators: ['eq', 'in'],
      form: { pattern: /^\d{5}$/, name: 'regiao_saude' },
    },
    municipio: { type: 'text', operators: ['eq', 'in'] },
    semana: {
      type: 'text',
      operators: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in'],
      form: { pattern: /^(?!0000)\d{4}(0[1-9]|[1-4]\d|5[0-3])$/, name: 'semana' },
    },
    nivel: oneOf(NIVEIS_DE_ALERTA),
    nivel_anterior: oneOf(NIVEIS_DE_ALERTA),
    reconhecido: { type: 'boolean', operators: EXACT },
    casos: { type: 'integer' },
    incidencia: { type: 'number' },
    criado_em: { type: 'datetime' },
  },
  sortable: ['id', 'criado_em', 'semana', 'casos', 'incidencia'],
  defaultSort: { field: 'id', order: 'desc' },
}

export interface Alerta
  extends Omit<AlertaRow, 'lugar' | 'nivel_lugar' | 'estado' | 'regiao_saude' | 'municipio'> {
  lugar: Lugar
}

type Needs = Pick<App, 'db' | 'municipios' | 'territorios'>

export async function pageOfAlertas(app: Needs, caller: Caller, list: ListQuery): Promise<Page<Alerta>> {
  const page = await pageOfAlertaRows(app.db, app.municipios, boundsOf(caller), list)
  return { ...page, items: page.items.map((row) => placed(app, row)) }
}

export async function getAlerta(app: Needs, caller: Caller, id: number): Promise<Alerta> {
  const row = await findAlerta(app.db, boundsOf(caller), id)
  if (row === null) throw new AppError('NOT_FOUND')
  return placed(app, row)
}

/** Once; the note stays with the alert. */
export async function reconhecer(
  app: Needs & Pick<App, 'clock' | 'auditoria'>,
  caller: Caller,
  id: number,
  nota: string,
): Promise<Alerta> {
  await getAlerta(app, caller, id)
  return app.db.transaction(async (tx) => {
    const row = await acknowledge(tx, id, { usuario: caller, nota }, app.clock.now())
    if (row === null) throw because('ALREADY_ACKNOWLEDGED')
    // Without the note: people may write anything into it.
    const about = { recurso: 'alerta', recurso_id: id }
    await app.auditoria.record(tx, { acao: 'alerta.reconhecido', ...by(caller), ...about })
    return placed(app, row)
  })
}

function placed(
  app: Needs,
  { lugar, nivel_lugar, estado, regiao_saude, municipio, ...alerta }: AlertaRow,
): Alerta {
  const part = {
    pais: {},
    estado: { estado: estado as (typeof UFS)[number] },
    regiao_saude: { regiao_saude: String(regiao_saude) },
    municipio: { municipio: String(municipio) },
  }[nivel_lugar]
  return { ...alerta, lugar: lugarOf(app, part) }
}
