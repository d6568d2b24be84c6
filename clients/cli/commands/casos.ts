import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { CasoDaLista, CriarCaso, ExportarCasos, ExtrairCasos } from '../../ts/src/index.ts'
import { CLOSED_PIPE, CliError, EXIT, say } from '../context.ts'
import { download, openTarget, type Target } from '../download.ts'
import { type Filtering, filtersOf } from '../filters.ts'
import { follow } from '../follow.ts'
import { type Listing, list } from '../lists.ts'
import { type Column, printObject } from '../output.ts'
import { command } from '../run.ts'
import type { Session } from '../session.ts'
import { namesOf } from './agravos.ts'

const columns = (nameOf: (codigo: string) => string): Column<CasoDaLista>[] => [
  ['id', ({ id }) => id],
  ['agravo', ({ tipo_agravo }) => nameOf(tipo_agravo ?? '')],
  ['numero', ({ numero_notificacao }) => numero_notificacao],
  ['notificacao', ({ data_notificacao }) => data_notificacao?.slice(0, 10)],
  ['paciente', ({ paciente }) => paciente?.nome],
  ['municipio', ({ endereco }) => endereco?.municipio_residencia],
  ['uf', ({ endereco }) => endereco?.estado_residencia],
  ['classificacao', ({ classificacao_final }) => classificacao_final],
  ['status', ({ status }) => status],
]

export const listar = command<Listing>(async (session, flags) =>
  list(session, '/agravos/casos', columns(await namesOf(session, flags)), flags),
)

export const ver = command<object, [number]>(async (session, { json }, id) => {
  const { io, vigia, given } = session
  const caso = await vigia.get('/agravos/casos/{id}', { params: { id } }, given)
  const nameOf = await namesOf(session, { json })
  await printObject(io, { ...caso, tipo_agravo: nameOf(caso.tipo_agravo) }, { json })
})

export const criar = command<{ simular: boolean }, [string]>(async (session, { json, simular }, file) => {
  const { io, t, vigia, given } = session
  const body = await readCaso(session, file)
  if (!simular) {
    await printObject(io, await vigia.post('/agravos/casos', { body }, given), { json })
    return
  }
  const found = await vigia.post('/agravos/casos/verificar', { body: { ...body } }, given)
  const isGood = found.problemas.length === 0 && !found.fora_do_territorio
  say(io, t.would(isGood ? t.wouldCreate : t.wouldNotCreate))
  await printObject(io, found, { json })
  return isGood ? EXIT.done : EXIT.failed
})

/** `-` is the standard input. */
async function readCaso({ io, t }: Session, file: string): Promise<CriarCaso> {
  const content = await (file === '-' ? text(io.stdin) : readFile(file, 'utf8')).catch(() => {
    throw new CliError(t.unreadable(file), EXIT.usage)
  })
  try {
    return JSON.parse(content)
  } catch {
    throw new CliError(t.notJson(file), EXIT.usage)
  }
}

type Exporting = Filtering & {
  formato: ExportarCasos['formato']
  saida: string
  identificado: boolean
  gzip: boolean
  layout?: NonNullable<ExportarCasos['layout']>
  campos?: string
}

export const exportar = command<Exporting>(async (session, flags) => {
  const { t, vigia, given } = session
  const { formato, identificado, gzip, layout, campos } = flags
  const body = {
    formato,
    filtros: filtersOf(flags, t),
    ...(identificado && { identificado }),
    ...(gzip && { compactacao: 'gzip' }),
    ...(layout && { layout }),
    ...(campos && { campos: namesIn(campos) }),
  } as ExportarCasos
  await using target = await openTarget(session, flags.saida)
  const { job_id } = await vigia.post('/agravos/casos/exportar', { body }, given)
  await saveFile(session, job_id, target)
})

type Extracting = Filtering & {
  formato: ExtrairCasos['formato']
  k: '5' | '10' | '20'
  finalidade: string
  orgao: string
  protocolo?: string
  quase?: string
  saida: string
}

export const extrair = command<Extracting>(async (session, flags) => {
  const { t, vigia, given } = session
  const { formato, k, finalidade, orgao, protocolo, quase } = flags
  const body = {
    ...{ formato, k: Number(k), finalidade, orgao, filtros: filtersOf(flags, t) },
    ...(protocolo && { protocolo_etica: protocolo }),
    ...(quase && { quase_identificadores: namesIn(quase) }),
  } as ExtrairCasos
  await using target = await openTarget(session, flags.saida)
  const { job_id } = await vigia.post('/agravos/casos/extratos', { body }, given)
  await saveFile(session, job_id, target)
})

/** The service knows the names, and refuses others. */
const namesIn = (text: string): string[] => text.split(',').map((name) => name.trim())

/** The file that a job makes, once it has ended. Where that is cut short, says how to have it later. */
async function saveFile(session: Session, job_id: string, target: Target): Promise<void> {
  const { io, t } = session
  const cutShort = (error: unknown): never => {
    const hasEnough = error === CLOSED_PIPE || io.signal.reason === CLOSED_PIPE
    if (!hasEnough) say(io, t.fileBy(job_id, wordOf(target.name)))
    throw error
  }
  const { status, message } = await follow(session, job_id).catch(cutShort)
  if (status !== 'completed') throw new CliError(message)
  await download(session, { path: '/jobs/{job_id}/arquivo', job_id }, target).catch(cutShort)
}

/** As a shell reads it. */
const wordOf = (name: string) => (/^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`)
