import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { TOTP } from 'otpauth'
import { sql } from '../../../src/db/sql.ts'
import { recordRecusas } from '../../../src/domain/auditoria/recusas.ts'
import { type Answer, MASTER_KEY, PASSWORD, type Person, testApp } from '../../harness/app.ts'
import { problems } from '../refusals.ts'

const t = await testApp({ realLogins: true })
after(() => t.close())

const { pool } = t.database
const admin = await t.administrador()
const auditor = await t.person({ permissoes: ['auditoria.ver'] })
const ana = await t.person()

const NEW_PASSWORD = 'Outra#Senha9'
const SENHAS = { senha_atual: PASSWORD, senha_nova: NEW_PASSWORD, confirmar_senha: NEW_PASSWORD }
/** What must be found in no record. */
const secrets: string[] = [PASSWORD, NEW_PASSWORD, MASTER_KEY, 'Errada#123']

// biome-ignore lint/suspicious/noExplicitAny: read as the answer has it
type Registro = any
type Headers = { headers: Record<string, string> }

async function list(query: Record<string, string> = {}): Promise<Answer> {
  return t.as(auditor).get(`/auditoria?${new URLSearchParams(query)}`)
}
async function items(query: Record<string, string>) {
  const { status, body, text } = await list(query)
  assert.equal(status, 200, text)
  return body.items
}

const logIn = (person: { email: string }, senha = PASSWORD, headers: Headers | object = {}) =>
  t.anonymous.post('/auth/login', { email: person.email, senha }, headers)
async function pairOf(person: Person): Promise<{ access_token: string; refresh_token: string; sid: string }> {
  const { body } = await logIn(person)
  secrets.push(body.access_token, body.refresh_token)
  const sid = JSON.parse(Buffer.from(body.access_token.split('.')[1], 'base64url').toString()).sid
  return { ...body, sid }
}
async function mailedToken(email: string): Promise<string> {
  await t.mailWorker.runOnce()
  const token = /token=([\w-]+)/.exec(t.mails.findLast((one) => one.to === email)?.text ?? '')?.[1] ?? ''
  assert.notEqual(token, '')
  secrets.push(token)
  return token
}
const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: t.clock.now().getTime() })
async function withMfa(person: Person): Promise<string> {
  const { body } = await t.as(person).post('/auth/mfa/enable')
  secrets.push(body.secret, ...body.backup_codes)
  return body.secret
}
let grupos = 0
async function newGrupo(): Promise<number> {
  const { body } = await t.as(admin).post('/grupos', { nome: `grupo_${++grupos}` })
  return body.id
}

interface Expected {
  ator: Person | null
  recurso: string | null
  recurso_id: string | number | null
  detalhes?: object
}

/** Does what is recorded, in a request that carries these headers; answers what the record must say. */
type Kind = (headers: Headers, request: (answer: Answer, status?: number) => void) => Promise<Expected>

const MINUTE = 60_000
/** The minute that has just begun. */
function minuteNow(): string {
  t.clock.advance(MINUTE - (t.clock.now().getTime() % MINUTE))
  return new Date(Math.floor(t.clock.now().getTime() / MINUTE) * MINUTE).toISOString()
}
/** They are recorded once their minute is over. */
async function recordRefusals(): Promise<void> {
  t.clock.advance(2 * MINUTE)
  await recordRecusas(t.app)
}

