import { useQuery } from '@tanstack/preact-query'
import { holds } from '../../state/session.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { texts } from '../../state/texts.ts'
import { type FilterPart, partsOf } from '../../ui/near-filters.tsx'
import type { UsuarioFilters } from './address.ts'
import { allGrupos } from './grupos.ts'

/** The filter in words. */
export function useUsuarioParts(filters: UsuarioFilters): FilterPart<UsuarioFilters>[] {
  const own = usuariosTexts()
  const { busca, grupo, situacao, fator, acesso } = filters
  const { data } = useQuery({ ...allGrupos(), enabled: grupo !== null && holds(['grupos.listar']) })
  const nome = data?.find(({ id }) => String(id) === grupo)?.nome
  return partsOf<UsuarioFilters>(
    { of: ['grupo'], name: own.group, value: nome ?? grupo },
    { of: ['situacao'], name: own.state, value: situacao && own.states[situacao] },
    { of: ['fator'], name: own.factor, value: fator && own.factors[fator] },
    { of: ['acesso'], name: own.access, value: acesso && own.accesses[acesso] },
    { of: ['busca'], name: texts().filtros.names.busca, value: busca },
  )
}
