import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { cleanUp } from '../../../src/domain/cleanup/cleanup.ts'
import { leasesOf } from '../../../src/domain/jobs/queue.ts'
import { enUS } from '../../../src/domain/jobs/texts/en-US.ts'
import { esES } from '../../../src/domain/jobs/texts/es-ES.ts'
import { ptBR } from '../../../src/domain/jobs/texts/pt-BR.ts'
import type { Trabalho } from '../../../src/domain/jobs/texts/texts.ts'
import { type Person, testApp } from '../../harness/app.ts'
import { MULTIPART, multipart } from '../../harness/multipart.ts'
import { problems } from '../refusals.ts'
import { BAD, GOOD, HEADER, jobsApp } from './jobs-app.ts'

const app = await jobsApp()
const { t, pool, admin, ana, bia, sendImport, sendExport, done, read } = app
after(() => t.close())
beforeEach(app.empty)

const DAY = 86_400_000
const LANGUAGES = [ptBR, enUS, esES]

describe('GET /jobs/{job_id}', () => {
  it('of one that waits: the interface’s fields, and no result', async () => {
    const id = await sendImport([GOOD])
    const { created_at, ...rest } = await read(id)
    assert.deepEqual(rest, {
      job_id: id,
      tipo: 'importacao',
      status: 'processing',
      status_url: `${t.app.publicUrl}/api/v1/jobs/${id}`,
      trabalho: 'validacao',
      message: 'Validação na fila',
      codigo: 'WAITING',
      arquivo_nome: 'casos.csv',
      progress: 0,
      completed_at: null,
    })
    assert.ok(Math.abs(Date.parse(created_at) - t.clock.now().getTime()) < 10_000)
  })

  it('of one under way: how far it came', async () => {
    const id = await sendImport([GOOD])
    await pool.run(sql`update jobs set progress = 42 where id = ${id}`)
    const { status, progress, completed_at } = await read(id)
    assert.deepEqual(
      { status, progress, completed_at },
      { status: 'processing', progress: 42, completed_at: null },
    )
  })

  it('of an import that is done: `resultado`, and where the rejected rows are', async () => {
    const id = await done(await sendImport([GOOD, BAD], { ignorar_erros: 'true' }))
    const { status, progress, message, resultado, rejeitados_url, completed_at, ...rest } = await read(id)
    assert.deepEqual([status, progress], ['completed', 100])
    assert.equal(message, 'Validação concluída, com 1 linha rejeitada')
    assert.deepEqual(
      [resultado.total_linhas, resultado.importados, resultado.erros, resultado.avisos],
      [2, 1, 1, 0],
    )
    assert.equal(typeof resultado.tempo_processamento, 'number')
    assert.deepEqual(
      resultado.erros_detalhados.map(({ linha, numero_notificacao }: Record<string, unknown>) => [
        linha,
        numero_notificacao,
      ]),
      [[3, 'N2']],
    )
    assert.equal(rejeitados_url, `${t.app.publicUrl}/api/v1/jobs/${id}/rejeitados`)
    assert.ok(Date.parse(completed_at) >= Date.parse(rest.created_at))
    assert.ok(!('result' in rest) && !('arquivo_url' in rest))
  })

  it('of another job that is done: `result`, and where its file is', async () => {
    const id = await done(await sendExport())
    const { status, result, arquivo_url, ...rest } = await read(id)
    assert.equal(status, 'completed')
    for (const field of ['total_processados', 'sucesso', 'erros'])
      assert.equal(typeof result[field], 'number', field)
    assert.equal(arquivo_url, `${t.app.publicUrl}/api/v1/jobs/${id}/arquivo`)
    assert.ok(!('resultado' in rest) && !('rejeitados_url' in rest))
  })

  it('of one that failed: why', async () => {
    const id = await done(await sendImport([GOOD, BAD], { modo: 'importar' }))
    const { status, trabalho, message, codigo, completed_at } = await read(id)
    assert.deepEqual([status, message], ['failed', 'Nada foi importado: 1 linha com erro'])
    assert.deepEqual([trabalho, codigo], ['importacao', 'REFUSED'])
    assert.ok(completed_at)
  })

  it('of one that was canceled', async () => {
    const id = await sendImport([GOOD])
    await t.as(ana).delete(`/jobs/${id}`)
    const { status, message, progress, completed_at } = await read(id)
    assert.deepEqual([status, message, progress], ['canceled', 'Cancelado', 0])
    assert.ok(completed_at)
  })

  it('shows administrators every job; to others it does not exist, just like one that was never there', async () => {
    const id = await done(await sendImport([GOOD]))
    assert.deepEqual(await read(id, admin), await read(id))
    const answers = [await t.as(bia).get(`/jobs/${id}`), await t.as(bia).get('/jobs/job_nenhum')]
    for (const { status, body } of answers) {
      assert.equal(status, 404)
      assert.equal(body.error.code, 'NOT_FOUND')
    }
    const [hidden, missing] = answers.map(({ body }) => body.error.message)
    assert.equal(hidden, missing)
    assert.equal((await t.anonymous.get(`/jobs/${id}`)).status, 401)
  })

  it('has ids that nobody guesses', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => sendExport()))
    for (const id of ids) assert.match(id, /^job_[\w-]{24}$/)
    const starts = new Set(ids.map((id) => id.slice(4, 9)))
    assert.equal(starts.size, 10, 'nothing in common')
  })

  it('is the same on another instance, and after a restart', async () => {
    const id = await done(await sendImport([GOOD, BAD], { ignorar_erros: 'true' }))
    const other = await testApp({ database: t.database, dataKey: t.dataKey })
    const { body } = await other.as(ana).get(`/jobs/${id}`)
    assert.deepEqual(body, await read(id))
    const file = await other.as(ana).get(`/jobs/${id}/rejeitados`)
    assert.deepEqual([file.status, file.text], [200, (await t.as(ana).get(`/jobs/${id}/rejeitados`)).text])
    await other.server.close()
  })
})

