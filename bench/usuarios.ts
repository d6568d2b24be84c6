import { fromListQueryA } from '../src/contracts/a/usuarios.shapes.ts'
import type { Database } from '../src/db/db.ts'
import { Sql, sql } from '../src/db/sql.ts'
import { createFichario } from '../src/domain/usuarios/fichario/fichario.ts'
import { pageOfUsuarios, sliceOfUsuarios, USUARIOS_LIST } from '../src/domain/usuarios/list.ts'
import { parseFilters } from '../src/http/filters.ts'
import { benchService } from './service.ts'

/**
 * How long does PostgreSQL take for a page of 100,000 users? The statements are those that the service itself sends,
 * each under EXPLAIN ANALYZE: planning plus execution, the median of a few runs; beside them, what the same page takes
 * without the accounts in memory. `npm run bench:users [-- users]`
 */
const USERS = Number(process.argv[2] ?? 100_000)
const RUNS = 5
const MAX_MS = 20
const SIZE = 50

const { db, app, close } = await benchService('admin@bench.local', { statementTimeoutMs: 300_000 })

const FIRST = [
  'João',
  'Maria',
  'José',
  'Antônia',
  'Luís',
  'Conceição',
  'Sebastião',
  'Ângela',
  'Inês',
  'Fábio',
]
const MORE_FIRST = [
  'Ana',
  'Carlos',
  'Patrícia',
  'Marcos',
  'Júlia',
  'Rafael',
  'Beatriz',
  'Otávio',
  'Zélia',
  'Davi',
]
const MIDDLE = [
  'Aparecida',
  'Henrique',
  'Cristina',
  'Eduardo',
  'Lúcia',
  'Augusto',
  'Regina',
  'César',
  'Íris',
  '',
]
const LAST = [
  'Araújo',
  'Gonçalves',
  'Magalhães',
  'Simões',
  'Conceição',
  'Falcão',
  'Assunção',
  'Brandão',
  'Lourenço',
]
const MORE_LAST = ['Silva', 'Souza', 'Pereira', 'Ferreira', 'Albuquerque', 'Cavalcanti', 'Tavares', 'Nóbrega']
const CITIES = [
  'São Paulo',
  'Recife',
  'Belém',
  'Goiânia',
  'Brasília',
  'Florianópolis',
  'Maceió',
  'Vitória',
  'Cuiabá',
]
const MORE_CITIES = [
  'Olinda',
  'Caruaru',
  'Petrolina',
  'Jaboatão dos Guararapes',
  'Camaçari',
  'Niterói',
  'Santarém',
]
const STATES = [
  'SP',
  'PE',
  'PA',
  'GO',
  'DF',
  'SC',
  'AL',
  'ES',
  'MT',
  'BA',
  'RJ',
  'CE',
  'MG',
  'RS',
  'PR',
  'AM',
  'AC',
]
const PLACES = [
  'Secretaria de Saúde',
  'Hospital das Clínicas',
  'UBS',
  'Laboratório Central',
  'Vigilância Sanitária',
]
const FIRSTS = [...FIRST, ...MORE_FIRST]
const LASTS = [...LAST, ...MORE_LAST]
const CITIES_ALL = [...CITIES, ...MORE_CITIES]

/** One of the list, spread by a prime of its own so that the columns do not move together. */
const pick = (list: string[], prime: number): Sql =>
  sql`(${list}::text[])[1 + ((i::bigint * ${prime}::bigint) / 7 % ${list.length}::int)::int]`

