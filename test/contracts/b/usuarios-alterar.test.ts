import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { PASSWORD, type Person } from '../../harness/app.ts'
import { denied, invalid, missing, tally } from '../refusals.ts'
import { gruposApp } from './grupos-app.ts'

const { t, admin, newGrupo, padrao, permissao } = await gruposApp()
after(() => t.close())
const { pool } = t.database

type Verb = 'put' | 'patch'
const alterar = (who: Person, { id }: { id: number }, body: unknown, verb: Verb = 'put') =>
  t.as(who)[verb](`/usuarios/${id}`, body)
async function changed(who: Person, whom: { id: number }, body: unknown, verb?: Verb) {
  const answer = await alterar(who, whom, body, verb)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
/** The account as the database has it, without what is computed for searching. */
async function stored({ id }: { id: number }): Promise<Record<string, unknown>> {
  const row = await pool.first<Record<string, unknown>>(sql`select * from usuarios where id = ${id}`)
  return Object.fromEntries(Object.entries(row ?? {}).filter(([name]) => !name.endsWith('_busca')))
}
/** Asserts that nothing at all of the account changed. */
async function untouched(whom: { id: number }, act: () => Promise<unknown>) {
  const before = await stored(whom)
  const result = await act()
  assert.deepEqual(await stored(whom), before)
  return result
}
const editor = await t.person({ permissoes: ['usuarios.editar'] })
const gestor = await t.person({ grupos: ['gestor'] })

const PROFILE = {
  ...{ nome: 'Nome Novo', telefone: '(11) 91234-5678', estado: 'RJ', cidade: 'Niterói', funcao: 'Chefe' },
  ...{ instituicao: 'Fiocruz', cargo: 'Gerente', departamento: 'Endemias' },
}

for (const verb of ['put', 'patch'] as const)
  describe(`${verb.toUpperCase()} /usuarios/{id}`, () => {
    it('changes what is sent and only that, and names what changed', async () => {
      const ana = await t.person()
      const before = await stored(ana)
      const answer = await changed(
        editor,
        ana,
        { cargo: 'Médica', cidade: 'Olinda', nome: before.nome },
        verb,
      )
      assert.deepEqual(Object.keys(answer), ['id', 'message', 'campos_alterados', 'requer_acao'])
      assert.equal(answer.id, ana.id)
      assert.deepEqual(answer.campos_alterados, ['cargo', 'cidade'])
      assert.deepEqual(answer.requer_acao, { email_verificacao: false, relogin: false })
      const { atualizado_em, ...after } = await stored(ana)
      assert.ok(Number(atualizado_em) > Number(before.atualizado_em))
      const { atualizado_em: _, ...rest } = before
      assert.deepEqual(after, { ...rest, cargo: 'Médica', cidade: 'Olinda', atualizado_por_id: editor.id })
    })

    it('lets users change their own profile, each field of it, and clear what may be empty', async () => {
      const ana = await t.person()
      assert.deepEqual(
        (await changed(ana, ana, PROFILE, verb)).campos_alterados.toSorted(),
        Object.keys(PROFILE).toSorted(),
      )
      for (const [name, value] of Object.entries(PROFILE)) assert.equal((await stored(ana))[name], value)
      const { nome: _, ...clearable } = PROFILE
      const none = Object.fromEntries(Object.keys(clearable).map((name) => [name, null]))
      assert.equal((await changed(ana, ana, none, verb)).campos_alterados.length, 7)
    })

    it('changes nothing at all when every value is as it was', async () => {
      const ana = await t.person({ grupos: ['usuario'] })
      await changed(ana, ana, PROFILE, verb)
      const same = {
        ...PROFILE,
        ...{ email: ana.email, admin: false, ativo: true, plano: 'basico', cpf: null },
        ...{ grupos_ids: [padrao('usuario'), padrao('usuario')], permissoes_ids: [] },
      }
      const answer = (await untouched(ana, () => changed(ana, ana, same, verb))) as { campos_alterados: [] }
      assert.deepEqual(answer.campos_alterados, [])
    })
  })

describe('changing a user', () => {
  it('refuses another cpf and any senha, and takes the same cpf in either form', async () => {
    const ana = await t.person()
    const with_ = (cpf: string | null) => pool.run(sql`update usuarios set cpf = ${cpf} where id = ${ana.id}`)
    for (const [own, sent, expected] of [
      ['52998224725', '529.982.247-25', []],
      ['52998224725', '52998224725', []],
      ['52998224725', '11144477735', ['cpf NOT_EDITABLE']],
      ['52998224725', null, ['cpf NOT_EDITABLE']],
      ['52998224725', 'nada', ['cpf NOT_EDITABLE']],
      [null, null, []],
      [null, '52998224725', ['cpf NOT_EDITABLE']],
    ] as const) {
      await with_(own)
      for (const who of [ana, editor, admin])
        if (expected.length === 0)
          assert.deepEqual((await changed(who, ana, { cpf: sent })).campos_alterados, [])
        else assert.deepEqual(await invalid(t, () => alterar(who, ana, { cpf: sent, nome: 'X' })), expected)
      assert.equal((await stored(ana)).cpf, own)
    }
    for (const senha of [PASSWORD, 'Outra#Senha1', '', null])
      await untouched(ana, async () =>
        assert.deepEqual(await invalid(t, () => alterar(ana, ana, { senha, nome: 'X' })), [
          'senha NOT_EDITABLE',
        ]),
      )
    assert.deepEqual(await invalid(t, () => alterar(ana, ana, { senha: 'x', cpf: '11144477735' })), [
      'cpf NOT_EDITABLE',
      'senha NOT_EDITABLE',
    ])
  })

  it('takes only well-formed values, told all at once, and changes nothing else then', async () => {
    const ana = await t.person()
    await untouched(ana, async () => {
      const body = {
        email: 'x',
        telefone: '1',
        estado: 'XX',
        plano: 'ouro',
        nome: '',
        ativo: 'x',
        grupos_ids: [0],
      }
      assert.equal((await invalid(t, () => alterar(admin, ana, { ...body, cargo: 'a\0' }))).length, 8)
      assert.deepEqual(
        await invalid(t, () =>
          alterar(admin, ana, {
            nome: 'X',
            grupos_ids: [999_999],
            permissoes_ids: [999_999],
            email: gestor.email,
          }),
        ),
        ['grupos_ids UNKNOWN', 'permissoes_ids UNKNOWN', 'email DUPLICATE'],
      )
      assert.deepEqual(await invalid(t, () => alterar(admin, ana, { nome: null })), ['nome INVALID_TYPE'])
      assert.deepEqual(await invalid(t, () => alterar(admin, ana, { nome: '  ' })), ['nome INVALID_FORMAT'])
    })
  })

  it('answers 404 for nobody, and 422 for what is no id', async () => {
    await missing(t, () => alterar(admin, { id: 999_999 }, { nome: 'X' }))
    await missing(t, () => alterar(admin, { id: 999_999 }, { cpf: null }))
    assert.deepEqual(await invalid(t, () => t.as(admin).put('/usuarios/0', { nome: 'X' })), ['id TOO_SMALL'])
  })

  it('ignores fields that are not for the client', async () => {
    const ana = await t.person()
    const before = await stored(ana)
    const body = {
      ...{
        nome: 'Só o nome',
        id: 1,
        criado_em: '2001-01-01T00:00:00Z',
        email_verificado: true,
        senha_hash: 'x',
      },
      ...{
        mfa_habilitado: true,
        mfa_ativado_em: null,
        desativado_em: '2001-01-01T00:00:00Z',
        trocar_senha: true,
      },
      ...{ email_pendente: 'a@b.example', permissoes_efetivas: ['admin'], senha_forca: 4, criado_por_id: 1 },
    }
    assert.deepEqual((await changed(ana, ana, body)).campos_alterados, ['nome'])
    const after = await stored(ana)
    const { atualizado_em } = after
    assert.deepEqual(after, { ...before, nome: 'Só o nome', atualizado_por_id: ana.id, atualizado_em })
  })

  it('asks, for each field that bears rights, the permission it names', async () => {
    const ana = await t.person({ grupos: ['usuario'] })
    const grupos_ids = [padrao('analista')]
    const permissoes_ids = [permissao('agravos.listar')]
    for (const [body, byEditor, byGestor] of [
      [{ admin: true }, 'admin', 'admin'],
      [{ plano: 'premium' }, 'admin', 'admin'],
      [{ grupos_ids }, 'usuarios.gerenciar_grupos', null],
      [{ grupos_ids: [] }, 'usuarios.gerenciar_grupos', null],
      [{ grupos_ids: [padrao('admin')] }, 'usuarios.gerenciar_grupos', 'admin'],
      [{ permissoes_ids }, 'usuarios.gerenciar_permissoes', null],
      [{ permissoes_ids: [permissao('auditoria.ver')] }, 'usuarios.gerenciar_permissoes', 'auditoria.ver'],
      [{ ativo: false }, 'usuarios.deletar', null],
    ] as const) {
      await untouched(ana, async () =>
        assert.equal(await denied(t, () => alterar(editor, ana, { nome: 'X', ...body })), byEditor),
      )
      if (byGestor !== null) assert.equal(await denied(t, () => alterar(gestor, ana, body)), byGestor)
      else assert.deepEqual((await changed(gestor, ana, body)).campos_alterados, Object.keys(body))
    }
    assert.equal((await stored(ana)).ativo, false)
    assert.equal(await denied(t, () => alterar(editor, ana, { ativo: true })), 'agravos.listar')
    await changed(gestor, ana, { permissoes_ids: [] })
    assert.deepEqual((await changed(editor, ana, { ativo: true })).campos_alterados, ['ativo'])
    assert.equal((await stored(ana)).desativado_em, null)
    const remover = await t.person({ permissoes: ['usuarios.deletar'] })
    assert.equal(await denied(t, () => alterar(remover, ana, { ativo: false })), 'usuarios.editar')
    const answer = await changed(admin, ana, { admin: true, plano: 'enterprise' })
    assert.deepEqual(answer.campos_alterados, ['admin', 'plano'])
  })

  it('lets nobody give themselves anything', async () => {
    const ana = await t.person({ grupos: ['usuario'] })
    for (const [body, needed] of [
      [{ admin: true }, 'admin'],
      [{ plano: 'enterprise' }, 'admin'],
      [{ grupos_ids: [padrao('gestor')] }, 'usuarios.gerenciar_grupos'],
      [{ permissoes_ids: [permissao('agravos.listar')] }, 'usuarios.gerenciar_permissoes'],
      [{ ativo: false }, 'usuarios.deletar'],
    ] as const)
      await untouched(ana, async () =>
        assert.equal(await denied(t, () => alterar(ana, ana, { nome: 'X', ...body })), needed),
      )
    assert.equal(await denied(t, () => alterar(gestor, gestor, { grupos_ids: [padrao('admin')] })), 'admin')
    assert.equal(
      await denied(t, () => alterar(gestor, gestor, { permissoes_ids: [permissao('auditoria.ver')] })),
      'auditoria.ver',
    )
  })

  it('touches nothing sensitive of an account that holds more, but its name may be edited', async () => {
    const secret = await newGrupo({ permissoes_ids: [permissao('auditoria.ver')] })
    const high = await t.person({ permissoes: ['auditoria.ver'] })
    const flagged = await t.person({ admin: true })
    const byGroup = await t.person()
    await pool.run(
      sql`insert into usuarios_grupos (usuario_id, grupo_id) values (${byGroup.id}, ${secret.id})`,
    )
    for (const [whom, needed] of [
      [high, 'auditoria.ver'],
      [byGroup, 'auditoria.ver'],
      [flagged, 'admin'],
    ] as const) {
      for (const body of [
        { email: 'roubo@teste.local' },
        { ativo: false },
        { grupos_ids: [padrao('usuario')] },
        { permissoes_ids: [permissao('agravos.listar')] },
      ])
        await untouched(whom, async () =>
          assert.equal(await denied(t, () => alterar(gestor, whom, body)), needed),
        )
      await changed(gestor, whom, { nome: 'Nome Corrigido' })
    }
    assert.equal((await stored(flagged)).nome, 'Nome Corrigido')
  })

  it('ends the sessions of whoever is deactivated, and says so', async () => {
    const ana = await t.person()
    assert.deepEqual((await changed(gestor, ana, { ativo: false })).requer_acao, {
      email_verificacao: false,
      relogin: true,
    })
    assert.equal((await t.as(ana).get('/usuarios/me')).status, 401)
    await changed(gestor, ana, { ativo: true })
    assert.equal((await t.as(ana).get('/usuarios/me')).status, 401, 'an ended session stays so')
  })
})

describe('a new email', () => {
  const mailsTo = async (email: string) => {
    await t.mailWorker.runOnce()
    return t.mails.filter(({ to }) => to === email)
  }

  it('of oneself waits for its link, and the old address is told', async () => {
    const ana = await t.person()
    const answer = await changed(ana, ana, { email: 'ana.nova@saude.example' })
    assert.deepEqual(answer.campos_alterados, ['email'])
    assert.deepEqual(answer.requer_acao, { email_verificacao: true, relogin: false })
    const { email, email_pendente } = await stored(ana)
    assert.deepEqual([email, email_pendente], [ana.email, 'ana.nova@saude.example'])
    assert.equal((await t.as(ana).get('/usuarios/me')).body.email, ana.email)
    assert.equal((await mailsTo(ana.email)).length, 1)
    const [mail] = await mailsTo('ana.nova@saude.example')
    const token = /#token=([\w-]+)/.exec(mail?.text ?? '')?.[1]
    assert.equal((await t.anonymous.post('/auth/verificar-email', { token })).status, 200)
    const after = await stored(ana)
    assert.deepEqual(
      [after.email, after.email_pendente, after.email_verificado],
      ['ana.nova@saude.example', null, true],
    )
  })

  it('by an editor counts at once, unverified, and both addresses are told', async () => {
    const ana = await t.person()
    await pool.run(sql`
      update usuarios set email_verificado = true, email_pendente = 'outro@x.example' where id = ${ana.id}`)
    const answer = await changed(editor, ana, { email: 'trocada@saude.example' })
    assert.equal(answer.requer_acao.email_verificacao, true)
    const { email, email_pendente, email_verificado } = await stored(ana)
    assert.deepEqual([email, email_pendente, email_verificado], ['trocada@saude.example', null, false])
    assert.equal((await mailsTo('trocada@saude.example')).length, 1)
    assert.equal((await mailsTo(ana.email)).length, 1)
  })

  it('that somebody has is refused in any case, also when two take it at once', async () => {
    const [ana, bia] = [await t.person(), await t.person()]
    for (const who of [ana, admin])
      assert.deepEqual(await invalid(t, () => alterar(who, ana, { email: bia.email.toUpperCase() })), [
        'email DUPLICATE',
      ])
    const email = 'disputada@saude.example'
    const answers = await Promise.all([ana, bia].map((whom) => alterar(admin, whom, { email })))
    assert.deepEqual(tally(answers), { 200: 1, 422: 1 })
  })
})

describe('the last administrator', () => {
  it('cannot be demoted, deactivated or put out of the groups, also not by two requests at once', async () => {
    const { pool: db } = t.database
    await db.run(sql`update usuarios set admin = false where id <> ${admin.id}`)
    for (const [body, field] of [
      [{ admin: false }, 'admin'],
      [{ ativo: false }, 'ativo'],
      [{ nome: 'X', admin: false, grupos_ids: [] }, 'admin'],
    ] as const)
      await untouched(admin, async () =>
        assert.deepEqual(await invalid(t, () => alterar(admin, admin, body)), [`${field} LAST_ADMIN`]),
      )
    for (let round = 0; round < 5; round++) {
      const bia = await t.person({ admin: true })
      const answers = await Promise.all([
        alterar(admin, bia, { admin: false }),
        alterar(bia, admin, round % 2 ? { admin: false } : { ativo: false }),
      ])
      const [left] = await db.rows<{ n: number }>(sql`select count(*) as n from administradores`)
      assert.equal(left?.n, 1)
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)
      for (const { status, text } of answers) assert.ok([200, 401, 403, 422].includes(status), text)
      await db.run(
        sql`update usuarios set admin = id = ${admin.id}, desativado_em = null where id in (${admin.id}, ${bia.id})`,
      )
      Object.assign(admin, await t.administrador())
    }
  })
})

