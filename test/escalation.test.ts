import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { describedContracts } from '../src/contracts/service.routes.ts'
import { sql } from '../src/db/sql.ts'
import { type Snapshot, snapshotOf, violations } from './escalation-rules.ts'
import { type Answer, type Person, testApp } from './harness/app.ts'

/**
 * Every field that any route of users, groups and permissions reads from a body or a query. A new route or field fails
 * the first test until it is listed here and, if its name is new, has hostile values in VALUES.
 */
const PROFILE = 'nome email telefone cargo departamento cidade estado funcao instituicao'
const BASE = 'nome email admin ativo telefone estado cidade funcao instituicao permissoes senha'
const under = (prefix: string, names: string) =>
  names
    .split(' ')
    .map((name) => `${prefix}.${name}`)
    .join(' ')
const CHANGE = `${PROFILE} admin ativo plano grupos_ids permissoes_ids cpf senha`
const PREFERENCES = 'tema idioma teclas densidade fator_adiado territorio'
const GRUPO = 'nome descricao ativo exige_mfa permissoes_ids'

const WRITABLE: Record<string, string> = {
  'POST /usuarios/login': 'email password mfa_code',
  'POST /usuarios/login_sw': 'username password mfa_code grant_type',
  'POST /usuarios/refresh-token': 'refresh_token',
  'POST /usuarios/reset-password': 'email',
  'POST /usuarios/logout': 'refresh_token',
  'POST /usuarios/signup': `${under('usuario', BASE)} usuario.master_key usuario.territorios permissoes`,
  'POST /usuarios/exportar': 'formato compactacao filtros campos',
  'POST /usuarios/buscar': 'filtros ordenacao paginacao.pagina paginacao.tamanho incluir',
  'POST /usuarios': `${CHANGE} territorios forcar_troca convidar`,
  'PUT /usuarios/me/preferencias': PREFERENCES,
  'PATCH /usuarios/me/preferencias': PREFERENCES,
  'a PUT /usuarios/{id}': `${under('usuario', BASE)} permissoes`,
  'PUT /usuarios/{id}': CHANGE,
  'PATCH /usuarios/{id}': CHANGE,
  'a DELETE /usuarios/{id}': '',
  'DELETE /usuarios/{id}': 'motivo transferir_para force',
  'POST /usuarios/{id}/desativar': '',
  'POST /usuarios/{id}/reativar': '',
  'POST /usuarios/{id}/foto-perfil': '',
  'POST /usuarios/{id}/alterar-senha': 'nova_senha forcar_troca notificar_usuario',
  'POST /usuarios/{id}/desbloquear': '',
  'POST /usuarios/{id}/convite': '',
  'DELETE /usuarios/{id}/mfa': '',
  'DELETE /usuarios/{id}/sessoes': '',
  'DELETE /usuarios/me/identidades/{id}': '',
  'DELETE /usuarios/{id}/identidades/{identidade_id}': '',
  'POST /usuarios/{id}/grupos/{grupo_id}': '',
  'DELETE /usuarios/{id}/grupos/{grupo_id}': '',
  'PUT /usuarios/{id}/grupos': 'grupos_ids',
  'PATCH /usuarios/{id}/grupos': 'grupos_ids',
  'PUT /usuarios/{id}/territorios': 'territorios',
  'PATCH /usuarios/{id}/territorios': 'territorios',
  'POST /usuarios/{id}/permissoes/{permissao_id}': '',
  'DELETE /usuarios/{id}/permissoes/{permissao_id}': '',
  'POST /grupos': GRUPO,
  'PUT /grupos/{id}': GRUPO,
  'PATCH /grupos/{id}': GRUPO,
  'DELETE /grupos/{id}': 'transferir_usuarios force',
  'POST /grupos/{grupo_id}/usuarios/{usuario_id}': '',
  'DELETE /grupos/{grupo_id}/usuarios/{usuario_id}': '',
  'PUT /grupos/{id}/permissoes': 'permissoes_ids',
  'PATCH /grupos/{id}/permissoes': 'permissoes_ids',
  'POST /grupos/{id}/permissoes/{permissao_id}': '',
  'DELETE /grupos/{id}/permissoes/{permissao_id}': '',
  'POST /permissoes': 'nome descricao',
  'PUT /permissoes/{id}': 'nome descricao',
  'DELETE /permissoes/{id}': '',
}
/** They change no account's data, and have tests of their own. */
const HARMLESS = /login|refresh-token|reset-password|logout|buscar|exportar|foto-perfil|preferencias/

