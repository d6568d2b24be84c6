import { auditoriaTexts } from '../../state/texts/auditoria.ts'
import { type FilterPart, partsOf } from '../../ui/near-filters.tsx'
import type { AuditFilters } from './address.ts'

/** The filter in words; `nome` of the actor, once it is known. */
export function auditParts(
  { tema, recurso, id, ator, ip, de, ate }: AuditFilters,
  nome: string | undefined,
): FilterPart<AuditFilters>[] {
  const own = auditoriaTexts()
  const record = recurso && (own.resources[recurso] ?? recurso)
  return partsOf<AuditFilters>(
    { of: ['tema'], name: own.theme, value: tema && own.themes[tema] },
    { of: ['recurso', 'id'], name: own.resource, value: id === null ? record : `${record} ${id}` },
    {
      of: ['de', 'ate'],
      name: own.period,
      value: [de && own.from(de), ate && own.to(ate)].filter(Boolean).join(' '),
    },
    { of: ['ator'], name: own.who, value: ator && (nome ?? own.account(ator)) },
    { of: ['ip'], name: own.ip, value: ip },
  )
}