describe('the message of a job', () => {
  const inLanguages = async (id: string) => {
    const texts: string[] = []
    for (const language of ['pt-BR', 'en-US', 'es-ES']) {
      const headers = { 'accept-language': language }
      texts.push((await t.as(ana).get(`/jobs/${id}`, { headers })).body.message)
    }
    return texts
  }
  const WAITING = ['Importação na fila', 'Import in the queue', 'Importación en cola']

  it('tells the stage it is at, in three languages, and never "in the queue" while it works', async () => {
    const id = await sendImport([GOOD.replace('N1', 'N90')], { modo: 'importar' })
    assert.deepEqual(await inLanguages(id), WAITING)
    await leasesOf(t.app, 'w').claim()
    const seen: string[][] = [await inLanguages(id)]
    for (const progress of [59, 60, 99]) {
      await pool.run(sql`update jobs set progress = ${progress} where id = ${id}`)
      seen.push(await inLanguages(id))
    }
    const reading = [
      'Lendo e conferindo o arquivo',
      'Reading and checking the file',
      'Leyendo y comprobando el archivo',
    ]
    const storing = [
      'Comparando com os casos e gravando',
      'Comparing with the cases and storing',
      'Comparando con los casos y guardando',
    ]
    assert.deepEqual(seen, [reading, reading, storing, storing])
    await t.as(ana).delete(`/jobs/${id}`)
    assert.deepEqual(await inLanguages(id), ['Cancelando', 'Canceling', 'Cancelación en curso'])
    await pool.run(sql`update jobs_fila set cancelar = false, vence_em = now() - interval '1 s'`)
    assert.equal((await inLanguages(id))[1], 'Import in the queue to go on, after an interruption')
    await done(id)
    assert.deepEqual(await inLanguages(id), [
      'Importação concluída',
      'Import completed',
      'Importación terminada',
    ])
  })

  it('tells the end, too', async () => {
    const refused = await done(await sendImport([GOOD, BAD], { modo: 'importar' }))
    assert.equal((await inLanguages(refused))[1], 'Nothing was imported: 1 row with errors')
    const rejected = await done(await sendImport([GOOD, BAD], { ignorar_erros: 'true' }))
    assert.equal((await inLanguages(rejected))[2], 'Validación terminada, con 1 fila rechazada')
    const invalid = await done(await sendImport(['\0']))
    assert.match((await inLanguages(invalid))[1] ?? '', /^The file cannot be imported: ./)
    const exported = await done(await sendExport())
    assert.equal((await inLanguages(exported))[1], 'Export completed')
  })

  it('is found by what it says: work that is not over by its name', async () => {
    const id = await sendExport()
    const found = async (text: string) => jobIds((await t.as(ana).get(`/jobs?search=${text}`)).body)
    assert.deepEqual([await found('exporta'), await found('fila')], [[id], []])
    await done(id)
    assert.deepEqual(await found('exportacao conclu'), [id])
  })

  it('of an earlier version stays as it was written', async () => {
    const id = await sendExport()
    await pool.run(sql`update jobs set mensagem = null, message = 'Exportação antiga' where id = ${id}`)
    assert.deepEqual(new Set(await inLanguages(id)), new Set(['Exportação antiga']))
  })

  it('has a text of its own for each code in each language', () => {
    const texts = LANGUAGES.map(({ works, messages }) =>
      Object.values(messages).flatMap((text) =>
        (Object.keys(works) as Trabalho[]).map((trabalho) =>
          text({ trabalho, rejeitadas: 1, linhas: 2, limite: 3, contadas: 4, motivo: 'm', k: 5 }),
        ),
      ),
    )
    const [pt = [], en = [], es = []] = texts
    assert.equal(pt.length, en.length)
    for (const [i, text] of pt.entries()) {
      assert.doesNotMatch(`${text}${en[i]}${es[i]}`, /undefined/)
      assert.equal(new Set([text, en[i], es[i]]).size, 3, text)
    }
  })
})

