import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { PASSWORD } from '../harness/app.ts'
import { instancesOf } from './instances.ts'
import type { Service } from './service.ts'

/** Time within which a smaller territory must hold on every instance. */
const EFFECTIVE_MS = 1000
const EMAIL = 'regional@teste.local'
const PERNAMBUCO = { nivel: 'uf', codigo: 'PE' }
const BAHIA = { nivel: 'uf', codigo: 'BA' }

const world = await instancesOf({ after }, { count: 2, tuning: {} })
const services = await Promise.all([world.start(0), world.start(1)])
const [first, second] = services as [Service, Service]
const admin = await world.logIn(first)

/** An account that works with cases, with the password of all test accounts. */
async function newAccount(): Promise<number> {
  const { rows } = await world.client.query(
    `insert into usuarios (nome, email, senha_hash) select 'Regional', $1, senha_hash from usuarios where id = 1 returning id`,
    [EMAIL],
  )
  const { id } = rows[0]
  await world.client.query(
    `insert into usuarios_permissoes (usuario_id, permissao_id)
     select $1, id from permissoes where nome like 'agravos.%'`,
    [id],
  )
  return id
}

async function newCaso(municipio_residencia: string, estado_residencia: string): Promise<number> {
  const caso = { tipo_agravo: 'dengue', data_notificacao: '2026-03-12', paciente_nome: 'Fulana de Teste' }
  const { status, body, text } = await first.request('/api/v1/agravos/casos', {
    token: admin,
    body: {
      ...caso,
      numero_notificacao: `T-${municipio_residencia}`,
      municipio_residencia,
      estado_residencia,
    },
  })
  assert.equal(status, 201, text)
  return body.id
}

const account = await newAccount()
const token = await second.login(EMAIL, PASSWORD)
const kept = await newCaso('Recife', 'PE')
const lost = await newCaso('Salvador', 'BA')

async function bind(at: Service, ...territorios: object[]): Promise<void> {
  const { status, text } = await at.request(`/api/v1/usuarios/${account}/territorios`, {
    method: 'PUT',
    token: admin,
    body: { territorios },
  })
  assert.equal(status, 200, text)
}

const statusOf = async (at: Service, caso: number) =>
  (await at.request(`/api/v1/agravos/casos/${caso}`, { token })).status
const listed = async (at: Service) =>
  (await at.request('/api/v1/agravos/casos', { token })).body.tipos.map(({ id }: { id: number }) => id)

/** Asks until the case is refused. Returns the milliseconds after which the first refused request began. */
async function refusedAfter(at: Service, since: number): Promise<number> {
  for (;;) {
    const begun = performance.now() - since
    if ((await statusOf(at, lost)) === 404) return begun
    assert.ok(begun < EFFECTIVE_MS, `still open ${Math.round(begun)} ms after the change`)
    await sleep(5)
  }
}

describe('a territory that shrinks, on two processes with one database', () => {
  it('is refused by both within a second, wherever it was changed, and stays so', async (t) => {
    for (let round = 0; round < 6; round++) {
      const [here, there] = round % 2 === 0 ? [first, second] : [second, first]
      await bind(here, PERNAMBUCO, BAHIA)
      // Both remember the caller by the end of this loop.
      for (let i = 0; i < 3; i++)
        for (const at of [here, there])
          assert.deepEqual([await statusOf(at, kept), await statusOf(at, lost)], [200, 200])
      await bind(here, PERNAMBUCO)
      const changed = performance.now()
      const [ms, own] = await Promise.all([refusedAfter(there, changed), refusedAfter(here, changed)])
      t.diagnostic(`refused by the other after ${Math.round(ms)} ms, by the own after ${Math.round(own)} ms`)
      for (const at of [here, there, here, there]) {
        assert.deepEqual([await statusOf(at, kept), await statusOf(at, lost)], [200, 404])
        assert.deepEqual(await listed(at), [kept])
      }
    }
  })
})
