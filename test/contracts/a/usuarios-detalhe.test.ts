import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { testApp } from '../../harness/app.ts'

const t = await testApp({ realLogins: true })
after(() => t.close())
const { pool } = t.database

/** Spec 2.1, Detail. */
const DETAIL = [
  ...['id', 'nome', 'email', 'admin', 'ativo', 'telefone', 'estado', 'cidade', 'funcao', 'instituicao'],
  ...['permissoes', 'territorios', 'desativado_em', 'ultimo_login', 'criado_por_id', 'atualizado_por_id'],
  ...['created_at', 'updated_at'],
]
/** Spec 2.4 and 4.4, what the other description adds. */
const ADDED = [
  ...['cpf', 'avatar_url', 'cargo', 'departamento', 'plano', 'email_verificado', 'mfa_habilitado'],
  ...['criado_em', 'atualizado_em', 'ultimo_acesso', 'grupos', 'permissoes_diretas', 'permissoes_efetivas'],
]

const admin = await t.administrador()
const plain = await t.person({ grupos: ['usuario'] })
const lister = await t.person({ permissoes: ['usuarios.listar'] })
const target = await t.person({ grupos: ['usuario', 'visualizador'], permissoes: ['auditoria.ver'] })
await pool.run(sql`
  update usuarios set cpf = '52998224725', telefone = '(81) 99999-0000', cidade = 'Recife', estado = 'PE', funcao = 'Médica',
         instituicao = 'Hospital', cargo = 'Chefe', departamento = 'Vigilância', criado_por_id = 1, atualizado_por_id = 1
   where id = ${target.id}`)
const path = `/usuarios/${target.id}`

const sorted = (object: object) => Object.keys(object).toSorted()

