import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { addDays, dateInBrazil } from '../../../src/brasil/calendar.ts'
import { sundayOfWeek, weekOf } from '../../../src/brasil/epi-week.ts'
import { calcularAlertas } from '../../../src/domain/alertas/calculo.ts'
import { anexosOf } from '../../contracts/b/anexos-app.ts'
import { evento } from '../../contracts/b/epizootias-app.ts'
import { csv, importacoesApp, linha } from '../../contracts/b/importacoes-app.ts'
import { servicos } from '../../contracts/b/servico.ts'
import { receiver } from '../../contracts/b/webhooks-app.ts'
import { type Answer, MASTER_KEY, PASSWORD, type Person } from '../../harness/app.ts'

/** What each part of the service tells of, and that it is what the catalogue describes. */

const app = await importacoesApp()
const { t, admin, gestor, analista, run, importar, idOf } = app
const anexos = anexosOf(t)
after(() => t.close())

interface Descricao {
  nome: string
  permissao: string
  schema: object
  exemplo: { tipo: string }
}
const { body: catalogo } = await t.as(analista).get('/webhooks/eventos')
const eventos = catalogo.eventos as Descricao[]
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
const validators = new Map(eventos.map(({ nome, schema }) => [nome, ajv.compile(schema)]))
/** Every field is there and no other, each as described. */
function assertDescribed(body: { tipo: string; dados: object }): void {
  const validate = validators.get(body.tipo)
  assert.ok(validate, body.tipo)
  assert.ok(validate(body), `${JSON.stringify(body)} ${ajv.errorsText(validate.errors)}`)
  const schema = validate.schema as { properties: { dados: { properties: object } } }
  assert.deepEqual(Object.keys(body.dados).sort(), Object.keys(schema.properties.dados.properties).sort())
}

const them = await receiver()
const created = await t
  .as(admin)
  .post('/webhooks', { url: them.url, eventos: eventos.map(({ nome }) => nome) })
assert.equal(created.status, 201, created.text)
await t.webhookWorker.runOnce()

const told = new Set<string>()
/** The events of what is done, in order, each as its name and what it tells. */
async function eventsOf(act: () => Promise<unknown>): Promise<[string, Record<string, unknown>][]> {
  them.deliveries.length = 0
  await act()
  await t.webhookWorker.runOnce()
  return them.deliveries.map(({ body }) => {
    assertDescribed(body)
    told.add(body.tipo)
    return [body.tipo, body.dados]
  })
}

async function done(answer: Promise<Answer>): Promise<Answer> {
  const one = await answer
  assert.ok(one.status < 300, one.text)
  return one
}

describe('the catalogue', () => {
  it('describes every event with an example that is one', () => {
    assert.equal(catalogo.total, eventos.length)
    assert.deepEqual(
      eventos.map(({ nome, permissao }) => `${nome} ${permissao}`),
      [
        'agravo.criado agravos.listar',
        'agravo.atualizado agravos.listar',
        'agravo.excluido agravos.listar',
        'agravo.restaurado agravos.listar',
        'importacao.concluida agravos.listar',
        'importacao.desfeita agravos.listar',
        'alerta.alterado agravos.estatisticas',
        'serie.atualizada series.listar',
        'tipo_agravo.alterado agravos.listar',
        'epizootia.criada epizootias.listar',
        'epizootia.atualizada epizootias.listar',
        'epizootia.excluida epizootias.listar',
        'epizootia.restaurada epizootias.listar',
        'epizootia.confirmada epizootias.listar',
        'usuario.criado usuarios.listar',
        'usuario.desativado usuarios.listar',
        'usuario.territorio_alterado usuarios.listar',
        'usuario.chaves_alteradas chaves.gerenciar',
      ],
    )
    for (const { nome, exemplo } of eventos) {
      assert.equal(exemplo.tipo, nome)
      assertDescribed(exemplo as never)
    }
  })
})

