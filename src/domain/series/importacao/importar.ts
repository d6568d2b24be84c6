import { dateInBrazil } from '../../../brasil/calendar.ts'
import type { Db } from '../../../db/db.ts'
import type { App } from '../../app.ts'
import { discardArquivo, useArquivo } from '../../arquivos/arquivos.ts'
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
import { announceChange, type EfeitoNaSerie, storeBlocos } from '../escrita.ts'
import { placesOf } from '../gravar.ts'
import { firstDayOfPeriod } from '../periodos.ts'
import type { Serie } from '../serie.ts'
import { listWritable, lockSeries } from '../series.sql.ts'
import { type ContextoDoArquivo, type LayoutDeSeries, LeitorDeSeries } from './arquivo.ts'
import { readMunicipio } from './celulas.ts'
import { chooseLayout } from './escolha.ts'
import type { ParametrosDeSeries } from './pedido.ts'

/**
 * An import of series: the whole file into blocks in memory, then compared and stored in one transaction. A job that is killed begins
 * again; what it stored, it stored wholly.
 */

const MOST_VALUES = 50_000_000
/** A block takes 3 KB: a file of one value a year and place must not fill the memory. */
const MOST_BLOCKS = 200_000

interface Lido {
  leitor: LeitorDeSeries
  layout: LayoutDeSeries
  table: FileTable
}

export async function runImportSeries(app: JobApp, task: JobTask): Promise<void> {
  const started = performance.now()
  try {
    const lido = await readFile(app, task)
    await task.progress(READ_PERCENT)
    const rejeitados = await storeRejectedLines(app, lido.table.header, lido.leitor.rejeitadas)
    try {
      await app.db.transaction((tx) => compareAndStore(app, tx, task, lido, rejeitados, started))
    } catch (error) {
      if (rejeitados !== null) await discardArquivo(app.db, rejeitados.id)
      throw error
    }
  } catch (error) {
    if (!(error instanceof InvalidFile)) throw error
    await task.finish(app.db, { status: 'failed', message: { code: error.code, motivo: error.message } })
  }
  await abandonSeries(app, task)
}

/** Removes the uploaded file. */
export async function abandonSeries({ db }: Pick<App, 'db'>, { job }: Pick<JobTask, 'job'>): Promise<void> {
  if (job.arquivo_id !== null) await discardEntrada(db, job.arquivo_id, job.id)
}

async function readFile(app: JobApp, task: JobTask): Promise<Lido> {
  const parametros = task.job.parametros as unknown as ParametrosDeSeries
  const source = sourceOf(app, task.job.arquivo_id as string, parametros, task.proceed)
  const { table, warning } = await openTable(source, parametros.formato)
  const contexto = await contextOf(app, task, parametros)
  const layout = chooseLayout(table.header, contexto)
  const leitor = new LeitorDeSeries(contexto)
  if (warning !== null) leitor.warn(null, warning)
  for await (const rows of table.blocks) {
    task.proceed()
    for (const row of rows) leitor.row(layout, row)
    assertBounds(leitor)
    await task.progress(source.size === 0 ? 0 : (READ_PERCENT * source.position()) / source.size)
  }
  leitor.end(layout)
  assertBounds(leitor)
  return { leitor, layout, table }
}

function assertBounds({ colheita }: LeitorDeSeries): void {
  if (colheita.valores > MOST_VALUES)
    throw new InvalidFile(
      `O arquivo tem mais de ${MOST_VALUES.toLocaleString('pt-BR')} valores. Divida-o em partes.`,
    )
  if (colheita.size > MOST_BLOCKS)
    throw new InvalidFile(
      `O arquivo tem mais de ${MOST_BLOCKS.toLocaleString('pt-BR')} anos de lugares e séries. Divida-o em partes.`,
    )
}

async function contextOf(
  app: JobApp,
  { job }: JobTask,
  { form }: ParametrosDeSeries,
): Promise<ContextoDoArquivo> {
  const reference = { municipios: app.municipios, territorios: app.territorios }
  const lugar = form.municipio === null ? null : readMunicipio(reference, form.municipio, form.estado)
  if (form.municipio !== null && lugar === null)
    throw new InvalidFile(
      `O município ${form.municipio.slice(0, 60)} não existe, ou há outros de mesmo nome.`,
    )
  const series = await listWritable(app.db)
  return {
    reference,
    form,
    lugar,
    series: new Map(series.map((serie) => [serie.codigo, serie])),
    territorio: territorioOf(app, job),
    today: dateInBrazil(app.clock.now()),
  }
}

