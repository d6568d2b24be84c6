import type { Db } from '../../../db/db.ts'
import type { App } from '../../app.ts'
import { useArquivo } from '../../arquivos/arquivos.ts'
import { emit } from '../../eventos/eventos.ts'
import { openTable } from '../../importacao/formats/open.ts'
import { type FileTable, InvalidFile } from '../../importacao/formats/table.ts'
import { completeImportacao, insertImportacao, placeImportacao } from '../../importacao/importacoes.ts'
import { KEEP_REJECTED_MS, REJECTED_FILE, storeRejectedLines } from '../../importacao/rejeitados.ts'
import { sourceOf } from '../../importacao/source.ts'
import type { JobApp } from '../../jobs/job-app.ts'
import { discardEntrada } from '../../jobs/jobs.ts'
import type { JobTask } from '../../jobs/queue.ts'
import { READ_PERCENT } from '../../jobs/status.ts'
import { territorioOf } from '../../jobs/territorio.ts'
import { referenciaOf } from '../gravar.ts'
import type { Referencia } from '../regras.ts'
import { LeitorDeEpizootias } from './arquivo.ts'
import { type Comparacao, compare, type PlanoDeImportacao, store } from './gravar.ts'
import { chooseLayout, type LayoutDeEpizootias } from './layouts.ts'
import type { ParametrosDeEpizootias } from './pedido.ts'

/**
 * An import of events: the whole file into memory, then compared and stored in one transaction. A job that is killed begins again;
 * what it stored, it stored wholly.
 */

const MOST_LINES = 200_000

interface Lido {
  leitor: LeitorDeEpizootias
  layout: LayoutDeEpizootias
  table: FileTable
  referencia: Referencia
}

export async function runImportEpizootias(app: JobApp, task: JobTask): Promise<void> {
  const started = performance.now()
  try {
    const lido = await readFile(app, task)
    await task.progress(READ_PERCENT)
    await app.db.transaction((tx) => compareAndStore(app, tx, task, lido, started))
  } catch (error) {
    if (!(error instanceof InvalidFile)) throw error
    await task.finish(app.db, { status: 'failed', message: { code: error.code, motivo: error.message } })
  }
  await abandonEpizootias(app, task)
}

/** Removes the uploaded file. */
export async function abandonEpizootias(
  { db }: Pick<App, 'db'>,
  { job }: Pick<JobTask, 'job'>,
): Promise<void> {
  if (job.arquivo_id !== null) await discardEntrada(db, job.arquivo_id, job.id)
}

const parametersOf = ({ job }: JobTask) => job.parametros as unknown as ParametrosDeEpizootias

async function readFile(app: JobApp, task: JobTask): Promise<Lido> {
  const parametros = parametersOf(task)
  const source = sourceOf(app, task.job.arquivo_id as string, parametros, task.proceed)
  const { table, warning } = await openTable(source, parametros.formato)
  const layout = chooseLayout(table.header)
  const referencia = { ...(await referenciaOf(app, app.db)), anoDaFonte: layout.anoDaFonte }
  const leitor = new LeitorDeEpizootias(referencia, territorioOf(app, task.job))
  for (const aviso of [...(warning === null ? [] : [warning]), ...layout.avisos]) leitor.warn(null, aviso)
  for await (const rows of table.blocks) {
    task.proceed()
    for (const row of rows) leitor.row(layout, row)
    if (leitor.total > MOST_LINES)
      throw new InvalidFile(
        `O arquivo tem mais de ${MOST_LINES.toLocaleString('pt-BR')} linhas. Divida-o em partes.`,
      )
    await task.progress(source.size === 0 ? 0 : (READ_PERCENT * source.position()) / source.size)
  }
  return { leitor, layout, table, referencia }
}

