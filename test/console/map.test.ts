import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { makeMaps } from '../../scripts/console-map.ts'
import { ESTADOS_IBGE, ufOfMunicipio } from '../../src/brasil/uf.ts'
import { boxAround, type Fit, fitOf, type Place } from '../../src/charts/outlines.ts'
import { toPlane } from '../../src/charts/plane.ts'
import { type MapFile, placeAt, placesOf } from '../../web/console/map/topology.ts'

const NEW = '5101837'

const seats = new Map<string, { nome: string; at: [number, number] }>(
  readFileSync(new URL('../../src/brasil/tabelas/municipios.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [codigo, nome, , latitude, longitude] = line.split(';') as [
        string,
        string,
        string,
        string,
        string,
      ]
      return [codigo, { nome, at: toPlane(Number(longitude), Number(latitude)) }]
    }),
)

function inPixels(id: string, { scale, x, y }: Fit): [number, number] {
  const [px, py] = seats.get(id)?.at ?? [0, 0]
  return [x + scale * px, y + scale * py]
}

const arcsOf = (map: MapFile, id: string) => {
  const shape = map.objects.lugares.geometries.find((one) => one.id === id)
  assert.ok(shape !== undefined, id)
  return new Set((shape.arcs as number[][]).flat(3).map((arc) => (arc < 0 ? ~arc : arc)))
}

const sharedBy = (one: Set<number> | undefined, other: Set<number> | undefined) =>
  [...(one ?? [])].filter((arc) => other?.has(arc)).length

describe('The maps of the console', () => {
  let maps: Record<string, MapFile>
  let municipios: Place[]
  before(async () => {
    maps = await makeMaps()
    municipios = ESTADOS_IBGE.flatMap(({ uf }) => placesOf(maps[uf.toLowerCase()] as MapFile))
  })

  it('have every municipality once, by its name, and no lagoon', () => {
    assert.equal(municipios.filter(({ rings }) => rings.length > 0).length, 5_570)
    assert.deepEqual(municipios.map(({ id }) => id).toSorted(), [...seats.keys()].toSorted())
    for (const { id, nome } of municipios) assert.equal(nome, seats.get(id)?.nome)
    assert.ok(!municipios.some(({ id }) => id.startsWith('430000')))
  })

  it('have the states with their municipalities inside', () => {
    const states = placesOf(maps.br as MapFile)
    assert.deepEqual(
      states.map(({ id }) => id),
      ESTADOS_IBGE.map(({ uf }) => uf),
    )
    const fit = fitOf(boxAround(states), 800, 800)
    const inOwn = [...seats.keys()].filter(
      (id) => placeAt(states, fit, inPixels(id, fit))?.id === ufOfMunicipio(Number(id)),
    )
    assert.ok(inOwn.length > 5_571 * 0.98, `${inOwn.length} of 5,571`)
  })

  it('draw neighbours with the same line', () => {
    const pe = maps.pe as MapFile
    const [recife, olinda, petrolina] = ['2611606', '2609600', '2611101'].map((id) => arcsOf(pe, id))
    assert.ok(sharedBy(recife, olinda) > 0)
    assert.equal(sharedBy(recife, petrolina), 0)
    const br = maps.br as MapFile
    assert.ok(sharedBy(arcsOf(br, 'PE'), arcsOf(br, 'BA')) > 0)
  })

  it('find the municipality of a point: nearly every seat lies in its own outline', () => {
    const found = ESTADOS_IBGE.reduce((count, { uf }) => {
      const places = placesOf(maps[uf.toLowerCase()] as MapFile)
      const fit = fitOf(boxAround(places), 600, 400)
      return count + places.filter(({ id }) => placeAt(places, fit, inPixels(id, fit))?.id === id).length
    }, 0)
    // Outlines are simplified, and seats by the sea or on a border fall just beside.
    assert.ok(found > 5_570 * 0.95, `${found} of 5,571`)
  })

  it('have a circle for the municipality that has no outline yet', () => {
    const circles = municipios.filter(({ rings }) => rings.length === 0)
    assert.deepEqual(
      circles.map(({ id, nome }) => [id, nome]),
      [[NEW, 'Boa Esperança do Norte']],
    )
    const places = placesOf(maps.mt as MapFile)
    const fit = fitOf(boxAround(places), 600, 400)
    assert.equal(placeAt(places, fit, inPixels(NEW, fit))?.id, NEW)
  })

  it('are small', () => {
    for (const [place, map] of Object.entries(maps)) {
      const { length } = gzipSync(JSON.stringify(map), { level: 9 })
      assert.ok(length <= 41 * 1_024, `${place}: ${length}`)
    }
  })
})