/** What nobody may set, whatever the route: sent along with everything. */
const SMUGGLED = {
  ...{
    id: 1,
    usuario_id: 1,
    criado_em: '2000-01-01T00:00:00Z',
    created_at: '2000-01-01T00:00:00Z',
    criado_por_id: 1,
  },
  ...{
    email_verificado: true,
    email_pendente: null,
    mfa_habilitado: true,
    mfa_ativado_em: null,
    senha_hash: 'x',
  },
  ...{
    senha_forca: 4,
    trocar_senha: false,
    desativado_em: null,
    padrao: true,
    role: 'admin',
    is_admin: true,
  },
  ...{
    atualizado_por_id: 1,
    permissoes_efetivas: ['admin'],
    permissoes_diretas: [1],
    grupos: ['admin'],
    holdsAll: true,
  },
}

const t = await testApp()
after(() => t.close())
const db = t.database.pool

const idOf = async (table: 'grupos' | 'permissoes', nome: string) => {
  const rows = await db.rows<{ id: number; nome: string }>(
    table === 'grupos' ? sql`select id, nome from grupos` : sql`select id, nome from permissoes`,
  )
  return rows.find((row) => row.nome === nome)?.id as number
}
const P = {
  admin: await idOf('permissoes', 'admin'),
  auditoria: await idOf('permissoes', 'auditoria.ver'),
  listar: await idOf('permissoes', 'usuarios.listar'),
}
const ALL_PERMISSIONS = (await db.rows<{ id: number }>(sql`select id from permissoes`)).map(({ id }) => id)
await db.run(sql`
  insert into grupos (nome, ativo)
  values ('auditores', true), ('vazio', true), ('auditores_desligados', false), ('equipe', true)`)
await db.run(sql`
  insert into grupos_permissoes
  select id, case nome when 'equipe' then ${P.listar}::int else ${P.auditoria}::int end
    from grupos where nome in ('auditores', 'auditores_desligados', 'equipe')`)
await db.run(sql`insert into permissoes (nome) values ('so.de.outros')`)
const OTHERS = await idOf('permissoes', 'so.de.outros')

const G = {
  admin: await idOf('grupos', 'admin'),
  auditores: await idOf('grupos', 'auditores'),
  desligados: await idOf('grupos', 'auditores_desligados'),
  /** Grants little, to auditors too. */
  equipe: await idOf('grupos', 'equipe'),
  vazio: await idOf('grupos', 'vazio'),
}
const hostileGroups = (own: number | null) => [...Object.values(G), ...(own === null ? [] : [own])]

let serial = 0
/** Hostile values by the name of the field. */
const VALUES: Record<string, (attacker: Person) => unknown[]> = {
  nome: () => [`novo${++serial}`],
  email: () => [`invasor${++serial}@teste.local`],
  senha: () => ['Invasor#123'],
  nova_senha: () => ['Invasor#123'],
  admin: () => [true, false],
  ativo: () => [true, false],
  plano: () => ['premium', 'enterprise', 'basico'],
  grupos_ids: () => [[G.admin], [G.auditores], [G.vazio, G.admin], []],
  permissoes_ids: () => [[P.admin], [P.auditoria, P.listar], ALL_PERMISSIONS, [OTHERS], []],
  permissoes: () => [[{ id: P.admin }], [{ nome: 'admin' }], [P.admin], ALL_PERMISSIONS, []],
  territorios: () => [[], [{ nivel: 'uf', codigo: 'PE' }]],
  cpf: () => ['529.982.247-25'],
  telefone: () => ['(81) 99999-9999'],
  estado: () => ['PE'],
  master_key: () => ['errada'],
  motivo: () => ['porque sim'],
  force: () => ['true'],
  transferir_para: ({ id }) => [String(id)],
  transferir_usuarios: () => [String(G.admin), String(G.auditores)],
  forcar_troca: () => [true],
  notificar_usuario: () => [true],
  convidar: () => [true],
  // True would only stop the attacker: a member of the group is led to the second factor first.
  exige_mfa: () => [false],
  ...Object.fromEntries(
    ['cargo', 'departamento', 'cidade', 'funcao', 'instituicao', 'descricao'].map((name) => [
      name,
      () => ['Outra'],
    ]),
  ),
}

/** As many requests at a time. */
const AT_ONCE = 6

const ROLES = ['gestor', 'analista', 'usuario', 'visualizador', null] as const

const info = { title: '', version: '', description: '', publicUrl: null }
const mounted = describedContracts(info).contracts.flatMap(({ name, rows }) =>
  rows
    .filter(({ method, path }) => method !== 'GET' && /^\/api\/v1\/(usuarios|grupos|permissoes)/.test(path))
    .map((row) => ({
      contract: name,
      method: row.method,
      path: row.path.replace('/api/v1', ''),
      input: row.input,
    })),
)

