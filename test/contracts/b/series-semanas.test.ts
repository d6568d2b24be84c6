import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { cleanUp } from '../../../src/domain/cleanup/cleanup.ts'
import { OLINDA, RECIFE, seriesApp } from './series-app.ts'

const { t, pool, leitor, gravar, registrar } = await seriesApp()
after(() => t.close())

const DAY_MS = 86_400_000
/** Days around two ends of a year, one place with gaps. */
const days = Array.from({ length: 800 }, (_, i) =>
  new Date(Date.UTC(2019, 10, 1) + i * DAY_MS).toISOString().slice(0, 10),
)
const sampleOf = (i: number, place: number) => Math.round(200 + 90 * Math.sin(i / 7 + place)) / 10
const QUERIES = [
  `/series/temp_min/valores?municipio=${RECIFE}&periodo=semana&semana_inicio=201940&semana_fim=202210`,
  '/series/temp_min/valores?estado=PE&periodo=semana&semana_inicio=201940&semana_fim=202210',
  `/series/painel?series=temp_min,chuva&municipio=${OLINDA}&semana_inicio=201940&semana_fim=202210`,
  `/series/temp_min/valores?municipio=${RECIFE}&periodo=mes&inicio=2019-11-01&fim=2021-12-31`,
  // Within a year, and of two.
  '/series/temp_min/lugares?semana=202030&estado=PE',
  '/series/temp_min/lugares?semana=202053&estado=PE',
]
const answers = () => Promise.all(QUERIES.map(async (path) => (await t.as(leitor).get(path)).text))
const valoresIn = (text = ''): (number | null)[] =>
  JSON.parse(text).valores.map(({ valor }: { valor: number | null }) => valor)
/** Sums of a state are remembered as long as the row of its series is the same. */
const forgetRead = () => pool.run(sql`update series set valores_em = valores_em`)
const without = () =>
  pool.value<number>(sql`
    select count(*) from series_blocos where semanas_revisao is distinct from revisao`)

describe('Weeks beside the days of a block', () => {
  before(async () => {
    for (const codigo of ['temp_min', 'chuva'])
      for (const [place, municipio] of [RECIFE, OLINDA].entries())
        await gravar(
          codigo,
          days.flatMap((data, i) =>
            place === 1 && i % 9 < 4 ? [] : [{ municipio, data, valor: sampleOf(i, place) }],
          ),
        )
  })

  it('are written with it, and answer as its days do', async () => {
    const written = await answers()
    assert.ok(valoresIn(written[0]).some((valor) => valor !== null))
    assert.equal(await without(), 0)
    await pool.run(sql`update series_blocos set semanas = null, semanas_revisao = null`)
    await forgetRead()
    assert.deepEqual(await answers(), written)
    assert.ok((await without()) > 0)
    await cleanUp(t.app)
    assert.equal(await without(), 0)
    await forgetRead()
    assert.deepEqual(await answers(), written)
  })

  it('are those of each place in a map', async () => {
    for (const semana of ['201944', '202001', '202030', '202053', '202101', '202152']) {
      const { lugares } = JSON.parse(
        (await t.as(leitor).get(`/series/temp_min/lugares?semana=${semana}&estado=PE`)).text,
      )
      for (const municipio of [RECIFE, OLINDA]) {
        const path = `/series/temp_min/valores?municipio=${municipio}&periodo=semana`
        const own = await t.as(leitor).get(`${path}&semana_inicio=${semana}&semana_fim=${semana}`)
        const [{ valor, cobertura }] = JSON.parse(own.text).valores
        const shown = lugares.find((one: { lugar: { codigo: string } }) => one.lugar.codigo === municipio)
        assert.deepEqual([shown.valor, shown.cobertura], [valor, cobertura], `${municipio} ${semana}`)
      }
    }
  })

  it('are not believed where the block was changed without them', async () => {
    const before = await answers()
    // As an earlier release writes it.
    await pool.run(sql`
      update series_blocos set valores = array(select valor + 1 from unnest(valores) with ordinality as v (valor, n) order by n),
        revisao = revisao + 1`)
    await forgetRead()
    const changed = await answers()
    for (const i of [0, 1, 3]) {
      const higher = valoresIn(before[i]).map((valor) => valor && Math.round(1e4 * (valor + 1)) / 1e4)
      assert.deepEqual(valoresIn(changed[i]), higher)
    }
    assert.notEqual(changed[2], before[2])
    await cleanUp(t.app)
    await forgetRead()
    assert.deepEqual(await answers(), changed)
  })

  it('are none of a series by weeks, nor of one that does not add up', async () => {
    await registrar()
    await gravar('casos_infodengue', [{ municipio: RECIFE, semana: '202030', valor: 3 }])
    await registrar({ codigo: 'sem_soma', periodo: 'dia', agrega_tempo: 'nenhuma' })
    await gravar('sem_soma', [{ municipio: RECIFE, data: '2020-03-01', valor: 3 }])
    assert.equal(await without(), 0)
    const kept = await pool.value(sql`
      select count(*) from series_blocos b join series s on s.id = b.serie_id
      where s.codigo in ('casos_infodengue', 'sem_soma') and b.semanas is not null`)
    assert.equal(kept, 0)
  })
})
