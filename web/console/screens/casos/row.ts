import type { Classificacao, TipoAgravo } from '../../../../src/domain/casos/enumeracoes.ts'
import { valorWords } from '../../state/filter-words.ts'
import type { Texts } from '../../state/text-types.ts'

/** A case of a list, as far as the screen shows it. */
export interface CasoListado {
  id: number
  tipo_agravo: TipoAgravo
  numero_notificacao: string
  data_notificacao: string
  semana_epidemiologica: string
  data_inicio_sintomas: string | null
  semana_epidemiologica_sintomas: string | null
  paciente: { nome: string | null; idade: number | null; sexo: string | null; gestante: boolean | null }
  endereco: {
    municipio_residencia: string | null
    estado_residencia: string | null
    bairro: string | null
    zona: string | null
  }
  classificacao_final: Classificacao | null
  criterio_confirmacao: string | null
  evolucao: string | null
  hospitalizacao: boolean | null
  status: string
  unidade_notificante: { nome: string | null; cnes: string | null }
  atualizado_em: string
  criado_em: string
  pendencias?: { codigo: keyof Texts['filtros']['pendencias'] }[]
}

export interface ListaDeCasos {
  total: number
  page: number
  size: number
  pages: number
  casos: CasoListado[]
}

/** A value of the form in words; nothing where it is not known. */
export const wordOf = (value: string | null, t: Texts): string => (value === null ? '' : valorWords(value, t))
