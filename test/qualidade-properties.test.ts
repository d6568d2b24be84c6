import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { addDays, dateInBrazil, daysBetween } from '../src/brasil/calendar.ts'
import { loadMunicipios } from '../src/brasil/municipios.ts'
import { round, roundOrNull } from '../src/statistics/rounding.ts'
import { quantile } from '../src/statistics/summary.ts'
import { consultaApp } from './contracts/b/casos-consulta-app.ts'
import {
  COMPLETUDE,
  CONTRADICOES,
  oportunidadeOf,
  paresOf,
  type Registro,
  rascunho,
  registroOf,
  store,
  TRABALHO,
} from './qualidade-cases.ts'

/**
 * Random records: the counts of quality, the work list and its summary say the same as plain predicates over what is stored, for
 * every place, group and territory. A number and its list are compared with each other, too.
 */
const SEED = 20_260_714
const CASES = 700
const RUNS = Number(process.env.PROPERTY_RUNS ?? 60)

const { t, vigilante, identificador, exclude, read, bound } = await consultaApp()
after(() => t.close())
const municipios = await loadMunicipios()
const hoje = dateInBrazil(t.clock.now())

const drafts = fc.sample(rascunho, { seed: SEED, numRuns: CASES })
const stored = await store(
  t,
  drafts.map((draft, i) => registroOf(draft, i + 1, hoje, municipios)),
  t.clock.now(),
)
const EXCLUDED = stored.filter((_, i) => i % 23 === 0)
for (const { id } of EXCLUDED) await exclude(id)
const casos = stored.filter((caso) => !EXCLUDED.includes(caso))

const regiaoOf = (codigo: number | null) =>
  (codigo === null ? null : municipios.byCodigo(codigo))?.regiao?.codigo.toString() ?? null
const GRUPOS: Record<string, (caso: Registro) => string | null> = {
  municipio: (caso) => caso.municipio_residencia?.toString() ?? null,
  regiao_saude: (caso) => regiaoOf(caso.municipio_residencia),
  estado: (caso) => caso.estado_residencia,
  unidade: (caso) => caso['unidade_notificante.cnes'],
}

/** Places that are asked for, with the cases that live there. */
const LUGARES: [Record<string, string>, (caso: Registro) => boolean][] = [
  [{}, () => true],
  [{ estado: 'PE' }, (caso) => caso.estado_residencia === 'PE'],
  [{ estado: 'SP' }, (caso) => caso.estado_residencia === 'SP'],
  [{ regiao_saude: '26010' }, (caso) => regiaoOf(caso.municipio_residencia) === '26010'],
  [{ municipio: '2611606' }, (caso) => caso.municipio_residencia === 2_611_606],
  [{ municipio: '5101837' }, (caso) => caso.municipio_residencia === 5_101_837],
]
const CONTAS = [
  { pessoa: identificador, pairs: true, sees: () => true },
  { pessoa: vigilante, pairs: false, sees: () => true },
  {
    pessoa: await bound(['uf:PE']),
    pairs: true,
    sees: ({ estado_residencia }: Registro) => estado_residencia === 'PE',
  },
  {
    pessoa: await bound(['municipio:2611606', 'municipio:3550308']),
    pairs: true,
    sees: ({ municipio_residencia: one }: Registro) => one === 2_611_606 || one === 3_550_308,
  },
]

const pedido = fc.record({
  conta: fc.constantFrom(...CONTAS),
  lugar: fc.constantFrom(...LUGARES),
  tipo: fc.option(fc.constantFrom('dengue', 'zika')),
  periodo: fc.option(fc.tuple(fc.nat(400), fc.nat(200))),
})

/** Query of a request and the cases it is about. */
function asked({
  conta,
  lugar: [lugar, livesThere],
  tipo,
  periodo,
}: typeof pedido extends fc.Arbitrary<infer P> ? P : never) {
  const [data_inicio, data_fim] =
    periodo === null
      ? [addDays(hoje, -364), hoje]
      : [addDays(hoje, -periodo[0]), addDays(hoje, periodo[1] - periodo[0])]
  const query = { ...lugar, ...(tipo !== null && { tipo_agravo: tipo }) }
  const found = casos.filter(
    (caso) =>
      conta.sees(caso) &&
      livesThere(caso) &&
      (tipo === null || caso.tipo_agravo === tipo) &&
      caso.data_notificacao >= data_inicio &&
      caso.data_notificacao <= data_fim,
  )
  return { query, period: { data_inicio, data_fim }, given: periodo !== null, found }
}

const share = (part: number, of: number) => (of === 0 ? null : round((100 * part) / of, 2))
const count = <T>(all: readonly T[], test: (one: T) => boolean) => all.filter(test).length

