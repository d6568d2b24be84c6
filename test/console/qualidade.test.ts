import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Permission } from '../../src/caller/permissions.ts'
import { COMPLETUDE, INCONSISTENCIAS } from '../../src/domain/casos/qualidade/regras.ts'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, perfil, READER, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { PERNAMBUCO, TERRITORIOS } from './casos-data.ts'

const QUALIDADE = 'GET /api/v1/agravos/casos/qualidade'
const RESUMO = 'GET /api/v1/agravos/casos/qualidade/pendencias/resumo'
const ATRASOS = 'GET /api/v1/agravos/casos/estatisticas/atrasos'
const AT = '2026-11-14T15:00:00Z'
const never = new Promise<void>(() => undefined)

const me = (
  permissoes: Permission[] = ['agravos.estatisticas', 'agravos.listar', 'dashboard.visualizar'],
): Answers => ({ 'GET /api/v1/usuarios/me': perfil(permissoes), [TERRITORIOS]: PERNAMBUCO })

const oportunidade = (pct: number | null) => ({
  ...{ n: 900, p25: 2, mediana: 3.5, p75: 6, p90: 12 },
  ...{ no_prazo: 840, de: 900, pct },
})
const GRADES = ['excelente', 'bom', 'regular', 'ruim', 'muito_ruim'] as const
const numeros = {
  casos: 1_200,
  completude: [
    ...COMPLETUDE.map(({ campo }, at) => ({
      ...{ campo, preenchidos: 1_100, de: 1_200, pct: 91.67 },
      faixa: GRADES[at % GRADES.length],
    })),
    { campo: 'gestante', preenchidos: 0, de: 0, pct: null, faixa: null },
  ].filter(({ campo }, at, all) => all.findLastIndex((one) => one.campo === campo) === at),
  oportunidade: {
    notificacao: oportunidade(93.33),
    digitacao: oportunidade(71.2),
    encerramento: oportunidade(null),
    obito: oportunidade(100),
  },
  encerrado_automatico: 3,
  inconsistencias: INCONSISTENCIAS.map((codigo, at) => ({
    codigo,
    total: codigo === 'possivel_duplicado' ? 4 : at % 3,
  })),
}
const grupo = (codigo: string | null, nome: string | null) => ({ codigo, nome, estado: 'PE', ...numeros })
const answered = (more: object = {}) => ({
  body: {
    lugar: { nivel: 'estado', codigo: 'PE', nome: 'Pernambuco', estado: 'PE' },
    ...{ parcial: false, tipo_agravo: 'dengue', agrupar_por: 'municipio' },
    periodo: { data_inicio: '2025-11-15', data_fim: '2026-11-14' },
    ...numeros,
    grupos: [grupo('2604106', 'Caruaru'), grupo('2611606', 'Recife'), grupo(null, null)],
    ...{ total: 3, page: 1, size: 25, pages: 1, links: {}, meta: {} },
    ...{ calculado_em: AT, dados_ate: AT },
    ...more,
  },
})
const resumo = (items: object[], total = items.length, pages = 1) => ({
  body: { total, page: 1, size: 10, pages, items, por_codigo: {}, links: {}, meta: {} },
})
const LINHAS = [
  ...[{ codigo: 'atrasado', municipio: '2604106', municipio_nome: 'Caruaru', estado: 'PE', total: 31 }],
  ...[{ codigo: 'sem_classificacao', municipio: null, municipio_nome: null, estado: null, total: 2 }],
]
const atrasos = (more: object = {}) => ({
  body: {
    ...{ tipo_agravo: 'dengue', lugar: {}, parcial: false, casos: 'provaveis', semana: '2026-45' },
    ...{ calculado_em: AT, dados_ate: AT, motivo: null, sem_data_de_digitacao: 12, por_semana: [] },
    distribuicao: [
      { semanas: 0, pct: 41.5, acumulado_pct: 41.5 },
      { semanas: 1, pct: 52, acumulado_pct: 93.5 },
      { semanas: 2, pct: 6.1, acumulado_pct: 99.6 },
      { semanas: 3, pct: 0.4, acumulado_pct: 100 },
    ],
    ...{ mediana_semanas: 1, p90_semanas: 1 },
    ...more,
  },
})
const FEW = {
  ...{ distribuicao: null, mediana_semanas: null, p90_semanas: null },
  ...{ motivo: 'poucos_casos', sem_data_de_digitacao: 0 },
}
const ALL: Answers = {
  ...me(),
  ...{ [QUALIDADE]: answered(), [RESUMO]: resumo(LINHAS), [ATRASOS]: atrasos() },
}
const OF_PE = '/qualidade?agravo=dengue&uf=PE'

