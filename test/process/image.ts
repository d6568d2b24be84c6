// Images of deploy/Dockerfile, built by buildah, and containers of them: namespaces of mounts and processes under a read-only root, as a
// runtime makes them, but without control groups, which such a runtime needs and a sandbox may refuse.
import { execFile, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sendSignal } from '../../src/db/embedded/process.ts'
import { type Env, type Service, type Started, untilReady, watch } from './service.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BASE = process.env.VIGIA_BASE_IMAGE ?? ''
const TOOLS = ['buildah', 'unshare', 'nsenter', 'setpriv']
/** Where a runtime puts what the image has not. */
const MOUNT_POINTS = ['proc', 'dev', 'run/secrets']
const LONGEST_LOG = 64 * 1024 * 1024

/** Mounts as a runtime does, then becomes the user of the image with its root: $1 root, $2 volume, $3 secrets, $4 folder, $5 and $6 user. */
const ENTER = `
  mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"
  mount -t proc proc "$1/proc"
  mount -t tmpfs -o mode=755 tmpfs "$1/dev" && mkdir "$1/dev/shm"
  for one in null zero random urandom; do : > "$1/dev/$one"; mount --bind "/dev/$one" "$1/dev/$one"; done
  mount -t tmpfs -o mode=1777,size=64m tmpfs "$1/dev/shm"
  mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"
  mount --bind "$2" "$1/dados"
  mount -o bind,ro "$3" "$1/run/secrets"
  root=$1 folder=$4 user=$5 group=$6
  shift 6
  exec unshare --root="$root" --wd="$folder" --setgid="$group" --setuid="$user" -- "$@"`

/** Null where images can be built and run; otherwise the reason why not. */
export function imageMissing(): string | null {
  if (BASE === '') return 'VIGIA_BASE_IMAGE names no image to build on (docs/operations.md, "Containers")'
  if (process.getuid?.() !== 0) return 'only root can make containers'
  for (const tool of TOOLS)
    if (spawnSync(tool, ['--version']).error !== undefined) return `there is no ${tool} here`
  const known = spawnSync('buildah', ['inspect', '--type', 'image', BASE])
  return known.status === 0 ? null : `buildah has no image ${BASE}`
}

export interface Image {
  name: string
  config: {
    User: string
    Env: string[]
    Cmd: string[]
    WorkingDir: string
    StopSignal: string
    Volumes: object
    Healthcheck: { Test: string[] }
  }
  megabytes: number
}

async function buildah(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('buildah', args, { maxBuffer: LONGEST_LOG })
  return stdout.trim()
}

/** Layers are kept for the next build; `buildah rmi --prune` removes them. */
export async function buildImage(target: string): Promise<Image> {
  const name = `localhost/vigia-test:${target}`
  // The format of docker: the other one knows no health check.
  const how = ['--isolation', 'chroot', '--format', 'docker', '--layers', '--pull-never', '--quiet']
  const what = ['--build-arg', `BASE=${BASE}`, '--target', target, '--tag', name]
  await buildah('bud', ...how, ...what, '--file', join(ROOT, 'deploy/Dockerfile'), ROOT)
  const { Docker, Manifest } = JSON.parse(await buildah('inspect', '--type', 'image', name))
  const { layers } = JSON.parse(Manifest) as { layers: { size: number }[] }
  return { name, config: Docker.config, megabytes: layers.reduce((sum, { size }) => sum + size, 0) / 1e6 }
}

export interface Container {
  /** Host's path of the volume. */
  volume: string
  /** Begins the image's command and waits for nothing. */
  begin(env?: Env): Started
  start(env?: Env): Promise<Service>
  /** Process of the service, by the host's number. */
  pid(): number
  /** Runs a command beside the service, with its environment. */
  exec(command: string[]): Promise<{ code: number | null; stdout: string; stderr: string }>
  /** Files in the memory that /tmp is. */
  temporary(): Promise<string[]>
}

/** `secrets`: read by the service from /run/secrets. */
export async function createContainer(
  owner: { after(done: () => Promise<void>): void },
  { name, config }: Image,
  secrets: Record<string, string>,
): Promise<Container> {
  const folder = await mkdtemp(join(tmpdir(), 'vigia-container-'))
  const [user, group] = config.User.split(':').map(Number) as [number, number]
  const id = await buildah(
    'from',
    '--pull-never',
    '--name',
    `vigia-test-${randomBytes(6).toString('hex')}`,
    name,
  )
  const root = await buildah('mount', id)
  let running: { started: Started; env: Env } | null = null

  owner.after(async () => {
    if (running !== null) {
      signal('SIGKILL')
      await running.started.ended
    }
    await buildah('rm', id)
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  })

  for (const point of MOUNT_POINTS) await mkdir(join(root, point), { recursive: true })
  const [volume, secret] = [join(folder, 'dados'), join(folder, 'secrets')]
  for (const each of [volume, secret]) {
    await mkdir(each, { mode: 0o700 })
    await chown(each, user, group)
  }
  for (const [file, text] of Object.entries(secrets)) {
    await writeFile(join(secret, file), text, { mode: 0o400 })
    await chown(join(secret, file), user, group)
  }
  const inImage = Object.fromEntries(config.Env.map((one) => one.split('=', 2) as [string, string]))

  function begin(env: Env = {}): Started {
    const whole = { ...inImage, ...env }
    const alone = ['--mount', '--pid', '--ipc', '--fork', '--propagation', 'private']
    const given = [root, volume, secret, config.WorkingDir, String(user), String(group)]
    const args = ['--no-new-privs', 'unshare', ...alone, 'sh', '-ec', ENTER, 'sh', ...given, ...config.Cmd]
    const started = watch(spawn('setpriv', args, { env: whole, stdio: ['ignore', 'pipe', 'pipe'] }))
    running = { started, env: whole }
    return started
  }

  /** The first process of the container, with which all others of it end. */
  function pid(): number {
    const outer = running?.started.process.pid
    return Number.parseInt(readFileSync(`/proc/${outer}/task/${outer}/children`, 'utf8'), 10)
  }

  function signal(name: NodeJS.Signals): void {
    const { exitCode, signalCode } = running?.started.process ?? { exitCode: 0, signalCode: null }
    if (exitCode === null && signalCode === null) sendSignal(pid(), name)
  }

  return {
    volume,
    begin,
    start: async (env) => untilReady(begin(env), signal),
    pid,
    async exec(command) {
      const into = ['--target', String(pid()), '--mount', '--pid', '--ipc', '--root', '--wd']
      const args = [...into, '--setgid', String(group), '--setuid', String(user), '--', ...command]
      const { ended, output } = watch(
        spawn('nsenter', args, { env: running?.env, stdio: ['ignore', 'pipe', 'pipe'] }),
      )
      const { code } = await ended
      return { code, ...output }
    },
    temporary: () => readdir(`/proc/${pid()}/root/tmp`),
  }
}

/** What the kernel says of a process: its lines by name. */
export async function statusOf(pid: number): Promise<Map<string, string>> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8')
  return new Map(text.split('\n').map((line) => line.split(':\t') as [string, string]))
}
