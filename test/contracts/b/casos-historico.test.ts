import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { casosApp } from './casos-app.ts'

const app = await casosApp()
const { t, admin, gestor, leitor, path, newCaso, read, identify, change, exclude, missing, invalid } = app
after(() => t.close())

interface Acontecido {
  data: string
  acao: string
  usuario: { id: number; nome: string } | null
  detalhes: { alteracoes?: { campo: string; anterior: unknown; novo: unknown }[]; motivo?: string }
}

const nomeDe = async ({ id }: { id: number }) =>
  (await t.database.pool.first<{ nome: string }>(sql`select nome from usuarios where id = ${id}`))?.nome

const page = async (id: number, query = '') => {
  const { status, body, text } = await t.as(gestor).get(path(id, `/historico?${query}`))
  assert.equal(status, 200, text)
  return body as { items: Acontecido[]; total: number; pages: number; page: number; size: number }
}
const changes = (line: Acontecido | undefined) =>
  Object.fromEntries((line?.detalhes.alteracoes ?? []).map((one) => [one.campo, [one.anterior, one.novo]]))
const restore = (id: number) => t.as(gestor).post(path(id, '/restaurar'))

describe('the history of a case', () => {
  it('begins with its creation', async () => {
    const id = await newCaso()
    const { historico, criado_em } = await read(id)
    const usuario = { id: gestor.id, nome: await nomeDe(gestor) }
    assert.deepEqual(historico, [{ data: criado_em, acao: 'criado', usuario, detalhes: {} }])
  })

  it('tells who changed which field when, with the old and the new value, the newest first', async () => {
    const id = await newCaso({ evolucao: 'ignorado', dados_laboratoriais: { ns1: 'negativo' } })
    t.clock.advance(1000)
    const { atualizado_em } = await change(id, {
      evolucao: 'cura',
      dados_laboratoriais: { ns1: 'positivo', plaquetas: 90000 },
      municipio_residencia: 'Olinda',
      dados_clinicos: { comorbidades: ['asma'] },
    })
    t.clock.advance(1000)
    const other = await t.person({ grupos: ['analista'] })
    await t.as(other).patch(path(id), { dados_laboratoriais: { ns1: null } })
    const { historico } = await read(id)
    assert.deepEqual(
      historico.map(({ acao, usuario }: Acontecido) => [acao, usuario?.id]),
      [
        ['atualizado', other.id],
        ['atualizado', gestor.id],
        ['criado', gestor.id],
      ],
    )
    assert.equal(historico[1].data, atualizado_em)
    assert.deepEqual(changes(historico[1]), {
      evolucao: ['ignorado', 'cura'],
      'dados_laboratoriais.ns1': ['negativo', 'positivo'],
      'dados_laboratoriais.plaquetas': [null, 90000],
      municipio_residencia: ['Recife', 'Olinda'],
      'dados_clinicos.comorbidades': [null, ['asma']],
    })
    assert.deepEqual(changes(historico[0]), { 'dados_laboratoriais.ns1': ['positivo', null] })
  })

  it('tells also what followed from a change', async () => {
    const id = await newCaso()
    await change(id, { classificacao_final: 'descartado', criterio_confirmacao: 'laboratorial' })
    assert.deepEqual(changes((await read(id)).historico[0]).status, ['em_investigacao', 'encerrado'])
  })

  it('shows a changed name as initials, and other secret fields without values; identified, all of them', async () => {
    const id = await newCaso({ logradouro_residencia: 'Rua da Aurora', latitude: 1, longitude: 2 })
    await change(id, { paciente_nome: 'João de Souza', logradouro_residencia: 'Rua do Sol', latitude: 1.5 })
    const concealed = {
      paciente_nome: ['M. S. S.', 'J. S.'],
      logradouro_residencia: [null, null],
      latitude: [null, null],
    }
    const open = {
      paciente_nome: ['Maria da Silva Santos', 'João de Souza'],
      logradouro_residencia: ['Rua da Aurora', 'Rua do Sol'],
      latitude: [1, 1.5],
    }
    assert.deepEqual(changes((await read(id)).historico[0]), concealed)
    assert.deepEqual(changes((await read(id, {}, admin)).historico[0]), concealed)
    assert.deepEqual(changes((await page(id)).items[0]), concealed)
    assert.deepEqual(changes((await identify(id)).historico[0]), open)
    assert.deepEqual(changes((await page(id, 'identificado=true')).items[0]), open)
  })

  it('names the field alone where the initials stay the same', async () => {
    const id = await newCaso()
    await change(id, { paciente_nome: 'Marta dos Santos Silva' })
    assert.deepEqual(changes((await read(id)).historico[0]), { paciente_nome: [null, null] })
  })

  it('keeps the reason of a deletion for those who may see who the patient is', async () => {
    const id = await newCaso()
    await exclude(id, { motivo: 'É o mesmo que Maria' })
    await restore(id)
    assert.deepEqual((await read(id)).historico[1].detalhes, {})
    assert.deepEqual((await identify(id)).historico[1].detalhes, { motivo: 'É o mesmo que Maria' })
  })

  it('keeps the names of people whose accounts are gone for good', async () => {
    const ana = await t.person({ grupos: ['gestor'] })
    const nome = await nomeDe(ana)
    const id = await newCaso({}, ana)
    await t.as(ana).put(path(id), { evolucao: 'cura' })
    assert.equal((await t.as(admin).delete(`/usuarios/${ana.id}`)).status, 200)
    const caso = await read(id)
    for (const { usuario } of caso.historico) assert.deepEqual(usuario, { id: ana.id, nome })
    assert.equal(caso.historico.length, 2)
    assert.equal(caso.responsavel, null)
    await change(id, { evolucao: 'ignorado' })
  })
})

