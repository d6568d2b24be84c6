import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { addDays } from '../../../src/brasil/calendar.ts'
import { loadMunicipios } from '../../../src/brasil/municipios.ts'
import { lazyEstruturaEtaria } from '../../../src/brasil/populacao-sexo-faixa.ts'
import { foldContagens } from '../../../src/domain/casos/counters/counters.ts'
import { type CasoDaSemana, epidemiologiaApp } from './epidemiologia-app.ts'

/** Indicators of random cases, counted once more without SQL, case by case. */

const app = await epidemiologiaApp()
const { t, insert, read, resumo } = app
after(() => t.close())

/** Each run has a state of its own. */
const LUGARES: [uf: string, municipio: number, other: number][] = [
  ['RR', 1400100, 1400472],
  ['AP', 1600303, 1600600],
  ['SE', 2800308, 2804805],
  ['MT', 5103403, 5101837],
]

const day = (days: number) => addDays('2022-12-01', days)
/** Onset up to 400 days before the notification: more than 365 cannot be. */
const delay = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 350, max: 400 }))
const caso = (municipios: readonly (number | null)[]) =>
  fc.record({
    tipo: fc.constantFrom('dengue', 'dengue', 'dengue', 'zika'),
    municipio: fc.constantFrom(...municipios),
    notificacao: fc.integer({ min: 0, max: 450 }).map(day),
    delay: fc.option(delay, { freq: 9 }),
    classe: fc.constantFrom(
      ...['dengue_sem_sinais_alarme', 'dengue_com_sinais_alarme', 'dengue_grave', 'confirmado', 'descartado'],
      ...['febre_hemorragica_dengue', 'dengue_classico', 'inconclusivo', null],
    ),
    hospitalizacao: fc.constantFrom(true, false, null),
    evolucao: fc.constantFrom('cura', 'obito', 'obito_em_investigacao', 'obito_outras_causas', null),
    sexo: fc.constantFrom('M', 'F', 'M', 'F', 'I', null),
    idade: fc.option(fc.integer({ min: 0, max: 110 }), { freq: 8 }),
    sorotipo: fc.constantFrom('DENV1', 'DENV1', 'DENV1', 'DENV2', 'DENV3', 'DENV4', null, null, null),
  })

const BANDS: [string, number][] = [
  ['<1', 0],
  ['1-4', 4],
  ['5-9', 9],
  ['10-14', 14],
  ['15-19', 19],
  ['20-39', 39],
  ['40-59', 59],
  ['60-79', 79],
  ['80+', 999],
]
const bandOf = (idade: number) => BANDS.find(([, last]) => idade <= last)?.[0]
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000

const SEVERE = ['dengue_com_sinais_alarme', 'dengue_grave', 'febre_hemorragica_dengue']
const NOT_CONFIRMED = ['descartado', 'inconclusivo', null]

/** Limits of Wilson's interval: the shares whose distance from the observed one is z standard errors. */
function assertWilson(
  { pct, inferior, superior }: Record<string, number | null>,
  events: number,
  of: number,
): void {
  if (of === 0) {
    assert.deepEqual([pct, inferior, superior], [null, null, null])
    return
  }
  assert.ok(Math.abs((pct as number) - (100 * events) / of) <= 0.005 + 1e-9)
  for (const limit of [inferior, superior]) {
    const share = (limit as number) / 100
    const distance = Math.abs(events / of - share)
    assert.ok(
      Math.abs(distance - 1.959964 * Math.sqrt((share * (1 - share)) / of)) < 2e-5,
      `${events}/${of}: ${limit}`,
    )
  }
}

const municipios = await loadMunicipios()
const estrutura = await lazyEstruturaEtaria()()
const standard = new Map(
  estrutura
    .structureOf(municipios.all, 2022)
    ?.map(({ sexo, faixa, populacao }) => [`${sexo}${faixa}`, populacao]),
)
const everybody = [...standard.values()].reduce((sum, one) => sum + one, 0)

