import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildService, type Service } from '../app.ts'
import type { Caller } from '../caller/caller.ts'
import { type Config, StartupError } from '../config/config.ts'
import { publicUrlOf } from '../config/public-url.ts'
import { migrate, readMigrations } from '../db/migrate.ts'
import { openOrCreate } from '../db/open.ts'
import { createPool } from '../db/pool.ts'
import { climaFiles, ORIGEM_DO_CLIMA } from '../demo/clima.ts'
import { epizootiasFile } from '../demo/epizootias.ts'
import { type DemoFile, definedFiles, fileOf, generateFiles } from '../demo/file.ts'
import { notificacoesDaSemana } from '../demo/notificacoes.ts'
import type { Definicao } from '../domain/casos/agravos/definicao.ts'
import { createDefinicao } from '../domain/casos/agravos/definicoes.ts'
import { fromModelo } from '../domain/casos/agravos/leitura.ts'
import { findMudancas } from '../domain/casos/counters/counters.ts'
import { anyPendente } from '../domain/casos/duplicidades/identidade.sql.ts'
import { requestImportEpizootias } from '../domain/epizootias/importacao/pedido.ts'
import { requestImport } from '../domain/importacao/importacoes.ts'
import type { ResultadoDaImportacao } from '../domain/importacao/resultado.ts'
import { storeImportFile } from '../domain/importacao/upload.ts'
import { getJob } from '../domain/jobs/jobs.ts'
import { measureJobs } from '../domain/jobs/queue.ts'
import { seed } from '../domain/seed.ts'
import { requestImportSeries } from '../domain/series/importacao/pedido.ts'
import { changeSerie } from '../domain/series/series.ts'
import { type Administrador, findAdministrador } from '../domain/usuarios/usuarios.sql.ts'
import { createTransport } from '../mail/transport.ts'
import { makeFolder } from '../system/folder.ts'
import type { Logger } from '../system/logging.ts'
import { credentialLines } from './announce.ts'
import { loadKeys } from './data-key.ts'
import { acknowledgeSome, askForBoletins, furnish, isFurnished } from './furnish.ts'
import { clock } from './instance.ts'
import { mendable } from './mendable.ts'
import { drawBar, endBar } from './progress-bar.ts'
import { onSignal } from './signals.ts'

const LOOK_MS = 200

/**
 * Imports made-up cases: beside a running service, whose workers may do the work as well as this process,
 * or alone.
 */
export async function fillSandbox(
  config: Config,
  log: Logger,
  wanted: { casos: number; seed: number; until: string; onlyCases: boolean; agravo: string | null },
): Promise<void> {
  onSignal(() => process.exit(1))
  await using opened = new AsyncDisposableStack()
  const { service, caller } = await openSandbox(config, log, opened)
  const { app } = service
  const started = performance.now()
  const sum = { importados: 0, atualizados: 0, inalterados: 0 }
  const arquivos =
    wanted.agravo === null
      ? generateFiles(app.municipios, wanted)
      : definedFiles(app.municipios, await definicaoOf(service, caller, wanted.agravo), wanted)
  for (const arquivo of arquivos) {
    const resultado = await importArquivo(service, caller, arquivo, `demo-${wanted.seed}.csv`)
    for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += resultado[key]
  }
  console.log(`${wanted.casos} cases of seed ${wanted.seed} up to ${wanted.until} in ${seconds(started)} s`)
  for (const [name, value] of Object.entries(sum)) console.log(`  ${name.padEnd(12)} ${value}`)
  if (!wanted.onlyCases && wanted.agravo === null) await furnishSandbox(service, caller, wanted, opened)
  console.log(nextSteps(publicUrlOf(config), caller.email))
}

/** Definition in force of a disease; that of a model is put in force first. */
async function definicaoOf({ app }: Service, caller: Caller, codigo: string): Promise<Definicao> {
  const known = () => app.agravos.vigentes().get(codigo)?.definicao
  if (known() === undefined) {
    const json = await fromModelo({ modelo: codigo })
    await createDefinicao(app, caller, { json, ativar: true })
  }
  return known() as Definicao
}

/** Once: a second demo adds cases and nothing else. */
async function furnishSandbox(
  service: Service,
  caller: Caller,
  { seed, until }: { seed: number; until: string },
  opened: AsyncDisposableStack,
): Promise<void> {
  const { app } = service
  if (await isFurnished(app)) return
  const started = performance.now()
  const semana = fileOf(notificacoesDaSemana(app.municipios, { seed, until }))
  await importArquivo(service, caller, semana, 'notificacoes-da-semana.csv', true)
  const { senha, emails } = await furnish(app, caller, until)
  await importClima(service, caller, { seed, until })
  await importEpizootias(service, caller, { seed, until })
  await deriveAll(service, opened)
  await acknowledgeSome(app, caller)
  for (const id of await askForBoletins(app, caller)) await finished(service, caller, id, 'bulletin')
  console.log(
    `Staff, climate, animal events, news, bulletins, alerts and duplicates in ${seconds(started)} s`,
  )
  console.log(`  Sign in as ${emails.join(', ')}\n  Password (shown only now): ${senha}`)
}

/** Levels of alert and pairs of duplicates, which a running service computes by itself some minutes later. */
async function deriveAll(
  { app: { db }, agendaDeAlertas, agendaDeDuplicidades }: Service,
  opened: AsyncDisposableStack,
): Promise<void> {
  for (const agenda of [agendaDeAlertas, agendaDeDuplicidades]) {
    agenda.start()
    opened.defer(() => agenda.stop())
  }
  for (;;) {
    await sleep(LOOK_MS)
    const { waiting, running } = await measureJobs(db)
    const { em_massa } = await findMudancas(db)
    if (waiting + running === 0 && !em_massa && !(await anyPendente(db))) return
  }
}