describe('GET /agravos/casos/{id}/historico', () => {
  it('pages through all of it, in both directions, the creation counted', async () => {
    const id = await newCaso({ paciente_idade: 0 })
    for (let idade = 1; idade <= 5; idade++) await change(id, { paciente_idade: idade })
    const told = async (query: string) =>
      (await page(id, query)).items.map((line) =>
        line.acao === 'criado' ? 0 : (changes(line).paciente_idade?.[1] as number),
      )
    const { total, pages, size } = await page(id, 'size=4')
    assert.deepEqual([total, pages, size], [6, 2, 4])
    for (const size of [1, 2, 3, 4, 5, 6, 7, 100])
      for (const [order, expected] of [
        ['desc', [5, 4, 3, 2, 1, 0]],
        ['asc', [0, 1, 2, 3, 4, 5]],
      ] as const) {
        const all = []
        for (let at = 1; at <= 7; at++)
          all.push(...(await told(`size=${size}&page=${at}&sort=data&order=${order}`)))
        assert.deepEqual(all, expected, `${size} ${order}`)
      }
    assert.deepEqual(await told(''), [5, 4, 3, 2, 1, 0])
  })

  it('refuses filters and orders it does not have', async () => {
    const id = await newCaso()
    for (const query of ['acao[eq]=criado', 'sort=acao', 'size=101', 'page=0'])
      assert.equal((await invalid(() => t.as(leitor).get(path(id, `/historico?${query}`)))).length, 1)
  })

  it('has more than the detail, which shows the newest hundred', async () => {
    const id = await newCaso({ paciente_idade: 0 })
    for (let idade = 1; idade <= 101; idade++) await change(id, { paciente_idade: idade })
    const { historico } = await read(id)
    assert.equal(historico.length, 100)
    assert.deepEqual(changes(historico.at(-1)), { paciente_idade: [1, 2] })
    assert.equal((await page(id)).total, 102)
  })
})

