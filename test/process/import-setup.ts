// Imports through the real service: a file of cases, the way of sending it, and what must be in the database afterwards.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { HANG_MS, until } from '../harness/eventually.ts'
import { MULTIPART, multipart } from '../harness/multipart.ts'
import { type Answer, answerOf, beginRequest, type Service } from './service.ts'

const COLUNAS = [
  'tipo_agravo',
  'numero_notificacao',
  'data_notificacao',
  'data_inicio_sintomas',
  'paciente_nome',
  'paciente_data_nascimento',
  'paciente_sexo',
  'municipio_residencia',
  'estado_residencia',
  'bairro_residencia',
  'classificacao_final',
  'criterio_confirmacao',
  'evolucao',
]
const LUGARES = ['Recife;PE;Boa Viagem', 'Manaus;AM;Centro', 'Porto Alegre;RS;Azenha']
const DESFECHOS = [
  'confirmado;laboratorial;cura',
  'descartado;clinico_epidemiologico;',
  'confirmado;laboratorial;obito',
  ';;',
  'inconclusivo;em_investigacao;ignorado',
]

const day = (i: number) =>
  `2024-${String(1 + (i % 12)).padStart(2, '0')}-${String(1 + (i % 27)).padStart(2, '0')}`

function lineOf(serie: string, i: number): string {
  const tipo = ['dengue', 'zika', 'chikungunya'][i % 3]
  const notificacao = day(i)
  return `${tipo};${serie}${i};${notificacao};${notificacao};Maria ${serie} da Silva ${i};1980-05-${String(1 + (i % 28)).padStart(2, '0')};${'MFI'[i % 3]};${LUGARES[i % 3]};${DESFECHOS[i % 5]}\n`
}

/** Tuning of the service: a checkpoint after so many rows, so that a short file can be stopped between two of them. */
export const SHORT_BLOCKS = { importBlock: 60 }
/** More than four of these blocks. */
export const ROWS = 250
/** The gate lets checkpoints up to here pass: two of them. */
export const GATE_ROWS = 150

/** A file in our own layout; every row is good, and every notification number begins with `serie`. */
export function arquivoDeCasos(serie: string, rows: number): Buffer {
  let text = `${COLUNAS.join(';')}\n`
  for (let i = 1; i <= rows; i++) text += lineOf(serie, i)
  return Buffer.from(text)
}

export interface Retrato {
  casos: number
  chaves: number
  linhas: number
  primeira: number
  ultima: number
  confirmados: number
  obitos: number
  encerrados: number
  versoes: number
}

/** What the cases of that file look like when each of them is there once. */
export function retratoEsperado(rows: number): Retrato {
  const kinds = Array.from({ length: rows }, (_, i) => (i + 1) % 5)
  const count = (...those: number[]) => kinds.filter((kind) => those.includes(kind)).length
  return {
    casos: rows,
    chaves: rows,
    linhas: rows,
    primeira: 2,
    ultima: rows + 1,
    confirmados: count(0, 2),
    obitos: count(2),
    encerrados: count(0, 1, 2),
    versoes: rows,
  }
}

export async function retratoDe(client: pg.ClientBase, serie: string): Promise<Retrato> {
  const { rows } = await client.query(
    `select count(*)::int as casos, count(distinct (tipo_agravo, numero_notificacao, data_notificacao))::int as chaves,
       count(distinct importacao_linha)::int as linhas, min(importacao_linha) as primeira,
       max(importacao_linha) as ultima,
       (count(*) filter (where classificacao_final = 'confirmado'))::int as confirmados,
       (count(*) filter (where evolucao = 'obito'))::int as obitos,
       (count(*) filter (where status = 'encerrado'))::int as encerrados, sum(versao)::int as versoes
     from casos where numero_notificacao like $1 || '%'`,
    [serie],
  )
  return rows[0]
}

/** The numbers of a result in which every row became a case. */
export const resultadoEsperado = (rows: number) => ({
  total_linhas: rows,
  importados: rows,
  atualizados: 0,
  inalterados: 0,
  duplicados_no_arquivo: 0,
  erros: 0,
  avisos: 0,
})

export function numbersOf(resultado: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(resultadoEsperado(0)).map((name) => [name, resultado[name]]))
}

