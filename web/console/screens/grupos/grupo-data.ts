import { queryOptions } from '@tanstack/preact-query'
import type { Permission } from '../../../../src/caller/permissions.ts'
import type { AnswerOf } from '../../api/rows.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { listGrupos } from '../../state/grupos.ts'
import { api, cache, holds } from '../../state/session.ts'
import { permissoesTexts } from '../../state/texts/permissoes.ts'
import type { Changed } from '../../ui/changed-by.ts'

export type Grupo = AnswerOf<'GET', '/api/v1/grupos/{id}'>
export type Catalogo = AnswerOf<'GET', '/api/v1/permissoes'>
type Nomeada = Pick<Grupo['permissoes'][number], 'nome' | 'descricao'>

export const grupoHref = (id: number) => pathTo(PATHS.grupo, { id })

export const gruposQuery = () =>
  queryOptions({
    queryKey: ['grupos', 'list'],
    queryFn: ({ signal }) => listGrupos(signal),
  })

export const catalogoQuery = () =>
  queryOptions({
    queryKey: ['permissoes'],
    queryFn: ({ signal }) => api.get('/api/v1/permissoes', {}, { signal }),
    staleTime: 60_000,
  })

/** A group as the audit knows it. */
export const aboutGrupo = ({ id, atualizado_em }: Grupo): Changed => ({
  recurso: 'grupo',
  id,
  em: atualizado_em,
})

/** A permission in words; one that only this installation has, by its description. */
export const permissionText = ({ nome, descricao }: Nomeada): string =>
  permissoesTexts()[nome as Permission] ?? descricao ?? nome

/** The first permission of a group that the person at the console lacks: they may not change such a group. */
export const lackingOf = ({ permissoes }: Pick<Grupo, 'permissoes'>) =>
  permissoes.find(({ nome }) => !holds([nome as Permission]))

/** Groups and what accounts may by them; over once the groups on the screen are those of now. */
export async function outdateGrupos(): Promise<void> {
  void cache.invalidateQueries({ queryKey: ['usuarios'] })
  await cache.invalidateQueries({ queryKey: ['grupos'] })
}