const KINDS: Record<string, Kind> = {
  'login.sucesso': async (headers, answered) => {
    const answer = await logIn(ana, PASSWORD, headers)
    answered(answer)
    const { sid } = JSON.parse(Buffer.from(answer.body.access_token.split('.')[1], 'base64url').toString())
    return { ator: ana, recurso: 'sessao', recurso_id: sid }
  },
  'login.falhou': async (headers, answered) => {
    answered(await logIn(ana, 'Errada#123', headers), 401)
    return { ator: null, recurso: 'usuario', recurso_id: ana.id }
  },
  'login.falhou of an address without an account': async (headers, answered) => {
    answered(await logIn({ email: 'ninguem@teste.local' }, PASSWORD, headers), 401)
    return { ator: null, recurso: 'usuario', recurso_id: null }
  },
  'conta.bloqueada': async (headers, answered) => {
    const person = await t.person()
    for (let i = 0; i < 4; i++) await logIn(person, 'Errada#123')
    answered(await logIn(person, 'Errada#123', headers), 423)
    return { ator: null, recurso: 'usuario', recurso_id: person.id }
  },
  'login.recusado': async (headers, answered) => {
    const person = await t.person()
    for (let i = 0; i < 5; i++) await logIn(person, 'Errada#123')
    const minuto = minuteNow()
    answered(await logIn(person, PASSWORD, headers), 423)
    await recordRefusals()
    return { ator: null, recurso: null, recurso_id: null, detalhes: { minuto, total: 1 } }
  },
  'conta.desbloqueada': async (headers, answered) => {
    answered(await t.as(admin).post(`/usuarios/${ana.id}/desbloquear`, undefined, headers))
    return { ator: admin, recurso: 'usuario', recurso_id: ana.id }
  },
  logout: async (headers, answered) => {
    const { access_token, sid } = await pairOf(ana)
    answered(await t.as({ ...ana, token: access_token }).post('/auth/logout', undefined, headers))
    return { ator: ana, recurso: 'sessao', recurso_id: sid, detalhes: { everywhere: false } }
  },
  'logout in the form of A': async (headers, answered) => {
    const { refresh_token, sid } = await pairOf(ana)
    answered(await t.as(ana).post(`/usuarios/logout?refresh_token=${refresh_token}`, undefined, headers))
    return { ator: ana, recurso: 'sessao', recurso_id: sid, detalhes: { everywhere: false } }
  },
  'logout everywhere': async (headers, answered) => {
    const person = await t.person()
    answered(await t.as(person).post('/auth/logout', { everywhere: true }, headers))
    return { ator: person, recurso: 'sessao', recurso_id: null, detalhes: { everywhere: true } }
  },
  'sessao.encerrada': async (headers, answered) => {
    const { sid } = await pairOf(ana)
    answered(await t.as(ana).delete(`/auth/sessions/${sid}`, headers), 204)
    return { ator: ana, recurso: 'sessao', recurso_id: sid }
  },
  'sessao.reuso_detectado': async (headers, answered) => {
    const { refresh_token, sid } = await pairOf(ana)
    const { body } = await t.anonymous.post('/auth/refresh', { refresh_token })
    await t.anonymous.post('/auth/refresh', { refresh_token: body.refresh_token })
    answered(await t.anonymous.post('/auth/refresh', { refresh_token }, headers), 401)
    return { ator: ana, recurso: 'sessao', recurso_id: sid }
  },
  'senha.alterada': async (headers, answered) => {
    const person = await t.person()
    answered(await t.as(person).post('/auth/change-password', SENHAS, headers))
    return { ator: person, recurso: 'usuario', recurso_id: person.id }
  },
  'senha.definida': async (headers, answered) => {
    const { id } = await t.person()
    const body = { nova_senha: NEW_PASSWORD, forcar_troca: true }
    answered(await t.as(admin).post(`/usuarios/${id}/alterar-senha`, body, headers))
    return { ator: admin, recurso: 'usuario', recurso_id: id, detalhes: { forcar_troca: true } }
  },
  'senha.redefinida': async (headers, answered) => {
    const person = await t.person()
    await t.anonymous.post('/auth/forgot-password', { email: person.email })
    const body = { ...SENHAS, token: await mailedToken(person.email) }
    answered(await t.anonymous.post('/auth/reset-password', body, headers))
    return { ator: person, recurso: 'usuario', recurso_id: person.id }
  },
  'mfa.ativado': async (headers, answered) => {
    const person = await t.person()
    const code = codeOf(await withMfa(person))
    answered(await t.as(person).post('/auth/mfa/verify', { code }, headers))
    return { ator: person, recurso: 'usuario', recurso_id: person.id }
  },
  'mfa.desativado': async (headers, answered) => {
    const person = await t.person()
    const secret = await withMfa(person)
    await t.as(person).post('/auth/mfa/verify', { code: codeOf(secret) })
    t.clock.advance(30_000)
    const body = { senha: PASSWORD, code: codeOf(secret) }
    answered(await t.as(person).post('/auth/mfa/disable', body, headers))
    return { ator: person, recurso: 'usuario', recurso_id: person.id }
  },
  'usuario.criado': async (headers, answered) => {
    const usuario = { nome: 'Bia', email: 'bia@teste.local', senha: PASSWORD, master_key: MASTER_KEY }
    const permissoes = [{ nome: 'grupos.listar' }]
    answered(
      await t.anonymous.post('/usuarios/signup', { usuario: { ...usuario, permissoes } }, headers),
      201,
    )
    const row = await pool.first<{ id: number }>(sql`select id from usuarios where email = 'bia@teste.local'`)
    const given = await pool.first<{ id: number }>(
      sql`select id from permissoes where nome = 'grupos.listar'`,
    )
    const detalhes = { admin: false, grupos_ids: null, permissoes_ids: [given?.id], territorios: [] }
    return { ator: null, recurso: 'usuario', recurso_id: row?.id ?? null, detalhes }
  },
  'cadastro.recusado': async (headers, answered) => {
    const usuario = { nome: 'Bia', email: 'outra@teste.local', senha: PASSWORD, master_key: 'Errada#123' }
    const minuto = minuteNow()
    answered(await t.anonymous.post('/usuarios/signup', { usuario }, headers), 403)
    await recordRefusals()
    return { ator: null, recurso: null, recurso_id: null, detalhes: { minuto, total: 1 } }
  },
  'email.verificado': async (headers, answered) => {
    const usuario = { nome: 'Caio', email: 'caio@teste.local', senha: PASSWORD, master_key: MASTER_KEY }
    await t.anonymous.post('/usuarios/signup', { usuario })
    const token = await mailedToken(usuario.email)
    answered(await t.anonymous.post('/auth/verificar-email', { token }, headers))
    const row = await pool.first<{ id: number }>(sql`select id from usuarios where email = ${usuario.email}`)
    const ator = { id: row?.id as number, email: usuario.email, token: '' }
    return { ator, recurso: 'usuario', recurso_id: ator.id }
  },
  'conta.retomada': async (headers, answered) => {
    const person = await t.person()
    await t.as(person).put(`/usuarios/${person.id}`, { email: `novo.${person.email}` })
    const token = await mailedToken(person.email)
    answered(await t.anonymous.post('/auth/nao-fui-eu', { token }, headers))
    const detalhes = { email_restaurado: false, mfa_desativado: false, sessoes_encerradas: 1 }
    return { ator: person, recurso: 'usuario', recurso_id: person.id, detalhes }
  },
  'grupo.criado': async (headers, answered) => {
    const body = { nome: 'recem_criado', descricao: 'Um grupo', ativo: true, permissoes_ids: [] }
    const answer = await t.as(admin).post('/grupos', body, headers)
    answered(answer, 201)
    return {
      ator: admin,
      recurso: 'grupo',
      recurso_id: answer.body.id,
      detalhes: { ...body, exige_mfa: false },
    }
  },
  'grupo.alterado': async (headers, answered) => {
    const id = await newGrupo()
    answered(await t.as(admin).put(`/grupos/${id}`, { ativo: false }, headers))
    return { ator: admin, recurso: 'grupo', recurso_id: id, detalhes: { ativo: false } }
  },
  'grupo.permissao_incluida': async (headers, answered) => {
    const id = await newGrupo()
    answered(await t.as(admin).post(`/grupos/${id}/permissoes/1`, undefined, headers))
    return { ator: admin, recurso: 'grupo', recurso_id: id, detalhes: { permissao_id: 1 } }
  },
  'grupo.permissao_retirada': async (headers, answered) => {
    const id = await newGrupo()
    await t.as(admin).post(`/grupos/${id}/permissoes/1`)
    answered(await t.as(admin).delete(`/grupos/${id}/permissoes/1`, headers), 204)
    return { ator: admin, recurso: 'grupo', recurso_id: id, detalhes: { permissao_id: 1 } }
  },
  'grupo.membro_incluido': async (headers, answered) => {
    const id = await newGrupo()
    answered(await t.as(admin).post(`/grupos/${id}/usuarios/${ana.id}`, undefined, headers))
    return { ator: admin, recurso: 'grupo', recurso_id: id, detalhes: { usuario_id: ana.id } }
  },
  'grupo.membro_retirado': async (headers, answered) => {
    const id = await newGrupo()
    await t.as(admin).post(`/grupos/${id}/usuarios/${ana.id}`)
    answered(await t.as(admin).delete(`/grupos/${id}/usuarios/${ana.id}`, headers), 204)
    return { ator: admin, recurso: 'grupo', recurso_id: id, detalhes: { usuario_id: ana.id } }
  },
  'grupo.excluido': async (headers, answered) => {
    const id = await newGrupo()
    answered(await t.as(admin).delete(`/grupos/${id}?force=true`, headers), 204)
    const detalhes = { nome: `grupo_${grupos}`, membros: 0, force: true }
    return { ator: admin, recurso: 'grupo', recurso_id: id, detalhes }
  },
}

