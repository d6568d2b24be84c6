import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TIPOS_DE_JOB } from '../../src/domain/jobs/jobs.ts'
import { sistema } from '../../web/console/texts/pt-BR/sistema.ts'
import { noBrowser } from '../harness/browser.ts'
import { ADMIN, type Answers, consoleVisits, HEALTHY, refusal, SISTEMA } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'

const JOBS = 'GET /api/v1/jobs'
const SISTEMA_ROUTE = 'GET /api/v1/sistema'
const CANCEL = 'DELETE /api/v1/jobs/job_a'

const job = (id: string, more: object = {}) => ({
  job_id: id,
  tipo: 'importacao',
  status: 'processing',
  status_url: '',
  trabalho: 'importacao',
  message: 'Lendo o arquivo',
  codigo: null,
  progress: 41,
  created_at: '2026-11-14T14:58:00.000Z',
  completed_at: null,
  usuario: { id: 9, nome: 'Carlos Teixeira' },
  ...more,
})
const JOBS_LISTED = {
  body: {
    items: [
      job('job_a'),
      job('job_b', { tipo: 'exportacao_casos', status: 'completed', message: 'Exportação concluída' }),
      job('job_c', { tipo: 'boletim', status: 'failed', message: 'O boletim falhou' }),
    ],
    total: 23,
    page: 1,
    size: 10,
    pages: 3,
    links: {},
  },
}
const ALL: Answers = { ...ADMIN, ...HEALTHY, [JOBS]: JOBS_LISTED }

const VIEWS: View[] = [
  { name: 'sistema-completo', picture: true, path: '/sistema', answers: ALL, seen: 'O boletim falhou' },
  {
    name: 'sistema-sem-copia',
    path: '/sistema',
    answers: {
      ...ADMIN,
      ...HEALTHY,
      [SISTEMA_ROUTE]: { body: { ...SISTEMA, ultima_copia: null, limites: [] } },
    },
    seen: /^Sem cópia, uma falha do disco perde tudo/,
  },
  {
    name: 'sistema-cancelar',
    picture: true,
    path: '/sistema',
    answers: ALL,
    act: (page) =>
      page.getByRole('button', { name: 'Cancelar: Importação de casos, de Carlos Teixeira' }).click(),
    seen: 'Cancelar este trabalho?',
  },
  {
    name: 'sistema-erro',
    path: '/sistema',
    answers: { ...ALL, [SISTEMA_ROUTE]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
]

describe('The words of jobs', () => {
  it('are there for every kind', () => {
    assert.deepEqual(
      TIPOS_DE_JOB.filter((tipo) => sistema.tipos[tipo] === undefined),
      [],
    )
  })
})

describe('The system', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('names its environment, and on a small screen each number of a queue', async () => {
    await using visited = await visit('/sistema', { answers: ALL, width: 360 })
    const { page } = visited
    await page.locator('dd', { hasText: /^Testes$/ }).waitFor()
    const cell = page.locator('.labelled td[data-column="esperando"]').first()
    await cell.waitFor()
    assert.equal(await cell.getAttribute('data-title'), 'Esperando')
    const [box, row] = [await cell.boundingBox(), await cell.locator('..').boundingBox()]
    assert.ok((box?.width ?? 0) > 0.8 * (row?.width ?? 0), 'it has a line of its own')
  })

  it('shows what waits, what space there is, when the last backup was, and who asks most', async () => {
    await using visited = await visit('/sistema', { answers: ALL })
    const { page } = visited
    await page
      .getByRole('row', { name: /Entregas de webhooks 1\.204 3 h 3 desistências na última hora/ })
      .waitFor()
    await page.getByText('54 GB de 99,7 GB').waitFor()
    await page.getByText('10/11/2026 às 00:00, 391 MB').waitFor()
    await page.getByText('Há 4 dias.').waitFor()
    await page
      .getByRole('row', { name: 'Laboratório Central, por programas 50 de 50 640 de 1.000' })
      .waitFor()
  })

  it('asks for jobs of all accounts, by pages of the address', async () => {
    await using visited = await visit('/sistema?pagina=2', { answers: ALL })
    const { page, asked } = visited
    await page.getByText('O boletim falhou').waitFor()
    assert.equal(String(asked.find(({ name }) => name === JOBS)?.query), 'de=todos&page=2&size=10')
    assert.equal(await page.getByRole('button', { name: /^Cancelar:/ }).count(), 1, 'only what is not over')
  })

  it('cancels a job after a word, and looks again', async () => {
    await using visited = await visit('/sistema', { answers: { ...ALL, [CANCEL]: { body: job('job_a') } } })
    const { page, asked } = visited
    await page.getByRole('button', { name: 'Cancelar: Importação de casos, de Carlos Teixeira' }).click()
    await page.getByText(/^Importação de casos, de Carlos Teixeira\./).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancelar', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await eventually(() => assert.equal(asked.filter(({ name }) => name === JOBS).length, 2))
    assert.equal(asked.filter(({ name }) => name === CANCEL).length, 1)
  })

  it('measures again when asked', async () => {
    await using visited = await visit('/sistema', { answers: ALL })
    const { page, asked } = visited
    await page.getByText('O boletim falhou').waitFor()
    await page.getByRole('button', { name: 'Verificar agora' }).click()
    await eventually(() => assert.equal(asked.filter(({ name }) => name === SISTEMA_ROUTE).length, 2))
  })
})