describe('GET /jobs', () => {
  it('lists only the caller’s own, administrators’ too, the newest first', async () => {
    const ids: string[] = []
    for (const send of [sendExport, () => sendImport([GOOD]), sendExport]) {
      ids.unshift(await send())
      t.clock.advance(1000)
    }
    const of = await sendExport(bia)
    const { status, body } = await t.as(ana).get('/jobs')
    assert.equal(status, 200)
    assert.equal(body.total, 3)
    assert.deepEqual(jobIds(body), ids)
    assert.deepEqual(body.items[1], await read(ids[1] as string))
    assert.deepEqual(jobIds((await t.as(bia).get('/jobs')).body), [of])
    assert.equal((await t.as(admin).get('/jobs')).body.total, 0)
    assert.equal((await t.anonymous.get('/jobs')).status, 401)
  })

  it('takes filters, an order and pages', async () => {
    const validated = await done(await sendImport([GOOD]))
    const failed = await done(await sendImport([BAD], { modo: 'importar' }))
    const waiting = await sendExport()
    const cases: [string, string[]][] = [
      ['status=processing', [waiting]],
      ['status[in]=completed,failed&sort=created_at', [validated, failed]],
      ['status[ne]=failed&sort=created_at', [validated, waiting]],
      ['tipo=exportacao_casos', [waiting]],
      ['progress[gte]=100', [validated]],
      ['progress[gt]=100000', []],
      [
        `completed_at[gt]=${encodeURIComponent('2020-01-01T00:00:00Z')}&sort=completed_at`,
        [validated, failed],
      ],
      ['sort=status&order=asc', [validated, failed, waiting]],
      ['sort=created_at&order=desc&size=1&page=2', [failed]],
    ]
    for (const [query, expected] of cases) {
      const { status, body, text } = await t.as(ana).get(`/jobs?${query}`)
      assert.equal(status, 200, text)
      assert.deepEqual(jobIds(body), expected, query)
    }
  })

  it('refuses what it does not know', async () => {
    for (const [query, problem] of [
      ['status=parado', 'status INVALID_VALUE'],
      ['usuario_id[gt]=1', 'usuario_id[gt] UNKNOWN_FIELD'],
      ['sort=parametros', 'sort INVALID_VALUE'],
    ] as const) {
      const { status, body } = await t.as(ana).get(`/jobs?${query}`)
      assert.equal(status, 422)
      assert.deepEqual(problems(body.error.details), [problem])
    }
  })
})

const jobIds = (body: { items: { job_id: string }[] }) => body.items.map(({ job_id }) => job_id)

