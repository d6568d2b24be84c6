import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { type Answer, PASSWORD, type Person, testApp } from '../../harness/app.ts'
import { tally } from '../refusals.ts'

const t = await testApp()
after(() => t.close())
const { pool } = t.database

const admin = await t.administrador()
const editor = await t.person({ permissoes: ['usuarios.editar'] })
const BASE = [
  ...['nome', 'email', 'admin', 'ativo', 'telefone', 'estado', 'cidade', 'funcao', 'instituicao'],
  'permissoes',
  'territorios',
]
const NEW_PASSWORD = 'Outra#Senha9'

const permissaoId = async (nome: string) =>
  (await pool.first<{ id: number }>(sql`select id from permissoes where nome = ${nome}`))?.id ?? 0

const stored = (id: number) =>
  pool.first(sql`
    select u.*, array(select permissao_id from usuarios_permissoes where usuario_id = u.id order by 1) as permissoes,
           array(select grupo_id from usuarios_grupos where usuario_id = u.id order by 1) as grupos,
           (select count(*) from sessoes s where s.usuario_id = u.id and s.encerrada_em is null) as sessoes
      from usuarios u where id = ${id}`)
const directs = async (id: number) => ((await stored(id)) as { permissoes: number[] }).permissoes

/** The required fields as they are, and these changes. */
async function update(caller: Person, id: number, change: object = {}, beside: object = {}): Promise<Answer> {
  const { nome, email } = (await stored(id)) as { nome: string; email: string }
  return t.as(caller).put(`/usuarios/${id}`, { usuario: { nome, email, ...change }, ...beside })
}

/** What PUT leaves as it was, but for the moment of last use. */
async function refused(caller: Person, id: number, change: object, beside: object = {}): Promise<Answer> {
  const calm = async () => ({ ...((await stored(id)) as object), ultimo_acesso: null })
  const before = await calm()
  const answer = await update(caller, id, change, beside)
  assert.deepEqual(await calm(), before, 'a refusal changes nothing')
  return answer
}
const locs = ({ status, body, text }: Answer) => {
  assert.equal(status, 422, text)
  return body.detail.map(({ loc, type }: { loc: string[]; type: string }) => `${loc.join('.')} ${type}`)
}
const lacking = ({ status, body, text }: Answer) => {
  assert.equal(status, 403, text)
  return body.error.required_permission
}
const logIn = (email: string, senha: string) => t.anonymous.post('/auth/login', { email, senha })

describe('PUT /usuarios/{id} with `usuario`', () => {
  it('changes what is sent, leaves the rest, and answers exactly the Base, without id', async () => {
    const ana = await t.person()
    await pool.run(sql`update usuarios set cargo = 'Chefe', funcao = 'Médica' where id = ${ana.id}`)
    const change = {
      ...{
        nome: 'Ana Nova',
        telefone: '(81) 99999-0000',
        estado: 'PE',
        cidade: 'Olinda',
        instituicao: 'Casa',
      },
    }
    const { status, body } = await update(editor, ana.id, change)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), BASE)
    const rest = { email: ana.email, admin: false, ativo: true, funcao: 'Médica', permissoes: [] }
    assert.deepEqual(body, { ...change, ...rest, territorios: [] })
    const row = (await stored(ana.id)) as Record<string, unknown>
    assert.deepEqual([row.cargo, row.cidade, row.atualizado_por_id], ['Chefe', 'Olinda', editor.id])
    assert.ok((row.atualizado_em as Date) > (row.criado_em as Date))
  })

  it('clears with null what may be null', async () => {
    const ana = await t.person()
    await update(editor, ana.id, {
      telefone: '(81) 3333-0000',
      estado: 'PE',
      cidade: 'x',
      funcao: 'y',
      instituicao: 'z',
    })
    const none = { telefone: null, estado: null, cidade: null, funcao: null, instituicao: null }
    const { body } = await update(editor, ana.id, none)
    assert.deepEqual({ ...body, ...none }, body)
  })

  for (const [what, body, expected] of [
    ['without usuario', {}, ['body.usuario value_error.required']],
    ['with other fields alone', { permissoes: [1], cor: 'azul' }, ['body.usuario value_error.required']],
    ['without nome', { usuario: { email: 'a@b.co' } }, ['body.usuario.nome value_error.required']],
    ['without email', { usuario: { nome: 'a' } }, ['body.usuario.email value_error.required']],
    ['with usuario null', { usuario: null, nome: 'x' }, ['body.usuario value_error.invalid_type']],
  ] as [string, object, string[]][])
    it(`${what} is 422 in this description's form`, async () => {
      const ana = await t.person()
      const answer = await t.as(editor).put(`/usuarios/${ana.id}`, body)
      assert.deepEqual(locs(answer), expected)
      assert.deepEqual(Object.keys(answer.body), ['detail'])
    })

  it('is 422 with every wrong field named at once, and changes nothing', async () => {
    const ana = await t.person()
    const wrong = {
      ...{ nome: '', email: 'x', telefone: '81', estado: 'Pernambuco', cidade: 5, admin: 'sim', ativo: null },
      senha: 5,
    }
    const named = locs(await refused(editor, ana.id, wrong)).map((line: string) => line.split(' ')[0])
    assert.deepEqual(
      [...new Set(named)].toSorted(),
      Object.keys(wrong)
        .map((name) => `body.usuario.${name}`)
        .toSorted(),
    )
  })

  it('is 404 for an id that nobody has', async () => {
    const usuario = { nome: 'x', email: 'ninguem@teste.local' }
    const { status, body } = await t.as(admin).put('/usuarios/999999', { usuario })
    assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'])
  })

  it('is 422 for an id that is none', async () => {
    const usuario = { nome: 'x', email: 'ninguem@teste.local' }
    assert.match(locs(await t.as(admin).put('/usuarios/abc', { usuario }))[0], /^path\.id /)
  })

  it('does not take id, dates, verification or groups from the body', async () => {
    const ana = await t.person({ grupos: ['usuario'] })
    const before = (await stored(ana.id)) as Record<string, unknown>
    const more = { id: 1, criado_em: '2000-01-01T00:00:00Z', email_verificado: true, plano: 'enterprise' }
    assert.equal((await update(admin, ana.id, { ...more, cpf: '52998224725', grupos_ids: [1] })).status, 200)
    const { ultimo_acesso: _a, ...now } = (await stored(ana.id)) as Record<string, unknown>
    const { ultimo_acesso: _b, ...same } = before
    assert.deepEqual(now, same)
  })
})

