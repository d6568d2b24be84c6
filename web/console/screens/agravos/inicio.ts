import { api } from '../../state/session.ts'
import { copiada, type Definicao, vazia } from './definicao-data.ts'

const TIPO = '/api/v1/agravos/tipos/{codigo}'

/** A definition as it is edited, and where it stands among its versions. */
export interface Inicio {
  definicao: Definicao
  versao: number
  /** Number of the newest version; 0: there is none. */
  ultima: number
  estado: 'rascunho' | 'ativa' | 'substituida'
  protegido: boolean
  /** Definition in force: its fields stay. */
  emVigor: Definicao | null
}

interface Begin {
  codigo: string | null
  modelo?: string | undefined
  de?: string | undefined
}

/** The newest version, which may be a draft over the one in force; or what a new definition begins with. */
export async function begin({ codigo, modelo, de }: Begin, signal: AbortSignal): Promise<Inicio> {
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

/** Version that somebody else saved, with who and when. */
export interface Theirs {
  inicio: Inicio
  autor: string | null
  em: Date | null
}

export async function askTheirs(codigo: string): Promise<Theirs> {
  const { signal } = new AbortController()
  const [inicio, { items }] = await Promise.all([
    begin({ codigo }, signal),
    api.get(`${TIPO}/versoes`, { params: { codigo }, query: { size: 1 } }, { signal }),
  ])
  const [last] = items
  return {
    inicio,
    autor: last?.autor?.nome ?? null,
    em: last === undefined ? null : new Date(last.criada_em),
  }
}
