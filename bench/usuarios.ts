import type { Caller } from '../src/caller/caller.ts'
import { type LugarDoTerritorio, resolveTerritorio } from '../src/caller/territorio.ts'
import type { Database } from '../src/db/db.ts'
import { type Sql, sql } from '../src/db/sql.ts'
import { historyOf } from '../src/domain/auditoria/history.ts'
import { getUsuarioWithRights } from '../src/domain/contas/contas.ts'
import { AGRUPAMENTOS, userStatistics } from '../src/domain/usuarios/estatisticas.ts'
import { pageOfUsuarios, sliceOfUsuarios, USUARIOS_LIST } from '../src/domain/usuarios/list.ts'
import { operatorsOf } from '../src/filter.ts'
import { parseFilters } from '../src/http/filters.ts'
import { benchService } from './service.ts'

/**
 * Database time of the first page of users (rows and total) for every kind of filter, order and search: planning plus
 * execution of each statement under EXPLAIN ANALYZE, the least of five runs. Then the time of pages of callers with a territory
 * against those of a caller without one, by turns: p95 at most 1.1 times. `npx node bench/usuarios.ts [accounts]`
 */
const ALL_BARS: Record<string, number> = { 10000: 25, 100000: 150 }
const BARS = Object.entries(ALL_BARS).filter(([users]) => [undefined, users].includes(process.argv[2]))
const TURNS = 300
const AT_MOST = 1.1
const RUNS = 5
const SIZE = 50
type Work = (db: Database) => Promise<unknown>

const { db, app, close } = await benchService('admin@bench.local', { statementTimeoutMs: 300_000 })

/** Deterministic value from a list; a prime for each column makes the columns independent. */
const pick = (list: string, prime: number): Sql =>
  sql`(string_to_array(${list}, ','))[1 + ((i::bigint * ${prime}::bigint) / 7 % cardinality(string_to_array(${list}, ',')))::int]`
const NAMES = 'João,Maria,José,Antônia,Luís,Conceição,Sebastião,Ângela,Inês,Fábio,Ana,Carlos,Júlia,Zélia'
const SURNAMES = 'Araújo,Gonçalves,Magalhães,Falcão,Assunção,Brandão,Silva,Souza,Cavalcanti,Nóbrega'
const CITIES = 'São Paulo,Recife,Belém,Goiânia,Brasília,Maceió,Vitória,Olinda,Jaboatão dos Guararapes'

async function fill(users: number): Promise<void> {
  await db.run(sql`
    insert into usuarios (nome, email, senha_hash, cpf, cidade, estado, instituicao, cargo, departamento, telefone, admin,
                          plano, email_verificado, desativado_em, criado_em, atualizado_em, ultimo_acesso, mfa_ativado_em)
    select concat_ws(' ', ${pick(NAMES, 7919)}, ${pick(NAMES, 104_729)}, ${pick(SURNAMES, 1_299_709)}, ${pick(SURNAMES, 15_485_863)}),
           'pessoa' || md5(i::text) || '@' || ${pick('saude.gov.br,recife.pe.gov.br,usp.br,exemplo.org', 31)},
           'x', lpad(i::text, 11, '0'), ${pick(CITIES, 611_953)}, ${pick('SP,PE,PA,GO,DF,SC,AL,ES,MT,BA,RJ,CE,MG,RS', 350_377)},
           ${pick('Secretaria de Saúde,Hospital das Clínicas,UBS,Laboratório Central', 22_283)} || ' de ' || ${pick(CITIES, 99_991)},
           ${pick('Epidemiologista,Médico,Enfermeira,Digitador,Biólogo', 57_689)},
           ${pick('Vigilância,Imunização,Laboratório,Regulação', 48_611)}, '(81) 98888-1234', i % 1000 = 0,
           case when i % 50 = 0 then 'premium' else 'basico' end, i % 3 > 0,
           case when i % 10 = 0 then now() end, now() - i * interval '5 minutes',
           now() - i * 7919::bigint % ${users}::int * interval '3 minutes',
           case when i % 4 > 0 then now() - i * 104729::bigint % ${users}::int * interval '1 minute' end,
           case when i % 20 = 0 then now() end
      from generate_series((select count(*) from usuarios), ${users}::int) i`)
  await db.run(sql`
    insert into usuarios_grupos (usuario_id, grupo_id)
    select u.id, g.id from usuarios u join grupos g on g.nome = case
      when u.id % 500 = 0 then 'gestor' when u.id % 20 = 0 then 'analista' when u.id % 7 = 0 then 'visualizador' else 'usuario' end
    on conflict do nothing`)
  // Most accounts of a country belong to a municipality, some to two; a few to a state, or to no place.
  const municipios = app.municipios.all.map(({ codigo }) => String(codigo)).join()
  await db.run(sql`
    insert into usuarios_territorios (usuario_id, nivel, codigo)
    select i, 'municipio', ${pick(municipios, 7919)} from (select id as i from usuarios where id % 20 > 0) one
    union all
    select i, 'municipio', ${pick(municipios, 104_729)} from (select id as i from usuarios where id % 10 = 5) two
    union all
    select i, 'uf', ${pick('SP,PE,PA,GO,DF', 31)} from (select id as i from usuarios where id % 40 = 0) three
    on conflict do nothing`)
  await db.run(sql`vacuum (analyze)`)
}

