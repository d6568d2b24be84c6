// One thing of each kind in each of four places, all of them marked, and five accounts with different territories.
import assert from 'node:assert/strict'
import { sql } from '../src/db/sql.ts'
import { anexosOf } from './contracts/b/anexos-app.ts'
import { csv, linha } from './contracts/b/importacoes-app.ts'
import { type Person, testApp } from './harness/app.ts'
import { bind } from './harness/bound.ts'
import { MULTIPART, multipart } from './harness/multipart.ts'

export const SCOPES: Record<string, string[]> = {
  'no territory': [],
  'a state': ['uf:PE'],
  'a health region': ['regiao_saude:26010'],
  'two municipalities': ['municipio:2611606', 'municipio:3550308'],
  'a municipality that only notified': ['municipio:1200401'],
}

export interface Lugar {
  /** Word that nothing but the cases and imports of this place is called by. */
  palavra: string
  /** The same for its account. */
  dono: string
  caso: Record<string, unknown>
  /** Place that the account of this place is bound to. */
  codigo: string
  /** Scopes that reach what is there. */
  open: string[]
}
export const LUGARES: Lugar[] = [
  {
    palavra: 'Quixabeirinho',
    dono: 'Beberibeana',
    caso: { municipio_residencia: 'Recife', estado_residencia: 'PE' },
    codigo: 'municipio:2611606',
    open: ['no territory', 'a state', 'a health region', 'two municipalities'],
  },
  {
    palavra: 'Mandacaruense',
    dono: 'Ipojuquense',
    caso: { municipio_residencia: 'Caruaru', estado_residencia: 'PE' },
    codigo: 'municipio:2604106',
    open: ['no territory', 'a state'],
  },
  {
    palavra: 'Potengirina',
    dono: 'Dunasinha',
    caso: {
      municipio_residencia: 'Natal',
      estado_residencia: 'RN',
      dados_especificos: { municipio_notificacao: 1_200_401 },
    },
    codigo: 'municipio:1200401',
    open: ['no territory', 'a municipality that only notified'],
  },
  {
    palavra: 'Igarapezildo',
    dono: 'Negrorriense',
    caso: { municipio_residencia: 'Manaus', estado_residencia: 'AM' },
    codigo: 'municipio:1302603',
    open: ['no territory'],
  },
]

/** Id of nothing. */
export const NOBODY = 799_999_999

/** What is in a place, by its ids. */
export interface Things {
  caso: number
  excluido: number
  anexo: number
  conta: number
  importacao: number
  job: string
  webhook: string
  evento: string
  entrega: number
}

export const MARKS = [
  'palavra',
  'dono',
  'caso',
  'excluido',
  'anexo',
  'conta',
  'importacao',
  'job',
  'webhook',
  'evento',
  'entrega',
] as const
export type Mark = (typeof MARKS)[number]

