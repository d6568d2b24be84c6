import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { describedContracts } from '../src/contracts/service.routes.ts'
import { sql } from '../src/db/sql.ts'
import { ACCESS } from './access-table.ts'
import { type Answer, type Person, testApp } from './harness/app.ts'

/** All that someone can do whose password an administrator set, to be changed at the next login. */
const WHILE_PASSWORD_MUST_CHANGE = [
  '/auth/change-password',
  '/auth/logout',
  '/auth/sessao',
  '/usuarios/logout',
]

/** All that someone can do whose group requires a second factor that they do not have. */
const WHILE_MFA_IS_MISSING = [...WHILE_PASSWORD_MUST_CHANGE, '/auth/mfa/enable', '/auth/mfa/verify']

const READING = [
  ...['agravos.listar', 'agravos.estatisticas', 'noticias.listar', 'dashboard.visualizar'],
  ...['series.listar', 'epizootias.listar'],
]

/** Spec 1.2. */
const DEFAULT_GROUPS: Record<string, string[]> = {
  admin: ['admin'],
  gestor: [
    ...['usuarios.listar', 'usuarios.criar', 'usuarios.editar', 'usuarios.deletar', 'usuarios.exportar'],
    ...['usuarios.gerenciar_grupos', 'usuarios.gerenciar_permissoes'],
    ...['grupos.listar', 'grupos.criar', 'grupos.editar', 'grupos.deletar'],
    ...['agravos.listar', 'agravos.criar', 'agravos.editar', 'agravos.deletar', 'agravos.importar'],
    ...[
      'agravos.estatisticas',
      'agravos.panorama',
      'agravos.exportar',
      'agravos.extrair',
      'agravos.duplicidades',
      'agravos.identificar',
    ],
    ...['relatorios.gerar', 'relatorios.exportar'],
    ...['noticias.listar', 'noticias.criar', 'noticias.editar', 'noticias.deletar'],
    ...['dashboard.visualizar', 'webhooks.gerenciar', 'series.listar', 'series.importar', 'series.definir'],
    ...['epizootias.listar', 'epizootias.registrar', 'epizootias.deletar'],
  ],
  analista: [
    ...['agravos.listar', 'agravos.criar', 'agravos.editar', 'agravos.importar', 'agravos.estatisticas'],
    ...[
      'agravos.exportar',
      'relatorios.gerar',
      'relatorios.exportar',
      'noticias.listar',
      'dashboard.visualizar',
    ],
    ...['series.listar', 'series.importar', 'epizootias.listar', 'epizootias.registrar'],
  ],
  usuario: READING,
  visualizador: READING,
}

interface Row {
  method: string
  path: string
  who: string
}

const TABLE: Row[] = ACCESS.trim()
  .split(/\n\s*/)
  .map((line) => {
    const [method = '', path = '', ...who] = line.split(/\s+/)
    return { method, path, who: who.join(' ') }
  })
  .filter(({ method }) => method !== '')

/** Permissions of which one is enough; the first is the one that a refusal names. */
const permissionsOf = ({ who }: Row) =>
  who === 'anyone' || who === 'logged in' ? [] : who.split(' or ').filter((one) => one !== 'self')

const t = await testApp()
after(() => t.close())

const admin = await t.administrador()

const permissoes = (await t.database.pool.rows<{ nome: string }>(sql`select nome from permissoes`)).map(
  (p) => p.nome,
)

const people = new Map<string, Person>()
async function holding(names: string[]): Promise<Person> {
  const key = names.join()
  const person = people.get(key) ?? (await t.person({ permissoes: names }))
  people.set(key, person)
  return person
}

async function mustChange(): Promise<Person> {
  const person = people.get('must change') ?? (await t.person({ admin: true }))
  people.set('must change', person)
  await t.database.pool.run(sql`update usuarios set trocar_senha = true where id = ${person.id}`)
  return person
}

async function mustEnrol(): Promise<Person> {
  const known = people.get('must enrol')
  if (known !== undefined) return known
  const person = await t.person({ admin: true })
  people.set('must enrol', person)
  await t.database.pool.run(sql`
    with novo as (insert into grupos (nome, exige_mfa, padrao) values ('com_fator', true, true) returning id)
    insert into usuarios_grupos (usuario_id, grupo_id) select ${person.id}, id from novo`)
  return person
}

/** Spec 1.1: one path, two descriptions, each with its own access; this query asks for the one open to all. */
const asksForA = ({ method, path, who }: Row) =>
  method === 'GET' && path === '/usuarios' && who === 'logged in'

/** A request that nothing but access could refuse first: impossible ids, and a body that is not even JSON. */
function broken(row: Row, token?: string): Promise<Answer> {
  const { method, path } = row
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const options = method === 'GET' ? { headers } : { headers, payload: '{"nome": ' }
  const query = asksForA(row) ? 'limit=x&force=x' : 'page=x&force=x'
  return t.anonymous.request(method, `${path.replaceAll(/\{\w+\}/g, 'x')}?${query}`, options)
}