/** Runs the work on a database that adds up planning and execution time of its statements. */
async function databaseTime(work: Work): Promise<number> {
  let ms = 0
  async function explain(query: Sql): Promise<void> {
    const [plan] = await db.value<Record<'Planning Time' | 'Execution Time', number>[]>(
      sql`explain (analyze, timing off, format json) ${query}`,
    )
    ms += (plan?.['Planning Time'] ?? 0) + (plan?.['Execution Time'] ?? 0)
  }
  const explained: Database = { ...db }
  for (const verb of ['rows', 'first', 'one', 'value'] as const)
    explained[verb] = async (query: Sql) => {
      await explain(query)
      return db[verb](query) as never
    }
  await work(explained)
  return ms
}

const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString()
/** A rare and a frequent value of each field. */
const VALUES: Record<string, [string, string]> = {
  id: ['77', '5000'],
  nome: ['zélia zélia nóbrega', 'Maria'],
  email: ['pessoaabc1', 'usp.br'],
  cpf: ['00000000077', '00000000078'],
  cidade: ['jaboatão dos', 'Olinda'],
  estado: ['RS', 'PE'],
  instituicao: ['central de olinda', 'UBS'],
  cargo: ['biólogo', 'Médico'],
  departamento: ['imuniza', 'Vigilância'],
  admin: ['true', 'false'],
  ativo: ['false', 'true'],
  plano: ['premium', 'basico'],
  email_verificado: ['false', 'true'],
  mfa_habilitado: ['true', 'false'],
  grupo_id: ['2', '4'],
  criado_em: [YESTERDAY, '2026-01-01'],
  atualizado_em: [YESTERDAY, '2026-01-01'],
  ultimo_acesso: [YESTERDAY, '2026-01-01'],
  territorio: ['2611606', 'SP'],
}
const SEARCHES = ['a', 'z', 'á', 'ão', 'zq', 'ara', 'xyz', 'conceição', 'gonçalves', 'ninguém se chama assim']

const PAGES: Record<string, string>[] = [
  {},
  ...Object.entries(USUARIOS_LIST.fields).flatMap(([name, field]) =>
    operatorsOf(field).flatMap((op) => (VALUES[name] ?? []).map((value) => ({ [`${name}[${op}]`]: value }))),
  ),
  ...USUARIOS_LIST.sortable.flatMap((sort) =>
    ['asc', 'desc'].flatMap((order) => [
      { sort, order },
      { sort, order, ativo: 'true', search: 'a' },
    ]),
  ),
  ...SEARCHES.flatMap((search) => [{ search }, { search, sort: 'nome' }]),
  { search: '{"and":[{"ativo":true},{"or":[{"estado":{"in":["PE","PB"]}},{"nome":{"like":"falcão"}}]}]}' },
  { search: '{"or":[{"cidade":"Olinda"},{"email":{"like":"abc1"}}]}' },
]

function page({ sort = 'id', order = 'asc', ...filters }: Record<string, string>, caller = EVERYWHERE): Work {
  const { filter, problems } = parseFilters(filters, USUARIOS_LIST)
  if (problems.length > 0) throw new Error(JSON.stringify(problems))
  return (db) =>
    pageOfUsuarios({ ...app, db }, caller, { page: 1, size: SIZE, sort, order: order as 'asc', filter })
}

