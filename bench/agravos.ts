import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadMunicipios } from '../src/brasil/municipios.ts'
import { createRandom } from '../src/demo/random.ts'
import { isProprio } from '../src/domain/casos/agravos/definicao.ts'
import { modeloOf } from '../src/domain/casos/agravos/leitura.ts'
import { FORWARDED } from './comparison/answers.ts'
import { EMAIL, PASSWORD } from './comparison/prepare.ts'
import { startService } from './comparison/processes.ts'

/**
 * Time from nothing to the imported cases of a new disease, by four requests: its model, a dry run of the definition, its activation,
 * the import of a file until its job is over. The file is one of SINAN, generated, or a given one.
 * `npx node bench/agravos.ts [model [file]]`
 */
const MODELO = process.argv[2] ?? 'leptospirose'
const FILE = process.argv[3]
/** As many as the Brazilian file of leptospirosis of a year has. */
const ROWS = 8_681
const BAR_S = 5

const content = FILE === undefined ? Buffer.from(await generated(), 'latin1') : await readFile(FILE)
const dataDir = await mkdtemp(join(tmpdir(), 'vigia-bench-'))
// Traversable: as root, PostgreSQL runs as another user.
await chmod(dataDir, 0o711)
const service = await startService({
  ...{ DATA_DIR: join(dataDir, 'service'), ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD: PASSWORD },
  ...{ TRUST_PROXY: '127.0.0.1', RATE_LIMITS: 'off' },
})
try {
  const { access_token: token } = await ask('POST', '/auth/login', { username: EMAIL, password: PASSWORD })
  await measure(token)
} finally {
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function measure(token: string): Promise<void> {
  const start = performance.now()
  const model = await step('model', () => ask('GET', `/agravos/tipos/modelos/${MODELO}`, undefined, token))
  const dry = await step('dry run', () => ask('POST', '/agravos/tipos?simular=true', model, token))
  if (dry.valida !== true) throw new Error(JSON.stringify(dry))
  await step('activation', () => ask('POST', '/agravos/tipos', { ...model, ativar: true }, token))
  const done = await step('import', async () => {
    const { job_id } = await ask('POST', '/agravos/casos/bulk', fileForm(), token)
    return ended(job_id, token)
  })
  const seconds = (performance.now() - start) / 1000
  const { total_linhas, importados, erros, avisos } = done.resultado
  console.log(`lines ${total_linhas}, imported ${importados}, errors ${erros}, warnings ${avisos}`)
  const { total } = await ask('GET', `/agravos/casos?tipo_agravo=${MODELO}&size=1`, undefined, token)
  console.log(`all together ${seconds.toFixed(2)} s (bar ${BAR_S} s), ${total} cases`)
  if (seconds > BAR_S || total !== importados || (FILE === undefined && total !== ROWS)) process.exitCode = 1
}

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await work()
  console.log(`${name.padEnd(12)} ${((performance.now() - start) / 1000).toFixed(3)} s`)
  return result
}

function fileForm(): FormData {
  const form = new FormData()
  form.set('formato', FILE === undefined ? 'csv' : extname(FILE).slice(1).toLowerCase())
  form.set('modo', 'importar')
  form.set('ignorar_erros', 'true')
  form.set('file', new Blob([content]), FILE === undefined ? 'LEPT.csv' : basename(FILE))
  return form
}

async function ended(id: string, token: string) {
  for (;;) {
    const job = await ask('GET', `/jobs/${id}`, undefined, token)
    if (job.status === 'completed') return job
    if (job.status !== 'processing') throw new Error(JSON.stringify(job))
    await sleep(20)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of the service, read member by member
async function ask(method: string, path: string, body?: object, token?: string): Promise<any> {
  const isForm = body instanceof FormData
  const answer = await fetch(`http://127.0.0.1:${service.port}/api/v1${path}`, {
    method,
    headers: {
      ...FORWARDED,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && !isForm && { 'content-type': 'application/json' }),
    },
    body: isForm ? body : body ? JSON.stringify(body) : null,
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** The usual columns of a file of SINAN and all that the model reads, each with one of its codes. */
async function generated(): Promise<string> {
  const { sinan, campos, classificacoes, criterios, evolucoes } = await modeloOf(MODELO)
  const { all } = await loadMunicipios()
  const { pick, below } = createRandom(1)
  const codes = (list: readonly { sinan: string[] }[]) => list.flatMap((one) => one.sinan)
  const day = (at: number) =>
    new Date(Date.UTC(2021, 0, 3) + at * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
  const own = campos.filter(isProprio).flatMap(({ tipo, sinan: [coluna], opcoes }) => {
    if (coluna === undefined || !['bool', 'opcao'].includes(tipo)) return []
    return [{ coluna, values: tipo === 'bool' ? ['1', '2', '9', ''] : [...codes(opcoes), ''] }]
  })
  const standard = ['TP_NOT', 'ID_AGRAVO', 'DT_NOTIFIC', 'DT_SIN_PRI', 'SG_UF_NOT', 'ID_MUNICIP']
  const person = [
    'ANO_NASC',
    'NU_IDADE_N',
    'CS_SEXO',
    'CS_GESTANT',
    'CS_RACA',
    'CS_ESCOL_N',
    'SG_UF',
    'ID_MN_RESI',
  ]
  const end = ['CLASSI_FIN', 'CRITERIO', 'EVOLUCAO', 'DT_ENCERRA']
  const lines = [[...standard, ...person, ...end, ...own.map(({ coluna }) => coluna)].join(';')]
  for (let i = 0; i < ROWS; i++) {
    const { codigo } = pick(all)
    const ibge = String(codigo).slice(0, 6)
    const uf = ibge.slice(0, 2)
    const at = below(350)
    lines.push(
      [
        ...['2', sinan.agravos[0] ?? '', day(at + 3), day(at), uf, ibge],
        ...['1980', `40${String(below(90)).padStart(2, '0')}`, pick(['M', 'F']), '6', pick(['1', '4', '9'])],
        ...['05', uf, ibge],
        ...[pick(codes(classificacoes)), pick(codes(criterios)), pick(codes(evolucoes)), day(at + 9)],
        ...own.map(({ values }) => pick(values)),
      ].join(';'),
    )
  }
  return `${lines.join('\r\n')}\r\n`
}
