import type { Municipios } from '../../brasil/municipios.ts'
import type { App } from '../../domain/app.ts'
import { AUDITORIA_LIST } from '../../domain/auditoria/list.ts'
import { QUASE_IDENTIFICADORES } from '../../domain/casos/enumeracoes.ts'
import { CASOS_LIST, filtroProblems } from '../../domain/casos/reading/filters.ts'
import { tiposOf } from '../../domain/casos/statistics/recorte.ts'
import {
  COLUNA_SIGILOSA,
  COLUNAS_DE_EPIZOOTIA,
  type ColunaDeEpizootia,
  FORMATOS_DE_EPIZOOTIAS,
  requestExportEpizootias,
} from '../../domain/epizootias/exportacao.ts'
import { EPIZOOTIAS_LIST } from '../../domain/epizootias/filtros.ts'
import { requestExportCasos } from '../../domain/exportacao/casos.ts'
import { CASOS_COLUMNS, type CasosColumn, SEALED_COLUMNS } from '../../domain/exportacao/columns.ts'
import { KS, requestExtrato } from '../../domain/exportacao/extrato/extrato.ts'
import { FORMATOS_DE_EXTRATO } from '../../domain/exportacao/extrato/formats.ts'
import {
  COMPACTACOES,
  COMPRESSIBLE,
  type Compactacao,
  FORMATOS_DE_CASOS,
  FORMATOS_DE_TABELA,
  type FormatoDeExportacao,
  isSinanFormat,
} from '../../domain/exportacao/formats.ts'
import { LAYOUTS, type LayoutDeExportacao, layoutOf } from '../../domain/exportacao/sinan/layout.ts'
import { requestExportUsuarios, USUARIOS_COLUMNS } from '../../domain/exportacao/usuarios.ts'
import { requestExportAuditoria } from '../../domain/registros/exportacao.ts'
import { USUARIOS_LIST, usuariosFilterProblems } from '../../domain/usuarios/list.ts'
import { AppError, invalid, type Problem } from '../../errors/catalogue.ts'
import type { Filter, ListRules } from '../../filter.ts'
import { requires } from '../../http/access.ts'
import { parseFilterObject } from '../../http/filters.ts'
import { OneOf, Text } from '../../http/schemas.ts'
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

const Compactar = Type.Optional(
  OneOf(COMPACTACOES, { description: 'Só para `csv`, `json` e `csv_sinan`: um arquivo `.gz`' }),
)

