import type { NoticiaRow } from '../../domain/noticias/noticias.sql.ts'
import { DateTime, HttpUrl, Id, Nullable, ProseText, Text } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { ListOf } from './envelope.ts'

export const CriarNoticia = Type.Object(
  {
    titulo: ProseText({ maxLength: 200 }),
    resumo: Type.Optional(Nullable(Text({ maxLength: 1000 }))),
    conteudo: ProseText({ maxLength: 50_000 }),
    fonte: Type.Optional(Nullable(Text({ maxLength: 200, description: 'De quem vem a notícia' }))),
    url: Type.Optional(Nullable(HttpUrl({ maxLength: 2000, description: 'Onde ler o original' }))),
    publicado_em: Type.Optional(
      Type.String({ format: 'date-time', description: 'Com fuso; agora, se não for dado' }),
    ),
  },
  {
    title: 'CriarNoticia',
    examples: [
      {
        titulo: 'Casos de dengue caem no Recife',
        resumo: 'Queda de 30% em relação ao mês anterior',
        conteudo: 'A Secretaria de Saúde divulgou nesta segunda-feira o boletim da semana epidemiológica 20.',
        fonte: 'Secretaria de Saúde do Recife',
        url: 'https://www.exemplo.gov.br/noticias/dengue',
        publicado_em: '2026-05-18T09:00:00-03:00',
      },
    ],
  },
)

export const AlterarNoticia = Type.Partial(CriarNoticia, {
  title: 'AlterarNoticia',
  description: 'Só os campos a alterar; null apaga `resumo`, `fonte` e `url`',
  examples: [{ titulo: 'Casos de dengue caem 30% no Recife', fonte: null }],
})

export const Noticia = Type.Object(
  {
    id: Id,
    titulo: Type.String(),
    resumo: Nullable(Type.String()),
    conteudo: Type.String(),
    fonte: Nullable(Type.String()),
    url: Nullable(Type.String()),
    publicado_em: DateTime,
    criado_em: DateTime,
    atualizado_em: DateTime,
  },
  { title: 'Noticia' },
)
export const ListaDeNoticias = ListOf('items', Noticia, 'ListaDeNoticias')

export function fromCriarNoticia(body: Static<typeof CriarNoticia>) {
  const { titulo, resumo = null, conteudo, fonte = null, url = null, publicado_em } = body
  return {
    ...{ titulo, resumo, conteudo, fonte, url },
    publicado_em: publicado_em === undefined ? null : new Date(publicado_em),
  }
}

/** Only the fields that were sent; the others stay unchanged. */
export function fromAlterarNoticia(body: Static<typeof AlterarNoticia>) {
  const { titulo, resumo, conteudo, fonte, url, publicado_em } = body
  return {
    ...(titulo !== undefined && { titulo }),
    ...(resumo !== undefined && { resumo }),
    ...(conteudo !== undefined && { conteudo }),
    ...(fonte !== undefined && { fonte }),
    ...(url !== undefined && { url }),
    ...(publicado_em !== undefined && { publicado_em: new Date(publicado_em) }),
  }
}

export function toNoticia(row: NoticiaRow) {
  return {
    id: row.id,
    titulo: row.titulo,
    resumo: row.resumo,
    conteudo: row.conteudo,
    fonte: row.fonte,
    url: row.url,
    publicado_em: row.publicado_em.toISOString(),
    criado_em: row.criado_em.toISOString(),
    atualizado_em: row.atualizado_em.toISOString(),
  }
}
