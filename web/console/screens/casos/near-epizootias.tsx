import { holds } from '../../state/session.ts'
import { OnDemand } from '../../ui/on-demand.tsx'
import type { Detalhe } from './detalhe.ts'

const load = async () => ({ default: (await import('../../ui/near-epizootias.tsx')).NearCard })

/** Animals announce yellow fever: its cases lead to the events around them. Other diseases load nothing of it. */
export function NearEpizootias({ caso: { tipo_agravo, endereco } }: { caso: Detalhe }) {
  const { municipio_residencia: municipio, estado_residencia: estado } = endereco
  if (tipo_agravo !== 'febre_amarela' || !holds(['epizootias.listar'])) return null
  if (municipio === null || estado === null) return null
  return <OnDemand load={load} props={{ municipio, estado }} />
}
