import { codigoDaSemana } from '../../brasil/epi-week.ts'
import type { Municipios } from '../../brasil/municipios.ts'
import type { Campos } from '../../domain/casos/campos.ts'
import { CAMPOS } from '../../domain/casos/campos.ts'
import { MOTIVOS_DE_DUPLICADO, type Verificacao } from '../../domain/casos/verificar.ts'
import type { Problem } from '../../errors/catalogue.ts'
import { type Language, problemText } from '../../errors/texts.ts'
import { Id, Nullable, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { Avisos } from './avisos.shapes.ts'

/** Any object: what is wrong with its fields is the answer. */
export const VerificarCaso = Type.Unsafe<Record<string, unknown> & { id?: number }>({
  type: 'object',
  properties: { id: Type.Integer({ ...Id, description: 'O caso a alterar; ausente: um caso novo' }) },
  additionalProperties: true,
  title: 'VerificarCaso',
  description:
    'O corpo de `CriarCaso`; com `id`, o de `AlterarCaso`. Seus problemas estão na resposta, que é 200 também então',
  examples: [
    {
      tipo_agravo: 'dengue',
      numero_notificacao: '1234567',
      data_notificacao: '2026-03-12',
      municipio_residencia: 'Recife',
    },
  ],
})

const Municipio = Nullable(Type.Integer({ description: 'Código IBGE' }))
const Estado = Nullable(Type.String({ description: 'Sigla, do município' }))
const Semana = Nullable(Type.String({ description: '`AAAASS`' }))

const Derivados = Type.Object(
  {
    paciente_idade: Nullable(Type.Integer({ description: 'Anos completos no início dos sintomas' })),
    semana_epidemiologica: Semana,
    semana_epidemiologica_sintomas: Semana,
    status: OneOf(CAMPOS.status.values),
    municipio_residencia: Municipio,
    estado_residencia: Estado,
    municipio_infeccao: Municipio,
    estado_infeccao: Estado,
  },
  { title: 'CamposDerivados', description: 'O que decorre dos campos enviados' },
)

export const CasoVerificado = Type.Object(
  {
    problemas: Type.Array(
      Type.Object(
        { campo: Type.String(), codigo: Type.String(), mensagem: Type.String() },
        { title: 'ProblemaDeCampo' },
      ),
      { description: 'Os mesmos com que o registro (com `id`, a alteração) responderia 422' },
    ),
    fora_do_territorio: Type.Boolean({
      description: 'Sem outros problemas, o registro responderia 403 `OUT_OF_TERRITORY`',
    }),
    derivados: Derivados,
    possiveis_duplicados: Type.Array(
      Type.Object(
        {
          id: Id,
          numero_notificacao: Type.String(),
          data_notificacao: Type.String({ format: 'date' }),
          motivo: OneOf(MOTIVOS_DE_DUPLICADO, {
            description: '`paciente_e_sintomas` só para contas com `agravos.identificar`',
          }),
        },
        { title: 'PossivelDuplicado' },
      ),
      { description: 'Até 10, dentro do território da conta' },
    ),
    avisos: Avisos,
  },
  { title: 'CasoVerificado' },
)

export const toProblema = (problem: Problem, language: Language) => ({
  campo: problem.path.join('.'),
  codigo: problem.code,
  mensagem: problemText(problem, language),
})

export function toVerificado(
  { campos, problems, fora, duplicados }: Verificacao,
  municipios: Municipios,
  language: Language,
): Omit<Static<typeof CasoVerificado>, 'avisos'> {
  return {
    problemas: problems.map((problem) => toProblema(problem, language)),
    fora_do_territorio: fora,
    derivados: toDerivados(campos, municipios),
    possiveis_duplicados: duplicados,
  }
}

/** Places from the table of municipalities: a state that was sent is not repeated. */
function toDerivados(campos: Campos, municipios: Municipios): Static<typeof Derivados> {
  const { paciente_idade, status, municipio_residencia, municipio_infeccao } = campos
  const ufOf = (codigo: number | null) => (codigo === null ? null : (municipios.byCodigo(codigo)?.uf ?? null))
  const semanaOf = (day: string | null) => (day === null ? null : codigoDaSemana(day))
  return {
    paciente_idade: Number.isSafeInteger(paciente_idade) ? paciente_idade : null,
    semana_epidemiologica: semanaOf(campos.data_notificacao),
    semana_epidemiologica_sintomas: semanaOf(campos.data_inicio_sintomas),
    status,
    municipio_residencia,
    estado_residencia: ufOf(municipio_residencia),
    municipio_infeccao,
    estado_infeccao: ufOf(municipio_infeccao),
  }
}
