import { TIPOS_ATIVOS } from '../../domain/casos/enumeracoes.ts'
import { FORMATOS } from '../../domain/importacao/formats/table.ts'
import { type ImportacaoView, type ImportRequest, MODOS } from '../../domain/importacao/importacoes.ts'
import { LAYOUTS } from '../../domain/importacao/layouts/layout.ts'
import { AppError, problem } from '../../errors/catalogue.ts'
import { DateTime, Id, Nullable, OneOf, Text } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { ListOf } from './envelope.ts'

const enviar = Type.Object({
  formato: Type.Optional(
    OneOf(FORMATOS, {
      description: 'Obrigatório sem `validacao`. O conteúdo decide; uma diferença é avisada',
    }),
  ),
  modo: OneOf(MODOS, {
    default: 'validar',
    description: '`validar` nada grava e diz o que `importar` faria',
  }),
  ignorar_erros: Type.Boolean({
    default: false,
    description: 'Importa as linhas boas; sem ele, uma linha ruim impede tudo',
  }),
  tipo_agravo: Type.Optional(OneOf(TIPOS_ATIVOS, { description: 'Para arquivos sem a coluna do agravo' })),
  textos: Type.Boolean({
    default: false,
    description: 'Aproveita também os campos de texto livre do próprio agravo; sem ele, ficam de fora',
  }),
  validacao: Type.Optional(
    Text({
      maxLength: 100,
      description:
        'O `job_id` de uma validação própria, no lugar de `file`, com `modo=importar`: importa aquele arquivo, guardado por uma hora, com o formato e o agravo de então',
    }),
  ),
})
type Enviado = Static<typeof enviar>

/** A file needs its format; one that was validated has it. */
export const EnviarImportacao = Type.Unsafe<Enviado>({
  ...enviar,
  // Each part names its property, as the validator's strict mode asks for.
  if: { required: ['validacao'], properties: { validacao: true } },
  else: { required: ['formato'], properties: { formato: true } },
})

/** A validated file is imported without another beside it. */
export function assertValidated({ modo }: Enviado, hasFile: boolean): void {
  const problems = [
    ...(modo === 'importar' ? [] : [problem('body', ['validacao'], 'INCONSISTENT', { field: 'modo' })]),
    ...(hasFile ? [problem('body', ['file'], 'INCONSISTENT', { field: 'validacao' })] : []),
  ]
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
}

const MAX_NAME = 200

/** A name to be recognised by: no path, nothing that a terminal or a page would obey. */
export function safeName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? ''
  return base.replaceAll(/[\p{C}<>"'&]/gu, '').slice(-MAX_NAME) || 'arquivo'
}

export function fromImportacao(
  { formato = 'csv', modo, ignorar_erros, tipo_agravo = undefined, textos }: Enviado,
  name: string,
): ImportRequest {
  const arquivo_nome = safeName(name)
  return { formato, modo, ignorar_erros, tipo_agravo: tipo_agravo ?? null, textos, arquivo_nome }
}

/** Counts and ends that every import has, whatever it brings. */
export const IMPORTACAO_COMUM = {
  duplicados_no_arquivo: Type.Integer(),
  erros: Type.Integer(),
  avisos: Type.Integer(),
  criado_em: DateTime,
  desfeita_em: Nullable(DateTime),
  desfeita_por: Nullable(Type.String()),
}

export const toImportacaoComum = (row: ImportacaoView) => ({
  duplicados_no_arquivo: row.duplicados_no_arquivo,
  erros: row.erros,
  avisos: row.avisos,
  criado_em: row.criado_em.toISOString(),
  desfeita_em: row.desfeita_em?.toISOString() ?? null,
  desfeita_por: row.desfeita_por_nome,
})

export const Importacao = Type.Object(
  {
    id: Id,
    job_id: Nullable(Type.String()),
    usuario: Type.Object({ id: Nullable(Type.Integer()), nome: Type.String() }),
    arquivo: Type.Object({
      nome: Type.String(),
      sha256: Nullable(Type.String({ description: 'De importações alheias, só com `agravos.identificar`' })),
      tamanho: Nullable(Type.Integer({ description: 'Idem' })),
      formato: OneOf(FORMATOS),
      layout: OneOf(LAYOUTS),
    }),
    total_linhas: Type.Integer(),
    importados: Type.Integer(),
    atualizados: Type.Integer(),
    inalterados: Type.Integer(),
    ...IMPORTACAO_COMUM,
  },
  { title: 'Importacao' },
)
export const ListaDeImportacoes = ListOf('items', Importacao, 'ListaDeImportacoes')

export function toImportacao(row: ImportacaoView): Static<typeof Importacao> {
  return {
    id: row.id,
    job_id: row.job_id,
    usuario: { id: row.usuario_id, nome: row.usuario_nome },
    arquivo: {
      nome: row.arquivo_nome,
      sha256: row.arquivo_sha256?.toString('hex') ?? null,
      tamanho: row.arquivo_tamanho,
      formato: row.formato as (typeof FORMATOS)[number],
      layout: row.layout as (typeof LAYOUTS)[number],
    },
    total_linhas: row.total_linhas,
    importados: row.importados,
    atualizados: row.atualizados,
    inalterados: row.inalterados,
    ...toImportacaoComum(row),
  }
}
