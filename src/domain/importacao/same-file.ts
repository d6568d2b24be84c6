import { versoesAtivas } from '../casos/agravos/registro.ts'
import { countImported } from '../casos/bulk/bulk.ts'
import type { JobTask } from '../jobs/queue.ts'
import { finishImport, keptInput, registerImport } from './ending.ts'
import { listSameFile } from './importacoes.sql.ts'
import { arquivoOf, messageOf, type ResultadoDaImportacao } from './resultado.ts'
import { lookAtFile } from './stage.ts'
import { type ImportApp, importerOf, parametersOf } from './task.ts'
import { unchangedValidation } from './validacao.ts'

type EarlierImport = Awaited<ReturnType<typeof listSameFile>>[number]

/**
 * Shortcut for the very same file again, while all its rows still stand as imported: nothing is read. Somebody else's file
 * counts only for importers who may identify patients: a file of one row would be a guess at all it says. Not for bound
 * importers: rows of the file may be outside by now. Returns whether it ended the job.
 */
export async function finishUnchanged(
  app: ImportApp,
  task: JobTask,
  seconds: () => number,
): Promise<boolean> {
  const earlier = await findUnchanged(app, task)
  if (earlier === null) return false
  const parametros = parametersOf(task)
  const { modo } = parametros
  const { formato, layout, avisos, total_linhas } = earlier
  const entrada = keptInput(app, task)
  const look = entrada && unchangedValidation(await lookAtFile(app, task), parametros, entrada.expira_em)
  await app.db.transaction(async (tx) => {
    const numbers = {
      ...{ importados: 0, atualizados: 0, inalterados: total_linhas, fundidos: 0 },
      ...{ duplicados_no_arquivo: 0, erros: 0, avisos },
    }
    const about = { formato, layout, total_linhas }
    const importacao_id = modo === 'importar' ? await registerImport(app, tx, task, about, numbers) : null
    const resultado: ResultadoDaImportacao = {
      ...{ modo, total_linhas, ...numbers },
      tempo_processamento: seconds(),
      erros_detalhados: [],
      avisos_detalhados: [
        { linha: null, numero_notificacao: null, aviso: `Arquivo idêntico ao da importação ${earlier.id}` },
      ],
      arquivo: arquivoOf(parametros, { formato, layout }),
      importacao_id,
      identico_a: earlier.id,
      ...look,
    }
    const stored = importacao_id !== null
    await finishImport(tx, task, { message: messageOf(resultado), resultado }, { entrada, stored })
  })
  return true
}

async function findUnchanged(app: ImportApp, task: JobTask): Promise<EarlierImport | null> {
  const { arquivo_sha256, tipo_agravo, textos = false } = parametersOf(task)
  const importer = importerOf(app, task)
  if (importer.territorio !== null) return null
  const by = importer.identifies ? 'anybody' : { usuarioId: importer.id }
  const reading = { tipo_agravo, textos, definicoes: versoesAtivas(app.agravos.vigentes()) }
  for (const earlier of await listSameFile(app.db, Buffer.from(arquivo_sha256, 'hex'), reading, by))
    if ((await countImported(app.db, earlier.id)) === earlier.total_linhas) return earlier
  return null
}