describe('the password in an update', () => {
  for (const [what, change] of [
    ['null', { senha: null }],
    ['absent', {}],
  ] as [string, object][])
    it(`stays when it is ${what}, and so do the sessions`, async () => {
      const ana = await t.person()
      assert.equal((await update(editor, ana.id, { ...change, cidade: 'Recife' })).status, 200)
      assert.equal((await t.as(ana).get('/usuarios/me')).status, 200)
      assert.equal((await logIn(ana.email, PASSWORD)).status, 200)
    })

  it('changes when it is given, and every session of the account ends', async () => {
    const ana = await t.person()
    assert.equal((await update(editor, ana.id, { senha: NEW_PASSWORD })).status, 200)
    await t.mailWorker.runOnce()
    const told = t.mails.filter(({ to }) => to === ana.email)
    assert.deepEqual(
      told.map(({ subject }) => subject),
      ['Vigia: nova senha definida pela administração'],
    )
    assert.ok(!JSON.stringify(told).includes(NEW_PASSWORD))
    assert.equal((await t.as(ana).get('/usuarios/me')).status, 401)
    assert.equal((await logIn(ana.email, PASSWORD)).status, 401)
    assert.equal((await logIn(ana.email, NEW_PASSWORD)).status, 200)
  })

  it('changed by its owner ends the other sessions, keeps the present one, and the owner is told by mail', async () => {
    const ana = await t.person()
    const other = (await logIn(ana.email, PASSWORD)).body.access_token
    assert.equal((await update(ana, ana.id, { senha: NEW_PASSWORD })).status, 200)
    assert.equal((await t.as(ana).get('/usuarios/me')).status, 200)
    assert.equal((await t.as({ ...ana, token: other }).get('/usuarios/me')).status, 401)
    await t.mailWorker.runOnce()
    const mail = t.mails.find(({ to }) => to === ana.email)
    assert.match(mail?.subject ?? '', /sua senha foi alterada/)
  })

  it('that is weak is 422 on usuario.senha', async () => {
    const ana = await t.person()
    for (const senha of [
      'curta',
      'semmaiuscula#1',
      'SEMMINUSCULA#1',
      'SemNumero#',
      'SemEspecial1',
      'Aa#1'.repeat(33),
    ])
      for (const line of locs(await refused(editor, ana.id, { senha })))
        assert.match(line, /^body\.usuario\.senha /)
  })

  it('of an account that holds more is 403', async () => {
    const gestor = await t.person({ grupos: ['gestor'] })
    assert.ok(lacking(await refused(editor, gestor.id, { senha: NEW_PASSWORD })))
    assert.equal(lacking(await refused(gestor, admin.id, { senha: NEW_PASSWORD })), 'admin')
  })
})

