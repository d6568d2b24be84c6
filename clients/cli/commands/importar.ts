import { openAsBlob } from 'node:fs'
import { basename, extname } from 'node:path'
import type { Importacao, Job, Operacoes } from '../../ts/src/index.ts'
import { confirm } from '../ask.ts'
import { CliError, EXIT, say } from '../context.ts'
import { download, openTarget, type Target } from '../download.ts'
import { follow } from '../follow.ts'
import { type Listing, list } from '../lists.ts'
import { type Column, printObject, progressBar } from '../output.ts'
import { command } from '../run.ts'
import type { Session } from '../session.ts'
import type { Texts } from '../texts.ts'

type Form = Operacoes['POST /agravos/casos/bulk']['body'] & object
const FORMATOS = ['csv', 'xlsx', 'dbf', 'dbc'] as const

export interface Importing {
  validar: boolean
  simular: boolean
  acompanhar: boolean
  ignorarErros: boolean
  textos: boolean
  agravo?: NonNullable<Form['tipo_agravo']>
  rejeitados?: string
}

export const importar = command<Importing, [string]>(async (session, flags, file) => {
  const { io, t, vigia, given } = session
  const bar = progressBar(io)
  const content = await contentOf(file, t)
  const extension = extname(file).slice(1).toLowerCase()
  const body: Form = {
    file: new File([content], basename(file)),
    formato: FORMATOS.find((one) => one === extension) ?? 'csv',
    modo: flags.validar || flags.simular ? 'validar' : 'importar',
    ignorar_erros: flags.ignorarErros,
    ...(flags.textos && { textos: true }),
    ...(flags.agravo && { tipo_agravo: flags.agravo }),
  }
  await using target = flags.rejeitados === undefined ? null : await openTarget(session, flags.rejeitados)
  let sent = 0
  session.onSent((bytes) => {
    sent += bytes
    bar.draw(t.sending, (100 * sent) / Math.max(content.size, 1))
  })
  const { job_id } = await vigia.post('/agravos/casos/bulk', { body }, given).finally(() => bar.end())
  if (!flags.acompanhar && target === null) {
    await printObject(io, { job_id }, flags)
    return
  }
  return await tellImport(session, await follow(session, job_id), flags, target)
})

/** Kept on the disk: it is read while it is sent. */
async function contentOf(file: string, t: Texts): Promise<Blob> {
  try {
    return await openAsBlob(file)
  } catch {
    throw new CliError(t.unreadable(file), EXIT.usage)
  }
}

const DETAILS = 20

async function tellImport(
  session: Session,
  job: Job,
  { json }: { json: boolean },
  target: Target | null,
): Promise<number> {
  const { io, t } = session
  const { erros_detalhados = [], avisos_detalhados: _, arquivo: __, ...numbers } = resultOf(job)
  say(io, job.message)
  await printObject(io, json ? job : { job_id: job.job_id, ...numbers }, { json })
  for (const { linha, erro } of erros_detalhados.slice(0, DETAILS)) say(io, `  ${linha}: ${erro}`)
  if (job.rejeitados_url !== undefined) {
    if (target === null) say(io, t.rejectedWhere(job.job_id))
    else {
      await download(session, { path: '/jobs/{job_id}/rejeitados', job_id: job.job_id }, target)
      say(io, t.rejected(numbers.erros ?? 0, target.name))
    }
  }
  if (job.status !== 'completed') return EXIT.failed
  return (numbers.erros ?? 0) > 0 ? EXIT.partly : EXIT.done
}

interface Result {
  erros?: number
  erros_detalhados?: { linha: number; erro: string }[]
  avisos_detalhados?: unknown
  arquivo?: unknown
}
const resultOf = ({ resultado }: Job) => (resultado ?? {}) as Result

const COLUMNS: Column<Importacao>[] = [
  ['id', ({ id }) => id],
  ['arquivo', ({ arquivo }) => arquivo.nome],
  ['linhas', ({ total_linhas }) => total_linhas],
  ['importados', ({ importados }) => importados],
  ['atualizados', ({ atualizados }) => atualizados],
  ['erros', ({ erros }) => erros],
  ['criado_em', ({ criado_em }) => criado_em],
  ['desfeita_em', ({ desfeita_em }) => desfeita_em],
]

export const listar = command<Listing>((session, flags) =>
  list(session, '/agravos/importacoes', COLUMNS, flags),
)

export const desfazer = command<{ simular: boolean; sim: boolean }, [number]>(async (session, flags, id) => {
  const { io, t, vigia, given } = session
  if (!flags.simular) await confirm(io, t.undo(id), flags.sim, t)
  const asked = { params: { id }, query: { simular: flags.simular } }
  const { job_id } = await vigia.post('/agravos/importacoes/{id}/desfazer', asked, given)
  const job = await follow(session, job_id)
  say(io, flags.simular ? t.would(job.message) : job.message)
  await printObject(io, flags.json ? job : (job.resultado ?? {}), flags)
  return job.status === 'completed' ? EXIT.done : EXIT.failed
})
