import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { beginningOf } from '../../../src/domain/usuarios/estatisticas.ts'
import { PASSWORD } from '../../harness/app.ts'
import { invalid } from '../refusals.ts'
import { gruposApp } from './grupos-app.ts'

const { t, newGrupo } = await gruposApp({ realLogins: true })
after(() => t.close())
const { pool } = t.database

const DAY = 86_400_000

async function estatisticas(query = '') {
  const { status, body, text } = await t.as(await t.administrador()).get(`/usuarios/estatisticas${query}`)
  assert.equal(status, 200, text)
  return body
}
const count = async (condition = sql`true`) =>
  (await pool.first<{ n: number }>(sql`select count(*) as n from usuarios where ${condition}`))?.n

let made = 0
/** An account as old as told. */
async function born(ageMs: number): Promise<void> {
  const criado_em = new Date(t.clock.now().getTime() - ageMs)
  await pool.run(sql`
    insert into usuarios (nome, email, senha_hash, criado_em)
    values ('Fulano', ${`fulano${++made}@teste.local`}, 'x', ${criado_em})`)
}

describe('GET /usuarios/estatisticas', () => {
  it('counts users as the database does', async () => {
    const ana = await t.person({ grupos: ['usuario', 'analista'] })
    const bia = await t.person({ grupos: ['usuario'], permissoes: ['admin'] })
    const caio = await t.person()
    await newGrupo({ nome: 'vazio' })
    await pool.run(sql`
      update usuarios set estado = 'PE', departamento = 'Vigilância', email_verificado = true, mfa_ativado_em = now()
       where id = ${ana.id}`)
    await pool.run(sql`update usuarios set estado = 'PE', trocar_senha = true where id = ${bia.id}`)
    await pool.run(sql`
      update usuarios set estado = 'SP', departamento = '__proto__', desativado_em = now() where id = ${caio.id}`)
    await born(400 * DAY)
    const body = await estatisticas()
    assert.deepEqual(Object.keys(body), [
      ...['periodo', 'total_usuarios', 'usuarios_ativos', 'usuarios_inativos', 'novos_usuarios_periodo'],
      ...['por_grupo', 'por_estado', 'acessos', 'seguranca'],
    ])
    assert.equal(body.total_usuarios, await count())
    assert.equal(body.usuarios_ativos, await count(sql`desativado_em is null`))
    assert.equal(body.usuarios_inativos, await count(sql`desativado_em is not null`))
    assert.equal(body.usuarios_ativos + body.usuarios_inativos, body.total_usuarios)
    assert.equal(body.novos_usuarios_periodo, await count(sql`criado_em > now() - interval '30 days'`))
    assert.deepEqual(body.por_grupo, {
      admin: 0,
      gestor: 0,
      analista: 1,
      usuario: 2,
      visualizador: 0,
      vazio: 0,
    })
    const semEstado = await count(sql`estado is null`)
    assert.deepEqual(body.por_estado, { PE: 2, SP: 1, nao_informado: semEstado })
    const { logins_falhos: _falhos, bloqueios: _bloqueios, ...seguranca } = body.seguranca
    assert.deepEqual(seguranca, {
      ...{ mfa_habilitado: 1, email_verificado: await count(sql`email_verificado`) },
      ...{ administradores: 2, troca_de_senha_pendente: 1 },
    })
  })

  it('counts logins, failures and locks of the period as the audit has them', async () => {
    const ana = await t.person()
    for (let i = 0; i < 5; i++) await t.anonymous.post('/auth/login', { email: ana.email, senha: 'errada' })
    await t.person()
    const { acessos, seguranca } = await estatisticas('?periodo=ultimos_7_dias')
    const audit = async (acao: string) =>
      (await pool.first<{ n: number; atores: number }>(sql`
        select count(*) as n, count(distinct ator_id) as atores from auditoria where acao = ${acao}`)) as {
        n: number
        atores: number
      }
    const [logins, falhas, bloqueios] = [
      await audit('login.sucesso'),
      await audit('login.falhou'),
      await audit('conta.bloqueada'),
    ]
    assert.deepEqual(acessos, { logins: logins.n, usuarios_distintos: logins.atores })
    assert.deepEqual([seguranca.logins_falhos, seguranca.bloqueios], [falhas.n + bloqueios.n, bloqueios.n])
    assert.deepEqual([falhas.n + bloqueios.n, bloqueios.n], [5, 1])
  })

  it('groups by department when asked; state and group are always there', async () => {
    const plain = await estatisticas()
    assert.ok(!('por_departamento' in plain))
    const { por_departamento } = await estatisticas('?agrupar_por=departamento')
    assert.deepEqual(Object.entries(por_departamento).toSorted(), [
      ['Vigilância', 1],
      ['__proto__', 1],
      ['nao_informado', await count(sql`departamento is null`)],
    ])
    for (const agrupar_por of ['estado', 'grupo']) {
      const {
        por_estado,
        por_grupo,
        por_departamento: none,
      } = await estatisticas(`?agrupar_por=${agrupar_por}`)
      assert.deepEqual([por_estado, por_grupo, none], [plain.por_estado, plain.por_grupo, undefined])
    }
  })

  for (const [query, expected] of [
    ['?periodo=sempre', 'periodo INVALID_VALUE'],
    ['?periodo=', 'periodo INVALID_VALUE'],
    ['?agrupar_por=cidade', 'agrupar_por INVALID_VALUE'],
  ] as const)
    it(`refuses ${query}`, async () => {
      const admin = await t.administrador()
      assert.deepEqual(await invalid(t, () => t.as(admin).get(`/usuarios/estatisticas${query}`)), [expected])
    })
})

