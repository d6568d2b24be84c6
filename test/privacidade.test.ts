import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { describedContracts } from '../src/contracts/service.routes.ts'
import { askForDuplicidades } from '../src/domain/casos/duplicidades/agenda.ts'
import { answer, receiver } from './contracts/b/webhooks-app.ts'
import { type Answer, type Person, testApp, type Verbs } from './harness/app.ts'
import { dumpTables } from './harness/dump.ts'
import { MULTIPART, multipart, type Part } from './harness/multipart.ts'
import {
  ALTERACAO,
  anexoPlantado,
  BAIRRO,
  casoPlantado,
  holdsBairro,
  MOTIVO,
  NOME,
  PLANTADOS,
  plantedIn,
} from './planted.ts'

/**
 * Who a patient is, planted through every route that writes, is found in no answer, log, table, mail, event or metric, but
 * for what is asked for by right: an identified read, the download of an attachment, what one's own receiver answered.
 */

const t = await testApp({ env: { METRICS_PORT: '0' }, realLogins: true })
after(() => t.close())

const admin = await t.administrador()
const people: Record<string, Person | null> = {
  anonymous: null,
  'someone in no group': await t.person(),
  'group admin': await t.person({ grupos: ['admin'] }),
  gestor: await t.person({ grupos: ['gestor'] }),
  analista: await t.person({ grupos: ['analista'] }),
  usuario: await t.person({ grupos: ['usuario'] }),
  visualizador: await t.person({ grupos: ['visualizador'] }),
  administrador: admin,
  auditor: await t.person({ permissoes: ['auditoria.ver'] }),
}
const gestor = people.gestor as Person
const analista = people.analista as Person
const MAY_IDENTIFY = ['gestor', 'administrador', 'group admin']
/** Those who register events in animals read their observations. */
const MAY_REGISTER = [...MAY_IDENTIFY, 'analista']
const verbsOf = (who: string): Verbs => {
  const person = people[who] as Person | null
  return person === null ? t.anonymous : t.as(person)
}

/** Body and headers, as they were sent. */
const wholeOf = ({ text, headers }: Answer) => `${JSON.stringify(headers)}\n${text}`

const written: { what: string; answer: Answer }[] = []
async function write(what: string, status: number, answer: Promise<Answer>): Promise<Answer> {
  const done = await answer
  assert.equal(done.status, status, `${what}: ${done.text}`)
  written.push({ what, answer: done })
  return done
}

const cases = { changed: 0, excluded: 0, restored: 0, keyed: 0, defined: 0 }
let anexo = 0
let moment = ''
/** Learns of everything, and answers with what it should not. */
const them = await receiver(answer(200, { 'x-paciente': PLANTADOS.recusado }, NOME))
const webhook = { id: '', entrega: 0 }

const attach = (by: Person, id: number, parts = anexoPlantado()) =>
  t
    .as(by)
    .request('POST', `/agravos/casos/${id}/anexos`, { headers: MULTIPART, payload: multipart(...parts) })
const exclude = (id: number, motivo = MOTIVO) =>
  t.as(gestor).delete(`/agravos/casos/${id}?motivo=${encodeURIComponent(motivo)}`)