describe('the permissions in an update', () => {
  it('are the ids beside and the records inside together, matched by id, else by nome, and replace the direct ones', async () => {
    const ana = await t.person({ permissoes: ['auditoria.ver'] })
    const [listar, criar, editar] = await Promise.all(
      ['agravos.listar', 'agravos.criar', 'agravos.editar'].map(permissaoId),
    )
    const records = [{ id: listar, nome: 'qualquer' }, { nome: 'agravos.criar' }]
    const { status, body } = await update(
      admin,
      ana.id,
      { permissoes: records },
      { permissoes: [editar, listar] },
    )
    assert.equal(status, 200)
    const names = body.permissoes.map(({ nome }: { nome: string }) => nome)
    assert.deepEqual(names.toSorted(), ['agravos.criar', 'agravos.editar', 'agravos.listar'])
    assert.deepEqual(
      await directs(ana.id),
      [listar, criar, editar].toSorted((a = 0, b = 0) => a - b),
    )
  })

  it('stay when neither place names them, and go when either is empty', async () => {
    const ana = await t.person({ permissoes: ['agravos.listar'] })
    await update(admin, ana.id, { cidade: 'x' })
    assert.equal((await directs(ana.id)).length, 1)
    for (const [inside, beside] of [
      [{ permissoes: [] }, {}],
      [{}, { permissoes: [] }],
    ] as [object, object][]) {
      await update(admin, ana.id, {}, { permissoes: [1] })
      assert.deepEqual((await update(admin, ana.id, inside, beside)).body.permissoes, [])
      assert.deepEqual(await directs(ana.id), [])
    }
  })

  for (const [what, inside, beside, expected] of [
    ['id beside', {}, { permissoes: [1, 999_999] }, ['body.permissoes']],
    ['id inside', { permissoes: [{ id: 999_999 }] }, {}, ['body.usuario.permissoes']],
    ['nome inside', { permissoes: [{ nome: 'voar' }] }, {}, ['body.usuario.permissoes']],
    [
      'one in both',
      { permissoes: [{ nome: 'x' }] },
      { permissoes: [999_999] },
      ['body.permissoes', 'body.usuario.permissoes'],
    ],
    ['empty record', { permissoes: [{}] }, {}, ['body.usuario.permissoes.0']],
    ['list that is none', {}, { permissoes: 'x' }, ['body.permissoes']],
    ['id of the wrong kind', {}, { permissoes: ['x'] }, ['body.permissoes.0']],
  ] as [string, object, object, string[]][])
    it(`an unknown ${what} is 422 at ${expected.join(' and ')}`, async () => {
      const ana = await t.person({ permissoes: ['agravos.listar'] })
      const named = locs(await refused(admin, ana.id, inside, beside)).map(
        (line: string) => line.split(' ')[0],
      )
      assert.deepEqual(named.toSorted(), expected)
    })

  it('need usuarios.gerenciar_permissoes and holding what is given', async () => {
    const ana = await t.person()
    const beside = { permissoes: [await permissaoId('agravos.listar')] }
    assert.equal(lacking(await refused(editor, ana.id, {}, beside)), 'usuarios.gerenciar_permissoes')
    const giver = await t.person({ permissoes: ['usuarios.editar', 'usuarios.gerenciar_permissoes'] })
    assert.equal(lacking(await refused(giver, ana.id, {}, beside)), 'agravos.listar')
    assert.equal(
      (await update(giver, ana.id, {}, { permissoes: [await permissaoId('usuarios.editar')] })).status,
      200,
    )
  })

  it('count from the next request on', async () => {
    const ana = await t.person()
    assert.equal((await t.as(ana).get('/auditoria')).status, 403)
    await update(admin, ana.id, {}, { permissoes: [await permissaoId('auditoria.ver')] })
    assert.equal((await t.as(ana).get('/auditoria')).status, 200)
  })
})

