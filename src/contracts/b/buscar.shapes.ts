import type { App } from '../../domain/app.ts'
import type { UsuarioWithRights } from '../../domain/contas/contas.sql.ts'
import { USUARIOS_LIST, usuariosFilterProblems } from '../../domain/usuarios/list.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { ListQuery, Page } from '../../filter.ts'
import { parseFilterTree } from '../../http/filters.ts'
import { DEFAULT_SIZE, MAX_PAGE, MAX_SIZE } from '../../http/paging.ts'
import { OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { PermissaoItem, toPermissaoItem } from '../permissao.shapes.ts'
import { Servico, toUsuarioB, usuarioB } from '../usuario.shapes.ts'
import { envelope, ListOf } from './envelope.ts'

const INCLUDES = ['grupos', 'permissoes'] as const

/** Spec 4.4. The tree of `filtros` is read by the same parser as JSON `search`. */
export const BuscarUsuarios = Type.Object(
  {
    filtros: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: '`{and: […]}`, `{or: […]}` ou `{campo, operador, valor}`, aninhados',
      }),
    ),
    ordenacao: Type.Optional(
      Type.Array(
        Type.Object({
          campo: OneOf(USUARIOS_LIST.sortable),
          direcao: Type.Optional(OneOf(['asc', 'desc'])),
        }),
        { maxItems: 5 },
      ),
    ),
    paginacao: Type.Optional(
      Type.Object({
        pagina: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE })),
        tamanho: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_SIZE })),
      }),
    ),
    incluir: Type.Optional(Type.Array(OneOf(INCLUDES), { maxItems: INCLUDES.length })),
  },
  {
    title: 'BuscarUsuarios',
    examples: [
      {
        filtros: {
          and: [
            { campo: 'ativo', operador: 'eq', valor: true },
            {
              or: [
                { campo: 'estado', operador: 'in', valor: ['PE', 'PB'] },
                { campo: 'admin', operador: 'eq', valor: true },
              ],
            },
          ],
        },
        ordenacao: [{ campo: 'nome', direcao: 'asc' }],
        paginacao: { pagina: 1, tamanho: 20 },
        incluir: ['grupos'],
      },
    ],
  },
)

const Achado = Type.Object(
  {
    ...usuarioB,
    servico: Type.Optional(Servico),
    grupos: Type.Optional(Type.Array(PermissaoItem)),
    permissoes_diretas: Type.Optional(Type.Array(PermissaoItem)),
    permissoes_efetivas: Type.Optional(Type.Array(Type.String())),
  },
  { title: 'UsuarioAchado' },
)
export const ResultadoDaBusca = ListOf('items', Achado, 'ResultadoDaBusca')

export function fromBuscar(
  reference: Pick<App, 'municipios' | 'territorios'>,
  body: Static<typeof BuscarUsuarios>,
): {
  list: ListQuery
  incluir: Set<(typeof INCLUDES)[number]>
} {
  const { filter, problems } = parseFilterTree(body.filtros ?? {}, USUARIOS_LIST)
  problems.push(
    ...usuariosFilterProblems(filter, reference).map((one) => ({
      ...one,
      at: 'body' as const,
      path: ['filtros'],
    })),
  )
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
  const [first, ...thenBy] = (body.ordenacao ?? []).map(({ campo, direcao = 'asc' as const }) => ({
    field: campo,
    order: direcao,
  }))
  const { field, order } = first ?? USUARIOS_LIST.defaultSort
  const { pagina = 1, tamanho = DEFAULT_SIZE } = body.paginacao ?? {}
  return {
    list: { page: pagina, size: tamanho, sort: field, order, thenBy, filter },
    incluir: new Set(body.incluir),
  }
}

export function toResultado(
  app: Pick<App, 'publicUrl' | 'clock' | 'municipios' | 'territorios'>,
  page: Page<UsuarioWithRights>,
  incluir: Set<string>,
) {
  const items = page.items.map((usuario) => ({
    ...toUsuarioB(app, usuario),
    ...(usuario.servico && { servico: true }),
    ...(incluir.has('grupos') && { grupos: usuario.grupos.map(toPermissaoItem) }),
    ...(incluir.has('permissoes') && {
      permissoes_diretas: usuario.permissoes_diretas.map(toPermissaoItem),
      permissoes_efetivas: usuario.permissoes_efetivas,
    }),
  }))
  // The page is asked for in the body, which no link can carry.
  return { ...envelope(page, null, app.clock.now()), items }
}
