import { type Anexo as AnexoDoCaso, TIPOS_DE_ANEXO } from '../../domain/anexos/anexos.ts'
import { DateTime, described, Id, Nullable, OneOf, Text } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { ListOf } from './envelope.ts'
import { Pessoa } from './pessoa.shapes.ts'

export const EnviarAnexo = Type.Object({
  tipo: OneOf(TIPOS_DE_ANEXO),
  descricao: Type.Optional(Text({ maxLength: 500 })),
})

export const Anexo = Type.Object(
  {
    id: described('Identificador do anexo', Id),
    nome: Type.String({ description: 'Dado pelo serviço: o nome original poderia identificar o paciente' }),
    tipo: OneOf(TIPOS_DE_ANEXO, { description: 'O que o arquivo é' }),
    formato: Type.String({
      description: 'Tipo do conteúdo, como o serviço o viu',
      examples: ['application/pdf'],
    }),
    tamanho: Type.Integer({ description: 'Em bytes' }),
    descricao: Nullable(Type.String({ description: 'Só na leitura identificada' })),
    enviado_por: described('Quem o enviou', Pessoa),
    url: Type.String({ description: 'Onde baixá-lo' }),
    uploaded_at: described('Quando foi enviado', DateTime),
  },
  { title: 'Anexo' },
)
export const ListaDeAnexos = ListOf('items', Anexo, 'ListaDeAnexos')

export const AnexoEnviado = Type.Object(
  {
    id: Id,
    nome: Type.String(),
    tipo: OneOf(TIPOS_DE_ANEXO),
    tamanho: Type.Integer(),
    url: Type.String(),
    uploaded_at: DateTime,
  },
  { title: 'AnexoEnviado' },
)

export function toAnexo(anexo: AnexoDoCaso, publicUrl: string): Static<typeof Anexo> {
  const { id, caso_id, nome, tipo, formato, tamanho, descricao, enviado_por_id, enviado_por_nome } = anexo
  return {
    id,
    nome,
    tipo,
    formato,
    tamanho,
    descricao,
    enviado_por: enviado_por_nome === null ? null : { id: enviado_por_id ?? 0, nome: enviado_por_nome },
    url: `${publicUrl}/api/v1/agravos/casos/${caso_id}/anexos/${id}`,
    uploaded_at: anexo.uploaded_at.toISOString(),
  }
}

export function toAnexoEnviado(anexo: AnexoDoCaso, publicUrl: string): Static<typeof AnexoEnviado> {
  const { id, nome, tipo, tamanho, url, uploaded_at } = toAnexo(anexo, publicUrl)
  return { id, nome, tipo, tamanho, url, uploaded_at }
}
