import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '../fuzz/random.ts'
import { loadMunicipios } from '../src/brasil/municipios.ts'
import { indexTerritorios } from '../src/brasil/territorios.ts'
import type { Caller } from '../src/caller/caller.ts'
import { startEmbedded } from '../src/db/embedded/embedded.ts'
import { migrate, readMigrations } from '../src/db/migrate.ts'
import { createPool } from '../src/db/pool.ts'
import { createReader } from '../src/db/reader.ts'
import { identifier, sql } from '../src/db/sql.ts'
import { createAuditoria } from '../src/domain/auditoria/auditoria.ts'
import { CONHECIDAS, fixedAgravos } from '../src/domain/casos/agravos/registro.ts'
import { seedAgravos } from '../src/domain/casos/agravos/semear.ts'
import { type Campos, EMPTY_CASE } from '../src/domain/casos/campos.ts'
import { insertCasos, type NewCaso } from '../src/domain/casos/casos.sql.ts'
import { runDuplicidades } from '../src/domain/casos/duplicidades/pendentes.ts'
import { createNaPorta } from '../src/domain/casos/duplicidades/porta.ts'
import { runVarredura } from '../src/domain/casos/duplicidades/varredura.ts'
import type { CasoInput } from '../src/domain/casos/input.ts'
import { createChaves, seal } from '../src/domain/casos/sigilo.ts'
import { createCipher, createKeyedHash } from '../src/domain/cipher.ts'
import type { JobApp } from '../src/domain/jobs/job-app.ts'
import type { JobTask } from '../src/domain/jobs/queue.ts'
import { judged, measure } from '../test/duplicidades-acerto.ts'
import { MUNICIPIOS, type Pessoa, people } from '../test/duplicidades-people.ts'

/**
 * Duplicates against their bars: precision and recall over made-up people, a full scan of cases that have no keys yet, and the
 * comparison of 10,000 new ones; an import with the list of changed cases against one without; a new case with the look for
 * duplicates against one without, in the domain, without HTTP. `npx node --max-old-space-size=4096 bench/duplicidades.ts [cases [people]]`. The scan's own memory is
 * that of a job, which runs with a heap of 96 MB; here the made-up people are in the same process.
 */
const CASES = Number(process.argv[2] ?? 100_000)
const PEOPLE = Number(process.argv[3] ?? 100_000)
/** Cases of a year, in forty municipalities: a million are those of ten years. */
const A_YEAR = 100_000
const NEW = 10_000
const BLOCK = 1_000
const TURNS = 5
const DOORS = 200
const CALLER = {
  ...{ id: 1, nome: 'Bench', email: 'bench@vigia.test', territorio: null, holdsAll: true },
  ...{ permissoes: new Set<string>(), origin: { endereco_ip: null, request_id: null } },
} as unknown as Caller

const percent = (share: number) => `${(share * 100).toFixed(1)} %`

console.log(`Precision and recall, ${PEOPLE} records`)
const sample = people(createRandom(20_260_311), PEOPLE)
const found = judged(sample)
console.log(`  ${found.length} candidate pairs`)
for (const escore of [12, 8, 6, 0]) {
  const { precisao, cobertura, achados, episodios, gemeos } = measure(sample, found, escore)
  console.log(
    `  from ${escore}: precision ${percent(precisao)}, recall ${percent(cobertura)}, ${achados} pairs, ${episodios} other episodes, ${gemeos} twins`,
  )
}

