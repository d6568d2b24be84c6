import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, reconnect, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'
import {
  CATALOGO,
  DEFINES,
  IMPORTACOES,
  importacao,
  JOBS,
  job,
  LIST,
  page as pageOf,
  resultado,
  SEES,
} from './series-answers.ts'

const BULK = 'POST /api/v1/series/bulk'
const CHECK = 'GET /api/v1/jobs/job_conferida'
const DONE = 'GET /api/v1/jobs/job_feita'
const FEITA = 'GET /api/v1/series/importacoes/41'
const UNDO = 'POST /api/v1/series/importacoes/41/desfazer'
const FILE = {
  name: 'clima-recife.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('SE;tempmin\n202601;23,4\n'),
}

const DONE_JOB = job('job_feita', {
  trabalho: 'importacao',
  resultado: resultado({ modo: 'importar', importacao_id: 41 }),
})
const WIZARD: Answers = {
  ...DEFINES,
  [LIST]: pageOf(CATALOGO),
  [BULK]: [
    { status: 202, body: { job_id: 'job_conferida' } },
    { status: 202, body: { job_id: 'job_feita' } },
  ],
  [CHECK]: job('job_conferida', { rejeitados_url: 'https://vigia.example/x' }),
  [DONE]: DONE_JOB,
}
const LISTED: Answers = {
  ...DEFINES,
  [IMPORTACOES]: pageOf(
    [
      importacao(),
      importacao({
        ...{ id: 40, desfeita_em: '2026-11-09T12:00:00.000Z', desfeita_por: 'Carlos Teixeira' },
        arquivo: { nome: '', formato: 'json', layout: 'valores' },
      }),
    ],
    25,
  ),
  [JOBS]: pageOf([]),
}
const SIMULATED = {
  ...{ tipo: 'desfazer_series', trabalho: 'simulacao', resultado: undefined, importacao_id: 41 },
  result: { simular: true, removidos: 3_300, restaurados: 12, total_mantidos: 72 },
}
const OPENED: Answers = { ...DEFINES, [FEITA]: { body: importacao() }, [DONE]: DONE_JOB }

const choose = (page: Page) => page.locator('input[type=file]').setInputFiles(FILE)

const VIEWS: View[] = [
  {
    name: 'series-importar',
    picture: true,
    path: '/series/importar?serie=chuva&ano=2026',
    answers: WIZARD,
    seen: 'O que o arquivo não diz',
  },
  {
    name: 'series-importar-reconhecido',
    picture: true,
    path: '/series/importar?job=job_conferida',
    answers: WIZARD,
    seen: 'Reconhecido: Tabela do InfoDengue',
  },
  {
    name: 'series-importar-conferencia',
    picture: true,
    path: '/series/importar',
    answers: WIZARD,
    async act(page) {
      await choose(page)
      await page.getByRole('link', { name: 'Continuar para a conferência' }).click()
    },
    seen: 'Importar 3.384 valores',
  },
  {
    name: 'series-importar-resultado',
    picture: true,
    path: '/series/importar?job=job_feita',
    answers: WIZARD,
    seen: '3.372 valores novos e 12 alterados',
  },
  {
    name: 'series-importar-recusado',
    path: '/series/importar?job=job_conferida',
    answers: {
      ...WIZARD,
      [CHECK]: job('job_conferida', {
        ...{
          status: 'failed',
          codigo: 'INVALID_FILE',
          message: 'O arquivo não diz a série.',
          resultado: undefined,
        },
      }),
    },
    seen: /O arquivo não diz a série\.$/,
  },
  {
    name: 'series-importar-andamento',
    path: '/series/importar?job=job_conferida',
    answers: {
      ...WIZARD,
      [CHECK]: job('job_conferida', {
        status: 'processing',
        codigo: 'RUNNING',
        progress: 60,
        resultado: undefined,
      }),
      'GET /api/v1/jobs/job_conferida/eventos': { status: 204 },
    },
    seen: 'Comparando com os valores',
  },
  {
    name: 'series-importacoes',
    picture: true,
    path: '/series/importacoes',
    answers: LISTED,
    seen: 'Desfeita',
  },
  {
    name: 'series-importacoes-vazio',
    path: '/series/importacoes',
    answers: { ...DEFINES, [IMPORTACOES]: pageOf([]), [JOBS]: pageOf([]) },
    seen: 'Nenhuma importação de séries ainda.',
  },
  {
    name: 'series-importacao',
    picture: true,
    path: '/series/importacoes/41?simulacao=job_simulada',
    answers: { ...OPENED, 'GET /api/v1/jobs/job_simulada': job('job_simulada', SIMULATED) },
    seen: 'Desfazer em 3.312 valores',
  },
  { name: 'series-importar-sem-acesso', path: '/series/importar', answers: SEES, seen: 'series.importar' },
]