describe('an import', () => {
  const file = csv(linha({ numero_notificacao: 'EV-1' }), linha({ numero_notificacao: 'EV-2' }))

  it('is one event when it is carried out, also of a file that changes nothing; none when it is tried', async () => {
    assert.deepEqual(await eventsOf(() => run(file, { modo: 'validar' })), [])
    const [first, ...more] = await eventsOf(() => importar(file))
    assert.deepEqual(more, [])
    const [tipo, { id, job_id, ...numbers }] = first as [string, Record<string, unknown>]
    assert.equal(tipo, 'importacao.concluida')
    const all = { total_linhas: 2, importados: 2, atualizados: 0, inalterados: 0, erros: 0 }
    assert.deepEqual(numbers, { ...all, alvo: 'casos' })
    const { body } = await t.as(gestor).get(`/agravos/importacoes/${id}`)
    assert.equal(body.job_id, job_id)
    const again = await eventsOf(() => importar(file))
    assert.deepEqual(
      again.map(([, dados]) => [dados.importados, dados.atualizados, dados.inalterados]),
      [[0, 0, 2]],
    )
    assert.notEqual(again[0]?.[1].id, id)
  })

  it('that is refused is none', async () => {
    const bad = csv(linha({ estado_residencia: 'XX' }))
    assert.deepEqual(await eventsOf(() => run(bad, { modo: 'importar' })), [])
  })

  it('is one event when it is undone, none when that is only tried', async () => {
    const { importacao_id } = await importar(csv(linha(), linha({ numero_notificacao: 'EV-3' })))
    await t.as(gestor).put(`/agravos/casos/${await idOf('EV-3')}`, { bairro_residencia: 'Pina' })
    await t.webhookWorker.runOnce()
    const undo =
      (query = '') =>
      async () => {
        const { body } = await done(
          t.as(analista).post(`/agravos/importacoes/${importacao_id}/desfazer${query}`),
        )
        await t.jobWorker.runAll()
        return body
      }
    assert.deepEqual(await eventsOf(undo('?simular=true')), [])
    const [[tipo, { job_id, ...dados }] = ['', {}], ...more] = await eventsOf(undo())
    assert.deepEqual(more, [])
    assert.match(String(job_id), /^job_/)
    assert.deepEqual(
      [tipo, dados],
      [
        'importacao.desfeita',
        { id: importacao_id, removidos: 1, restaurados: 0, mantidos: 1, alvo: 'casos' },
      ],
    )
  })
})

describe('a case', () => {
  it('is changed by an attachment that comes or goes, and not by one that is refused', async () => {
    const id = await anexos.caso(gestor)
    await t.webhookWorker.runOnce()
    const caso = { id, tipo_agravo: 'dengue' }
    let anexo = 0
    const added = await eventsOf(async () => {
      anexo = (await anexos.attach(gestor, id)).id
    })
    const removed = await eventsOf(() => done(t.as(gestor).delete(`/agravos/casos/${id}/anexos/${anexo}`)))
    for (const [events, versao] of [
      [added, 2],
      [removed, 3],
    ] as const)
      assert.deepEqual(
        events.map(([tipo, { numero_notificacao: _n, ...dados }]) => [tipo, dados]),
        [['agravo.atualizado', { ...caso, versao }]],
      )
    assert.deepEqual(await eventsOf(() => anexos.send(gestor, id)), [])
  })

  it('is changed by another responsible person, each live one', async () => {
    const [ana, bia] = [await t.person({ grupos: ['analista'] }), await t.person()]
    const ids = [await anexos.caso(ana), await anexos.caso(ana), await anexos.caso(ana)]
    await done(t.as(gestor).delete(`/agravos/casos/${ids[2]}?motivo=teste`))
    await t.webhookWorker.runOnce()
    const events = await eventsOf(() =>
      done(t.as(admin).delete(`/usuarios/${ana.id}?motivo=Saiu&transferir_para=${bia.id}`)),
    )
    assert.deepEqual(
      events.map(([tipo, { id, versao }]) => [tipo, id, versao]).toSorted(),
      [
        ['agravo.atualizado', ids[0], 2],
        ['agravo.atualizado', ids[1], 2],
        ['usuario.desativado', ana.id, undefined],
      ].toSorted(),
    )
  })

  it('is gone: for now, for good, and for good after it was gone for now', async () => {
    const [um, dois] = [await anexos.caso(gestor), await anexos.caso(gestor)]
    await t.webhookWorker.runOnce()
    const remove = (id: number, force: boolean) => () =>
      done(t.as(admin).delete(`/agravos/casos/${id}?motivo=teste&force=${force}`))
    const gone = async (id: number, force: boolean) =>
      (await eventsOf(remove(id, force))).map(([tipo, dados]) => [
        tipo,
        dados.id,
        dados.versao,
        dados.definitivo,
      ])
    assert.deepEqual(await gone(um, true), [['agravo.excluido', um, 2, true]])
    assert.deepEqual(await gone(dois, false), [['agravo.excluido', dois, 2, false]])
    assert.deepEqual(await gone(dois, true), [['agravo.excluido', dois, 3, true]])
  })

  it('is created, changed and brought back', async () => {
    let id = 0
    const events = await eventsOf(async () => {
      id = await anexos.caso(gestor)
      await done(t.as(gestor).put(`/agravos/casos/${id}`, { bairro_residencia: 'Pina' }))
      await done(t.as(gestor).delete(`/agravos/casos/${id}?motivo=teste`))
      await done(t.as(gestor).post(`/agravos/casos/${id}/restaurar`))
    })
    assert.deepEqual(
      events.map(([tipo, dados]) => `${tipo} ${dados.id} ${dados.versao}`),
      ['criado', 'atualizado', 'excluido', 'restaurado'].map((what, i) => `agravo.${what} ${id} ${i + 1}`),
    )
  })
})