const key = randomBytes(32)
const stack = new AsyncDisposableStack()
try {
  const dataDir = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'vigia-duplicidades-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  // Traversable: as root, PostgreSQL runs as another user, and would keep its files elsewhere.
  await chmod(dataDir, 0o711)
  const postgres = await startEmbedded({ dataDir, report: () => {} })
  stack.defer(() => postgres.stop())
  const connection = { ...postgres.connection, ssl: false }
  await migrate(connection, await readMigrations())
  const db = createPool({ connection, max: 3, statementTimeoutMs: 3_600_000 })
  stack.defer(() => db.end())
  await seedAgravos(db, new Date())
  const municipios = await loadMunicipios()
  await db.run(sql`
    insert into usuarios (id, nome, email, senha_hash) overriding system value values (1, 'Bench', 'bench@vigia.test', 'x')`)
  const app = {
    db,
    reader: createReader(db, null),
    clock: { now: () => new Date() },
    cipher: createCipher(key),
    chaves: createChaves(key),
    municipios,
    territorios: indexTerritorios(municipios.all),
    duplicidadeDias: 60,
    agravos: fixedAgravos(CONHECIDAS),
  } as unknown as JobApp
  const door = { ...app, auditoria: createAuditoria(createKeyedHash(key, 'auditoria'), app.clock) } as never
  const task = {
    job: { ponto: null, usuario_id: null, territorios: null },
    proceed() {},
    checkpoint: async () => {},
    progress: async () => {},
    authorise: async () => {},
    finish: async () => {},
  } as unknown as JobTask

  const days = Math.max(365, Math.round((365 * CASES) / A_YEAR))
  await timed(`${CASES} cases of ${days} days stored`, () => store(people(createRandom(1), CASES, days), 'a'))
  await timed('full scan', () => runVarredura(app, task))
  console.log(`  ${await db.value(sql`select count(*) from duplicidades`)} pairs`)
  await timed('full scan again', () => runVarredura(app, task))
  await timed(`${NEW} cases stored`, () => store(people(createRandom(2), NEW), 'b'))
  await timed(`${NEW} new cases compared`, () => runDuplicidades(app, task))
  await importsCompared()
  await doorsCompared()

  /** In turns, so that a busy machine is busy for both. */
  async function importsCompared(): Promise<void> {
    const took = { with: 0, without: 0 }
    for (let turn = 0; turn < TURNS * 2; turn++) {
      const side = turn % 2 === 0 ? 'with' : 'without'
      await setTriggers(side === 'with')
      const begun = performance.now()
      await store(people(createRandom(10 + turn), NEW / TURNS), `t${turn}-`)
      took[side] += performance.now() - begun
    }
    await setTriggers(true)
    const slower = percent(took.with / took.without - 1)
    console.log(`${NEW} cases stored with and without the list of changed ones: ${slower} slower`)
  }

  async function setTriggers(isOn: boolean): Promise<void> {
    const names = await db.rows<{ nome: string }>(sql`
      select tgname as nome from pg_trigger where tgrelid = 'casos'::regclass and tgname like 'casos_identidade_%'`)
    if (names.length === 0) throw new Error('the triggers have other names')
    for (const { nome } of names)
      await db.run(
        isOn
          ? sql`alter table casos enable trigger ${identifier(nome)}`
          : sql`alter table casos disable trigger ${identifier(nome)}`,
      )
  }

  async function doorsCompared(): Promise<void> {
    // The made-up people live in made-up municipalities, which a request may not name.
    const known = municipios.all.filter(({ uf }) => uf === 'PE').map(({ codigo }) => codigo)
    const moved = (one: Pessoa) => ({ ...one, municipio: known[MUNICIPIOS.indexOf(one.municipio)] as number })
    const times = { com: [] as number[], sem: [] as number[] }
    const novos = people(createRandom(3), DOORS * 2)
    for (const [i, one] of novos.entries()) {
      const side = i % 2 === 0 ? 'com' : 'sem'
      const begun = performance.now()
      await createNaPorta(door, CALLER, inputOf(moved(one), `p${i}`), side === 'com' ? 'avisar' : undefined)
      times[side].push(performance.now() - begun)
    }
    const p95 = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.95)] ?? 0
    console.log(
      `p95 of a new case: ${p95(times.sem).toFixed(1)} ms, with duplicidade=avisar ${p95(times.com).toFixed(1)} ms`,
    )
  }

  async function store(all: readonly Pessoa[], prefix: string): Promise<void> {
    for (let i = 0; i < all.length; i += BLOCK) {
      const novos = all.slice(i, i + BLOCK).map((one, j) => novo(app, one, `${prefix}${i + j}`))
      await insertCasos(db, novos, [])
    }
  }
} finally {
  await stack.disposeAsync()
}

function novo({ cipher, chaves, clock }: JobApp, one: Pessoa, numero_notificacao: string): NewCaso {
  const campos: Campos = {
    ...EMPTY_CASE,
    ...{ tipo_agravo: 'dengue', numero_notificacao, data_notificacao: one.dia, status: 'em_investigacao' },
    ...{ paciente_nome: one.nome, paciente_data_nascimento: one.nascimento, paciente_sexo: one.sexo },
    ...{ municipio_residencia: one.municipio, estado_residencia: 'PE', bairro_residencia: one.bairro },
  }
  return { campos, sealed: seal(cipher, chaves, campos), by: { id: 1, nome: 'Bench' }, now: clock.now() }
}

function inputOf(one: Pessoa, numero_notificacao: string): CasoInput {
  return {
    ...{ tipo_agravo: 'dengue', numero_notificacao, data_notificacao: one.dia },
    ...{ paciente_nome: one.nome, paciente_data_nascimento: one.nascimento, paciente_sexo: one.sexo },
    ...{ municipio_residencia: String(one.municipio), estado_residencia: 'PE' },
  }
}

async function timed(what: string, act: () => Promise<unknown>): Promise<void> {
  const [started, cpu] = [performance.now(), process.cpuUsage()]
  await act()
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (ms: number) => (ms / 1_000).toFixed(1)
  console.log(
    `${what}: ${seconds(performance.now() - started)} s (${seconds((user + system) / 1_000)} s of CPU here), ${Math.round(process.memoryUsage.rss() / 1_048_576)} MiB`,
  )
}
