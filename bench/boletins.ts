import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createVigia } from '../clients/ts/src/index.ts'
import { EMAIL, PASSWORD, prepare } from './comparison/prepare.ts'
import { startService } from './comparison/processes.ts'

/**
 * Bulletins of states, from the request to the document as HTML and as PDF. `npx node bench/boletins.ts [cases]`; exit code 1 where a
 * bar is missed.
 */
const CASES = Number(process.argv[2] ?? 1_000_000)
const ESTADOS = ['SP', 'MG', 'PE'] as const
const BARS = { html: 3, pdf: 6 }

const missed: string[] = []
const stack = new AsyncDisposableStack()
try {
  const folder = join(process.env.BENCH_DIR ?? join(tmpdir(), 'vigia-bench'), String(CASES))
  const ground = await prepare(folder, CASES)
  stack.defer(() => ground.postgres.stop())
  stack.defer(() => ground.client.end())
  const service = await startService(ground.env)
  stack.defer(() => service.stop())
  const url = `https://127.0.0.1:${service.port}`
  const ca = await readFile(join(ground.env.DATA_DIR as string, 'tls', 'cert.pem'), 'utf8')
  const vigia = createVigia({ url, ca, email: EMAIL, senha: PASSWORD })
  for (const estado of ESTADOS) {
    const begun = performance.now()
    const { job_id } = await vigia.post('/agravos/boletins', { body: { tipo_agravo: 'dengue', estado } })
    const { status, message, result } = await vigia.job(job_id).fim()
    if (status !== 'completed') throw new Error(message)
    const made = performance.now() - begun
    const { boletim_id: id } = result as { boletim_id: number }
    for (const formato of ['html', 'pdf'] as const) {
      const asked = performance.now()
      const answer = await vigia.get('/agravos/boletins/{id}/arquivo', { params: { id }, query: { formato } })
      const bytes = await answer.arrayBuffer()
      const seconds = (made + performance.now() - asked) / 1_000
      console.log(
        `${estado} ${formato}: ${seconds.toFixed(2)} s (≤ ${BARS[formato]}), of which the job ${(made / 1_000).toFixed(2)}; ${(bytes.byteLength / 1_024).toFixed(0)} KB`,
      )
      if (seconds > BARS[formato]) missed.push(`${estado} ${formato}: ${seconds.toFixed(2)} s`)
    }
  }
} finally {
  await stack.disposeAsync()
}
console.log(missed.length === 0 ? '\nEvery target was reached' : `\nMissed:\n  ${missed.join('\n  ')}`)
if (missed.length > 0) process.exitCode = 1
