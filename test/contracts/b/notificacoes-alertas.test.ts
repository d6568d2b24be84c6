import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { tell } from '../../../src/domain/alertas/aviso.ts'
import type { NivelDaSemana, NivelDeAlerta } from '../../../src/domain/alertas/nivel.ts'
import { lugarOf } from '../../../src/domain/territorios/lugar.ts'
import { type Person, testApp } from '../../harness/app.ts'
import { bind } from '../../harness/bound.ts'
import { servicos } from './servico.ts'

const t = await testApp()
after(() => t.close())
const PERMISSOES = ['agravos.estatisticas']
const nacional = await t.person({ permissoes: PERMISSOES })
const recife = await bind(t, await t.person({ permissoes: PERMISSOES }), 'municipio:2611606')
const estado = await bind(t, await t.person({ permissoes: PERMISSOES }), 'uf:PE')
const sem = await t.person({ permissoes: ['agravos.listar'] })

const RECIFE = { municipio: '2611606' }
const CARUARU = { municipio: '2604106' }
const PERNAMBUCO = { estado: 'PE' as const }
const BRASIL = {}
const WEEK = 2900
const nivelOf = (nivel: NivelDeAlerta): NivelDaSemana => ({
  ...{ week: WEEK, nivel, motivos: [], casos: 1, casos_estimados: 1, incidencia: 1, p_rt_maior_1: 0.5 },
  ...{ limite_superior: null, qualidade: 'insuficiente' },
})
type Told = [lugar: object, nivel: NivelDeAlerta][]
const tellOf = (atuais: Told, tipo: 'dengue' | 'zika' = 'dengue') =>
  t.database.pool.transaction((tx) =>
    tell(
      t.app,
      tx,
      tipo,
      atuais.map(([lugar, nivel]) => ({ lugar: lugarOf(t.app, lugar), nivel: nivelOf(nivel) })),
      { regra_versao: 1, now: t.clock.now() },
    ),
  )

async function of(who: Person) {
  const { status, body, text } = await t.as(who).get('/notificacoes')
  assert.equal(status, 200, text)
  return body
}
interface Avisada {
  tipo: string
  lida_em: string | null
  alertas: { tipo_agravo: string; nivel: string; lugar: { nome: string }; total: number }
}
/** Levels of alert that an account was told of, each in a line. */
const linesOf = async (who: Person): Promise<string[]> =>
  (await of(who)).notificacoes.map(({ tipo, lida_em, alertas }: Avisada) => {
    assert.equal(tipo, 'alertas')
    const { tipo_agravo, nivel, lugar, total } = alertas
    return `${tipo_agravo} ${nivel} ${lugar.nome} ${total}${lida_em === null ? '' : ' read'}`
  })
const readAll = async (who: Person) =>
  t.as(who).put('/notificacoes/lidas', { ate: (await of(who)).notificacoes[0].id })

describe('Notifications of alerts', () => {
  it('tell who may read alerts of the places that lie in their territory as a whole', async () => {
    await tellOf([
      [RECIFE, 'amarelo'],
      [CARUARU, 'laranja'],
      [PERNAMBUCO, 'laranja'],
      [BRASIL, 'amarelo'],
    ])
    assert.deepEqual(await linesOf(nacional), ['dengue laranja Caruaru 4'])
    assert.deepEqual(await linesOf(estado), ['dengue laranja Caruaru 3'])
    assert.deepEqual(await linesOf(recife), ['dengue amarelo Recife 1'])
    assert.deepEqual((await of(sem)).notificacoes, [])
  })

  it('are summed up with what was not read yet of the disease, and say what is higher', async () => {
    const [{ id: before }] = (await of(estado)).notificacoes
    await tellOf([[RECIFE, 'vermelho']])
    assert.deepEqual(await linesOf(estado), ['dengue vermelho Recife 4'])
    assert.ok((await of(estado)).notificacoes[0].id > before, 'one that was being looked at stays unread')
    assert.equal((await of(estado)).nao_lidas, 1)
    await tellOf([[RECIFE, 'amarelo']], 'zika')
    assert.deepEqual(await linesOf(estado), ['zika amarelo Recife 1', 'dengue vermelho Recife 4'])
  })

  it('begin anew once they were read, and tell nothing of levels that fall', async () => {
    await readAll(estado)
    await tellOf([
      [RECIFE, 'verde'],
      [CARUARU, 'vermelho'],
    ])
    const lines = ['dengue vermelho Caruaru 1', 'zika amarelo Recife 1 read', 'dengue vermelho Recife 4 read']
    assert.deepEqual(await linesOf(estado), lines)
    await tellOf([[CARUARU, 'verde']])
    assert.deepEqual(await linesOf(estado), lines)
  })

  it('keep their details from an account that lost the place or the right since then', async () => {
    const who = await bind(t, await t.person({ permissoes: PERMISSOES }), 'municipio:2604106')
    await tellOf([[CARUARU, 'amarelo']])
    assert.deepEqual(await linesOf(who), ['dengue amarelo Caruaru 1'])
    await bind(t, who, 'municipio:2611606')
    const [{ tipo, alertas }] = (await of(who)).notificacoes
    assert.deepEqual([tipo, alertas], ['alertas', undefined])
  })
})

