import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { type Person, testApp } from '../../harness/app.ts'
import { MULTIPART, multipart } from '../../harness/multipart.ts'
import { ALTERACAO, anexoPlantado, casoPlantado, MOTIVO, NOME, plantedIn } from '../../planted.ts'
import { whileAuditFails } from './anexos-app.ts'

const t = await testApp()
after(() => t.close())

const admin = await t.administrador()
const gestor = await t.person({ grupos: ['gestor'] })
const identificador = await t.person({ permissoes: ['agravos.listar', 'agravos.identificar'] })
const without: Record<string, Person> = {
  analista: await t.person({ grupos: ['analista'] }),
  usuario: await t.person({ grupos: ['usuario'] }),
  visualizador: await t.person({ grupos: ['visualizador'] }),
  'someone with every other permission of agravos': await t.person({
    permissoes: ['listar', 'criar', 'editar', 'deletar', 'importar', 'estatisticas', 'exportar'].map(
      (one) => `agravos.${one}`,
    ),
  }),
}

// Created, changed, deleted, restored, with an attachment: everything a case can have.
const { id } = (await t.as(gestor).post('/agravos/casos', casoPlantado())).body
t.clock.advance(60_000)
const beforeChange = t.clock.now().toISOString()
t.clock.advance(60_000)
assert.equal((await t.as(gestor).put(`/agravos/casos/${id}`, ALTERACAO)).status, 200)
assert.equal(
  (await t.as(gestor).delete(`/agravos/casos/${id}?motivo=${encodeURIComponent(MOTIVO)}`)).status,
  204,
)
assert.equal((await t.as(gestor).post(`/agravos/casos/${id}/restaurar`)).status, 200)
const payload = multipart(...anexoPlantado())
assert.equal(
  (await t.as(gestor).request('POST', `/agravos/casos/${id}/anexos`, { headers: MULTIPART, payload })).status,
  201,
)

const caso = `/agravos/casos/${id}`
const READS: Record<string, string> = {
  'the detail': `${caso}?identificado=true`,
  'the detail with everything': `${caso}?identificado=true&include=historico,anexos,investigacao`,
  'the detail of an earlier moment': `${caso}?identificado=true&em=${encodeURIComponent(beforeChange)}`,
  'the history': `${caso}/historico?identificado=true`,
  'the attachments': `${caso}/anexos?identificado=true`,
}

interface Leitura {
  ator_id: number
  recurso: string
  recurso_id: string | null
  detalhes: Record<string, unknown>
}
const recorded = () =>
  t.database.pool.rows<Leitura>(sql`
    select ator_id, recurso, recurso_id, detalhes from auditoria where acao = 'caso.identificado' order by id`)

for (const [what, path] of Object.entries(READS))
  describe(`An identified read of ${what}`, () => {
    for (const [who, person] of Object.entries(without))
      it(`is refused to ${who}, and is no read in the audit`, async () => {
        const before = await recorded()
        const { status, body, text } = await t.as(person).get(path)
        assert.equal(status, 403)
        assert.equal(body.error.code, 'PERMISSION_DENIED')
        assert.equal(body.error.required_permission, 'agravos.identificar')
        assert.deepEqual(plantedIn(text), [])
        assert.deepEqual(await recorded(), before)
      })

    it('is in the audit for each who reads by right, without a word about the patient', async () => {
      for (const person of [gestor, admin, identificador]) {
        const before = await recorded()
        const { status, text } = await t.as(person).get(path)
        assert.equal(status, 200)
        assert.notDeepEqual(plantedIn(text), [])
        const entries = (await recorded()).slice(before.length)
        assert.ok(entries.length > 0)
        for (const { ator_id, recurso, recurso_id } of entries)
          assert.deepEqual(
            { ator_id, recurso, recurso_id },
            { ator_id: person.id, recurso: 'caso', recurso_id: `${id}` },
          )
        assert.deepEqual(plantedIn(JSON.stringify(entries)), [])
      }
    })

    it('answers nothing while the audit cannot be written', async () => {
      const before = await recorded()
      const { status, body, text } = await whileAuditFails(t, () => t.as(gestor).get(path))
      assert.equal(status, 500)
      assert.equal(body.error.code, 'INTERNAL_ERROR')
      assert.deepEqual(plantedIn(text), [])
      assert.deepEqual(await recorded(), before)
    })

    it('that nobody asked for is not there, for administrators neither, and is not in the audit', async () => {
      const before = await recorded()
      for (const person of [admin, gestor, identificador, without.visualizador as Person])
        for (const open of [path.replace('identificado=true', ''), path.replace('true', 'false')]) {
          const { status, text } = await t.as(person).get(open)
          assert.equal(status, 200)
          assert.deepEqual(plantedIn(text), [])
        }
      assert.deepEqual(await recorded(), before)
    })

    it('is not given to what only resembles the word true', async () => {
      for (const value of ['TRUE', 'sim', 'yes', 'true,true', ''])
        assert.deepEqual(plantedIn((await t.as(gestor).get(path.replace('true', value))).text), [], value)
      const twice = await t.as(gestor).get(`${path.replace('true', 'false')}&identificado=true`)
      assert.equal(twice.status, 422)
    })
  })