await db.run(sql`
  insert into usuarios (nome, email, senha_hash, cpf, cidade, estado, instituicao, cargo, departamento, telefone, admin,
                        plano, email_verificado, desativado_em, criado_em, atualizado_em, ultimo_acesso, mfa_ativado_em)
  select concat_ws(' ', ${pick(FIRSTS, 7919)}, nullif(${pick(MIDDLE, 104_729)}, ''), ${pick(LASTS, 1_299_709)},
                   ${pick(LASTS, 15_485_863)}),
         'pessoa' || md5(i::text) || '@' || ${pick(['saude.gov.br', 'recife.pe.gov.br', 'usp.br', 'exemplo.org'], 31)},
         'x', lpad(i::text, 11, '0'), ${pick(CITIES_ALL, 611_953)}, ${pick(STATES, 350_377)},
         ${pick(PLACES, 22_283)} || ' de ' || ${pick(CITIES_ALL, 99_991)},
         ${pick(['Epidemiologista', 'Médico', 'Enfermeira', 'Digitador', 'Biólogo'], 57_689)},
         ${pick(['Vigilância', 'Imunização', 'Laboratório', 'Regulação'], 48_611)},
         '(81) 9' || lpad((i % 10000)::text, 4, '0') || '-1234', i % 1000 = 0,
         case when i % 50 = 0 then 'premium' else 'basico' end, i % 3 > 0,
         case when i % 10 = 0 then now() end, now() - (${USERS}::int - i) * interval '7 minutes',
         now() - i * 7919::bigint % ${USERS}::int * interval '3 minutes',
         case when i % 4 > 0 then now() - i * 104729::bigint % ${USERS}::int * interval '1 minute' end,
         case when i % 20 = 0 then now() end
    from generate_series(1, ${USERS}::int) i`)
await db.run(sql`
  insert into usuarios_grupos (usuario_id, grupo_id)
  select u.id, g.id from usuarios u join grupos g on g.nome = case
    when u.id % 500 = 0 then 'gestor' when u.id % 20 = 0 then 'analista' when u.id % 7 = 0 then 'visualizador' else 'usuario' end
  on conflict do nothing`)
await db.run(sql`
  insert into usuarios_permissoes (usuario_id, permissao_id)
  select u.id, p.id from usuarios u join permissoes p on p.nome = 'relatorios.gerar' where u.id % 30 = 0`)
// As autovacuum leaves a table that is not being filled.
await db.run(sql`vacuum (analyze)`)

interface Plan {
  'Node Type': string
  'Index Name'?: string
  Plans?: Plan[]
}
interface Explained {
  Plan: Plan
  'Planning Time': number
  'Execution Time': number
}
interface Statement {
  ms: number
  reads: 'page' | 'other'
  indexes: string[]
  scansAll: boolean
}

const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]

/** Runs what it is given, and once more under EXPLAIN ANALYZE. */
function explaining(found: Statement[]): Database {
  async function explain(query: Sql): Promise<void> {
    const [head = '', ...rest] = query.strings
    const text = new Sql([`explain (analyze, timing off, format json) ${head}`, ...rest], query.values)
    const row = await db.first<{ 'QUERY PLAN': Explained[] }>(text)
    const explained = row?.['QUERY PLAN'][0] as Explained
    const all = nodes(explained.Plan)
    const onUsers = all
      .flatMap((node) => node['Index Name'] ?? [])
      .filter((name) => name.startsWith('usuarios__'))
    found.push({
      ms: explained['Planning Time'] + explained['Execution Time'],
      reads: head.includes('with pagina') ? 'page' : 'other',
      indexes: [...new Set(onUsers)],
      scansAll: all.some(
        (node) =>
          node['Node Type'] === 'Seq Scan' &&
          (node as { 'Relation Name'?: string })['Relation Name'] === 'usuarios',
      ),
    })
  }
  const observed: Database = {
    ...db,
    rows: async (query) => {
      await explain(query)
      return db.rows(query)
    },
    first: async (query) => {
      await explain(query)
      return db.first(query)
    },
    together: async (work, item) => (await work(observed, [item]))[0] as never,
  }
  return observed
}

const statements: Statement[] = []
const observed = explaining(statements)
/** The service's own way, and the one it goes when there are too many accounts to keep them in memory. */
const inMemory = { db: observed, fichario: createFichario(observed) }
const inDatabase = { db: observed, fichario: createFichario(observed, { most: 0 }) }
type Way = Pick<typeof app, 'db' | 'fichario'>