type Schema = { type?: string; properties?: Record<string, Schema> }
const fieldsOf = (schema: Schema | undefined, prefix = ''): string[] =>
  Object.entries(schema?.properties ?? {}).flatMap(([name, one]) =>
    one.properties ? fieldsOf(one, `${prefix}${name}.`) : [`${prefix}${name}`],
  )
const shared = (method: string, path: string) =>
  mounted.filter((row) => row.method === method && row.path === path).length > 1
const labelOf = ({ contract, method, path }: (typeof mounted)[number]) =>
  `${contract === 'a' && shared(method, path) ? 'a ' : ''}${method} ${path}`

describe('the table of writable fields', () => {
  it('is what the mounted routes read, in both directions', () => {
    const found = mounted.map((row) => [
      labelOf(row),
      [...fieldsOf(row.input.body), ...fieldsOf(row.input.query)].toSorted(),
    ])
    const listed = Object.entries(WRITABLE).map(([label, fields]) => [
      label,
      fields.split(' ').filter(Boolean).toSorted(),
    ])
    assert.deepEqual(Object.fromEntries(found), Object.fromEntries(listed))
  })

  it('has hostile values for every field', () => {
    for (const [label, fields] of Object.entries(WRITABLE))
      if (!HARMLESS.test(label))
        for (const field of fields.split(' ').filter(Boolean))
          assert.ok(VALUES[field.split('.').at(-1) as string], field)
  })
})

/** Those an attacker might go for. Made without logging in. */
async function makeVictims(role: string | null): Promise<Record<string, number>> {
  const make = async (
    nome: string,
    options: { admin?: boolean; off?: boolean; grupos?: (string | null)[]; permissao?: number },
  ) => {
    const { admin = false, off = false, grupos = [], permissao = 0 } = options
    const row = await db.first<{ id: number }>(sql`
      insert into usuarios (nome, email, senha_hash, admin, desativado_em)
      values (${nome}, ${`${nome}${++serial}@teste.local`}, 'h', ${admin}, case when ${off}::boolean then now() end) returning id`)
    const { id } = row as { id: number }
    await db.run(sql`insert into usuarios_grupos select ${id}, id from grupos where nome = any(${grupos})`)
    await db.run(
      sql`insert into usuarios_permissoes select ${id}, id from permissoes where id = ${permissao}`,
    )
    return id
  }
  return {
    administrator: await make('administrador', { admin: true }),
    'administrator who is off': await make('desligado', { admin: true, off: true }),
    'holder of the permission admin': await make('detentor', { permissao: P.admin }),
    auditor: await make('auditor', { grupos: ['auditores', 'equipe'] }),
    'auditor once a group is switched on': await make('dormente', { grupos: ['auditores_desligados'] }),
    peer: await make('colega', { grupos: [role] }),
    nobody: await make('ninguem', {}),
  }
}

interface Attack {
  method: string
  path: string
  body: Record<string, unknown> | undefined
}

/** All requests of one route against one account: as it is, with what must not be set, and each field's hostile values. */
function attacksOn(label: string, attacker: Person, target: number, ownGroup: number | null): Attack[] {
  const [method = '', template = ''] = label.replace(/^a /, '').split(' ')
  const isA = /^a |signup/.test(label)
  const userRoute = template.startsWith('/usuarios')
  const groups = hostileGroups(ownGroup)
  const permissions = [P.admin, P.auditoria, P.listar, OTHERS]
  const ids = { usuario_id: [target], grupo_id: groups, permissao_id: permissions }
  const first = userRoute ? [target] : template.startsWith('/grupos') ? groups : permissions
  let paths = [template]
  for (const [name, values] of Object.entries({ id: first, ...ids }))
    paths = paths.flatMap((path) =>
      path.includes(`{${name}}`) ? values.map((id) => path.replace(`{${name}}`, String(id))) : [path],
    )

  const fields = (WRITABLE[label] as string).split(' ').filter(Boolean)
  const email = `novo${++serial}@teste.local`
  const base: Record<string, unknown> = isA
    ? {
        usuario: {
          nome: 'Nome',
          email,
          ...(label.includes('signup') && { senha: 'Invasor#123', master_key: 'errada' }),
          ...SMUGGLED,
        },
      }
    : {
        ...(method === 'POST' &&
          fields.includes('nome') && { nome: `n${++serial}`, email, senha: 'Invasor#123' }),
        ...SMUGGLED,
      }
  if (label.includes('alterar-senha')) base.nova_senha = 'Invasor#123'
  if (label === 'PUT /permissoes/{id}') base.nome = `n${++serial}`

  return paths.flatMap((path) => {
    const plain: Attack = { method, path, body: fields.length > 0 ? base : undefined }
    if (method === 'DELETE')
      return [
        ...(label.startsWith('DELETE /usuarios/{id}') && fields.length > 0
          ? []
          : [{ ...plain, body: undefined }]),
        ...fields.flatMap((field) =>
          (VALUES[field] as (typeof VALUES)[string])(attacker).map((value) => {
            const query = new URLSearchParams({ ...(userRoute && { motivo: 'x' }), [field]: String(value) })
            return { method, path: `${path}?${query}`, body: undefined }
          }),
        ),
      ]
    const withField = fields.flatMap((field) => {
      const [outer = '', inner] = field.split('.')
      return (VALUES[inner ?? outer] as (typeof VALUES)[string])(attacker).map((value) => ({
        ...plain,
        body:
          inner === undefined
            ? { ...base, [outer]: value }
            : { ...base, [outer]: { ...(base[outer] as object), [inner]: value } },
      }))
    })
    return [plain, ...withField]
  })
}

