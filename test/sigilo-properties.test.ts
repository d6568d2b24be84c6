import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { describedContracts } from '../src/contracts/service.routes.ts'
import { CASOS_LIST } from '../src/domain/casos/reading/filters.ts'
import type { FilterField } from '../src/filter.ts'
import { csv } from './contracts/b/importacoes-app.ts'
import { ABERTO, ALVOS, linhaDe, locaisOf, type Mundo, mundo, SEGREDOS, SERIE } from './sigilo-worlds.ts'

/**
 * Two databases that differ in secret fields alone give equal answers (status, body, headers) to every request of somebody who
 * may not identify patients. The guesses they send are right in one of them and wrong in the other.
 */

const [RIGHT, WRONG] = SEGREDOS

/** Routes that know nothing of cases, by the beginning of their path. */
const EXEMPT: Record<string, string> = {
  '/api/v1/auth/': 'logins and sessions',
  '/api/v1/usuarios': 'accounts',
  '/api/v1/grupos': 'accounts',
  '/api/v1/contas-de-servico': 'accounts',
  '/api/v1/permissoes': 'accounts',
  '/api/v1/noticias': 'news',
  '/api/v1/health': 'the service itself',
  '/api/v1/sistema': 'the service itself',
  '/api/v1/visoes': 'filters',
  '/api/v1/notificacoes': 'ends of jobs',
  '/api/v1/series': 'numbers by place',
  '/api/v1/agravos/tipos': 'definitions',
  '/api/v1/epizootias': 'events in animals',
  '/api/v1/publico/series': 'numbers by place',
  '/api/v1/publico/epizootias': 'events in animals',
  '/api/v1/auditoria/verificar': 'seals',
  '/api/v1/territorios': 'tables of the repository',
  '/api/v1/agravos/regioes-saude': 'tables of the repository',
  '/api/v1/agravos/populacao': 'tables of the repository',
  '/api/v1/agravos/alertas/regras': 'thresholds',
  '/api/v1/agravos/agendas': 'schedules',
  '/api/v1/agravos/duplicidades': 'pairs of cases, by a right that tells of equal names',
  '/api/v1/agravos/casos/{id}/duplicidades': 'pairs of cases, by a right that tells of equal names',
  '/api/v1/agravos/casos/{id}/fundir': 'pairs of cases, by a right that tells of equal names',
  '/api/v1/agravos/fusoes': 'pairs of cases, by a right that tells of equal names',
  '/api/v1/agravos/pessoas': 'for those who may identify patients',
  '/api/v1/openapi.json': 'the service itself',
  '/.well-known/': 'the service itself',
}

/** Routes beneath those that count cases all the same. */
const COUNTING = ['/api/v1/series/painel', '/api/v1/series/{codigo}/correlacao']

const sampleOf = (nome: string, { type, values, form }: FilterField): string => {
  if (values !== undefined) return values[0] as string
  if (form !== undefined) return '202411'
  if (type === 'boolean') return 'true'
  if (type.startsWith('date')) return '2024-03-12'
  if (type === 'integer') return nome === 'idade' ? '33' : '8'
  return { municipio: 'Recife', bairro: 'boa viagem', numero_notificacao: 'direto' }[nome] ?? '1'
}
const FILTERS = Object.entries(CASOS_LIST.fields).flatMap(([nome, field]) => {
  const value = encodeURIComponent(sampleOf(nome, field))
  return field.type === 'integer' ? [`${nome}=${value}`, `${nome}[ne]=${value}`] : [`${nome}=${value}`]
})
const SEARCHES = Object.values(RIGHT).map((value) => `search=${encodeURIComponent(value)}`)

const LISTS = [
  ...['/agravos/casos', '/agravos/casos/estatisticas/resumo', '/agravos/casos/mapa-calor'],
  '/agravos/casos/qualidade/pendencias',
]
const OF_CASO = ['', '/historico', '/anexos', '/acessos'] as const
const CASO = '/agravos/casos/{id}'

