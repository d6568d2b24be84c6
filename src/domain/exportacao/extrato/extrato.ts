import { createHmac, randomBytes } from 'node:crypto'
import type { Caller } from '../../../caller/caller.ts'
import type { Db } from '../../../db/db.ts'
import type { Filter } from '../../../filter.ts'
import { leastLoss } from '../../../statistics/k-anonymity.ts'
import type { App } from '../../app.ts'
import type { CellValue } from '../../arquivos/csv.ts'
import type { OpenField } from '../../casos/campos.ts'
import { QUASE_IDENTIFICADORES, type QuaseIdentificador } from '../../casos/enumeracoes.ts'
import { countQuase, type QuaseCaso, walkShuffled } from '../../casos/reading/quase.ts'
import { fieldReader } from '../../casos/reading/walked.ts'
import { withinTerritorio } from '../../casos/territorio.ts'
import type { JobApp } from '../../jobs/job-app.ts'
import { enqueueJob } from '../../jobs/jobs.ts'
import type { JobTask } from '../../jobs/queue.ts'
import { territorioOf } from '../../jobs/territorio.ts'
import { toFileColumn } from '../columns.ts'
import type { FileContent } from '../content.ts'
import { ExportRefusal, exportRows } from '../export.ts'
import { EXTRATO_FORMATS, type FormatoDeExtrato, RISCO } from './formats.ts'
import { type Generalisation, generalise, type NivelDeExtrato } from './niveis.ts'

/**
 * Research extract: cases without anything that names or singles out a patient. Place, age, sex, race and onset are generalised
 * until every combination in the file has at least `k` rows; at most five of a hundred cases are left out for it.
 */

export const KS = [5, 10, 20] as const
export interface ExtratoRequest {
  formato: FormatoDeExtrato
  filter: Filter
  k: (typeof KS)[number]
  quase_identificadores: readonly QuaseIdentificador[]
  finalidade: string
  orgao: string
  protocolo_etica: string | null
}

const MAX_SUPPRESSED = 0.05

/** Fields that a class may differ in: what the disease did, no other date, place or text. */
const ATRIBUTOS = [
  ...['tipo_agravo', 'classificacao_final', 'criterio_confirmacao', 'evolucao', 'hospitalizacao', 'uti'],
  ...['febre', 'mialgia', 'cefaleia', 'exantema', 'nausea', 'vomito', 'dor_costas', 'dor_retro_orbital'].map(
    especifico,
  ),
  ...['artralgia', 'artrite', 'conjuntivite', 'petequias', 'leucopenia', 'prova_laco', 'sinais_alarme'].map(
    especifico,
  ),
  ...['hipotensao', 'queda_plaquetas', 'aumento_hematocrito', 'sorotipo', 'apresentacao_clinica'].map(
    especifico,
  ),
  ...[
    'dor_abdominal',
    'vomito_persistente',
    'hepatomegalia',
    'sangramento_mucosa',
    'letargia',
    'acumulo_liquidos',
  ].map((sinal) => `dados_clinicos.sinais_sintomas.${sinal}`),
  ...['ns1', 'igm', 'pcr', 'isolamento_viral', 'prnt', 'histopatologia', 'imunohistoquimica'].map(
    (exame) => `dados_laboratoriais.${exame}`,
  ),
] as OpenField[]

function especifico(campo: string): string {
  return `dados_especificos.${campo}`
}

export async function requestExtrato(
  app: Pick<App, 'db' | 'clock' | 'jobs'>,
  caller: Caller,
  request: ExtratoRequest,
): Promise<string> {
  const id = await app.db.transaction((tx) =>
    enqueueJob(app, tx, caller, {
      tipo: 'extrato_casos',
      trabalho: 'exportacao',
      parametros: { ...request },
      permissoes: ['agravos.extrair'],
    }),
  )
  app.jobs.wake()
  return id
}

export async function runExtrato(app: JobApp, task: JobTask): Promise<void> {
  const request = task.job.parametros as unknown as ExtratoRequest
  const { filter, formato } = request
  const asked = withinTerritorio(filter, { territorio: territorioOf(app, task.job) })
  let risco: Record<string, unknown> = {}
  await exportRows(app, task, {
    nome: 'extrato',
    format: EXTRATO_FORMATS[formato],
    open: async (tx) => {
      const content = await openExtrato(app, tx, request, asked)
      risco = JSON.parse(content.metadata[RISCO] as string)
      return content
    },
    auditEntry: () => ({
      acao: 'casos.extraidos',
      recurso: 'caso',
      detalhes: { filtro: filter, formato, ...risco },
    }),
  })
}