describe('the period', () => {
  const novos = async (periodo: string) =>
    (await estatisticas(periodo && `?periodo=${periodo}`)).novos_usuarios_periodo as number

  for (const [periodo, days] of [
    ['ultimos_7_dias', 7],
    ['ultimos_30_dias', 30],
  ] as const)
    it(`${periodo} begins exactly that long ago, and moves with time`, async () => {
      const before = await novos(periodo)
      await born(days * DAY + 60_000)
      assert.equal(await novos(periodo), before)
      await born(days * DAY - 60_000)
      assert.equal(await novos(periodo), before + 1)
      t.clock.advance(120_000)
      assert.equal(await novos(periodo), before)
      const { periodo: told } = await estatisticas(`?periodo=${periodo}`)
      assert.equal(told.nome, periodo)
      assert.equal(Date.parse(told.fim) - Date.parse(told.inicio), days * DAY)
      assert.ok(Math.abs(Date.parse(told.fim) - t.clock.now().getTime()) < 10_000)
    })

  it('is thirty days when none is given', async () => {
    assert.equal((await estatisticas()).periodo.nome, 'ultimos_30_dias')
    assert.equal(await novos(''), await novos('ultimos_30_dias'))
  })

  it('mes_atual begins with the month in Brasília', async () => {
    const now = t.clock.now()
    const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 3)
    // To 40 seconds before the month begins there, which is already the next month in UTC.
    t.clock.advance(start - 40_000 - now.getTime())
    const previous = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1, 3))
    assert.equal((await estatisticas('?periodo=mes_atual')).periodo.inicio, previous.toISOString())
    await born(0)
    assert.ok((await novos('mes_atual')) >= 1)
    t.clock.advance(41_000)
    assert.equal((await estatisticas('?periodo=mes_atual')).periodo.inicio, new Date(start).toISOString())
    assert.equal(await novos('mes_atual'), 0)
    await born(0)
    assert.equal(await novos('mes_atual'), 1)
    const { acessos } = await estatisticas('?periodo=mes_atual')
    assert.equal(acessos.usuarios_distintos, 1, 'only the administrator logged in this month')
  })

  for (const [now, expected] of [
    ['2026-03-01T02:59:59.999Z', '2026-02-01T03:00:00.000Z'],
    ['2026-03-01T03:00:00.000Z', '2026-03-01T03:00:00.000Z'],
    ['2026-01-01T00:00:00.000Z', '2025-12-01T03:00:00.000Z'],
    ['2028-02-29T23:59:59.000Z', '2028-02-01T03:00:00.000Z'],
  ] as const)
    it(`mes_atual at ${now} begins at ${expected}`, () => {
      assert.equal(beginningOf('mes_atual', new Date(now)).toISOString(), expected)
    })

  it('counts a failed login only as long as it is in the period', async () => {
    const ana = await t.person()
    await t.anonymous.post('/auth/login', { email: ana.email, senha: PASSWORD.toUpperCase() })
    const falhas = async () => (await estatisticas('?periodo=ultimos_7_dias')).seguranca.logins_falhos
    assert.equal(await falhas(), 1)
    t.clock.advance(7 * DAY + 1000)
    assert.equal(await falhas(), 0)
  })
})