describe('The import of series', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('goes from the file over what was recognised and the check to the values, with the parts the file lacks', async () => {
    await using visited = await visit('/series/importar', { answers: WIZARD })
    const { page, asked } = visited
    await page.getByText('O que o arquivo não diz').click()
    await page.getByLabel('Série').selectOption('chuva')
    await page.getByLabel('Ano').fill('26')
    await choose(page)
    await page.getByText('Quatro algarismos, de 1950 em diante.').waitFor()
    await page.getByLabel('Ano').fill('2026')
    await choose(page)
    await page.waitForURL('**/series/importar?job=job_conferida&serie=chuva&ano=2026')
    await page.getByRole('row', { name: /umid_med_sem/ }).waitFor()
    await page.getByRole('link', { name: 'Continuar para a conferência' }).click()
    await page.getByText('SE: 202453 não existe.').waitFor()
    await page.getByLabel(/^Só importar se tudo estiver certo/).check()
    assert.equal(await page.getByRole('button', { name: /^Importar/ }).count(), 0)
    await page.getByLabel(/^Importar as linhas boas/).check()
    await page.getByRole('button', { name: 'Importar 3.384 valores' }).click()
    await page.waitForURL('**/series/importar?job=job_feita')
    await page.getByText('3.372 valores novos e 12 alterados').waitFor()
    const sent = asked.filter(({ name }) => name === BULK).map(({ body }) => String(body))
    const fieldOf = (form: string | undefined, name: string) =>
      new RegExp(`name="${name}"\\r\\n\\r\\n([^\\r]*)`).exec(form ?? '')?.[1]
    assert.equal(sent.length, 2)
    for (const form of sent) {
      assert.equal(fieldOf(form, 'serie'), 'chuva')
      assert.equal(fieldOf(form, 'ano'), '2026')
      assert.match(form, /tempmin\n202601;23,4/)
    }
    assert.deepEqual(
      sent.map((form) => fieldOf(form, 'modo')),
      ['validar', 'importar'],
    )
    assert.equal(
      await page.getByRole('link', { name: 'Ver ou desfazer' }).getAttribute('href'),
      '/series/importacoes/41',
    )
  })

  it('asks for the same file again after a reload, and takes no other', async () => {
    const path = '/series/importar?job=job_conferida&etapa=conferencia&serie=chuva'
    const answers = { ...WIZARD, [BULK]: { status: 202, body: { job_id: 'job_feita' } } }
    await using visited = await visit(path, { answers })
    const { page, asked } = visited
    await page.getByText(/^A página foi recarregada/).waitFor()
    await page.locator('input[type=file]').setInputFiles({ ...FILE, name: 'outro.csv' })
    await page.getByText(/^Não é o arquivo conferido/).waitFor()
    await choose(page)
    await page.getByRole('button', { name: 'Importar 3.384 valores' }).click()
    await page.waitForURL('**/series/importar?job=job_feita')
    const sent = asked.filter(({ name }) => name === BULK)
    assert.equal(sent.length, 1)
    assert.match(String(sent[0]?.body), /name="serie"\r\n\r\nchuva/)
  })

  it('keeps the file where the connection is cut, and sends it again', async () => {
    const cut = Array.from({ length: 3 }, () => ({ cut: true }))
    const answers = { ...WIZARD, [BULK]: [...cut, { status: 202, body: { job_id: 'job_conferida' } }] }
    await using visited = await visit('/series/importar', { answers })
    const { page } = visited
    await choose(page)
    await page.getByText(/^O envio de clima-recife\.csv não terminou/).waitFor()
    await reconnect(visited)
    await page.getByRole('button', { name: 'Enviar de novo' }).click()
    await page.waitForURL('**job=job_conferida')
  })

  it('lets another file be chosen after a check, and leads back to that from an import that failed', async () => {
    const failed = job('job_feita', {
      trabalho: 'importacao',
      status: 'failed',
      codigo: 'FAILED',
      resultado: undefined,
    })
    await using visited = await visit('/series/importar', { answers: { ...WIZARD, [DONE]: failed } })
    const { page, origin } = visited
    await choose(page)
    await page.getByRole('link', { name: 'Continuar para a conferência' }).click()
    await page.getByRole('link', { name: 'Trocar arquivo' }).click()
    await page.getByText('Escolha um arquivo ou solte-o aqui').waitFor()
    assert.equal(page.url(), `${origin}/series/importar`)
    await page.goBack()
    await page.getByRole('button', { name: 'Importar 3.384 valores' }).click()
    await page.getByRole('link', { name: 'Voltar à conferência' }).click()
    await page.getByRole('button', { name: 'Importar 3.384 valores' }).waitFor()
  })

  it('says where there is nothing to import', async () => {
    const nothing = resultado({ importados: 0, atualizados: 0, erros: 0, avisos: 0 })
    const answers = { ...WIZARD, [CHECK]: job('job_conferida', { resultado: nothing }) }
    await using visited = await visit('/series/importar?job=job_conferida&etapa=conferencia', { answers })
    await visited.page.getByText('Nada a importar: o Vigia já tem estes valores.').waitFor()
    assert.equal(await visited.page.locator('input[type=file]').count(), 0)
  })

  it('is undone after a simulation', async () => {
    const undone = importacao({ desfeita_em: '2026-11-14T15:00:00.000Z', desfeita_por: 'Ana Souza Lima' })
    const answers: Answers = {
      ...OPENED,
      [FEITA]: [{ body: importacao() }, { body: undone }],
      [UNDO]: [
        { status: 202, body: { job_id: 'job_simulada' } },
        { status: 202, body: { job_id: 'job_desfeita' } },
      ],
      'GET /api/v1/jobs/job_simulada': job('job_simulada', SIMULATED),
      'GET /api/v1/jobs/job_desfeita': job('job_desfeita', { ...SIMULATED, trabalho: 'desfazimento' }),
    }
    await using visited = await visit('/series/importacoes/41', { answers })
    const { page, asked } = visited
    await page.getByRole('button', { name: 'Simular' }).click()
    await page.getByRole('button', { name: 'Desfazer em 3.312 valores' }).click()
    await page.getByText('Importação desfeita.').waitFor()
    await eventually(() =>
      assert.deepEqual(
        asked.filter(({ name }) => name === UNDO).map(({ query }) => String(query)),
        ['simular=true', 'simular=false'],
      ),
    )
  })

  it('of others is undone only by those who may register series', async () => {
    const theirs = { body: importacao({ usuario: { id: 99, nome: 'Carlos Teixeira' } }) }
    const importer: Answers = { ...OPENED, [FEITA]: theirs }
    await using visited = await visit('/series/importacoes/41', {
      answers: {
        ...importer,
        'GET /api/v1/usuarios/me': {
          body: {
            ...(SEES['GET /api/v1/usuarios/me'] as { body: object }).body,
            permissoes_efetivas: ['series.importar'],
          },
        },
      },
    })
    await visited.page.getByText(/^Só quem importou/).waitFor()
    await using other = await visit('/series/importacoes/41', { answers: importer })
    await other.page.getByRole('button', { name: 'Simular' }).waitFor()
  })

  it('tells an import that is gone', async () => {
    await using visited = await visit('/series/importacoes/41', {
      answers: { ...DEFINES, [FEITA]: refusal(404, 'NOT_FOUND') },
    })
    await visited.page.getByText('pedido-0001').waitFor()
  })
})