/** As the query string of description A (limit, offset) or B (page, size). */
type Query = { form: 'A' | 'B'; query: Record<string, string> }
const a = (query: Record<string, string>): Query => ({ form: 'A', query })
const b = (query: Record<string, string>): Query => ({ form: 'B', query })

const SEARCHES = [
  'a',
  'z',
  'á',
  'ão',
  'zq',
  'ara',
  'conceição',
  'gonçalve',
  'são paul',
  'ninguém se chama assim',
]
const QUERIES: Query[] = [
  a({}),
  ...['nome', 'email', 'cidade', 'estado'].flatMap((field) => [
    a({ [field]: field === 'estado' ? 'p' : 'a' }),
    a({ [field]: { nome: 'conceição', email: 'abc1', cidade: 'olind', estado: 'PE' }[field] as string }),
    a({ [field]: 'zzzz' }),
  ]),
  ...['admin', 'ativo'].flatMap((field) => [a({ [field]: 'true' }), a({ [field]: 'false' })]),
  ...SEARCHES.map((search) => a({ search })),
  b({}),
  ...SEARCHES.map((search) => b({ search })),
  b({ nome: 'João' }),
  b({ nome: 'jo' }),
  b({ email: 'usp.br' }),
  b({ cidade: 'Jaboatão' }),
  b({ estado: 'PE' }),
  b({ instituicao: 'Laboratório' }),
  b({ cargo: 'médico' }),
  b({ departamento: 'imuniza' }),
  b({ 'nome[eq]': 'João Silva' }),
  b({ 'nome[gt]': 'Y' }),
  b({ 'email[eq]': 'admin@bench.local' }),
  b({ cpf: '00000000077' }),
  b({ id: '77' }),
  b({ 'id[gt]': '99000' }),
  b({ admin: 'true' }),
  b({ ativo: 'true' }),
  b({ ativo: 'false' }),
  b({ plano: 'premium' }),
  b({ email_verificado: 'false' }),
  b({ mfa_habilitado: 'true' }),
  b({ grupo_id: '1' }),
  b({ grupo_id: '2' }),
  b({ grupo_id: '4' }),
  b({ 'criado_em[gte]': '2026-01-01' }),
  b({ 'atualizado_em[gte]': '2026-01-01' }),
  b({ 'ultimo_acesso[lt]': '2026-01-01' }),
  b({ search: '{"and":[{"ativo":true},{"or":[{"estado":{"in":["PE","PB"]}},{"nome":{"like":"falcão"}}]}]}' }),
  b({ search: '{"or":[{"cidade":"Olinda"},{"email":{"like":"abc1"}}]}' }),
  ...USUARIOS_LIST.sortable.flatMap((sort) => [b({ sort }), b({ sort, order: 'desc' })]),
  b({ sort: 'nome', estado: 'PE' }),
  b({ sort: 'nome', search: 'falcão' }),
  b({ sort: 'nome', nome: 'falcão', ativo: 'true' }),
  b({ sort: 'criado_em', order: 'desc', ativo: 'true' }),
  b({ sort: 'ultimo_acesso', order: 'desc', ativo: 'true' }),
  b({ sort: 'ultimo_acesso', 'ultimo_acesso[gt]': '2020-01-01' }),
  b({ sort: 'cargo', order: 'desc', search: 'a' }),
  // Those who are wanted come last of all, or somewhere in the middle, all together.
  b({ sort: 'cidade', cidade: 'vitória' }),
  b({ sort: 'nome', nome: 'maria' }),
  b({ sort: 'nome', 'nome[gt]': 'T' }),
  b({ sort: 'criado_em', 'id[lt]': '20000' }),
  b({ sort: 'nome', page: '20' }),
]
/** Far from page 1, so no limit holds; shown for what it is. */
const LAST_PAGES: Query[] = [
  a({ offset: String(USERS - SIZE) }),
  b({ page: String(Math.ceil(USERS / SIZE)) }),
  b({ page: String(Math.ceil(USERS / SIZE)), sort: 'nome' }),
]