async function openExtrato(
  app: JobApp,
  tx: Db,
  request: ExtratoRequest,
  filter: Filter,
): Promise<FileContent> {
  const { k, quase_identificadores, finalidade, orgao, protocolo_etica } = request
  const general = await generalise(countQuase(app, tx, filter), app.municipios, quase_identificadores)
  const choice = leastLoss(general.classes, general.hierarchies, { k, maxShare: MAX_SUPPRESSED })
  if (choice === null) throw new ExportRefusal({ code: 'TOO_FEW_CASES', k })
  const chosen = choice.levels.map((level, a) => general.niveis[a]?.[level] as NivelDeExtrato)
  const sizes = sizesOf(general, chosen)
  const safe = [...sizes.values()].filter((size) => size >= k)
  if (safe.length === 0) throw new ExportRefusal({ code: 'TOO_FEW_CASES', k })
  const total = safe.reduce((sum, size) => sum + size, 0)
  const smallest = safe.reduce((least, size) => Math.min(least, size))
  const risco = {
    ...{
      nivel: 'anonimizado',
      k,
      finalidade,
      orgao,
      protocolo_etica,
      gerado_em: app.clock.now().toISOString(),
    },
    niveis: Object.fromEntries(QUASE_IDENTIFICADORES.map((nome, a) => [nome, chosen[a]?.nome])),
    ...{ linhas: total, suprimidas: choice.suppressed, classes: safe.length, menor_classe: smallest },
    risco_maximo: 1 / smallest,
    risco_medio: safe.length / total,
  }
  // A key for this extract alone, kept nowhere: pseudonyms of two extracts cannot be joined.
  const key = randomBytes(32)
  return {
    colunas: [
      ...['pseudonimo', ...QUASE_IDENTIFICADORES].map((nome) => ({ nome, kind: 'text' as const })),
      ...ATRIBUTOS.map(toFileColumn),
    ],
    total,
    blocks: toRows(
      walkShuffled(app, tx, filter, { key: key.toString('hex'), campos: ATRIBUTOS }),
      rowWriter(chosen, sizes, k, key),
    ),
    metadata: { [RISCO]: JSON.stringify(risco) },
  }
}

async function* toRows(
  blocks: AsyncIterable<QuaseCaso[]>,
  rowOf: (row: QuaseCaso) => CellValue[] | null,
): AsyncGenerator<CellValue[][]> {
  for await (const block of blocks) yield block.map(rowOf).filter((row) => row !== null)
}

type Sizes = ReadonlyMap<string, number>

/** Sizes of the classes as the file gives them. */
function sizesOf({ classes, values }: Generalisation, chosen: readonly NivelDeExtrato[]): Sizes {
  const shown = values.map((texts, a) => texts.map((text) => chosen[a]?.show(text) ?? null))
  const sizes = new Map<string, number>()
  classes.counts.forEach((count, i) => {
    const key = keyOf(shown.map((texts, a) => texts[classes.values[a]?.[i] as number] ?? null))
    sizes.set(key, (sizes.get(key) ?? 0) + count)
  })
  return sizes
}

const keyOf = (shown: readonly (string | null)[]): string => shown.join('|')

/** Row of a case; null for one whose class is too small. */
function rowWriter(chosen: readonly NivelDeExtrato[], sizes: Sizes, k: number, key: Buffer) {
  const pseudonimoOf = (id: number) => createHmac('sha256', key).update(String(id)).digest('hex').slice(0, 24)
  const readers = ATRIBUTOS.map(fieldReader) as ((caso: QuaseCaso) => CellValue)[]
  return (caso: QuaseCaso): CellValue[] | null => {
    const shown = QUASE_IDENTIFICADORES.map((nome, a) => chosen[a]?.show(caso[nome]) ?? null)
    if ((sizes.get(keyOf(shown)) ?? 0) < k) return null
    return [pseudonimoOf(caso.id), ...shown, ...readers.map((read) => read(caso))]
  }
}
