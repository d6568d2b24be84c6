import { UFS } from '../src/brasil/uf.ts'
import type { Db } from '../src/db/db.ts'
import { nested } from '../src/db/nested.ts'
import { sql } from '../src/db/sql.ts'
import { type Selection, selectionOf } from '../src/domain/casos/counters/counters.sql.ts'
import { foldInBulk, rebuildContagens } from '../src/domain/casos/counters/counters.ts'
import { findPage } from '../src/domain/casos/reading/page.ts'
import { countBy, countTotals } from '../src/domain/casos/statistics/estatisticas.sql.ts'
import { countCells } from '../src/domain/casos/statistics/mapa.sql.ts'
import type { FieldValue, Filter, ListQuery } from '../src/filter.ts'
import { benchService } from './service.ts'

/**
 * What do the counters of cases gain, and what do they cost? Each question is asked twice on the same data, in turns: as the
 * service asks it, and as plain sums and OFFSET over the cases, with all their indexes. What is compared are medians of the whole round trip;
 * the price is that of inserts with the triggers and without. `npm run bench:counters [-- rows]`
 */
const ROWS = Number(process.argv[2] ?? 1_000_000)
const RUNS = 7
const YEARS = 10

const { db, app, close } = await benchService('admin@bench.local', { statementTimeoutMs: 7_200_000 })
const { municipios } = app

/** Ten years with a season, 27 states of very different size, twenty municipalities in each, skewed. */
const EVERYWHERE = { years: YEARS, states: 27 }
const ONE_STATE_AND_YEAR = { years: 1, states: 1 }
const generated = (from: number, to: number, { years, states } = EVERYWHERE) => sql`
  insert into casos (tipo_agravo, numero_notificacao, data_notificacao, data_inicio_sintomas, paciente_idade, paciente_sexo,
    municipio_residencia, estado_residencia, bairro_residencia, classificacao_final, evolucao, hospitalizacao, status, dados,
    sigilo, criado_em, atualizado_em)
  select tipo, 'B' || i, dia, case when onset < 0.95 then dia - (onset * 14)::integer end, (age * 90)::integer,
    case when sex < 0.55 then 'F' when sex < 0.99 then 'M' end,
    (1 + uf) * 100000 + floor(power(place, 3) * 20)::integer, (${UFS}::text[])[1 + uf],
    'Bairro ' || floor(place * 400),
    case when tipo = 'dengue' then (array['dengue_sem_sinais_alarme', 'dengue_com_sinais_alarme', 'dengue_grave',
        'descartado', 'inconclusivo', null])[1 + floor(class * class * 6)::integer]
      else (array['confirmado', 'descartado', 'inconclusivo', null])[1 + floor(class * 4)::integer] end,
    case when age > 0.997 then 'obito' else 'cura' end, sex < 0.05, 'encerrado',
    '{"febre": true, "mialgia": true, "cefaleia": false}', decode(repeat(md5(i::text), 6), 'hex'), now(), now()
  from (
    select i, random() as onset, random() as age, random() as sex, random() as class, random() as place,
      floor(random() * random() * ${states})::integer as uf,
      case when random() < 0.85 then 'dengue' when random() < 0.6 then 'chikungunya' else 'zika' end as tipo,
      date '2016-01-01' + floor(random() * ${years})::integer * 365
        + floor(case when random() < 0.6 then 30 + random() * 120 else random() * 365 end)::integer as dia
    from generate_series(${from}::integer, ${to}::integer) i
  ) numbered`

const test = (field: string, op: string, value: FieldValue) => ({ kind: 'test', field, op, value }) as Filter
const and = (...of: Filter[]): Filter => ({ kind: 'and', of })
const between = (de: string, ate: string) => [test('data_inicio', 'eq', de), test('data_fim', 'eq', ate)]
const YEAR = between('2021-01-01', '2021-12-31')
const STATE = UFS[2]

type Ask = (tx: Db, selection: Selection) => Promise<unknown>

const page =
  (number: number): Ask =>
  async (tx, selection) => {
    const list: ListQuery = {
      filter: selection.filter,
      sort: 'data_notificacao',
      order: 'desc',
      page: number,
      size: 20,
    }
    await findPage(nested(tx), list, selection)
  }
const resumo: Ask = async (tx, selection) => {
  await countTotals(tx, selection)
}
const resumoInFull: Ask = async (tx, selection) => {
  await countTotals(tx, selection)
  await countBy(tx, 'data_notificacao', selection)
  for (const chave of ['tipo_agravo', 'faixa_etaria', 'sexo', 'estado', 'municipio'] as const)
    await countBy(tx, chave, selection)
}
const mapa: Ask = (tx, selection) => countCells(tx, 'municipio', selection)

