import { setTimeout as sleep } from 'node:timers/promises'
import { buildService, type Service } from '../app.ts'
import { type Config, StartupError } from '../config/config.ts'
import { publicUrlOf } from '../config/public-url.ts'
import { migrate, readMigrations } from '../db/migrate.ts'
import { openOrCreate } from '../db/open.ts'
import { createPool } from '../db/pool.ts'
import { type DemoFile, generateFiles } from '../demo/file.ts'
import type { ResultadoDaImportacao } from '../domain/importacao/import.ts'
import { requestImport } from '../domain/importacao/importacoes.ts'
import { storeImportFile } from '../domain/importacao/upload.ts'
import { getJob } from '../domain/jobs/jobs.ts'
import { seed } from '../domain/seed.ts'
import { type Administrador, findAdministrador } from '../domain/usuarios/usuarios.sql.ts'
import { createTransport } from '../mail/transport.ts'
import { makeFolder } from '../system/folder.ts'
import type { Logger } from '../system/logging.ts'
import { credentialLines } from './announce.ts'
import { loadKeys } from './data-key.ts'
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
  wanted: { casos: number; seed: number; until: string },
): Promise<void> {
  onSignal(() => process.exit(1))
  await using opened = new AsyncDisposableStack()
  const { service, administrador } = await openSandbox(config, log, opened)
  const { app } = service
  const started = performance.now()
  const sum = { importados: 0, atualizados: 0, inalterados: 0 }
  for (const arquivo of generateFiles(app.municipios, wanted)) {
    const resultado = await importArquivo(service, administrador, arquivo, `demo-${wanted.seed}.csv`)
    for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += resultado[key]
  }
  console.log(`${wanted.casos} cases of seed ${wanted.seed} up to ${wanted.until} in ${seconds(started)} s`)
  for (const [name, value] of Object.entries(sum)) console.log(`  ${name.padEnd(12)} ${value}`)
  console.log(nextSteps(publicUrlOf(config), administrador.email))
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
  return { service, administrador }
}

async function importArquivo(
  { app }: Service,
  administrador: Administrador,
  { casos, content }: DemoFile,
  arquivo_nome: string,
): Promise<ResultadoDaImportacao> {
  const arquivo = await storeImportFile(app, withBar(content(), casos), arquivo_nome)
  const pedido = { formato: 'csv', modo: 'importar', ignorar_erros: false, tipo_agravo: null } as const
  const caller = { ...administrador, permissoes: new Set<string>(), territorio: null, holdsAll: true }
  const id = await requestImport(app, caller, arquivo, { ...pedido, arquivo_nome })
  for (;;) {
    const job = await getJob(app, caller, id)
    drawBar('import', job.progress)
    if (job.status === 'completed') {
      endBar()
      return job.resultado as unknown as ResultadoDaImportacao
    }
    if (job.status !== 'processing')
      throw new StartupError(`The import ended as ${job.status}: ${job.message}`)
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

Console: ${url}/painel?municipio=2611606 and ${url}/alertas (levels are computed within minutes)
Documentation: ${url}/docs`
