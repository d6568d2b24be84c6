import { isCalendarDate } from '../../brasil/calendar.ts'
import type { Municipios } from '../../brasil/municipios.ts'
import type { BuscaDePessoa, PessoaAchada } from '../../domain/casos/duplicidades/pessoas.ts'
import { escapeHtml } from '../../domain/escape-html.ts'
import type { AcessoIdentificado } from '../../domain/pessoas/acessos.ts'
import type { CasoDoRelatorio } from '../../domain/pessoas/relatorio.ts'
import { invalid } from '../../errors/catalogue.ts'
import { DateTime, Nullable, OneOf, ProseText, Text } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { CasoDetalhe, CasoResumo, toResumo } from './caso-saida.shapes.ts'
import { toDetalhe, withAnexos } from './casos.shapes.ts'
import { ListOf } from './envelope.ts'
import { Pessoa } from './pessoa.shapes.ts'

const Motivo = ProseText({ maxLength: 300, description: 'Fica na auditoria' })

export const BuscarPessoa = Type.Object(
  {
    nome: Text({ minLength: 2, maxLength: 200 }),
    nascimento: Type.Optional(
      Type.String({
        pattern: '^\\d{4}(-\\d{2}(-\\d{2})?)?$',
        'x-format': 'date-part',
        description: 'Dia, mês ou ano; obrigatório sem `municipio`',
      }),
    ),
    municipio: Type.Optional(
      Type.Integer({ minimum: 1_100_015, maximum: 5_300_108, description: 'Código IBGE' }),
    ),
    motivo: Motivo,
  },
  {
    title: 'BuscarPessoa',
    examples: [
      { nome: 'Joana Exemplo', nascimento: '1980', motivo: 'Pedido da própria pessoa, protocolo 12' },
    ],
  },
)

export function fromBuscarPessoa(body: Static<typeof BuscarPessoa>): BuscaDePessoa {
  const { nome, nascimento = null, municipio = null, motivo } = body
  if (nascimento !== null && !isCalendarDate(`${nascimento}-01-01`.slice(0, 10)))
    throw invalid('body', ['nascimento'], 'INVALID_FORMAT', { expected: 'date' })
  return { nome, nascimento, municipio, motivo: motivo.trim() }
}

const PessoaAchadaResposta = Type.Object(
  {
    caso: CasoResumo,
    data_nascimento: Nullable(Type.String({ format: 'date' })),
    escore: Type.Number(),
    sinais: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  },
  { title: 'PessoaAchada' },
)
export const PessoasAchadas = Type.Object(
  { total: Type.Integer(), pessoas: Type.Array(PessoaAchadaResposta) },
  { title: 'PessoasAchadas' },
)

export function toPessoaAchada(
  { caso, nome, nascimento, escore, sinais }: PessoaAchada,
  municipios: Municipios,
): Static<typeof PessoaAchadaResposta> {
  const resumo = toResumo(caso, municipios)
  const paciente = { ...(resumo.paciente as object), nome }
  return { caso: { ...resumo, paciente }, data_nascimento: nascimento, escore, sinais: { ...sinais } }
}

export const RelatorioQuery = Type.Object({
  casos: Type.String({
    pattern: '^[1-9]\\d{0,8}(,[1-9]\\d{0,8}){0,19}$',
    'x-format': 'ids',
    description: 'Até 20, entre vírgulas',
  }),
  motivo: Motivo,
  formato: OneOf(['json', 'html'], { default: 'json' }),
})

export const fromCasos = (casos: string): number[] => [...new Set(casos.split(',').map(Number))]

const LeituraResposta = Type.Object(
  { data: DateTime, acao: Type.String(), usuario: Pessoa },
  { title: 'LeituraDoCaso' },
)
const AcessoResposta = Type.Object(
  {
    id: Type.Integer({ description: 'Do registro na auditoria' }),
    data: DateTime,
    acao: Type.String(),
    usuario: Pessoa,
    motivo: Nullable(Type.String({ description: 'A quem pode identificar pacientes' })),
  },
  { title: 'AcessoAoPaciente' },
)
export const ListaDeAcessos = ListOf('items', AcessoResposta, 'ListaDeAcessos')

export const toAcesso = ({ data, ...rest }: AcessoIdentificado): Static<typeof AcessoResposta> => ({
  data: data.toISOString(),
  ...rest,
})

export const RelatorioDePessoa = Type.Object(
  {
    gerado_em: DateTime,
    casos: Type.Array(
      Type.Object({ caso: CasoDetalhe, leituras: Type.Array(LeituraResposta) }, { title: 'CasoDoRelatorio' }),
    ),
  },
  { title: 'RelatorioDePessoa' },
)

export function toRelatorio(
  casos: readonly CasoDoRelatorio[],
  municipios: Municipios,
  { publicUrl, now }: { publicUrl: string; now: Date },
): Static<typeof RelatorioDePessoa> {
  return {
    gerado_em: now.toISOString(),
    casos: casos.map(({ completo, anexos, leituras }) => ({
      caso: withAnexos(toDetalhe(completo, municipios), anexos, publicUrl),
      leituras: leituras.map(({ data, ...rest }) => ({ data: data.toISOString(), ...rest })),
    })),
  }
}

/** The same as a page without scripts: every member by its path. */
export function relatorioHtml({ gerado_em, casos }: Static<typeof RelatorioDePessoa>): Buffer {
  const sections = casos.map(({ caso, leituras }, i) => {
    const reads = leituras.map(({ data, acao, usuario }) => [`${data} ${acao}`, usuario?.nome ?? ''] as const)
    return `<section><h2>Caso ${i + 1} de ${casos.length}</h2>${table(flat(caso))}<h3>Quem leu, e quando</h3>${table(reads)}</section>`
  })
  const style =
    'body{font:1rem sans-serif;margin:2rem;max-width:60rem}th{text-align:left;font-weight:600;padding-right:1rem}'
  return Buffer.from(
    `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><title>Dados guardados de uma pessoa</title><style>${style}</style></head>` +
      `<body><h1>Dados guardados de uma pessoa</h1><p>${escapeHtml(gerado_em)}</p>${sections.join('')}</body></html>`,
  )
}

const table = (rows: readonly (readonly [string, string])[]) =>
  `<table>${rows.map(([name, value]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`).join('')}</table>`

/** Members with a value, by their paths. */
function flat(value: unknown, path = ''): (readonly [string, string])[] {
  if (value === null || value === undefined) return []
  if (typeof value !== 'object') return [[path, String(value)]]
  return Object.entries(value).flatMap(([key, one]) => flat(one, path === '' ? key : `${path}.${key}`))
}
