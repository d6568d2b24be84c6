import { CASOS_LIST, filtroProblems } from '../../domain/casos/reading/filters.ts'
import { requestExportCasos } from '../../domain/exportacao/casos.ts'
import { CASOS_COLUMNS, type CasosColumn, SEALED_COLUMNS } from '../../domain/exportacao/columns.ts'
import { FORMATOS_DE_EXPORTACAO } from '../../domain/exportacao/formats.ts'
import { requestExportUsuarios, USUARIOS_COLUMNS } from '../../domain/exportacao/usuarios.ts'
import { USUARIOS_LIST, usuariosFilterProblems } from '../../domain/usuarios/list.ts'
import { AppError, invalid, type Problem } from '../../errors/catalogue.ts'
import type { Filter, ListRules } from '../../filter.ts'
import { requires } from '../../http/access.ts'
import { parseFilterObject } from '../../http/filters.ts'
import { OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { route } from '../route.ts'
import { JobAceito, toJobAceito } from './jobs.shapes.ts'

const Filtros = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'Os parâmetros da lista, como `{"estado": "PE", "idade[gte]": 60}`',
})
const campos = (values: readonly string[]) =>
  Type.Optional(Type.Array(OneOf(values), { minItems: 1, maxItems: 200, uniqueItems: true }))

const ExportarCasos = Type.Object(
  {
    formato: OneOf(FORMATOS_DE_EXPORTACAO),
    filtros: Type.Optional(Filtros),
    campos: campos(CASOS_COLUMNS),
    identificado: Type.Optional(
      Type.Boolean({
        description:
          'Com os dados que identificam; exige `agravos.identificar`; sem ele, desidentificado, não anônimo',
      }),
    ),
  },
  {
    title: 'ExportarCasos',
    examples: [{ formato: 'csv', filtros: { estado: 'PE', tipo_agravo: 'dengue' } }],
  },
)
const ExportarUsuarios = Type.Object(
  {
    formato: OneOf(FORMATOS_DE_EXPORTACAO),
    filtros: Type.Optional(Filtros),
    campos: campos(USUARIOS_COLUMNS),
  },
  { title: 'ExportarUsuarios', examples: [{ formato: 'xlsx', filtros: { ativo: true } }] },
)

function fromFiltros(
  filtros: Record<string, unknown> | undefined,
  rules: ListRules,
  check: (filter: Filter) => Problem[] = () => [],
): Filter {
  const { filter, problems } = parseFilterObject(filtros ?? {}, rules, check)
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
  return filter
}

function fromCampos({ campos, identificado }: Static<typeof ExportarCasos>): CasosColumn[] | null {
  const hidden = campos?.findIndex((nome) => SEALED_COLUMNS.includes(nome)) ?? -1
  if (hidden >= 0 && !identificado)
    throw invalid('body', ['campos', hidden], 'INCONSISTENT', { field: 'identificado' })
  return (campos as CasosColumn[] | undefined) ?? null
}

export const exportacoesRoutesB = [
  route({
    spec: '4.6',
    method: 'POST',
    path: '/api/v1/agravos/casos/exportar',
    summary: 'Exportar casos',
    tag: 'Agravos',
    access: requires('agravos.exportar'),
    input: { body: ExportarCasos },
    replies: { 202: JobAceito },
    errors: [],
    async handle({ body, caller, request, reply }, app) {
      const id = await requestExportCasos(app, caller, {
        formato: body.formato,
        filter: fromFiltros(body.filtros, CASOS_LIST, (filter) => filtroProblems(filter, app.municipios)),
        colunas: fromCampos(body),
        identificado: body.identificado ?? false,
      })
      reply.code(202)
      return toJobAceito(id, 'exportacao', { publicUrl: app.publicUrl, language: request.language })
    },
  }),
  route({
    spec: '4.4',
    method: 'POST',
    path: '/api/v1/usuarios/exportar',
    summary: 'Exportar usuários',
    tag: 'Usuários',
    access: requires('usuarios.exportar'),
    input: { body: ExportarUsuarios },
    replies: { 202: JobAceito },
    errors: [],
    async handle({ body, caller, request, reply }, app) {
      const id = await requestExportUsuarios(app, caller, {
        formato: body.formato,
        filter: fromFiltros(body.filtros, USUARIOS_LIST, (filter) => usuariosFilterProblems(filter, app)),
        colunas: (body.campos as Parameters<typeof requestExportUsuarios>[2]['colunas']) ?? null,
      })
      reply.code(202)
      return toJobAceito(id, 'exportacao', { publicUrl: app.publicUrl, language: request.language })
    },
  }),
]
