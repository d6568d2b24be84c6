import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  blocoOf,
  type ContagemPublica,
  type LugarDaTabela,
  type NumerosDoLugar,
  suppress,
} from '../../../src/domain/publico/tabelas.ts'
import { determinedBy, type Equation } from '../../statistics/determined.ts'

const K = 5
const RUNS = Number(process.env.PROPERTY_RUNS ?? 300)

/** A case: its week, its group of sex and age, its class. */
type Caso = readonly [semana: number, grupo: number, classe: number]

interface Forma {
  semanas: number
  grupos: number
}

function contagemOf(casos: readonly Caso[], { semanas, grupos }: Forma): ContagemPublica {
  const provaveis = casos.filter(([, , classe]) => classe !== 3)
  const count = (length: number, at: (caso: Caso) => number, of: readonly Caso[]) =>
    Array.from({ length }, (_, i) => of.filter((caso) => at(caso) === i).length)
  const [confirmados = 0, inconclusivos = 0, em_investigacao = 0, descartados = 0] = count(
    4,
    ([, , classe]) => classe,
    casos,
  )
  return {
    semanas: count(semanas, ([semana]) => semana, provaveis),
    piramide: count(grupos, ([, grupo]) => grupo, provaveis),
    ...{ confirmados, inconclusivos, em_investigacao, descartados },
  }
}

/** Country, states, regions, municipalities: small ones, few of them, with few cases and with many. */
const paises = fc
  .record({
    semanas: fc.integer({ min: 2, max: 9 }),
    grupos: fc.integer({ min: 2, max: 5 }),
    estados: fc.array(
      fc.record({
        regioes: fc.array(
          fc.record({
            isLarge: fc.boolean(),
            municipios: fc.array(fc.oneof(fc.nat(6), fc.nat(25), fc.nat(80)), { minLength: 1, maxLength: 4 }),
          }),
          { minLength: 1, maxLength: 3 },
        ),
      }),
      { minLength: 2, maxLength: 3 },
    ),
    seed: fc.nat(),
  })
  .map(({ semanas, grupos, estados, seed }) => {
    const next = randomOf(seed)
    const caso = (): Caso => [next(semanas), next(grupos), [0, 0, 0, 1, 2, 3, 3][next(7)] as number]
    const municipio = (casos: number, chave: string): LugarDaTabela => ({
      chave,
      isLarge: false,
      contagem: contagemOf(Array.from({ length: casos }, caso), { semanas, grupos }),
    })
    return {
      chave: 'BR',
      isLarge: true,
      partes: estados.map(({ regioes }, i) => ({
        chave: `E${i}`,
        isLarge: true,
        partes: regioes.map(({ isLarge, municipios }, j) => ({
          chave: `R${i}.${j}`,
          isLarge,
          partes: municipios.map((casos, n) => municipio(casos, `M${i}.${j}.${n}`)),
        })),
      })),
    }
  })