before(async () => {
  const eventos = ['agravo', 'epizootia'].flatMap((of) =>
    ['criad', 'atualizad', 'excluid', 'restaurad'].map(
      (what) => `${of}.${what}${of === 'agravo' ? 'o' : 'a'}`,
    ),
  )
  eventos.push('tipo_agravo.alterado')
  const subscription = t.as(analista).post('/webhooks', { url: them.url, eventos })
  webhook.id = (await write('subscribe', 201, subscription)).body.id
  const create = (what: string, options = {}) =>
    write(what, 201, t.as(analista).post('/agravos/casos', casoPlantado(), options))
  cases.changed = (await create('create')).body.id
  cases.excluded = (await create('create')).body.id
  cases.restored = (await create('create')).body.id
  const headers = { 'idempotency-key': PLANTADOS.chave }
  const body = casoPlantado()
  const keyed = () => t.as(analista).post('/agravos/casos', body, { headers })
  cases.keyed = (await write('create with a key', 201, keyed())).body.id
  await write('create with a key again', 201, keyed())
  const other = t.as(analista).post('/agravos/casos', casoPlantado(), { headers })
  await write('another with the same key', 422, other)
  t.clock.advance(60_000)
  moment = t.clock.now().toISOString()
  t.clock.advance(60_000)
  for (const id of [cases.changed, cases.restored])
    await write('change', 200, t.as(analista).put(`/agravos/casos/${id}`, ALTERACAO))
  anexo = (await write('attach', 201, attach(analista, cases.changed))).body.id
  const second = (await write('attach', 201, attach(gestor, cases.changed))).body.id
  await write('detach', 204, t.as(gestor).delete(`/agravos/casos/${cases.changed}/anexos/${second}`))
  for (const id of [cases.excluded, cases.restored]) await write('exclude', 204, exclude(id))
  await write('restore', 200, t.as(gestor).post(`/agravos/casos/${cases.restored}/restaurar`))
  const gone = (await create('create')).body.id
  await write('attach', 201, attach(analista, gone))
  const motivo = encodeURIComponent(MOTIVO)
  await write('remove', 204, t.as(admin).delete(`/agravos/casos/${gone}?motivo=${motivo}&force=true`))
  await definedDisease()
  await animals()
  await duplicates()
  await refusals()
  await t.webhookWorker.runOnce()
  const { body: log } = await t.as(analista).get(`/webhooks/${webhook.id}/entregas`)
  webhook.entrega = log.items[0].id
  const resend = `/webhooks/${webhook.id}/entregas/${webhook.entrega}/reenviar`
  await write('deliver again', 202, t.as(gestor).post(resend))
  await write('replay', 202, t.as(gestor).post(`/webhooks/${webhook.id}/reenviar`, { desde: moment }))
  await write('test a receiver', 200, t.as(gestor).post(`/webhooks/${webhook.id}/testar`))
  await t.webhookWorker.runOnce()
})

/** A case with an own field of free text, which is sealed as a name is. */
async function definedDisease(): Promise<void> {
  const as = t.as(analista)
  const definition = { modelo: 'leptospirose', ativar: true }
  await write('define a disease', 201, t.as(admin).post('/agravos/tipos', definition))
  const { investigacao: _, ...caso } = casoPlantado()
  const own = (texto: string) => ({ dados_especificos: { risco_outras: true, risco_outras_quais: texto } })
  const leptospirose = { ...caso, tipo_agravo: 'leptospirose', ...own(PLANTADOS['texto próprio']) }
  const created = await write('create with own fields', 201, as.post('/agravos/casos', leptospirose))
  cases.defined = created.body.id
  const changed = own(`Açude ${PLANTADOS['texto próprio']}`)
  await write('change own fields', 200, as.put(`/agravos/casos/${cases.defined}`, changed))
  const wrong = { dados_especificos: { risco_outras: false, risco_outras_quais: NOME } }
  await write('a contradiction', 422, as.post('/agravos/casos', { ...leptospirose, ...wrong }))
}

/** Events in animals, whose observation may name whose yard it is; the first stays. */
async function animals(): Promise<void> {
  const evento = {
    ...{ data_ocorrencia: '2026-03-01', municipio: 'Recife', estado: 'PE', especie_grupo: 'pnh' },
    ...{ suspeita: 'febre_amarela', observacao: `No quintal de ${NOME}, ${PLANTADOS.observação}` },
  }
  const motivo = encodeURIComponent(MOTIVO)
  for (const numero of ['PLT-1', 'PLT-2']) {
    const create = t.as(analista).post('/epizootias', { ...evento, numero })
    const path = `/epizootias/${(await write('register an event', 201, create)).body.id}`
    const observacao = `${PLANTADOS.observação}, ${PLANTADOS['nome novo']}`
    await write('change an event', 200, t.as(analista).put(path, { observacao }))
    await write('exclude an event', 204, t.as(gestor).delete(`${path}?motivo=${motivo}`))
    if (numero === 'PLT-1') await write('restore an event', 200, t.as(gestor).post(`${path}/restaurar`))
  }
  const future = { ...evento, numero: NOME, data_ocorrencia: '2099-01-01' }
  await write('a broken event', 422, t.as(analista).post('/epizootias', future))
}

