import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { semanaAt } from '../../../src/brasil/epi-week.ts'
import { sql } from '../../../src/db/sql.ts'
import { alertasApp } from '../../domain/alertas/alertas-app.ts'
import { PLACES, putAlertas } from '../../harness/alertas.ts'
import type { Person } from '../../harness/app.ts'

const app = await alertasApp()
const { t, pool, outbreak, compute, bound, vigilante, ended, semana } = app
after(() => t.close())
const admin = await t.administrador()
const RECIFE = 2611606

/** Cases in Recife that make it orange, and one in Olinda. */
before(async () => {
  await outbreak([1, 1, 2, 4, 8, 16, 30, 60])
  await outbreak([1], { municipio: 2609600 })
  await compute()
})

const ask = (path: string, query: Record<string, string> = {}, who: Person = vigilante, headers = {}) =>
  t.as(who).get(`/agravos/alertas${path}?${new URLSearchParams(query)}`, { headers })
const read = async (path: string, query: Record<string, string> = {}, who: Person = vigilante) => {
  const { status, body, text } = await ask(path, query, who)
  assert.equal(status, 200, text)
  return body
}
const problemsOf = async (path: string, query: Record<string, string>) => {
  const { status, body, text } = await ask(path, query)
  assert.equal(status, 422, text)
  return body.error.details.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)
}
const placesOf = (items: { lugar: { codigo: string | null } }[]) => items.map(({ lugar }) => lugar.codigo)

describe('GET /agravos/alertas', () => {
  it('lists what was told, newest first, by place, disease, level, week and notice', async () => {
    const all = await read('')
    assert.deepEqual(placesOf(all.items), [null, 'PE', '26010', '2611606'])
    assert.deepEqual(all.items[3], {
      ...all.items[3],
      tipo_agravo: 'dengue',
      lugar: { nivel: 'municipio', codigo: '2611606', nome: 'Recife', estado: 'PE' },
      semana,
      nivel: 'laranja',
      nivel_anterior: null,
      motivos: ['crescimento'],
      casos: 60,
      qualidade: 'insuficiente',
      reconhecido: false,
      regra_versao: 1,
    })
    const told = async (query: Record<string, string>) => placesOf((await read('', query)).items)
    assert.deepEqual(await told({ municipio: '261160' }), ['2611606'])
    assert.deepEqual(await told({ municipio: 'Recife', nivel: 'laranja', semana }), ['2611606'])
    assert.deepEqual(await told({ regiao_saude: '26010' }), ['26010', '2611606'])
    assert.deepEqual(await told({ estado: 'PE', nivel_lugar: 'estado' }), ['PE'])
    assert.deepEqual(await told({ reconhecido: 'true' }), [])
    for (const query of [
      { tipo_agravo: 'zika' },
      { nivel: 'verde' },
      { semana: '202001' },
      { municipio: '2609600' },
    ])
      assert.deepEqual(await told(query as Record<string, string>), [])
  })

  it('refuses what does not exist, and names it', async () => {
    assert.deepEqual(await problemsOf('', { municipio: '9999999' }), ['municipio UNKNOWN_MUNICIPIO'])
    assert.deepEqual(await problemsOf('', { regiao_saude: '99999' }), ['regiao_saude UNKNOWN'])
    assert.deepEqual(await problemsOf('', { nivel: 'roxo' }), ['nivel INVALID_VALUE'])
    assert.deepEqual(await problemsOf('', { semana: '2026' }), ['semana INVALID_FORMAT'])
  })

  it('shows a bound account the places that lie in its territory as a whole', async () => {
    const told = async (...lugares: string[]) => placesOf((await read('', {}, await bound(lugares))).items)
    assert.deepEqual(await told('uf:PE'), ['PE', '26010', '2611606'])
    assert.deepEqual(await told('regiao_saude:26010'), ['26010', '2611606'])
    assert.deepEqual(await told('municipio:2611606'), ['2611606'])
    assert.deepEqual(await told('municipio:2609600'), [])
  })
})

