// Command line as processes: its start to `--help` beside that of Node alone, of the machine's Node and of npx, and its memory while it saves an export, of a state and of all.
// `npx node bench/linha-de-comando.ts [cases]`; 0 leaves the export out. Exit code 1 where a limit is passed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EMAIL, PASSWORD, prepare } from './comparison/prepare.ts'
import { cpuOf, startService } from './comparison/processes.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const CASES = Number(process.argv[2] ?? 1_000_000)
const BIN = fileURLToPath(new URL('../clients/cli/vigia.mjs', import.meta.url))
const RUNS = 21
const MOST_MS = 150
/** What an export of all cases may take more than one of a state: what is not collected yet, not the file. */
const MOST_MEBIBYTES = 64
const LOOK_MS = 100

/** The machine's own path, without what npm puts before it. */
const PATHS = (process.env.PATH ?? '').split(delimiter).filter((path) => !path.includes('node_modules'))
const ENV = { ...process.env, PATH: PATHS.join(delimiter) }
const MACHINE_NODE = PATHS.map((path) => join(path, 'node')).find((node) => existsSync(node))
const [HELP, BY_MACHINE, BY_NPX] = ['vigia --help', 'by the Node of the machine', 'npx vigia --help']
const STARTS: { name: string; command: string[]; most?: number }[] = [
  { name: HELP, command: [process.execPath, BIN, '--help'], most: MOST_MS },
  { name: 'node -e 0', command: [process.execPath, '-e', '0'] },
  ...(MACHINE_NODE === undefined ? [] : [{ name: BY_MACHINE, command: [MACHINE_NODE, BIN, '--help'] }]),
  { name: BY_NPX, command: ['npx', '--no', '--', 'vigia', '--help'] },
]

const missed: string[] = []
await startToHelp()
if (CASES > 0) await exportMemory()
console.log(missed.length === 0 ? '\nEvery target was reached' : `\nMissed:\n  ${missed.join('\n  ')}`)
if (missed.length > 0) process.exitCode = 1

/** By turns: a pause of the machine falls on all. */
async function startToHelp(): Promise<void> {
  const told = new Map(STARTS.map((start) => [start, { ms: [] as number[], cpu: 0 }]))
  for (let run = 0; run <= RUNS; run++)
    for (const [start, one] of told) {
      const [begun, before] = [performance.now(), cpuOf([process.pid], { ended: true })]
      const [program = '', ...args] = start.command
      const code = await endOf(spawn(program, args, { stdio: 'ignore', cwd: ROOT, env: ENV }))
      if (code !== 0) throw new Error(`${start.name}: ended with ${code}`)
      // The first run writes the compile cache.
      if (run === 0) continue
      one.ms.push(performance.now() - begun)
      one.cpu += cpuOf([process.pid], { ended: true }) - before
    }
  const medians = new Map<string, number>()
  for (const [{ name, most }, { ms, cpu }] of told) {
    const sorted = ms.toSorted((a, b) => a - b)
    const [least, median] = [sorted[0] as number, sorted[RUNS >> 1] as number]
    medians.set(name, median)
    console.log(
      `${name.padEnd(28)} ${least.toFixed(0)} ms at least, ${median.toFixed(0)} in the median of ${RUNS}, CPU ${((1_000 * cpu) / RUNS).toFixed(0)} ms`,
    )
    if (most !== undefined && median > most) missed.push(`${name}: ${median.toFixed(0)} ms`)
  }
  tellDifference(medians)
}

/** What a user waits for besides the command itself. */
function tellDifference(medians: Map<string, number>): void {
  const [own = 0, byMachine = own, byNpx = 0] = [HELP, BY_MACHINE, BY_NPX].map((name) => medians.get(name))
  console.log(`the Node of the machine, which may start ours, adds ${(byMachine - own).toFixed(0)} ms`)
  console.log(`npx, over that Node, adds ${(byNpx - byMachine).toFixed(0)} ms`)
}

async function exportMemory(): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const ground = await prepare(
    join(process.env.BENCH_DIR ?? join(tmpdir(), 'vigia-bench'), String(CASES)),
    CASES,
  )
  stack.defer(() => ground.postgres.stop())
  stack.defer(() => ground.client.end())
  const service = await startService(ground.env)
  stack.defer(() => service.stop())
  const folder = stack.use(await mkdtempDisposable(join(tmpdir(), 'vigia-cli-')))
  const env = {
    ...process.env,
    XDG_CONFIG_HOME: folder.path,
    VIGIA_URL: `https://127.0.0.1:${service.port}`,
  }
  const ca = ['--ca', join(ground.env.DATA_DIR as string, 'tls', 'cert.pem')]
  const login = spawn(process.execPath, [BIN, 'login', '--email', EMAIL, ...ca], {
    env,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  login.stdin?.end(`${PASSWORD}\n`)
  if ((await endOf(login)) !== 0) throw new Error('no login')

  const peaks: number[] = []
  for (const filter of [['--filtro', 'estado=SP'], []]) {
    const args = [BIN, 'casos', 'exportar', '--formato', 'csv', ...filter, ...ca]
    const begun = performance.now()
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let bytes = 0
    child.stdout.on('data', (piece: Buffer) => {
      bytes += piece.length
    })
    const peak = await peakOf(child)
    peaks.push(peak)
    console.log(
      `export of ${filter[1] ?? 'all'}: ${(bytes / 1e6).toFixed(1)} MB in ${((performance.now() - begun) / 1000).toFixed(1)} s, ` +
        `${peak.toFixed(0)} MiB at most`,
    )
  }
  const [state = 0, all = 0] = peaks
  if (all - state > MOST_MEBIBYTES)
    missed.push(`memory of an export: ${state.toFixed(0)}, then ${all.toFixed(0)} MiB`)
}

async function endOf(child: ChildProcess): Promise<number | null> {
  const [code] = await once(child, 'close')
  return code
}

/** Largest resident memory, which the kernel keeps, in MiB. */
async function peakOf(child: ChildProcess): Promise<number> {
  let peak = 0
  const look = setInterval(() => {
    const told = /VmHWM:\s+(\d+)/.exec(statusOf(child.pid as number))?.[1]
    peak = Math.max(peak, Number(told ?? 0) / 1_024)
  }, LOOK_MS)
  const code = await endOf(child)
  clearInterval(look)
  if (code !== 0) throw new Error(`the export ended with ${code}`)
  return peak
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}
