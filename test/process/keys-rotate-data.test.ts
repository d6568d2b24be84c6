import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { eventually } from '../harness/eventually.ts'
import { dataFolder, type Env, type Service } from './service.ts'

const OLD = randomBytes(32).toString('base64')
const NEW = randomBytes(32).toString('base64')
const admin = { ADMIN_EMAIL, ADMIN_PASSWORD: PASSWORD }
const folder = await dataFolder({ after })
const BOTH: Env = { ...admin, DATA_KEY: NEW, DATA_KEY_PREVIOUS: OLD }

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
  it('goes on after kill -9 in its middle; the service reads both, and in the end the new key alone', async () => {
    const first = await folder.start({ ...admin, DATA_KEY: OLD })
    const filled = await folder.run(['demo', '3000'], { DATA_KEY: OLD })
    assert.equal(filled.code, 0, filled.stderr)
    const before = await names(first)
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
    const only = { ...admin, DATA_KEY: NEW }
    const audit = await folder.run(['audit:verify'], only)
    assert.equal(audit.code, 0, audit.stderr)
    const last = await folder.start(only)
    assert.deepEqual(await names(last), before)
    assert.equal((await last.stop()).code, 0)
  })
})
