import assert from 'node:assert/strict'
import { csv, type Linha as LinhaDeCsv } from './contracts/b/importacoes-app.ts'
import { receiver } from './contracts/b/webhooks-app.ts'
import { type Answer, type Person, testApp } from './harness/app.ts'
import { MULTIPART, multipart } from './harness/multipart.ts'

/** Two databases that differ in what is secret, and someone who may do all to cases but identify patients. */

/** All that is secret of a patient. */
export interface Segredos {
  paciente_nome: string
  paciente_data_nascimento: string
  logradouro_residencia: string
  numero_residencia: string
  cep_residencia: string
  latitude: number
  longitude: number
}

/** The same initials, and the same age when the symptoms began. */
export const SEGREDOS: [Segredos, Segredos] = [
  {
    paciente_nome: 'Maria da Silva Santos',
    paciente_data_nascimento: '1990-05-20',
    logradouro_residencia: 'Rua da Aurora',
    numero_residencia: '7',
    cep_residencia: '50030230',
    latitude: -8.05,
    longitude: -34.88,
  },
  {
    paciente_nome: 'Marta Souza de Siqueira',
    paciente_data_nascimento: '1990-08-02',
    logradouro_residencia: 'Avenida Boa Viagem',
    numero_residencia: '1204',
    cep_residencia: '50030999',
    latitude: -8.12,
    longitude: -34.9,
  },
]

/** In neither of them. */
const OUTROS: Segredos = {
  paciente_nome: 'Miriam Sá de Sousa',
  paciente_data_nascimento: '1990-06-30',
  logradouro_residencia: 'Rua do Sol',
  numero_residencia: '33',
  cep_residencia: '50030111',
  latitude: -8.06,
  longitude: -34.87,
}

/** Sectors are told in steps of five: one case in another one does not show. */
const OUTRO_SETOR = { cep_residencia: '51021000' }

export const ABERTO = {
  tipo_agravo: 'dengue',
  data_notificacao: '2024-03-12',
  data_inicio_sintomas: '2024-03-10',
  municipio_residencia: 'Recife',
  estado_residencia: 'PE',
  bairro_residencia: 'Boa Viagem',
  paciente_sexo: 'F',
}

/** A case as a line of a file. */
export function linhaDe(numero: string, segredos: object): LinhaDeCsv {
  const fields = { ...ABERTO, numero_notificacao: numero, ...segredos }
  return Object.fromEntries(Object.entries(fields).map(([nome, value]) => [nome, String(value)]))
}

export const ALVOS = ['direto', 'vazio', 'importado', 'editado', 'excluido', 'proprio'] as const
export type Alvo = (typeof ALVOS)[number]

/** A series that has values of every week around those of the cases. */
export const SERIE = 'temp_med_sem'

const CEGO = [
  ...['listar', 'criar', 'editar', 'deletar', 'importar', 'estatisticas', 'exportar'].map(
    (what) => `agravos.${what}`,
  ),
  'series.listar',
  'auditoria.ver',
  'webhooks.gerenciar',
  'relatorios.gerar',
  'relatorios.exportar',
]

/** What was asked, and all that was answered but what differs by chance. */
export interface Visto {
  what: string
  shown: { status: number; body: string; headers: string }
}

