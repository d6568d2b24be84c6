import { holds } from '../state/session.ts'
import { OnDemand } from './on-demand.tsx'

const load = async () => ({ default: (await import('./near-epizootias.tsx')).NearCard })

/** Animals announce yellow fever: its cases lead to the events around them. Other diseases load nothing of it. */
export const isAnnounced = (tipo: string | null | undefined): boolean =>
  tipo === 'febre_amarela' && holds(['epizootias.listar'])

interface NearCaseProps {
  tipo: string | null | undefined
  /** Name and state of the residence. */
  municipio: string | null
  estado: string | null
}

export function NearCase({ tipo, municipio, estado }: NearCaseProps) {
  if (!isAnnounced(tipo) || municipio === null || estado === null) return null
  // Another place is looked at anew.
  return <OnDemand key={`${estado} ${municipio}`} load={load} props={{ municipio, estado }} />
}