/** Everything that can be read. */
async function readAll({ ask, follow, ids, anexo }: Mundo): Promise<void> {
  for (const path of [
    ...['/agravos/tipos', '/agravos/casos', '/agravos/casos/excluidos', '/agravos/casos/estatisticas/resumo'],
    ...[
      '/agravos/alertas',
      '/agravos/importacoes',
      '/jobs',
      '/auditoria',
      '/eventos',
      '/webhooks',
      '/webhooks/eventos',
    ],
  ])
    for (const query of ['', 'size=100&order=asc', 'page=2&size=2']) await ask('GET', path, { query })
  await ask('GET', '/eventos/aovivo', { query: 'cursor=0&duracao=1' })
  await follow('audit', await ask('POST', '/auditoria/exportar', { body: { formato: 'json' } }))
  const agrupar_por =
    'tipo_agravo,faixa_etaria,sexo,estado,municipio,regiao_saude,bairro,cnes,faixa_etaria*sexo'
  await ask('GET', '/agravos/casos/estatisticas/resumo', {
    query: `data_base=sintomas&agrupar_por=${agrupar_por}`,
  })
  for (const base of ['sintomas', 'notificacao'])
    await ask('GET', '/agravos/casos/painel', { query: `tipo_agravo=dengue&ano=2024&data_base=${base}` })
  for (const place of ['', '&estado=PE', '&municipio=2611606'])
    await ask('GET', '/agravos/casos/painel/partes', {
      query: `tipo_agravo=dengue&partes=pendencias,bairros,niveis${place}`,
    })
  await ask('GET', '/agravos/casos/facetas', {
    query: 'campos=municipio,cnes,evolucao,sexo,faixa_etaria,raca',
  })
  for (const query of ['tipo_agravo=dengue&ano=2024', 'tipo_agravo=dengue&ano=2024&estado=PE'])
    await ask('GET', '/agravos/panorama', { query })
  for (const rota of ['curva', 'indicadores'])
    for (const query of [
      'tipo_agravo=dengue&ano=2024',
      'tipo_agravo=dengue&ano=2024&municipio=2611606&formato=csv',
    ])
      await ask('GET', `/publico/agravos/${rota}`, { query })
  await ask('GET', '/publico/agravos/alertas', { query: 'tipo_agravo=dengue' })
  for (const rota of ['curva', 'diagrama-controle', 'indicadores', 'rt', 'nowcast', 'atrasos'])
    for (const query of ['tipo_agravo=dengue&estado=PE', 'tipo_agravo=dengue&municipio=2611606&formato=csv'])
      await ask('GET', `/agravos/casos/estatisticas/${rota}`, { query })
  await ask('GET', '/agravos/casos/estatisticas/frequencias', {
    query: 'tipo_agravo=dengue&campos=febre&estado=PE',
  })
  await readSeries(ask)
  for (const query of [
    'tipo_agravo=dengue&estado=PE&detalhe=true',
    'tipo_agravo=dengue&nivel_lugar=estado&formato=csv',
  ])
    await ask('GET', '/agravos/alertas/situacao', { query })
  for (const municipio of ['2611606', undefined])
    await follow(
      'boletim',
      await ask('POST', '/agravos/boletins', {
        body: { tipo_agravo: 'dengue', municipio, semana: '202412' },
      }),
    )
  await ask('GET', '/agravos/boletins', { query: 'sort=id' })
  for (const id of [1, 2]) await ask('GET', '/agravos/boletins/{id}', { params: { id } })
  await ask('GET', '/agravos/boletins/{id}/arquivo', { params: { id: 1 }, query: 'formato=html' })
  await ask('DELETE', '/agravos/boletins/{id}', { params: { id: 2 } })
  const alerta = { params: { id: 1 } }
  await ask('GET', '/agravos/alertas/{id}', alerta)
  await ask('POST', '/agravos/alertas/{id}/reconhecer', { ...alerta, body: { nota: 'Vista' } })
  for (const rota of ['', '/pendencias', '/pendencias/resumo'])
    for (const query of ['', 'municipio=2611606&data_inicio=2024-01-01', 'estado=PE&formato=csv'])
      await ask('GET', `/agravos/casos/qualidade${rota}`, { query })
  for (const agrupar_por of ['municipio', 'unidade'])
    await ask('GET', '/agravos/casos/qualidade', {
      query: `data_inicio=2024-01-01&agrupar_por=${agrupar_por}`,
    })
  for (const pendencia of ['sem_classificacao', 'possivel_duplicado'])
    await ask('GET', '/agravos/casos/qualidade/pendencias', { query: `pendencia=${pendencia}` })
  for (const alvo of ALVOS)
    for (const rest of OF_CASO)
      for (const query of ['', 'include=historico,anexos,investigacao', 'identificado=true'])
        await ask('GET', `${CASO}${rest}`, { params: { id: ids[alvo] }, query })
  await ask('GET', `${CASO}/anexos/{anexo_id}`, { params: { id: ids.direto, anexo_id: anexo } })
  for (const nivel of ['municipio', 'bairro', 'cep'])
    for (const query of [
      '',
      '&tipo_agravo=dengue',
      '&bounds=-36,-9,-34,-7',
      '&identificado=true',
      '&periodo=9',
    ])
      await ask('GET', '/agravos/casos/mapa-calor', { query: `nivel=${nivel}${query}` })
  for (const id of [1, 2, 3, 99]) await ask('GET', '/agravos/importacoes/{id}', { params: { id } })
}

