import type { IdentidadeVinculada } from '../../domain/identidades/identidades.sql.ts'
import type { Provedores } from '../../domain/oidc/provedores.ts'
import { DateTime, Id } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { MfaCode } from '../token.shapes.ts'

export const ListaDeProvedores = Type.Object(
  {
    provedores: Type.Array(
      Type.Object({
        id: Type.String(),
        nome: Type.String(),
        url: Type.String({ description: 'Endereço, neste serviço, que leva ao provedor' }),
      }),
    ),
  },
  { title: 'ListaDeProvedores' },
)

export const toProvedores = ({ all }: Provedores) =>
  all.map(({ regras: { id, nome } }) => ({ id, nome, url: `/entrar/oidc/${id}` }))

export const SegundoFatorDoSso = Type.Object(
  { mfa_code: MfaCode },
  { title: 'SegundoFatorDoSso', examples: [{ mfa_code: '123456' }] },
)

const Identidade = Type.Object(
  {
    id: Id,
    provedor: Type.String(),
    provedor_nome: Type.String({ description: 'O próprio código, se o provedor não está mais configurado' }),
    vinculada_em: DateTime,
    ultimo_uso_em: DateTime,
  },
  { title: 'Identidade' },
)
export const ListaDeIdentidades = Type.Object(
  { total: Type.Integer(), items: Type.Array(Identidade) },
  { title: 'ListaDeIdentidades' },
)

export function toIdentidades(provedores: Provedores, rows: IdentidadeVinculada[]) {
  const items = rows.map(({ id, provedor, vinculada_em, ultimo_uso_em }) => ({
    id,
    provedor,
    provedor_nome: provedores.find(provedor)?.regras.nome ?? provedor,
    vinculada_em: vinculada_em.toISOString(),
    ultimo_uso_em: ultimo_uso_em.toISOString(),
  }))
  return { total: items.length, items }
}