/** As description A asks, or B. */
function parse({ form, query }: Query): (way: Way) => Promise<unknown> {
  if (form === 'A') {
    const { offset = '0', ...filters } = query
    const typed = Object.fromEntries(
      Object.entries(filters).map(([name, text]) => [
        name,
        text === 'true' ? true : text === 'false' ? false : text,
      ]),
    )
    const filter = fromListQueryA(typed as never)
    return (way) => sliceOfUsuarios(way, filter, { size: SIZE, offset: Number(offset) })
  }
  const { page = '1', sort = USUARIOS_LIST.defaultSort.field, order = 'asc', ...filters } = query
  const { filter, problems } = parseFilters(filters, USUARIOS_LIST)
  if (problems.length > 0) throw new Error(JSON.stringify(problems))
  const list = { page: Number(page), size: SIZE, sort, order: order as 'asc', filter }
  return (way) => pageOfUsuarios(way, list)
}

const median = (times: number[]) => times.toSorted((x, y) => x - y)[times.length >> 1] as number
const column = (text: string, width: number) => text.padEnd(width).slice(0, Math.max(width, text.length))

async function times(work: () => Promise<unknown>): Promise<Statement[][]> {
  const runs: Statement[][] = []
  for (let i = 0; i < RUNS; i++) {
    statements.length = 0
    await work()
    runs.push([...statements])
  }
  return runs
}

/** How long the service itself is busy with the page: finding who is on it, sending statements, reading rows. */
async function busy(page: (way: Way) => Promise<unknown>): Promise<number> {
  const found: number[] = []
  for (let i = 0; i < RUNS; i++) {
    const before = performance.eventLoopUtilization()
    await page(app)
    found.push(performance.eventLoopUtilization(before).active)
  }
  return median(found)
}

async function report(one: Query): Promise<number> {
  const page = parse(one)
  const before = await times(() => page(inDatabase))
  const runs = await times(() => page(inMemory))
  const timeOf = (all: Statement[][], reads?: Statement['reads']) =>
    median(
      all.map((run) =>
        run.reduce((sum, s) => sum + (reads === undefined || s.reads === reads ? s.ms : 0), 0),
      ),
    )
  const sum = timeOf(runs)
  const last = runs.at(-1) ?? []
  const indexes = [...new Set(last.flatMap((statement) => statement.indexes))].join(' ')
  const words = Object.entries(one.query).map(([name, value]) => `${name}=${value}`)
  const figures = [timeOf(runs, 'page'), timeOf(runs, 'other'), sum, timeOf(before), await busy(page)]
  const numbers = figures.map((ms) => ms.toFixed(1).padStart(7)).join(' ')
  const scan = last.some(({ scansAll }) => scansAll) ? 'scan ' : ''
  console.log(`${one.form} ${column(words.join('&') || '(no filter)', 44)} ${numbers}  ${scan}${indexes}`)
  return sum
}

const began = performance.now()
await parse(b({}))(app)
console.log(`${USERS} users read into memory in ${Math.round(performance.now() - began)} ms`)
await parse(b({}))(inMemory)
console.log(
  `page of ${SIZE}; ms of the database, median of ${RUNS}; without: as the database alone would find them;`,
)
console.log('busy: ms of the service')
console.log(`  ${column('query', 44)}    page    rest     sum without    busy  index`)
let worst = 0
for (const query of QUERIES) worst = Math.max(worst, await report(query))
console.log('last page:')
for (const query of LAST_PAGES) await report(query)
console.log(`slowest page 1: ${worst.toFixed(1)} ms (allowed: ${MAX_MS})`)

await close()
process.exit(worst <= MAX_MS ? 0 : 1)
