import type { AnswerOf } from '../../api/rows.ts'
import { PATHS, pathTo } from '../../paths.ts'
import type { Tagged } from '../../state/tagged.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'

export type UsuarioListado = AnswerOf<'GET', '/api/v1/usuarios'>['items'][number]
/** An account as those see it who may list accounts. */
export type Usuario = AnswerOf<'GET', '/api/v1/usuarios/{id}'>
/** The same with its version, to be changed. */
export type UsuarioAberto = Tagged<Usuario>
/** An identity of an account at a provider of single sign-on. */
export type Identidade = AnswerOf<'GET', '/api/v1/usuarios/{id}/identidades'>['items'][number]
export type Lugar = UsuarioListado['territorios'][number]

export const usuarioHref = (id: number) => pathTo(PATHS.usuario, { id })

export const lugarName = ({ nome, estado }: Lugar) => (estado === undefined ? nome : `${nome} (${estado})`)

/** `Recife (PE) e mais 2`; the country where nothing bounds the account. */
export function placesText(lugares: readonly Lugar[]): string {
  const t = usuariosTexts()
  const [first] = lugares
  if (first === undefined) return t.country
  return lugares.length === 1 ? lugarName(first) : t.places(lugarName(first), lugares.length - 1)
}
