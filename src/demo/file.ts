import type { Municipios } from '../brasil/municipios.ts'
import type { FieldName } from '../domain/casos/campos.ts'
import { type DemoCaso, type DemoRequest, generateCasos } from './casos.ts'

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

const HEADER = `${COLUMNS.join(';')}\n`
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

/** These cases as one file. */
export const fileOf = (casos: readonly DemoCaso[]): DemoFile => ({
  casos: casos.length,
  content: () => contentOf(casos.values(), casos.length),
})

async function* contentOf(rows: Iterator<DemoCaso>, casos: number): AsyncGenerator<Buffer> {
  let text = HEADER
  for (let i = 1; i <= casos; i++) {
    text += lineOf(rows.next().value)
    if (i % PIECE_ROWS === 0 || i === casos) {
      yield Buffer.from(text)
      text = ''
    }
  }
}

function lineOf(caso: DemoCaso): string {
  let line = caso[COLUMNS[0]] ?? ''
  for (let i = 1; i < COLUMNS.length; i++) line += `;${cellOf(caso[COLUMNS[i] as FieldName] ?? '')}`
  return `${line}\n`
}

/** Quotes a cell of JSON, the only kind that has quotes of its own. */
const cellOf = (text: string) => (text.startsWith('[') ? `"${text.replaceAll('"', '""')}"` : text)
