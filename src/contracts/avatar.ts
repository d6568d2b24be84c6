import type { App } from '../domain/app.ts'

/** URL of a photo, fetched with the caller's token; versioned, so that it may be cached. */
export function avatarUrl({ publicUrl }: Pick<App, 'publicUrl'>, usuarioId: number, versao: string): string
export function avatarUrl(
  { publicUrl }: Pick<App, 'publicUrl'>,
  usuarioId: number,
  versao: string | null,
): string | null
export function avatarUrl({ publicUrl }: Pick<App, 'publicUrl'>, usuarioId: number, versao: string | null) {
  return versao === null ? null : `${publicUrl}/api/v1/usuarios/${usuarioId}/foto?v=${versao}`
}