describe('an update of oneself', () => {
  it('without usuarios.editar takes the own fields and the unchanged values of others', async () => {
    const ana = await t.person({ permissoes: ['agravos.listar'] })
    const own = {
      nome: 'Ana',
      telefone: '(81) 99999-0000',
      estado: 'PE',
      cidade: 'x',
      funcao: 'y',
      instituicao: 'z',
    }
    const permissoes = [await permissaoId('agravos.listar')]
    const { status, body } = await update(ana, ana.id, { ...own, admin: false, ativo: true }, { permissoes })
    assert.equal(status, 200)
    assert.deepEqual({ ...body, ...own }, body)
  })

  for (const [field, change, beside, permission] of [
    ['admin', { admin: true }, {}, 'admin'],
    ['ativo', { ativo: false }, {}, 'usuarios.deletar'],
    ['permissoes', { permissoes: [{ nome: 'admin' }] }, {}, 'usuarios.gerenciar_permissoes'],
    ['permissoes (ids)', {}, { permissoes: [1] }, 'usuarios.gerenciar_permissoes'],
  ] as [string, object, object, string][])
    it(`with a changed ${field} is 403 that names ${permission}, and changes nothing else either`, async () => {
      const ana = await t.person()
      assert.equal(lacking(await refused(ana, ana.id, { nome: 'Outro Nome', ...change }, beside)), permission)
    })

  it('is of oneself alone', async () => {
    const [ana, bia] = [await t.person(), await t.person()]
    assert.equal(lacking(await refused(ana, bia.id, { nome: 'x' })), 'usuarios.editar')
  })

  it('to a new address counts once its link is opened: until then the old one is shown and logs in', async () => {
    const ana = await t.person()
    await pool.run(sql`update usuarios set email_verificado = true where id = ${ana.id}`)
    const { status, body } = await update(ana, ana.id, { email: 'ana.nova@teste.local' })
    assert.deepEqual([status, body.email], [200, ana.email])
    assert.equal((await logIn('ana.nova@teste.local', PASSWORD)).status, 401)
    assert.equal((await logIn(ana.email, PASSWORD)).status, 200)
    await t.mailWorker.runOnce()
    const [link, notice] = ['ana.nova@teste.local', ana.email].map((to) =>
      t.mails.findLast((mail) => mail.to === to),
    )
    assert.ok(notice, 'the old address is told')
    const token = /[\w-]{40,}/.exec(link?.text ?? '')?.[0]
    assert.equal((await t.anonymous.post('/auth/verificar-email', { token })).status, 200)
    assert.equal((await logIn('ana.nova@teste.local', PASSWORD)).status, 200)
    assert.equal((await logIn(ana.email, PASSWORD)).status, 401)
    assert.equal((await t.as(ana).get('/usuarios/me')).body.email_verificado, true)
  })
})

describe('an update by someone with usuarios.editar', () => {
  it('to a new address counts at once, unverified, and both addresses are told', async () => {
    const ana = await t.person()
    await pool.run(sql`update usuarios set email_verificado = true where id = ${ana.id}`)
    const { body } = await update(editor, ana.id, { email: 'ana.outra@teste.local' })
    assert.equal(body.email, 'ana.outra@teste.local')
    assert.equal((await logIn('ana.outra@teste.local', PASSWORD)).status, 200)
    assert.equal(((await stored(ana.id)) as { email_verificado: boolean }).email_verificado, false)
    await t.mailWorker.runOnce()
    for (const address of [ana.email, 'ana.outra@teste.local'])
      assert.ok(
        t.mails.some(({ to }) => to === address),
        address,
      )
  })

  for (const spelling of [(email: string) => email, (email: string) => email.toUpperCase()])
    it(`to an address of another is 422 on usuario.email (${spelling('a')})`, async () => {
      const [ana, bia] = [await t.person(), await t.person()]
      const expected = ['body.usuario.email value_error.duplicate']
      assert.deepEqual(locs(await refused(editor, ana.id, { email: spelling(bia.email) })), expected)
      assert.deepEqual(locs(await refused(ana, ana.id, { email: spelling(bia.email) })), expected)
    })

  it('to one free address for two at once: one gets it, the other is 422, in the same place', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => t.person()))
    const answers = await Promise.all(
      people.map(({ id }) => update(editor, id, { email: 'disputado@teste.local' })),
    )
    assert.deepEqual(tally(answers), { 200: 1, 422: 5 })
    for (const answer of answers.filter(({ status }) => status === 422))
      assert.deepEqual(locs(answer), ['body.usuario.email value_error.duplicate'])
  })

  it('may switch on, and off only with usuarios.deletar', async () => {
    const ana = await t.person()
    assert.equal(lacking(await refused(editor, ana.id, { ativo: false })), 'usuarios.deletar')
    const both = await t.person({ permissoes: ['usuarios.editar', 'usuarios.deletar'] })
    assert.equal((await update(both, ana.id, { ativo: false })).body.ativo, false)
    assert.equal((await t.as(ana).get('/usuarios/me')).status, 401)
    assert.equal((await update(editor, ana.id, { ativo: true })).body.ativo, true)
  })

  it('of the last administrator to no administrator is 422, in this form', async () => {
    const expected = ['body.usuario.admin value_error.last_admin']
    assert.deepEqual(locs(await refused(admin, admin.id, { admin: false })), expected)
  })

  it('is in the audit with the names of the fields, without personal data', async () => {
    const ana = await t.person()
    await update(editor, ana.id, {
      nome: 'Segredo da Silva',
      telefone: '(81) 97777-6666',
      senha: NEW_PASSWORD,
    })
    const row = await pool.first<{ detalhes: object; ator_id: number; text: string }>(sql`
      select detalhes, ator_id, row_to_json(a)::text as text from auditoria a
       where acao = 'usuario.alterado' and recurso_id = ${String(ana.id)}`)
    assert.deepEqual(row?.detalhes, { campos: ['nome', 'telefone', 'senha'] })
    assert.equal(row?.ator_id, editor.id)
    assert.doesNotMatch(row?.text ?? '', /97777|Segredo|Outra#/)
  })
})
