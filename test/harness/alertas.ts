import type { Db } from '../../src/db/db.ts'
import { insertAlertas, type NewAlertaRow } from '../../src/domain/alertas/alertas.sql.ts'

const RECIFE: NewAlertaRow = {
  tipo_agravo: 'dengue',
  lugar: '2611606',
  nivel_lugar: 'municipio',
  estado: 'PE',
  regiao_saude: 26010,
  municipio: 2611606,
  semana: '202610',
  nivel: 'laranja',
  nivel_anterior: null,
  motivos: ['crescimento'],
  casos: 12,
  casos_estimados: 20.5,
  incidencia: 1.2874,
  p_rt_maior_1: 0.99,
  limite_superior: null,
  qualidade: 'insuficiente',
  regra_versao: 1,
}

/** Alerts of Recife, unless said otherwise, as if they had been told. Their ids. */
export const putAlertas = (db: Db, now: Date, ...alertas: Partial<NewAlertaRow>[]): Promise<number[]> =>
  insertAlertas(
    db,
    alertas.map((alerta) => ({ ...RECIFE, ...alerta })),
    now,
  )

export const PLACES = {
  caruaru: { lugar: '2604106', municipio: 2604106, regiao_saude: 26004 },
  manaus: { lugar: '1302603', estado: 'AM', municipio: 1302603, regiao_saude: 13001 },
  regiao: { lugar: '26010', nivel_lugar: 'regiao_saude', municipio: null },
  pernambuco: { lugar: 'PE', nivel_lugar: 'estado', municipio: null, regiao_saude: null },
  brasil: { lugar: '', nivel_lugar: 'pais', estado: null, municipio: null, regiao_saude: null },
} satisfies Record<string, Partial<NewAlertaRow>>