describe('GET /agravos/alertas/{id} and its acknowledgement', () => {
  it('takes one note, keeps it, and tells the audit without it', async () => {
    const [id] = await putAlertas(pool, t.clock.now(), {})
    const path = `/agravos/alertas/${id}/reconhecer`
    for (const [body, problem] of [
      [{}, 'nota REQUIRED'],
      [{ nota: '' }, 'nota REQUIRED'],
      [{ nota: 'x'.repeat(501) }, 'nota TOO_LONG'],
      [{ nota: 7 }, 'nota INVALID_TYPE'],
    ] as const) {
      const refused = await t.as(vigilante).post(path, body)
      assert.equal(refused.status, 422, refused.text)
      assert.deepEqual(
        refused.body.error.details.map(
          ({ field, code }: { field: string; code: string }) => `${field} ${code}`,
        ),
        [problem],
      )
    }
    assert.equal((await read(`/${id}`)).reconhecido, false)
    // Two at once: one is the first.
    const answers = await Promise.all(
      ['Equipe enviada', 'Outra nota'].map((nota) => t.as(vigilante).post(path, { nota })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    const first = answers.find(({ status }) => status === 200)
    assert.equal(first?.body.reconhecido, true)
    assert.deepEqual(await read(`/${id}`), first?.body)
    assert.ok(['Equipe enviada', 'Outra nota'].includes(first?.body.nota))
    const again = await t.as(admin).post(path, { nota: 'De novo' })
    assert.deepEqual([again.status, again.body.error.code], [409, 'CONFLICT'])
    const records = await t.as(admin).get(`/auditoria?acao=alerta.reconhecido&recurso_id=${id}`)
    assert.equal(records.body.total, 1)
    assert.ok(!records.text.includes(first?.body.nota))
    assert.equal((await read('', { reconhecido: 'true' })).items[0].id, id)
    assert.ok(!('nota' in (await read('', { reconhecido: 'true' })).items[0]))
  })

  it('knows nothing of alerts outside of the territory', async () => {
    const [manaus, regiao] = await putAlertas(pool, t.clock.now(), PLACES.manaus, PLACES.regiao)
    const recife = await bound(['municipio:2611606'])
    for (const id of [manaus, regiao, 999_999]) {
      assert.equal((await ask(`/${id}`, {}, recife)).status, 404)
      assert.equal(
        (await t.as(recife).post(`/agravos/alertas/${id}/reconhecer`, { nota: 'Vista' })).status,
        404,
      )
    }
    assert.equal((await read(`/${manaus}`)).reconhecido, false)
    await pool.run(sql`delete from alertas where id = any(${[manaus, regiao]})`)
  })
})

describe('The painel', () => {
  const answer = async (query: Record<string, string> = {}, who: Person = vigilante) => {
    const asked = new URLSearchParams({ tipo_agravo: 'dengue', ...query })
    const { status, body, text } = await t.as(who).get(`/agravos/casos/painel?${asked}`)
    assert.equal(status, 200, text)
    return body
  }
  const painel = async (query: Record<string, string> = {}, who: Person = vigilante) =>
    (await answer(query, who)).alerta

  it('has the stored level of its place and disease, whatever else its filter is', async () => {
    const alerta = await painel({ municipio: String(RECIFE) })
    assert.deepEqual(alerta, {
      ...alerta,
      semana,
      nivel: 'laranja',
      motivos: ['crescimento'],
      casos: 60,
      qualidade: 'insuficiente',
      regra_versao: 1,
    })
    assert.deepEqual(await painel({ municipio: String(RECIFE), sexo: 'F' }), alerta)
    assert.equal((await painel()).nivel, 'laranja')
    assert.equal((await painel({ regiao_saude: '26010' })).nivel, 'laranja')
    assert.equal((await painel({ estado: 'PE' })).nivel, 'laranja')
  })

  it('has the estimates behind the level, of the last weeks that are over, and none where there is no level', async () => {
    const provavel = { classificacao: 'provavel', municipio: String(RECIFE) }
    const { estimativas, alerta } = await answer(provavel)
    assert.deepEqual(estimativas.at(-1), { semana, casos: alerta.casos_estimados })
    for (const other of [{ sexo: 'F' }, { data_base: 'notificacao' }, { classificacao: 'confirmado' }])
      assert.deepEqual((await answer({ ...provavel, ...other })).estimativas, [])
    assert.deepEqual((await answer({ municipio: String(RECIFE) })).estimativas, [])
    const weeks = estimativas.map((one: { semana: string }) => one.semana)
    assert.deepEqual(weeks, weeks.toSorted())
    assert.ok(weeks.length >= 1 && weeks.length <= 4)
    assert.deepEqual((await answer({ classificacao: 'provavel', municipio: '2604106' })).estimativas, [])
    assert.deepEqual((await answer({ classificacao: 'provavel', ano: '2020' })).estimativas, [])
  })

  it('has none for weeks long past, several places, or a place without cases', async () => {
    assert.equal(await painel({ ano: '2020' }), null)
    assert.equal(await painel({ 'municipio[in]': `${RECIFE},2604106` }), null)
    assert.equal(await painel({ municipio: '2604106' }), null)
    assert.equal(await painel({ municipio: String(RECIFE), tipo_agravo: 'zika' }), null)
  })

  it('has that of the own territory only where it is a whole place', async () => {
    const recife = await bound([`municipio:${RECIFE}`])
    assert.equal((await painel({}, recife)).nivel, 'laranja')
    assert.equal(await painel({}, await bound(['municipio:2611606', 'municipio:2604106'])), null)
  })

  it('has that of the week before until the last one is computed', async () => {
    const where = sql`lugar = ${String(RECIFE)} and semana = ${ended}`
    await pool.run(sql`update alertas_niveis set semana = 0 where ${where}`)
    assert.equal((await painel({ municipio: String(RECIFE) })).semana, semanaAt(ended - 1).codigo)
    await pool.run(
      sql`update alertas_niveis set semana = ${ended} where lugar = ${String(RECIFE)} and semana = 0`,
    )
  })
})

describe('GET /agravos/alertas/situacao', () => {
  const DENGUE = { tipo_agravo: 'dengue' }

  it('gives the level of every place, green ones and those without cases too', async () => {
    const body = await read('/situacao', { ...DENGUE, estado: 'PE' })
    assert.deepEqual([body.semana, body.nivel_lugar, body.total], [semana, 'municipio', 185])
    const at = (codigo: string) =>
      body.items.find(({ lugar }: { lugar: { codigo: string } }) => lugar.codigo === codigo)
    assert.deepEqual(
      [at('2611606').nivel, at('2609600').nivel, at('2604106').nivel],
      ['laranja', 'verde', 'verde'],
    )
    assert.deepEqual([at('2604106').casos, at('2604106').motivos, at('2604106').incidencia], [0, [], 0])
    const states = await read('/situacao', { ...DENGUE, nivel_lugar: 'estado' })
    assert.equal(states.total, 27)
    assert.equal((await read('/situacao', { ...DENGUE, nivel_lugar: 'pais' })).items[0].lugar.codigo, null)
    const regioes = await read('/situacao', { ...DENGUE, nivel_lugar: 'regiao_saude', estado: 'PE' })
    assert.deepEqual(
      regioes.items
        .filter(({ nivel }: { nivel: string }) => nivel !== 'verde')
        .map((one: { nivel: string }) => one.nivel),
      ['laranja'],
    )
  })

  it('computes a week that is not stored from the numbers of today', async () => {
    const past = semanaAt(ended - 1).codigo
    const query = { ...DENGUE, municipio: String(RECIFE), semana: past }
    const stored = await read('/situacao', query)
    await pool.run(sql`delete from alertas_niveis where lugar = ${String(RECIFE)}`)
    assert.deepEqual((await read('/situacao', query)).items, stored.items)
    assert.equal((await read('/situacao', { ...query, semana: '201510' })).items[0].nivel, 'verde')
  })

  it('adds the alarms of EARS and Farrington on demand', async () => {
    const [one] = (await read('/situacao', { ...DENGUE, municipio: String(RECIFE), detalhe: 'true' })).items
    assert.deepEqual(Object.keys(one.detalhe.ears), ['c1', 'c2', 'c3'])
    assert.equal(one.detalhe.ears.c2.alarme, true)
    assert.equal(one.detalhe.farrington, null)
    const [plain] = (await read('/situacao', { ...DENGUE, municipio: String(RECIFE) })).items
    assert.ok(!('detalhe' in plain))
  })

  it('is a map of points, or a table', async () => {
    const map = await read('/situacao', { ...DENGUE, municipio: String(RECIFE), formato: 'geojson' })
    const [{ geometry, properties }] = map.features
    assert.equal(map.type, 'FeatureCollection')
    assert.ok(
      Math.abs(geometry.coordinates[0] + 34.9) < 0.2 && Math.abs(geometry.coordinates[1] + 8.05) < 0.2,
    )
    assert.equal(properties.nivel, 'laranja')
    const csv = await ask('/situacao', { ...DENGUE, estado: 'PE' }, vigilante, { accept: 'text/csv' })
    const [head, ...lines] = csv.text.trim().split('\r\n')
    assert.match(String(head), /tipo_agravo;lugar\.nivel;lugar\.codigo/)
    assert.equal(lines.length, 185)
    assert.ok(lines.some((line) => line.includes('Recife;PE') && line.includes(';laranja;crescimento;')))
  })

  it('shows a bound account whole places of its territory, and no part of a larger one', async () => {
    const recife = await bound(['municipio:2611606'])
    const shown = async (nivel_lugar: string, who: Person) =>
      placesOf((await read('/situacao', { ...DENGUE, nivel_lugar }, who)).items)
    assert.deepEqual(await shown('municipio', recife), ['2611606'])
    for (const nivel of ['regiao_saude', 'estado', 'pais']) assert.deepEqual(await shown(nivel, recife), [])
    const regiao = await bound(['regiao_saude:26010'])
    assert.deepEqual([await shown('regiao_saude', regiao), await shown('estado', regiao)], [['26010'], []])
    assert.deepEqual(await shown('estado', await bound(['uf:PE'])), ['PE'])
  })

  it('refuses bad questions by name', async () => {
    for (const [query, problem] of [
      [{}, 'tipo_agravo REQUIRED'],
      [{ ...DENGUE, semana: '202599' }, 'semana INVALID_VALUE'],
      [{ ...DENGUE, semana: semanaAt(ended + 1).codigo }, 'semana IN_FUTURE'],
      [{ ...DENGUE, semana: 'agora' }, 'semana INVALID_FORMAT'],
      [{ ...DENGUE, municipio: '2611606', nivel_lugar: 'estado' }, 'nivel_lugar INCONSISTENT'],
      [{ ...DENGUE, municipio: '2611606', estado: 'SP' }, 'municipio INCONSISTENT'],
      [{ ...DENGUE, municipio: 'Atlantida' }, 'municipio UNKNOWN_MUNICIPIO'],
      [{ ...DENGUE, detalhe: 'talvez' }, 'detalhe INVALID_TYPE'],
      [{ ...DENGUE, cor: 'laranja' }, 'cor UNKNOWN_FIELD'],
    ] as const)
      assert.deepEqual(await problemsOf('/situacao', query), [problem])
  })
})

describe('Rules of alerts', () => {
  const rules = () => read('/regras', {}, admin)

  it('are one row a disease, and raise their version with each change', async () => {
    const before = await rules()
    assert.deepEqual(
      before.regras.map((regra: { tipo_agravo: string; versao: number }) => [
        regra.tipo_agravo,
        regra.versao,
      ]),
      [
        ['dengue', 1],
        ['zika', 1],
        ['chikungunya', 1],
      ],
    )
    const changed = await t
      .as(admin)
      .put('/agravos/alertas/regras', { tipo_agravo: 'zika', casos_laranja: 1000 })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(changed.body, { ...before.regras[1], versao: 2, casos_laranja: 1000 })
    assert.deepEqual((await rules()).regras[1], changed.body)
    const same = await t
      .as(admin)
      .patch('/agravos/alertas/regras', { tipo_agravo: 'zika', casos_laranja: 1000 })
    assert.equal(same.body.versao, 2, 'nothing changed')
    const records = await t.as(admin).get('/auditoria?acao=alerta.regra_alterada')
    assert.deepEqual(records.body.items[0].detalhes, {
      versao: 2,
      valores: { casos_laranja: { de: 5, para: 1000 } },
    })
  })

  it('refuses a change of a version that is no longer the last, and of what is none', async () => {
    const put = (body: object) => t.as(admin).put('/agravos/alertas/regras', body)
    const stale = await put({ tipo_agravo: 'zika', versao: 1, casos_laranja: 7 })
    assert.deepEqual([stale.status, stale.body.error.code], [409, 'CONFLICT'])
    for (const body of [
      {},
      { tipo_agravo: 'gripe' },
      { tipo_agravo: 'zika', casos_laranja: -1 },
      { tipo_agravo: 'zika', casos_laranja: '7' },
      { tipo_agravo: 'zika', p_crescimento: 1.5 },
      { tipo_agravo: 'zika', casos_roxo: 7 },
    ])
      assert.equal((await put(body)).status, 422, JSON.stringify(body))
    assert.equal((await rules()).regras[1].versao, 2)
    const both = await Promise.all(
      [6, 7].map((casos_laranja) => put({ tipo_agravo: 'zika', versao: 2, casos_laranja })),
    )
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
    assert.equal((await rules()).regras[1].versao, 3)
  })

  it('apply to levels that are computed afterwards, which keep their version', async () => {
    await t.as(admin).put('/agravos/alertas/regras', { tipo_agravo: 'dengue', casos_laranja: 1000 })
    const level = async () =>
      (await read('/situacao', { tipo_agravo: 'dengue', nivel_lugar: 'estado', estado: 'PE' })).items[0]
    assert.deepEqual([(await level()).nivel, (await level()).regra_versao], ['laranja', 1])
    await outbreak([1], { municipio: 2609600 })
    await compute()
    assert.deepEqual([(await level()).nivel, (await level()).regra_versao], ['amarelo', 2])
  })
})
