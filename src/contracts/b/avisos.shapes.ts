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

/** Names what a body held and nobody read; empty where there is nothing to tell. */
export function withAvisos(
  schema: TSchema,
  body: unknown,
  language: Language,
): { avisos?: Static<typeof Aviso>[] } {
  const ignored = ignoredFields(schema, body, MAX_AVISOS)
  if (ignored.length === 0) return {}
  return {
    avisos: ignored.map((path) => ({
      field: path.join('.').slice(0, MAX_NAME).toWellFormed(),
      message: problemText(problem('body', path, 'IGNORED', {}), language),
      code: 'IGNORED',
    })),
  }
}