/** Series beside the numbers of cases. */
async function readSeries(ask: Mundo['ask']): Promise<void> {
  for (const query of ['estado=PE', 'municipio=2611606&indice=true', 'municipio=2611606&formato=csv']) {
    const weeks = `tipo_agravo=dengue&semana_inicio=202301&semana_fim=202426&${query}`
    for (const casos of ['notificados', 'provaveis'])
      await ask('GET', '/series/painel', { query: `series=${SERIE}&${weeks}&casos=${casos}` })
    if (query.includes('indice')) continue
    for (const metodo of ['spearman', 'pearson_log'])
      await ask('GET', '/series/{codigo}/correlacao', {
        params: { codigo: SERIE },
        query: `${weeks}&metodo=${metodo}&defasagem_max=4`,
      })
  }
}

async function filterAll({ ask, ids }: Mundo): Promise<void> {
  const one = encodeURIComponent(JSON.stringify({ or: [{ id: { ne: ids.direto } }, { idade: { gte: 34 } }] }))
  for (const query of [...FILTERS, ...SEARCHES, `id[ne]=${ids.direto}`, `search=${one}`])
    for (const path of LISTS)
      for (const nivel of path.endsWith('mapa-calor') ? ['municipio', 'bairro', 'cep'] : [''])
        await ask('GET', path, { query: nivel === '' ? query : `${query}&nivel=${nivel}` })
  for (const sort of CASOS_LIST.sortable) await ask('GET', '/agravos/casos', { query: `sort=${sort}` })
}

/** Open values that a stored birth date would refuse, and values that nothing accepts. */
const OPEN = [
  ...['1850-01-01', '1989-12-31', '1990-05-19', '1990-05-20', '1990-06-01', '1990-08-02', '2024-03-11'].map(
    (day) => ({ data_inicio_sintomas: day }),
  ),
  ...['2023-05-19', '2023-05-20', '2023-06-01', '2023-08-03', '2024-03-10'].map((day) => ({
    data_inicio_sintomas: day,
  })),
  ...['1989-01-01', '1990-06-01', '2024-03-12'].map((day) => ({
    data_notificacao: day,
    data_inicio_sintomas: null,
  })),
  { data_inicio_sintomas: '2024-03-10' },
  ...[0, 32, 33, 34].map((paciente_idade) => ({ paciente_idade })),
  { latitude: -8.05 },
  { longitude: null },
  { estado_residencia: 'SP' },
  { data_obito: '2024-03-15' },
  { paciente_sexo: 'x' },
]

/** Each secret alone, as it is in one of the databases, as nobody has it, and empty. */
const GUESSES = [RIGHT, { ...WRONG, numero_residencia: '99' }].flatMap(
  ({ latitude, longitude, ...rest }): object[] => [
    ...Object.entries(rest).map(([nome, value]) => ({ [nome]: value })),
    { latitude, longitude },
    locaisOf({ latitude, longitude, ...rest }),
    { ...rest, evolucao: 'cura' },
    { logradouro_residencia: null, cep_residencia: null },
    { paciente_data_nascimento: rest.paciente_data_nascimento, paciente_idade: 12 },
    { paciente_data_nascimento: rest.paciente_data_nascimento, data_inicio_sintomas: '1990-06-01' },
  ],
)

/** Whatever is guessed, and with a case that is there. */
async function verifyAll({ ask, ids }: Mundo): Promise<void> {
  const verificar = (body: object) => ask('POST', '/agravos/casos/verificar', { body })
  for (const guess of GUESSES) {
    await verificar({ ...ABERTO, numero_notificacao: 'verificado', paciente_nome: 'Ana Lima', ...guess })
    for (const alvo of ALVOS) await verificar({ id: ids[alvo], ...guess })
  }
  for (const open of OPEN) for (const id of [ids.direto, ids.vazio]) await verificar({ id, ...open })
  for (const alvo of ALVOS) await verificar({ ...ABERTO, ...RIGHT, numero_notificacao: alvo })
}

