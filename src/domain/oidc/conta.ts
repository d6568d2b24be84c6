import type { Db } from '../../db/db.ts'
import type { App } from '../app.ts'
import { findContasOf, findUsuario } from '../contas/contas.ts'
import { findIdentidade, listIdentidades } from '../identidades/identidades.ts'
import type { Pessoa } from './pessoa.ts'
import type { RegrasDoProvedor } from './provedores.ts'
import { SsoRefusal } from './recusa.ts'

/** Account that a person enters: one that is linked, one to link now, or a new one. */
export type DecisaoDoSso =
  | { kind: 'linked'; usuario_id: number }
  | { kind: 'link'; usuario_id: number }
  | { kind: 'create'; email: string }

type Needs = Pick<App, 'identidadeKey'>

export const subHashOf = ({ identidadeKey }: Needs, provedor: string, sub: string) =>
  identidadeKey(provedor, sub)

/**
 * The subject decides once it is linked; until then the claims of `vincular` do. Two claims that name two accounts, or a CPF
 * that is not the account's, are refused: nobody could say who came.
 */
export async function decideConta(
  app: Needs,
  db: Db,
  regras: RegrasDoProvedor,
  pessoa: Pessoa,
): Promise<DecisaoDoSso> {
  const linked = await findIdentidade(db, regras.id, subHashOf(app, regras.id, pessoa.sub))
  if (linked !== null) return { kind: 'linked', usuario_id: linked.usuario_id }
  const email = regras.vincular.includes('email') ? pessoa.email : null
  const { por_email, por_cpf } = await findContasOf(db, { email, cpf: pessoa.cpf })
  if (por_email !== null && por_cpf !== null && por_email !== por_cpf) throw new SsoRefusal('conflito')
  const usuario_id = por_email ?? por_cpf
  if (usuario_id === null) return decideCreation(db, regras, pessoa)
  await refuseOtherPerson(db, regras, usuario_id, pessoa)
  return { kind: 'link', usuario_id }
}

async function refuseOtherPerson(
  db: Db,
  { id }: RegrasDoProvedor,
  usuarioId: number,
  { cpf }: Pessoa,
): Promise<void> {
  const usuario = await findUsuario(db, usuarioId)
  if (usuario?.servico) throw new SsoRefusal('conflito')
  if (cpf !== null && usuario !== null && usuario.cpf !== null && usuario.cpf !== cpf)
    throw new SsoRefusal('conflito')
  const identidades = await listIdentidades(db, usuarioId)
  if (identidades.some(({ provedor }) => provedor === id)) throw new SsoRefusal('ja_vinculada')
}

async function decideCreation(
  db: Db,
  { criar, vincular }: RegrasDoProvedor,
  { email, hasUnverifiedEmail, cpf }: Pessoa,
): Promise<DecisaoDoSso> {
  if (hasUnverifiedEmail && (criar !== null || vincular.includes('email')))
    throw new SsoRefusal('email_nao_verificado')
  if (criar === null || email === null) throw new SsoRefusal('sem_conta')
  // An account of the address that this provider may not link: it is not made twice.
  const { por_email } = await findContasOf(db, { email, cpf })
  if (por_email !== null) throw new SsoRefusal('conflito')
  return { kind: 'create', email }
}