describe('simultaneous changes', () => {
  it('of different fields all hold', async () => {
    const ana = await t.person()
    const answers = await Promise.all(
      Object.entries(PROFILE).map(([name, value]) => alterar(admin, ana, { [name]: value })),
    )
    assert.deepEqual(tally(answers), { 200: Object.keys(PROFILE).length })
    for (const [name, value] of Object.entries(PROFILE)) assert.equal((await stored(ana))[name], value)
  })

  it('of two who change each other never wait for one another', async () => {
    const [ana, bia] = [await t.person({ admin: true }), await t.person({ admin: true })]
    for (let round = 0; round < 10; round++) {
      const cargo = `Cargo ${round}`
      const answers = await Promise.all([alterar(ana, bia, { cargo }), alterar(bia, ana, { cargo })])
      assert.deepEqual(tally(answers), { 200: 2 })
    }
  })
})

describe('the audit of a change', () => {
  it('names the fields, with values only where they are rights', async () => {
    const ana = await t.person()
    await changed(admin, ana, {
      ...PROFILE,
      email: 'auditada@saude.example',
      admin: true,
      grupos_ids: [padrao('gestor')],
    })
    const rows = await pool.rows<{ acao: string; ator_id: number; detalhes: { campos: string[] } }>(sql`
      select acao, ator_id, detalhes from auditoria where recurso = 'usuario' and recurso_id = ${String(ana.id)}`)
    assert.deepEqual(
      rows.map((row) => [row.acao, row.ator_id]),
      [['usuario.alterado', admin.id]],
    )
    const { campos, ...values } = rows[0]?.detalhes ?? { campos: [] }
    assert.deepEqual(campos.toSorted(), [...Object.keys(PROFILE), 'email', 'admin', 'grupos_ids'].toSorted())
    assert.deepEqual(values, { admin: true, grupos_ids: [padrao('gestor')] })
  })
})