describe('a record tells who did what to what, from where and in which request:', () => {
  for (const [index, [name, act]] of Object.entries(KINDS).entries())
    it(name, async () => {
      const request_id = `auditoria-${index}`
      const expected = await act({ headers: { 'x-request-id': request_id } }, (answer, status = 200) =>
        assert.equal(answer.status, status, answer.text),
      )
      const [record, ...others] = await items({ request_id })
      assert.deepEqual(others, [], 'one record')
      const { id: _id, data, hash, ator, ...rest } = record
      assert.deepEqual(rest, {
        acao: name.split(' ')[0],
        recurso: expected.recurso,
        recurso_id: expected.recurso_id === null ? null : String(expected.recurso_id),
        detalhes: expected.detalhes ?? {},
        endereco_ip: '127.0.0.1',
        request_id,
      })
      assert.equal(ator?.id, expected.ator?.id)
      if (ator !== null) {
        const row = await pool.first(sql`select nome from usuarios where id = ${ator.id}`)
        assert.deepEqual({ nome: ator.nome }, row)
      }
      assert.ok(Math.abs(Date.parse(data) - t.clock.now().getTime()) < 10_000)
      assert.match(hash, /^[0-9a-f]{64}$/)
    })

  it('has the address of the client', async () => {
    const headers = { 'x-request-id': 'de-longe' }
    const payload = { email: ana.email, senha: 'Errada#123' }
    const remoteAddress = '2001:db8::7'
    await t.server.inject({ method: 'POST', url: '/api/v1/auth/login', payload, headers, remoteAddress })
    assert.equal((await items({ request_id: 'de-longe' }))[0].endereco_ip, remoteAddress)
  })

  it('names fields and ids, and holds no address, password, token or code', async () => {
    const rows = await pool.rows<{ acao: string; detalhes: object; texto: string }>(sql`
      select acao, detalhes, row_to_json(a)::text as texto from auditoria a`)
    const all = rows.map(({ texto }) => texto).join('\n')
    assert.ok(secrets.length > 30)
    for (const secret of secrets) assert.ok(!all.includes(secret), secret)
    assert.ok(!all.includes('@'), 'no email')
    const of = (prefix: string) => [
      ...new Set(
        rows.filter(({ acao }) => acao.startsWith(prefix)).flatMap((row) => Object.keys(row.detalhes)),
      ),
    ]
    for (const prefix of ['sessao.', 'mfa.', 'email.']) assert.deepEqual(of(prefix), [])
    assert.deepEqual(of('conta.').toSorted(), ['email_restaurado', 'mfa_desativado', 'sessoes_encerradas'])
    for (const prefix of ['login.', 'cadastro.']) assert.deepEqual(of(prefix).toSorted(), ['minuto', 'total'])
    assert.deepEqual(of('senha.'), ['forcar_troca'])
    assert.deepEqual(of('usuario.').toSorted(), [
      'admin',
      'campos',
      'grupos_ids',
      'permissoes_ids',
      'territorios',
    ])
  })
})