async function compareAndStore(
  app: JobApp,
  tx: Db,
  task: JobTask,
  lido: Lido,
  started: number,
): Promise<void> {
  const { leitor, layout, table, referencia } = lido
  const parametros = parametersOf(task)
  const { modo, ignorar_erros } = parametros
  const importing = modo === 'importar'
  const comparacao: Comparacao = {
    leitor,
    referencia,
    territorio: territorioOf(app, task.job),
    isLocked: importing,
    step: async (share) => {
      task.proceed()
      await task.progress(READ_PERCENT + (99 - READ_PERCENT) * share)
    },
  }
  const plano = await compare(app, tx, comparacao)
  const refused = leitor.erros > 0 && !ignorar_erros
  const importacao_id =
    importing && !refused ? await storeImport(app, tx, task, lido, comparacao, plano) : null
  const rejeitados = await storeRejectedLines(app, table.header, leitor.rejeitadas)
  if (rejeitados !== null) await useArquivo(tx, rejeitados.id)
  const trabalho = importing ? ('importacao' as const) : ('validacao' as const)
  await task.finish(tx, {
    status: refused && importing ? 'failed' : 'completed',
    message: refused
      ? { code: 'REFUSED', trabalho, linhas: leitor.erros }
      : { code: 'COMPLETED', trabalho, rejeitadas: leitor.erros },
    resultado: {
      modo,
      total_linhas: leitor.total,
      ...numbersOf(leitor, plano),
      ...(refused && { importados: 0, atualizados: 0 }),
      tempo_processamento: Math.round((performance.now() - started) / 10) / 100,
      erros_detalhados: leitor.erros_detalhados,
      avisos_detalhados: leitor.avisos,
      arquivo: {
        nome: parametros.arquivo_nome,
        sha256: parametros.arquivo_sha256,
        tamanho: parametros.arquivo_tamanho,
        formato: table.formato,
        layout: layout.nome,
      },
      importacao_id,
    },
    arquivo: rejeitados && {
      id: rejeitados.id,
      ...REJECTED_FILE,
      expira_em: new Date(app.clock.now().getTime() + KEEP_REJECTED_MS),
    },
  })
}

const numbersOf = (leitor: LeitorDeEpizootias, plano: PlanoDeImportacao) => ({
  importados: plano.novas.length,
  atualizados: plano.mudancas.length,
  inalterados: plano.inalterados,
  duplicados_no_arquivo: leitor.duplicados,
  erros: leitor.erros,
  avisos: leitor.avisos.length,
})

async function storeImport(
  app: JobApp,
  tx: Db,
  { job }: JobTask,
  { leitor, layout, table }: Lido,
  comparacao: Comparacao,
  plano: PlanoDeImportacao,
): Promise<number> {
  const parametros = job.parametros as unknown as ParametrosDeEpizootias
  const now = app.clock.now()
  const id = await insertImportacao(
    tx,
    {
      job_id: job.id,
      usuario_id: job.usuario_id,
      usuario_nome: job.usuario_nome,
      arquivo_nome: parametros.arquivo_nome,
      arquivo_sha256: Buffer.from(parametros.arquivo_sha256, 'hex'),
      arquivo_tamanho: parametros.arquivo_tamanho,
      formato: table.formato,
      layout: layout.nome,
      tipo_agravo: null,
      total_linhas: leitor.total,
      erros: leitor.erros,
      avisos: leitor.avisos.length,
      criado_em: now,
    },
    'epizootias',
  )
  const usuario = { id: job.usuario_id, nome: job.usuario_nome }
  await store(app, tx, comparacao, plano, { importacaoId: id, usuario, now })
  const numbers = numbersOf(leitor, plano)
  await completeImportacao(tx, id, numbers)
  const places = [...plano.novas.map(({ campos }) => campos), ...plano.mudancas.map(({ after }) => after)]
  await placeImportacao(tx, id, {
    estados: [...new Set(places.map(({ estado }) => estado))],
    municipios: [...new Set(places.map(({ municipio }) => municipio))],
    notificacao: [],
  })
  const { importados, atualizados, inalterados, erros } = numbers
  await emit(tx, [
    {
      tipo: 'importacao.concluida',
      dono_id: job.usuario_id,
      chave: `importacao:${id}`,
      dados: {
        ...{ id, job_id: job.id, total_linhas: leitor.total },
        ...{ importados, atualizados, inalterados, erros, alvo: 'epizootias' },
      },
      em: now,
    },
  ])
  return id
}
