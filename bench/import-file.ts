import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { loadMunicipios, type Municipios } from '../src/brasil/municipios.ts'
import { generateFiles } from '../src/demo/file.ts'
import { createRandom } from '../src/demo/random.ts'
import { COMPLETE_HEADER, completeCase, lineOf } from './comparison/complete-cases.ts'

/** Files to import, in our own columns, the same each time. */

export const KINDS = ['complete', 'few-places', 'demo'] as const
export type Kind = (typeof KINDS)[number]

export async function writeImportFile(path: string, rows: number, kind: Kind): Promise<void> {
  const municipios = await loadMunicipios()
  await pipeline(CONTENT[kind](municipios, rows), createWriteStream(path))
}

const CONTENT = { complete: allFields, demo: allPlaces, 'few-places': fewPlaces }

/** Every column of the layout, filled in in every row; one of them a JSON cell. */
function* allFields({ all }: Municipios, rows: number): Generator<string> {
  const random = createRandom(1)
  let block = COMPLETE_HEADER
  for (let i = 1; i <= rows; i++) {
    block += lineOf(completeCase(random, all, `C${i}`))
    if (i % 500 === 0 || i === rows) {
      yield block
      block = ''
    }
  }
}

/** The same file on every day. */
const LAST_DAY = '2026-09-30'

/** The cases of `npm run vigia -- demo`: every municipality, years of epidemics, with the gaps of real notifications. */
async function* allPlaces(municipios: Municipios, casos: number): AsyncGenerator<Buffer> {
  const pedido = { casos, seed: 1, until: LAST_DAY }
  for (const arquivo of generateFiles(municipios, pedido, casos)) yield* arquivo.content()
}

/** Four municipalities and two years, 26 columns. */
function* fewPlaces(municipios: Municipios, rows: number): Generator<string> {
  const places = ['Recife', 'Olinda', 'Caruaru', 'Petrolina'].map((nome) => municipios.byNome(nome, 'PE'))
  const header = [
    'tipo_agravo',
    'numero_notificacao',
    'data_notificacao',
    'data_inicio_sintomas',
    'paciente_nome',
    'paciente_data_nascimento',
    'paciente_sexo',
    'paciente_raca',
    'municipio_residencia',
    'estado_residencia',
    'bairro_residencia',
    'zona_residencia',
    'logradouro_residencia',
    'numero_residencia',
    'cep_residencia',
    'classificacao_final',
    'criterio_confirmacao',
    'evolucao',
    'hospitalizacao',
    'data_encerramento',
    'dados_especificos.febre',
    'dados_especificos.mialgia',
    'dados_especificos.cefaleia',
    'dados_especificos.exantema',
    'dados_laboratoriais.ns1',
    'unidade_notificante.cnes',
  ]
  let seed = 42
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return seed % below
  }
  const pick = <T>(values: T[]): T => values[random(values.length)] as T
  const day = (offset: number) =>
    new Date(Date.UTC(2024, 0, 1) + offset * 86_400_000).toISOString().slice(0, 10)
  yield `${header.join(';')}\n`
  let block = ''
  for (let i = 0; i < rows; i++) {
    const onset = random(700)
    const closed = random(4) > 0
    const place = pick(places)
    block += `${[
      'dengue',
      1_000_000 + i,
      day(onset + random(20)),
      day(onset),
      `${pick(['Maria', 'João', 'Ana', 'José'])} ${pick(['da Silva', 'Souza', 'dos Santos'])} ${i}`,
      `${1930 + random(90)}-0${1 + random(9)}-1${random(10)}`,
      pick(['M', 'F']),
      pick(['branca', 'parda', 'preta', '']),
      place?.codigo,
      'PE',
      pick(['Boa Viagem', 'Casa Amarela', 'Ibura', 'Várzea']),
      'urbana',
      `Rua ${random(900)}`,
      random(2000),
      `5${random(9)}0${random(90) + 10}-000`,
      closed ? pick(['dengue_sem_sinais_alarme', 'descartado', 'dengue_com_sinais_alarme']) : '',
      closed ? pick(['laboratorial', 'clinico_epidemiologico']) : '',
      closed ? 'cura' : '',
      pick(['true', 'false']),
      closed ? day(onset + 60) : '',
      pick(['true', 'false']),
      pick(['true', 'false']),
      pick(['true', 'false']),
      pick(['true', 'false']),
      pick(['positivo', 'negativo', '']),
      String(random(9_000_000)).padStart(7, '0'),
    ].join(';')}\n`
    if (i % 1000 === 999) {
      yield block
      block = ''
    }
  }
  yield block
}
