import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'
import {
  IMPORTACOES,
  importacao,
  LIST,
  LISTED,
  MANAGES,
  REGISTERS,
  resultado,
  SEES,
} from './epizootias-answers.ts'
import { JOBS, page as pageOf, job as seriesJob } from './series-answers.ts'

const BULK = 'POST /api/v1/epizootias/bulk'
const CHECK = 'GET /api/v1/jobs/job_conferida'
const DONE = 'GET /api/v1/jobs/job_feita'
const FEITA = 'GET /api/v1/epizootias/importacoes/51'
const UNDO = 'POST /api/v1/epizootias/importacoes/51/desfazer'
const FILE = { name: 'primatas.csv', mimeType: 'text/csv', buffer: Buffer.from('ID;COD_MUN_OCOR\n1;2611606') }

const job = (id: string, more: object = {}) =>
  seriesJob(id, { tipo: 'importacao_epizootias', resultado: resultado(), ...more })
const DONE_JOB = job('job_feita', {
  trabalho: 'importacao',
  resultado: resultado({ modo: 'importar', importacao_id: 51 }),
})
const WIZARD: Answers = {
  ...REGISTERS,
  [LIST]: LISTED,
  [BULK]: [
    { status: 202, body: { job_id: 'job_conferida' } },
    { status: 202, body: { job_id: 'job_feita' } },
  ],
  [CHECK]: job('job_conferida', {
    rejeitados_url: 'https://vigia.example/x',
    resultado: resultado({
      arquivo: { ...resultado().arquivo, tamanho: FILE.buffer.length },
    }),
  }),
  [DONE]: DONE_JOB,
}
const SIMULATED = {
  ...{ tipo: 'desfazer_epizootias', trabalho: 'simulacao', resultado: undefined, importacao_id: 51 },
  result: { simular: true, removidos: 2_550, restaurados: 0, mantidos: [], total_mantidos: 6 },
}
const OPENED: Answers = { ...REGISTERS, [FEITA]: { body: importacao() }, [DONE]: DONE_JOB }
const choose = (page: Page) => page.locator('input[type=file]').setInputFiles(FILE)

const VIEWS: View[] = [
  { name: 'epizootias-importar', path: '/epizootias/importar', answers: WIZARD, seen: 'Escolha o arquivo' },
  {
    name: 'epizootias-importar-conferencia',
    picture: true,
    path: '/epizootias/importar',
    answers: WIZARD,
    act: choose,
    seen: 'Importar 2.556 eventos',
  },
  {
    name: 'epizootias-importar-resultado',
    path: '/epizootias/importar?job=job_feita',
    answers: WIZARD,
    seen: '2.556 eventos novos e 0 alterados',
  },
  {
    name: 'epizootias-importar-recusado',
    path: '/epizootias/importar?job=job_conferida',
    answers: {
      ...WIZARD,
      [CHECK]: job('job_conferida', {
        ...{ status: 'failed', codigo: 'INVALID_FILE', resultado: undefined },
        message: 'As colunas não são de nenhum leiaute conhecido.',
      }),
    },
    seen: /As colunas não são de nenhum leiaute conhecido\.$/,
  },
  {
    name: 'epizootias-importar-de-outra',
    path: '/epizootias/importar?job=job_conferida',
    answers: { ...WIZARD, [CHECK]: job('job_conferida', { tipo: 'importacao_series' }) },
    seen: 'Este endereço não é de uma importação de epizootias.',
  },
  {
    name: 'epizootias-importacoes',
    path: '/epizootias/importacoes',
    answers: { ...REGISTERS, [IMPORTACOES]: pageOf([importacao()], 25), [JOBS]: pageOf([]) },
    seen: /Primatas, Ministério da Saúde/,
  },
  {
    name: 'epizootias-importacoes-vazio',
    path: '/epizootias/importacoes',
    answers: { ...REGISTERS, [IMPORTACOES]: pageOf([]), [JOBS]: pageOf([]) },
    seen: 'Nenhuma importação de epizootias ainda.',
  },
  {
    name: 'epizootias-importacao',
    picture: true,
    path: '/epizootias/importacoes/51?simulacao=job_simulada',
    answers: { ...OPENED, 'GET /api/v1/jobs/job_simulada': job('job_simulada', SIMULATED) },
    seen: 'Desfazer em 2.550 eventos',
  },
  {
    name: 'epizootias-importar-sem-acesso',
    path: '/epizootias/importar',
    answers: SEES,
    seen: 'epizootias.registrar',
  },
]

describe('The import of events in animals', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('goes from the file over the check to the events, and the file is asked for again after a reload', async () => {
    await using visited = await visit('/epizootias/importar', { answers: WIZARD })
    const { page, asked } = visited
    await choose(page)
    await page.waitForURL('**/epizootias/importar?job=job_conferida')
    await page.getByText('municipio: município desconhecido').waitFor()
    await page.getByLabel(/^Só importar se tudo estiver certo/).check()
    assert.equal(await page.getByRole('button', { name: /^Importar/ }).count(), 0)
    await page.getByLabel(/^Importar as linhas boas/).check()
    await page.reload()
    await page.getByText(/Escolha primatas\.csv de novo/).waitFor()
    await choose(page)
    await page.getByRole('button', { name: 'Importar 2.556 eventos' }).click()
    await page.getByText('2.556 eventos novos e 0 alterados').waitFor()
    const sent = asked.filter(({ name }) => name === BULK).map(({ body }) => String(body))
    assert.equal(sent.length, 2)
    assert.match(sent[0] ?? '', /name="modo"\r\n\r\nvalidar/)
    assert.match(sent[1] ?? '', /name="modo"\r\n\r\nimportar[\s\S]*name="ignorar_erros"\r\n\r\ntrue/)
    assert.equal(
      await page.getByRole('link', { name: 'Ver os eventos' }).getAttribute('href'),
      '/epizootias?importacao=51',
    )
  })

  it('is undone after a simulation; of others only by accounts that may delete', async () => {
    const answers = {
      ...OPENED,
      [UNDO]: [{ status: 202, body: { job_id: 'job_simulada' } }, refusal(409, 'CONFLICT')],
      'GET /api/v1/jobs/job_simulada': job('job_simulada', SIMULATED),
    }
    await using visited = await visit('/epizootias/importacoes/51', { answers })
    const { page, asked } = visited
    await page.getByRole('button', { name: 'Simular' }).click()
    await page.getByRole('button', { name: 'Desfazer em 2.550 eventos' }).click()
    await eventually(() =>
      assert.deepEqual(
        asked.filter(({ name }) => name === UNDO).map(({ query }) => String(query)),
        ['simular=true', 'simular=false'],
      ),
    )
    await page.getByRole('alert').waitFor()
    const others = { [FEITA]: { body: importacao({ usuario: { id: 99, nome: 'Outra Pessoa' } }) } }
    await using reader = await visit('/epizootias/importacoes/51', { answers: { ...OPENED, ...others } })
    await reader.page.getByText(/^Só quem importou, ou quem pode excluir/).waitFor()
    await using manager = await visit('/epizootias/importacoes/51', {
      answers: { ...OPENED, ...MANAGES, ...others },
    })
    await manager.page.getByRole('button', { name: 'Simular' }).waitFor()
  })
})
