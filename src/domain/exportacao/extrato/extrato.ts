import { randomBytes } from 'node:crypto'
import type { Caller } from '../../../caller/caller.ts'
import type { Db } from '../../../db/db.ts'
import type { Filter } from '../../../filter.ts'
import { type Classes, leastLoss } from '../../../statistics/k-anonymity.ts'
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
import { type Generalisation, generalise, type NivelDeExtrato, toLevel } from './niveis.ts'

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
  const columns = chosen.map((nivel, a) => shownColumn(general, a, nivel))
  const sizes = sizesOf(general.classes, columns)
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
  // A key of the order for this extract alone, kept nowhere.
  const key = randomBytes(32).toString('hex')
  return {
    colunas: [
      ...['pseudonimo', ...QUASE_IDENTIFICADORES].map((nome) => ({ nome, kind: 'text' as const })),
      ...ATRIBUTOS.map(toFileColumn),
    ],
    total,
    blocks: toRows(walkShuffled(app, tx, filter, { key, campos: ATRIBUTOS }), rowWriter(columns, sizes, k)),
    metadata: { [RISCO]: JSON.stringify(risco) },
  }
}

const PSEUDONYM_BYTES = 12

/** Pseudonyms are drawn, not computed: each case has one row, and those of two extracts cannot be joined. */
async function* toRows(
  blocks: AsyncIterable<QuaseCaso[]>,
  rowOf: (caso: QuaseCaso, pseudonimo: string) => CellValue[] | null,
): AsyncGenerator<CellValue[][]> {
  const digits = 2 * PSEUDONYM_BYTES
  for await (const block of blocks) {
    const drawn = randomBytes(PSEUDONYM_BYTES * block.length).toString('hex')
    yield block
      .map((caso, i) => rowOf(caso, drawn.slice(digits * i, digits * (i + 1))))
      .filter((row) => row !== null)
  }
}

/** A quasi-identifier as the file gives it: each of its values is looked up, none is generalised again for each case. */
interface ShownColumn {
  nome: QuaseIdentificador
  /** Numbers of the values. */
  places: ReadonlyMap<string, number>
  /** Text of each value; null leaves the column empty. */
  texts: readonly (string | null)[]
  /** Number of each text. */
  groupOf: Int32Array
  groups: number
}

function shownColumn({ values }: Generalisation, a: number, nivel: NivelDeExtrato): ShownColumn {
  const texts = (values[a] ?? []).map(nivel.show)
  return {
    nome: QUASE_IDENTIFICADORES[a] as QuaseIdentificador,
    places: new Map(values[a]?.map((value, place) => [value, place])),
    texts,
    ...toLevel(texts),
  }
}

type Sizes = ReadonlyMap<number, number>

/** Sizes of the classes as the file gives them; a class is one number, made of those of its texts. */
function sizesOf({ counts, values }: Classes, columns: readonly ShownColumn[]): Sizes {
  const sizes = new Map<number, number>()
  for (let i = 0; i < counts.length; i++) {
    const key = columns.reduce(
      (key, { groupOf, groups }, a) => key * groups + (groupOf[values[a]?.[i] as number] as number),
      0,
    )
    sizes.set(key, (sizes.get(key) ?? 0) + (counts[i] as number))
  }
  return sizes
}

/** Row of a case; null for one whose class is too small. */
function rowWriter(columns: readonly ShownColumn[], sizes: Sizes, k: number) {
  const readers = ATRIBUTOS.map(fieldReader) as ((caso: QuaseCaso) => CellValue)[]
  return (caso: QuaseCaso, pseudonimo: string): CellValue[] | null => {
    const row: CellValue[] = [pseudonimo]
    let key = 0
    for (const { nome, places, texts, groupOf, groups } of columns) {
      const place = places.get(caso[nome]) as number
      row.push(texts[place] as string | null)
      key = key * groups + (groupOf[place] as number)
    }
    if ((sizes.get(key) ?? 0) < k) return null
    for (const read of readers) row.push(read(caso))
    return row
  }
}
