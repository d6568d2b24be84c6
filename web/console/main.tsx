import { QueryClientProvider } from '@tanstack/preact-query'
import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import { LocationProvider, useLocation } from 'preact-iso/router'
import { painelAsked } from './api/early.ts'
import { HeldAddress } from './leaving.tsx'
import { mapaQuery } from './map/files.ts'
import { besideMenuOf, listOf, menuOf, missingFor, redirectOf, rowOf, startOf } from './navigation.ts'
import { PATHS } from './paths.ts'
import { loadScreen, Screen } from './screen.tsx'
import { watchUse } from './state/idle.ts'
import { painelOf } from './state/painel.ts'
import { cache, loadSession, session } from './state/session.ts'
import { loadTexts, texts } from './state/texts.ts'
import { Boundary } from './ui/boundary.tsx'
import { Gate } from './ui/gate.tsx'
import { Shell } from './ui/shell.tsx'
import { Failure, Loading, NotFound } from './ui/states.tsx'

/** Links that the console follows itself; the browser follows all others (`/docs`, downloads). */
const OWN_LINKS = new RegExp(`^/(?:$|[?]|(?:${Object.values(PATHS).map(firstSegment).join('|')})(?:[/?#]|$))`)

function firstSegment(path: string): string {
  return path.split('/')[1] as string
}

/** In the place of a screen whose permission is missing. */
const NO_ACCESS = { load: () => import('./ui/no-access.tsx') }

/** Session → frame → screen. */
function Console() {
  const at = useLocation()
  const t = texts()
  const state = session.value
  const menu = menuOf(t)
  const redirect = redirectOf(state, at, menu)
  useEffect(() => {
    if (redirect !== null) at.route(redirect, true)
  }, [redirect])

  const row = rowOf(at.path)
  if (row?.access === 'link') return <Screen row={row} menu={menu} />
  if (state.kind === 'failed')
    return (
      <Gate title={t.app.name}>
        <Failure error={state.error} onRetry={() => void loadSession()} />
      </Gate>
    )
  if (state.kind === 'starting' || redirect !== null)
    return (
      <Gate title={t.app.name}>
        <Loading />
      </Gate>
    )
  if (row?.access === 'anyone') return <Screen row={row} menu={menu} />
  if (state.kind !== 'open')
    return (
      <Gate title={t.screens.notFound} lead={t.notFound.lead}>
        <a class="button plain" href={PATHS.entrar}>
          {t.notFound.start}
        </a>
      </Gate>
    )
  return (
    <Shell
      key={state.perfil.id}
      menu={menu}
      beside={besideMenuOf(t)}
      help={PATHS.ajuda}
      back={listOf(at.path)}
      perfil={state.perfil}
    >
      <Boundary key={at.path}>
        {row === undefined ? (
          <NotFound start={startOf(menu)} />
        ) : missingFor(row).length > 0 ? (
          <Screen row={NO_ACCESS} permissions={missingFor(row)} start={startOf(menu)} />
        ) : (
          <Screen row={row} menu={menu} />
        )}
      </Boundary>
    </Shell>
  )
}

/**
 * Drawn once, without a state: an element that is handed to another stays in its properties, with the tree that it was first drawn
 * with, and that tree holds on to every later one. Components that draw themselves again are therefore returned by one of these.
 */
const Framed = () => <Console />
const Held = () => <HeldAddress Frame={Framed} />
const Located = () => (
  <LocationProvider scope={OWN_LINKS}>
    <Held />
  </LocationProvider>
)

/** Begins with code and numbers of the screen while the account is still asked for: what has come by then is drawn with the frame. */
function prepare(): void {
  const row = rowOf(location.pathname)
  // Failures are found again where the screen is drawn.
  if (row !== undefined) loadScreen(row).catch(() => undefined)
  const painel = painelAsked()
  if (painel === null) return
  void cache.prefetchQuery(painelOf(painel.query))
  // The screen asks for it when it is drawn: on a slow connection the map would wait for it.
  void cache.prefetchQuery(mapaQuery(painel.mapa))
}

/** Not awaited by the module: texts of another language share code with it, and would wait for its end as it for theirs. */
async function start(): Promise<void> {
  prepare()
  watchUse()
  await loadTexts()
  render(
    <QueryClientProvider client={cache}>
      <Located />
    </QueryClientProvider>,
    document.getElementById('console') as HTMLElement,
  )
  void loadSession()
}

void start()
