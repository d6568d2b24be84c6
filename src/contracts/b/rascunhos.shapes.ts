import {
  FORMULARIOS,
  MAX_RASCUNHO_BYTES,
  MAX_RASCUNHOS,
  type Rascunho as Saved,
} from '../../domain/rascunhos/rascunhos.ts'
import { DateTime, Id, Nullable, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'

/** Without the prefix `urn:uuid:`, which the format takes too. */
export const RascunhoPath = Type.Object({
  uuid: Type.String({
    pattern: '^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
    'x-format': 'uuid',
    description: 'Escolhido por quem salva',
  }),
})

const Conteudo = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'O formulário, como quem o salva o entende; não é conferido',
})

export const SalvarRascunho = Type.Object(
  {
    conteudo: Conteudo,
    formulario: Type.Optional(
      OneOf(FORMULARIOS, {
        description: 'De um caso, se não for dito; `epizootia` exige `epizootias.registrar`',
      }),
    ),
    caso_id: Type.Optional(
      Nullable(Type.Integer({ ...Id, description: 'O caso que o formulário altera; nulo: um caso novo' })),
    ),
    epizootia_id: Type.Optional(
      Nullable(Type.Integer({ ...Id, description: 'A epizootia que o formulário altera; nulo: uma nova' })),
    ),
  },
  {
    title: 'SalvarRascunho',
    description: `Até ${MAX_RASCUNHO_BYTES / 1024} KiB`,
    examples: [{ conteudo: { tipo_agravo: 'dengue', numero_notificacao: '12345' } }],
  },
)

const salvo = {
  id: Type.String({ format: 'uuid' }),
  formulario: OneOf(FORMULARIOS),
  caso_id: Nullable(Id),
  epizootia_id: Nullable(Id),
  tamanho: Type.Integer({ description: 'Bytes' }),
  criado_em: DateTime,
  atualizado_em: DateTime,
  expira_em: DateTime,
}

export const RascunhoSalvo = Type.Object(salvo, { title: 'RascunhoSalvo' })
export const Rascunho = Type.Object({ ...salvo, conteudo: Conteudo }, { title: 'Rascunho' })
export const ListaDeRascunhos = Type.Object(
  {
    total: Type.Integer(),
    maximo: Type.Integer({ description: `Rascunhos que uma conta pode ter: ${MAX_RASCUNHOS}` }),
    rascunhos: Type.Array(RascunhoSalvo),
  },
  { title: 'ListaDeRascunhos' },
)

export const fromRascunho = ({
  conteudo,
  formulario = 'caso',
  caso_id = null,
  epizootia_id = null,
}: Static<typeof SalvarRascunho>) => ({ conteudo, formulario, caso_id, epizootia_id })

export const toRascunho = ({
  id,
  formulario,
  caso_id,
  epizootia_id,
  tamanho,
  criado_em,
  atualizado_em,
  expira_em,
}: Saved): Static<typeof RascunhoSalvo> => ({
  id,
  formulario,
  caso_id,
  epizootia_id,
  tamanho,
  criado_em: criado_em.toISOString(),
  atualizado_em: atualizado_em.toISOString(),
  expira_em: expira_em.toISOString(),
})