/** Two cases of the planted person: compared, decided about, merged, separated, looked for. */
async function duplicates(): Promise<void> {
  const as = t.as(gestor)
  const { body: first } = await write('create', 201, as.post('/agravos/casos', casoPlantado()))
  await askForDuplicidades(t.app)
  await t.jobWorker.runAll()
  const told = await write(
    'create and be told',
    201,
    as.post('/agravos/casos?duplicidade=avisar', casoPlantado()),
  )
  assert.ok(told.body.possiveis_duplicidades.length > 0)
  await write('be refused', 409, as.post('/agravos/casos?duplicidade=recusar', casoPlantado()))
  await write('scan', 202, as.post('/agravos/duplicidades/varredura'))
  await t.jobWorker.runAll()
  const { body: pairs } = await as.get(`/agravos/casos/${told.body.id}/duplicidades`)
  const [one, other] = pairs.duplicidades
  const decide = (id: number, decisao: string, query = '') =>
    as.post(`/agravos/duplicidades/${id}/decidir${query}`, { decisao, motivo: MOTIVO })
  await write('decide', 200, decide(one.id, 'outra_pessoa'))
  await write('simulate a merge', 200, decide(other.id, 'mesmo_caso', '?simular=true'))
  const merge = as.post(`/agravos/casos/${first.id}/fundir`, { caso_id: told.body.id, motivo: MOTIVO })
  const { body: merged } = await write('merge', 200, merge)
  await write('undo a merge', 200, as.post(`/agravos/fusoes/${merged.fusao_id}/desfazer`))
  const busca = { nome: NOME, nascimento: PLANTADOS.nascimento, motivo: 'Pedido da pessoa' }
  const { status, body } = await as.post('/agravos/pessoas/buscar', busca)
  assert.deepEqual([status, body.total > 2], [200, true])
}

/** Requests that are refused, with planted values in each place that could be quoted. */
async function refusals(): Promise<void> {
  const { recusado } = PLANTADOS
  const broken = {
    ...casoPlantado(),
    tipo_agravo: recusado,
    paciente_sexo: recusado,
    data_notificacao: recusado,
    municipio_residencia: recusado,
    estado_residencia: recusado,
    cep_residencia: recusado,
    latitude: recusado,
    [recusado]: recusado,
    dados_especificos: { prova_laco: recusado, febre: recusado },
    investigacao: { locais_frequentados: [{ local: 7, endereco: recusado }] },
  }
  const one = `/agravos/casos/${cases.changed}`
  const key = { headers: { 'idempotency-key': `${PLANTADOS.chave}-2` } }
  const as = t.as(analista)
  await write('a broken create', 422, as.post('/agravos/casos', broken))
  await write('a broken create with a key', 422, as.post('/agravos/casos', broken, key))
  await write('a broken change', 422, as.put(one, broken))
  const late = { paciente_data_nascimento: PLANTADOS.nascimento, data_inicio_sintomas: '1950-01-01' }
  await write('a contradiction', 422, as.put(one, late))
  const long = NOME.repeat(20)
  await write('a long name', 422, as.put(one, { paciente_nome: long }))
  const { numero_notificacao } = (await t.as(gestor).get(one)).body
  const again = { ...casoPlantado(), numero_notificacao }
  await write('a duplicate', 422, as.post('/agravos/casos', again))
  const text = { headers: { 'content-type': 'application/json' }, payload: `{"paciente_nome": "${NOME}` }
  await write('broken JSON', 400, as.request('POST', '/agravos/casos', text))
  await write('a list', 422, as.post('/agravos/casos', [NOME]))
  const stale = { headers: { 'if-match': '"1"' } }
  await write('a stale change', 409, as.put(one, { paciente_nome: NOME }, stale))
  await write('an unknown case', 404, as.put('/agravos/casos/999999', { paciente_nome: NOME }))
  await write('nobody', 401, t.anonymous.post('/agravos/casos', casoPlantado()))
  const visualizador = t.as(people.visualizador as Person)
  await write('no right', 403, visualizador.post('/agravos/casos', casoPlantado()))
  await write('a long reason', 422, exclude(cases.changed, MOTIVO.repeat(20)))
  await write('excluded before', 404, exclude(cases.excluded))
  const [tipo, descricao, file] = anexoPlantado() as [Part, Part, Part]
  const page = { ...file, content: Buffer.from(`<html>${PLANTADOS.conteúdo}`) }
  await write('a page', 422, attach(analista, cases.changed, [tipo, descricao, page]))
  const wrong = { field: 'tipo', content: recusado }
  await write('no tipo', 422, attach(analista, cases.changed, [wrong, descricao, file]))
}

