// A thing for each operation of the document to be asked for, by `test/territorio-access.test.ts` and `test/clients/operations.test.ts`.
import { randomUUID } from 'node:crypto'
import { sql } from '../src/db/sql.ts'
import { evento, PALMAS } from './contracts/b/epizootias-app.ts'
import { SERIE } from './contracts/b/series-app.ts'
import { servicos } from './contracts/b/servico.ts'
import { PLACES, putAlertas } from './harness/alertas.ts'
import type { Person } from './harness/app.ts'
import { putAgenda, putBoletim } from './harness/boletins.ts'
import { putPar } from './harness/duplicidades.ts'
import { MULTIPART, multipart } from './harness/multipart.ts'
import { type Ask, type Kind, PHOTO } from './territorio-operations.ts'
import { LUGARES, type Lugar, type territorioWorld } from './territorio-world.ts'

export type Ids = Record<string, unknown>

/** The body of an operation on accounts that names places names that of the account. */
export function askFor(ask: Ask | undefined, lugar: Lugar): Ask {
  const [nivel, codigo] = lugar.codigo.split(':')
  const isOwn = (ask?.body as { territorios?: unknown } | undefined)?.territorios === 'own'
  return isOwn ? { body: { territorios: [{ nivel, codigo }] } } : (ask ?? {})
}

let made = 0

/** Each time another one, where the same could not be asked twice. */
export const askOf = (ask: Ask | ((n: number) => Ask)): Ask => (typeof ask === 'function' ? ask(++made) : ask)

/** The body with the id of a second thing where it asks for one. */
export const withOther = (body: unknown, ids: Ids): unknown =>
  body === undefined
    ? undefined
    : JSON.parse(JSON.stringify(body, (_, value) => (value === 'other' ? ids.other : value)))