const ExportarCasos = Type.Object(
  {
    formato: OneOf(FORMATOS_DE_CASOS, {
      description:
        '`dbf`, `dbc` e `csv_sinan`: as colunas do SINAN, de um só agravo. `parquet`: colunas com tipo, para R, Python e DuckDB',
    }),
    compactacao: Compactar,
    layout: Type.Optional(
      OneOf(LAYOUTS, { description: 'Dos formatos do SINAN; sem ele, o do agravo (Zika: `sinan_net`)' }),
    ),
    filtros: Type.Optional(Filtros),
    campos: campos(CASOS_COLUMNS),
    identificado: Type.Optional(
      Type.Boolean({
        description:
          'Com os dados que identificam; exige `agravos.identificar`; sem ele, desidentificado, não anônimo',
      }),
    ),
    fundidos: Type.Optional(
      Type.Boolean({
        description:
          'Dos formatos do SINAN: também os casos fundidos em outro, com `NDUPLIC_N` 2; exige `agravos.duplicidades`',
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
    formato: OneOf(FORMATOS_DE_TABELA),
    compactacao: Compactar,
    filtros: Type.Optional(Filtros),
    campos: campos(USUARIOS_COLUMNS),
  },
  { title: 'ExportarUsuarios', examples: [{ formato: 'xlsx', filtros: { ativo: true } }] },
)

const ExportarEpizootias = Type.Object(
  {
    formato: OneOf(FORMATOS_DE_EPIZOOTIAS),
    compactacao: Compactar,
    filtros: Type.Optional(Filtros),
    campos: campos(COLUNAS_DE_EPIZOOTIA),
    identificado: Type.Optional(
      Type.Boolean({
        description: 'Com a observação e o ponto exato; exige `epizootias.registrar`',
      }),
    ),
  },
  {
    title: 'ExportarEpizootias',
    examples: [{ formato: 'csv', filtros: { estado: 'PE', suspeita: 'febre_amarela' } }],
  },
)

const ExportarAuditoria = Type.Object(
  { formato: OneOf(FORMATOS_DE_TABELA), compactacao: Compactar, filtros: Type.Optional(Filtros) },
  { title: 'ExportarAuditoria', examples: [{ formato: 'csv', filtros: { ator_id: 7 } }] },
)

const Extrair = Type.Object(
  {
    formato: OneOf(FORMATOS_DE_EXTRATO, { description: '`csv`: um ZIP com a tabela e a ficha de risco' }),
    filtros: Type.Optional(Filtros),
    k: Type.Unsafe<(typeof KS)[number]>({
      type: 'integer',
      enum: [...KS],
      description: 'Ao menos tantos casos iguais em todos os quase-identificadores',
    }),
    quase_identificadores: Type.Optional(
      Type.Array(OneOf(QUASE_IDENTIFICADORES), { minItems: 1, maxItems: 5, uniqueItems: true }),
    ),
    finalidade: Text({ minLength: 10, maxLength: 500 }),
    orgao: Text({ minLength: 3, maxLength: 200 }),
    protocolo_etica: Type.Optional(Text({ minLength: 3, maxLength: 100 })),
  },
  {
    title: 'ExtrairCasos',
    examples: [
      {
        formato: 'parquet',
        filtros: { tipo_agravo: 'dengue' },
        k: 10,
        finalidade: 'Sazonalidade da dengue por faixa etária',
        orgao: 'Universidade Federal de Pernambuco',
      },
    ],
  },
)

function fromFiltros(
  filtros: Record<string, unknown> | undefined,
  rules: ListRules,
  { agravos }: Pick<App, 'agravos'>,
  check: (filter: Filter) => Problem[] = () => [],
): Filter {
  const { filter, problems } = parseFilterObject(filtros ?? {}, rules, check, agravos.live())
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
  return filter
}

interface Format {
  formato: FormatoDeExportacao
  compactacao?: Compactacao
}

function fromCompactacao({ formato, compactacao }: Format): Compactacao | null {
  if (compactacao !== undefined && !COMPRESSIBLE.includes(formato))
    throw invalid('body', ['compactacao'], 'INCONSISTENT', { field: 'formato' })
  return compactacao ?? null
}

/** Layout of the formats of SINAN, whose forms have one disease each. */
function fromLayout(
  { formato, layout, campos, fundidos }: Static<typeof ExportarCasos>,
  filter: Filter,
  municipios: Municipios,
): LayoutDeExportacao | null {
  const inconsistent = (field: string, other: string) =>
    invalid('body', [field], 'INCONSISTENT', { field: other })
  if (!isSinanFormat(formato)) {
    if (layout !== undefined) throw inconsistent('layout', 'formato')
    if (fundidos === true) throw inconsistent('fundidos', 'formato')
    return null
  }
  if (campos !== undefined) throw inconsistent('campos', 'formato')
  const [tipo, ...others] = tiposOf(filter, municipios)
  if (tipo === undefined || others.length > 0)
    throw invalid('body', ['filtros', 'tipo_agravo'], 'REQUIRED', {})
  const own = layoutOf(tipo)
  if (layout !== undefined && layout !== own) throw inconsistent('layout', 'filtros.tipo_agravo')
  return own
}

/** Columns that were asked for; some are of identified exports alone. */
function fromCampos<T extends string>(
  { campos, identificado }: { campos?: string[]; identificado?: boolean },
  sealed: readonly string[],
): T[] | null {
  const hidden = campos?.findIndex((nome) => sealed.includes(nome)) ?? -1
  if (hidden >= 0 && !identificado)
    throw invalid('body', ['campos', hidden], 'INCONSISTENT', { field: 'identificado' })
  return (campos as T[] | undefined) ?? null
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
      const filter = fromFiltros(body.filtros, CASOS_LIST, app, (one) => filtroProblems(one, app))
      const id = await requestExportCasos(app, caller, {
        formato: body.formato,
        compactacao: fromCompactacao(body),
        layout: fromLayout(body, filter, app.municipios),
        filter,
        colunas: fromCampos<CasosColumn>(body, SEALED_COLUMNS),
        identificado: body.identificado ?? false,
        fundidos: body.fundidos ?? false,
      })
      reply.code(202)
      return toJobAceito(id, 'exportacao', { publicUrl: app.publicUrl, language: request.language })
    },
  }),
  route({
    spec: '4.6',
    method: 'POST',
    path: '/api/v1/agravos/casos/extratos',
    summary: 'Extrair casos para pesquisa, sem que ninguém possa ser reconhecido (k-anonimato)',
    tag: 'Agravos',
    access: requires('agravos.extrair'),
    input: { body: Extrair },
    replies: { 202: JobAceito },
    errors: [],
    async handle({ body, caller, request, reply }, app) {
      const id = await requestExtrato(app, caller, {
        formato: body.formato,
        filter: fromFiltros(body.filtros, CASOS_LIST, app, (one) => filtroProblems(one, app)),
        k: body.k,
        quase_identificadores: body.quase_identificadores ?? QUASE_IDENTIFICADORES,
        finalidade: body.finalidade,
        orgao: body.orgao,
        protocolo_etica: body.protocolo_etica ?? null,
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
        compactacao: fromCompactacao(body),
        filter: fromFiltros(body.filtros, USUARIOS_LIST, app, (filter) =>
          usuariosFilterProblems(filter, app),
        ),
        colunas: (body.campos as Parameters<typeof requestExportUsuarios>[2]['colunas']) ?? null,
      })
      reply.code(202)
      return toJobAceito(id, 'exportacao', { publicUrl: app.publicUrl, language: request.language })
    },
  }),
  route({
    spec: '4.24',
    method: 'POST',
    path: '/api/v1/epizootias/exportar',
    summary: 'Exportar epizootias',
    tag: 'Epizootias',
    access: requires('epizootias.listar'),
    input: { body: ExportarEpizootias },
    replies: { 202: JobAceito },
    errors: [],
    async handle({ body, caller, request, reply }, app) {
      const id = await requestExportEpizootias(app, caller, {
        formato: body.formato,
        compactacao: fromCompactacao(body),
        filter: fromFiltros(body.filtros, EPIZOOTIAS_LIST, app, (one) => filtroProblems(one, app)),
        colunas: fromCampos<ColunaDeEpizootia>(body, [COLUNA_SIGILOSA]),
        identificado: body.identificado ?? false,
      })
      reply.code(202)
      return toJobAceito(id, 'exportacao', { publicUrl: app.publicUrl, language: request.language })
    },
  }),
  route({
    spec: '4.19',
    method: 'POST',
    path: '/api/v1/auditoria/exportar',
    summary: 'Exportar registros da auditoria',
    tag: 'Auditoria',
    access: requires('auditoria.ver'),
    input: { body: ExportarAuditoria },
    replies: { 202: JobAceito },
    errors: [],
    async handle({ body, caller, request, reply }, app) {
      const id = await requestExportAuditoria(app, caller, {
        formato: body.formato,
        compactacao: fromCompactacao(body),
        filter: fromFiltros(body.filtros, AUDITORIA_LIST, app),
      })
      reply.code(202)
      return toJobAceito(id, 'exportacao', { publicUrl: app.publicUrl, language: request.language })
    },
  }),
]
