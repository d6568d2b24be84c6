import type { Caller } from '../../caller/caller.ts'
import type { ListQuery } from '../../filter.ts'
import { type Anexo, pageOfAnexos } from '../anexos/anexos.ts'
import type { App } from '../app.ts'
import type { AuditoriaRow } from '../auditoria/auditoria.sql.ts'
import { by } from '../auditoria/auditoria.ts'
import { listLeituras } from '../auditoria/list.ts'
import { detalhesComMotivo } from '../auditoria/motivo.ts'
import { assertMayIdentify, type CasoWithHistory, getCaso } from '../casos/reading/read.ts'

/** All that is held of a person in some cases, for that person: fields, history, attachments, and who read them when. */

type Needs = Pick<App, 'db' | 'clock' | 'cipher' | 'auditoria' | 'municipios'>

export interface Leitura {
  data: Date
  acao: string
  usuario: { id: number; nome: string } | null
}

export interface CasoDoRelatorio {
  completo: CasoWithHistory
  anexos: Anexo[]
  leituras: Leitura[]
}

const ALL: ListQuery = { page: 1, size: 100, sort: 'id', order: 'asc', filter: { kind: 'and', of: [] } }

/** One case outside the territory refuses the whole. */
export async function relatorioDePessoa(
  app: Needs,
  caller: Caller,
  ids: readonly number[],
  motivo: string,
): Promise<CasoDoRelatorio[]> {
  assertMayIdentify(caller)
  const acao = 'pessoa.relatorio'
  await app.db.transaction((tx) =>
    app.auditoria.record(tx, {
      acao,
      ...by(caller),
      recurso: 'caso',
      recurso_id: null,
      detalhes: detalhesComMotivo(app.cipher, motivo, { acao, ator_id: caller.id, casos: ids }),
    }),
  )
  const casos: CasoDoRelatorio[] = []
  for (const id of ids) {
    const completo = await getCaso(app, caller, id, { identificado: true, em: null })
    const { items: anexos } = await pageOfAnexos(app, caller, id, ALL, true)
    casos.push({ completo, anexos, leituras: await leiturasOf(app, id) })
  }
  return casos
}

async function leiturasOf({ db }: Needs, id: number): Promise<Leitura[]> {
  return (await listLeituras(db, id)).map(toLeitura)
}

export const toLeitura = ({ data, acao, ator_id, ator_nome }: AuditoriaRow): Leitura => ({
  ...{ data, acao },
  usuario: ator_nome === null ? null : { id: ator_id ?? 0, nome: ator_nome },
})
