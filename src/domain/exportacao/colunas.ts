import type { Municipios } from '../../municipios.ts'
import { type Campos, isSigiloso, NOMES, type NomeDeCampo, SIGILOSOS } from '../casos/campos.ts'
import { semanaOf } from '../casos/semana.ts'
import type { VisaoDoCaso } from '../casos/visao.ts'
import type { Celula } from './csv.ts'

/** What an export of cases can have beyond their fields; the importer passes over it. */
const EXTRAS = {
  id: (caso) => caso.id,
  paciente_iniciais: (caso) => (caso.sigilo === null ? caso.nome : null),
  semana_epidemiologica: (caso) => semanaOf(caso.data_notificacao).codigo,
  municipio_residencia_nome: (caso, municipios) =>
    municipios.byCodigo(caso.municipio_residencia ?? 0)?.nome ?? null,
  criado_em: (caso) => caso.criado_em.toISOString(),
  atualizado_em: (caso) => caso.atualizado_em.toISOString(),
} satisfies Record<string, (caso: VisaoDoCaso, municipios: Municipios) => Celula>
type Extra = keyof typeof EXTRAS

export type Coluna = NomeDeCampo | Extra
export const COLUNAS_DE_CASOS = [...(Object.keys(EXTRAS) as Extra[]), ...NOMES] as const
const isExtra = (coluna: string): coluna is Extra => Object.hasOwn(EXTRAS, coluna)

/** Without being asked: everything the reader may see. */
export function defaultColunas(identificado: boolean): Coluna[] {
  if (identificado) return ['id', ...NOMES]
  return ['id', 'paciente_iniciais', ...NOMES.filter((nome) => !isSigiloso(nome))]
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
