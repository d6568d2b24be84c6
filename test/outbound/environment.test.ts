import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { keyPairFor, OK, receiver } from './receiver.ts'

const run = promisify(execFile)

/** In a process of its own, since the variables are read when it starts. */
const SCRIPT = `
  import { createOutbound } from ${JSON.stringify(new URL('../../src/outbound/outbound.ts', import.meta.url).href)}
  import { ALL_TARGETS } from ${JSON.stringify(new URL('../../src/outbound/policy.ts', import.meta.url).href)}
  const outbound = createOutbound({ targets: ALL_TARGETS, resolve: async () => ['127.0.0.1'] })
  for (const url of process.argv.slice(1)) {
    const outcome = await outbound.post({ url, headers: {}, body: '' })
    console.log(outcome.status ?? outcome.reason)
  }
`

it('No variable of the environment inserts a proxy or turns the check of certificates off', async (t) => {
  const plain = await receiver(t, (socket) => socket.end(OK))
  const pair = await keyPairFor('hooks.example.com')
  const untrusted = await receiver(t, (socket) => socket.end(OK), { pair })
  const proxy = await receiver(t, (socket) => socket.end(OK))
  const proxyUrl = `http://127.0.0.1:${proxy.port}`
  const { stdout } = await run(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      SCRIPT,
      `http://hooks.example.com:${plain.port}/`,
      `https://hooks.example.com:${untrusted.port}/`,
    ],
    {
      env: {
        NODE_USE_ENV_PROXY: '1',
        HTTP_PROXY: proxyUrl,
        HTTPS_PROXY: proxyUrl,
        ALL_PROXY: proxyUrl,
        NODE_TLS_REJECT_UNAUTHORIZED: '0',
      },
    },
  )
  assert.equal(stdout, '200\ntls\n')
  assert.deepEqual([plain.connections, untrusted.connections, proxy.connections], [1, 1, 0])
})
