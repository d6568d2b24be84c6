import { PATHS } from '../paths.ts'
import { holds } from '../state/session.ts'
import { texts } from '../state/texts.ts'

/** Leads to the audit of one record; nothing for those who may not read it. */
export function AuditLink({ recurso, id }: { recurso: string; id: string | number }) {
  if (!holds(['auditoria.ver'])) return null
  return (
    <a class="button quiet" href={`${PATHS.auditoria}?${new URLSearchParams({ recurso, id: String(id) })}`}>
      {texts().screens.auditoria}
    </a>
  )
}