describe('DELETE /jobs/{job_id}', () => {
  it('cancels what waits; a second time it is too late', async () => {
    const id = await sendImport([GOOD])
    const { status, body } = await t.as(ana).delete(`/jobs/${id}`)
    assert.deepEqual([status, body.status], [200, 'canceled'])
    const again = await t.as(ana).delete(`/jobs/${id}`)
    assert.deepEqual([again.status, again.body.error.message], [409, 'O job já terminou'])
    assert.equal(await t.jobWorker.runAll(), 0)
    assert.deepEqual(await read(id), body)
  })

  it('asks the worker of one under way to stop', async () => {
    const id = await sendImport([GOOD])
    await pool.run(sql`update jobs_fila set trabalhador = 'outro', vence_em = now() + interval '10 s'`)
    const { status, body } = await t.as(ana).delete(`/jobs/${id}`)
    assert.deepEqual([status, body.status], [200, 'processing'])
    const row = await pool.first<{ cancelar: boolean }>(
      sql`select cancelar from jobs_fila where job_id = ${id}`,
    )
    assert.equal(row?.cancelar, true)
    assert.equal((await t.as(ana).delete(`/jobs/${id}`)).status, 200, 'asking twice is asking')
  })

  it('changes nothing of one that is over: 409', async () => {
    for (const [modo, state] of [
      ['validar', 'completed'],
      ['importar', 'failed'],
    ]) {
      const id = await done(await sendImport([BAD], { modo: modo as string }))
      const before = await read(id)
      assert.equal(before.status, state)
      const { status, body } = await t.as(ana).delete(`/jobs/${id}`)
      assert.deepEqual([status, body.error.code], [409, 'CONFLICT'])
      assert.deepEqual(await read(id), before)
    }
  })

  it('of others: 404, and it goes on; an administrator may', async () => {
    const id = await sendImport([GOOD])
    for (const path of [`/jobs/${id}`, '/jobs/job_nenhum'])
      assert.equal((await t.as(bia).delete(path)).status, 404)
    assert.equal((await read(id)).status, 'processing')
    assert.equal((await t.as(admin).delete(`/jobs/${id}`)).body.status, 'canceled')
  })
})

describe('an account whose ten jobs wait', () => {
  const files = () => pool.first(sql`select count(*) as total from arquivos`)
  const post = (payload: Buffer, headers: Record<string, string> = {}) =>
    t.as(ana).request('POST', '/agravos/casos/bulk', { headers: { ...MULTIPART, ...headers }, payload })
  const form = () =>
    multipart(
      { field: 'formato', content: 'csv' },
      { field: 'file', content: `${HEADER}\n${GOOD}\n`, filename: 'casos.csv' },
    )
  const KEY = { 'idempotency-key': 'a fila cheia' }

  it('is refused more (429), before a file is read; nothing is stored, others go on', async () => {
    const kept = await post(form(), KEY)
    assert.equal(kept.status, 202)
    for (let i = 0; i < 9; i++) await sendExport()
    const answers = [
      await post(multipart({ field: 'formato', content: 'nenhum' })),
      await post(form(), { 'idempotency-key': 'outra' }),
      await t.as(ana).post('/agravos/casos/exportar', { formato: 'csv' }),
      await t.as(ana).post('/usuarios/exportar', { formato: 'csv' }),
    ]
    for (const { status, body, headers } of answers) {
      assert.deepEqual([status, body.error.code], [429, 'RATE_LIMITED'])
      assert.match(body.error.message, /jobs demais na fila/)
      assert.equal(headers['retry-after'], '60')
    }
    assert.equal((await t.as(ana).get('/jobs')).body.total, 10)
    assert.deepEqual(await files(), { total: 1 })
    assert.deepEqual((await post(form(), KEY)).body, kept.body, 'what was accepted is answered again')
    await sendExport(bia)
    await t.jobWorker.runAll()
    await sendExport()
  })

  it('is told in the language asked for', async () => {
    for (let i = 0; i < 10; i++) await sendExport()
    const headers = { 'accept-language': 'en' }
    const { body } = await t.as(ana).post('/agravos/casos/exportar', { formato: 'csv' }, { headers })
    assert.match(body.error.message, /too many jobs in the queue/)
  })
})

