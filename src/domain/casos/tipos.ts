import type { Db } from '../../db/db.ts'
import type { App } from '../app.ts'
import type { TipoAgravo } from './enumeracoes.ts'
import { listTipos, type TipoRow, upsertTipo } from './tipos.sql.ts'

/** Diseases of the service. ICD-10: the code that SINAN uses first, those of later revisions after it. */
const TIPOS: Record<TipoAgravo, Omit<TipoRow, 'codigo'>> = {
  dengue: {
    nome: 'Dengue',
    cid10_codes: ['A90', 'A91', 'A97.0', 'A97.1', 'A97.2', 'A97.9'],
    descricao: 'Doença febril aguda causada pelo vírus da dengue e transmitida pelo Aedes aegypti',
    notificacao_obrigatoria: true,
    prazo_encerramento_dias: 60,
  },
  zika: {
    nome: 'Zika',
    cid10_codes: ['A92.8', 'A92.5', 'U06.9'],
    descricao: 'Doença aguda pelo vírus Zika; óbitos e casos em gestantes são de notificação imediata',
    notificacao_obrigatoria: true,
    prazo_encerramento_dias: 60,
  },
  chikungunya: {
    nome: 'Chikungunya',
    cid10_codes: ['A92.0'],
    descricao: 'Febre com artralgia intensa causada pelo vírus chikungunya e transmitida pelo Aedes aegypti',
    notificacao_obrigatoria: true,
    prazo_encerramento_dias: 60,
  },
}

export async function seedTipos(tx: Db): Promise<void> {
  for (const [ordem, [codigo, tipo]] of Object.entries(TIPOS).entries())
    await upsertTipo(tx, { codigo, ...tipo }, ordem)
}

export function tiposDeAgravo({ db }: Pick<App, 'db'>): Promise<TipoRow[]> {
  return listTipos(db)
}