/** Drafts, with guesses in them. */
async function draftAll({ ask }: Mundo): Promise<void> {
  const params = { uuid: '6f2b8f54-2f5e-4c3a-9d52-0c5d1d3a7b11' }
  await ask('PUT', '/rascunhos/{uuid}', { params, body: { conteudo: { ...RIGHT } } })
  for (const method of ['GET', 'DELETE', 'GET']) await ask(method, '/rascunhos/{uuid}', { params })
  await ask('GET', '/rascunhos')
}

async function changeAll({ ask, ids }: Mundo): Promise<void> {
  for (const alvo of ALVOS) {
    const params = { id: ids[alvo] }
    const isFirst = alvo === 'direto' || alvo === 'vazio'
    for (const body of isFirst ? [...OPEN, ...GUESSES] : GUESSES) {
      await ask('PUT', CASO, { params, body })
      if (isFirst) await ask('GET', '/agravos/casos', { query: `id=${params.id}` })
    }
    await ask('GET', `${CASO}/historico`, { params, query: 'size=100' })
  }
  const params = { id: ids.direto }
  await ask('PATCH', CASO, { params, body: { paciente_nome: RIGHT.paciente_nome } })
  await ask('PUT', CASO, { params, body: GUESSES[0], headers: { 'if-match': '"1"' } })
}

async function importAll({ send, follow, ask, ids }: Mundo): Promise<void> {
  const { paciente_data_nascimento, ...known } = RIGHT
  const early = { ...linhaDe('importado', known), data_inicio_sintomas: '1990-06-01' }
  const { paciente_nome } = RIGHT
  const sinan = (alvo: string) => ({
    NU_NOTIFIC: alvo,
    TP_NOT: '2',
    ID_AGRAVO: 'A90',
    DT_NOTIFIC: '2024-03-12',
    DT_SIN_PRI: '1990-06-01',
    SG_UF: '26',
    ID_MN_RESI: '261160',
    NM_PACIENT: paciente_nome,
  })
  const files = [
    csv(...ALVOS.map((alvo) => linhaDe(alvo, RIGHT))),
    csv(linhaDe('importado', RIGHT), linhaDe('editado', RIGHT)),
    csv(linhaDe('importado', { ...RIGHT, cep_residencia: WRONG.cep_residencia })),
    csv(linhaDe('editado', RIGHT)),
    csv(linhaDe('proprio', RIGHT)),
    csv({ ...early, paciente_sexo: 'x' }, early),
    csv(sinan('importado'), sinan('direto')),
  ]
  const guesses = Object.entries(WRONG).map(([nome, value]) =>
    csv(linhaDe('importado', { ...RIGHT, [nome]: value })),
  )
  const look = async () => {
    await ask('GET', '/agravos/casos', { query: 'size=100&sort=id' })
    for (const id of [ids.importado, ids.editado]) await ask('GET', CASO, { params: { id } })
  }
  for (const file of [...files, ...guesses]) await send(file, { modo: 'validar' })
  for (const file of files) {
    const resultado = await send(file, { modo: 'importar', ignorar_erros: 'true' })
    await look()
    const params = { id: resultado.importacao_id }
    for (const query of ['simular=true', ''])
      await follow('undo', await ask('POST', '/agravos/importacoes/{id}/desfazer', { params, query }))
    await look()
  }
  await follow('undo', await ask('POST', '/agravos/importacoes/{id}/desfazer', { params: { id: 1 } }))
}

async function exportAll({ ask, follow }: Mundo): Promise<void> {
  for (const body of [
    { formato: 'csv' },
    { formato: 'json', filtros: { estado: 'PE' } },
    { formato: 'csv', identificado: true },
    { formato: 'csv', campos: ['paciente_nome'] },
  ])
    await follow('export', await ask('POST', '/agravos/casos/exportar', { body }))
  const pedido = { k: 5, finalidade: 'Sazonalidade dos casos', orgao: 'Universidade' }
  await follow(
    'extract',
    await ask('POST', '/agravos/casos/extratos', { body: { formato: 'csv', ...pedido } }),
  )
}