describe('GET /agravos/casos/{id}?em=…', () => {
  const now = () => t.clock.now().toISOString()
  /** A moment between what happened and what will. */
  const pause = () => {
    t.clock.advance(60_000)
    const moment = now()
    t.clock.advance(60_000)
    return moment
  }

  it('answers the case as it was at each moment of its life, and 404 before and while excluded', async () => {
    const unborn = pause()
    const id = await newCaso({ evolucao: 'ignorado', dados_laboratoriais: { ns1: 'negativo' } })
    const atBirth = await identify(id)
    const created = pause()
    await change(id, {
      evolucao: 'cura',
      paciente_nome: 'João de Souza',
      municipio_residencia: 'Olinda',
      dados_laboratoriais: { ns1: null, igm: 'positivo' },
      logradouro_residencia: 'Rua do Sol',
    })
    const afterChange = await identify(id)
    const changed = pause()
    await exclude(id)
    const gone = pause()
    await restore(id)
    const restored = pause()
    await change(id, { paciente_nome: 'Ana Lima', status: 'em_investigacao', numero_notificacao: `R-${id}` })
    const last = pause()

    for (const moment of [unborn, gone]) {
      await missing(() => t.as(gestor).get(path(id, `?em=${moment}`)))
      assert.equal((await t.as(gestor).get(path(id, `?identificado=true&em=${moment}`))).status, 404)
    }
    assert.deepEqual(await identify(id, { em: created }), atBirth)
    assert.deepEqual(await identify(id, { em: changed }), afterChange)
    const back = await identify(id, { em: restored })
    assert.deepEqual([back.versao, back.paciente.nome, back.evolucao], [4, 'João de Souza', 'cura'])
    assert.equal(back.historico[0].acao, 'restaurado')
    assert.deepEqual(await identify(id, { em: last }), await identify(id))
    assert.deepEqual(await read(id, { em: '9999-12-31T23:59:59Z' }), await read(id))

    const iniciais = async (em: string) => (await read(id, { em }, leitor)).paciente.nome
    assert.deepEqual(
      [await iniciais(created), await iniciais(changed), await iniciais(last)],
      ['M. S. S.', 'J. S.', 'A. L.'],
    )
    const then = await read(id, { em: created }, leitor)
    assert.equal(then.endereco.municipio_residencia, 'Recife')
    assert.equal(then.endereco.logradouro, null)
    assert.ok(!JSON.stringify(then).includes('Maria'))
  })

  it('counts a change from the very moment it happened', async () => {
    const id = await newCaso()
    pause()
    const { atualizado_em } = await change(id, { evolucao: 'cura' })
    assert.equal((await read(id, { em: atualizado_em })).evolucao, 'cura')
    const before = new Date(Date.parse(atualizado_em) - 1).toISOString()
    assert.equal((await read(id, { em: before })).evolucao, null)
    const { criado_em } = await read(id)
    assert.equal((await read(id, { em: criado_em })).versao, 1)
  })

  it('goes back over more changes than the detail shows', async () => {
    const id = await newCaso({ paciente_idade: 0 })
    await change(id, { paciente_idade: 1 })
    await change(id, { evolucao: 'cura' })
    const then = await read(id)
    const moment = pause()
    for (let idade = 2; idade <= 105; idade++) await change(id, { paciente_idade: idade })
    assert.deepEqual(await read(id, { em: moment }), then)
  })

  it('understands time zones, and refuses what is no moment', async () => {
    const id = await newCaso()
    const em = new Date(t.clock.now().getTime() - 3 * 3_600_000 + 60_000).toISOString().replace('Z', '-03:00')
    assert.equal((await read(id, { em })).versao, 1)
    for (const bad of ['ontem', '2024-03-12', '2024-03-12T10:00:00', '2026-02-30T10:00:00Z', '', '1'])
      assert.deepEqual(await invalid(() => t.as(gestor).get(path(id, `?em=${encodeURIComponent(bad)}`))), [
        'em INVALID_FORMAT',
      ])
  })

  it('is in the audit with its moment when it is identified', async () => {
    const id = await newCaso()
    const em = pause()
    await identify(id, { em })
    assert.deepEqual((await app.registros(id)).at(-1)?.detalhes, { em })
  })
})