export async function territorioWorld() {
  const t = await testApp({
    outbound: { post: async () => ({ kind: 'failed', reason: 'connection', ms: 0 }) },
  })
  const { pool } = t.database
  // Ids of nine digits that begin with the number of their kind: none is a part of another number of an answer.
  await pool.run(sql`alter table casos alter column id restart with 711000001`)
  await pool.run(sql`alter table usuarios alter column id restart with 722000001`)
  await pool.run(sql`alter table importacoes alter column id restart with 733000001`)
  await pool.run(sql`alter table anexos alter column id restart with 744000001`)
  await pool.run(sql`alter table entregas alter column id restart with 755000001`)
  const admin = await t.administrador()
  const anexos = anexosOf(t)
  const everything = (
    await pool.rows<{ nome: string }>(sql`select nome from permissoes where nome <> 'admin'`)
  ).map(({ nome }) => nome)
  const callers = new Map<string, Person>()
  const newCaller = async (scope: string) =>
    bind(t, await t.person({ permissoes: everything }), ...(SCOPES[scope] ?? []))
  for (const scope of Object.keys(SCOPES)) callers.set(scope, await newCaller(scope))

  let made = 0
  const newCaso = ({ palavra, caso }: Lugar) =>
    anexos.caso(admin, {
      numero_notificacao: `${palavra}-${++made}`,
      paciente_nome: `Maria ${palavra}`,
      bairro_residencia: `Vila ${palavra}`,
      ...caso,
    })

  async function newAnexo(lugar: Lugar, caso: number) {
    const file = { field: 'arquivo', filename: `${lugar.palavra}.pdf`, content: '%PDF-1.7\n%%EOF\n' }
    return (await anexos.attach(admin, caso, { field: 'tipo', content: 'exame' }, file)).id
  }

  async function newConta({ dono, codigo }: Lugar): Promise<Person> {
    const person = await t.person({ grupos: ['analista'], permissoes: ['agravos.listar'] })
    const email = `${dono}.${++made}@teste.local`.toLowerCase()
    await pool.run(sql`
      update usuarios set nome = ${`Conta ${dono}`}, email = ${email} where id = ${person.id}`)
    return bind(t, { ...person, email }, codigo)
  }

  async function newImportacao({ palavra, caso }: Lugar) {
    const { dados_especificos, ...places } = caso as Record<string, string> & { dados_especificos?: object }
    const row = linha({
      ...places,
      numero_notificacao: `${palavra}-${++made}`,
      paciente_nome: `Joana ${palavra}`,
      'dados_especificos.municipio_notificacao': dados_especificos ? '1200401' : '',
    })
    const payload = multipart(
      { field: 'formato', content: 'csv' },
      { field: 'modo', content: 'importar' },
      { field: 'file', content: csv(row), filename: `${palavra}.csv` },
    )
    const { status, body, text } = await t
      .as(admin)
      .request('POST', '/agravos/casos/bulk', { headers: MULTIPART, payload })
    assert.equal(status, 202, text)
    await t.jobWorker.runAll()
    const job = await t.as(admin).get(`/jobs/${body.job_id}`)
    assert.equal(job.body.resultado?.importados, 1, job.text)
    const id = await pool.value<number>(sql`select id from importacoes where job_id = ${body.job_id}`)
    return { importacao: id, job: body.job_id as string }
  }

  async function newWebhook(who: Person, nome: string): Promise<string> {
    const { status, body, text } = await t.as(who).post('/webhooks', {
      url: `https://recebe.${nome}.example/`,
      eventos: ['agravo.criado'],
    })
    assert.equal(status, 201, text)
    return body.id
  }

  /** Webhook of an account without bounds, which is told of every case. */
  const geral = await newWebhook(admin, 'geral')

  async function fill(lugar: Lugar): Promise<Things> {
    const conta = await newConta(lugar)
    const webhook = await newWebhook(conta, lugar.dono)
    const caso = await newCaso(lugar)
    const excluido = await newCaso(lugar)
    await t.as(admin).delete(`/agravos/casos/${excluido}?motivo=engano`)
    const anexo = await newAnexo(lugar, caso)
    const imported = await newImportacao(lugar)
    await t.webhookWorker.runOnce()
    const evento = await pool.value<string>(
      sql`select id from eventos where chave = ${`caso:${caso}`} and tipo = 'agravo.criado'`,
    )
    const entrega = await pool.value<number>(
      sql`select id from entregas where webhook_id = ${geral} and evento_id = ${evento}`,
    )
    assert.ok(evento && entrega, 'the event was delivered')
    return { caso, excluido, anexo, conta: conta.id, ...imported, webhook, evento, entrega }
  }

  const things = new Map<Lugar, Things>()
  for (const lugar of LUGARES) things.set(lugar, await fill(lugar))
  const thingsOf = (lugar: Lugar) => things.get(lugar) as Things

  /** Texts by which an answer would tell of something in the place. */
  const marksOf = (lugar: Lugar): Record<Mark, string> => ({
    palavra: lugar.palavra,
    dono: lugar.dono,
    ...(Object.fromEntries(Object.entries(thingsOf(lugar)).map(([name, id]) => [name, String(id)])) as Record<
      keyof Things,
      string
    >),
  })

  return {
    t,
    pool,
    admin,
    anexos,
    callers,
    newCaller,
    geral,
    newCaso,
    newAnexo,
    newConta,
    newWebhook,
    newImportacao,
    thingsOf,
    marksOf,
  }
}