describe('GET /usuarios/{id}', () => {
  it('answers exactly the Detail to someone who may not list users, with the stored values', async () => {
    const { status, body } = await t.as(plain).get(path)
    assert.equal(status, 200)
    assert.deepEqual(sorted(body), DETAIL.toSorted())
    const { created_at, updated_at, ultimo_login, permissoes, nome, ...rest } = body
    assert.deepEqual(rest, {
      id: target.id,
      email: target.email,
      admin: false,
      ativo: true,
      telefone: '(81) 99999-0000',
      estado: 'PE',
      cidade: 'Recife',
      funcao: 'Médica',
      instituicao: 'Hospital',
      territorios: [],
      desativado_em: null,
      criado_por_id: 1,
      atualizado_por_id: 1,
    })
    assert.match(nome, /^Pessoa /)
    const names = permissoes.map((p: { nome: string }) => p.nome)
    assert.deepEqual([names, Object.keys(permissoes[0])], [['auditoria.ver'], ['id', 'nome', 'descricao']])
    for (const moment of [created_at, updated_at, ultimo_login])
      assert.ok(Math.abs(Date.parse(moment) - t.clock.now().getTime()) < 60_000, moment)
  })

  it('answers null where there is nothing', async () => {
    const { body } = await t.as(plain).get(`/usuarios/${lister.id}`)
    for (const field of [
      'telefone',
      'estado',
      'cidade',
      'funcao',
      'instituicao',
      'desativado_em',
      'criado_por_id',
    ])
      assert.equal(body[field], null, field)
    await pool.run(sql`update usuarios set ultimo_login = null where id = ${lister.id}`)
    assert.equal((await t.as(plain).get(`/usuarios/${lister.id}`)).body.ultimo_login, null)
  })

  for (const [who, caller] of [
    ['someone with usuarios.listar', lister],
    ['an administrator', admin],
    ['that user', target],
  ] as const)
    it(`adds the other description's fields for ${who}, and changes none of the Detail's`, async () => {
      const { status, body } = await t.as(caller).get(path)
      assert.equal(status, 200)
      assert.deepEqual(sorted(body), [...DETAIL, ...ADDED].toSorted())
      const { ultimo_login: _a, ...own } = (await t.as(plain).get(path)).body
      const { ultimo_login: _b, ...same } = Object.fromEntries(DETAIL.map((name) => [name, body[name]]))
      assert.deepEqual(same, own)
      assert.deepEqual(
        [body.cpf, body.cargo, body.departamento, body.plano, body.avatar_url],
        ['52998224725', 'Chefe', 'Vigilância', 'basico', null],
      )
      const groups = await pool.rows(sql`
        select g.id, g.nome, g.descricao, (select count(*) from grupos_permissoes gp where gp.grupo_id = g.id) as permissoes_count
          from grupos g where g.nome in ('usuario', 'visualizador') order by g.id`)
      assert.deepEqual(body.grupos, groups)
      assert.deepEqual(body.permissoes_diretas, body.permissoes)
      assert.deepEqual(body.permissoes_efetivas.toSorted(), [
        'agravos.estatisticas',
        'agravos.listar',
        'auditoria.ver',
        'dashboard.visualizar',
        'epizootias.listar',
        'noticias.listar',
        'series.listar',
      ])
    })

  it('tells every permission as effective of an administrator', async () => {
    const { body } = await t.as(lister).get('/usuarios/1')
    const rows = await pool.rows<{ nome: string }>(sql`select nome from permissoes order by id`)
    assert.deepEqual(
      body.permissoes_efetivas,
      rows.map(({ nome }) => nome),
    )
  })

  it('is 404 for an id that nobody has, in the common envelope', async () => {
    for (const caller of [plain, admin]) {
      const { status, body } = await t.as(caller).get('/usuarios/999999')
      assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'])
    }
  })

  for (const id of ['0', '-1', 'abc', '1.5', '2147483648', '%20'])
    it(`refuses the id ${id} with 422 in this description's form`, async () => {
      const { status, body } = await t.as(plain).get(`/usuarios/${id}`)
      assert.equal(status, 422)
      assert.deepEqual(body.detail[0].loc, ['path', 'id'])
    })

  it('with include=historico tells what happened to the account, newest first, and by whom', async () => {
    assert.equal((await t.as(admin).post(`${path}/desativar`)).status, 200)
    assert.equal((await t.as(admin).post(`${path}/reativar`)).status, 200)
    const { status, body } = await t.as(lister).get(`${path}?include=historico`)
    assert.equal(status, 200)
    const [second, first] = body.historico
    assert.deepEqual(Object.keys(second), ['data', 'acao', 'usuario', 'detalhes'])
    assert.ok(Date.parse(second.data) >= Date.parse(first.data))
    assert.equal(second.usuario.id, 1)
    assert.deepEqual(second.detalhes.ativo, true)
    assert.deepEqual(first.detalhes.ativo, false)
    assert.ok(!('historico' in (await t.as(lister).get(path)).body))
    assert.ok(!('historico' in (await t.as(plain).get(`${path}?include=historico`)).body))
  })

  for (const include of ['grupos', 'permissoes', 'grupos,permissoes', ''])
    it(`with include=${include} answers the same fields: they are always there`, async () => {
      const { status, body } = await t.as(lister).get(`${path}?include=${include}`)
      assert.deepEqual([status, sorted(body)], [200, [...DETAIL, ...ADDED].toSorted()])
    })

  for (const include of ['senha', 'grupos,x', '__proto__'])
    it(`refuses include=${include} with 422`, async () => {
      for (const caller of [lister, plain]) {
        const { status, body } = await t.as(caller).get(`${path}?include=${include}`)
        assert.equal(status, 422)
        assert.deepEqual(body.detail[0].loc, ['query', 'include'])
      }
    })

  it('shows nobody a password, a secret or a pending address', async () => {
    await pool.run(sql`update usuarios set email_pendente = 'novo@teste.local' where id = ${target.id}`)
    for (const caller of [plain, lister, admin, target])
      assert.doesNotMatch(
        (await t.as(caller).get(`${path}?include=historico`)).text,
        /argon2|senha|mfa_s|novo@/,
      )
  })
})