describe('an account', () => {
  let people = 0
  const conta = () => ({ nome: 'Ana Souza', email: `conta${++people}@teste.local`, senha: PASSWORD })

  it('is created by sign-up and by others, and told of by its number alone', async () => {
    for (const create of [
      () => t.anonymous.post('/usuarios/signup', { usuario: { ...conta(), master_key: MASTER_KEY } }),
      () => t.as(admin).post('/usuarios', conta()),
    ]) {
      const events = await eventsOf(() => done(create()))
      const { body } = await t.as(admin).get(`/usuarios?email[eq]=conta${people}@teste.local`)
      assert.deepEqual(events, [['usuario.criado', { id: body.items[0].id }]])
    }
    const wrong = { usuario: { ...conta(), master_key: 'errada' } }
    assert.deepEqual(await eventsOf(() => t.anonymous.post('/usuarios/signup', wrong)), [])
  })

  const away: [string, (who: Person) => Promise<Answer>][] = [
    ['POST /desativar', ({ id }) => t.as(admin).post(`/usuarios/${id}/desativar`)],
    [
      'PUT in the one form',
      ({ id, email }) =>
        t.as(admin).put(`/usuarios/${id}`, { usuario: { nome: 'Ana', email, ativo: false } }),
    ],
    ['PUT in the other', ({ id }) => t.as(admin).put(`/usuarios/${id}`, { ativo: false })],
    ['PATCH', ({ id }) => t.as(admin).patch(`/usuarios/${id}`, { ativo: false })],
    ['DELETE', ({ id }) => t.as(admin).delete(`/usuarios/${id}`)],
    ['DELETE with a reason', ({ id }) => t.as(admin).delete(`/usuarios/${id}?motivo=Saiu`)],
    ['DELETE for good', ({ id }) => t.as(admin).delete(`/usuarios/${id}?motivo=Saiu&force=true`)],
  ]
  for (const [what, act] of away)
    it(`is switched off by ${what}`, async () => {
      const who = await t.person()
      assert.deepEqual(await eventsOf(() => done(act(who))), [['usuario.desativado', { id: who.id }]])
    })

  it('is bound to other places, which the event does not name; to the same again is none', async () => {
    const { id } = await t.person()
    const bind = (codigo: string) => () =>
      done(t.as(admin).put(`/usuarios/${id}/territorios`, { territorios: [{ nivel: 'uf', codigo }] }))
    assert.deepEqual(await eventsOf(bind('PE')), [['usuario.territorio_alterado', { id }]])
    assert.deepEqual(await eventsOf(bind('PE')), [])
  })

  it('of a machine gets, changes and loses a key, of which the event says nothing; to revoke it again is none', async () => {
    const { conta, chave } = servicos(t, admin)
    const { id } = await conta(['agravos.listar'])
    const told = ['usuario.chaves_alteradas', { id }]
    let made = ''
    const create = async () => {
      made = (await chave(id, ['agravos.listar'])).id
    }
    await t.webhookWorker.runOnce()
    assert.deepEqual(await eventsOf(create), [told])
    const path = () => `/contas-de-servico/${id}/chaves/${made}`
    assert.deepEqual(await eventsOf(() => done(t.as(admin).post(`${path()}/renovar`))), [told])
    assert.deepEqual(await eventsOf(() => done(t.as(admin).delete(path()))), [told])
    assert.deepEqual(await eventsOf(() => done(t.as(admin).delete(path()))), [])
  })

  it('that is switched off already, changed otherwise or switched on again is no event', async () => {
    const who = await t.person()
    await done(t.as(admin).put(`/usuarios/${who.id}`, { ativo: false }))
    await t.webhookWorker.runOnce()
    const silent = async () => {
      await done(t.as(admin).put(`/usuarios/${who.id}`, { ativo: false }))
      await done(t.as(admin).post(`/usuarios/${who.id}/desativar`))
      await done(t.as(admin).delete(`/usuarios/${who.id}?motivo=Saiu`))
      await done(t.as(admin).put(`/usuarios/${who.id}`, { cargo: 'Chefe' }))
      await done(t.as(admin).post(`/usuarios/${who.id}/reativar`))
    }
    assert.deepEqual(await eventsOf(silent), [])
  })
})