describe('What is seen of a patient', () => {
  const OPEN = { nome: 'U. T.', data_nascimento: null }
  const HIDDEN = { logradouro: null, numero: null, cep: null, latitude: null, longitude: null }

  it('are the initials and keys with null, for administrators too', async () => {
    for (const person of [admin, gestor, without.visualizador as Person]) {
      const { paciente, endereco, investigacao } = (await t.as(person).get(caso)).body
      assert.partialDeepStrictEqual(paciente, OPEN)
      assert.partialDeepStrictEqual(endereco, HIDDEN)
      assert.equal(investigacao.locais_frequentados, null)
    }
  })

  it('is everything in an identified read, as it is now and as it was', async () => {
    const now = (await t.as(gestor).get(`${caso}?identificado=true`)).body
    assert.equal(now.paciente.nome, ALTERACAO.paciente_nome)
    assert.equal(now.paciente.data_nascimento, ALTERACAO.paciente_data_nascimento)
    assert.equal(now.endereco.latitude, ALTERACAO.latitude)
    assert.equal(now.endereco.cep, '64917-385')
    const then = (await t.as(gestor).get(READS['the detail of an earlier moment'] as string)).body
    const planted = casoPlantado()
    assert.equal(then.paciente.nome, NOME)
    assert.equal(then.paciente.data_nascimento, planted.paciente_data_nascimento)
    assert.equal(then.endereco.latitude, planted.latitude)
    assert.equal(then.versao, 1)
    const initials = (await t.as(admin).get(`${caso}?em=${encodeURIComponent(beforeChange)}`)).body
    assert.equal(initials.paciente.nome, 'I. T.')
    assert.partialDeepStrictEqual(initials.endereco, HIDDEN)
  })

  it('is in the history by field names with initials or null; old and new values only in an identified read', async () => {
    const changeOf = async (query: string) => {
      const { items } = (await t.as(gestor).get(`${caso}/historico?${query}`)).body
      const { detalhes } = items.find((one: { acao: string }) => one.acao === 'atualizado')
      const { motivo } = items.find((one: { acao: string }) => one.acao === 'excluido').detalhes
      const fields: [string, unknown][] = detalhes.alteracoes.map(
        (one: { campo: string; anterior: unknown; novo: unknown }) => [one.campo, [one.anterior, one.novo]],
      )
      return { motivo, ...Object.fromEntries(fields) }
    }
    const planted = casoPlantado()
    assert.partialDeepStrictEqual(await changeOf(''), {
      motivo: undefined,
      paciente_nome: ['I. T.', 'U. T.'],
      paciente_data_nascimento: [null, null],
      latitude: [null, null],
      classificacao_final: [null, 'dengue_grave'],
    })
    assert.partialDeepStrictEqual(await changeOf('identificado=true'), {
      motivo: MOTIVO,
      paciente_nome: [NOME, ALTERACAO.paciente_nome],
      paciente_data_nascimento: [planted.paciente_data_nascimento, ALTERACAO.paciente_data_nascimento],
      latitude: [planted.latitude, ALTERACAO.latitude],
      classificacao_final: [null, 'dengue_grave'],
    })
  })

  it('of an unknown case is 404, and who tried is in the audit', async () => {
    const { status } = await t.as(gestor).get('/agravos/casos/999999?identificado=true')
    assert.equal(status, 404)
    const last = (await recorded()).at(-1)
    assert.deepEqual([last?.ator_id, last?.recurso_id], [gestor.id, '999999'])
  })
})