const info = { title: '', version: '', description: '', publicUrl: null }
const GETS = [
  ...new Set(
    describedContracts(info)
      .contracts.flatMap((contract) => contract.rows)
      .filter(({ method }) => method === 'GET')
      .map(({ path }) => path),
  ),
]

const IDENTIFIED = 'identificado=true'
const QUERIES = () => [
  '',
  'include=historico,anexos,investigacao',
  `em=${encodeURIComponent(moment)}`,
  `em=${encodeURIComponent(t.clock.now().toISOString())}&include=anexos`,
  'size=100&order=asc&sort=id',
  'nivel=bairro',
  'nivel=cep',
  'nivel=municipio&bounds=-36,-9,-34,-7',
  'agregacao=dia&data_base=sintomas&agrupar_por=tipo_agravo,faixa_etaria,sexo,estado,municipio',
  IDENTIFIED,
  `${IDENTIFIED}&nivel=cep`,
]

/** The paths of a row with the planted ids in them, as requests of the test's callers write them. */
function pathsOf(path: string): string[] {
  const relative = path.replace('/api/v1', '')
  if (relative.startsWith('/webhooks/'))
    return [relative.replace('{id}', webhook.id).replace('{entrega_id}', `${webhook.entrega}`)]
  if (!relative.startsWith('/agravos/')) return [relative.replaceAll(/\{\w+\}/g, '1')]
  const ofCase = (id: number) => relative.replace('{id}', `${id}`).replace('{anexo_id}', `${anexo}`)
  // One without an id is the same for all cases.
  return [...new Set(Object.values(cases).map(ofCase))]
}

const isIdentified = (query: string) => query.startsWith('identificado=true')

/** What an answer may hold, by right. */
function allowed(who: string, path: string, query: string): (what: string) => boolean {
  if (path.endsWith('{anexo_id}'))
    return (what) => what === 'conteúdo' && (MAY_IDENTIFY.includes(who) || who === 'analista')
  if (path.endsWith('{entrega_id}') && who === 'analista') return (what) => what.endsWith('nome')
  if (/\/epizootias\/(\{id\}(\/historico)?|excluidas)$/.test(path) && MAY_REGISTER.includes(who))
    return (what) =>
      what === 'motivo' || (!path.endsWith('excluidas') && (what === 'observação' || /nome/.test(what)))
  // Why a case was removed for good.
  if (path.endsWith('/auditoria') && MAY_IDENTIFY.includes(who)) return (what) => what === 'motivo'
  if (!MAY_IDENTIFY.includes(who)) return () => false
  if (isIdentified(query) && /\/casos\/\{id\}(\/\w+)?$|\/agravos\/duplicidades$/.test(path))
    return (what) => !['conteúdo', 'nome do arquivo', 'recusado', 'chave'].includes(what)
  return (what) => isIdentified(query) && path.endsWith('/mapa-calor') && what.startsWith('cep')
}