/** Compares an answer with the cases that it is about. */
function check(body: Awaited<ReturnType<typeof read>>, casos: readonly CasoDaSemana[]): void {
  const probable = casos.filter(({ classe }) => classe !== 'descartado')
  const confirmed = casos.filter(({ classe }) => !NOT_CONFIRMED.includes(classe ?? null))
  const severe = casos.filter(({ classe }) => SEVERE.includes(classe ?? ''))
  const dead = (all: readonly CasoDaSemana[]) => all.filter(({ evolucao }) => evolucao === 'obito').length
  const investigated = casos.filter(({ evolucao }) => evolucao === 'obito_em_investigacao')
  assert.deepEqual(
    [body.notificados, body.provaveis, body.confirmados, body.obitos, body.obitos_em_investigacao],
    [casos.length, probable.length, confirmed.length, dead(casos), investigated.length],
  )
  const groups = { confirmados: confirmed, provaveis: probable, graves: severe }
  for (const [name, group] of Object.entries(groups)) {
    const found = body.letalidade[name]
    assert.deepEqual([found.obitos, found.de], [dead(group), group.length], name)
    assertWilson(found, dead(group), group.length)
    const entering = name === 'graves' ? investigated.filter((one) => group.includes(one)) : investigated
    const then = new Set([...group, ...entering])
    assert.deepEqual(
      [found.se_confirmados.obitos, found.se_confirmados.de],
      [dead(group) + entering.length, then.size],
      name,
    )
    assertWilson(found.se_confirmados, dead(group) + entering.length, then.size)
  }
  const informed = casos.filter(({ hospitalizacao }) => hospitalizacao !== null)
  const inHospital = casos.filter(({ hospitalizacao }) => hospitalizacao === true).length
  const { hospitalizados, informados, sem_informacao } = body.hospitalizacao
  assert.deepEqual(
    [hospitalizados, informados, sem_informacao],
    [inHospital, informed.length, casos.length - informed.length],
  )
  assertWilson(body.hospitalizacao, inHospital, informed.length)

  let [sum, standardised, weights] = [body.piramide.sem_sexo_ou_idade, 0, 0]
  for (const { sexo, faixa, casos: total, populacao, incidencia } of body.piramide.celulas) {
    const inCell = probable.filter(
      (one) => one.sexo === sexo && one.idade != null && bandOf(one.idade) === faixa,
    )
    assert.equal(total, inCell.length, `${sexo} ${faixa}`)
    sum += total
    // The last municipality of the table has no population.
    const counted = inCell.filter(({ municipio }) => municipio !== 5101837).length
    if (populacao === null) assert.equal(incidencia, null)
    else {
      assert.ok(Math.abs(incidencia - (counted * 1e5) / populacao) <= 0.00005001)
      standardised += ((standard.get(`${sexo}${faixa}`) as number) / everybody) * (counted / populacao)
      weights += (standard.get(`${sexo}${faixa}`) as number) / everybody
    }
  }
  assert.equal(sum, body.provaveis)
  const { incidencia, inferior, superior } = body.padronizada
  if (weights === 0) assert.equal(incidencia, null)
  else {
    assert.ok(Math.abs(incidencia - standardised * 1e5) <= 0.00005001)
    assert.equal(inferior === null, probable.length < 20)
    if (inferior !== null) assert.ok(inferior <= incidencia && incidencia < superior)
  }

  const samples = casos.filter(({ tipo, sorotipo }) => tipo === 'dengue' && sorotipo !== null)
  for (const one of ['DENV1', 'DENV2', 'DENV3', 'DENV4'])
    assert.equal(body.sorotipos[one], samples.filter(({ sorotipo }) => sorotipo === one).length)
  const { predominante, serie, serie_sem_data } = body.sorotipos
  const isMost = (one: string) => body.sorotipos[one] > samples.length / 2
  assert.equal(
    predominante !== null,
    samples.length >= 5 && ['DENV1', 'DENV2', 'DENV3', 'DENV4'].some(isMost),
  )
  if (predominante !== null) assert.ok(isMost(predominante))
  let dated = 0
  for (const { inicio, fim, DENV1, DENV2, DENV3, DENV4 } of serie) {
    const inWeek = samples.filter((one) => isInWeeks(one, inicio, fim)).length
    assert.equal(DENV1 + DENV2 + DENV3 + DENV4, inWeek)
    assert.ok(inWeek > 0)
    dated += inWeek
  }
  assert.equal(dated + serie_sem_data, samples.length)
}

const isInWeeks = ({ inicio, notificacao }: CasoDaSemana, from: string, to: string) =>
  inicio !== null && inicio >= from && inicio <= to && daysBetween(inicio, notificacao as string) <= 365

describe('Indicators of random cases', () => {
  for (const [uf, municipio, other] of LUGARES)
    it(`are those that counting one by one gives, in ${uf}`, async () => {
      const casos = fc
        .sample(caso([municipio, other, null]), { numRuns: 300, seed: municipio })
        .map(({ delay, ...one }) => ({
          ...one,
          uf,
          inicio: delay === null ? null : addDays(one.notificacao, -delay),
        }))
      await insert(casos)
      const places: [Record<string, string>, (one: CasoDaSemana) => boolean][] = [
        [{ estado: uf }, () => true],
        [{ municipio: String(municipio) }, (one) => one.municipio === municipio],
        [{ municipio: String(other) }, (one) => one.municipio === other],
      ]
      const times: [Record<string, string>, (one: CasoDaSemana) => boolean][] = [
        [{}, () => true],
        [{ data_inicio: '2023-03-03' }, ({ notificacao = '' }) => notificacao >= '2023-03-03'],
        [
          { data_inicio: '2023-01-01', data_fim: '2023-01-31' },
          ({ notificacao = '' }) => notificacao >= '2023-01-01' && notificacao <= '2023-01-31',
        ],
        [
          { semana_inicio: '202252', semana_fim: '202310' },
          (one) => isInWeeks(one, '2022-12-25', '2023-03-11'),
        ],
        // Whole years, which states have counters of.
        [
          { semana_inicio: '202301', semana_fim: '202352' },
          (one) => isInWeeks(one, '2023-01-01', '2023-12-30'),
        ],
        [
          { semana_inicio: '202201', semana_fim: '202352' },
          (one) => isInWeeks(one, '2022-01-02', '2023-12-30'),
        ],
      ]
      for (const tipo_agravo of ['dengue', 'zika', 'chikungunya']) {
        // Changes of the first disease are still queued, those of the others are in the counters.
        if (tipo_agravo === 'zika') await foldContagens(t.database.pool)
        for (const [place, isThere] of places)
          for (const [time, isThen] of times) {
            const query = { tipo_agravo, ...place, ...time }
            const body = await read('indicadores', { ...query, serie: 'true' })
            check(
              body,
              casos.filter((one) => one.tipo === tipo_agravo && isThere(one) && isThen(one)),
            )
            if ('semana_inicio' in time) continue
            const { total, por_classificacao, obitos, hospitalizados } = await resumo(query)
            assert.deepEqual(
              [body.notificados, body.confirmados, body.obitos, body.hospitalizacao.hospitalizados],
              [total, por_classificacao.confirmado, obitos, hospitalizados],
            )
          }
      }
    })
})
