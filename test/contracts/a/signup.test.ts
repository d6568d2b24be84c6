import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { type Answer, MASTER_KEY, PASSWORD, testApp } from '../../harness/app.ts'
import { tally } from '../refusals.ts'

const t = await testApp()
after(() => t.close())

let people = 0
const newEmail = () => `nova${++people}@saude.example`
const create = (fields: object = {}) => ({
  nome: 'Ana Souza',
  email: newEmail(),
  senha: PASSWORD,
  master_key: MASTER_KEY,
  ...fields,
})
const signUp = (usuario: object, beside: object = {}, headers: Record<string, string> = {}) =>
  t.anonymous.post('/usuarios/signup', { usuario, ...beside }, { headers })
const logIn = (email: string, senha = PASSWORD) => t.anonymous.post('/auth/login', { email, senha })

interface Stored {
  id: number
  email: string
  admin: boolean
  ativo: boolean
  email_verificado: boolean
  criado_em: Date
  criado_por_id: number | null
  ultimo_login: Date | null
  grupos: string[]
  permissoes: number[]
}
const stored = (email: string) =>
  t.database.pool.first<Stored>(sql`
    select u.*, array(select g.nome from usuarios_grupos ug join grupos g on g.id = ug.grupo_id
                       where ug.usuario_id = u.id order by 1) as grupos,
           array(select up.permissao_id from usuarios_permissoes up where up.usuario_id = u.id order by 1) as permissoes
      from usuarios u where lower(u.email) = lower(${email})`)
const permissao = async (nome: string) =>
  (await t.database.pool.first<{ id: number; nome: string; descricao: string | null }>(
    sql`select id, nome, descricao from permissoes where nome = ${nome}`,
  )) as { id: number; nome: string; descricao: string | null }

const storedState = async () => ({
  rows: await t.database.pool.first(sql`
    select (select json_agg(u order by id) from usuarios u) as usuarios,
           (select count(*) from auditoria) as auditoria`),
  mails: t.mails.length,
})

/** Refused in description A's form, and nothing is stored; answers each problem as `loc.joined type`. */
async function refused(act: () => Promise<Answer>): Promise<string[]> {
  await t.mailWorker.runOnce()
  const before = await storedState()
  const { status, body, text } = await act()
  assert.equal(status, 422, text)
  assert.deepEqual(Object.keys(body), ['detail'])
  await t.mailWorker.runOnce()
  assert.deepEqual(await storedState(), before, 'a refusal changes nothing')
  return body.detail.map(({ loc, type }: { loc: string[]; type: string }) => `${loc.join('.')} ${type}`)
}

