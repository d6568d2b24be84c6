import { randomUUID } from 'node:crypto'
import type { Caller } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError, because, invalid, type Problem, problem } from '../../errors/catalogue.ts'
import { networkList } from '../../system/networks.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { getUsuarioWithRights, lockReached } from '../contas/contas.ts'
import { assertMayGrant, assertNotAbove } from '../permissoes/rights.ts'
import { newChave, prefixOf } from '../sessoes/chave.ts'
import { sha256 } from '../sessoes/tokens.ts'
import { announceUsuario } from '../usuarios/announce.ts'
import {
  type ChaveDeApiRow,
  countChaves,
  findChave,
  insertChave,
  replaceChave,
  revokeChave,
} from './servico.sql.ts'

export { forgetChaves } from './servico.sql.ts'

/**
 * Keys of a service account. Shown once; the database has their hash.
 *
 *   live ── replaced ──► live until the overlap ends ──► expired
 *     └── revoked at any time
 */

export const MAX_CHAVES = 5
export const MAX_DIAS = 366
export const DEFAULT_DIAS = 90
export const MAX_SOBREPOSICAO_HORAS = 168
export const DEFAULT_SOBREPOSICAO_HORAS = 24
export const MAX_REDES = 50

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export interface NovaChave {
  nome: string
  escopos: string[]
  redes: string[]
  validade_dias: number
}

/** A key with its plain text, which is never shown again. */
export interface ChaveMostrada {
  chave: string
  row: ChaveDeApiRow
}

type Needs = Pick<App, 'db' | 'clock' | 'auditoria'>

export async function createChave(
  app: Needs,
  caller: Caller,
  usuarioId: number,
  nova: NovaChave,
): Promise<ChaveMostrada> {
  const problems = networkProblems(nova.redes)
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
  return app.db.transaction(async (tx) => {
    const now = app.clock.now()
    await lockConta(tx, caller, usuarioId)
    await assertMayScope(tx, caller, usuarioId, nova.escopos)
    if ((await countChaves(tx, usuarioId, now)) >= MAX_CHAVES) throw because('TOO_MANY_KEYS')
    const expira_em = new Date(now.getTime() + nova.validade_dias * DAY_MS)
    const mostrada = await storeChave(tx, caller, usuarioId, { ...nova, expira_em }, now)
    await tell(app, tx, caller, 'chave.criada', usuarioId, detailsOf(mostrada.row), now)
    return mostrada
  })
}

/** New key with the scopes and networks of the old one, which works on for the overlap. */
export async function renewChave(
  app: Needs,
  caller: Caller,
  usuarioId: number,
  id: string,
  { validade_dias, sobreposicao_horas }: { validade_dias: number; sobreposicao_horas: number },
): Promise<ChaveMostrada> {
  return app.db.transaction(async (tx) => {
    const now = app.clock.now()
    await lockConta(tx, caller, usuarioId)
    const antiga = await getChave(tx, usuarioId, id)
    assertMayGrant(
      caller,
      antiga.escopos.map((nome) => ({ nome })),
    )
    const ate = new Date(now.getTime() + sobreposicao_horas * HOUR_MS)
    if ((await replaceChave(tx, id, ate, now)) === 0) throw because('KEY_OVER')
    const expira_em = new Date(now.getTime() + validade_dias * DAY_MS)
    const mostrada = await storeChave(tx, caller, usuarioId, { ...antiga, expira_em }, now)
    const detalhes = { ...detailsOf(mostrada.row), substitui: id, sobreposicao_horas }
    await tell(app, tx, caller, 'chave.renovada', usuarioId, detalhes, now)
    return mostrada
  })
}

/** Ends a key from the next request on; again is no change. */
export async function endChave(app: Needs, caller: Caller, usuarioId: number, id: string): Promise<void> {
  await app.db.transaction(async (tx) => {
    const now = app.clock.now()
    await lockConta(tx, caller, usuarioId)
    const { prefixo } = await getChave(tx, usuarioId, id)
    if ((await revokeChave(tx, id, now)) === 0) return
    await tell(app, tx, caller, 'chave.revogada', usuarioId, { chave_id: id, prefixo }, now)
  })
}

/** NOT_FOUND for accounts of people: they have no keys. */
async function lockConta(tx: Db, caller: Caller, usuarioId: number): Promise<void> {
  const { servico } = await lockReached(tx, caller, usuarioId)
  if (!servico) throw new AppError('NOT_FOUND')
  await assertNotAbove(tx, caller, usuarioId)
}

async function getChave(tx: Db, usuarioId: number, id: string): Promise<ChaveDeApiRow> {
  const chave = await findChave(tx, usuarioId, id)
  if (chave === null) throw new AppError('NOT_FOUND')
  return chave
}

/** A key holds no more than its account, nor than the one who makes it; and never everything. */
async function assertMayScope(tx: Db, caller: Caller, usuarioId: number, escopos: string[]): Promise<void> {
  const { permissoes_efetivas } = await getUsuarioWithRights({ db: tx }, usuarioId)
  const held = new Set(permissoes_efetivas.filter((nome) => nome !== 'admin'))
  const unknown = escopos.filter((nome) => !held.has(nome))
  if (unknown.length > 0) throw invalid('body', ['escopos'], 'UNKNOWN', { ids: unknown })
  assertMayGrant(
    caller,
    escopos.map((nome) => ({ nome })),
  )
}

function networkProblems(redes: string[]): Problem[] {
  return redes.flatMap((rede, at) => {
    try {
      networkList([rede], 'redes')
      return []
    } catch {
      return [problem('body', ['redes', at], 'INVALID_FORMAT', { expected: 'network' })]
    }
  })
}

async function storeChave(
  tx: Db,
  caller: Caller,
  usuario_id: number,
  { nome, escopos, redes, expira_em }: Pick<ChaveDeApiRow, 'nome' | 'escopos' | 'redes' | 'expira_em'>,
  criada_em: Date,
): Promise<ChaveMostrada> {
  const chave = newChave()
  const id = randomUUID()
  await insertChave(tx, {
    ...{ id, usuario_id, nome, escopos, redes, expira_em, criada_em },
    ...{ criada_por_id: caller.id, prefixo: prefixOf(chave), hash: sha256(chave) },
  })
  return { chave, row: await getChave(tx, usuario_id, id) }
}

const detailsOf = ({ id, prefixo, escopos, redes, expira_em }: ChaveDeApiRow) => ({
  ...{ chave_id: id, prefixo, escopos, redes },
  expira_em: expira_em.toISOString(),
})

async function tell(
  { auditoria }: Needs,
  tx: Db,
  caller: Caller,
  acao: 'chave.criada' | 'chave.renovada' | 'chave.revogada',
  usuarioId: number,
  detalhes: Record<string, unknown>,
  now: Date,
): Promise<void> {
  await announceUsuario(tx, 'usuario.chaves_alteradas', usuarioId, now)
  await auditoria.record(tx, { acao, ...by(caller), recurso: 'usuario', recurso_id: usuarioId, detalhes })
}
