import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { dumpTables } from '../../harness/dump.ts'
import { BAIRRO, casoPlantado, holdsBairro, NOME, PLANTADOS, plantedIn } from '../../planted.ts'
import { csv, importacoesApp, type Linha, sinan } from './importacoes-app.ts'
import { receiver } from './webhooks-app.ts'

/** Who a patient is goes from the file into the sealed record, and nowhere else. */

const app = await importacoesApp()
const { t, analista, gestor, admin, send } = app
after(() => t.close())
const { pool } = t.database

/** A planted case as a row of our own layout. */
function plantada(more: Linha = {}): Linha {
  const { investigacao, ...flat } = casoPlantado() as Record<string, unknown> & {
    investigacao: { locais_frequentados: unknown }
  }
  const row = Object.fromEntries(Object.entries(flat).map(([nome, value]) => [nome, String(value)]))
  const locais = JSON.stringify(investigacao.locais_frequentados)
  return { ...row, 'investigacao.locais_frequentados': locais, ...more }
}
const doSinan = (more: Linha = {}): Linha =>
  sinan({
    NM_PACIENT: NOME,
    NM_LOGRADO: `Rua ${PLANTADOS.logradouro}`,
    NU_CEP: PLANTADOS.cep,
    DT_NASC: PLANTADOS.nascimento,
    NM_BAIRRO: BAIRRO,
    DS_OBS: `mora com ${PLANTADOS.sobrenome}`,
    ...more,
  })

const boa = plantada()
const FILES: Record<string, { file: string; ignorar_erros: string }> = {
  'good rows': { file: csv(boa, plantada()), ignorar_erros: 'false' },
  'good and bad rows': {
    file: csv(
      plantada(),
      plantada({ estado_residencia: 'XX' }),
      plantada({ paciente_sexo: PLANTADOS.recusado, cep_residencia: PLANTADOS.recusado }),
      plantada({ paciente_data_nascimento: '2999-01-01', latitude: '999' }),
      plantada({ 'investigacao.locais_frequentados': `[{"local": "${PLANTADOS.local}"` }),
    ),
    ignorar_erros: 'true',
  },
  'bad rows alone': { file: csv(plantada({ data_notificacao: '2999-01-01' })), ignorar_erros: 'false' },
  'rows that change cases': {
    file: csv({ ...boa, paciente_nome: `${PLANTADOS['nome novo']} ${PLANTADOS.sobrenome}` }),
    ignorar_erros: 'false',
  },
  'rows of SINAN': {
    file: csv(doSinan(), doSinan({ DT_NOTIFIC: '' }), doSinan({ DT_NASC: '2024-05-30' })),
    ignorar_erros: 'true',
  },
  'rows of SINAN out of step': {
    file: csv(
      doSinan({ ID_AGRAVO: NOME, NU_NOTIFIC: PLANTADOS.nome }),
      doSinan({ DT_NOTIFIC: PLANTADOS.sobrenome }),
      doSinan({ DT_SIN_PRI: NOME, ID_MN_RESI: PLANTADOS.nome, SG_UF: PLANTADOS.sobrenome, TP_NOT: NOME }),
    ),
    ignorar_erros: 'true',
  },
  'a broken line': {
    file: `${csv(plantada())}"${NOME};${PLANTADOS.logradouro};${PLANTADOS.cep}\n`,
    ignorar_erros: 'true',
  },
}

const them = await receiver()
const eventos = ['importacao.concluida', 'agravo.criado']
assert.equal((await t.as(analista).post('/webhooks', { url: them.url, eventos })).status, 201)

const answers: string[] = []
const jobs: string[] = []
for (const { file, ignorar_erros } of Object.values(FILES))
  for (const modo of ['validar', 'importar']) {
    const { status, body, text, headers } = await send(file, { modo, ignorar_erros })
    assert.equal(status, 202, text)
    jobs.push(body.job_id)
    answers.push(text, JSON.stringify(headers))
    answers.push((await t.as(analista).get(`/jobs/${body.job_id}`)).text)
    await t.jobWorker.runAll()
  }