describe('POST /usuarios/signup', () => {
  it('creates an account that can log in and answers the Base user, without an id', async () => {
    const profile = {
      telefone: '(81) 99999-0000',
      estado: 'PE',
      cidade: 'Recife',
      funcao: 'Enfermeira',
      instituicao: 'SES-PE',
    }
    const usuario = create(profile)
    const { status, body } = await signUp(usuario)
    assert.equal(status, 201)
    const rest = { admin: false, ativo: true, permissoes: [], territorios: [] }
    assert.deepEqual(body, { nome: 'Ana Souza', email: usuario.email, ...profile, ...rest })
    assert.equal((await logIn(usuario.email)).status, 200)
  })

  it('has null for what was not given, and takes null for it', async () => {
    const nothing = { telefone: null, estado: null, cidade: null, funcao: null, instituicao: null }
    for (const usuario of [create(), create(nothing)]) {
      const { status, body } = await signUp(usuario)
      assert.equal(status, 201)
      assert.deepEqual(body, {
        nome: 'Ana Souza',
        email: usuario.email,
        admin: false,
        ativo: true,
        permissoes: [],
        territorios: [],
        ...nothing,
      })
    }
  })

  it('puts the new account into the group usuario and no other', async () => {
    const usuario = create()
    await signUp(usuario)
    assert.deepEqual((await stored(usuario.email))?.grupos, ['usuario'])
  })

  it('takes the phone number with eight digits too', async () => {
    assert.equal((await signUp(create({ telefone: '(81) 3333-0000' }))).body.telefone, '(81) 3333-0000')
  })

  it('gives the permissions named by id beside the user, by id or else by name inside it, each once', async () => {
    const [listar, criar, editar] = [
      await permissao('agravos.listar'),
      await permissao('agravos.criar'),
      await permissao('agravos.editar'),
    ]
    const usuario = create({ permissoes: [{ id: criar.id, nome: 'is ignored' }, { nome: editar.nome }] })
    const { status, body } = await signUp(usuario, { permissoes: [listar.id, criar.id, listar.id] })
    assert.equal(status, 201)
    const byId = (a: { id: number }, b: { id: number }) => a.id - b.id
    assert.deepEqual(body.permissoes, [listar, criar, editar].sort(byId))
    assert.deepEqual(
      (await stored(usuario.email))?.permissoes,
      [listar, criar, editar].map(({ id }) => id).sort((a, b) => a - b),
    )
  })

  it('names unknown ids beside the user and unknown records inside it, each in its own place', async () => {
    const { id } = await permissao('agravos.listar')
    const usuario = create({ permissoes: [{ nome: 'nao.existe' }, { id: 999_998 }, { id }] })
    const act = () => signUp(usuario, { permissoes: [id, 999_999] })
    assert.deepEqual(await refused(act), [
      'body.permissoes value_error.unknown',
      'body.usuario.permissoes value_error.unknown',
    ])
    const [beside, inside] = (await act()).body.detail
    assert.match(beside.msg, /999999$/)
    assert.match(inside.msg, /nao\.existe, 999998$|999998, nao\.existe$/)
  })

  it('makes an administrator when asked: the master key stands for one', async () => {
    const usuario = create({ admin: true })
    assert.equal((await signUp(usuario)).body.admin, true)
    const { body } = await logIn(usuario.email)
    const headers = { authorization: `Bearer ${body.access_token}` }
    assert.equal((await t.anonymous.get('/grupos', { headers })).status, 200)
  })

  it('makes an inactive account when asked, which then cannot log in', async () => {
    const usuario = create({ ativo: false })
    const { status, body } = await signUp(usuario)
    assert.deepEqual([status, body.ativo], [201, false])
    const login = await logIn(usuario.email)
    assert.deepEqual([login.status, login.body.error.code], [403, 'ACCOUNT_INACTIVE'])
  })

  it('ignores every other field', async () => {
    const usuario = create({
      id: 4711,
      email_verificado: true,
      criado_em: '2000-01-01T00:00:00Z',
      criado_por_id: 1,
      ultimo_login: '2000-01-01T00:00:00Z',
      senha_hash: 'x',
      trocar_senha: true,
      grupos: ['admin'],
      mfa_ativado_em: '2000-01-01T00:00:00Z',
      __proto__: { admin: true },
      constructor: 'x',
    })
    assert.equal((await signUp(usuario, { admin: true, id: 4711 })).status, 201)
    const row = (await stored(usuario.email)) as Stored
    assert.notEqual(row.id, 4711)
    const { admin, email_verificado, criado_por_id, ultimo_login, grupos } = row
    assert.deepEqual([admin, email_verificado, criado_por_id, ultimo_login], [false, false, null, null])
    assert.deepEqual(grupos, ['usuario'])
    assert.ok(row.criado_em.getFullYear() > 2000)
    assert.equal((await logIn(usuario.email)).status, 200)
  })

  it('keeps the password only as a hash', async () => {
    const usuario = create({ senha: 'Bem#Escondida7' })
    await signUp(usuario)
    const row = await t.database.pool.first<{ text: string }>(
      sql`select row_to_json(u)::text as text from usuarios u where email = ${usuario.email}`,
    )
    assert.match(row?.text ?? '', /\$argon2id\$/)
    assert.ok(!row?.text.includes('Bem#Escondida7'))
    assert.ok(!t.logs.join('').includes('Bem#Escondida7') && !t.logs.join('').includes(MASTER_KEY))
  })

  it('sends a mail to verify the address, in the language of the request', async () => {
    const usuario = create()
    await signUp(usuario, {}, { 'accept-language': 'en-US' })
    await t.mailWorker.runOnce()
    const mail = t.mails.find(({ to }) => to === usuario.email)
    assert.match(mail?.text ?? '', /https?:\/\/\S+/)
    const language = sql`select idioma from usuarios where email = ${usuario.email}`
    assert.deepEqual(await t.database.pool.first(language), { idioma: 'en-US' })
  })

  it('is in the audit, without personal data', async () => {
    const usuario = create({ nome: 'Beatriz Segredo', telefone: '(81) 98888-7777' })
    const permissoes_ids = [(await permissao('agravos.listar')).id]
    await signUp(usuario, { permissoes: permissoes_ids })
    const id = (await stored(usuario.email))?.id
    const row = await t.database.pool.first<{ text: string; detalhes: object; ator_id: number | null }>(sql`
      select row_to_json(a)::text as text, a.detalhes, a.ator_id from auditoria a
       where acao = 'usuario.criado' and recurso_id = ${String(id)}`)
    assert.deepEqual(row?.detalhes, { admin: false, grupos_ids: null, permissoes_ids, territorios: [] })
    assert.equal(row?.ator_id, null)
    for (const secret of ['Beatriz', usuario.email, '98888', PASSWORD, MASTER_KEY])
      assert.ok(!row?.text.includes(secret))
  })

  it('creates one account when thirty sign-ups of one email come at once, and no error of ours', async () => {
    const email = newEmail()
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => signUp(create({ email: i % 2 ? email : email.toUpperCase() }))),
    )
    assert.deepEqual(tally(answers), { 201: 1, 422: 29 })
    const rows = await t.database.pool.rows(sql`select id from usuarios where lower(email) = ${email}`)
    assert.equal(rows.length, 1)
  })
})

