import { useQuery } from '@tanstack/preact-query'
import { exec, useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { agravosTexts } from '../../state/texts/agravos.ts'
import { texts } from '../../state/texts.ts'
import { AuditLink } from '../../ui/audit-link.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Page } from '../../ui/page.tsx'
import { Answer } from '../../ui/states.tsx'
import { Editor } from './editor.tsx'
import { begin } from './inicio.ts'
import './styles.ts'

const loadVersions = async () => ({ default: (await import('./versions.tsx')).Versions })

/** Editor of a definition: of a disease that there is, or of one that begins. */
export default function Agravo() {
  const { path, query } = useLocation()
  const t = texts()
  const own = agravosTexts()
  const codigo = path === PATHS.agravoNovo ? null : (exec(path, PATHS.agravo)?.params.codigo ?? '')
  const { modelo, de } = query
  const begun = useQuery({
    queryKey: ['agravos', 'editar', codigo, modelo, de],
    queryFn: ({ signal }) => begin({ codigo, modelo, de }, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    placeholderData: () => undefined,
  })
  const lead = () => {
    if (codigo === null || begun.data === undefined) return own.newLead
    const { versao, estado } = begun.data
    return own.editLead(versao, own.versions.states[estado])
  }
  const actions = (
    <>
      {codigo !== null && <AuditLink recurso="agravo" id={codigo} />}
      <a class="button quiet" href={PATHS.agravos}>
        {own.all}
      </a>
    </>
  )
  return (
    <Page
      title={codigo === null ? own.newTitle : (begun.data?.definicao.nome ?? t.screens.agravo)}
      lead={lead()}
      actions={actions}
    >
      <Answer query={begun} lines={10}>
        {(inicio) => (
          <>
            <Editor key={`${codigo} ${inicio.ultima}`} codigo={codigo} inicio={inicio} />
            {codigo !== null && <OnDemand load={loadVersions} props={{ codigo, ultima: inicio.ultima }} />}
          </>
        )}
      </Answer>
    </Page>
  )
}
