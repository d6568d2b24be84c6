import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { PATHS } from '../paths.ts'
import { endsAt } from '../state/idle.ts'
import { cache, holds, isInterrupted, type Perfil, signOut } from '../state/session.ts'
import { texts } from '../state/texts.ts'
import type { Command } from './command-palette.tsx'
import { EnvironmentBar } from './environment.tsx'
import { Icon, Logo } from './icon.tsx'
import { useKeys } from './keys.ts'
import { type BesideMenu, type MenuEntry, MenuLink } from './menu-link.tsx'
import { OnDemand } from './on-demand.tsx'
import { ConnectionBars } from './states.tsx'

interface ShellProps {
  menu: MenuEntry[]
  /** Further screens of the palette. */
  beside: BesideMenu[]
  help: string
  /** Where Esc leads, from a detail. */
  back: string | undefined
  perfil: Perfil
  children: ComponentChildren
}

/** Tabs at the bottom of a small screen, beside "Mais": these first, then as the menu has them. */
const TABS = 3
const FIRST_TABS: readonly string[] = [PATHS.painel, PATHS.casos, PATHS.importacoes]

const isLater = ({ path }: MenuEntry) => (FIRST_TABS.includes(path) ? 0 : 1)

/** Frame of every screen: rail, icons or tabs by width, palette, keys, and the sign-in over a session that ended. */
export function Shell({ menu, beside, help, back, perfil, children }: ShellProps) {
  const { path, route } = useLocation()
  const [open, setOpen] = useState<'palette' | 'account' | null>(null)
  const isCalm = useCalm()
  const Avisos = useLater(() => import('./avisos.tsx'), isCalm)
  const CommandPalette = useLater(() => import('./command-palette.tsx'), isCalm || open === 'palette')
  // There before it is needed, whatever the connection is like then.
  useLater(loadSignIn, isCalm)
  const tabs = menu.toSorted((one, other) => isLater(one) - isLater(other)).slice(0, TABS)
  const t = texts()
  const close = () => setOpen(null)
  const mayCreate = holds(['agravos.criar'])
  const mayLook = holds(['dashboard.visualizar', 'agravos.estatisticas'])
  const finds = holds(['agravos.listar']) ? 'cases' : mayLook ? 'places' : null
  useKeys(
    {
      'ctrl+k': () => setOpen('palette'),
      '?': () => route(help),
      ...(back !== undefined && { escape: () => route(back) }),
      ...(mayCreate && { n: () => route(PATHS.casoNovo) }),
      ...Object.fromEntries(menu.map((entry) => [`g ${entry.key}`, () => route(entry.href)])),
    },
    window,
  )
  const commands: Command[] = [
    ...[...menu, ...beside].map(({ href, title, icon }) => ({
      ...{ label: title, icon, path: href },
      group: 'screens' as const,
    })),
    ...(mayCreate
      ? [{ label: t.casos.create, icon: 'add' as const, group: 'actions' as const, path: PATHS.casoNovo }]
      : []),
    { label: t.app.account, icon: 'person', group: 'actions', path: PATHS.conta },
    { label: t.app.signOut, icon: 'exit', group: 'actions', run: () => void signOut() },
  ]
  return (
    <div class="app">
      <a class="skip" href="#conteudo">
        {t.app.skip}
      </a>
      <nav class="rail" aria-label={t.app.main}>
        <div class="brand">
          <Logo />
          <span>{t.app.name}</span>
        </div>
        {menu.map((entry) => (
          <MenuLink key={entry.path} entry={entry} isCurrent={isAt(entry, path)} />
        ))}
        <button type="button" class="me" onClick={() => setOpen('account')} title={t.app.account}>
          <span class="avatar" aria-hidden="true">
            {initialsOf(perfil.nome)}
          </span>
          <span>
            <b>{perfil.nome}</b>
            <small>{perfil.cargo ?? perfil.email}</small>
          </span>
        </button>
      </nav>
      <div class="content">
        <header class="top">
          <div class="small-brand">
            <Logo />
            <span>{t.app.name}</span>
          </div>
          <button type="button" class="search" onClick={() => setOpen('palette')}>
            <Icon name="search" />
            <span>{t.app.search}</span>
            <kbd>Ctrl K</kbd>
          </button>
          {Avisos === null ? (
            <span class="bell">
              <Icon name="bell" />
            </span>
          ) : (
            <Avisos usuarioId={perfil.id} />
          )}
        </header>
        <EnvironmentBar />
        <ConnectionBars />
        <main id="conteudo" tabIndex={-1}>
          {children}
        </main>
      </div>
      <nav class="tabs" aria-label={t.app.main}>
        {tabs.map((entry) => (
          <MenuLink key={entry.path} entry={entry} isCurrent={isAt(entry, path)} />
        ))}
        <button type="button" onClick={() => setOpen('account')}>
          <Icon name="more" />
          <span>{t.app.more}</span>
        </button>
      </nav>
      {open === 'palette' && CommandPalette !== null && (
        <CommandPalette commands={commands} finds={finds} onClose={close} />
      )}
      {open === 'account' && (
        <OnDemand
          load={() => import('./account-dialog.tsx')}
          props={{ perfil, more: menu.filter((entry) => !tabs.includes(entry)), onClose: close }}
        />
      )}
      {isInterrupted.value && <OnDemand load={loadSignIn} props={{ email: perfil.email }} />}
      {endsAt.value !== null && <OnDemand load={() => import('./idle.tsx')} />}
    </div>
  )
}

const loadSignIn = () => import('./sign-in-again.tsx')

const CALM_MS = 1_000

/** True once nothing is asked for: no number waits for code that comes then. */
function useCalm(): boolean {
  const [isCalm, setCalm] = useState(false)
  useEffect(() => {
    const timer = setInterval(() => {
      if (cache.isFetching() > 0) return
      clearInterval(timer)
      setCalm(true)
    }, CALM_MS)
    return () => clearInterval(timer)
  }, [])
  return isCalm
}

/** A part of the frame whose code comes when it is wanted. Without it, as after an upgrade, the screens do as before. */
function useLater<P>(
  load: () => Promise<{ default: ComponentType<P> }>,
  isWanted: boolean,
): ComponentType<P> | null {
  const [loaded, setLoaded] = useState<{ Part: ComponentType<P> } | null>(null)
  useEffect(() => {
    if (isWanted && loaded === null)
      load().then(
        (code) => setLoaded({ Part: code.default }),
        () => undefined,
      )
  }, [isWanted])
  return loaded?.Part ?? null
}

/** Also for the screens below an entry. */
const isAt = (entry: MenuEntry, path: string) => path === entry.path || path.startsWith(`${entry.path}/`)

const initialsOf = (nome: string) => {
  const words = nome.split(/\s+/).filter(Boolean)
  return [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => word?.[0] ?? '').join('')
}
