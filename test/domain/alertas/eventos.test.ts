import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { tell } from '../../../src/domain/alertas/aviso.ts'
import type { NivelDaSemana, NivelDeAlerta } from '../../../src/domain/alertas/nivel.ts'
import { lugarOf } from '../../../src/domain/territorios/lugar.ts'
import { receiver, webhooksApp } from '../../contracts/b/webhooks-app.ts'
import type { Person } from '../../harness/app.ts'
import { bind } from '../../harness/bound.ts'

const { t, newWebhook, deliver, remove } = await webhooksApp()
after(() => t.close())

const PLACES = {
  recife: { municipio: '2611606' },
  caruaru: { municipio: '2604106' },
  regiao: { regiao_saude: '26010' },
  pernambuco: { estado: 'PE' as const },
  brasil: {},
}
type Name = keyof typeof PLACES
const nameOf = ({ codigo }: { codigo: string | null }) =>
  Object.keys(PLACES).find((name) => (lugarOf(t.app, PLACES[name as Name]).codigo ?? null) === codigo)

const nivelOf = (nivel: NivelDeAlerta, week: number): NivelDaSemana => ({
  ...{ week, nivel, motivos: [], casos: 1, casos_estimados: 1, incidencia: 1, p_rt_maior_1: 0.5 },
  ...{ limite_superior: null, qualidade: 'insuficiente' },
})
let week = 2900
/** Levels of all places in the next week. */
async function tellAll(nivel: NivelDeAlerta, tipo: 'dengue' | 'zika' = 'dengue'): Promise<void> {
  week += 1
  const atuais = Object.values(PLACES).map((lugar) => ({
    lugar: lugarOf(t.app, lugar),
    nivel: nivelOf(nivel, week),
  }))
  await t.database.pool.transaction((tx) =>
    tell(t.app, tx, tipo, atuais, { regra_versao: 1, now: t.clock.now() }),
  )
}

const feedEnd = async (who: Person): Promise<string> =>
  (await t.as(who).get('/eventos?desde=2099-01-01T00:00:00Z')).body.cursor

describe('Events of alerts', () => {
  for (const [what, filtros, expected] of [
    ['none', {}, ['recife', 'caruaru', 'regiao', 'pernambuco', 'brasil']],
    ['a municipality', { municipio: '261160' }, ['recife']],
    ['a state', { estado: 'PE' }, ['recife', 'caruaru', 'regiao', 'pernambuco']],
    ['another state', { estado: 'SP' }, []],
    ['another disease', { tipo_agravo: 'zika' }, []],
    ['the new level', { nivel: ['laranja', 'vermelho'], municipio: '2611606' }, ['recife']],
    ['the former level', { nivel: 'verde', municipio: '2611606' }, ['recife']],
    ['another level', { nivel: 'amarelo' }, []],
  ] as [string, object, string[]][])
    it(`pass the filters of webhooks and of the feed: ${what}`, async () => {
      await tellAll('amarelo')
      await tellAll('verde')
      await deliver()
      const them = await receiver()
      const { id } = await newWebhook({ url: them.url, eventos: ['alerta.alterado'], filtros })
      const from = (await t.as(await t.administrador()).get('/eventos?size=100&desde=2099-01-01T00:00:00Z'))
        .body.cursor
      await tellAll('laranja')
      await deliver()
      assert.deepEqual(
        them.deliveries.map(({ body }) => nameOf(body.dados.lugar)).sort(),
        expected.toSorted(),
      )
      const query = new URLSearchParams({ tipo: 'alerta.alterado', size: '100', cursor: String(from) })
      for (const [name, value] of Object.entries(filtros)) query.set(name, [value].flat().join())
      const feed = await t.as(await t.administrador()).get(`/eventos?${query}`)
      assert.equal(feed.status, 200, feed.text)
      assert.deepEqual(
        feed.body.eventos.map(({ dados }: { dados: { lugar: { codigo: string | null } } }) =>
          nameOf(dados.lugar),
        ),
        ['recife', 'caruaru', 'regiao', 'pernambuco', 'brasil'].filter((name) => expected.includes(name)),
      )
      await remove(id)
      await tellAll('verde')
    })

  it('reach accounts whose territory holds the whole place, by webhook and feed', async () => {
    const learned = async (...lugares: string[]) => {
      const who: Person = await bind(t, await t.person({ grupos: ['analista'] }), ...lugares)
      await deliver()
      const before = await feedEnd(who)
      const them = await receiver()
      const { id } = await newWebhook({ url: them.url, eventos: ['alerta.alterado'] }, who)
      await tellAll('vermelho')
      await deliver()
      const feed = await t.as(who).get(`/eventos?tipo=alerta.alterado&size=100&cursor=${before}`)
      const names = feed.body.eventos.map(({ dados }: { dados: { lugar: { codigo: string | null } } }) =>
        nameOf(dados.lugar),
      )
      assert.deepEqual(them.deliveries.map(({ body }) => nameOf(body.dados.lugar)).sort(), names.toSorted())
      await remove(id)
      await tellAll('verde')
      await deliver()
      return names
    }
    assert.deepEqual(await learned('municipio:2611606'), ['recife'])
    assert.deepEqual(await learned('regiao_saude:26010'), ['recife', 'regiao'])
    assert.deepEqual(await learned('uf:PE'), ['recife', 'caruaru', 'regiao', 'pernambuco'])
    assert.deepEqual(await learned('uf:SP'), [])
  })

  it('need the permission, and a level that exists', async () => {
    const nobody = await t.person({ permissoes: ['agravos.listar'] })
    const body = { url: 'http://127.0.0.1:1/', eventos: ['alerta.alterado'] }
    const refused = await t.as(nobody).post('/webhooks', body)
    assert.deepEqual([refused.status, refused.body.error.required_permission], [403, 'agravos.estatisticas'])
    const admin = t.as(await t.administrador())
    assert.equal((await admin.post('/webhooks', { ...body, filtros: { nivel: 'roxo' } })).status, 422)
    assert.equal((await admin.get('/eventos?nivel=roxo')).status, 422)
  })

  it('are told once for each change, in order for a place', async () => {
    const them = await receiver()
    const { id } = await newWebhook({
      url: them.url,
      eventos: ['alerta.alterado'],
      filtros: { municipio: '2611606' },
    })
    for (const nivel of ['amarelo', 'amarelo', 'laranja', 'verde'] as const) await tellAll(nivel)
    await tellAll('amarelo', 'zika')
    await deliver()
    assert.deepEqual(
      them.deliveries.map(({ body: { dados } }) => [dados.tipo_agravo, dados.nivel_anterior, dados.nivel]),
      [
        ['dengue', 'verde', 'amarelo'],
        ['dengue', 'amarelo', 'laranja'],
        ['dengue', 'laranja', 'verde'],
        ['zika', null, 'amarelo'],
      ],
    )
    await remove(id)
  })
})