/** What the interface should say of some cases. */
function expected(found: readonly Registro[], pairs: number | null) {
  const times = oportunidadeOf(found, hoje)
  return {
    casos: found.length,
    completude: Object.entries(COMPLETUDE).map(([campo, [isAsked, isFilled]]) => {
      const those = found.filter(isAsked)
      const preenchidos = count(those, isFilled)
      return { campo, preenchidos, de: those.length, pct: share(preenchidos, those.length) }
    }),
    oportunidade: Object.fromEntries(
      Object.entries(times).map(
        ([
          name,
          {
            days,
            share: [no_prazo, de],
          },
        ]) => {
          const at = (p: number) => roundOrNull(quantile(days, p), 4)
          const quantiles = { p25: at(0.25), mediana: at(0.5), p75: at(0.75), p90: at(0.9) }
          return [name, { n: days.length, ...quantiles, no_prazo, de, pct: share(no_prazo, de) }]
        },
      ),
    ),
    encerrado_automatico: count(
      found,
      ({ classificacao_final, data_encerramento, data_notificacao }) =>
        classificacao_final === 'inconclusivo' &&
        data_encerramento !== null &&
        daysBetween(data_notificacao, data_encerramento) === 61,
    ),
    inconsistencias: [
      ...Object.entries(CONTRADICOES).map(([codigo, test]) => ({ codigo, total: count(found, test) })),
      { codigo: 'possivel_duplicado', total: pairs },
    ],
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the ledger has checked the answer against its schema
const numbersOf = ({ casos, completude, oportunidade, encerrado_automatico, inconsistencias }: any) => ({
  casos,
  completude: completude.map(({ faixa: _, ...row }: Record<string, unknown>) => row),
  oportunidade,
  encerrado_automatico,
  inconsistencias,
})

describe('GET /agravos/casos/qualidade of random records', () => {
  it('counts what plain predicates count, as a whole and in every group', async () => {
    await fc.assert(
      fc.asyncProperty(pedido, fc.constantFrom(...Object.keys(GRUPOS)), async (request, agrupar_por) => {
        const { query, period, given, found } = asked(request)
        const { pessoa, pairs } = request.conta
        const sent = { ...query, ...(given && period), agrupar_por, size: '100' }
        const body = await read('/agravos/casos/qualidade', sent, pessoa)
        const pairsIn = (those: Registro[]) => (pairs ? paresOf(those).length : null)
        assert.deepEqual(body.periodo, period)
        assert.deepEqual(numbersOf(body), expected(found, pairsIn(found)))
        const groups = Map.groupBy(found, GRUPOS[agrupar_por] as (caso: Registro) => string | null)
        assert.deepEqual(
          body.grupos.map(({ codigo }: { codigo: string | null }) => codigo),
          [...groups.keys()].toSorted((a, b) => ((a ?? '~') < (b ?? '~') ? -1 : 1)),
        )
        for (const group of body.grupos) {
          const those = groups.get(group.codigo) as Registro[]
          assert.deepEqual(numbersOf(group), expected(those, pairsIn(those)), String(group.codigo))
        }
      }),
      { seed: SEED, numRuns: RUNS },
    )
  })
})

describe('GET /agravos/casos/qualidade/pendencias of random records', () => {
  const LIST = '/agravos/casos/qualidade/pendencias'
  /** Cases with each code, for an account. */
  const pendingOf = (found: readonly Registro[], pairs: boolean) => {
    const doubles = new Set(pairs ? paresOf(casos).flat() : [])
    const codes = (caso: Registro) => [
      ...Object.keys(TRABALHO).filter((codigo) => TRABALHO[codigo]?.(caso, hoje)),
      ...(doubles.has(caso) ? ['possivel_duplicado'] : []),
    ]
    return new Map(found.map((caso) => [caso, codes(caso)] as const).filter(([, all]) => all.length > 0))
  }
  const readAll = async (query: Record<string, string>, pessoa: typeof vigilante) => {
    const items: { id: number; pendencias: { codigo: string }[] }[] = []
    for (let page = 1; ; page++) {
      const body = await read(LIST, { ...query, size: '100', page: String(page) }, pessoa)
      items.push(...body.items)
      if (body.items.length === 0 || items.length >= body.total) return { items, total: body.total as number }
    }
  }
  const sorted = (values: Iterable<number | string>) => [...values].map(String).toSorted()

  it('holds the cases that have any, each with all of them, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(pedido, async (request) => {
        const { query, period, found } = asked(request)
        const { pessoa, pairs } = request.conta
        const pending = pendingOf(found, pairs)
        const { items, total } = await readAll({ ...query, ...period }, pessoa)
        assert.equal(total, pending.size)
        const told = new Map(
          items.map(({ id, pendencias }) => [id, sorted(pendencias.map(({ codigo }) => codigo))]),
        )
        const should = new Map([...pending].map(([{ id }, codes]) => [id, sorted(codes)]))
        assert.deepEqual(told, should)
      }),
      { seed: SEED, numRuns: RUNS / 3 },
    )
  })

  it('is as long under each code as its summary and the counts of quality say', async () => {
    await fc.assert(
      fc.asyncProperty(pedido, async (request) => {
        const { query, period } = asked(request)
        const { pessoa } = request.conta
        const filter = { ...query, ...period }
        const resumo = await read(`${LIST}/resumo`, { ...filter, size: '100' }, pessoa)
        assert.ok(resumo.total <= 100)
        const { inconsistencias } = await read('/agravos/casos/qualidade', filter, pessoa)
        const byCode = Map.groupBy(
          resumo.items as { codigo: string; total: number }[],
          ({ codigo }) => codigo,
        )
        for (const [codigo, rows] of byCode) {
          const { total } = await read(LIST, { ...filter, pendencia: codigo, size: '1' }, pessoa)
          assert.equal(
            total,
            rows.reduce((sum, row) => sum + row.total, 0),
            codigo,
          )
          const counted = inconsistencias.find((one: { codigo: string }) => one.codigo === codigo)
          if (counted !== undefined && codigo !== 'possivel_duplicado')
            assert.equal(counted.total, total, codigo)
        }
        for (const { codigo, total } of inconsistencias)
          if (!byCode.has(codigo)) assert.equal(total ?? 0, 0, codigo)
      }),
      { seed: SEED, numRuns: RUNS / 3 },
    )
  })
})
