import http from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { leafOf, SECRET_FIELDS } from '../../src/domain/casos/campos.ts'
import { OPEN_COLUMNS } from '../../src/domain/casos/casos.sql.ts'

/**
 * Baseline: bare `node:http` and `pg`, plain SQL on the same tables and columns, `count(*)` and
 * `OFFSET`, no accounts, no checks, no limits. It writes into a copy of the table of cases, with its indexes and without triggers.
 */
const pool = new pg.Pool({ connectionString: process.argv[2] as string, max: 10 })

/** Columns that the service lists a case by. */
const LISTED = `c.id, c.tipo_agravo, c.numero_notificacao, c.data_notificacao, c.data_inicio_sintomas, c.paciente_iniciais,
  c.paciente_idade, c.paciente_sexo, c.paciente_gestante, c.municipio_residencia, c.estado_residencia, c.bairro_residencia,
  c.zona_residencia, c.classificacao_final, c.criterio_confirmacao, c.evolucao, c.hospitalizacao, c.status, c.unidade_cnes,
  c.dados, c.criado_em, c.atualizado_em`

interface Asked {
  estado: string | null
  tipo: string | null
  de: string | null
  ate: string | null
}

const COLUMN_OF: Record<keyof Asked, string> = {
  estado: 'c.estado_residencia =',
  tipo: 'c.tipo_agravo =',
  de: 'c.data_notificacao >=',
  ate: 'c.data_notificacao <=',
}

function conditionOf(asked: Asked): { text: string; values: string[] } {
  const values: string[] = []
  const tests = ['c.excluido_em is null']
  for (const [name, test] of Object.entries(COLUMN_OF)) {
    const value = asked[name as keyof Asked]
    if (value !== null) tests.push(`${test} $${values.push(value)}`)
  }
  return { text: tests.join(' and '), values }
}

async function list(asked: Asked, page: number, size: number, order: 'asc' | 'desc'): Promise<unknown> {
  const { text, values } = conditionOf(asked)
  const n = values.length
  const [items, counted] = await Promise.all([
    pool.query(
      `select ${LISTED} from casos c where ${text}
       order by c.data_notificacao ${order}, c.id ${order} limit $${n + 1} offset $${n + 2}`,
      [...values, size, (page - 1) * size],
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
  const { rows } = await pool.query(`select ${OPEN_COLUMNS.text} from casos c where c.id = $1`, [id])
  return rows[0]
}

const SECRET = new Set(SECRET_FIELDS.map(leafOf))

/** Every column that the service fills; the part that it encrypts is stored as it comes. */
async function create(caso: Record<string, unknown>): Promise<unknown> {
  const {
    dados_especificos,
    dados_clinicos,
    dados_laboratoriais,
    investigacao,
    unidade_notificante,
    ...flat
  } = caso as Record<string, Record<string, unknown>>
  const { sinais_sintomas, ...clinicos } = dados_clinicos ?? {}
  const { locais_frequentados, ...investigated } = investigacao ?? {}
  const { cnes, ...unit } = unidade_notificante ?? {}
  const columns: Record<string, unknown> = {}
  const secret: Record<string, unknown> = { locais_frequentados }
  for (const [name, value] of Object.entries(flat))
    if (SECRET.has(name)) secret[name] = value
    else columns[name] = value
  const dados = {
    ...dados_especificos,
    ...clinicos,
    ...(sinais_sintomas as object),
    ...dados_laboratoriais,
    ...investigated,
    ...unit,
  }
  const row = {
    ...columns,
    unidade_cnes: cnes,
    paciente_iniciais: 'M.S.',
    cep_setor: String(secret.cep_residencia).slice(0, 5),
    cep_chave: Buffer.from(String(secret.cep_residencia)),
    latitude_aproximada: Math.round(Number(secret.latitude) * 100) / 100,
    longitude_aproximada: Math.round(Number(secret.longitude) * 100) / 100,
    dados: JSON.stringify(dados),
    sigilo: Buffer.from(JSON.stringify(secret)),
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
  const { tipo_agravo, numero_notificacao, status } = columns
  return { id: rows[0].id, tipo_agravo, numero_notificacao, status, criado_em: row.criado_em }
}

async function answer(request: http.IncomingMessage): Promise<unknown> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const given = (name: string) => url.searchParams.get(name)
  const asked = { estado: given('estado'), tipo: given('tipo'), de: given('de'), ate: given('ate') }
  if (request.method === 'POST') return create(JSON.parse(Buffer.concat(await request.toArray()).toString()))
  if (url.pathname === '/resumo') return summary(asked)
  if (url.pathname === '/casos')
    return list(
      asked,
      Number(given('page') ?? 1),
      Number(given('size')),
      given('order') === 'asc' ? 'asc' : 'desc',
    )
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