export function formOf(content: Buffer, fields: Record<string, string> = {}, filename = 'casos.csv'): Buffer {
  const all = { formato: 'csv', modo: 'importar', ...fields }
  return multipart(...Object.entries(all).map(([field, value]) => ({ field, content: value })), {
    field: 'file',
    content,
    filename,
  })
}

export async function upload(
  service: Service,
  token: string,
  form: Buffer,
  path = '/api/v1/agravos/casos/bulk',
): Promise<Answer> {
  const outgoing = beginRequest(new URL(path, service.url), {
    method: 'POST',
    token,
    headers: { ...MULTIPART, 'content-length': String(form.length) },
  })
  outgoing.end(form)
  return answerOf(outgoing)
}

export async function enqueue(service: Service, token: string, form: Buffer, path?: string): Promise<string> {
  const { status, body, text } = await upload(service, token, form, path)
  assert.equal(status, 202, text)
  return body.job_id
}

/** The job when it is over; `seen` collects what was shown of its progress on the way. */
export async function untilOver(service: Service, token: string, id: string, { seen = [] as number[] } = {}) {
  const deadline = Date.now() + HANG_MS
  for (;;) {
    const { status, body, text } = await service.request(`/api/v1/jobs/${id}`, { token })
    // The database may be away for a moment.
    if (status !== 503) {
      assert.equal(status, 200, text)
      seen.push(body.progress)
      if (body.status !== 'processing') return body
    }
    assert.ok(Date.now() < deadline, `the job is not over: ${text}`)
    await sleep(100)
  }
}

/** Tables of imports, uploaded files and jobs of accounts in the queue: nothing is left when all is done. */
export async function leftovers(client: pg.ClientBase): Promise<Record<string, number>> {
  const { rows } = await client.query(
    `select (select count(*) from pg_tables where schemaname = 'preparo')::int as preparo,
       (select count(*) from arquivos)::int as arquivos,
       (select count(*) from jobs_fila f join jobs j on j.id = f.job_id where j.usuario_id is not null)::int as fila`,
  )
  return rows[0]
}

export const NADA = { preparo: 0, arquivos: 0, fila: 0 }

const GATE = 4242

/**
 * A gate in the middle of a file of `ROWS` rows: while it is shut, a worker waits there, some blocks committed. `pontos`
 * tells every place that was committed since, in order.
 */
export async function gateOf(client: pg.ClientBase) {
  await client.query(`
    create table pontos (ordem int generated always as identity, linhas int);
    create function gate() returns trigger language plpgsql as $$
    begin
      if (new.ponto->>'linhas')::int > ${GATE_ROWS} then perform pg_advisory_xact_lock(${GATE}); end if;
      insert into pontos (linhas) values ((new.ponto->>'linhas')::int);
      return new;
    end $$;
    create trigger gate before update of ponto on jobs_fila for each row when (new.ponto ? 'linhas')
      execute function gate()`)
  return {
    shut: () => client.query(`select pg_advisory_lock(${GATE})`),
    open: () => client.query(`select pg_advisory_unlock(${GATE})`),
    async pontos(): Promise<number[]> {
      const { rows } = await client.query('select linhas from pontos order by ordem')
      return rows.map(({ linhas }) => linhas)
    },
    /** For the next test, whatever became of this one. */
    async reset() {
      await client.query('rollback')
      await client.query('select pg_advisory_unlock_all()')
      await client.query('truncate pontos')
    },
    untilSomebodyWaits: () =>
      until(
        'somebody waits at the gate',
        async () =>
          (
            await client.query(
              `select from pg_locks where locktype = 'advisory' and objid = ${GATE} and not granted`,
            )
          ).rowCount,
      ),
  }
}

/** Lets imports come as far as the writing of their table, and no further, until `release`. */
export async function holdTable(client: pg.ClientBase, table: string) {
  await client.query(`begin; lock table ${table} in share mode`)
  return {
    untilSomebodyWaits: () =>
      until(
        'somebody waits for the table',
        async () =>
          (await client.query(`select from pg_locks where relation = '${table}'::regclass and not granted`))
            .rowCount,
      ),
    release: () => client.query('rollback'),
  }
}