const QUESTIONS: [string, Filter, Ask][] = [
  ['list, no filter, page 1', and(), page(1)],
  ['list, no filter, page 10,000', and(), page(10_000)],
  [
    'list, state + disease + month',
    and(
      test('estado', 'eq', STATE),
      test('tipo_agravo', 'eq', 'dengue'),
      ...between('2021-03-01', '2021-03-31'),
    ),
    page(1),
  ],
  ['list, one state, page 1,000', test('estado', 'eq', STATE), page(1_000)],
  ['list, one municipality', test('municipio', 'eq', 'nenhum'), page(1)],
  ['list, one classification', test('classificacao', 'eq', 'dengue_grave'), page(1)],
  ['resumo of a year, one state', and(test('estado', 'eq', STATE), ...YEAR), resumo],
  ['resumo of a year, Brazil', and(...YEAR), resumo],
  ['resumo of 365 days, Brazil', and(...between('2021-03-10', '2022-03-09')), resumo],
  ['… with series and 5 groupings', and(...YEAR), resumoInFull],
  ['… of 365 days', and(...between('2021-03-10', '2022-03-09')), resumoInFull],
  ['… of one state', and(test('estado', 'eq', STATE), ...YEAR), resumoInFull],
  ['map, 30 days', and(...between('2021-03-10', '2021-04-08')), mapa],
  ['map, 365 days', and(...between('2021-03-10', '2022-03-09')), mapa],
]

let next = ROWS + 1
try {
  await fill()
  await readings()
  await creations()
  await blocks(ONE_STATE_AND_YEAR, 'one state and year')
  await blocks(EVERYWHERE, 'everywhere')
} finally {
  await close()
}

async function fill() {
  await db.run(sql`alter table casos disable trigger user`)
  for (let from = 1; from <= ROWS; from += 100_000)
    await db.run(generated(from, Math.min(ROWS, from + 99_999)))
  await db.run(sql`alter table casos enable trigger user`)
  const seconds = (await timed(() => rebuildContagens(db))) / 1_000
  await db.run(sql`vacuum analyze`)
  const sizes = await db.first<Record<string, number>>(sql`
    select (select count(*) from casos_contagens) as rows, pg_total_relation_size('casos_contagens') as bytes,
      pg_total_relation_size('casos') as of_casos`)
  console.log(
    `${ROWS} cases, ${mb(sizes?.of_casos)}; ${sizes?.rows} counters, ${mb(sizes?.bytes)}, counted in ${seconds.toFixed(0)} s\n`,
  )
}

async function readings() {
  console.log('                                    plain        counters    ratio')
  for (const [name, filter, ask] of QUESTIONS) {
    const selection = selectionOf(filter, municipios)
    const [plain, counted] = await inTurns(
      () => ask(db, { ...selection, scope: null }),
      () => ask(db, selection),
    )
    console.log(`${name.padEnd(30)} ${ms(plain)} ${ms(counted)} ${(plain / counted).toFixed(1).padStart(8)}`)
  }
}

/** One case a transaction, with the triggers and without. */
async function creations() {
  const create = () =>
    timed(async () => {
      for (let i = 0; i < 500; i++, next++) await db.run(generated(next, next))
    })
  const [plain, counted] = await withAndWithout(create)
  console.log(
    `\nsingle create: ${ms(plain / 500)} without triggers, ${ms(counted / 500)} with = ${(plain / counted).toFixed(2)}`,
  )
}

/** Large statements, as an import writes them, in one transaction that adds up at its end the general numbers. */
async function blocks(where: typeof EVERYWHERE, name: string) {
  const insert = () =>
    timed(() =>
      db.transaction(async (tx) => {
        for (let i = 0; i < 10; i++, next += 20_000) await tx.run(generated(next, next + 19_999, where))
        await foldInBulk(tx)
      }),
    )
  const [plain, counted] = await withAndWithout(insert, 1)
  const ratio = (plain / counted).toFixed(2)
  console.log(`200,000 in blocks, ${name}: ${ms(plain)} without triggers, ${ms(counted)} with = ${ratio}`)
}

async function withAndWithout(work: () => Promise<number>, runs = RUNS): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []]
  for (let run = 0; run < runs; run++) {
    await db.run(sql`alter table casos disable trigger user`)
    times[0].push(await work())
    await db.run(sql`alter table casos enable trigger user`)
    times[1].push(await work())
  }
  return [median(times[0]), median(times[1])]
}

async function inTurns(a: () => Promise<unknown>, b: () => Promise<unknown>): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []]
  for (let run = 0; run < RUNS; run++) {
    times[0].push(await timed(a))
    times[1].push(await timed(b))
  }
  return [median(times[0]), median(times[1])]
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
}

function ms(value: number): string {
  return `${value.toFixed(2).padStart(9)} ms`
}

function mb(bytes = 0): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`
}
