import { randomBytes } from 'node:crypto'
import type { Caller } from '../../caller/caller.ts'
import type { Plano } from '../../caller/planos.ts'
import type { LugarDoTerritorio } from '../../caller/territorio.ts'
import { AppError } from '../../errors/catalogue.ts'
import { DEFAULT_LANGUAGE } from '../../errors/texts.ts'
import type { ListQuery, ListRules, Page } from '../../filter.ts'
import type { App } from '../app.ts'
import { getReachedWithRights } from '../contas/contas.ts'
import { assertMayBind, ownLugares, withinReach } from '../territorios/alcance.ts'
import { knownLugares, type LugarComNome, withNames } from '../territorios/lugares.ts'
import { storeUsuario } from '../usuarios/create.ts'
import { assertHolds, assertMayGive, FIELD_PERMISSIONS, unknownRights } from '../usuarios/grants.ts'
import {
  type ChaveDeApiRow,
  type ContaDeServicoRow,
  findConta,
  listChaves,
  pageOfContaRows,
} from './servico.sql.ts'

/**
 * Service accounts: what an integration signs in as, so that none uses a person's password. Groups, permissions, territory,
 * deactivation and removal are those of every account; keys (`chaves.ts`) stand in for the password.
 */

export interface NovaConta {
  nome: string
  finalidade: string | null
  instituicao: string | null
  plano: Plano | null
  grupos_ids: number[]
  permissoes_ids: number[]
  /** Null for those of the creator. */
  territorios: LugarDoTerritorio[] | null
}

export interface ContaDeServico extends ContaDeServicoRow {
  grupos: { id: number; nome: string }[]
  permissoes_efetivas: string[]
  territorios: LugarComNome[]
  chaves: ChaveDeApiRow[]
}

export const CONTAS_LIST: ListRules = {
  fields: {
    id: { type: 'integer' },
    nome: { type: 'text' },
    ativo: { type: 'boolean' },
    criado_em: { type: 'datetime' },
    ultimo_acesso: { type: 'datetime' },
  },
  sortable: ['id', 'nome', 'ativo', 'criado_em', 'ultimo_acesso'],
  defaultSort: { field: 'nome', order: 'asc' },
}

type Reading = Pick<App, 'db' | 'clock' | 'municipios' | 'territorios'>

export function pageOfContas(
  app: Reading,
  caller: Caller,
  list: ListQuery,
): Promise<Page<ContaDeServicoRow>> {
  const filter = withinReach(list.filter, caller)
  return pageOfContaRows(app.db, { ...list, filter }, app.clock.now())
}

export async function getConta(app: Reading, caller: Caller, id: number): Promise<ContaDeServico> {
  const usuario = await getReachedWithRights(app, caller, id)
  const conta = await findConta(app.db, id, app.clock.now())
  if (conta === null) throw new AppError('NOT_FOUND')
  return {
    ...conta,
    grupos: usuario.grupos,
    permissoes_efetivas: usuario.permissoes_efetivas,
    territorios: withNames(app, usuario.territorios),
    chaves: await listChaves(app.db, id),
  }
}

type Needs = Reading & Pick<App, 'passwords' | 'passwordPolicy' | 'auditoria' | 'mailer'>

/** The creator must hold every granted right and reach every place that the account is bound to. */
export async function createConta(app: Needs, caller: Caller, nova: NovaConta): Promise<ContaDeServico> {
  const { grupos_ids, permissoes_ids, finalidade, ...input } = nova
  if (nova.plano !== null) assertHolds(caller, FIELD_PERMISSIONS.plano)
  const problems = await unknownRights(app.db, nova)
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
  const territorios = nova.territorios === null ? ownLugares(caller) : knownLugares(app, nova.territorios)
  assertMayBind(app, caller, territorios)
  const { id } = await storeUsuario(
    app,
    {
      ...NOBODYS,
      ...input,
      ...{ grupos_ids, permissoes_ids, territorios, funcao: finalidade, email: unreachableEmail() },
    },
    caller,
    caller.origin,
    (tx) =>
      assertMayGive(tx, caller, {
        ...(grupos_ids.length > 0 && { grupos_ids }),
        ...(permissoes_ids.length > 0 && { permissoes_ids }),
      }),
  )
  return getConta(app, caller, id)
}

const NOBODYS = {
  servico: true,
  senha: null,
  forcar_troca: false,
  admin: false,
  ativo: true,
  cpf: null,
  telefone: null,
  estado: null,
  cidade: null,
  cargo: null,
  departamento: null,
  idioma: DEFAULT_LANGUAGE,
} as const

/** Every account has an address; nobody receives mail at this one (RFC 2606), and none is sent to it. */
const unreachableEmail = () => `servico-${randomBytes(6).toString('hex')}@servico.invalid`
