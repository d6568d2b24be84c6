import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { PASSWORD, type Person } from '../../harness/app.ts'
import { denied, invalid, problems, tally } from '../refusals.ts'
import { gruposApp, nomes } from './grupos-app.ts'

const { t, admin, newGrupo, padrao, permissao } = await gruposApp()
after(() => t.close())
const { pool } = t.database

let made = 0
const novo = (fields: object = {}) => ({
  nome: 'Ana Souza',
  email: `nova${++made}@saude.example`,
  senha: PASSWORD,
  ...fields,
})
const criar = (body: unknown, who: Person = admin) => t.as(who).post('/usuarios', body)
async function created(fields: object = {}, who: Person = admin) {
  const { status, body, text } = await criar(novo(fields), who)
  assert.equal(status, 201, text)
  return body
}
const stored = (id: number) =>
  pool.first<Record<string, unknown>>(sql`select * from usuarios where id = ${id}`)
const howMany = async (email: string) =>
  (
    await pool.first<{ n: number }>(
      sql`select count(*) as n from usuarios where lower(email) = lower(${email})`,
    )
  )?.n

describe('POST /usuarios', () => {
  it('answers exactly what was promised, needs name, email and password only, and the account logs in', async () => {
    const { status, body } = await criar(novo({ email: 'Primeira@saude.example' }))
    assert.equal(status, 201)
    const { id, criado_em, mensagem, ...rest } = body
    assert.ok(id > 1 && mensagem.length > 0)
    assert.ok(Math.abs(Date.parse(criado_em) - t.clock.now().getTime()) < 10_000)
    assert.deepEqual(Object.keys(rest), ['email', 'nome', 'cpf', 'grupos', 'territorios'])
    assert.deepEqual([rest.email, rest.nome, rest.cpf], ['Primeira@saude.example', 'Ana Souza', null])
    assert.deepEqual(
      rest.grupos.map((g: object) => Object.keys(g)),
      [['id', 'nome', 'descricao']],
    )
    assert.deepEqual(nomes(rest.grupos), ['usuario'])
    const login = await t.anonymous.post('/auth/login', { email: 'primeira@saude.example', senha: PASSWORD })
    assert.equal(login.status, 200)
  })

  it('stores every field as given, with who made it', async () => {
    const fields = {
      ...{ telefone: '(81) 3333-4444', cargo: 'Médica', departamento: 'Vigilância', cidade: 'Olinda' },
      ...{ estado: 'PE', funcao: 'Plantonista', instituicao: 'SES', plano: 'premium', ativo: false },
    }
    const { id } = await created({
      ...fields,
      cpf: '390.533.447-05',
      permissoes_ids: [permissao('auditoria.ver')],
    })
    const { ativo, ...plain } = fields
    const row = await stored(id)
    for (const [name, value] of Object.entries(plain)) assert.equal(row?.[name], value, name)
    assert.deepEqual([row?.cpf, row?.ativo, row?.criado_por_id], ['39053344705', ativo, admin.id])
    assert.ok(row?.desativado_em instanceof Date)
    const { body } = await t.as(admin).get(`/usuarios/${id}/permissoes`)
    assert.deepEqual(nomes(body.permissoes_diretas), ['auditoria.ver'])
  })

  it('puts administrators in the highest tier unless another is given, others in the lowest', async () => {
    for (const [fields, plano] of [
      [{}, 'basico'],
      [{ admin: true }, 'enterprise'],
      [{ admin: true, plano: 'premium' }, 'premium'],
    ] as const)
      assert.equal((await stored((await created(fields)).id))?.plano, plano)
  })

  it('takes null for what is optional', async () => {
    const names = ['cpf', 'telefone', 'cargo', 'departamento', 'cidade', 'estado', 'funcao', 'instituicao']
    const { id } = await created(Object.fromEntries(names.map((name) => [name, null])))
    for (const name of names) assert.equal((await stored(id))?.[name], null)
  })

  it('joins the default group when no groups are given, none with an empty list, else those given', async () => {
    assert.deepEqual(nomes((await created()).grupos), ['usuario'])
    assert.deepEqual((await created({ grupos_ids: [] })).grupos, [])
    const ids = [padrao('analista'), padrao('gestor'), padrao('analista')]
    assert.deepEqual(nomes((await created({ grupos_ids: ids })).grupos), ['gestor', 'analista'])
  })

  it('sends a verification mail to the new address alone', async () => {
    const { email } = await created()
    await t.mailWorker.runOnce()
    const mails = t.mails.filter(({ to }) => to === email)
    assert.equal(mails.length, 1)
    assert.match(mails[0]?.text ?? '', /verificar-email#token=/)
  })

  it('records that it was made, by whom, and nothing personal', async () => {
    const { id } = await created({
      cpf: '111.444.777-35',
      telefone: '(81) 98888-7777',
      nome: 'Segredo Total',
    })
    const rows = await pool.rows<{ acao: string; ator_id: number; detalhes: object }>(sql`
      select acao, ator_id, detalhes from auditoria where recurso = 'usuario' and recurso_id = ${String(id)}`)
    assert.deepEqual(
      rows.map((row) => [row.acao, row.ator_id]),
      [['usuario.criado', admin.id]],
    )
    assert.doesNotMatch(JSON.stringify(rows), /Segredo|11144477735|98888|@/)
  })

  it('ignores fields that are not for the client', async () => {
    const forbidden = {
      ...{ id: 777_777, criado_em: '2001-01-01T00:00:00Z', atualizado_em: '2001-01-01T00:00:00Z' },
      ...{
        email_verificado: true,
        senha_hash: 'x',
        mfa_habilitado: true,
        mfa_ativado_em: '2001-01-01T00:00:00Z',
      },
      ...{ mfa_segredo: 'x', desativado_em: '2001-01-01T00:00:00Z', criado_por_id: 999, senha_forca: 100 },
      ...{ ultimo_acesso: '2001-01-01T00:00:00Z', trocar_senha: true, total_permissoes: 50, qualquer: {} },
      ...{ permissoes_efetivas: ['admin'], grupos: [{ id: 1 }], email_pendente: 'a@b.example', idioma: 'xx' },
    }
    const { id } = await created(forbidden)
    const [mine, plain] = [await stored(id), await stored((await created()).id)]
    const volatile = [
      'id',
      'email',
      'email_busca',
      'senha_hash',
      'criado_em',
      'atualizado_em',
      'senha_alterada_em',
    ]
    for (const name of volatile) {
      delete mine?.[name]
      delete plain?.[name]
    }
    assert.notEqual(id, 777_777)
    assert.deepEqual(mine, plain)
    const { body } = await t.as(admin).get(`/usuarios?id=${id}`)
    assert.deepEqual([body.items[0].email_verificado, body.items[0].mfa_habilitado], [false, false])
    assert.ok(Date.parse(body.items[0].criado_em) > Date.parse('2020-01-01'))
  })
})

describe('POST /usuarios refuses', () => {
  it('everything that is wrong at once, each with its code, and creates nothing', async () => {
    const { email } = await created()
    assert.deepEqual(
      (
        await invalid(t, () =>
          criar({
            ...{ email: 'nada', senha: 'fraca', cpf: '529.982.247-24', telefone: '81999990000' },
            ...{
              estado: 'XX',
              plano: 'ouro',
              admin: 'sim',
              grupos_ids: [999_999],
              permissoes_ids: [999_998],
            },
          }),
        )
      ).toSorted(),
      [
        ...['admin INVALID_TYPE', 'cpf INVALID_CPF', 'email INVALID_EMAIL', 'estado INVALID_VALUE'],
        ...['grupos_ids UNKNOWN', 'nome REQUIRED', 'permissoes_ids UNKNOWN', 'plano INVALID_VALUE'],
        ...['senha WEAK_PASSWORD', 'telefone INVALID_FORMAT'],
      ],
    )
    const { cpf } = await created({ cpf: '153.509.460-56' })
    assert.deepEqual(
      (await invalid(t, () => criar(novo({ email: email.toUpperCase(), cpf, senha: 'x' })))).toSorted(),
      ['cpf DUPLICATE', 'email DUPLICATE', 'senha WEAK_PASSWORD'],
    )
  })

  it('and names the unknown ids and what the password lacks, in the caller’s language', async () => {
    const answer = (language: string) =>
      t.as(admin).post('/usuarios', novo({ grupos_ids: [1, 987_654], senha: 'fraca' }), {
        headers: { 'accept-language': language },
      })
    const [pt, en] = [await answer('pt-BR'), await answer('en-US')]
    const text = ({ body }: typeof pt) => body.error.details.map((d: { message: string }) => d.message).join()
    assert.match(text(pt), /987654/)
    assert.notEqual(text(pt), text(en))
    assert.deepEqual(problems(pt.body.error.details), problems(en.body.error.details))
  })

  for (const [what, fields, expected] of [
    ['no body field at all', null, ['nome REQUIRED', 'email REQUIRED', 'senha REQUIRED']],
    ['a list', [], [' INVALID_TYPE']],
    ['an empty name', { nome: '' }, ['nome REQUIRED']],
    ['a blank name', { nome: ' \t' }, ['nome INVALID_FORMAT']],
    ['the NUL character', { nome: 'a\0b', cidade: '\0' }, ['nome INVALID_FORMAT', 'cidade INVALID_FORMAT']],
    [
      'half of a surrogate pair',
      { nome: '\ud800', cargo: 'a\udfff' },
      ['nome INVALID_FORMAT', 'cargo INVALID_FORMAT'],
    ],
    ['NUL and surrogates in the email', { email: 'a\0@b.example' }, ['email INVALID_EMAIL']],
    ['a lone surrogate in the email', { email: 'a\ud800@b.example' }, ['email INVALID_EMAIL']],
    ['NUL in the password', { senha: `${PASSWORD}\0` }, ['senha INVALID_FORMAT']],
    ['NUL in the CPF', { cpf: '52998224725\0' }, ['cpf INVALID_FORMAT']],
    ['a far too long name', { nome: 'a'.repeat(201) }, ['nome TOO_LONG']],
    ['a far too long city', { cidade: 'a'.repeat(100_000) }, ['cidade TOO_LONG']],
    [
      'a far too long email',
      { email: `${'a'.repeat(250)}@b.example` },
      ['email TOO_LONG', 'email INVALID_EMAIL'],
    ],
    ['a far too long CPF', { cpf: '5'.repeat(100_000) }, ['cpf TOO_LONG']],
    ['a password of 129 characters', { senha: `Aa1#${'x'.repeat(125)}` }, ['senha WEAK_PASSWORD']],
    ['an empty CPF', { cpf: '' }, ['cpf INVALID_CPF']],
    ['a CPF of repeated digits', { cpf: '111.111.111-11' }, ['cpf INVALID_CPF']],
    ['a CPF with the wrong check digits', { cpf: '52998224752' }, ['cpf INVALID_CPF']],
    ['a number as CPF', { cpf: 52998224725 }, ['cpf INVALID_TYPE']],
    ['a phone without punctuation', { telefone: '81999990000' }, ['telefone INVALID_FORMAT']],
    ['a UF in small letters', { estado: 'pe' }, ['estado INVALID_VALUE']],
    ['groups that are no ids', { grupos_ids: [0, 'x', 1.5] }, null],
    ['an id beyond integers', { grupos_ids: [9_999_999_999] }, ['grupos_ids.0 TOO_LARGE']],
    ['too many groups', { grupos_ids: Array.from({ length: 501 }, () => 1) }, ['grupos_ids TOO_MANY']],
    ['null where none may be', { nome: null, admin: null, grupos_ids: null }, null],
  ] as [string, object | null, string[] | null][])
    it(what, async () => {
      const body = fields === null ? {} : Array.isArray(fields) ? fields : novo(fields)
      const found = await invalid(t, () => criar(body))
      if (expected === null) assert.equal(found.length, 3)
      else assert.deepEqual(found, expected)
    })

  it('a CPF that is taken, in either form', async () => {
    await created({ cpf: '529.982.247-25' })
    for (const cpf of ['52998224725', '529.982.247-25'])
      assert.deepEqual(await invalid(t, () => criar(novo({ cpf }))), ['cpf DUPLICATE'])
  })

  it('malformed JSON with 400', async () => {
    const { status } = await t.as(admin).request('POST', '/usuarios', {
      headers: { 'content-type': 'application/json' },
      payload: '{"nome":',
    })
    assert.equal(status, 400)
  })
})

describe('POST /usuarios gives only what the caller may give:', () => {
  it('admin and plano need admin', async () => {
    const gestor = await t.person({ grupos: ['gestor'] })
    for (const fields of [{ admin: true }, { plano: 'enterprise' }, { plano: 'premium', admin: true }])
      assert.equal(await denied(t, () => criar(novo(fields), gestor)), 'admin')
    await created({ admin: false }, gestor)
  })

  it('groups need usuarios.gerenciar_grupos and holding all that they grant, also when switched off', async () => {
    const criador = await t.person({ permissoes: ['usuarios.criar'] })
    assert.deepEqual(nomes((await created({}, criador)).grupos), ['usuario'])
    for (const grupos_ids of [[padrao('usuario')], [], [padrao('admin')]])
      assert.equal(await denied(t, () => criar(novo({ grupos_ids }), criador)), 'usuarios.gerenciar_grupos')
    const gestor = await t.person({ grupos: ['gestor'] })
    assert.deepEqual(nomes((await created({ grupos_ids: [padrao('gestor')] }, gestor)).grupos), ['gestor'])
    assert.equal(await denied(t, () => criar(novo({ grupos_ids: [padrao('admin')] }), gestor)), 'admin')
    const off = await newGrupo({ ativo: false, permissoes_ids: [permissao('auditoria.ver')] })
    assert.equal(await denied(t, () => criar(novo({ grupos_ids: [off.id] }), gestor)), 'auditoria.ver')
  })

  it('permissions need usuarios.gerenciar_permissoes and holding them', async () => {
    const criador = await t.person({ permissoes: ['usuarios.criar', 'agravos.listar'] })
    const give = (...names: string[]) => ({ permissoes_ids: names.map(permissao) })
    assert.equal(
      await denied(t, () => criar(novo(give('agravos.listar')), criador)),
      'usuarios.gerenciar_permissoes',
    )
    const giver = await t.person({
      permissoes: ['usuarios.criar', 'agravos.listar', 'usuarios.gerenciar_permissoes'],
    })
    await created(give('agravos.listar'), giver)
    assert.equal(
      await denied(t, () => criar(novo(give('agravos.listar', 'agravos.editar')), giver)),
      'agravos.editar',
    )
    assert.equal(await denied(t, () => criar(novo(give('admin')), giver)), 'admin')
  })
})

describe('fifty simultaneous creations', () => {
  it('of the same email: exactly one 201, the rest 422', async () => {
    const email = 'corrida@saude.example'
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => criar(novo({ email: i % 2 ? email : email.toUpperCase() }))),
    )
    assert.deepEqual(tally(answers), { 201: 1, 422: 49 })
    for (const { status, body } of answers)
      if (status === 422) assert.deepEqual(problems(body.error.details), ['email DUPLICATE'])
    assert.equal(await howMany(email), 1)
  })

  it('of the same CPF: exactly one 201, the rest 422, and no mail to those refused', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => criar(novo({ cpf: i % 2 ? '862.883.667-57' : '86288366757' }))),
    )
    assert.deepEqual(tally(answers), { 201: 1, 422: 49 })
    for (const { status, body } of answers)
      if (status === 422) assert.deepEqual(problems(body.error.details), ['cpf DUPLICATE'])
    const waiting = await pool.rows<{ n: number }>(sql`
      select usuario_id from emails_pendentes where usuario_id not in (select id from usuarios)`)
    assert.deepEqual(waiting, [])
  })
})