/** The service over a database with these secrets. What the caller sees is kept. */
export async function mundo(segredos: Segredos, isBare: boolean) {
  const t = await testApp()
  const gestor = await t.person({ grupos: ['gestor'] })
  const cego = await t.person({ permissoes: CEGO })
  const them = await receiver()
  const vistos: Visto[] = []
  const tried = new Set<string>()
  const ids = {} as Record<Alvo, number>
  let anexo = 0

  async function must(status: number, answer: Promise<Answer>): Promise<Answer['body']> {
    const { status: answered, body, text } = await answer
    assert.equal(answered, status, text)
    return body
  }
  const create = async (by: Person, numero: string, secret: object) =>
    (await must(201, t.as(by).post('/agravos/casos', { ...ABERTO, numero_notificacao: numero, ...secret })))
      .id
  const attach = (by: Person, id: number, descricao: string) =>
    t.as(by).request('POST', `/agravos/casos/${id}/anexos`, {
      headers: MULTIPART,
      payload: multipart(
        { field: 'tipo', content: 'exame' },
        { field: 'descricao', content: descricao },
        { field: 'arquivo', content: '%PDF-1.7\n1 0 obj\nendobj\n%%EOF\n', filename: 'exame.pdf' },
      ),
    })
  const sendFile = (by: Person, file: string, fields: Record<string, string>) =>
    t.as(by).request('POST', '/agravos/casos/bulk', {
      headers: MULTIPART,
      payload: multipart(
        ...Object.entries({ formato: 'csv', ...fields }).map(([field, content]) => ({ field, content })),
        { field: 'file', content: file, filename: 'casos.csv' },
      ),
    })

  /** What those did who may identify patients, the same in both worlds but for the secrets. */
  async function populate(): Promise<void> {
    const neighbour = { ...SEGREDOS[0], paciente_nome: 'Ana Lima' }
    for (let i = 0; i < 7; i++) await create(gestor, `vizinho-${i}`, neighbour)
    const elsewhere = isBare ? OUTRO_SETOR : {}
    ids.direto = await create(gestor, 'direto', { ...segredos, ...elsewhere, ...locaisOf(segredos) })
    const bare = { paciente_nome: segredos.paciente_nome, paciente_idade: 33 }
    ids.vazio = await create(gestor, 'vazio', isBare ? bare : segredos)
    ids.excluido = await create(gestor, 'excluido', segredos)
    const motivo = encodeURIComponent(`repetido: ${segredos.paciente_nome}`)
    await must(204, t.as(gestor).delete(`/agravos/casos/${ids.excluido}?motivo=${motivo}`))
    const file = csv(linhaDe('importado', segredos), linhaDe('editado', segredos))
    await must(202, sendFile(gestor, file, { modo: 'importar' }))
    await must(202, sendFile(cego, csv(linhaDe('proprio', OUTROS)), { modo: 'importar' }))
    await t.jobWorker.runAll()
    for (const alvo of ['importado', 'editado', 'proprio'] as const) {
      const { tipos } = await must(200, t.as(gestor).get(`/agravos/casos?numero_notificacao=${alvo}`))
      ids[alvo] = tipos[0].id
    }
    const edit = {
      logradouro_residencia: `${segredos.logradouro_residencia}, fundos`,
      zona_residencia: 'urbana',
    }
    await must(200, t.as(gestor).put(`/agravos/casos/${ids.editado}`, edit))
    await must(200, t.as(gestor).put(`/agravos/casos/${ids.proprio}`, segredos))
    const valores = Array.from({ length: 52 + 26 }, (_, i) => ({
      municipio: '2611606',
      semana: i < 52 ? String(202301 + i) : String(202401 + i - 52),
      valor: 20 + ((i * 7) % 13),
    }))
    await must(200, t.as(gestor).put(`/series/${SERIE}/valores`, { valores }))
    anexo = (await must(201, attach(gestor, ids.direto, segredos.paciente_nome))).id
  }

  function keep(what: string, { status, text, headers }: Answer): void {
    const { date, 'x-request-id': requestId, 'content-length': length, etag, ...rest } = headers
    // A version; other tags are hashes of answers, which are compared themselves, but for their moments.
    if (/^"\d+"$/.test(String(etag))) rest.etag = etag
    vistos.push({ what, shown: { status, body: plain(text), headers: plain(JSON.stringify(rest)) } })
  }

  /** A request of the one who may not see, to a route by its template. */
  async function ask(
    method: string,
    template: string,
    {
      params = {},
      query = '',
      body,
      headers = {},
    }: {
      params?: Record<string, unknown>
      query?: string
      body?: unknown
      headers?: Record<string, string>
    } = {},
  ): Promise<Answer> {
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => String(params[name]))
    tried.add(`${method} /api/v1${template}`)
    const json = body !== undefined && {
      headers: { 'content-type': 'application/json', ...headers },
      payload: JSON.stringify(body),
    }
    const url = query === '' ? path : `${path}?${query}`
    const answer = await t.as(cego).request(method, url, { headers, ...json })
    const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`
    keep(`${method} ${template} ${JSON.stringify(params)}?${query}${sent}`, answer)
    return answer
  }

  /** A job of theirs to its end, and what can be asked about it. */
  async function follow(what: string, answer: Answer): Promise<Answer['body']> {
    keep(what, answer)
    if (answer.status !== 202) return null
    await t.jobWorker.runAll()
    const params = { job_id: answer.body.job_id }
    const done = await ask('GET', '/jobs/{job_id}', { params })
    await ask('GET', `/jobs/{job_id}/${done.body.tipo === 'importacao' ? 'rejeitados' : 'arquivo'}`, {
      params,
    })
    if (done.body.tipo.startsWith('exportacao')) {
      await ask('GET', '/jobs/{job_id}/eventos', { params })
      await ask('DELETE', '/jobs/{job_id}', { params })
    }
    return done.body.resultado ?? done.body.result
  }

  async function send(file: string, fields: Record<string, string>): Promise<Answer['body']> {
    tried.add('POST /api/v1/agravos/casos/bulk')
    return follow(`bulk ${JSON.stringify(fields)} ${file}`, await sendFile(cego, file, fields))
  }

  async function attachAs(id: number): Promise<number> {
    tried.add('POST /api/v1/agravos/casos/{id}/anexos')
    const answer = await attach(cego, id, 'um exame')
    keep('attach', answer)
    return answer.body.id
  }

  await populate()
  return { t, ids, anexo, them, vistos, tried, ask, follow, send, attach: attachAs, keep }
}

export type Mundo = Awaited<ReturnType<typeof mundo>>

export const locaisOf = ({ logradouro_residencia }: Segredos) => ({
  investigacao: { locais_frequentados: [{ local: logradouro_residencia }] },
})

/** Without times, durations, and what is drawn at random. */
function plain(text: string): string {
  return (
    text
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'moment')
      .replaceAll(/(job|wh)_[\w-]{24}|(evt)_[\da-f]{32}/g, '$1$2')
      .replaceAll(/(\\?"hash\\?":\\?")[\da-f]{64}/g, '$1')
      .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, 'uuid')
      .replaceAll(/whsec_[\w+/=]+/g, 'secret')
      .replaceAll(/127\.0\.0\.1:\d+/g, 'host')
      // Counts down in the hour before the next public numbers.
      .replaceAll(/public, max-age=\d+/g, 'public')
      .replaceAll(/"(tempo_processamento|duracao_ms|tempo_resposta_ms)":[\d.]+/g, '"$1":0')
  )
}
