import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { generate } from 'selfsigned'
import {
  type Certificate,
  type KeyPair,
  loadCertificate,
  watchCertificate,
} from '../../src/http/listener/certificate.ts'
import { eventually } from '../harness/eventually.ts'

const DAY = 24 * 60 * 60 * 1000

async function folder(t: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'vigia-certificate-'))
  t.after(() => rm(dataDir, { recursive: true, force: true }))
  return dataDir
}

async function makePair(options: { notBeforeDate?: Date; notAfterDate?: Date } = {}): Promise<KeyPair> {
  const made = await generate([{ name: 'commonName', value: 'localhost' }], { keyType: 'ec', ...options })
  return { cert: made.cert, key: made.private }
}

async function write(dataDir: string, pair: KeyPair) {
  const files = { certFile: join(dataDir, 'given.crt'), keyFile: join(dataDir, 'given.key') }
  await writeFile(files.certFile, pair.cert)
  await writeFile(files.keyFile, pair.key)
  return files
}

test('without files a certificate is generated for the local names and the given hosts', async (t) => {
  const dataDir = await folder(t)
  const hosts = ['vigia.example', '192.0.2.4', '2001:db8::4', '0.0.0.0', 'localhost']
  const certificate = await loadCertificate({ dataDir, hosts })
  const x509 = new X509Certificate(certificate.cert)

  assert.equal(certificate.generated, true)
  for (const host of ['localhost', 'vigia.example']) assert.equal(x509.checkHost(host), host)
  for (const ip of ['127.0.0.1', '::1', '192.0.2.4', '2001:db8::4']) assert.ok(x509.checkIP(ip), ip)
  assert.equal(x509.checkIP('0.0.0.0'), undefined)
  assert.equal(x509.publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1')
  assert.equal(x509.validToDate.getTime() - x509.validFromDate.getTime(), 825 * DAY)
})

test('the generated key can be read by its owner only, and no draft is left behind', async (t) => {
  const dataDir = await folder(t)
  const { keyFile } = await loadCertificate({ dataDir, hosts: [] })
  assert.equal(keyFile, join(dataDir, 'tls', 'key.pem'))
  assert.equal((await stat(keyFile)).mode & 0o777, 0o600)
  assert.deepEqual((await readdir(join(dataDir, 'tls'))).sort(), ['cert.pem', 'key.pem'])
})

test('a generated certificate is used again at the next start', async (t) => {
  const dataDir = await folder(t)
  const first = await loadCertificate({ dataDir, hosts: [] })
  assert.deepEqual(await loadCertificate({ dataDir, hosts: [] }), first)
})

test('a kept certificate that is expired, broken or of another key is replaced', async (t) => {
  const expired = await makePair({
    notBeforeDate: new Date(Date.now() - 2 * DAY),
    notAfterDate: new Date(Date.now() - DAY),
  })
  const [one, other] = [await makePair(), await makePair()]
  const spoiled = [
    expired,
    { cert: 'garbage', key: one.key },
    { cert: one.cert, key: '' },
    { cert: one.cert, key: other.key },
  ]
  for (const pair of spoiled) {
    const dataDir = await folder(t)
    await mkdir(join(dataDir, 'tls'))
    await writeFile(join(dataDir, 'tls', 'cert.pem'), pair.cert)
    await writeFile(join(dataDir, 'tls', 'key.pem'), pair.key)
    const certificate = await loadCertificate({ dataDir, hosts: [] })
    assert.notEqual(certificate.cert, pair.cert)
    assert.ok(certificate.validTo.getTime() > Date.now())
    assert.equal((await stat(certificate.keyFile)).mode & 0o777, 0o600)
  }
})

test('given files are used as they are and nothing is generated', async (t) => {
  const dataDir = await folder(t)
  const pair = await makePair()
  const files = await write(dataDir, pair)
  const { cert, key, generated } = await loadCertificate({ ...files, dataDir, hosts: [] })
  assert.deepEqual({ cert, key, generated }, { ...pair, generated: false })
  assert.deepEqual((await readdir(dataDir)).sort(), ['given.crt', 'given.key'])
})

test('given files that cannot serve are refused by name, and left as they are', async (t) => {
  const dataDir = await folder(t)
  const [one, other] = [await makePair(), await makePair()]
  const encrypted = await generate(undefined, { passphrase: 'secret', keyType: 'ec' })
  const certFile = join(dataDir, 'given.crt')
  const keyFile = join(dataDir, 'given.key')
  const load = (files: { certFile?: string; keyFile?: string }) =>
    loadCertificate({ ...files, dataDir, hosts: [] })

  await assert.rejects(load({ certFile }), /a certificate file is given without a key file/)
  await assert.rejects(load({ keyFile }), /a key file is given without a certificate file/)
  await assert.rejects(load({ certFile, keyFile }), /certificate file .*given\.crt cannot be read \(ENOENT\)/)
  await assert.rejects(load({ certFile: dataDir, keyFile }), /cannot be read \(EISDIR\)/)

  const refusals: [KeyPair, RegExp][] = [
    [{ cert: 'garbage', key: one.key }, /given\.crt holds no PEM certificate/],
    [{ cert: one.cert, key: 'garbage' }, /given\.key holds no PEM private key/],
    [{ cert: one.cert, key: '' }, /given\.key holds no PEM private key/],
    [{ cert: encrypted.cert, key: encrypted.private }, /without passphrase/],
    [
      { cert: one.cert, key: other.key },
      /key in .*given\.key does not belong to the certificate in .*given\.crt/,
    ],
  ]
  for (const [pair, complaint] of refusals) {
    await write(dataDir, pair)
    await assert.rejects(load({ certFile, keyFile }), complaint)
    assert.equal(await readFile(keyFile, 'utf8'), pair.key)
  }
})

test('a data folder that cannot be written is a clear error', async (t) => {
  const dataDir = join(await folder(t), 'file')
  await writeFile(dataDir, '')
  await assert.rejects(loadCertificate({ dataDir, hosts: [] }), /cannot be kept in .*tls \(E[A-Z]+\)/)
})

function observe(t: TestContext, certificate: Certificate) {
  const seen: string[] = []
  const errors: string[] = []
  const stop = watchCertificate(certificate, {
    interval: 50,
    onChange: ({ cert }) => seen.push(cert),
    onError: ({ message }) => errors.push(message),
  })
  t.after(stop)
  return { seen, errors, stop }
}

test('a change is noticed however the files are replaced, and only once', async (t) => {
  const dataDir = await folder(t)
  const [first, second, third, fourth] = [
    await makePair(),
    await makePair(),
    await makePair(),
    await makePair(),
  ]
  await mkdir(join(dataDir, 'a'))
  await mkdir(join(dataDir, 'b'))
  await write(join(dataDir, 'a'), first)
  await write(join(dataDir, 'b'), second)
  await symlink('a', join(dataDir, 'live'))
  const live = join(dataDir, 'live')
  const files = { certFile: join(live, 'given.crt'), keyFile: join(live, 'given.key') }
  const certificate = await loadCertificate({ ...files, dataDir, hosts: [] })
  const { seen, errors } = observe(t, certificate)

  // Kubernetes and certbot: a symbolic link is swapped.
  await symlink('b', join(dataDir, 'next'))
  await rename(join(dataDir, 'next'), live)
  await eventually(() => assert.deepEqual(seen, [second.cert]))

  // In place.
  await write(live, third)
  await eventually(() => assert.deepEqual(seen, [second.cert, third.cert]))

  // By renaming new files over the old ones.
  const drafts = await write(dataDir, fourth)
  await rename(drafts.keyFile, files.keyFile)
  await rename(drafts.certFile, files.certFile)
  await eventually(() => assert.deepEqual(seen, [second.cert, third.cert, fourth.cert]))
  assert.deepEqual(errors, [])
})

test('a change between loading and watching is not missed', async (t) => {
  const dataDir = await folder(t)
  const files = await write(dataDir, await makePair())
  const certificate = await loadCertificate({ ...files, dataDir, hosts: [] })
  const next = await makePair()
  await write(dataDir, next)
  const { seen } = observe(t, certificate)
  await eventually(() => assert.deepEqual(seen, [next.cert]))
})

test('a bad replacement is reported once and ignored, and a later good one is taken', async (t) => {
  const dataDir = await folder(t)
  const files = await write(dataDir, await makePair())
  const certificate = await loadCertificate({ ...files, dataDir, hosts: [] })
  const { seen, errors } = observe(t, certificate)

  const next = await makePair()
  await writeFile(files.certFile, next.cert)
  await eventually(() => assert.equal(errors.length, 1))
  assert.match(errors[0] ?? '', /does not belong/)

  await rm(files.certFile)
  await eventually(() => assert.equal(errors.length, 2))
  assert.match(errors[1] ?? '', /ENOENT/)
  assert.deepEqual(seen, [])

  await write(dataDir, next)
  await eventually(() => assert.deepEqual(seen, [next.cert]))
  assert.equal(errors.length, 2)
})

test('after stopping, changes are no longer told', async (t) => {
  const dataDir = await folder(t)
  const certificate = await loadCertificate({ dataDir, hosts: [] })
  const { seen, errors, stop } = observe(t, certificate)
  stop()
  await writeFile(certificate.certFile, 'garbage')
  await sleep(100)
  assert.deepEqual([seen, errors], [[], []])
})
