import { exec } from 'preact-iso/router'
import type { Permission } from '../../src/caller/permissions.ts'
import { PATHS } from './paths.ts'
import { SCREENS, type ScreenRow } from './routes.ts'
import { holds, isMfaOffered, type Session } from './state/session.ts'
import { painelStart } from './state/start.ts'
import type { Texts } from './texts/pt-BR.ts'
import type { BesideMenu, MenuEntry } from './ui/menu-link.tsx'

export const rowOf = (path: string): ScreenRow | undefined =>
  SCREENS.find((row) => exec(path, row.path) !== undefined)

/** The list that the address of a detail is below; undefined: it is of no detail. */
export const listOf = (path: string): string | undefined => rowOf(path)?.path.match(/(.+)\/:\w+$/)?.[1]

/** The permissions that are missing for a screen. */
export function missingFor({ access }: ScreenRow): readonly Permission[] {
  if (typeof access === 'string') return []
  // Of several that would do, the first is named.
  if ('anyOf' in access)
    return access.anyOf.some((permission) => holds([permission])) ? [] : access.anyOf.slice(0, 1)
  return access.filter((permission) => !holds([permission]))
}

export function menuOf(t: Texts): MenuEntry[] {
  return SCREENS.flatMap((row) =>
    row.menu !== undefined && missingFor(row).length === 0
      ? [{ path: row.path, href: startOfScreen(row), title: t.screens[row.title], ...row.menu }]
      : [],
  )
}

/** Screens without a place in the menu that the person may open, for the palette. */
export const besideMenuOf = (t: Texts): BesideMenu[] =>
  SCREENS.flatMap(({ palette: icon, ...row }) =>
    icon !== undefined && missingFor(row).length === 0
      ? [{ href: row.path, title: t.screens[row.title], icon }]
      : [],
  )

const startOfScreen = ({ path }: ScreenRow) => (path === PATHS.painel ? painelStart() : path)

/** The first screen of the menu that the person may open. */
export const startOf = (menu: MenuEntry[]) => menu[0]?.href ?? PATHS.ajuda

const RETURN = 'voltar'

/** Only an address of the console: nobody is led elsewhere by a link to the sign-in. */
function returnPath(query: Record<string, string>): string | null {
  const wanted = query[RETURN]
  if (wanted === undefined || !wanted.startsWith('/')) return null
  const { origin, pathname, search } = new URL(wanted, location.origin)
  if (origin !== location.origin || rowOf(pathname) === undefined) return null
  return `${pathname}${search}`
}

const withReturn = (path: string, url: string | null) =>
  url === null ? path : `${path}?${new URLSearchParams({ [RETURN]: url })}`

/** Screens that stand before all others until what they ask for is done. */
const OBSTACLES: Partial<Record<Session['kind'], string>> = {
  mustChangePassword: PATHS.trocarSenha,
  mustEnrolMfa: PATHS.segundoFator,
}
const isObstacle = (path: string) => Object.values(OBSTACLES).includes(path)

/** Redirection that the state of the session demands of this address; null: none. */
export function redirectOf(
  session: Session,
  { path, url, query }: { path: string; url: string; query: Record<string, string> },
  menu: MenuEntry[],
): string | null {
  const row = rowOf(path)
  // Its token is in the address: leading elsewhere would lose it.
  if (row?.access === 'link') return null
  const wanted = OBSTACLES[session.kind]
  if (wanted !== undefined) return path === wanted ? null : wanted
  if (session.kind === 'open') {
    if (path !== PATHS.entrar && path !== '/' && !isObstacle(path)) return null
    if (!isMfaOffered()) return returnPath(query) ?? startOf(menu)
    return path === PATHS.segundoFator ? null : withReturn(PATHS.segundoFator, returnPath(query))
  }
  if (session.kind !== 'anonymous') return null
  if (path === '/' || isObstacle(path)) return PATHS.entrar
  if (row === undefined || row.access === 'anyone') return null
  return withReturn(PATHS.entrar, url)
}
