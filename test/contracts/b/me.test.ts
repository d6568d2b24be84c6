import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { PERMISSIONS } from '../../../src/caller/permissions.ts'
import { sql } from '../../../src/db/sql.ts'
import { PASSWORD, testApp } from '../../harness/app.ts'
import { problems } from '../refusals.ts'

const t = await testApp()
after(() => t.close())

const KEYS = [
  'id',
  'nome',
  'email',
  'cpf',
  'telefone',
  'avatar_url',
  'cargo',
  'departamento',
  'cidade',
  'estado',
  'admin',
  'ativo',
  'plano',
  'email_verificado',
  'mfa_habilitado',
  'criado_em',
  'atualizado_em',
  'ultimo_acesso',
  'territorios',
  'sessoes_ativas',
]
const EXTRA: Record<string, string[]> = {
  grupos: ['grupos'],
  permissoes: ['permissoes_diretas', 'permissoes_efetivas'],
  sessoes: ['sessoes'],
}
const USUARIO = [
  'agravos.estatisticas',
  'agravos.listar',
  'dashboard.visualizar',
  'noticias.listar',
  'series.listar',
  'epizootias.listar',
]

const nomes = (items: { nome: string }[]) => items.map(({ nome }) => nome)

describe('GET /usuarios/me', () => {
  it('answers exactly the fields of a user and the number of live sessions', async () => {
    const ana = await t.person({ grupos: ['usuario'] })
    await t.database.pool.run(sql`
      update usuarios set cpf = '52998224725', telefone = '(81) 99999-0000', cargo = 'Analista', departamento = 'Vigilância',
                          cidade = 'Recife', estado = 'PE', email_verificado = true where id = ${ana.id}`)
    await t.anonymous.post('/auth/login', { email: ana.email, senha: PASSWORD })
    const { status, body } = await t.as(ana).get('/usuarios/me')
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), KEYS)
    const { nome, criado_em, atualizado_em, ultimo_acesso, ...rest } = body
    assert.match(nome, /^Pessoa \d+$/)
    assert.deepEqual(rest, {
      id: ana.id,
      email: ana.email,
      cpf: '52998224725',
      telefone: '(81) 99999-0000',
      avatar_url: null,
      cargo: 'Analista',
      departamento: 'Vigilância',
      cidade: 'Recife',
      estado: 'PE',
      admin: false,
      ativo: true,
      plano: 'basico',
      email_verificado: true,
      mfa_habilitado: false,
      territorios: [],
      sessoes_ativas: 2,
    })
    for (const moment of [criado_em, atualizado_em, ultimo_acesso])
      assert.ok(Math.abs(Date.parse(moment) - t.clock.now().getTime()) < 30_000, moment)
  })

  for (const include of [
    '',
    'grupos',
    'permissoes',
    'sessoes',
    'grupos,sessoes',
    'grupos,permissoes,sessoes',
    'sessoes, grupos ,sessoes',
    ',grupos,',
  ])
    it(`with include=${include} adds exactly what is named`, async () => {
      const ana = await t.person({ grupos: ['usuario'] })
      const { status, body } = await t.as(ana).get(`/usuarios/me?include=${encodeURIComponent(include)}`)
      assert.equal(status, 200)
      const wanted = Object.entries(EXTRA).filter(([name]) => include.includes(name))
      assert.deepEqual(Object.keys(body), [...KEYS, ...wanted.flatMap(([, keys]) => keys)])
    })

  it('tells groups, direct and effective permissions of a plain person', async () => {
    const ana = await t.person({ grupos: ['usuario', 'visualizador'], permissoes: ['auditoria.ver'] })
    const { body } = await t.as(ana).get('/usuarios/me?include=grupos,permissoes')
    assert.deepEqual(nomes(body.grupos).sort(), ['usuario', 'visualizador'])
    assert.deepEqual(Object.keys(body.grupos[0]), ['id', 'nome', 'descricao'])
    assert.deepEqual(nomes(body.permissoes_diretas), ['auditoria.ver'])
    assert.deepEqual(Object.keys(body.permissoes_diretas[0]), ['id', 'nome', 'descricao'])
    assert.deepEqual(body.permissoes_efetivas.sort(), [...USUARIO, 'auditoria.ver'].sort())
  })

  it('tells nothing effective of a deactivated group, from the next request on', async () => {
    const { body: group } = await t
      .as(await t.administrador())
      .post('/grupos', { nome: 'passageiro', permissoes_ids: [1] })
    const ana = await t.person({ grupos: ['passageiro'] })
    const effective = async () =>
      (await t.as(ana).get('/usuarios/me?include=permissoes')).body.permissoes_efetivas
    assert.equal((await effective()).length, 1)
    await t.database.pool.run(sql`update grupos set ativo = false where id = ${group.id}`)
    assert.deepEqual(await effective(), [])
  })

  for (const [what, options] of [
    ['the admin flag', { admin: true }],
    ['the group admin', { grupos: ['admin'] }],
    ['the permission admin', { permissoes: ['admin'] }],
  ] as const)
    it(`tells all permissions of who is an administrator by ${what}`, async () => {
      const admin = await t.person(options as Parameters<typeof t.person>[0])
      const { body } = await t.as(admin).get('/usuarios/me?include=permissoes')
      assert.deepEqual(body.permissoes_efetivas.sort(), Object.keys(PERMISSIONS).sort())
    })

  it('tells the same sessions as /auth/sessions, the current one marked', async () => {
    const ana = await t.person()
    await t.anonymous.post('/auth/login', { email: ana.email, senha: PASSWORD })
    const { body } = await t.as(ana).get('/usuarios/me?include=sessoes')
    const { items, total } = (await t.as(ana).get('/auth/sessions')).body
    assert.deepEqual(body.sessoes, items)
    assert.equal(body.sessoes_ativas, total)
    assert.equal(items.filter(({ current }: { current: boolean }) => current).length, 1)
  })

  it('is 422 for an include that does not exist, whatever stands beside it', async () => {
    const ana = await t.person()
    for (const include of [
      'senha',
      'grupos,nada',
      'Grupos',
      'grupos;sessoes',
      '__proto__',
      'x'.repeat(101),
    ]) {
      const { status, body } = await t.as(ana).get(`/usuarios/me?include=${encodeURIComponent(include)}`)
      assert.equal(status, 422, include)
      const code = include.length > 100 ? 'TOO_LONG' : 'INVALID_VALUE'
      assert.deepEqual(problems(body.error.details), [`include ${code}`])
    }
  })

  it('shows nothing of passwords and secrets', async () => {
    const { text } = await t.as(await t.person()).get('/usuarios/me?include=grupos,permissoes,sessoes')
    assert.doesNotMatch(text, /argon2|hash|segredo|refresh/i)
  })
})
