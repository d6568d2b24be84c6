import assert from 'node:assert/strict'
import type { Permission } from '../../../src/caller/permissions.ts'
import { sql } from '../../../src/db/sql.ts'
import { enqueueJob, type TipoDeJob } from '../../../src/domain/jobs/jobs.ts'
import type { ClaimedJob } from '../../../src/domain/jobs/queue.sql.ts'
import { leasesOf } from '../../../src/domain/jobs/queue.ts'
import { abandonIn } from '../../../src/worker/run.ts'
import { createJobWorker, type RunJob } from '../../../src/worker/worker.ts'
import { testApp } from '../../harness/app.ts'
import { MULTIPART, multipart } from '../../harness/multipart.ts'

const COLUNAS =
  'tipo_agravo;numero_notificacao;data_notificacao;paciente_nome;municipio_residencia;estado_residencia'

/** A file of cases in our own layout. */
export const fileOfCasos = (linhas: number) =>
  `${COLUNAS}\n${Array.from({ length: linhas }, (_, i) => `dengue;N${i + 1};2024-03-12;Ana Lima;Recife;PE\n`).join('')}`

/** The service with its queue, and someone who asks for work. */
export async function queueApp() {
  const t = await testApp()
  const { pool } = t.database
  const gestor = await t.person({ grupos: ['gestor'] })
  const enqueue = (tipo: TipoDeJob = 'exportacao_casos', { id } = gestor, permissoes: Permission[] = []) =>
    pool.transaction((tx) =>
      enqueueJob(
        t.app,
        tx,
        { id, nome: 'Pessoa 1', territorio: null },
        {
          tipo,
          trabalho: 'exportacao',
          parametros: { pedido: 1 },
          permissoes,
        },
      ),
    )

  /** One account may have ten jobs waiting: many jobs are those of several. */
  async function enqueueMany(total: number): Promise<string[]> {
    const people = await Promise.all(Array.from({ length: Math.ceil(total / 10) }, () => t.person()))
    return Promise.all(
      Array.from({ length: total }, (_, i) => enqueue('exportacao_casos', people[i % people.length])),
    )
  }

  async function enqueueImport(linhas: number): Promise<string> {
    const form = multipart(
      { field: 'formato', content: 'csv' },
      { field: 'modo', content: 'importar' },
      { field: 'file', content: fileOfCasos(linhas), filename: 'casos.csv' },
    )
    const { status, body, text } = await t
      .as(gestor)
      .request('POST', '/agravos/casos/bulk', { headers: MULTIPART, payload: form })
    assert.equal(status, 202, text)
    return body.job_id
  }

  return {
    t,
    pool,
    gestor,
    enqueue,
    enqueueMany,
    enqueueImport,
    /** What one worker does with the queue. */
    leases: (worker: string) => leasesOf(t.app, worker),
    worker(run: RunJob, options: { atOnce?: number; errors?: unknown[] } = {}) {
      return createJobWorker({
        app: t.app,
        run,
        abandon: abandonIn(t.app),
        onError: (error) => options.errors?.push(error),
        ...options,
      })
    },
    /** What users see, and what the queue knows. */
    async jobOf(id: string) {
      const row = await pool.first<{
        status: string
        progress: number
        message: string
        completed_at: Date | null
        fila: Record<string, unknown> | null
      }>(sql`
        select j.status, j.progress, j.message, j.completed_at, to_jsonb(f) - 'vence_em' - 'disponivel_em' as fila
        from jobs j left join jobs_fila f on f.job_id = j.id where j.id = ${id}`)
      assert.ok(row)
      return row
    },
    /** As if the worker had not been heard of for a while. */
    expire: (id: string) =>
      pool.run(sql`update jobs_fila set vence_em = now() - interval '1 ms' where job_id = ${id}`),
    /** As if the time to try again had come. */
    makeAvailable: (id: string) =>
      pool.run(sql`update jobs_fila set disponivel_em = now() where job_id = ${id}`),
    emptyQueue: () => pool.run(sql`delete from jobs`),
    /** All that an import leaves in the database. */
    async left() {
      const row = await pool.first<
        Record<'casos' | 'importacoes' | 'arquivos' | 'preparo' | 'fila', number>
      >(sql`
        select (select count(*) from casos) as casos, (select count(*) from importacoes) as importacoes,
          (select count(*) from arquivos) as arquivos, (select count(*) from jobs_fila) as fila,
          (select count(*) from pg_tables where schemaname = 'preparo') as preparo`)
      return row as NonNullable<typeof row>
    },
    /** Holds the writing of every import back, until `release`. */
    async holdWriting() {
      const held = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      const transaction = pool.transaction(async (tx) => {
        await tx.run(sql`select pg_advisory_xact_lock(8443007)`)
        held.resolve()
        await released.promise
      })
      await held.promise
      return {
        async release() {
          released.resolve()
          await transaction
        },
      }
    },
  }
}

export const idsOf = (jobs: (ClaimedJob | null)[]) => jobs.map((job) => job?.id)

export const DONE = { code: 'COMPLETED', trabalho: 'exportacao', rejeitadas: 0 } as const
export const FAILED = { code: 'FAILED' } as const