describe('GET /auditoria', () => {
  let total = 0
  before(async () => {
    total = (await list()).body.total
  })
  const ids = async (query: Record<string, string>) =>
    (await items({ size: '100', ...query })).map(({ id }: { id: number }) => id)
  const all = () => Array.from({ length: total }, (_, i) => i + 1)

  it('is for those with auditoria.ver, and an administrator', async () => {
    const { status, body } = await t.as(ana).get('/auditoria')
    assert.deepEqual([status, body.error.required_permission], [403, 'auditoria.ver'])
    assert.equal((await t.as(admin).get('/auditoria')).status, 200)
    const gestor = await t.person({ grupos: ['gestor'] })
    assert.equal((await t.as(gestor).get('/auditoria')).status, 403)
    total++ // The login of the gestor.
  })

  it('answers the common envelope, the newest record first', async () => {
    const { body } = await list({ size: '3', page: '2' })
    assert.deepEqual(Object.keys(body).sort(), [
      'items',
      'links',
      'meta',
      'page',
      'pages',
      'size',
      'total',
      'verificacao',
    ])
    assert.deepEqual(
      body.items.map(({ id }: { id: number }) => id),
      [total - 3, total - 4, total - 5],
    )
    assert.deepEqual([body.total, body.page, body.size, body.pages], [total, 2, 3, Math.ceil(total / 3)])
    const at = (page: number) => `/api/v1/auditoria?size=3&page=${page}`
    assert.deepEqual(body.links, { first: at(1), prev: at(1), next: at(3), last: at(body.pages) })
    assert.ok(!Number.isNaN(Date.parse(body.meta.timestamp)))
  })

  it('answers each record in the stated shape', async () => {
    const [record] = await items({ size: '1' })
    const fields = 'id data ator acao recurso recurso_id detalhes endereco_ip request_id hash'
    assert.deepEqual(Object.keys(record), fields.split(' '))
    assert.deepEqual(Object.keys((await items({ acao: 'login.sucesso', size: '1' }))[0].ator), ['id', 'nome'])
  })

  it('filters by every field', async () => {
    const [sample] = await items({ acao: 'grupo.membro_incluido' })
    const everything: Registro[] = [
      ...(await items({ size: '100' })),
      ...(await items({ size: '100', page: '2' })),
    ]
    for (const [query, matches] of [
      [{ id: '3' }, (r) => r.id === 3],
      [{ 'id[in]': '1,2,5' }, (r) => [1, 2, 5].includes(r.id)],
      [{ 'id[lte]': '4', 'id[gt]': '2' }, (r) => r.id === 3 || r.id === 4],
      [{ acao: 'login.falhou' }, (r) => r.acao === 'login.falhou'],
      [{ 'acao[like]': 'grupo.' }, (r) => r.acao.startsWith('grupo.')],
      [{ 'acao[ne]': 'login.sucesso' }, (r) => r.acao !== 'login.sucesso'],
      [{ ator_id: String(ana.id) }, (r) => r.ator?.id === ana.id],
      [
        { recurso: 'grupo', recurso_id: sample.recurso_id },
        (r) => r.recurso_id === sample.recurso_id && r.recurso === 'grupo',
      ],
      [{ endereco_ip: '2001:db8::7' }, (r) => r.endereco_ip === '2001:db8::7'],
      [
        { 'request_id[in]': 'de-longe,auditoria-0' },
        (r) => ['de-longe', 'auditoria-0'].includes(r.request_id),
      ],
      [{ 'data[gte]': sample.data }, (r) => r.data >= sample.data],
      [{ 'data[lt]': sample.data, acao: 'logout' }, (r) => r.data < sample.data && r.acao === 'logout'],
      [{ search: 'MFA' }, (r) => r.acao.startsWith('mfa')],
      [
        { search: JSON.stringify({ or: [{ acao: 'logout' }, { id: { lt: 3 } }] }) },
        (r) => r.acao === 'logout' || r.id < 3,
      ],
    ] as [Record<string, string>, (record: Registro) => boolean][]) {
      const expected = everything.filter(matches).map(({ id }) => id)
      assert.ok(expected.length > 0, JSON.stringify(query))
      assert.deepEqual(await ids(query), expected.slice(0, 100), JSON.stringify(query))
      assert.equal((await list(query)).body.total, expected.length)
    }
  })

  it('searches the names of actors without regard to case and accents', async () => {
    const [
      {
        ator: { nome },
      },
    ] = await items({ ator_id: String(ana.id), size: '1' })
    const found = await items({ search: nome.toUpperCase().replace('O', 'Ó') })
    assert.ok(found.length > 0)
    for (const { ator } of found) assert.equal(ator.nome, nome)
  })

  it('sorts by id, time, action and resource', async () => {
    assert.deepEqual(await ids({ sort: 'id' }), all().slice(0, 100))
    assert.deepEqual(await ids({ sort: 'id', order: 'desc' }), all().reverse().slice(0, 100))
    for (const sort of ['data', 'acao']) {
      const values = (await items({ sort, size: '100' })).map(
        (record: Record<string, string>) => record[sort],
      )
      assert.deepEqual(values, values.toSorted())
    }
  })

  for (const [query, expected] of [
    [{ page: '0' }, 'page TOO_SMALL'],
    [{ size: '101' }, 'size TOO_LARGE'],
    [{ sort: 'hash' }, 'sort INVALID_VALUE'],
    [{ order: 'acima' }, 'order INVALID_VALUE'],
    [{ id: 'x' }, 'id INVALID_TYPE'],
    [{ 'id[like]': '1' }, 'id[like] UNKNOWN_OPERATOR'],
    [{ 'acao[regex]': '.' }, 'acao[regex] UNKNOWN_OPERATOR'],
    [{ 'detalhes[eq]': 'x' }, 'detalhes[eq] UNKNOWN_FIELD'],
    [{ 'data[gt]': 'ontem' }, 'data[gt] INVALID_FORMAT'],
    [{ search: '{"hash":"x"}' }, 'search UNKNOWN_FIELD'],
    [{ search: '{' }, 'search INVALID_FORMAT'],
  ] as [Record<string, string>, string][])
    it(`refuses ${new URLSearchParams(query)} with 422`, async () => {
      const { status, body } = await list(query)
      assert.equal(status, 422)
      assert.equal(body.error.code, 'VALIDATION_ERROR')
      assert.deepEqual(problems(body.error.details), [expected])
    })
})
