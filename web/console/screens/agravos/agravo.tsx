import { useQuery } from '@tanstack/preact-query'
import { exec, useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api } from '../../state/session.ts'
import { agravosTexts } from '../../state/texts/agravos.ts'
import { texts } from '../../state/texts.ts'
import { AuditLink } from '../../ui/audit-link.tsx'
import { Page } from '../../ui/page.tsx'
import { Answer } from '../../ui/states.tsx'
import { copiada, type Definicao, vazia } from './definicao-data.ts'
import { Editor, type Inicio } from './editor.tsx'
import { Versions } from './versions.tsx'
import './styles.ts'

const TIPO = '/api/v1/agravos/tipos/{codigo}'

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
            {codigo !== null && <Versions codigo={codigo} ultima={inicio.ultima} />}
          </>
        )}
      </Answer>
    </Page>
  )
}

interface Begin {
  codigo: string | null
  modelo: string | undefined
  de: string | undefined
}

/** The newest version, which may be a draft over the one in force; or what a new definition begins with. */
async function begin({ codigo, modelo, de }: Begin, signal: AbortSignal): Promise<Inicio> {
  const fresh = { versao: 1, ultima: 0, estado: 'rascunho', protegido: false, emVigor: null } as const
  if (codigo === null) {
    if (modelo !== undefined) {
      const path = '/api/v1/agravos/tipos/modelos/{codigo}'
      const found = await api.get(path, { params: { codigo: modelo } }, { signal })
      return { ...fresh, definicao: found as unknown as Definicao }
    }
    if (de === undefined) return { ...fresh, definicao: vazia() }
    const { definicao } = await api.get(TIPO, { params: { codigo: de } }, { signal })
    return { ...fresh, definicao: copiada(definicao as unknown as Definicao) }
  }
  const ativa = await api.get(TIPO, { params: { codigo } }, { signal })
  const versao = ativa.ultima_versao
  const last =
    versao === ativa.versao
      ? ativa
      : await api.get(TIPO, { params: { codigo }, query: { versao } }, { signal })
  return {
    definicao: last.definicao as unknown as Definicao,
    versao: last.versao,
    ultima: versao,
    estado: last.estado,
    protegido: ativa.protegido,
    emVigor: ativa.estado === 'ativa' ? (ativa.definicao as unknown as Definicao) : null,
  }
}