/** Everything of the service but its listener. */
async function openSandbox(config: Config, log: Logger, opened: AsyncDisposableStack) {
  await mendable(() => makeFolder(config.dataDir, 0o711), 'DATA_DIR')
  const { connection, close } = await openOrCreate(config, (message) => log.info(message))
  opened.defer(close)
  const keys = await loadKeys(config, connection)
  await migrate(connection, await readMigrations())
  const db = createPool({ connection })
  opened.defer(() => db.end())
  const service = await buildService({
    config,
    dataKey: keys.dataKey,
    masterKey: keys.masterKey.value,
    mailTransport: createTransport(config),
    db,
    connection,
    clock,
    log,
    listener: {},
  })
  const made = await seed(service.app, { email: config.adminEmail, password: config.adminPassword })
  for (const line of credentialLines(made, keys)) console.log(line)
  const administrador = await findAdministrador(db)
  if (administrador === null) throw new StartupError('There is no active administrator to import for')
  service.jobWorker.start()
  opened.defer(() => service.jobWorker.stop())
  return { service, caller: callerOf(administrador) }
}

const callerOf = (administrador: Administrador): Caller => ({
  ...administrador,
  sessao_id: '',
  plano: 'enterprise',
  permissoes: new Set(),
  territorio: null,
  mustChangePassword: false,
  mustEnrolMfa: false,
  origin: { endereco_ip: null, agente: 'npm run demo', request_id: randomUUID() },
  holdsAll: true,
})

async function importArquivo(
  service: Service,
  caller: Caller,
  { casos, content }: DemoFile,
  arquivo_nome: string,
  ignorar_erros = false,
): Promise<ResultadoDaImportacao> {
  const { app } = service
  const arquivo = await storeImportFile(app, withBar(content(), casos), arquivo_nome)
  const pedido = { formato: 'csv', modo: 'importar', ignorar_erros, tipo_agravo: null } as const
  const id = await requestImport(app, caller, arquivo, { ...pedido, arquivo_nome })
  const { resultado } = await finished(service, caller, id, 'import')
  return resultado as unknown as ResultadoDaImportacao
}

/** Climate that nobody measured, under a source that says so. */
async function importClima(
  service: Service,
  caller: Caller,
  wanted: { seed: number; until: string },
): Promise<void> {
  const { app } = service
  for (const codigo of ['temp_min_sem', 'chuva'])
    await changeSerie(app, caller, codigo, { versoes: null, change: ORIGEM_DO_CLIMA })
  for (const { nome, text } of climaFiles(app.municipios, wanted)) {
    const arquivo = await storeImportFile(app, onePiece(text), nome)
    const form = { serie: null, municipio: null, estado: null, ano: null }
    const pedido = { modo: 'importar', ignorar_erros: false, formato: null, form } as const
    const id = await requestImportSeries(app, caller, arquivo, { ...pedido, arquivo_nome: nome })
    await finished(service, caller, id, 'climate')
  }
}

/** Events in animals that nobody found; each says so. */
async function importEpizootias(
  service: Service,
  caller: Caller,
  wanted: { seed: number; until: string },
): Promise<void> {
  const { app } = service
  const { nome, text } = epizootiasFile(app.municipios, wanted)
  const arquivo = await storeImportFile(app, onePiece(text), nome)
  const pedido = { modo: 'importar', ignorar_erros: false, formato: null, arquivo_nome: nome } as const
  const id = await requestImportEpizootias(app, caller, arquivo, pedido)
  await finished(service, caller, id, 'animal events')
}

async function* onePiece(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

async function finished({ app }: Service, caller: Caller, id: string, what: string) {
  for (;;) {
    const job = await getJob(app, caller, id)
    drawBar(what, job.progress)
    if (job.status === 'completed') {
      endBar()
      return job
    }
    if (job.status !== 'processing')
      throw new StartupError(`The ${what} ended as ${job.status}: ${job.message}`)
    await sleep(LOOK_MS)
  }
}

const NEWLINE = 10

async function* withBar(content: AsyncIterable<Buffer>, casos: number): AsyncGenerator<Buffer> {
  let lines = 0
  for await (const piece of content) {
    yield piece
    for (const byte of piece) if (byte === NEWLINE) lines += 1
    drawBar('making', Math.min(100, (100 * lines) / casos))
  }
  endBar()
}

const seconds = (since: number) => ((performance.now() - since) / 1_000).toFixed(1)

const nextSteps = (url: string, email: string) => `
What to look at, once the service runs (npm start):

  API=${url}/api/v1
  TOKEN=$(curl -sk $API/auth/login -H 'Content-Type: application/json' \\
    -d '{"username":"${email}","password":"THE-PASSWORD"}' | node -pe 'JSON.parse(require("fs").readFileSync(0)).access_token')
  curl -sk "$API/agravos/casos?estado=GO&agravo_codigo=dengue&data_inicio=2024-03-01&data_fim=2024-03-31" -H "Authorization: Bearer $TOKEN"
  curl -sk "$API/agravos/casos/estatisticas/resumo?estado=SP&agregacao=semana&data_inicio=2024-01-01&data_fim=2024-12-31" -H "Authorization: Bearer $TOKEN"
  curl -sk "$API/agravos/alertas?tipo_agravo=dengue" -H "Authorization: Bearer $TOKEN"
  curl -sk "$API/agravos/casos/mapa-calor?nivel=municipio&data_inicio=2024-01-01&data_fim=2024-12-31" -H "Authorization: Bearer $TOKEN"

Console: ${url}/painel?municipio=2611606 and ${url}/alertas
Documentation: ${url}/docs`
