import { FIELD_NAMES, type FieldName } from '../campos.ts'
import type { BlocoDeCampos, Definicao } from './definicao.ts'

/** Standard fields by block. */

const isOf = (prefix: string) => (nome: string) => nome.startsWith(prefix)
const named = (...nomes: FieldName[]) => nomes

const HOSPITAL = FIELD_NAMES.filter(isOf('dados_especificos.hospital_'))
const GESTACAO = named('paciente_gestante', 'dados_especificos.idade_gestacional')
/** Of the notification itself, though they stand among the specific ones. */
const FICHA = named(
  'dados_especificos.data_digitacao',
  'dados_especificos.estado_notificacao',
  'dados_especificos.municipio_notificacao',
  'dados_especificos.regional_notificacao',
  'dados_especificos.idade_informada',
)

const OTHERS: Record<Exclude<BlocoDeCampos, 'arbovirus_clinico'>, readonly FieldName[]> = {
  notificacao: ['tipo_agravo', 'numero_notificacao', 'data_notificacao', 'data_inicio_sintomas', ...FICHA],
  paciente: FIELD_NAMES.filter((nome) => nome.startsWith('paciente_') && !GESTACAO.includes(nome)),
  residencia: [
    ...FIELD_NAMES.filter((nome) => nome.endsWith('_residencia')),
    ...named('latitude', 'longitude'),
  ],
  conclusao: [
    'classificacao_inicial',
    'classificacao_final',
    'criterio_confirmacao',
    'evolucao',
    'data_obito',
    'data_encerramento',
    'data_investigacao',
    'status',
  ],
  unidade: FIELD_NAMES.filter(isOf('unidade_notificante.')),
  infeccao: FIELD_NAMES.filter((nome) => nome.endsWith('_infeccao')),
  hospitalizacao: ['hospitalizacao', 'data_internacao', 'uti', ...HOSPITAL],
  gestacao: GESTACAO,
  arbovirus_laboratorio: FIELD_NAMES.filter(isOf('dados_laboratoriais.')),
  investigacao: FIELD_NAMES.filter(isOf('investigacao.')),
}
const elsewhere = new Set(Object.values(OTHERS).flat())

export const CAMPOS_DO_BLOCO: Record<BlocoDeCampos, readonly FieldName[]> = {
  ...OTHERS,
  arbovirus_clinico: FIELD_NAMES.filter((nome) => !elsewhere.has(nome)),
}

/** Standard fields that a definition has: those of its blocks, and those it names. */
export function padraoOf({ blocos, campos }: Pick<Definicao, 'blocos' | 'campos'>): FieldName[] {
  const present = new Set<string>(blocos.flatMap((bloco) => CAMPOS_DO_BLOCO[bloco]))
  for (const campo of campos) if ('padrao' in campo) present.add(campo.padrao)
  return FIELD_NAMES.filter((nome) => present.has(nome))
}
