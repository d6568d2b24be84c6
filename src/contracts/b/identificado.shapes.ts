import { Type } from '../../http/type.ts'

/** The one way to ask for what tells who a patient is. */
export const Identificado = Type.Boolean({
  default: false,
  description:
    'Mostra os dados que identificam o paciente; exige `agravos.identificar` e fica na auditoria; sem ele, desidentificado, não anônimo',
})