const VIEWS: View[] = [
  { name: 'qualidade', picture: true, path: OF_PE, answers: ALL, seen: 'Caruaru, PE' },
  {
    name: 'qualidade-parcial',
    path: '/qualidade?ano=1800&por=rua',
    answers: { ...ALL, [QUALIDADE]: answered({ parcial: true }), [RESUMO]: resumo([]) },
    seen: /^Parte do lugar está fora do seu território/,
  },
  {
    name: 'qualidade-vazia',
    path: OF_PE,
    answers: { ...ALL, [QUALIDADE]: answered({ casos: 0 }) },
    seen: 'Nenhuma ficha foi notificada neste lugar e período.',
  },
  {
    name: 'qualidade-sem-pagina',
    path: `${OF_PE}&pagina=9&lista=9`,
    answers: { ...ALL, [QUALIDADE]: answered({ grupos: [] }), [RESUMO]: resumo([], 12, 2) },
    seen: 'A página 9 não existe.',
  },
  {
    name: 'qualidade-carregando',
    path: OF_PE,
    answers: { ...ALL, [QUALIDADE]: { after: never } },
    seen: 'Está demorando…',
  },
  {
    name: 'qualidade-erro',
    path: OF_PE,
    answers: { ...ALL, [QUALIDADE]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
  {
    name: 'qualidade-erro-nas-pendencias',
    path: OF_PE,
    answers: { ...ALL, [RESUMO]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
  {
    name: 'qualidade-erro-nos-atrasos',
    path: OF_PE,
    answers: { ...ALL, [ATRASOS]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
  {
    name: 'qualidade-poucos-casos',
    path: OF_PE,
    answers: { ...ALL, [ATRASOS]: atrasos(FEW) },
    seen: /^São menos de 50 casos com data de digitação/,
  },
  { name: 'qualidade-sem-acesso', path: '/qualidade', answers: READER, seen: 'agravos.estatisticas' },
]

const queryOf = async (page: Page, name: string | RegExp) => {
  const href = await page.getByRole('link', { name }).first().getAttribute('href')
  const { pathname, searchParams } = new URL(href as string, 'https://vigia.example')
  return [pathname, Object.fromEntries(searchParams)]
}

describe('The quality of records', { skip: noBrowser }, () => {
  inspectViews(VIEWS)
  const visit = consoleVisits()

  it('is asked for the records of the address, by the parts below its place', async () => {
    for (const [path, expected] of [
      ['/qualidade', { data_inicio: '2025-11-15', data_fim: '2026-11-14', agrupar_por: 'estado' }],
      [
        `${OF_PE}&ano=2026`,
        {
          ...{ tipo_agravo: 'dengue', estado: 'PE', data_inicio: '2026-01-01', data_fim: '2026-11-14' },
          agrupar_por: 'municipio',
        },
      ],
      [
        '/qualidade?municipio=2604106&ano=2024&pagina=2',
        {
          ...{ municipio: '2604106', data_inicio: '2024-01-01', data_fim: '2024-12-31' },
          agrupar_por: 'unidade',
        },
      ],
      [
        '/qualidade?regiao=26004&por=unidade',
        {
          ...{ regiao_saude: '26004', data_inicio: '2025-11-15', data_fim: '2026-11-14' },
          agrupar_por: 'unidade',
        },
      ],
    ] as const) {
      await using visited = await visit(path, { answers: ALL, at: AT })
      await visited.page.getByText('Caruaru, PE').waitFor()
      const asked = visited.asked.filter(({ name }) => name === QUALIDADE)
      const page = path.includes('pagina=2') ? '2' : '1'
      assert.deepEqual(
        asked.map(({ query }) => Object.fromEntries(query)),
        [{ ...expected, page, size: '25' }],
      )
    }
  })

  it('leads from each number to exactly its records', async () => {
    await using visited = await visit(OF_PE, { answers: ALL, at: AT })
    const { page } = visited
    const same = {
      ...{ agravo: 'dengue', uf: 'PE', periodo: '2025-11-15..2026-11-14' },
      ...{ base: 'notificacao', classificacao: 'notificado' },
    }
    assert.deepEqual(await queryOf(page, 'Óbito sem data'), [
      '/casos',
      { ...same, pendencia: 'obito_sem_data' },
    ])
    assert.deepEqual(await queryOf(page, '31'), [
      '/casos',
      { ...same, municipio: '2604106', pendencia: 'atrasado' },
    ])
    // Pairs and the unknown municipality are no list of cases.
    await page.getByText('pares de fichas que podem ser da mesma pessoa').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Possível duplicidade' }).count(), 0)
    assert.equal(await page.getByRole('link', { name: '2', exact: true }).count(), 0)
    assert.deepEqual(await queryOf(page, 'Recife'), [
      '/qualidade',
      { agravo: 'dengue', municipio: '2611606', uf: 'PE' },
    ])
    assert.deepEqual(await queryOf(page, 'Tabular casos'), ['/tabelas', same])
    assert.deepEqual(await queryOf(page, 'Baixar (CSV)'), [
      '/api/v1/agravos/casos/qualidade',
      {
        ...{ tipo_agravo: 'dengue', estado: 'PE', data_inicio: '2025-11-15', data_fim: '2026-11-14' },
        ...{ agrupar_por: 'municipio', size: '100', formato: 'csv' },
      },
    ])
  })

  it('tells no records to those who may not list cases', async () => {
    await using visited = await visit(OF_PE, { answers: { ...ALL, ...me(['agravos.estatisticas']) }, at: AT })
    const { page, asked } = visited
    await page.getByText('Óbito sem data').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Óbito sem data' }).count(), 0)
    assert.ok(!asked.some(({ name }) => name === RESUMO))
    assert.equal(await page.getByText('Onde há pendências').count(), 0)
  })

  it('tells how long records of one disease take until they are typed in, until nearly all are', async () => {
    await using visited = await visit(OF_PE, { answers: ALL, at: AT })
    const { page, asked } = visited
    await page.getByText('Metade está digitada 1 semana depois, 90 % 1 semana depois.').waitFor()
    const rows = page.getByRole('table', { name: 'Demora até a digitação' }).getByRole('row')
    assert.deepEqual((await rows.allTextContents()).slice(1), [
      'na mesma semana41,5 %41,5 %',
      '1 semana depois52 %93,5 %',
      '2 semanas depois6,1 %99,6 %',
    ])
    await page.getByText('12 casos sem data de digitação não entram.').waitFor()
    const [{ query }] = asked.filter(({ name }) => name === ATRASOS) as [(typeof asked)[number]]
    assert.deepEqual(Object.fromEntries(query), { tipo_agravo: 'dengue', estado: 'PE' })

    await using every = await visit('/qualidade', { answers: ALL, at: AT })
    await every.page.getByText('Escolha um agravo.').waitFor()
    assert.ok(!every.asked.some(({ name }) => name === ATRASOS))
  })

  it('leads to the panorama those who may see it', async () => {
    const answers = { ...ALL, ...me(['agravos.estatisticas', 'agravos.panorama']) }
    await using visited = await visit(OF_PE, { answers, at: AT })
    const link = visited.page.getByRole('link', { name: 'Panorama do país' })
    assert.equal(await link.getAttribute('href'), '/panorama')
    await using other = await visit(OF_PE, { answers: ALL, at: AT })
    await other.page.getByText('Caruaru, PE').waitFor()
    assert.equal(await other.page.getByRole('link', { name: 'Panorama do país' }).count(), 0)
  })

  it('names what of its address is no filter', async () => {
    await using visited = await visit('/qualidade?ano=1800&por=rua&uf=XX', { answers: ALL, at: AT })
    await visited.page.getByText(/ficaram de fora: uf=XX, ano=1800, por=rua\./).waitFor()
  })

  it('changes its address by the bar', async () => {
    await using visited = await visit(OF_PE, { answers: ALL, at: AT })
    const { page } = visited
    await page.getByRole('button', { name: 'Notificação' }).click()
    await page.getByRole('radio', { name: '2025' }).click()
    await page.waitForURL('**/qualidade?agravo=dengue&ano=2025&uf=PE')
    await page.getByRole('button', { name: 'Limpar filtros' }).click()
    await page.waitForURL('**/qualidade')
  })
})
