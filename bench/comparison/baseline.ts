import http from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { ABERTO } from '../../src/domain/casos/casos.sql.ts'

/**
 * What the service is compared with: bare `node:http` and `pg`, plain SQL on the same tables, `count(*)` and `OFFSET`,
 * no accounts, no checks, no limits. It writes into a copy of the table of cases, with its indexes and without triggers.
 */
const pool = new pg.Pool({ connectionString: process.argv[2] as string, max: 10 })
/** As many as the service gives where nobody asks. */
const SIZE = 50

interface Asked {
  estado: string | null
  tipo: string | null
  de: string | null
  ate: string | null
}

function conditionOf({ estado, tipo, de, ate }: Asked): { text: string; values: string[] } {
  const values: string[] = []
  const tests = ['c.excluido_em is null']
  const add = (column: string, value: string | null) => {
    if (value !== null) tests.push(`${column} $${values.push(value)}`)
  }
  add('c.estado_residencia =', estado)
  add('c.tipo_agravo =', tipo)
  add('c.data_notificacao >=', de)
  add('c.data_notificacao <=', ate)
  return { text: tests.join(' and '), values }
}

async function list(asked: Asked, page: number): Promise<unknown> {
  const { text, values } = conditionOf(asked)
  const [items, counted] = await Promise.all([
    pool.query(
      `select ${ABERTO.text} from casos c where ${text}
       order by c.data_notificacao desc, c.id desc limit ${SIZE} offset ${(page - 1) * SIZE}`,
      values,
    ),
    pool.query(`select count(*) as total from casos c where ${text}`, values),
  ])
  return { total: Number(counted.rows[0].total), page, casos: items.rows }
}

const NUMBERS = `count(*) as total,
  count(*) filter (where classificacao_final not in ('descartado', 'inconclusivo')) as confirmado,
  count(*) filter (where classificacao_final = 'descartado') as descartado,
  count(*) filter (where classificacao_final = 'inconclusivo') as inconclusivo,
  count(*) filter (where classificacao_final is null) as em_investigacao,
  count(*) filter (where hospitalizacao) as hospitalizados,
  count(*) filter (where evolucao = 'obito') as obitos`

async function summary(asked: Asked): Promise<unknown> {
  const { text, values } = conditionOf(asked)
  const [totals, months] = await Promise.all([
    pool.query(
      `select ${NUMBERS}, min(data_notificacao) as primeira, max(data_notificacao) as ultima from casos c where ${text}`,
      values,
    ),
    pool.query(
      `select to_char(data_notificacao, 'YYYY-MM') as mes, ${NUMBERS} from casos c where ${text} group by 1 order by 1`,
      values,
    ),
  ])
  return { numeros: totals.rows[0], serie: months.rows }
}

async function byId(id: number): Promise<unknown> {
  const { rows } = await pool.query(`select ${ABERTO.text} from casos c where c.id = $1`, [id])
  return rows[0]
}

/** As many columns as the service fills; what that encrypts is stored as it comes. */
async function create(caso: Record<string, unknown>): Promise<unknown> {
  const { paciente_nome, paciente_data_nascimento, dados_especificos, ...columns } = caso
  const row = {
    ...columns,
    paciente_iniciais: 'M.S.',
    paciente_idade: 30,
    status: 'em_investigacao',
    dados: JSON.stringify(dados_especificos),
    sigilo: Buffer.from(JSON.stringify({ paciente_nome, paciente_data_nascimento })),
    criado_por_id: 1,
    criado_por_nome: 'Administrador',
    responsavel_id: 1,
    criado_em: new Date(),
    atualizado_em: new Date(),
  }
  const names = Object.keys(row)
  const { rows } = await pool.query(
    `insert into bench.casos (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')}) returning id`,
    Object.values(row),
  )
  return { ...caso, id: rows[0].id }
}

async function answer(request: http.IncomingMessage): Promise<unknown> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const given = (name: string) => url.searchParams.get(name)
  const asked = { estado: given('estado'), tipo: given('tipo'), de: given('de'), ate: given('ate') }
  if (request.method === 'POST') return create(JSON.parse(Buffer.concat(await request.toArray()).toString()))
  if (url.pathname === '/resumo') return summary(asked)
  if (url.pathname === '/casos') return list(asked, Number(given('page') ?? 1))
  return byId(Number(url.pathname.split('/')[2]))
}

const server = http.createServer((request, response) => {
  answer(request).then(
    (body) => {
      const text = Buffer.from(JSON.stringify(body))
      response.writeHead(request.method === 'POST' ? 201 : 200, {
        'content-type': 'application/json',
        'content-length': text.length,
      })
      response.end(text)
    },
    (error) => {
      console.error(error)
      response.writeHead(500, { 'content-length': 0 })
      response.end()
    },
  )
})
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port })
})