function randomOf(seed: number) {
  let state = seed >>> 0
  return (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/** All numbers that somebody could want to know of a place, by name, and what is published of each: null where nothing is. */
function knownOf(numeros: NumerosDoLugar, semanas: number): Map<string, number | null> {
  const { agregacao, serie, piramide, ...totals } = numeros
  const known = new Map<string, number | null>(Object.entries(totals))
  for (let week = 0; week < semanas; week++)
    known.set(`s${week}`, agregacao === 'semana' ? (serie[week] as number | null) : null)
  if (agregacao === '4_semanas') for (const [i, count] of serie.entries()) known.set(`b${i}`, count)
  for (const [i, count] of piramide.entries()) known.set(`y${i}`, count)
  return known
}

/** Sums that hold for every place and between places: total, parts. */
function identities(pais: LugarDaTabela, published: Map<string, NumerosDoLugar>, semanas: number) {
  const sums: [total: string, parts: string[]][] = []
  const known = new Map<string, number | null>()
  const visit = ({ chave, partes = [] }: LugarDaTabela) => {
    const numeros = published.get(chave) as NumerosDoLugar
    const own = knownOf(numeros, semanas)
    for (const [name, value] of own) known.set(`${chave} ${name}`, value)
    const names = (prefix: string) =>
      [...own.keys()].filter((name) => name.startsWith(prefix) && /\d$/.test(name))
    const of = (list: string[]) => list.map((name) => `${chave} ${name}`)
    sums.push([`${chave} provaveis`, of(names('s'))])
    sums.push([`${chave} provaveis`, of(names('y'))])
    sums.push([`${chave} provaveis`, of(['confirmados', 'inconclusivos', 'em_investigacao'])])
    sums.push([`${chave} notificados`, of(['provaveis', 'descartados'])])
    for (const block of names('b')) {
      const weeks = names('s').filter((week) => blocoOf(Number(week.slice(1))) === Number(block.slice(1)))
      sums.push([`${chave} ${block}`, of(weeks)])
    }
    if (partes.length > 0)
      for (const name of [...own.keys()].filter((name) => !name.startsWith('b')))
        sums.push([`${chave} ${name}`, partes.map((parte) => `${parte.chave} ${name}`)])
    partes.forEach(visit)
  }
  visit(pais)
  return { sums, known }
}

function equationsOf({ sums, known }: ReturnType<typeof identities>): Equation[] {
  return sums.map(([total, parts]) => {
    const unknown = [...parts.map((name) => [name, 1] as const), [total, -1] as const].filter(
      ([name]) => known.get(name) === null,
    )
    return new Map(unknown)
  })
}

describe('Public tables of a disease and a year', () => {
  it('hide of the example of the specification what it hides, and the curve does not tell the rest', () => {
    const municipio = (chave: string, confirmados: number, descartados: number, inconclusivos: number) => {
      const provaveis = confirmados + inconclusivos
      const counts = { confirmados, descartados, inconclusivos, em_investigacao: 0 }
      return {
        chave,
        isLarge: false,
        contagem: { semanas: [provaveis - 6, 6, 0], piramide: [provaveis], ...counts },
      }
    }
    const pais = {
      chave: 'BR',
      isLarge: true,
      partes: [{ chave: 'E', isLarge: true, partes: [municipio('A', 12, 3, 0), municipio('B', 40, 22, 6)] }],
    }
    const published = suppress(pais, K)
    const classes = ['A', 'B', 'E'].map((chave) => {
      const { confirmados, descartados, inconclusivos, notificados, provaveis } = published.get(
        chave,
      ) as NumerosDoLugar
      return [confirmados, descartados, inconclusivos, notificados, provaveis]
    })
    assert.deepEqual(classes, [
      [null, null, 0, 15, null],
      [null, null, 6, 68, null],
      [52, 25, 6, 83, 58],
    ])
    for (const chave of ['A', 'B']) assert.ok(published.get(chave)?.serie.includes(null))
  })

  it('let nobody compute a hidden number from all of them together', () => {
    fc.assert(
      fc.property(paises, (pais) => {
        const published = suppress(pais, K)
        const system = identities(pais, published, semanasOf(pais))
        const determined = determinedBy(equationsOf(system))
        // Weeks of a place that is published by more than a week are hidden only where they are small.
        const counted = new Map([...leaves(pais)].map(({ chave, contagem }) => [chave, contagem]))
        const isHarmless = (name: string) => {
          const [chave, week] = name.split(' s') as [string, string | undefined]
          if (week === undefined || published.get(chave)?.agregacao === 'semana') return false
          const count = counted.get(chave)?.semanas[Number(week)] as number
          return count === 0 || count >= K
        }
        assert.deepEqual(
          determined.filter((name) => !isHarmless(name)),
          [],
        )
      }),
      { numRuns: RUNS, seed: 7 },
    )
  })

  it('show no number of one to four but those of large places', () => {
    fc.assert(
      fc.property(paises, (pais) => {
        const published = suppress(pais, K)
        const visit = ({ chave, isLarge, partes = [] }: LugarDaTabela) => {
          const { serie, piramide, agregacao, ...totals } = published.get(chave) as NumerosDoLugar
          const shown = [...piramide, ...(isLarge ? [] : [...serie, ...Object.values(totals)])]
          for (const count of shown)
            assert.ok(count === null || count === 0 || count >= K, `${chave}: ${count}`)
          assert.ok(agregacao === 'semana' || partes.length === 0)
          partes.forEach(visit)
        }
        visit(pais)
      }),
      { numRuns: Math.min(RUNS, 1_000), seed: 8 },
    )
  })
})

function* leaves(lugar: LugarDaTabela): Generator<LugarDaTabela> {
  if (lugar.contagem !== undefined) yield lugar
  for (const parte of lugar.partes ?? []) yield* leaves(parte)
}

function semanasOf({ partes = [], contagem }: LugarDaTabela): number {
  return contagem?.semanas.length ?? semanasOf(partes[0] as LugarDaTabela)
}