describe('the master key of a sign-up', () => {
  for (const [what, master_key] of [
    ['a wrong one', 'outra chave'],
    ['an empty one', ''],
    ['one that lacks its last character', MASTER_KEY.slice(0, -1)],
    ['one with a character more', `${MASTER_KEY} `],
    ['one in upper case', MASTER_KEY.toUpperCase()],
    ['a long one', 'x'.repeat(1000)],
  ])
    it(`refuses ${what} with 403, creates nothing, and answers the same for an email that exists`, async () => {
      const { email } = await t.person()
      const before = await storedState()
      const headers = { 'x-request-id': 'same' }
      const answers = []
      for (const usuario of [create({ master_key }), create({ master_key, email })])
        for (const beside of [{}, { permissoes: [999_999] }])
          answers.push(await signUp(usuario, beside, headers))
      const [first, ...others] = answers.map(({ status, headers: { date: _, ...rest }, text }) => ({
        status,
        rest,
        text: text.replace(/"timestamp":"[^"]+"/, ''),
      }))
      for (const other of others) assert.deepEqual(other, first)
      assert.deepEqual([first?.status, answers[0]?.body.error.code], [403, 'INVALID_MASTER_KEY'])
      assert.deepEqual(await storedState(), before)
    })

  it('tells with a wrong one nothing about a weak password either', async () => {
    const { status } = await signUp(create({ master_key: 'outra', senha: 'fraca' }))
    assert.equal(status, 403)
  })

  it('is required', async () => {
    const { master_key: _, ...usuario } = create()
    assert.deepEqual(await refused(() => signUp(usuario)), ['body.usuario.master_key value_error.required'])
  })
})

