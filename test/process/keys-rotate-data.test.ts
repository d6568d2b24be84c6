import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { eventually } from '../harness/eventually.ts'
import { dataFolder, type Env, type Service } from './service.ts'

const OLD = randomBytes(32).toString('base64')
const NEW = randomBytes(32).toString('base64')
const admin = { ADMIN_EMAIL, ADMIN_PASSWORD: PASSWORD }
const folder = await dataFolder({ after })
const restored = await dataFolder({ after })
const backup = join(folder.dataDir, '..', 'before.gz')
const BOTH: Env = { ...admin, DATA_KEY: NEW, DATA_KEY_PREVIOUS: OLD }
const only: Env = { ...admin, DATA_KEY: NEW }

/** Patients of the newest cases, as somebody who may identify them reads them. */
async function names(service: Service): Promise<string[]> {
  const token = await service.login(ADMIN_EMAIL, PASSWORD)
  const read = async (path: string) => {
    const { status, body, text } = await service.request(`/api/v1/agravos/casos${path}`, { token })
    assert.equal(status, 200, text)
    return body
  }
  const { tipos } = await read('?size=5&sort=id')
  const all: string[] = []
  for (const { id } of tipos) all.push((await read(`/${id}?identificado=true`)).paciente.nome)
  assert.equal(all.length, 5)
  for (const nome of all) assert.match(nome, / /)
  return all
}
const leftOf = (stdout: string) => Number(/^Under former keys: (\d+)$/m.exec(stdout)?.[1] ?? 0)

describe('keys:rotate-data', () => {
  let before: string[]

  it('goes on after kill -9 in its middle; the service reads both, and in the end the new key alone', async () => {
    const first = await folder.start({ ...admin, DATA_KEY: OLD })
    const filled = await folder.run(['demo', '3000'], { DATA_KEY: OLD })
    assert.equal(filled.code, 0, filled.stderr)
    before = await names(first)
    const backedUp = await folder.run(['backup', backup], { DATA_KEY: OLD })
    assert.equal(backedUp.code, 0, backedUp.stderr)
    assert.equal((await first.stop()).code, 0)

    // Beside a running service, so that the kill strikes the command alone.
    const during = await folder.start(BOTH)
    const rotation = folder.begin(['keys:rotate-data'], BOTH)
    await eventually(() => assert.match(rotation.output.stdout, /^casos\.sigilo: \d+ encrypted anew$/m))
    rotation.process.kill('SIGKILL')
    await rotation.ended
    const status = await folder.run(['keys:rotate-data', '--status'], BOTH)
    assert.equal(status.code, 1, status.stderr)
    const left = leftOf(status.stdout)
    assert.ok(left > 0, status.stdout)
    assert.deepEqual(await names(during), before)

    const resumed = await folder.run(['keys:rotate-data'], BOTH)
    assert.equal(resumed.code, 0, resumed.stderr)
    assert.match(resumed.stdout, new RegExp(`^Encrypted anew: ${left}$`, 'm'))
    assert.match(resumed.stdout, /^Nothing is under former keys$/m)
    assert.equal((await during.stop()).code, 0)

    const old = await folder.run([], { ...admin, DATA_KEY: OLD })
    assert.equal(old.code, 1)
    assert.match(old.stderr, /DATA_KEY/)
    const audit = await folder.run(['audit:verify'], only)
    assert.equal(audit.code, 0, audit.stderr)
    const last = await folder.start(only)
    assert.deepEqual(await names(last), before)
    assert.equal((await last.stop()).code, 0)
  })

  it('brings a backup of before under the new key, too', async () => {
    const filled = await restored.run(['restore', backup], BOTH)
    assert.equal(filled.code, 0, filled.stderr)
    const alone = await restored.run([], only)
    assert.equal(alone.code, 1)
    assert.match(alone.stderr, /DATA_KEY is not the key this database was encrypted under/)

    const service = await restored.start(BOTH)
    assert.deepEqual(await names(service), before)
    const rotated = await restored.run(['keys:rotate-data'], BOTH)
    assert.equal(rotated.code, 0, rotated.stderr)
    assert.match(rotated.stdout, /^Nothing is under former keys$/m)
    assert.equal((await service.stop()).code, 0)

    const audit = await restored.run(['audit:verify'], only)
    assert.equal(audit.code, 0, audit.stderr)
    const last = await restored.start(only)
    assert.deepEqual(await names(last), before)
    assert.equal((await last.stop()).code, 0)
  })
})
