import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { CLOSED_PIPE, faultOfOutput, INTERRUPTED } from '../../clients/cli/context.ts'
import { storeOf } from '../../clients/cli/credentials.ts'
import { loadCertificate } from '../../src/http/listener/certificate.ts'
import { PASSWORD } from '../harness/app.ts'
import { commandLine, linha } from '../harness/command-line.ts'
import { until } from '../harness/eventually.ts'

const { service, folder, vigia, done, json, LOGIN, arquivo } = await commandLine()
await done(LOGIN, { input: `${PASSWORD}\n` })
await done(['importar', await arquivo('dois.csv', linha('dois-1'), linha('dois-2')), '--acompanhar'])

const FIRST = `${'numero_notificacao;'.repeat(20)}\n`
const jobs = async () => (await done(['jobs', 'listar', '--json'])).stdout
const partials = async () => (await readdir(folder)).filter((name) => name.endsWith('.parcial'))

/** A service whose download begins, and goes on as it is told. */
async function breakingService(goOn: (response: ServerResponse) => unknown) {
  const { cert, key } = await loadCertificate({ dataDir: join(folder, 'outro'), hosts: [] })
  const server = createServer({ cert, key }, (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/csv' }).write(FIRST, () => goOn(response)),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const env = { VIGIA_URL: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, VIGIA_TOKEN: 'x' }
  return (saida: string, signal?: AbortSignal) =>
    vigia(['jobs', 'arquivo', 'j', '--saida', saida, '--ca', join(folder, 'outro', 'tls', 'cert.pem')], {
      env,
      ...(signal && { signal }),
    })
}

/** One line that says what is wrong, and no stack. */
function tells({ code, stderr }: { code: number; stderr: string }, pattern: RegExp): void {
  assert.equal(code, 1, stderr)
  assert.match(stderr, pattern)
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr)
}

describe('Files of the command line', () => {
  it('jobs arquivo fetches what a job made, to a file or to the output', async () => {
    await done(['casos', 'exportar', '--saida', join(folder, 'antes.csv')])
    const { job_id } = await json(['jobs', 'listar', '--limite', '1'])
    const file = join(folder, 'depois.csv')
    await done(['jobs', 'arquivo', job_id, '--saida', file])
    assert.equal(await readFile(file, 'utf8'), await readFile(join(folder, 'antes.csv'), 'utf8'))
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.match((await done(['jobs', 'arquivo', job_id])).stdout, /dois-1/)
    const none = await vigia(['jobs', 'arquivo', 'job_nenhum', '--saida', file])
    assert.equal(none.code, 1)
    assert.match(await readFile(file, 'utf8'), /dois-1/, 'the older file is untouched')
    assert.deepEqual(await partials(), [])
  })

  it('an interrupted export names the job, and how to have its file; an older file is untouched', async () => {
    await service.t.jobWorker.stop()
    const file = join(folder, 'meu arquivo.csv')
    await writeFile(file, 'antigo')
    const stop = new AbortController()
    const onOutput = (text: string) => text.includes('Em curso') && stop.abort(INTERRUPTED)
    const given = { isTTY: true, signal: stop.signal, onOutput }
    const { code, stderr } = await vigia(['casos', 'exportar', '--saida', file], given)
    assert.equal(code, 130)
    const [, id = '', word = ''] = /vigia jobs arquivo (\S+) --saida ('.*')\n$/.exec(stderr) ?? []
    assert.equal(word, `'${file}'`)
    assert.ok(stderr.includes(`vigia jobs acompanhar ${id}\n`))
    assert.equal(await readFile(file, 'utf8'), 'antigo')
    assert.deepEqual(await partials(), [])
    service.t.jobWorker.start()
    await done(['jobs', 'acompanhar', id])
    await done(['jobs', 'arquivo', id, '--saida', file])
    assert.match(await readFile(file, 'utf8'), /dois-2/)
  })

  it('a download that breaks off, or is interrupted, leaves the older file and nothing else', async () => {
    const file = join(folder, 'cortado.csv')
    await writeFile(file, 'antigo')
    const lost = await breakingService((response) => response.destroy())
    tells(await lost(file), /^https:.*conexão perdida/)
    assert.match((await lost('-')).stderr, /conexão perdida/)
    const stop = new AbortController()
    const held = await breakingService(() => {})
    const run = held(file, stop.signal)
    await until('it writes', async () => (await partials()).length === 1)
    stop.abort(INTERRUPTED)
    assert.equal((await run).code, 130)
    assert.equal(await readFile(file, 'utf8'), 'antigo')
    assert.deepEqual(await partials(), [])
  })

  it('replaces what a link points to, not the link, with a file of its owner', async () => {
    const [file, link] = [join(folder, 'alvo.csv'), join(folder, 'link.csv')]
    await writeFile(file, 'antigo')
    await chmod(file, 0o644)
    await symlink(file, link)
    await done(['casos', 'exportar', '--saida', link])
    assert.match(await readFile(file, 'utf8'), /dois-1/)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
  })

  it('refuses a place that cannot be written before a job is asked for, in the language of the user', async () => {
    const before = await jobs()
    const nowhere = join(folder, 'nada', 'casos.csv')
    for (const [idioma, pattern] of [
      ['pt-BR', /não pode ser gravado \(a pasta ou o arquivo não existe\)/],
      ['en-US', /cannot be written \(no such folder or file\)/],
      ['es-ES', /no se puede guardar \(no existe la carpeta o el archivo\)/],
    ] as const)
      tells(await vigia(['casos', 'exportar', '--saida', nowhere, '--idioma', idioma]), pattern)
    tells(await vigia(['casos', 'exportar', '--saida', folder]), /é uma pasta/)
    const reason = ['--finalidade', 'Pesquisa de sazonalidade', '--orgao', 'Universidade']
    tells(await vigia(['casos', 'extrair', ...reason, '--saida', nowhere]), /não existe/)
    const file = await arquivo('tres.csv', linha('tres-1'))
    tells(await vigia(['importar', file, '--rejeitados', nowhere]), /não existe/)
    assert.equal(await jobs(), before)
  })

  it('says that a disk is full, and that the file is still there', {
    skip: !existsSync('/dev/full') && 'no /dev/full here',
  }, async () => {
    const { code, stderr } = await vigia(['casos', 'exportar', '--saida', '/dev/full'])
    assert.equal(code, 1)
    assert.match(stderr, /^O arquivo, quando pronto: vigia jobs arquivo \S+ --saida \/dev\/full\n/)
    assert.match(stderr, /\n\/dev\/full: não pode ser gravado \(não há espaço no disco\)\n$/)
  })

  it('takes a closed pipe for the wish of its reader, and nothing else', () => {
    const coded = (code: string) => Object.assign(new Error(code), { code })
    assert.equal(faultOfOutput(coded('EPIPE')), CLOSED_PIPE)
    assert.equal(faultOfOutput(coded('ENOSPC')).message, 'ENOSPC')
  })

  it('says where tokens cannot be kept', async () => {
    const file = await arquivo('ocupado')
    const run = await vigia(LOGIN, { env: { XDG_CONFIG_HOME: file }, input: `${PASSWORD}\n` })
    assert.equal(run.code, 1)
    assert.match(run.stderr, /\nFalha: .*ocupado.*não é uma pasta\n$/)
    assert.doesNotMatch(run.stderr, /^ {4}at /m)
  })
})

describe('The lock of the credentials', () => {
  const file = join(folder, 'tranca', 'credenciais.json')
  const lock = `${file}.lock`
  const LONG_AGO = new Date('2020-01-01')
  const open = (signal = new AbortController().signal) =>
    storeOf(file, { url: 'https://vigia.example', ca: null }, signal)

  it('is not removed by the one that it was taken from', async () => {
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const one = open().exclusive(() => first.promise)
    await until('the first holds it', async () => existsSync(lock))
    const { ino } = await stat(lock)
    await utimes(lock, LONG_AGO, LONG_AGO)
    const two = open().exclusive(() => second.promise)
    await until('the second holds it', async () => existsSync(lock) && (await stat(lock)).ino !== ino)
    first.resolve()
    await one
    assert.ok(existsSync(lock))
    second.resolve()
    await two
    assert.ok(!existsSync(lock))
  })

  it('is kept alive by its holder, and left to it by an interrupt of one that waits', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const held = Promise.withResolvers<void>()
    const holding = open().exclusive(() => held.promise)
    await until('it is held', async () => existsSync(lock))
    await utimes(lock, LONG_AGO, LONG_AGO)
    t.mock.timers.tick(10_000)
    await until('it is alive', async () => (await stat(lock)).mtimeMs > LONG_AGO.getTime())
    const stop = new AbortController()
    const waiting = open(stop.signal).exclusive(async () => {})
    stop.abort()
    await assert.rejects(waiting, { name: 'AbortError' })
    assert.ok(existsSync(lock))
    held.resolve()
    await holding
  })
})