describe('a sign-up refuses with 422', () => {
  it('an email that is taken, in any case', async () => {
    const { email } = await t.person()
    for (const taken of [email, email.toUpperCase(), email.replace('p', 'P'), email.replace('i', 'İ')])
      assert.deepEqual(await refused(() => signUp(create({ email: taken }))), [
        'body.usuario.email value_error.duplicate',
      ])
  })

  const RULES = {
    'pt-BR': ['De 8 a 128 caracteres', 'Ao menos uma letra maiúscula'],
    'en-US': ['From 8 to 128 characters', 'At least one uppercase letter'],
    'es-ES': ['De 8 a 128 caracteres', 'Al menos una letra mayúscula'],
  }
  for (const [language, rules] of Object.entries(RULES))
    it(`a weak password, with the rules it breaks in ${language}`, async () => {
      const act = () => signUp(create({ senha: 'fr#ca1' }), {}, { 'accept-language': language })
      assert.deepEqual(await refused(act), ['body.usuario.senha value_error.weak_password'])
      const { msg } = (await act()).body.detail[0]
      assert.equal(msg.slice(msg.indexOf(': ') + 2), rules.join('; '))
    })

  const IN_USUARIO: [string, object, string[]][] = [
    ['a phone number of another form', { telefone: '81999990000' }, ['telefone invalid_format']],
    ['a phone number with letters', { telefone: '(81) 9999a-0000' }, ['telefone invalid_format']],
    ['a line after the phone number', { telefone: '(81) 99999-0000\n' }, ['telefone invalid_format']],
    ['a state that does not exist', { estado: 'XX' }, ['estado invalid_value']],
    ['a state in lower case', { estado: 'pe' }, ['estado invalid_value']],
    ['what is no email', { email: 'ana@' }, ['email invalid_email']],
    ['an email with NUL', { email: 'a\0@b.example' }, ['email invalid_email']],
    ['an email with spaces around it', { email: ' ana@saude.example ' }, ['email invalid_email']],
    ['an email with a line break', { email: 'ana@saude.example\nBcc: x@y.example' }, ['email invalid_email']],
    ['a blank name', { nome: '  ' }, ['nome invalid_format']],
    ['an empty name and password', { nome: '', senha: '' }, ['nome required', 'senha required']],
    ['NUL in texts', { nome: 'a\0', cidade: '\0' }, ['nome invalid_format', 'cidade invalid_format']],
    ['half a surrogate pair', { nome: 'a\ud800' }, ['nome invalid_format']],
    [
      'texts that are too long',
      {
        nome: 'x'.repeat(201),
        cidade: 'x'.repeat(101),
        funcao: 'x'.repeat(101),
        instituicao: 'x'.repeat(201),
      },
      ['nome too_long', 'cidade too_long', 'funcao too_long', 'instituicao too_long'],
    ],
    ['a master key that is too long', { master_key: 'x'.repeat(1001) }, ['master_key too_long']],
    [
      'wrong types',
      { nome: 1, admin: 'true', ativo: 0 },
      ['nome invalid_type', 'admin invalid_type', 'ativo invalid_type'],
    ],
    ['null for what is required', { nome: null, senha: null }, ['nome invalid_type', 'senha invalid_type']],
    ['permissions that are no list', { permissoes: 'admin' }, ['permissoes invalid_type']],
    ['a permission that is no record', { permissoes: ['admin'] }, ['permissoes.0 invalid_type']],
    ['a permission without id and name', { permissoes: [{ descricao: 'x' }] }, ['permissoes unknown']],
  ]
  for (const [what, fields, expected] of IN_USUARIO)
    it(what, async () => {
      const found = await refused(() => signUp(create(fields)))
      assert.deepEqual(
        found.map((text) => text.replace('value_error.', '')).sort(),
        expected.map((text) => `body.usuario.${text}`).sort(),
      )
    })

  for (const [what, body, expected] of [
    ['no user', {}, ['body.usuario value_error.required']],
    ['a user that is no object', { usuario: 'ana' }, ['body.usuario value_error.invalid_type']],
    ['a list', [], ['body value_error.invalid_type']],
    [
      'an empty user',
      { usuario: {} },
      ['nome', 'email', 'senha', 'master_key'].map((name) => `body.usuario.${name} value_error.required`),
    ],
  ] as [string, object, string[]][])
    it(what, async () => {
      assert.deepEqual(await refused(() => t.anonymous.post('/usuarios/signup', body)), expected)
    })

  for (const [what, ids, expected] of [
    ['an id that is no number', ['1'], ['body.permissoes.0 value_error.invalid_type']],
    ['an id of zero', [0], ['body.permissoes.0 value_error.too_small']],
    ['an id beyond every integer', [2 ** 31], ['body.permissoes.0 value_error.too_large']],
    ['more ids than could be meant', Array(501).fill(1), ['body.permissoes value_error.too_many']],
  ] as [string, unknown[], string[]][])
    it(what, async () => {
      assert.deepEqual(await refused(() => signUp(create(), { permissoes: ids })), expected)
    })
})