describe('Notifications of news', () => {
  const leitor = ['noticias.listar']
  const publish = async (redator: Person, input: object = {}): Promise<number> => {
    const body = { titulo: 'Nova ficha', conteudo: 'Texto', ...input }
    const { status, body: made, text } = await t.as(redator).post('/noticias', body)
    assert.equal(status, 201, text)
    return made.id
  }

  it('go to those who may read news but the author, and away with the news', async () => {
    const who = await t.person({ permissoes: leitor })
    const redator = await t.person({ permissoes: [...leitor, 'noticias.criar', 'noticias.deletar'] })
    const id = await publish(redator)
    const [{ tipo, noticia, lida_em }] = (await of(who)).notificacoes
    assert.deepEqual([tipo, noticia, lida_em], ['noticia', { id, titulo: 'Nova ficha' }, null])
    assert.deepEqual((await of(redator)).notificacoes, [])
    assert.deepEqual((await of(sem)).notificacoes, [])
    await publish(redator, { titulo: 'De antes', publicado_em: '2020-01-01T12:00:00Z' })
    assert.equal((await of(who)).nao_lidas, 1)
    assert.equal((await t.as(redator).delete(`/noticias/${id}`)).status, 204)
    assert.deepEqual(await of(who), { nao_lidas: 0, maximo: 100, notificacoes: [] })
  })

  it('of a day to come wait for that day, and are told once', async () => {
    const who = await t.person({ permissoes: leitor })
    const redator = await t.person({ permissoes: [...leitor, 'noticias.criar', 'noticias.editar'] })
    const inHours = (hours: number) => new Date(t.clock.now().getTime() + hours * 3_600_000).toISOString()
    // Read from the database: nobody is signed in for that long.
    const toldTo = async ({ id }: Person) => {
      const rows = await t.database.pool.rows<{ noticia_id: number }>(
        sql`select noticia_id from notificacoes where usuario_id = ${id} and noticia_id is not null`,
      )
      return rows.map(({ noticia_id }) => noticia_id)
    }
    const id = await publish(redator, { titulo: 'Amanhã', publicado_em: inHours(24) })
    const put = await publish(redator, { titulo: 'Adiada', publicado_em: inHours(24) })
    assert.equal((await t.as(redator).put(`/noticias/${put}`, { publicado_em: inHours(300) })).status, 200)
    await t.publicacao.runOnce()
    assert.deepEqual(await toldTo(who), [])
    t.clock.advance(25 * 3_600_000)
    await t.publicacao.runOnce()
    await t.publicacao.runOnce()
    assert.deepEqual(await toldTo(who), [id])
    assert.deepEqual(await toldTo(redator), [id], 'its author is told of the day too')
    // Nothing ran for weeks: news that are old by then ring no bell.
    t.clock.advance(600 * 3_600_000)
    await t.publicacao.runOnce()
    assert.deepEqual(await toldTo(who), [id])
  })

  it('keep the title from an account that may no longer read news, and are none of machines', async () => {
    const who = await t.person({ permissoes: leitor })
    const redator = await t.person({ permissoes: [...leitor, 'noticias.criar'] })
    const { id: machine } = await servicos(t, await t.administrador()).conta(leitor)
    await publish(redator)
    await t.database.pool.run(sql`delete from usuarios_permissoes where usuario_id = ${who.id}`)
    const [{ tipo, noticia }] = (await of(who)).notificacoes
    assert.deepEqual([tipo, noticia], ['noticia', undefined])
    assert.deepEqual(
      await t.database.pool.rows(sql`select id from notificacoes where usuario_id = ${machine}`),
      [],
    )
  })
})