async function compareAndStore(
  app: JobApp,
  tx: Db,
  task: JobTask,
  { leitor, layout, table }: Lido,
  rejeitados: { id: string } | null,
  started: number,
): Promise<void> {
  const parametros = task.job.parametros as unknown as ParametrosDeSeries
  const { modo, ignorar_erros } = parametros
  const refused = leitor.erros > 0 && !ignorar_erros
  const store = modo === 'importar' && !refused
  const step = async (share: number) => {
    task.proceed()
    await task.progress(READ_PERCENT + (99 - READ_PERCENT) * share)
  }
  const { importacao_id, effects } = store
    ? await storeImport(app, tx, task, { leitor, layout, table }, step)
    : { importacao_id: null, effects: await storeBlocos(tx, leitor.colheita, null, step) }
  const numbers = numbersOf(leitor, effects)
  const resultado = {
    modo,
    total_linhas: leitor.linhas,
    ...numbers,
    ...(refused && { importados: 0, atualizados: 0 }),
    sem_lugar: leitor.semLugar,
    series: effects.map(toResumo),
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
  }
  if (rejeitados !== null) await useArquivo(tx, rejeitados.id)
  const trabalho = modo === 'validar' ? ('validacao' as const) : ('importacao' as const)
  await task.finish(tx, {
    status: refused && modo === 'importar' ? 'failed' : 'completed',
    message: refused
      ? { code: 'REFUSED', trabalho, linhas: leitor.erros }
      : { code: 'COMPLETED', trabalho, rejeitadas: leitor.erros },
    resultado,
    arquivo: rejeitados && {
      id: rejeitados.id,
      ...REJECTED_FILE,
      expira_em: new Date(app.clock.now().getTime() + KEEP_REJECTED_MS),
    },
  })
}

const numbersOf = (leitor: LeitorDeSeries, effects: readonly EfeitoNaSerie[]) => ({
  importados: total(effects, 'novos'),
  atualizados: total(effects, 'alterados'),
  inalterados: total(effects, 'inalterados'),
  duplicados_no_arquivo: leitor.duplicados,
  erros: leitor.erros,
  avisos: leitor.totalAvisos,
})

const total = (effects: readonly EfeitoNaSerie[], name: 'novos' | 'alterados' | 'inalterados'): number =>
  effects.reduce((sum, effect) => sum + effect[name], 0)

const toResumo = ({ serie, valores, lugares, primeiro, ultimo }: EfeitoNaSerie) => ({
  codigo: serie.codigo,
  valores,
  lugares: lugares.size,
  primeiro: firstDayOfPeriod(serie.periodo, primeiro),
  ultimo: firstDayOfPeriod(serie.periodo, ultimo),
})

/** The series as they were when the file was read, or the import begins again. */
async function lockTouched(tx: Db, { colheita }: LeitorDeSeries): Promise<void> {
  const read = new Map(colheita.blocos.map(({ serie }) => [serie.codigo, serie]))
  const locked = new Map((await lockSeries(tx, [...read.keys()])).map((serie) => [serie.codigo, serie]))
  const isSame = (serie: Serie) => locked.get(serie.codigo)?.versao === serie.versao
  if (![...read.values()].every(isSame))
    throw new InvalidFile('A definição de uma série mudou enquanto o arquivo era lido. Envie-o de novo.')
}

async function storeImport(
  app: JobApp,
  tx: Db,
  { job }: JobTask,
  { leitor, layout, table }: Lido,
  step: (share: number) => Promise<void>,
): Promise<{ importacao_id: number; effects: EfeitoNaSerie[] }> {
  await lockTouched(tx, leitor)
  const parametros = job.parametros as unknown as ParametrosDeSeries
  const now = app.clock.now()
  const importacao_id = await insertImportacao(
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
      total_linhas: leitor.linhas,
      erros: leitor.erros,
      avisos: leitor.totalAvisos,
      criado_em: now,
    },
    'series',
  )
  const autor = { importacao_id, usuario_id: job.usuario_id, em: now }
  const effects = await storeBlocos(tx, leitor.colheita, autor, step)
  await completeImportacao(tx, importacao_id, numbersOf(leitor, effects))
  const lugares = new Set(effects.flatMap((effect) => [...effect.lugares]))
  await placeImportacao(tx, importacao_id, placesOf(lugares))
  for (const effect of effects) await announceChange(app, tx, effect, importacao_id)
  return { importacao_id, effects }
}