/** The other ways to change cases. */
async function restAll({ ask, ids, attach, t, them, keep }: Mundo): Promise<void> {
  const eventos = ['agravo.criado', 'agravo.atualizado', 'agravo.excluido', 'agravo.restaurado']
  // Of what happened before, nothing is delivered.
  await t.webhookWorker.runOnce()
  const { body: webhook } = await ask('POST', '/webhooks', { body: { url: them.url, eventos } })
  const params = { id: ids.direto }
  const nova = { ...linhaDe('direto', RIGHT), latitude: RIGHT.latitude, longitude: RIGHT.longitude }
  await ask('POST', '/agravos/casos', { body: nova })
  await ask('POST', '/agravos/casos', { body: { ...nova, numero_notificacao: 'novo' } })
  const anexo_id = await attach(ids.direto)
  await ask('GET', `${CASO}/anexos/{anexo_id}`, { params: { ...params, anexo_id } })
  await ask('DELETE', `${CASO}/anexos/{anexo_id}`, { params: { ...params, anexo_id } })
  await ask('PUT', CASO, { params, body: { logradouro_residencia: RIGHT.logradouro_residencia } })
  await ask('DELETE', CASO, { params })
  await ask('DELETE', CASO, { params, query: 'motivo=engano' })
  await ask('POST', `${CASO}/restaurar`, { params })
  await ask('POST', `${CASO}/restaurar`, { params: { id: ids.excluido } })
  await t.webhookWorker.runOnce()
  const received = them.deliveries.map(({ body }) => JSON.stringify({ ...body, id: '' })).toSorted()
  keep('deliveries', { status: 0, text: received.join('\n'), headers: {}, body: null })
  const own = { id: webhook.id }
  const log = await ask('GET', '/webhooks/{id}/entregas', { params: own })
  const entrega = { ...own, entrega_id: log.body.items[0].id }
  await ask('GET', '/webhooks/{id}/entregas/{entrega_id}', { params: entrega })
  await ask('POST', '/webhooks/{id}/entregas/{entrega_id}/reenviar', { params: entrega })
  await ask('POST', '/webhooks/{id}/reenviar', { params: own, body: { desde: '2024-01-01T00:00:00Z' } })
  await ask('POST', '/webhooks/{id}/testar', { params: own })
  await ask('GET', '/webhooks/{id}', { params: own })
  await ask('PUT', '/webhooks/{id}', { params: own, body: { eventos } })
  await ask('PATCH', '/webhooks/{id}', { params: own, body: { eventos } })
  for (const rest of ['pausar', 'retomar', 'segredo'])
    await ask('POST', `/webhooks/{id}/${rest}`, { params: own })
  await ask('DELETE', '/webhooks/{id}', { params: own })
}

const worlds = [await mundo(RIGHT, false), await mundo(WRONG, true)] as const
after(() => Promise.all(worlds.map(({ t }) => t.close())))

describe('Somebody who may not identify patients', () => {
  for (const [what, act] of Object.entries({
    'what there is to read': readAll,
    'every filter': filterAll,
    'imports, dry runs and undos, with guesses among them': importAll,
    'checks without writing, with guesses among them': verifyAll,
    drafts: draftAll,
    'changes, with guesses among them': changeAll,
    exports: exportAll,
    'all other requests': restAll,
    'what there is to read afterwards': readAll,
  }))
    it(`is answered the same by two databases that differ in secret fields: ${what}`, async () => {
      const answers = []
      for (const world of worlds) {
        const from = world.vistos.length
        await act(world)
        answers.push(world.vistos.slice(from))
      }
      const [first = [], second = []] = answers
      const accepted = first.filter(({ shown }) => [200, 201, 202, 204].includes(shown.status))
      assert.ok(accepted.length > 3, `${accepted.length} of ${first.length} were accepted`)
      for (const [i, visto] of first.entries()) assert.deepEqual(second[i]?.shown, visto.shown, visto.what)
      assert.equal(first.length, second.length)
    })

  it('was tried on every route that knows of cases', () => {
    const info = { title: '', version: '', description: '', publicUrl: null }
    const rows = describedContracts(info).contracts.flatMap((contract) => contract.rows)
    const isExempt = (path: string) =>
      !COUNTING.includes(path) && Object.keys(EXEMPT).some((prefix) => path.startsWith(prefix))
    const untried = rows
      .filter(({ path }) => !isExempt(path))
      .map(({ method, path }) => `${method} ${path}`)
      .filter((row) => !worlds[0].tried.has(row))
    assert.deepEqual(untried, [])
  })
})