const send = (attacker: Person, { method, path, body }: Attack): Promise<Answer> =>
  t
    .as(attacker)
    .request(
      method,
      path,
      body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, payload: JSON.stringify(body) },
    )

for (const role of ROLES)
  describe(`${role ?? 'someone in no group'} cannot rise`, () => {
    const powerful = role === 'gestor'
    let ownGroup: number | null
    let attacker: Person
    let victims: Record<string, number>
    let standing: Snapshot
    let last: Snapshot
    before(async () => {
      ownGroup = role === null ? null : await idOf('grupos', role)
      attacker = await t.person({ grupos: role === null ? [] : [role] })
      victims = await makeVictims(role)
      standing = await snapshotOf(db)
      last = standing
    })

    /** Sends these at once, judges what they did together, and puts right what a manager may do. */
    async function strike(attacks: Attack[], told: string): Promise<void> {
      const statuses: number[] = []
      for (let i = 0; i < attacks.length; i += AT_ONCE) {
        const answers = await Promise.all(
          attacks.slice(i, i + AT_ONCE).map((attack) => send(attacker, attack)),
        )
        for (const { status, text } of answers) {
          assert.ok(status < 500, text)
          statuses.push(status)
        }
      }
      const was = last
      last = await snapshotOf(db)
      const sent = attacks.map(
        ({ method, path, body }, i) => `${statuses[i]} ${method} ${path} ${JSON.stringify(body)}`,
      )
      assert.deepEqual(violations(was, last, attacker.id, powerful), [], `${told}\n${sent.join('\n')}`)
      const changed = (id: number) => JSON.stringify(was.usuarios[id]) !== JSON.stringify(last.usuarios[id])
      const groups = JSON.stringify(was.grupos) !== JSON.stringify(last.grupos)
      const [me, others] = [changed(attacker.id), Object.values(victims).some(changed)]
      if (groups) await restoreGroups(standing)
      if (me) attacker = await t.person({ grupos: role === null ? [] : [role] })
      if (others) victims = await makeVictims(role)
      if (groups || me || others) last = await snapshotOf(db)
    }

    for (const label of Object.keys(WRITABLE).filter((one) => !HARMLESS.test(one)))
      it(`by ${label}`, async () => {
        // The alias runs the same row as its PUT.
        const reached = (who: string) => !label.startsWith('PATCH') || who === 'administrator'
        if (/\{(id|usuario_id)\}/.test(label) && !/^\w+ \/(grupos|permissoes)\/\{id\}/.test(label))
          for (const who of Object.keys(victims).filter(reached))
            await strike(attacksOn(label, attacker, victims[who] as number, ownGroup), `${role} → ${who}`)
        const own = () => attacksOn(label, attacker, attacker.id, ownGroup)
        // What may cost the attacker its own rights comes alone and last, so that it does not hide the rest.
        const costly = ({ method, body }: Attack) =>
          powerful && (method === 'DELETE' || /"ativo":false|"grupos_ids"/.test(JSON.stringify(body) ?? ''))
        await strike(
          own().filter((one) => !costly(one)),
          `${role} → self`,
        )
        for (let i = 0; i < own().filter(costly).length; i++)
          await strike(
            own()
              .filter(costly)
              .slice(i, i + 1),
            `${role} → self`,
          )
      })
  })

async function restoreGroups(standing: Snapshot): Promise<void> {
  for (const [id, { ativo, permissoes }] of Object.entries(standing.grupos)) {
    await db.run(sql`update grupos set ativo = ${ativo} where id = ${Number(id)}`)
    await db.run(sql`delete from grupos_permissoes where grupo_id = ${Number(id)}`)
    await db.run(sql`
      insert into grupos_permissoes select ${Number(id)}, p.id from permissoes p
       where p.nome = any(${permissoes}) and exists (select from grupos where id = ${Number(id)})`)
  }
}
