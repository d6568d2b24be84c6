import type { Caller } from '../../caller/caller.ts'
import type { Filter } from '../../filter.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { assertMayIdentify } from '../casos/reading/read.ts'
import { totalOfCasos, walkCasos } from '../casos/reading/walk.ts'
import type { VisaoDoCaso } from '../casos/visao.ts'
import type { JobApp } from '../importacao/import.ts'
import { enqueueJob } from '../jobs/jobs.ts'
import type { Tarefa } from '../jobs/queue.ts'
import { type Coluna, defaultColunas, rowOf, toColunaDeArquivo } from './columns.ts'
import { exportRows, type Pedido } from './export.ts'

export interface PedidoDeCasos extends Pedido {
  colunas: Coluna[] | null
  identificado: boolean
}

/** An identified export is an identified read of all its cases: in the audit before it begins. */
export async function requestExportCasos(
  app: Pick<App, 'db' | 'clock' | 'auditoria' | 'jobs'>,
  caller: Caller,
  pedido: PedidoDeCasos,
): Promise<string> {
  if (pedido.identificado) assertMayIdentify(caller)
  const id = await app.db.transaction(async (tx) => {
    const job = await enqueueJob(app, tx, caller, {
      tipo: 'exportacao_casos',
      trabalho: 'exportacao',
      parametros: { ...pedido },
      permissoes: pedido.identificado ? ['agravos.exportar', 'agravos.identificar'] : ['agravos.exportar'],
    })
    if (pedido.identificado)
      await app.auditoria.record(tx, {
        acao: 'caso.identificado',
        ...by(caller),
        recurso: 'caso',
        detalhes: { exportacao: job, filtro: pedido.filter },
      })
    return job
  })
  app.jobs.wake()
  return id
}

export async function runExportCasos(app: JobApp, tarefa: Tarefa): Promise<void> {
  const { formato, filter, colunas, identificado } = tarefa.job.parametros as unknown as PedidoDeCasos
  const names = colunas ?? defaultColunas(identificado)
  const total = await totalOfCasos(app, app.db, filter as Filter)
  await exportRows(app, tarefa, {
    formato,
    total,
    colunas: names.map(toColunaDeArquivo),
    nome: 'casos',
    blocos: (tx) => toRows(walkCasos(app, tx, filter as Filter, identificado)),
    registro: {
      acao: 'casos.exportados',
      recurso: 'caso',
      detalhes: { filtro: filter, colunas: names, identificado },
    },
  })

  async function* toRows(casos: AsyncIterable<VisaoDoCaso[]>) {
    for await (const bloco of casos) yield bloco.map((caso) => rowOf(caso, names, app.municipios))
  }
}
