import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { semanaOf } from '../../src/brasil/epi-week.ts'
import { loadMunicipios } from '../../src/brasil/municipios.ts'
import { UFS } from '../../src/brasil/uf.ts'
import { type DemoCaso, generateCasos } from '../../src/demo/casos.ts'
import { COLUMNS, generateFiles } from '../../src/demo/file.ts'

const municipios = await loadMunicipios()
const SIZE = 30_000
const LAST_DAY = '2026-11-14'
const asked = { casos: SIZE, seed: 7, until: LAST_DAY }
const casos = [...generateCasos(municipios, asked)]
const shareOf = (test: (caso: DemoCaso) => boolean, of = casos) => of.filter(test).length / of.length
const isNear = (share: number, wanted: number, off: number) =>
  assert.ok(Math.abs(share - wanted) <= off, `${share} is not ${wanted} ± ${off}`)

async function fingerprint(seed: number, fileRows?: number, until = LAST_DAY): Promise<string[]> {
  const hashes: string[] = []
  for (const { content } of generateFiles(municipios, { casos: 2_500, seed, until }, fileRows)) {
    const hash = createHash('sha256')
    for await (const piece of content()) hash.update(piece)
    hashes.push(hash.digest('hex'))
  }
  return hashes
}

describe('The made-up cases', () => {
  it('are the same bytes for the same seed and last day, and others for another', async () => {
    assert.deepEqual(await fingerprint(1), await fingerprint(1))
    assert.notDeepEqual(await fingerprint(1), await fingerprint(2))
    assert.notDeepEqual(await fingerprint(1), await fingerprint(1, undefined, '2026-11-13'))
  })

  it('are as many as asked for, in as many files as it takes', async () => {
    assert.equal(casos.length, SIZE)
    assert.equal((await fingerprint(1, 1_000)).length, 3)
    const rows: string[] = []
    for (const { content } of generateFiles(municipios, { ...asked, casos: 25 }, 10))
      for await (const piece of content()) rows.push(...piece.toString().trim().split('\n').slice(1))
    assert.equal(new Set(rows).size, 25)
  })

  it('tell nothing that the file has no column for', () => {
    const told = new Set(casos.flatMap((caso) => Object.keys(caso)))
    assert.deepEqual([...told].sort(), [...COLUMNS].sort())
  })

  it('are notified in order, never after the day they are made', () => {
    const days = casos.map(({ data_notificacao }) => data_notificacao as string)
    assert.deepEqual(days, days.toSorted())
    assert.ok((days.at(-1) as string) <= LAST_DAY && (days.at(-1) as string) >= '2026-11-01')
    for (const until of ['2020-03-01', '2033-05-20']) {
      const others = [...generateCasos(municipios, { ...asked, casos: 500, until })]
      assert.equal(others.length, 500)
      for (const caso of others)
        for (const [name, value] of Object.entries(caso))
          if (name.includes('data_')) assert.ok(value <= until, `${name} ${value}`)
    }
  })

  it('are typed in later than they are notified: the last weeks are incomplete, as they would be', () => {
    const typed = 'dados_especificos.data_digitacao'
    assert.ok(
      casos.every((caso) => caso[typed] === '' || String(caso[typed]) >= String(caso.data_notificacao)),
    )
    assert.ok(casos.every((caso) => String(caso[typed]) <= LAST_DAY))
    const notified = (from: string, to: string) =>
      casos.filter(({ data_notificacao: day = '' }) => day >= from && day < to)
    const old = notified('2016-01-01', '2026-06-01').filter((caso) => caso[typed] !== '')
    const delays = old
      .map(
        (caso) => (Date.parse(String(caso[typed])) - Date.parse(String(caso.data_notificacao))) / 86_400_000,
      )
      .sort((a, b) => a - b)
    isNear(delays[Math.floor(delays.length / 2)] as number, 8, 1)
    // Of an outbreak that grows, fewer are known of the last week than of one before.
    const recife = ({ municipio_residencia, tipo_agravo }: DemoCaso) =>
      municipio_residencia === '2611606' && tipo_agravo === 'dengue'
    const known = (from: string, to: string) => notified(from, to).filter(recife).length
    assert.ok(known('2026-11-08', '2026-11-15') < known('2026-10-25', '2026-11-01'))
  })

  it('end with an outbreak under way around Recife', () => {
    const recent = casos.filter(
      ({ municipio_residencia, tipo_agravo, data_notificacao: day = '' }) =>
        municipio_residencia === '2611606' && tipo_agravo === 'dengue' && day >= '2026-09-01',
    )
    const before = casos.filter(
      ({ municipio_residencia, tipo_agravo, data_notificacao: day = '' }) =>
        municipio_residencia === '2611606' &&
        tipo_agravo === 'dengue' &&
        day >= '2025-09-01' &&
        day < '2025-12-01',
    )
    assert.ok(recent.length > 90 && before.length < 10, `${recent.length} and ${before.length}`)
  })

  it('come in seasons: most dengue between weeks 5 and 24, in the north earlier than in the south', () => {
    const weekOf = (caso: DemoCaso) => Number(semanaOf(caso.data_notificacao as string).codigo.slice(4))
    const dengue = casos.filter(({ tipo_agravo }) => tipo_agravo === 'dengue')
    assert.ok(shareOf((caso) => weekOf(caso) >= 5 && weekOf(caso) <= 24, dengue) > 0.75)
    const middle = (ufs: string[]) => {
      const weeks = dengue.filter((caso) => ufs.includes(caso.estado_residencia as string)).map(weekOf)
      return weeks.sort((a, b) => a - b)[Math.floor(weeks.length / 2)] as number
    }
    assert.ok(middle(['AC', 'AM', 'AP', 'PA', 'RO', 'RR', 'TO']) + 4 < middle(['PR', 'RS', 'SC']))
    const ofYear = (year: string) => dengue.filter((caso) => caso.data_notificacao?.startsWith(year)).length
    assert.ok(ofYear('2024') > 10 * ofYear('2017'))
  })

  it('live where people live', () => {
    assert.deepEqual(
      [...new Set(casos.map(({ estado_residencia }) => estado_residencia))].sort(),
      [...UFS].sort(),
    )
    const inSp = casos.filter(({ estado_residencia }) => estado_residencia === 'SP')
    isNear(
      shareOf(({ municipio_residencia }) => municipio_residencia === '3550308', inSp),
      11_452 / 44_411,
      0.03,
    )
    for (const { municipio_residencia, estado_residencia, latitude, longitude } of casos.slice(0, 5_000)) {
      const municipio = municipios.byCodigo(Number(municipio_residencia))
      assert.equal(municipio?.uf, estado_residencia)
      if (latitude === '') continue
      assert.ok(Math.abs(Number(latitude) - (municipio?.latitude ?? 0)) < 0.2)
      assert.ok(Math.abs(Number(longitude) - (municipio?.longitude ?? 0)) < 0.2)
    }
  })

  it('are complete, delayed and closed as often as real ones', () => {
    const delays = casos
      .map(
        (caso) =>
          Date.parse(caso.data_notificacao as string) - Date.parse(caso.data_inicio_sintomas as string),
      )
      .map((ms) => ms / 86_400_000)
      .sort((a, b) => a - b)
    assert.equal(delays[SIZE / 2], 3)
    assert.ok((delays[0] as number) >= 0 && (delays.at(-1) as number) > 30)
    isNear(
      shareOf((caso) => caso.bairro_residencia === ''),
      0.2,
      0.02,
    )
    isNear(
      shareOf((caso) => caso.paciente_escolaridade === ''),
      0.37,
      0.04,
    )
    isNear(
      shareOf((caso) => /^(dengue_|confirmado)/.test(caso.classificacao_final ?? '')),
      0.62,
      0.03,
    )
    isNear(
      shareOf((caso) => caso.classificacao_final === 'descartado'),
      0.26,
      0.02,
    )
    isNear(
      shareOf((caso) => caso.hospitalizacao === 'true'),
      0.036,
      0.006,
    )
    isNear(
      shareOf((caso) => caso.evolucao === 'obito'),
      0.0005,
      0.0005,
    )
    assert.ok(shareOf((caso) => caso.evolucao === 'obito') > 0)
    const old = casos.filter(({ data_notificacao = '' }) => data_notificacao < '2026-07-01')
    assert.equal(
      shareOf((caso) => caso.criterio_confirmacao === 'em_investigacao', old),
      0,
    )
    assert.ok(shareOf((caso) => caso.criterio_confirmacao === 'em_investigacao') > 0)
  })
})
