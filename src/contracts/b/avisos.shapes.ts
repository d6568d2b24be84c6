import { type Caller, mayIdentify } from '../../caller/caller.ts'
import type { App } from '../../domain/app.ts'
import type { Campos } from '../../domain/casos/campos.ts'
import { problem } from '../../errors/catalogue.ts'
import { type Language, problemText } from '../../errors/texts.ts'
import { ignoredFields } from '../../http/ignored.ts'
import { type Static, type TSchema, Type } from '../../http/type.ts'

const MAX_AVISOS = 100
/** Names come from the client: long ones are cut. Values are never told. */
const MAX_NAME = 100

const Aviso = Type.Object(
  { field: Type.String(), message: Type.String(), code: Type.String({ examples: ['IGNORED'] }) },
  { title: 'Aviso' },
)
export const Avisos = Type.Optional(
  Type.Array(Aviso, {
    description: `Os campos enviados que não existem e foram ignorados, até ${MAX_AVISOS}; ausente quando não há nenhum`,
  }),
)

/** Further names that a disease knows, and values that its form hides. */
export interface AvisosDoAgravo {
  proprios: ReadonlySet<string>
  escondidos: readonly string[]
}

/** Names what a body held and nobody read, and stored values that no form shows; empty where there is nothing to tell. */
export function withAvisos(
  schema: TSchema,
  body: unknown,
  language: Language,
  { proprios, escondidos }: AvisosDoAgravo = { proprios: new Set(), escondidos: [] },
): { avisos?: Static<typeof Aviso>[] } {
  const ignored = ignoredFields(schema, body, MAX_AVISOS)
    .filter(
      (path) => !(path.length === 2 && path[0] === 'dados_especificos' && proprios.has(String(path[1]))),
    )
    .map((path) => problem('body', path, 'IGNORED', {}))
  const hidden = escondidos.map((nome) => problem('body', nome.split('.'), 'HIDDEN', {}))
  const avisos = [...hidden, ...ignored].slice(0, MAX_AVISOS)
  if (avisos.length === 0) return {}
  return {
    avisos: avisos.map((one) => ({
      field: one.path.join('.').slice(0, MAX_NAME).toWellFormed(),
      message: problemText(one, language),
      code: one.code,
    })),
  }
}

/** Of a stored case; sealed values are told to those who may see them. */
export function avisosOf(campos: Campos, { agravos }: Pick<App, 'agravos'>, caller: Caller): AvisosDoAgravo {
  const agravo = agravos.vigentes().get(campos.tipo_agravo)
  return {
    proprios: new Set(agravo?.byNome.keys()),
    escondidos: agravo?.escondidos(campos, mayIdentify(caller)) ?? [],
  }
}
