import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { describedContracts } from '../src/contracts/service.routes.ts'
import { sql } from '../src/db/sql.ts'
import { anexosOf } from './contracts/b/anexos-app.ts'
import { type Person, testApp } from './harness/app.ts'
import { bind } from './harness/bound.ts'

/**
 * Every operation against territories. Each is named here with what bounds it: `caso` takes the id of a case and is asked for
 * cases in and out of five territories; the others are tested where the words say.
 */
const CASES_OF = 'test/casos-properties.test.ts and test/contracts/b/casos-territorio.test.ts'
const BULK = 'test/contracts/b: importacoes, desfazer, exportacoes and jobs'
const FEED = 'test/contracts/b: eventos and webhooks'
const ACCOUNTS = 'test/contracts/b: territories of accounts'
const NOT_BY_PLACE = 'holds nothing of cases or accounts, or only what is the caller’s own'

const BOUND_BY: [RegExp, string][] = [
  [/^\w+ \/agravos\/casos\/\{id\}/, 'caso'],
  [/^GET \/agravos\/casos(\/excluidos|\/estatisticas\/resumo|\/mapa-calor)?$/, CASES_OF],
  [/^POST \/agravos\/casos$/, CASES_OF],
  [/^GET \/agravos\/panorama$/, 'everywhere by its purpose: test/contracts/b/panorama.test.ts'],
  [/^\w+ \/(agravos\/importacoes|agravos\/casos\/(bulk|exportar)|usuarios\/exportar|jobs)/, BULK],
  [/^\w+ \/(eventos|webhooks)/, FEED],
  [/^GET \/(agravos\/(tipos|regioes-saude|populacao)|territorios)$/, NOT_BY_PLACE],
  [/^\w+ \/(auth|permissoes|noticias|health|\.well-known|docs|openapi|metrics|limits)/, NOT_BY_PLACE],
  [/^\w+ \/(usuarios|grupos)/, ACCOUNTS],
  [/^GET \/auditoria$/, 'test/contracts/b/auditoria-territorio.test.ts'],
]

const t = await testApp()
after(() => t.close())
const anexos = anexosOf(t)
const admin = await t.administrador()

const info = { title: '', version: '', description: '', publicUrl: null }
const operations = describedContracts(info)
  .contracts.flatMap(({ rows }) => rows)
  .map(({ method, path }) => ({ method: String(method), path: path.replace('/api/v1', '') }))
const boundBy = ({ method, path }: (typeof operations)[number]) =>
  BOUND_BY.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1]

const everything = (
  await t.database.pool.rows<{ nome: string }>(sql`select nome from permissoes where nome <> 'admin'`)
).map(({ nome }) => nome)

const bound = async (lugares: string[]) => bind(t, await t.person({ permissoes: everything }), ...lugares)

const SCOPES: Record<string, string[]> = {
  'no territory': [],
  'a state': ['uf:PE'],
  'a health region': ['regiao_saude:26010'],
  'two municipalities': ['municipio:2611606', 'municipio:3550308'],
  'a municipality that only notified': ['municipio:1200401'],
}
/** Cases by their residence and notification, with the scopes that may open them. */
const CASES: { caso: object; open: string[] }[] = [
  {
    caso: { municipio_residencia: 'Recife', estado_residencia: 'PE' },
    open: ['no territory', 'a state', 'a health region', 'two municipalities'],
  },
  {
    caso: { municipio_residencia: 'Caruaru', estado_residencia: 'PE' },
    open: ['no territory', 'a state'],
  },
  {
    caso: {
      municipio_residencia: 'Natal',
      estado_residencia: 'RN',
      dados_especificos: { municipio_notificacao: 1200401 },
    },
    open: ['no territory', 'a municipality that only notified'],
  },
  { caso: { municipio_residencia: 'Manaus', estado_residencia: 'AM' }, open: ['no territory'] },
]
const CHANGE = {
  headers: { 'content-type': 'application/json' },
  payload: JSON.stringify({ evolucao: 'cura' }),
}
const FILE = { field: 'arquivo', filename: 'exame.pdf', content: Buffer.from('%PDF-1.7\n%%EOF\n') }

/** One case for each request, since some end it; attachments and the state that an operation needs are there before. */
async function ask(person: Person, { method, path }: (typeof operations)[number], caso: object) {
  const id = await anexos.caso(admin, caso)
  const anexo = path.includes('{anexo_id}') ? (await anexos.attach(admin, id)).id : null
  if (path.endsWith('/restaurar')) await t.as(admin).delete(`/agravos/casos/${id}?motivo=x`)
  if (method === 'POST' && path.endsWith('/anexos'))
    return anexos.send(person, id, { field: 'tipo', content: 'exame' }, FILE)
  const url = path.replace('{id}', String(id)).replace('{anexo_id}', String(anexo))
  const query = method === 'DELETE' && anexo === null ? '?motivo=x' : ''
  return t.as(person).request(method, `${url}${query}`, ['PUT', 'PATCH'].includes(method) ? CHANGE : {})
}

describe('Territories and operations', () => {
  it('have every operation in the table, and no pattern in vain', () => {
    assert.deepEqual(
      operations.filter((operation) => boundBy(operation) === undefined),
      [],
    )
    for (const [pattern] of BOUND_BY)
      assert.ok(
        operations.some(({ method, path }) => pattern.test(`${method} ${path}`)),
        String(pattern),
      )
  })

  for (const operation of operations.filter((one) => boundBy(one) === 'caso'))
    it(`${operation.method} ${operation.path} opens what lies inside, and knows nothing of the rest`, async () => {
      for (const [scope, lugares] of Object.entries(SCOPES)) {
        const person = await bound(lugares)
        for (const { caso, open } of CASES) {
          const { status, text } = await ask(person, operation, caso)
          const where = `${scope}: ${JSON.stringify(caso)} ${status} ${text.slice(0, 200)}`
          if (open.includes(scope)) assert.ok(status < 300, where)
          else assert.equal(status, 404, where)
        }
      }
    })
})
