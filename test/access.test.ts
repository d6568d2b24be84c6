import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { describedContracts } from '../src/contracts/service.routes.ts'
import { sql } from '../src/db/sql.ts'
import { type Answer, type Person, testApp } from './harness/app.ts'

/**
 * Who may call what, written from the spec (1.2, 4.1 to 4.7, 4.9, 4.10, 4.12, 5), never from the code. `anyone`,
 * `logged in`, or the permission; `or self` where the caller's own id in the path is enough, `or` another permission that is. Paths are under /api/v1.
 */
const ACCESS = `
  POST   /auth/login                                    anyone
  POST   /auth/refresh                                  anyone
  POST   /auth/logout                                   logged in
  POST   /auth/sessao                                   anyone
  DELETE /auth/sessao                                   logged in
  POST   /auth/forgot-password                          anyone
  POST   /auth/reset-password                           anyone
  POST   /auth/verificar-email                          anyone
  POST   /auth/nao-fui-eu                               anyone
  GET    /auth/oidc                                     anyone
  POST   /auth/oidc/segundo-fator                       anyone
  POST   /auth/change-password                          logged in
  POST   /auth/mfa/enable                               logged in
  POST   /auth/mfa/verify                               logged in
  POST   /auth/mfa/disable                              logged in
  POST   /auth/mfa/codigos                              logged in
  GET    /auth/sessions                                 logged in
  DELETE /auth/sessions/{session_id}                    logged in
  GET    /auth/security-metrics                         logged in

  POST   /usuarios/login                                anyone
  POST   /usuarios/login_sw                             anyone
  POST   /usuarios/refresh-token                        anyone
  POST   /usuarios/signup                               anyone
  POST   /usuarios/reset-password                       anyone
  POST   /usuarios/logout                               logged in
  GET    /usuarios/logado                               logged in
  GET    /usuarios/me                                   logged in
  PUT    /usuarios/me/preferencias                      logged in
  PATCH  /usuarios/me/preferencias                      logged in
  GET    /usuarios/me/identidades                       logged in
  DELETE /usuarios/me/identidades/{id}                  logged in
  GET    /usuarios/                                     logged in
  GET    /usuarios                                      logged in
  GET    /usuarios                                      usuarios.listar
  POST   /usuarios                                      usuarios.criar
  GET    /usuarios/{id}                                 logged in
  PUT    /usuarios/{id}                                 usuarios.editar or self
  PUT    /usuarios/{id}                                 usuarios.editar or self
  PATCH  /usuarios/{id}                                 usuarios.editar or self
  DELETE /usuarios/{id}                                 usuarios.deletar
  DELETE /usuarios/{id}                                 usuarios.deletar
  POST   /usuarios/{id}/desativar                       usuarios.deletar
  POST   /usuarios/{id}/reativar                        usuarios.editar
  POST   /usuarios/{id}/foto-perfil                     usuarios.editar or self
  GET    /usuarios/{id}/foto                            logged in
  POST   /usuarios/{id}/grupos/{grupo_id}               usuarios.gerenciar_grupos
  DELETE /usuarios/{id}/grupos/{grupo_id}               usuarios.gerenciar_grupos
  PUT    /usuarios/{id}/grupos                          usuarios.gerenciar_grupos
  PATCH  /usuarios/{id}/grupos                          usuarios.gerenciar_grupos
  POST   /usuarios/{id}/permissoes/{permissao_id}       usuarios.gerenciar_permissoes
  DELETE /usuarios/{id}/permissoes/{permissao_id}       usuarios.gerenciar_permissoes
  GET    /usuarios/{id}/permissoes                      usuarios.listar or self
  GET    /usuarios/{id}/territorios                     usuarios.listar or self
  PUT    /usuarios/{id}/territorios                     usuarios.gerenciar_permissoes
  PATCH  /usuarios/{id}/territorios                     usuarios.gerenciar_permissoes
  GET    /usuarios/estatisticas                         usuarios.listar
  POST   /usuarios/buscar                               usuarios.listar
  POST   /usuarios/exportar                             usuarios.exportar
  POST   /usuarios/{id}/alterar-senha                   usuarios.editar
  POST   /usuarios/{id}/desbloquear                     usuarios.editar
  POST   /usuarios/{id}/convite                         usuarios.editar
  DELETE /usuarios/{id}/mfa                             usuarios.editar
  DELETE /usuarios/{id}/sessoes                         usuarios.editar
  GET    /usuarios/{id}/identidades                     usuarios.editar
  DELETE /usuarios/{id}/identidades/{identidade_id}     usuarios.editar

  GET    /contas-de-servico                             chaves.gerenciar
  POST   /contas-de-servico                             chaves.gerenciar
  GET    /contas-de-servico/{id}                        chaves.gerenciar
  POST   /contas-de-servico/{id}/chaves                 chaves.gerenciar
  POST   /contas-de-servico/{id}/chaves/{chave_id}/renovar chaves.gerenciar
  DELETE /contas-de-servico/{id}/chaves/{chave_id}      chaves.gerenciar

  GET    /auditoria                                     auditoria.ver
  POST   /auditoria/verificar                           admin
  POST   /auditoria/exportar                            auditoria.ver
  GET    /sistema                                       admin
  GET    /visoes                                        logged in
  POST   /visoes                                        logged in
  DELETE /visoes/{id}                                   logged in
  GET    /.well-known/jwks.json                         anyone

  GET    /permissoes/                                   logged in
  GET    /permissoes                                    logged in
  POST   /permissoes                                    usuarios.gerenciar_permissoes
  PUT    /permissoes/{id}                               usuarios.gerenciar_permissoes
  DELETE /permissoes/{id}                               usuarios.gerenciar_permissoes

  GET    /grupos                                        grupos.listar
  POST   /grupos                                        grupos.criar
  GET    /grupos/{id}                                   grupos.listar
  PUT    /grupos/{id}                                   grupos.editar
  PATCH  /grupos/{id}                                   grupos.editar
  DELETE /grupos/{id}                                   grupos.deletar
  POST   /grupos/{grupo_id}/usuarios/{usuario_id}       usuarios.gerenciar_permissoes
  DELETE /grupos/{grupo_id}/usuarios/{usuario_id}       usuarios.gerenciar_permissoes
  GET    /grupos/{grupo_id}/usuarios                    grupos.listar
  PUT    /grupos/{id}/permissoes                        grupos.editar
  PATCH  /grupos/{id}/permissoes                        grupos.editar
  POST   /grupos/{id}/permissoes/{permissao_id}         grupos.editar
  DELETE /grupos/{id}/permissoes/{permissao_id}         grupos.editar

  GET    /noticias                                      noticias.listar
  POST   /noticias                                      noticias.criar
  GET    /noticias/{id}                                 noticias.listar
  PUT    /noticias/{id}                                 noticias.editar
  PATCH  /noticias/{id}                                 noticias.editar
  DELETE /noticias/{id}                                 noticias.deletar

  GET    /agravos/tipos                                 agravos.listar
  POST   /agravos/tipos                                 agravos.definir
  GET    /agravos/tipos/modelos                         agravos.definir
  GET    /agravos/tipos/modelos/{codigo}                agravos.definir
  GET    /agravos/tipos/{codigo}                        agravos.listar
  PUT    /agravos/tipos/{codigo}                        agravos.definir
  PATCH  /agravos/tipos/{codigo}                        agravos.definir
  DELETE /agravos/tipos/{codigo}                        agravos.definir
  GET    /agravos/tipos/{codigo}/formulario             agravos.listar
  GET    /agravos/tipos/{codigo}/esquema                agravos.listar
  GET    /agravos/tipos/{codigo}/versoes                agravos.listar
  POST   /agravos/tipos/{codigo}/ativar                 agravos.definir
  POST   /agravos/tipos/{codigo}/desativar              agravos.definir
  GET    /agravos/casos/estatisticas/frequencias        agravos.estatisticas
  GET    /agravos/casos                                 agravos.listar
  POST   /agravos/casos                                 agravos.criar
  GET    /agravos/casos/excluidos                       agravos.deletar
  GET    /agravos/casos/{id}                            agravos.listar
  PUT    /agravos/casos/{id}                            agravos.editar
  PATCH  /agravos/casos/{id}                            agravos.editar
  DELETE /agravos/casos/{id}                            agravos.deletar
  POST   /agravos/casos/{id}/restaurar                  agravos.deletar
  GET    /agravos/casos/{id}/historico                  agravos.listar
  GET    /agravos/casos/estatisticas/resumo             agravos.estatisticas
  GET    /agravos/casos/estatisticas/curva              agravos.estatisticas
  GET    /agravos/casos/estatisticas/diagrama-controle  agravos.estatisticas
  GET    /agravos/casos/estatisticas/indicadores        agravos.estatisticas
  GET    /agravos/casos/estatisticas/rt                 agravos.estatisticas
  GET    /agravos/casos/estatisticas/nowcast            agravos.estatisticas
  GET    /agravos/casos/estatisticas/atrasos            agravos.estatisticas
  GET    /agravos/casos/mapa-calor                      agravos.estatisticas
  GET    /agravos/casos/qualidade                       agravos.estatisticas
  GET    /agravos/casos/qualidade/pendencias            agravos.listar
  GET    /agravos/casos/qualidade/pendencias/resumo     agravos.listar
  GET    /agravos/alertas                               agravos.estatisticas
  GET    /agravos/alertas/situacao                      agravos.estatisticas
  GET    /agravos/alertas/regras                        admin
  PUT    /agravos/alertas/regras                        admin
  PATCH  /agravos/alertas/regras                        admin
  GET    /agravos/alertas/{id}                          agravos.estatisticas
  POST   /agravos/alertas/{id}/reconhecer               agravos.estatisticas
  POST   /agravos/boletins                              relatorios.gerar
  GET    /agravos/boletins                              relatorios.gerar
  GET    /agravos/agendas                      relatorios.gerar
  POST   /agravos/agendas                      relatorios.gerar
  PUT    /agravos/agendas/{id}                 relatorios.gerar
  PATCH  /agravos/agendas/{id}                 relatorios.gerar
  DELETE /agravos/agendas/{id}                 relatorios.gerar
  GET    /agravos/boletins/{id}                         relatorios.gerar
  GET    /agravos/boletins/{id}/arquivo                 relatorios.exportar
  DELETE /agravos/boletins/{id}                         relatorios.gerar
  GET    /agravos/duplicidades                          agravos.duplicidades
  POST   /agravos/duplicidades/varredura                agravos.duplicidades
  GET    /agravos/duplicidades/qualidade                agravos.duplicidades
  POST   /agravos/duplicidades/{id}/decidir             agravos.duplicidades
  GET    /agravos/casos/{id}/duplicidades               agravos.duplicidades
  POST   /agravos/casos/{id}/fundir                     agravos.duplicidades
  GET    /agravos/fusoes                                agravos.duplicidades
  POST   /agravos/fusoes/{id}/desfazer                  agravos.duplicidades
  POST   /agravos/pessoas/buscar                        agravos.identificar
  GET    /agravos/pessoas/relatorio                     agravos.identificar
  GET    /agravos/panorama                              agravos.panorama
  GET    /agravos/casos/painel                          agravos.estatisticas
  GET    /agravos/casos/facetas                         agravos.estatisticas
  POST   /agravos/casos/{id}/anexos                     agravos.editar
  GET    /agravos/casos/{id}/anexos                     agravos.listar
  GET    /agravos/casos/{id}/anexos/{anexo_id}          logged in
  DELETE /agravos/casos/{id}/anexos/{anexo_id}          agravos.editar
  POST   /agravos/casos/verificar                       agravos.criar
  POST   /agravos/casos/bulk                            agravos.importar
  GET    /agravos/importacoes                           agravos.importar
  GET    /agravos/importacoes/{id}                      agravos.importar
  POST   /agravos/importacoes/{id}/desfazer             agravos.importar
  POST   /agravos/casos/exportar                        agravos.exportar
  POST   /agravos/casos/extratos                        agravos.extrair

  GET    /series                                        series.listar
  POST   /series                                        series.definir
  GET    /series/painel                                 series.listar
  POST   /series/bulk                                   series.importar
  GET    /series/importacoes                            series.importar
  GET    /series/importacoes/{id}                       series.importar
  POST   /series/importacoes/{id}/desfazer              series.importar
  GET    /series/{codigo}                               series.listar
  PUT    /series/{codigo}                               series.definir
  PATCH  /series/{codigo}                               series.definir
  DELETE /series/{codigo}                               series.definir
  GET    /series/{codigo}/valores                       series.listar
  PUT    /series/{codigo}/valores                       series.importar
  GET    /series/{codigo}/lugares                       series.listar
  GET    /series/{codigo}/revisoes                      series.listar
  GET    /series/{codigo}/correlacao                    series.listar
  GET    /epizootias                                    epizootias.listar
  POST   /epizootias                                    epizootias.registrar
  GET    /epizootias/estatisticas                       epizootias.listar
  GET    /epizootias/mapa                               epizootias.listar
  GET    /epizootias/proximas                           epizootias.listar
  GET    /epizootias/valores                            epizootias.listar
  POST   /epizootias/valores                            series.definir
  DELETE /epizootias/valores/{campo}/{codigo}           series.definir
  POST   /epizootias/bulk                               epizootias.registrar
  GET    /epizootias/importacoes                        epizootias.registrar
  GET    /epizootias/importacoes/{id}                   epizootias.registrar
  POST   /epizootias/importacoes/{id}/desfazer          epizootias.registrar
  GET    /epizootias/{id}                               epizootias.listar
  PUT    /epizootias/{id}                               epizootias.registrar
  PATCH  /epizootias/{id}                               epizootias.registrar
  DELETE /epizootias/{id}                               epizootias.deletar
  POST   /epizootias/{id}/restaurar                     epizootias.deletar
  GET    /epizootias/{id}/historico                     epizootias.listar

  GET    /rascunhos                                     agravos.criar or agravos.editar
  PUT    /rascunhos/{uuid}                              agravos.criar or agravos.editar
  GET    /rascunhos/{uuid}                              agravos.criar or agravos.editar
  DELETE /rascunhos/{uuid}                              agravos.criar or agravos.editar

  GET    /territorios                                   logged in
  GET    /agravos/regioes-saude                         agravos.estatisticas
  GET    /agravos/populacao                             agravos.estatisticas

  GET    /jobs                                          logged in
  GET    /jobs/{job_id}                                 logged in
  DELETE /jobs/{job_id}                                 logged in
  GET    /jobs/{job_id}/eventos                         logged in
  GET    /jobs/{job_id}/arquivo                         logged in
  GET    /jobs/{job_id}/rejeitados                      logged in

  POST   /webhooks                                      agravos.listar
  GET    /webhooks                                      logged in
  GET    /webhooks/eventos                              logged in
  GET    /webhooks/{id}                                 logged in
  PUT    /webhooks/{id}                                 logged in
  PATCH  /webhooks/{id}                                 logged in
  DELETE /webhooks/{id}                                 logged in
  POST   /webhooks/{id}/pausar                          logged in
  POST   /webhooks/{id}/retomar                         logged in
  POST   /webhooks/{id}/segredo                         logged in
  GET    /webhooks/{id}/entregas                        logged in
  GET    /webhooks/{id}/entregas/{entrega_id}           logged in
  POST   /webhooks/{id}/entregas/{entrega_id}/reenviar  logged in
  POST   /webhooks/{id}/reenviar                        logged in
  POST   /webhooks/{id}/testar                          logged in
  GET    /eventos                                       logged in
  GET    /eventos/aovivo                                logged in

  GET    /notificacoes                                  logged in
  PUT    /notificacoes/lidas                            logged in
  PATCH  /notificacoes/lidas                            logged in

  GET    /publico/agravos/curva                         anyone
  GET    /publico/agravos/indicadores                   anyone
  GET    /publico/agravos/alertas                       anyone
  GET    /publico/series                                anyone
  GET    /publico/series/{codigo}/valores               anyone
  GET    /publico/epizootias/estatisticas               anyone

  GET    /health                                        anyone
  GET    /health/detailed                               anyone
  GET    /openapi.json                                  anyone
`

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
      const or = access.or ? ` or ${access.or}` : access.orSelf ? ' or self' : ''
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
