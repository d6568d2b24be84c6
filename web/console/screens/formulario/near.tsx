import { useMunicipioNome } from '../../ui/municipio-field.tsx'
import { isAnnounced, NearCase } from '../../ui/near-case.tsx'
import type { CaseForm } from './form-state.ts'

/** Events in animals around the residence that is typed. */
export function Near({ form }: { form: CaseForm }) {
  const { tipo_agravo, municipio_residencia: codigo, estado_residencia: estado } = form.result.value
  if (!isAnnounced(tipo_agravo) || codigo === null || estado === null) return null
  return <NearResidence tipo={tipo_agravo} codigo={String(codigo)} estado={estado} />
}

interface NearResidenceProps {
  tipo: string | null
  codigo: string
  estado: string
}

function NearResidence({ tipo, codigo, estado }: NearResidenceProps) {
  return <NearCase tipo={tipo} municipio={useMunicipioNome(codigo) ?? null} estado={estado} />
}
