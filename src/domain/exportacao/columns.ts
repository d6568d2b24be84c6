import { codigoDaSemana } from '../../brasil/epi-week.ts'
import type { Municipios } from '../../brasil/municipios.ts'
import type { Celula, ColunaDeArquivo } from '../arquivos/csv.ts'
import { CAMPOS, type Campos, isSigiloso, NOMES, type NomeDeCampo, SIGILOSOS } from '../casos/campos.ts'
import type { VisaoDoCaso } from '../casos/visao.ts'

/** What an export of cases can have beyond their fields; the importer passes over it. */
const EXTRAS = {
  id: (caso) => caso.id,
  paciente_iniciais: (caso) => (caso.sigilo === null ? caso.nome : null),
  semana_epidemiologica: (caso) => codigoDaSemana(caso.data_notificacao),
  semana_epidemiologica_sintomas: (caso) =>
    caso.data_inicio_sintomas && codigoDaSemana(caso.data_inicio_sintomas),
  municipio_residencia_nome: (caso, municipios) => nomeOf(caso.municipio_residencia, municipios),
  municipio_infeccao_nome: (caso, municipios) => nomeOf(caso.municipio_infeccao, municipios),
  criado_em: (caso) => caso.criado_em.toISOString(),
  atualizado_em: (caso) => caso.atualizado_em.toISOString(),
} satisfies Record<string, (caso: VisaoDoCaso, municipios: Municipios) => Celula>
type Extra = keyof typeof EXTRAS
const MOMENTS: readonly string[] = ['criado_em', 'atualizado_em'] satisfies Extra[]

const nomeOf = (codigo: number | null, municipios: Municipios): string | null =>
  codigo === null ? null : (municipios.byCodigo(codigo)?.nome ?? null)

/** Columns that stand beside a field, where no columns are chosen. */
const BESIDE: Partial<Record<NomeDeCampo, Extra>> = {
  data_notificacao: 'semana_epidemiologica',
  data_inicio_sintomas: 'semana_epidemiologica_sintomas',
  municipio_residencia: 'municipio_residencia_nome',
  municipio_infeccao: 'municipio_infeccao_nome',
}

export type Coluna = NomeDeCampo | Extra
export const COLUNAS_DE_CASOS = [...(Object.keys(EXTRAS) as Extra[]), ...NOMES] as const
const isExtra = (coluna: string): coluna is Extra => Object.hasOwn(EXTRAS, coluna)

/** Without being asked: everything the reader may see. */
export function defaultColunas(identificado: boolean): Coluna[] {
  if (identificado) return ['id', ...NOMES.flatMap(withBeside)]
  return ['id', 'paciente_iniciais', ...NOMES.filter((nome) => !isSigiloso(nome)).flatMap(withBeside)]
}

const withBeside = (nome: NomeDeCampo): Coluna[] => [nome, BESIDE[nome] ?? []].flat()

export function toColunaDeArquivo(nome: Coluna): ColunaDeArquivo {
  if (isExtra(nome)) return { nome, kind: MOMENTS.includes(nome) ? 'moment' : 'plain' }
  return { nome, kind: CAMPOS[nome].kind === 'date' ? 'date' : 'plain' }
}

/** Columns that only an identified export has. */
export const COLUNAS_SIGILOSAS: readonly string[] = SIGILOSOS

export function rowOf(caso: VisaoDoCaso, colunas: readonly Coluna[], municipios: Municipios): Celula[] {
  return colunas.map((coluna) => {
    if (isExtra(coluna)) return EXTRAS[coluna](caso, municipios)
    return cellOf(isSigiloso(coluna) ? (caso.sigilo?.[coluna] ?? null) : caso[coluna])
  })
}

/** As the importer reads it back: lists with bars between where that says the same, the rest as it is. */
function cellOf(value: Campos[NomeDeCampo]): Celula {
  if (!Array.isArray(value)) return value
  return value.length > 0 && value.every(isPlain) ? value.join('|') : JSON.stringify(value)
}

const isPlain = (one: unknown) =>
  typeof one === 'string' && one === one.trim() && !one.includes('|') && !one.startsWith('[')