describe('a level of alert', () => {
  const compute = () => calcularAlertas(t.app, { proceed() {}, async done() {} }, async () => {})

  it('is one event for each place when it changes, and none when it is computed again', async () => {
    const inicio = sundayOfWeek(weekOf(dateInBrazil(t.clock.now())) - 1)
    const dates = { data_inicio_sintomas: inicio, data_notificacao: addDays(inicio, 1) }
    const lines = Array.from({ length: 30 }, (_, i) => linha({ numero_notificacao: `AL-${i}`, ...dates }))
    await importar(csv(...lines))
    await t.webhookWorker.runOnce()
    const events = await eventsOf(compute)
    // In order for each place only.
    assert.deepEqual(
      events
        .map(([tipo, { lugar, nivel }]) => `${tipo} ${(lugar as { nivel: string }).nivel} ${nivel}`)
        .sort(),
      ['estado', 'municipio', 'pais', 'regiao_saude'].map((place) => `alerta.alterado ${place} amarelo`),
    )
    assert.deepEqual(await eventsOf(compute), [])
  })
})

describe('values of a series', () => {
  it('that are written tell their series and weeks, and equal ones nothing', async () => {
    const valores = [{ municipio: 'Recife', estado: 'PE', semana: '202603', valor: 1.8 }]
    const write = () => done(t.as(admin).put('/series/liraa_iip/valores', { valores }))
    assert.deepEqual(
      (await eventsOf(write)).map(([tipo]) => tipo),
      ['serie.atualizada'],
    )
    assert.deepEqual(await eventsOf(write), [])
  })
})

describe('a disease', () => {
  it('that is defined, given up and removed tells each, and its draft nothing', async () => {
    const tell = (change: () => Promise<Answer>) => eventsOf(() => done(change()))
    const tipos = (path = '') => `/agravos/tipos${path}`
    assert.deepEqual(await tell(() => t.as(admin).post(tipos(), { modelo: 'hanseniase' })), [])
    const said = [
      ...(await tell(() => t.as(admin).post(tipos('/hanseniase/ativar')))),
      ...(await tell(() => t.as(admin).post(tipos('/hanseniase/desativar')))),
      ...(await tell(() => t.as(admin).delete(tipos('/hanseniase')))),
    ]
    assert.deepEqual(
      said.map(([tipo, { estado }]) => `${tipo} ${estado}`),
      ['ativa', 'inativa', 'removida'].map((estado) => `tipo_agravo.alterado ${estado}`),
    )
  })
})

describe('an event in animals', () => {
  it('tells of each change, and of its confirmation beside it', async () => {
    const body = evento({ municipio: 'Recife', estado: 'PE' })
    let id = 0
    const types = async (act: () => Promise<unknown>) => (await eventsOf(act)).map(([tipo]) => tipo)
    const create = async () => {
      id = (await done(t.as(admin).post('/epizootias', body))).body.id
    }
    assert.deepEqual(await types(create), ['epizootia.criada'])
    const change = () =>
      done(t.as(admin).put(`/epizootias/${id}`, { classificacao: 'confirmada', criterio: 'laboratorial' }))
    assert.deepEqual(await types(change), ['epizootia.atualizada', 'epizootia.confirmada'])
    assert.deepEqual(await types(change), [])
    const exclude = () => done(t.as(admin).delete(`/epizootias/${id}?motivo=engano`))
    assert.deepEqual(await types(exclude), ['epizootia.excluida'])
    assert.deepEqual(await types(() => done(t.as(admin).post(`/epizootias/${id}/restaurar`))), [
      'epizootia.restaurada',
    ])
  })

  it('reaches a subscription to its suspicion or its place alone', async () => {
    const { body: hook } = await t.as(admin).post('/webhooks', {
      ...{ url: them.url, eventos: ['epizootia.criada'] },
      filtros: { suspeita: 'raiva', estado: 'PE' },
    })
    assert.deepEqual(hook.filtros.suspeita, ['raiva'])
    const delivered = async (more: object) => {
      them.deliveries.length = 0
      await done(t.as(admin).post('/epizootias', evento(more)))
      await t.webhookWorker.runOnce()
      return them.deliveries.filter(({ body }) => body.webhook_id === hook.id).length
    }
    assert.equal(await delivered({ municipio: 'Recife', suspeita: 'raiva' }), 1)
    assert.equal(await delivered({ municipio: 'Recife' }), 0)
    assert.equal(await delivered({ municipio: '1721000', suspeita: 'raiva' }), 0)
    const { body } = await t.as(admin).get('/eventos?tipo=epizootia.criada&suspeita=raiva&size=100')
    assert.ok(body.eventos.length >= 2)
    assert.ok(body.eventos.every(({ dados }: { dados: { suspeita: string } }) => dados.suspeita === 'raiva'))
    await t.as(admin).delete(`/webhooks/${hook.id}`)
  })
})

describe('all together', () => {
  it('every event of the catalogue was seen', () => {
    assert.deepEqual([...told].sort(), eventos.map(({ nome }) => nome).sort())
  })
})
