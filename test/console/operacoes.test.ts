import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DESCRIPTIONS } from '../../src/contracts/descriptions.ts'
import { callsOfConsole, operationOf } from './operacoes-chamadas.ts'

/** No screen calls these, which are for programs: who they are for. */
const OF_PROGRAMS: Record<string, string> = {
  'POST /api/v1/auth/login': 'clients with tokens; the console has a session in a cookie',
  'POST /api/v1/auth/refresh': 'clients with tokens',
  'POST /api/v1/auth/logout': 'clients with tokens',
  'POST /api/v1/usuarios/login': 'clients with tokens',
  'POST /api/v1/usuarios/login_sw': 'clients of OAuth 2.0, the page of the OpenAPI document',
  'POST /api/v1/usuarios/refresh-token': 'clients with tokens',
  'POST /api/v1/usuarios/logout': 'clients with tokens',
  'POST /api/v1/usuarios/signup': 'installations that make accounts with the master key',
  'POST /api/v1/permissoes': 'programs with codes of their own, which mean nothing to the service',
  'PUT /api/v1/permissoes/{id}': 'programs with codes of their own',
  'DELETE /api/v1/permissoes/{id}': 'programs with codes of their own',
  'GET /api/v1/auth/oidc': 'other clients; the page of the console has the providers in its head',
  'GET /api/v1/agravos/tipos/{codigo}/esquema': 'systems that send cases: JSON Schema of one',
  'GET /api/v1/eventos': 'systems that read the feed; people see it as notifications and lists out of date',
  'PUT /api/v1/series/{codigo}/valores': 'stations and scripts that write values; people import files',
  'GET /api/v1/publico/agravos/curva': 'sites that show public numbers',
  'GET /api/v1/publico/agravos/indicadores': 'sites that show public numbers',
  'GET /api/v1/publico/agravos/alertas': 'sites that show public numbers',
  'GET /api/v1/publico/series': 'sites that show public numbers',
  'GET /api/v1/publico/series/{codigo}/valores': 'sites that show public numbers',
  'GET /api/v1/publico/epizootias/estatisticas': 'sites that show public numbers',
}

/** No screen calls these, since one does the same by another operation. */
const BY_ANOTHER: Record<string, string> = {
  'POST /api/v1/usuarios/reset-password': 'POST /api/v1/auth/forgot-password',
  'GET /api/v1/usuarios/logado': 'GET /api/v1/usuarios/me',
  'GET /api/v1/usuarios/': 'GET /api/v1/usuarios',
  'POST /api/v1/usuarios/buscar': 'GET /api/v1/usuarios',
  'POST /api/v1/usuarios/{id}/desativar': 'DELETE /api/v1/usuarios/{id}',
  'POST /api/v1/usuarios/{id}/reativar': 'PUT /api/v1/usuarios/{id}',
  'POST /api/v1/usuarios/{id}/grupos/{grupo_id}': 'PUT /api/v1/usuarios/{id}/grupos',
  'DELETE /api/v1/usuarios/{id}/grupos/{grupo_id}': 'PUT /api/v1/usuarios/{id}/grupos',
  'POST /api/v1/usuarios/{id}/permissoes/{permissao_id}': 'PUT /api/v1/usuarios/{id}',
  'DELETE /api/v1/usuarios/{id}/permissoes/{permissao_id}': 'PUT /api/v1/usuarios/{id}',
  'GET /api/v1/usuarios/{id}/territorios': 'GET /api/v1/usuarios/{id}',
  'POST /api/v1/grupos/{id}/permissoes/{permissao_id}': 'PUT /api/v1/grupos/{id}/permissoes',
  'DELETE /api/v1/grupos/{id}/permissoes/{permissao_id}': 'PUT /api/v1/grupos/{id}/permissoes',
  'GET /api/v1/permissoes/': 'GET /api/v1/permissoes',
  'GET /api/v1/agravos/casos/{id}/anexos': 'GET /api/v1/agravos/casos/{id}',
  'GET /api/v1/agravos/casos/mapa-calor': 'GET /api/v1/agravos/casos/painel/partes',
  'GET /api/v1/agravos/alertas/situacao': 'GET /api/v1/agravos/casos/painel/partes',
  'GET /api/v1/agravos/regioes-saude': 'GET /api/v1/territorios',
  'GET /api/v1/agravos/populacao': 'GET /api/v1/territorios',
  'GET /api/v1/agravos/casos/estatisticas/curva': 'GET /api/v1/agravos/casos/painel',
  'GET /api/v1/agravos/casos/estatisticas/nowcast': 'GET /api/v1/agravos/casos/painel',
  // Of any place and week, in a bulletin.
  'GET /api/v1/agravos/casos/estatisticas/diagrama-controle': 'POST /api/v1/agravos/boletins',
  'GET /api/v1/agravos/casos/estatisticas/rt': 'POST /api/v1/agravos/boletins',
  'GET /api/v1/agravos/casos/estatisticas/indicadores': 'POST /api/v1/agravos/boletins',
}

const { calls, unknown } = callsOfConsole()
const isCalled = (operation: string) => {
  const [method = '', path = ''] = operation.split(' ')
  return calls.has(operationOf(method, path))
}

const rows = DESCRIPTIONS.flatMap((description) => description.rows)
const operations = [...new Set(rows.map(({ method, path }) => `${method} ${path}`))]
/** Where a `PUT` takes the fields to change alone, `PATCH` is another name of it. */
const isOtherName = (operation: string) =>
  operation.startsWith('PATCH ') && operations.includes(operation.replace('PATCH', 'PUT'))

describe('The operations of the API', () => {
  it('are found where the console calls them', () => {
    assert.deepEqual(unknown, [])
    const known = new Set(rows.map(({ method, path }) => operationOf(method, path)))
    assert.deepEqual(
      [...calls.keys()].filter((operation) => !known.has(operation)),
      [],
    )
    assert.ok(calls.size > 150, 'calls are found')
  })

  it('each have a screen, or a reason to have none', () => {
    const excused = [...Object.keys(OF_PROGRAMS), ...Object.keys(BY_ANOTHER)]
    assert.deepEqual(
      operations.filter((operation) => !isCalled(operation) && !isOtherName(operation)).toSorted(),
      excused.toSorted(),
    )
  })

  it('have the other way that a screen is said to take', () => {
    assert.deepEqual(
      Object.values(BY_ANOTHER).filter((other) => !isCalled(other)),
      [],
    )
  })
})
