import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Folder } from '../test/process/service.ts'
import type { Acknowledged } from './journal.ts'
import { ADMIN, PASSWORD, type Target } from './target.ts'

/** Parts of a target that are asked afterwards. */
export type Verifiable = Pick<Target, 'connection' | 'env' | 'service'> & { folder: Pick<Folder, 'run'> }

/**
 * Verifies that every acknowledged write is there exactly once, with all that belongs to it: cases, history and accounts by SQL,
 * events by the feed, the audit by its own verification, totals by the statistics. Each finding is a line.
 */
export async function verify(target: Verifiable, journal: Acknowledged[]): Promise<string[]> {
  const client = new pg.Client(await target.connection())
  await client.connect()
  try {
    const expected = expectationOf(journal)
    return [
      ...(await verifyCasos(client, expected.casos)),
      ...(await verifyUsuarios(client, expected.usuarios)),
      ...(await verifyEventos(target, expected.casos)),
      ...(await verifyStatistics(target, client)),
      ...(await verifyAudit(target)),
    ]
  } finally {
    await client.end()
  }
}

interface Caso {
  numero: string
  versao: number
}

interface Expectation {
  casos: Map<number, Caso>
  /** Emails by id. */
  usuarios: Map<number, string>
}

function expectationOf(journal: Acknowledged[]): Expectation {
  const casos = new Map<number, Caso>()
  const usuarios = new Map<number, string>()
  for (const entry of journal) {
    if (entry.what === 'caso') casos.set(entry.id, { numero: entry.numero, versao: 1 })
    else if (entry.what === 'alteracao') (casos.get(entry.id) as Caso).versao = entry.versao
    else usuarios.set(entry.id, entry.email)
  }
  return { casos, usuarios }
}

async function verifyCasos(client: pg.Client, expected: Expectation['casos']): Promise<string[]> {
  const { rows } = await client.query<Caso & { id: number; linhas: number }>(`
    select id, numero_notificacao as numero, versao,
           (select count(*) from casos_historico h where h.caso_id = c.id and h.acao = 'atualizado')::int as linhas
      from casos c`)
  const stored = new Map(rows.map((row) => [row.id, row]))
  const findings: string[] = []
  for (const [id, { numero, versao }] of expected) {
    const row = stored.get(id)
    if (row?.numero !== numero) findings.push(`case ${numero} was acknowledged and is missing`)
    else if (row.versao !== versao)
      findings.push(`case ${numero} has version ${row.versao}, acknowledged ${versao}`)
    else if (row.linhas !== versao - 1)
      findings.push(`case ${numero} has ${row.linhas} lines of history, not ${versao - 1}`)
  }
  // Duplicates: every creation was retried until it was acknowledged, so any further case was created twice.
  for (const { id, numero } of rows)
    if (!expected.has(id)) findings.push(`case ${numero} is there once more (${id})`)
  return findings
}

async function verifyUsuarios(client: pg.Client, expected: Expectation['usuarios']): Promise<string[]> {
  const { rows } = await client.query<{ id: number; email: string; registros: number; eventos: number }>(
    `with avisos as (select tipo, dados from eventos union all select tipo, dados from eventos_novos)
     select id, email,
            (select count(*) from auditoria a
              where a.acao = 'usuario.criado' and a.recurso = 'usuario' and a.recurso_id = u.id::text)::int as registros,
            (select count(*) from avisos e
              where e.tipo = 'usuario.criado' and (e.dados ->> 'id')::int = u.id)::int as eventos
       from usuarios u where email <> $1`,
    [ADMIN],
  )
  const stored = new Map(rows.map((row) => [row.id, row]))
  const findings: string[] = []
  for (const [id, email] of expected)
    if (stored.get(id)?.email !== email) findings.push(`account ${email} was acknowledged and is missing`)
  for (const { id, email, registros, eventos } of rows) {
    if (!expected.has(id)) findings.push(`account ${email} is there once more (${id})`)
    if (registros !== 1) findings.push(`account ${email} has ${registros} records in the audit`)
    if (eventos !== 1) findings.push(`account ${email} has ${eventos} events`)
  }
  return findings
}

async function verifyEventos(target: Verifiable, expected: Expectation['casos']): Promise<string[]> {
  const token = await target.service.login(ADMIN, PASSWORD)
  const wanted = [...expected.values()].reduce((sum, { versao }) => sum + versao, 0)
  const told = new Map<string, number>()
  let read = 0
  let cursor = ''
  // Feed positions are assigned a moment after the commit.
  for (let patience = 50; patience > 0; ) {
    const { body } = await target.service.request(
      `/api/v1/eventos?size=100&tipo=agravo.criado,agravo.atualizado${cursor}`,
      { token },
    )
    for (const { dados } of body.eventos) {
      const change = `${dados.id}:${dados.versao}`
      told.set(change, (told.get(change) ?? 0) + 1)
      read += 1
    }
    cursor = `&cursor=${body.cursor}`
    if (body.mais) continue
    if (read >= wanted) break
    patience -= 1
    await sleep(200)
  }
  const findings: string[] = []
  for (const [id, { numero, versao }] of expected)
    for (let each = 1; each <= versao; each++) {
      const times = told.get(`${id}:${each}`) ?? 0
      if (times !== 1) findings.push(`version ${each} of case ${numero} has ${times} events`)
    }
  if (read > wanted) findings.push(`${read - wanted} events tell of what was never acknowledged`)
  return findings
}

async function verifyStatistics(target: Verifiable, client: pg.Client): Promise<string[]> {
  const token = await target.service.login(ADMIN, PASSWORD)
  const { body } = await target.service.request('/api/v1/agravos/casos/estatisticas/resumo', { token })
  const { rows } = await client.query('select count(*)::int as total from casos where excluido_em is null')
  return body.total === rows[0].total
    ? []
    : [`statistics count ${body.total} cases, there are ${rows[0].total}`]
}

async function verifyAudit({ folder, env }: Verifiable): Promise<string[]> {
  const { code, stderr } = await folder.run(['audit:verify'], env)
  return code === 0 ? [] : [stderr.trim()]
}
