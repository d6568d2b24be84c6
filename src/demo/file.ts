import type { Municipios } from '../brasil/municipios.ts'
import type { Definicao } from '../domain/casos/agravos/definicao.ts'
import type { FieldName } from '../domain/casos/campos.ts'
import { type DemoCaso, type DemoRequest, generateCasos } from './casos.ts'
import { generateDefinidos } from './definido.ts'

/** Columns of the file, in our own layout. */
export const COLUMNS = [
  'tipo_agravo',
  'numero_notificacao',
  'data_notificacao',
  'data_inicio_sintomas',
  'paciente_nome',
  'paciente_data_nascimento',
  'paciente_idade',
  'paciente_sexo',
  'paciente_gestante',
  'paciente_raca',
  'paciente_escolaridade',
  'paciente_ocupacao',
  'municipio_residencia',
  'estado_residencia',
  'bairro_residencia',
  'zona_residencia',
  'logradouro_residencia',
  'numero_residencia',
  'cep_residencia',
  'latitude',
  'longitude',
  'municipio_infeccao',
  'estado_infeccao',
  'pais_infeccao',
  'classificacao_inicial',
  'classificacao_final',
  'criterio_confirmacao',
  'evolucao',
  'data_obito',
  'data_encerramento',
  'data_investigacao',
  'hospitalizacao',
  'data_internacao',
  'uti',
  'dados_especificos.febre',
  'dados_especificos.mialgia',
  'dados_especificos.cefaleia',
  'dados_especificos.exantema',
  'dados_especificos.nausea',
  'dados_especificos.dor_retro_orbital',
  'dados_especificos.artralgia',
  'dados_especificos.vomito',
  'dados_especificos.conjuntivite',
  'dados_especificos.prova_laco',
  'dados_especificos.sorotipo',
  'dados_especificos.data_digitacao',
  'dados_clinicos.comorbidades',
  'dados_laboratoriais.ns1',
  'dados_laboratoriais.data_ns1',
  'dados_laboratoriais.igm',
  'dados_laboratoriais.data_igm',
  'dados_laboratoriais.pcr',
  'dados_laboratoriais.data_pcr',
  'dados_laboratoriais.plaquetas',
  'dados_laboratoriais.hematocrito',
  'investigacao.viagem_recente',
  'investigacao.contato_casos_similares',
  'investigacao.locais_frequentados',
  'unidade_notificante.nome',
  'unidade_notificante.cnes',
  'unidade_notificante.telefone',
  'unidade_notificante.responsavel',
] as const satisfies readonly FieldName[]

const PIECE_ROWS = 500

/** Rows a file, within the limit of one import (2 GiB). */
const FILE_ROWS = 1_000_000

export interface DemoFile {
  casos: number
  content(): AsyncGenerator<Buffer>
}

/** Cases as CSV files, generated lazily: each must be read to its end before the next. */
export function* generateFiles(
  municipios: Municipios,
  request: DemoRequest,
  fileRows = FILE_ROWS,
): Generator<DemoFile> {
  const rows = generateCasos(municipios, request)
  for (let left = request.casos; left > 0; left -= fileRows) {
    const casos = Math.min(left, fileRows)
    yield { casos, content: () => contentOf(rows, casos) }
  }
}

/** Cases of a defined disease as one file, under the columns of the first. */
export function* definedFiles(
  municipios: Municipios,
  definicao: Definicao,
  request: DemoRequest,
): Generator<DemoFile> {
  const [first] = generateDefinidos(municipios, definicao, { ...request, casos: 1 })
  const columns = Object.keys(first ?? {})
  const rows = generateDefinidos(municipios, definicao, request)
  yield { casos: request.casos, content: () => contentOf(rows, request.casos, columns) }
}

/** These cases as one file. */
export const fileOf = (casos: readonly DemoCaso[]): DemoFile => ({
  casos: casos.length,
  content: () => contentOf(casos.values(), casos.length),
})

async function* contentOf(
  rows: Iterator<Readonly<Record<string, string>>>,
  casos: number,
  columns: readonly string[] = COLUMNS,
): AsyncGenerator<Buffer> {
  let text = `${columns.join(';')}\n`
  for (let i = 1; i <= casos; i++) {
    text += lineOf(rows.next().value, columns)
    if (i % PIECE_ROWS === 0 || i === casos) {
      yield Buffer.from(text)
      text = ''
    }
  }
}

const lineOf = (caso: Readonly<Record<string, string>>, columns: readonly string[]): string =>
  `${columns.map((nome) => cellOf(caso[nome] ?? '')).join(';')}\n`

/** Quotes a cell of JSON, the only kind that has quotes of its own. */
const cellOf = (text: string) => (text.startsWith('[') ? `"${text.replaceAll('"', '""')}"` : text)