/** Tables that the requests of this test write to. */
const FILLED = [
  ...['casos_historico', 'auditoria', 'idempotencia', 'anexos', 'arquivos_partes'],
  ...['eventos', 'webhooks', 'entregas'],
  ...['casos_chaves', 'casos_identidade', 'nomes_frequencia', 'duplicidades', 'fusoes', 'jobs'],
  ...['epizootias', 'epizootias_historico', 'agravo_definicoes'],
]

describe('The search itself', () => {
  it('finds what is open, and what is identified or downloaded by right', async () => {
    const one = `/agravos/casos/${cases.changed}`
    const { text } = await t.as(gestor).get(`${one}?identificado=true&include=historico,anexos`)
    const hidden = ['conteúdo', 'nome do arquivo', 'motivo', 'recusado', 'chave', 'cep']
    hidden.push('texto próprio', 'observação')
    assert.deepEqual(
      plantedIn(text).toSorted(),
      Object.keys(PLANTADOS)
        .filter((what) => !hidden.includes(what))
        .toSorted(),
    )
    assert.deepEqual(plantedIn((await t.as(analista).get(`${one}/anexos/${anexo}`)).text), ['conteúdo'])
    const own = await t.as(gestor).get(`/agravos/casos/${cases.defined}?identificado=true`)
    assert.ok(plantedIn(own.text).includes('texto próprio'))
    const event = await t.as(analista).get('/epizootias/1')
    assert.deepEqual(plantedIn(event.text), ['nome novo', 'observação'])
    assert.ok(holdsBairro((await t.as(analista).get(one)).text))
    for (const coded of [
      encodeURIComponent(NOME),
      Buffer.from(`x ${NOME} y`).toString('base64'),
      Buffer.from(`xy ${NOME}`).toString('base64url'),
      Buffer.from(NOME).toString('hex').toUpperCase(),
      'IRAÇUÍ',
      'iracui',
      'Ira\\u00e7u\\u00ed',
    ])
      assert.ok(plantedIn(coded).includes('nome'), coded)
    assert.deepEqual(plantedIn('M. S. S., Rua das Flores, 50000-000, -8.05'), [])
  })
})

/** A live stream is read for a second from its beginning. */
function queriesOf(path: string): string[] {
  if (path.endsWith('/aovivo')) return ['cursor=0&duracao=1']
  return path.includes('/agravos/') ? QUERIES() : ['', 'size=100', 'include=permissoes']
}