export async function operationThings(world: Awaited<ReturnType<typeof territorioWorld>>) {
  const { t, admin, geral, thingsOf } = world
  const idOf = (query: ReturnType<typeof sql>) => t.database.pool.value<number>(query)
  const GRUPO = await idOf(sql`select id from grupos where nome = 'analista'`)
  const PERMISSAO = await idOf(sql`select id from permissoes where nome = 'agravos.listar'`)
  const pathIds = { grupo_id: GRUPO, permissao_id: PERMISSAO, identidade_id: 1 }

  /** Sends a request with these ids in its path. */
  function send(
    who: Person,
    operation: string,
    ids: Record<string, unknown>,
    { query = '', body, form }: Ask,
  ) {
    const [method = '', path = ''] = operation.split(' ')
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name) => String(ids[name]))
    return t.as(who).request(method, `${url}${query}`, {
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify(withOther(body, ids)),
      }),
      ...(form && { headers: MULTIPART, payload: multipart(...form) }),
    })
  }

  async function newServico({ codigo: lugar, dono }: Lugar): Promise<Ids> {
    const [nivel, codigo] = lugar.split(':')
    const { conta, chave } = servicos(t, admin)
    const { id } = await conta(['agravos.listar'], {
      nome: `Integração ${dono}`,
      territorios: [{ nivel, codigo }],
    })
    return { id, chave_id: (await chave(id, ['agravos.listar'])).id }
  }
  const servicoOf = new Map<Lugar, Ids>()
  for (const lugar of LUGARES) servicoOf.set(lugar, await newServico(lugar))

  /** The thing of a place that an operation of this kind names. */
  function shared(kind: Kind, lugar: Lugar): Ids {
    const { caso, excluido, anexo, importacao, conta, job } = thingsOf(lugar)
    switch (kind) {
      case 'caso':
        return { id: caso }
      case 'excluido':
        return { id: excluido }
      case 'anexo':
        return { id: caso, anexo_id: anexo }
      case 'importacao':
        return { id: importacao }
      case 'servico':
        return servicoOf.get(lugar) as Ids
      case 'job':
      case 'job em fila':
        return { job_id: job }
      default:
        return { ...pathIds, id: conta, usuario_id: conta }
    }
  }

  const linkIdentidade = (id: number) =>
    t.database.pool.value<number>(sql`
      insert into identidades (usuario_id, provedor, sub_hash, vinculada_em, ultimo_uso_em)
      values (${id}, ${`p${++made}`}, ${Buffer.from(String(id))}, now(), now()) returning id`)

  /** A new thing for an operation that may end it; a job is the caller's own. */
  async function fresh(kind: Kind, lugar: Lugar, who: Person): Promise<Ids> {
    if (kind === 'importacao') return { id: (await world.newImportacao(lugar)).importacao }
    if (kind.startsWith('job')) {
      const { body } = await t.as(who).post('/agravos/casos/exportar', { formato: 'csv' })
      if (kind === 'job') await t.jobWorker.runAll()
      return { job_id: body.job_id }
    }
    if (kind === 'servico') return newServico(lugar)
    if (kind.startsWith('conta')) {
      const { id } = await world.newConta(lugar)
      if (kind === 'conta com foto')
        await send(admin, 'POST /usuarios/{id}/foto-perfil', { id }, { form: [PHOTO] })
      const linked = kind === 'conta com identidade' ? await linkIdentidade(id) : pathIds.identidade_id
      return { ...pathIds, id, usuario_id: id, identidade_id: linked }
    }
    const id = await world.newCaso(lugar)
    if (kind === 'excluido') await t.as(admin).delete(`/agravos/casos/${id}?motivo=engano`)
    return { id, ...(kind === 'anexo' && { anexo_id: await world.newAnexo(lugar, id) }) }
  }

  async function importEpizootia(n: number): Promise<number> {
    const content = `numero;data_ocorrencia;municipio;especie_grupo;suspeita\nI${n};2026-01-10;${PALMAS};pnh;raiva\n`
    const payload = multipart(
      { field: 'modo', content: 'importar' },
      { field: 'file', content, filename: 'epizootias.csv' },
    )
    const { body } = await t.as(admin).request('POST', '/epizootias/bulk', { headers: MULTIPART, payload })
    await t.jobWorker.runAll()
    return (await t.as(admin).get(`/jobs/${body.job_id}`)).body.resultado.importacao_id
  }

  /** Ids for operations on things of no place, or of the caller's own. */
  async function ownIds(operation: string, who: Person): Promise<Ids> {
    const path = operation.split(' ')[1] ?? ''
    const create = async (of: string, body: object) => (await t.as(admin).post(of, body)).body.id
    // Of a case that only an account without a territory reaches.
    if (path.startsWith('/webhooks/{id}/entregas'))
      return { id: geral, entrega_id: thingsOf(LUGARES.at(-1) as Lugar).entrega }
    if (path.startsWith('/webhooks/{id}')) return { id: await world.newWebhook(who, `proprio${++made}`) }
    if (path.startsWith('/grupos/{id}'))
      return {
        ...pathIds,
        id: await create('/grupos', { nome: `grupo_${++made}`, permissoes_ids: [PERMISSAO] }),
      }
    if (path === '/permissoes/{id}') return { id: await create('/permissoes', { nome: `nova.${++made}` }) }
    if (path === '/noticias/{id}')
      return { id: await create('/noticias', { titulo: 'Nota', conteudo: 'Texto' }) }
    if (path.startsWith('/series/importacoes/{id}')) {
      const valores = [{ municipio: 'Palmas', estado: 'TO', semana: '202602', valor: ++made / 1000 }]
      return { id: (await t.as(admin).put('/series/liraa_iip/valores', { valores })).body.importacao_id }
    }
    if (path.startsWith('/agravos/tipos/')) {
      // There already, unless an operation has removed it.
      await t.as(admin).post('/agravos/tipos', { modelo: 'hanseniase', ativar: true })
      return { codigo: 'hanseniase' }
    }
    if (path.startsWith('/publico/series/{codigo}')) {
      await t.as(admin).put('/series/chuva', { publica: true })
      return { codigo: 'chuva' }
    }
    if (path.startsWith('/epizootias/valores/')) {
      const valor = { campo: 'especie', codigo: `propria_${++made}`, rotulo: 'Espécie' }
      await t.as(admin).post('/epizootias/valores', valor)
      return valor
    }
    if (path.startsWith('/epizootias/importacoes/{id}')) return { id: await importEpizootia(++made) }
    if (path.startsWith('/epizootias/{id}')) {
      const id = await create('/epizootias', evento({ municipio: PALMAS }))
      if (path.endsWith('/restaurar')) await t.as(admin).delete(`/epizootias/${id}?motivo=engano`)
      return { id }
    }
    if (path.startsWith('/series/{codigo}')) {
      const codigo = `serie_propria_${++made}`
      await t.as(admin).post('/series', { ...SERIE, codigo })
      return { codigo }
    }
    if (path === '/usuarios/me/identidades/{id}') return { id: await linkIdentidade(who.id) }
    if (path === '/visoes/{id}')
      return {
        id: (await t.as(who).post('/visoes', { nome: `v${++made}`, tela: 'casos', consulta: '' })).body.id,
      }
    const author = { id: who.id, nome: 'Pessoa' }
    if (path.startsWith('/agravos/agendas/{id}'))
      return { id: await putAgenda(t.database.pool, author, t.clock.now()) }
    if (path.startsWith('/agravos/boletins/{id}'))
      return { id: await putBoletim(t.database.pool, author, t.clock.now()) }
    if (path.startsWith('/agravos/alertas/{id}'))
      return { id: (await putAlertas(t.database.pool, t.clock.now(), PLACES.manaus))[0] }
    if (/^\/agravos\/(duplicidades|casos|fusoes)\/\{id\}/.test(path)) {
      const far = LUGARES.at(-1) as Lugar
      const pair = [await world.newCaso(far), await world.newCaso(far)] as [number, number]
      if (path.startsWith('/agravos/duplicidades'))
        return { id: await putPar(t.database.pool, pair, t.clock.now()) }
      if (path.startsWith('/agravos/casos')) return { id: pair[0], other: pair[1] }
      const { body } = await t.as(admin).post(`/agravos/casos/${pair[0]}/fundir`, { caso_id: pair[1] })
      return { id: body.fusao_id }
    }
    if (path === '/rascunhos/{uuid}') {
      const uuid = randomUUID()
      await t.as(who).put(`/rascunhos/${uuid}`, { conteudo: {} })
      return { uuid }
    }
    return { ...pathIds, session_id: randomUUID() }
  }

  return { send, shared, fresh, ownIds, pathIds }
}