describe('The name and address of a patient in an imported file', () => {
  it('come in: an identified read shows them, and the search finds what is open', async () => {
    const { paciente, endereco } = await app.read(boa.numero_notificacao as string)
    assert.ok(paciente.nome.includes(PLANTADOS['nome novo']))
    assert.ok(endereco.logradouro.includes(PLANTADOS.logradouro))
    const { importados } = (await app.job(jobs.at(-1) as string)).resultado
    assert.ok(importados > 0)
    assert.ok(plantedIn(`x ${NOME}`).length > 0)
  })

  it('are in no answer about the job, its progress or the import, to whoever asks', async () => {
    for (const by of [analista, gestor, admin]) {
      const get = async (path: string) => (await t.as(by).get(path)).text
      answers.push(await get('/jobs?size=100'), await get('/agravos/importacoes?size=100'))
      for (const id of jobs) answers.push(await get(`/jobs/${id}`), await get(`/jobs/${id}/eventos`))
      const { items } = (await t.as(by).get('/agravos/importacoes?size=100')).body
      for (const { id } of items) answers.push(await get(`/agravos/importacoes/${id}`))
    }
    assert.ok(answers.length > 60)
    assert.match(answers.join(''), /erros_detalhados/)
    for (const text of answers) assert.deepEqual(plantedIn(text), [], text.slice(0, 2_000))
  })

  it('are in the rejected rows of their owner, and there alone', async () => {
    const [, , , mixed = ''] = jobs
    assert.ok(plantedIn(await app.rejeitados(mixed)).includes('nome'))
    for (const by of [gestor, admin]) {
      const { status, bytes } = await app.download(`/jobs/${mixed}/rejeitados`, by)
      assert.equal(status, 404)
      assert.deepEqual(plantedIn(bytes.toString()), [])
    }
  })

  it('are in no event of the import', async () => {
    await t.webhookWorker.runOnce()
    assert.ok(them.deliveries.length > 3)
    for (const { text } of them.deliveries) assert.deepEqual(plantedIn(text), [], text)
  })

  it('are in no line of the log', () => {
    assert.ok(t.logs.length > 100)
    assert.deepEqual(plantedIn(t.logs.join('\n')), [])
  })

  it('are in no table: the file and the rejected rows are encrypted', async () => {
    await send(FILES['good and bad rows']?.file ?? '', { modo: 'importar', ignorar_erros: 'true' })
    const dumps = await dumpTables(pool)
    assert.ok(holdsBairro(dumps.get('casos') ?? ''), 'the search finds what is there')
    for (const nome of ['jobs', 'jobs_fila', 'importacoes', 'arquivos_partes', 'casos_historico'])
      assert.ok((dumps.get(nome)?.length ?? 0) > 100, nome)
    assertClean(dumps)
    await t.jobWorker.runAll()
  })

  it('are in no table of rows under way, either', async () => {
    await send(FILES['good and bad rows']?.file ?? '', { modo: 'importar', ignorar_erros: 'true' })
    let running: Promise<unknown> = Promise.resolve()
    let over = false
    // An import waits for another one before it compares what it has read.
    await pool.transaction(async (tx) => {
      await tx.run(sql`select pg_advisory_xact_lock(8443007)`)
      running = t.jobWorker.runAll().finally(() => {
        over = true
      })
      const isWaiting = () =>
        tx.first<{ espera: boolean }>(sql`
          select exists (
            select from pg_locks where locktype = 'advisory' and not granted
              and database = (select oid from pg_database where datname = current_database())
          ) as espera`)
      while (!over && !(await isWaiting())?.espera);
      assert.ok(!over, 'it came to an end without waiting')
      const dumps = await dumpTables(pool)
      const underWay = [...dumps.keys()].filter((nome) => nome.startsWith('preparo.'))
      assert.equal(underWay.length, 2)
      for (const nome of underWay) assert.ok((dumps.get(nome)?.length ?? 0) > 500, nome)
      assertClean(dumps)
    })
    await running
    await app.leavesNothing()
  })
})

function assertClean(dumps: Map<string, string>): void {
  for (const [nome, texto] of dumps) {
    assert.deepEqual(plantedIn(texto), [], nome)
    // XML writes bytes in base64, whose lines may break a word.
    assert.deepEqual(plantedIn(texto.replaceAll(/\s/g, '')), [], nome)
  }
}