/** Callers without a territory, and with a state, a region or two municipalities. */
const EVERYWHERE: Pick<Caller, 'id' | 'territorio'> = { id: 1, territorio: null }
const BOUND: Record<string, readonly LugarDoTerritorio[]> = {
  state: [{ nivel: 'uf', codigo: 'SP' }],
  region: [{ nivel: 'regiao_saude', codigo: '26010' }],
  municipalities: [
    { nivel: 'municipio', codigo: '2611606' },
    { nivel: 'municipio', codigo: '2609600' },
  ],
}

const QUESTIONS = new Map<string, Work>()
for (const query of PAGES) QUESTIONS.set(`page ${new URLSearchParams(query)}`, page(query))
const SCOPED: Record<string, string>[] = [{}, { sort: 'nome' }, { search: 'a' }, { ativo: 'true' }]
const boundTo = (lugares: readonly LugarDoTerritorio[]) => ({
  id: 1,
  territorio: resolveTerritorio(app, lugares),
})
for (const [name, lugares] of Object.entries(BOUND))
  for (const query of SCOPED)
    QUESTIONS.set(`page within a ${name} ${new URLSearchParams(query)}`, page(query, boundTo(lugares)))
for (const text of SEARCHES)
  QUESTIONS.set(`wide search ${text}`, (db) =>
    sliceOfUsuarios({ ...app, db }, { kind: 'search', text }, { size: SIZE, offset: 0 }),
  )
for (const by of AGRUPAMENTOS)
  QUESTIONS.set(`statistics by ${by}`, (db) =>
    userStatistics({ db, clock: app.clock }, EVERYWHERE, 'ultimos_30_dias', by),
  )
QUESTIONS.set('one account', (db) => getUsuarioWithRights({ db }, 77))
QUESTIONS.set('history of one account', (db) => historyOf({ db }, 'usuario', 77))

/** Least of several runs: the others include time that the database queued for a CPU. */
async function least(work: Work): Promise<number> {
  const found: number[] = []
  for (let i = 0; i < RUNS; i++) found.push(await databaseTime(work))
  return Math.min(...found)
}

const p95 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(0.95 * times.length)] as number

/** Time of pages by territory, in turns, so that a busy moment meets all alike. True where one takes too long. */
async function compareScopes(query: Record<string, string>): Promise<boolean> {
  const callers = { everywhere: EVERYWHERE, ...mapValues(BOUND, boundTo) }
  const times = mapValues(callers, () => [] as number[])
  for (let turn = -20; turn < TURNS; turn++)
    for (const [name, caller] of Object.entries(callers)) {
      const begun = performance.now()
      await page(query, caller)(db)
      if (turn >= 0) times[name]?.push(performance.now() - begun)
    }
  const whole = p95(times.everywhere ?? [])
  const shown = Object.entries(times).map(([name, of]) => {
    const ms = p95(of)
    return `${name} ${ms.toFixed(2)} (${(ms / whole).toFixed(2)})`
  })
  console.log(`p95 of page ${decodeURIComponent(String(new URLSearchParams(query)))}: ${shown.join(', ')}`)
  return Object.values(times).some((of) => p95(of) > AT_MOST * whole)
}

function mapValues<A, B>(record: Record<string, A>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}

let failed = false
for (const [users, bar] of BARS) {
  await fill(Number(users))
  const times: [number, string][] = []
  for (const [name, work] of QUESTIONS) times.push([await least(work), name])
  times.sort(([a], [b]) => b - a)
  // The bar is for pages; statistics read every account, and are shown beside them.
  failed ||= times.some(([ms, name]) => ms > bar && !name.startsWith('statistics'))
  console.log(`${users} accounts, ${times.length} questions, ${bar} ms allowed for a page; the slowest:`)
  for (const [ms, name] of times.slice(0, 12))
    console.log(`${ms.toFixed(1).padStart(8)}  ${decodeURIComponent(name)}`)
  for (const query of SCOPED) failed = (await compareScopes(query)) || failed
}
await close()
process.exit(failed ? 1 : 0)