describe('what a job made', () => {
  it('is its owner’s alone: administrators and others find nothing', async () => {
    const exported = await done(await sendExport())
    const checked = await done(await sendImport([GOOD, BAD], { ignorar_erros: 'true' }))
    for (const path of [`/jobs/${exported}/arquivo`, `/jobs/${checked}/rejeitados`]) {
      const { status, headers, text } = await t.as(ana).get(path)
      assert.equal(status, 200, path)
      assert.match(String(headers['content-type']), /^text\/csv/)
      assert.match(String(headers['content-disposition']), /^attachment; filename="[\w.-]+"$/)
      assert.match(String(headers['content-security-policy']), /sandbox/)
      assert.ok(text.length > 0)
      for (const who of [admin, bia]) assert.equal((await t.as(who).get(path)).status, 404)
      assert.equal((await t.anonymous.get(path)).status, 401)
    }
  })

  it('where there is none, the answer tells why', async () => {
    const waiting = [await sendExport(), await sendImport([GOOD])]
    const [toExport, toImport] = waiting
    const tell = async (path: string) => {
      const { status, body } = await t.as(ana).get(path)
      return [status, body.error.code, body.error.message]
    }
    const notOver = [
      409,
      'CONFLICT',
      'O job ainda não terminou: o arquivo existe quando `status` deixar de ser `processing`',
    ]
    assert.deepEqual(await tell(`/jobs/${toExport}/arquivo`), notOver)
    assert.deepEqual(await tell(`/jobs/${toImport}/rejeitados`), notOver)
    for (const id of waiting) await t.as(ana).delete(`/jobs/${id}`)
    const broken = await done(await sendImport(['\0']))
    const without = [
      409,
      'CONFLICT',
      'O job falhou ou foi cancelado antes de haver um arquivo; a mensagem dele diz por quê',
    ]
    for (const path of [`${toExport}/arquivo`, `${toImport}/rejeitados`, `${broken}/rejeitados`])
      assert.deepEqual(await tell(`/jobs/${path}`), without, path)
    assert.deepEqual(await tell(`/jobs/${toImport}/arquivo`), [
      404,
      'NOT_FOUND',
      'Este job não é uma exportação: não tem arquivo',
    ])
    assert.deepEqual(await tell(`/jobs/${toExport}/rejeitados`), [
      404,
      'NOT_FOUND',
      'Este job não é uma importação: não tem linhas rejeitadas',
    ])
    for (const path of ['arquivo', 'rejeitados'])
      assert.deepEqual(await tell(`/jobs/job_nenhum/${path}`), [404, 'NOT_FOUND', 'Registro não encontrado'])
  })
})

describe('an id that is too long to be one', () => {
  const id = 'x'.repeat(61)
  for (const path of ['', '/eventos', '/arquivo', '/rejeitados'])
    it(`is refused by GET /jobs/{job_id}${path}`, async () => {
      assert.equal((await t.as(ana).get(`/jobs/${id}${path}`)).status, 422)
    })

  it('is refused by DELETE /jobs/{job_id}', async () => {
    assert.equal((await t.as(ana).delete(`/jobs/${id}`)).status, 422)
  })
})

describe('the time of a job', () => {
  async function heir(): Promise<Person> {
    const person = await t.person({ grupos: ['gestor'] })
    await pool.run(sql`update jobs set usuario_id = ${person.id}`)
    return person
  }

  it('its file is gone when its time is over, the job itself after 30 days, what still runs never', async () => {
    const exported = await done(await sendExport())
    const checked = await done(await sendImport([GOOD, BAD], { ignorar_erros: 'true' }))
    const waiting = await sendImport([GOOD])
    const files = async () =>
      (await pool.first<{ total: number }>(sql`select count(*) as total from arquivos`))?.total
    await cleanUp(t.app)
    assert.equal(await files(), 4, 'all is kept while it may be needed, the validated file too')

    t.clock.advance(2 * DAY)
    // Tokens are long over by then: somebody new, to whom the jobs are given.
    const soon = await heir()
    const { arquivo_url, status } = await read(exported, soon)
    assert.deepEqual([status, arquivo_url], ['completed', undefined], 'no link to what has expired')
    assert.equal((await t.as(soon).get(`/jobs/${exported}/arquivo`)).status, 404)
    await cleanUp(t.app)
    assert.equal(await files(), 2)
    assert.equal((await t.as(soon).get(`/jobs/${checked}/rejeitados`)).status, 200)
    assert.equal((await read(exported, soon)).result.erros, 0)

    t.clock.advance(29 * DAY)
    const later = await heir()
    await cleanUp(t.app)
    for (const id of [exported, checked]) assert.equal((await t.as(later).get(`/jobs/${id}`)).status, 404)
    assert.equal(await files(), 1)
    assert.equal((await read(waiting, later)).status, 'processing')
    await t.jobWorker.runAll()
    assert.equal((await read(waiting, later)).status, 'completed')
  })
})