describe('What identifies a patient', () => {
  it('is in no answer to a request that wrote it, whether it was carried out or refused', () => {
    assert.ok(written.length > 25)
    for (const { what, answer } of written) assert.deepEqual(plantedIn(wholeOf(answer)), [], what)
  })

  for (const who of Object.keys(people))
    it(`is in no answer of any GET route to ${who}, but what was asked for by right`, async () => {
      const verbs = verbsOf(who)
      let answered = 0
      for (const path of GETS)
        for (const query of queriesOf(path))
          for (const target of pathsOf(path)) {
            const answer = await verbs.get(`${target}?${query}`)
            const found = plantedIn(wholeOf(answer)).filter((what) => !allowed(who, path, query)(what))
            assert.deepEqual(found, [], `${target}?${query}`)
            if (query === IDENTIFIED && /\/casos\/\{id\}(\/(?!acessos)\w+)?$/.test(path))
              if (who !== 'anonymous' && !MAY_IDENTIFY.includes(who)) assert.equal(answer.status, 403)
            assert.ok(answer.status < 500, target)
            if (answer.status === 200) answered++
          }
      if (MAY_IDENTIFY.includes(who)) assert.ok(answered > 150, String(answered))
    })

  it('is no help in searching: a planted value is answered like one that nobody has', async () => {
    const decoys: Record<string, string> = {
      [NOME]: 'Iraçuó da Tabajarêncio',
      [PLANTADOS.cep]: '64917386',
      [PLANTADOS.logradouro]: 'Jacarandaço',
      [PLANTADOS.nascimento]: '1957-08-24',
      [PLANTADOS.motivo]: 'Ermengórdia',
      [PLANTADOS.descrição]: 'Hemogramótico',
      [PLANTADOS['texto próprio']]: 'Quixeramobonça',
      [PLANTADOS.observação]: 'Paranapiocabense',
    }
    const lists = ['/agravos/casos', '/agravos/casos/excluidos', '/auditoria', '/usuarios', '/noticias']
    lists.push(`/agravos/casos/${cases.changed}/anexos`, `/agravos/casos/${cases.changed}/historico`)
    lists.push('/agravos/casos/estatisticas/resumo', '/agravos/casos/mapa-calor')
    lists.push('/epizootias', '/epizootias/excluidas', '/series')
    const forms = ['search=', 'paciente_nome=', 'paciente_nome[eq]=', 'cep=', 'descricao[like]=', 'sort=']
    forms.push('observacao=', 'tipo_agravo=leptospirose&especifico.risco_outras_quais=')
    const shown = ({ status, text }: Answer, value: string) => [
      status,
      // The caller's own words come back in links and in the names of parameters; no one else's.
      ...[value, encodeURIComponent(value), `${new URLSearchParams({ '': value })}`.slice(1)]
        .reduce((all, form) => all.replaceAll(form, '…'), text)
        .replaceAll(/"(timestamp|request_id)":"[^"]*"/g, ''),
    ]
    for (const path of lists)
      for (const form of forms)
        for (const [value, decoy] of Object.entries(decoys)) {
          const ask = async (one: string) =>
            shown(await t.as(admin).get(`${path}?${form}${encodeURIComponent(one)}`), one).join('')
          assert.equal(await ask(value), await ask(decoy), `${path}?${form}${value}`)
        }
  })

  it('is not in the log', () => {
    assert.ok(t.logs.length > 500)
    assert.deepEqual(plantedIn(t.logs.join('\n')), [])
  })

  it('is in no table, the audit and the kept answers of keyed requests included', async () => {
    const dumps = await dumpTables(t.database.pool)
    assert.ok(holdsBairro(dumps.get('casos') ?? ''), 'the search finds what is there')
    for (const nome of FILLED) assert.ok((dumps.get(nome)?.length ?? 0) > 100, nome)
    for (const [nome, texto] of dumps) {
      assert.deepEqual(plantedIn(texto), [], nome)
      // XML writes bytes in base64, whose lines may break a word.
      assert.deepEqual(plantedIn(texto.replaceAll(/\s/g, '')), [], nome)
    }
  })

  it('is in no event and no delivery', async () => {
    const { body } = await t.as(analista).get('/eventos?size=100')
    assert.deepEqual([...new Set(body.eventos.map(({ tipo }: { tipo: string }) => tipo))].sort(), [
      'agravo.atualizado',
      'agravo.criado',
      'agravo.excluido',
      'agravo.restaurado',
      'epizootia.atualizada',
      'epizootia.criada',
      'epizootia.excluida',
      'epizootia.restaurada',
      'tipo_agravo.alterado',
    ])
    assert.ok(them.deliveries.length > body.eventos.length + 2, 'all of them, and some again')
    for (const { headers, text } of them.deliveries)
      assert.deepEqual(plantedIn(`${JSON.stringify(headers)}\n${text}`), [], text)
  })

  it('is in no mail', async () => {
    await t.anonymous.post('/auth/forgot-password', { email: analista.email })
    await t.mailWorker.runOnce()
    assert.ok(t.mails.length > 0)
    assert.deepEqual(plantedIn(JSON.stringify(t.mails)), [])
  })

  it('is not in the metrics', async () => {
    const text = (await t.metrics?.render()) ?? ''
    assert.ok(text.includes('/api/v1/agravos/casos/{id}'))
    assert.deepEqual(plantedIn(text), [])
    assert.ok(!holdsBairro(text), BAIRRO)
  })
})