describe('the table of access', () => {
  it('is what the mounted routes have, in both directions', () => {
    const info = { title: '', version: '', description: '', publicUrl: null }
    const rows = describedContracts(info).contracts.flatMap((contract) => contract.rows)
    const mounted = rows.map(({ method, path, access }) => {
      const who = { anyone: 'anyone', loggedIn: 'logged in', requires: access.permission }[
        access.kind as 'anyone' | 'loggedIn' | 'requires'
      ]
      const or = access.or ? ` or ${access.or.join(' or ')}` : access.orSelf ? ' or self' : ''
      return `${method} ${path.replace('/api/v1', '')} ${who}${or}`
    })
    const written = TABLE.map(({ method, path, who }) => `${method} ${path} ${who}`)
    assert.deepEqual(mounted.toSorted(), written.toSorted())
  })

  it('names only permissions that exist', () => {
    for (const permission of TABLE.flatMap(permissionsOf))
      assert.ok(permissoes.includes(permission), permission)
  })
})

for (const row of TABLE)
  describe(`${row.method} ${row.path}`, () => {
    const permissions = permissionsOf(row)
    const [permission] = permissions

    if (row.who === 'anyone') {
      it('asks nobody who they are, and is not disturbed by a bad token', async () => {
        assert.notEqual((await broken(row)).body?.error?.code, 'UNAUTHORIZED')
        assert.notEqual((await broken(row, 'x')).body?.error?.code, 'UNAUTHORIZED')
      })
      return
    }

    it('answers 401 to a request without a token, before it looks at anything else', async () => {
      for (const token of [undefined, 'x']) {
        const { status, body, headers } = await broken(row, token)
        assert.equal(status, 401)
        assert.equal(body.error.code, 'UNAUTHORIZED')
        assert.equal(headers['www-authenticate'], 'Bearer')
      }
    })

    if (permission) {
      it(`answers 403 to someone who holds everything but ${permissions.join(' and ')}, before it looks at the request`, async () => {
        const others = permissoes.filter((nome) => !permissions.includes(nome) && nome !== 'admin')
        const { status, body } = await broken(row, (await holding(others)).token)
        assert.equal(status, 403)
        assert.equal(body.error.code, 'PERMISSION_DENIED')
        assert.equal(body.error.required_permission, permission)
      })
    }

    if (!WHILE_PASSWORD_MUST_CHANGE.includes(row.path)) {
      it('answers 403 to someone who must change the password first, whatever they hold', async () => {
        const { status, body } = await broken(row, (await mustChange()).token)
        assert.equal(status, 403)
        assert.equal(body.error.code, 'PASSWORD_CHANGE_REQUIRED')
      })
    } else {
      it('lets in someone who must change the password first', async () => {
        assert.ok(![401, 403].includes((await broken(row, (await mustChange()).token)).status))
      })
    }

    if (!WHILE_MFA_IS_MISSING.includes(row.path)) {
      it('answers 403 to someone who must turn on the second factor first, whatever they hold', async () => {
        const { status, body } = await broken(row, (await mustEnrol()).token)
        assert.equal(status, 403)
        assert.equal(body.error.code, 'MFA_ENROLMENT_REQUIRED')
      })
    } else {
      it('lets in someone who must turn on the second factor first', async () => {
        assert.ok(![401, 403].includes((await broken(row, (await mustEnrol()).token)).status))
      })
    }

    for (const held of permissions.length > 0 ? permissions : [null])
      it(`lets in ${held ? `whoever holds ${held} alone` : 'anyone who is logged in'}`, async () => {
        const { status } = await broken(row, (await holding(held ? [held] : [])).token)
        assert.ok(![401, 403].includes(status), String(status))
      })

    it('lets in administrators, by the flag and by the permission', async () => {
      for (const { token } of [admin, await holding(['admin'])])
        assert.ok(![401, 403].includes((await broken(row, token)).status))
    })
  })

describe('the default groups', () => {
  it('are these, active, with exactly these permissions', async () => {
    const rows = await t.database.pool.rows<{ nome: string; permissoes: string[] }>(sql`
      select g.nome, array(select p.nome from grupos_permissoes gp join permissoes p on p.id = gp.permissao_id
                            where gp.grupo_id = g.id order by p.nome) as permissoes
        from grupos g where g.ativo and g.padrao and not g.exige_mfa`)
    const sorted = Object.entries(DEFAULT_GROUPS).map(([nome, names]) => [nome, names.toSorted()])
    assert.deepEqual(
      Object.fromEntries(rows.map(({ nome, permissoes: names }) => [nome, names.toSorted()])),
      Object.fromEntries(sorted),
    )
    const { total } =
      (await t.database.pool.first<{ total: number }>(
        sql`select count(*) as total from grupos where not exige_mfa`,
      )) ?? {}
    assert.equal(total, 5)
  })

  it('are protected, as every built-in permission is', async () => {
    const unprotected = await t.database.pool.rows(sql`
      select nome from grupos where not padrao union all select nome from permissoes where not padrao`)
    assert.deepEqual(unprotected, [])
  })
})
