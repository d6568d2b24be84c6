import type { Db } from '../../src/db/db.ts'
import { insertAgenda } from '../../src/domain/boletins/agendas.sql.ts'
import { insertBoletim } from '../../src/domain/boletins/boletins.sql.ts'
import { BOLETIM_DO_ESTADO } from '../domain/boletins/amostra.ts'

type Author = { id: number; nome: string }

/** Bulletin of Manaus, as if this account had made it. */
export const putBoletim = (db: Db, criado_por: Author, now: Date): Promise<number> =>
  insertBoletim(
    db,
    {
      tipo_agravo: 'dengue',
      nivel_lugar: 'municipio',
      estado: 'AM',
      regiao_saude: 13001,
      municipio: 1302603,
      lugar_nome: 'Manaus',
      semana: '202610',
      publico: false,
      titulo: null,
      pedido: {},
      conteudo: JSON.stringify(BOLETIM_DO_ESTADO),
      hash: '0'.repeat(64),
      versao: '0.1.0',
      agenda_id: null,
      job_id: 'job_x',
      criado_por,
    },
    now,
  )

/** Schedule of an account that is switched off. */
export const putAgenda = (db: Db, usuario: Author, now: Date): Promise<number> =>
  insertAgenda(
    db,
    { nome: 'Semanal', dia_semana: 2, hora: '08:00', pedidos: [], ativo: false, proxima_em: null },
    usuario,
    now,
  )
