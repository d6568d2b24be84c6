import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Permission } from '../../src/caller/permissions.ts'
import { noBrowser } from '../harness/browser.ts'
import { consoleVisits, perfil, READER, reconnect, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { KNOWN, TIPOS, tipo } from './agravos-answers.ts'
import {
  accepted,
  CASOS,
  CONFERENCIA,
  checked,
  ended,
  IMPORT,
  IMPORTER,
  importacao,
  imported,
  JOB,
  job,
  jobs,
  lista,
  NO_JOBS,
  RESULTADO,
  RUNNING,
  SEND,
  undoing,
} from './importacoes-answers.ts'

const NOVA = '/importacoes/nova'
const CHECK = `${NOVA}?job=${JOB}`
const ONE = 'GET /api/v1/agravos/importacoes/9'
const UNDO = 'POST /api/v1/agravos/importacoes/9/desfazer'
const EFFECT = {
  removidos: 1_200,
  restaurados: 309,
  total_mantidos: 2,
  mantidos: [
    { id: 1, numero_notificacao: '4418801' },
    { id: 2, numero_notificacao: '4418802' },
  ],
}
const never = new Promise<void>(() => undefined)
const DECIDER = [
  'agravos.importar',
  'agravos.listar',
  'agravos.identificar',
  'agravos.duplicidades',
] as const satisfies readonly Permission[]
const FILE = { name: 'DENGBR26_PE.csv', mimeType: 'text/csv', buffer: Buffer.from('NU_NOTIFIC\r\n1\r\n') }
const choose = (page: Page) => page.locator('input[type=file]').setInputFiles(FILE)

const VIEWS: View[] = [
  {
    name: 'importacoes',
    picture: true,
    path: '/importacoes',
    answers: {
      ...IMPORTER,
      ...jobs(
        RUNNING,
        { job_id: 'job_b', trabalho: 'importacao', status: 'failed', message: 'Erro interno' },
        {
          job_id: 'job_c',
          arquivo_nome: 'ZIKABR26_PE.dbc',
          resultado: CONFERENCIA,
          arquivo_guardado_ate: CONFERENCIA.arquivo_guardado_ate,
        },
      ),
      ...lista(importacao(), importacao({ id: 8, desfeita_em: '2026-11-14T16:00:00.000Z' })),
    },
    seen: 'Lendo e conferindo o arquivo, 42 %',
  },
  {
    name: 'importacoes-vazia',
    path: '/importacoes',
    answers: { ...IMPORTER, ...NO_JOBS, ...lista() },
    seen: /Nenhuma importação ainda/,
  },
  {
    name: 'importacoes-sem-permissao',
    path: NOVA,
    answers: READER,
    seen: 'agravos.importar',
  },
  {
    name: 'nova-arquivo',
    picture: true,
    path: NOVA,
    answers: IMPORTER,
    seen: 'Escolha um arquivo ou solte-o aqui',
  },
  {
    name: 'nova-enviando',
    path: NOVA,
    answers: { ...IMPORTER, [SEND]: { after: never } },
    act: choose,
    seen: 'Enviando DENGBR26_PE.csv',
  },
  {
    name: 'nova-conferindo',
    path: CHECK,
    answers: ended({ ...RUNNING }),
    seen: 'Conferindo o arquivo',
  },
  {
    name: 'nova-importando',
    path: `${NOVA}?job=${IMPORT}`,
    answers: {
      ...IMPORTER,
      [`GET /api/v1/jobs/${IMPORT}`]: job({
        ...RUNNING,
        job_id: IMPORT,
        trabalho: 'importacao',
        linhas_lidas: 48_000,
      }),
    },
    seen: /^Linha 48\.000\. Você pode sair desta tela/,
  },
  {
    name: 'nova-ilegivel',
    path: CHECK,
    answers: ended({ status: 'failed', codigo: 'INVALID_FILE', message: 'O arquivo é uma imagem PNG.' }),
    seen: /Não foi possível ler o arquivo. O arquivo é uma imagem PNG/,
  },
  {
    name: 'nova-sem-agravo',
    path: CHECK,
    answers: ended({ status: 'failed', codigo: 'WITHOUT_DISEASE', message: 'x' }),
    seen: /não diz o agravo/,
  },
  { name: 'nova-colunas', picture: true, path: CHECK, answers: checked(), seen: 'Parece CS_SEXO' },
  {
    name: 'nova-conferencia',
    picture: true,
    path: `${CHECK}&etapa=conferencia`,
    answers: {
      ...checked(),
      ...jobs({ ...RUNNING, job_id: 'job_outro', trabalho: 'importacao', arquivo_nome: 'outro.dbc' }),
    },
    act: (page) => page.getByText('Ver a tabela por semana').click(),
    seen: /Outra importação sua está em andamento \(outro.dbc\)/,
  },
  {
    name: 'nova-mesmo-arquivo',
    path: `${CHECK}&etapa=conferencia`,
    answers: {
      ...checked({
        importados: 0,
        atualizados: 0,
        erros: 0,
        inalterados: 2_050,
        problemas: [],
        identico_a: 9,
      }),
      [ONE]: { body: importacao() },
    },
    seen: /Este arquivo já foi importado em 14\/11\/2026/,
  },
  {
    name: 'nova-resultado',
    picture: true,
    path: `${NOVA}?job=${IMPORT}`,
    answers: imported,
    seen: 'Ver os 1.511 casos',
  },
  {
    name: 'nova-duplicidades',
    path: `${NOVA}?job=${IMPORT}`,
    answers: {
      ...imported,
      'GET /api/v1/usuarios/me': perfil([...DECIDER]),
      [`GET /api/v1/jobs/${IMPORT}`]: job({
        ...{ job_id: IMPORT, trabalho: 'importacao' },
        resultado: { ...RESULTADO, duplicidades: { quase_certas: 3, provaveis: 5, possiveis: 4 } },
      }),
    },
    seen: '12 possíveis duplicidades, 3 quase certas.',
  },
  {
    name: 'nova-falhou',
    path: CHECK,
    answers: ended({
      trabalho: 'importacao',
      status: 'failed',
      codigo: 'REFUSED',
      message: 'Nada foi importado: 37 linhas com erro',
      resultado: RESULTADO,
      rejeitados_url: 'x',
    }),
    seen: 'A importação não foi feita',
  },
  {
    name: 'importacao-desfazer',
    picture: true,
    path: '/importacoes/9?simulacao=job_simulacao',
    answers: {
      ...imported,
      [ONE]: { body: importacao() },
      'GET /api/v1/jobs/job_simulacao': undoing(EFFECT),
    },
    seen: 'Para confirmar, digite o número de casos: 1.509',
  },
  {
    name: 'importacao-inexistente',
    path: '/importacoes/9',
    answers: { ...IMPORTER, [ONE]: refusal(404, 'NOT_FOUND') },
    seen: 'mensagem NOT_FOUND',
  },
]

describe('The import screens', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('import a file by keyboard alone, from the list to its cases; a reload loses no step', async () => {
    const pace = Promise.withResolvers<void>()
    const reading = { ...RUNNING, job_id: IMPORT, trabalho: 'importacao' }
    await using visited = await visit('/importacoes', {
      answers: {
        ...checked(),
        ...imported,
        ...lista(),
        [SEND]: [accepted(JOB), accepted(IMPORT)],
        [`GET /api/v1/jobs/${IMPORT}`]: [
          job({ ...reading, progress: 20, linhas_lidas: 4_000 }),
          job({ ...reading, progress: 40, linhas_lidas: 16_000 }),
          { after: pace.promise, ...job({ job_id: IMPORT, trabalho: 'importacao', resultado: RESULTADO }) },
        ],
      },
    })
    const { page, asked } = visited
    // Before the key, not beside it: the browser must know that the file is asked for here.
    const choosing = page.waitForEvent('filechooser')
    const reach = async (role: 'link' | 'button' | 'radio', name: RegExp) => {
      const target = page.getByRole(role, { name })
      await target.waitFor()
      for (let tabs = 0; tabs < 60; tabs++) {
        if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return
        await page.keyboard.press('Tab')
      }
      assert.fail(`${name} is not reached by Tab`)
    }
    await page.getByText('Nenhuma importação ainda').waitFor()
    await reach('link', /^Importar arquivo/)
    await page.keyboard.press('Enter')
    const input = page.locator('input[type=file]')
    await input.waitFor()
    // The heading of a new screen takes the focus once, maybe late: Tab begins behind it.
    await page.locator('h1:focus').waitFor()
    for (let tabs = 0; !(await input.evaluate((one) => one === one.ownerDocument.activeElement)); tabs++) {
      assert.ok(tabs < 30, 'the file field is reached by Tab')
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await (await choosing).setFiles(FILE)
    await page.waitForURL(/\?job=job_conferencia$/)
    await reach('link', /^Continuar para a conferência/)
    await page.keyboard.press('Enter')
    await page.waitForURL(/etapa=conferencia$/)
    await page.getByText('O que aconteceria com 2.050 linhas').waitFor()
    await page.reload()
    await page.getByText('O que aconteceria com 2.050 linhas').waitFor()
    assert.match(
      (await page.getByRole('link', { name: /^Baixar as 37/ }).getAttribute('href')) ?? '',
      /^\/api\/v1\/jobs\/job_conferencia\/rejeitados$/,
    )
    await reach('radio', /^Importar as linhas boas/)
    await page.keyboard.press('ArrowDown')
    assert.equal(await page.getByRole('button', { name: /^Importar/ }).count(), 0, 'nothing would be stored')
    await page.keyboard.press('ArrowUp')
    await reach('button', /^Importar 1.511 casos/)
    await page.keyboard.press('Enter')
    await page.getByText(/^Linha 16\.000\. [\d.]+ linhas por segundo\. Falta menos de um minuto\./).waitFor()
    pace.resolve()
    await page.getByText('1.200 casos novos e 311 atualizados').waitFor()
    const cases = page.getByRole('link', { name: 'Ver os 1.511 casos' })
    assert.equal(
      await cases.getAttribute('href'),
      '/casos?periodo=sempre&classificacao=notificado&importacao=9',
    )
    const sent = asked.filter(({ name }) => name === SEND)
    assert.equal(sent.length, 2)
    for (const { headers } of sent) {
      assert.equal(headers['x-vigia-console'], '1')
      assert.ok(headers['idempotency-key'])
    }
    const [file, start] = sent.map(({ body }) => String(body))
    assert.match(file ?? '', /name="modo"\s+validar/)
    assert.match(start ?? '', /name="validacao"\s+job_conferencia/)
    assert.match(start ?? '', /name="modo"\s+importar/)
    assert.match(start ?? '', /name="ignorar_erros"\s+true/)
    assert.doesNotMatch(start ?? '', /filename=/)
  })

  it('keep the file when the connection is cut, wait where they are told to, and ask for the disease', async () => {
    await using visited = await visit(NOVA, {
      alone: true,
      answers: {
        ...checked(),
        [`GET /api/v1/jobs/${JOB}`]: job({ status: 'failed', codigo: 'WITHOUT_DISEASE', message: 'x' }),
        'GET /api/v1/jobs/job_zika': job({ ...RUNNING, job_id: 'job_zika' }),
        [SEND]: [
          { cut: true },
          { cut: true },
          { cut: true },
          refusal(429, 'RATE_LIMITED', {}, { 'retry-after': '3' }),
          refusal(503, 'UNAVAILABLE', {}, { 'retry-after': '1' }),
          accepted(JOB),
          accepted('job_zika'),
        ],
      },
    })
    const { page, asked } = visited
    await choose(page)
    await page.getByText('O envio de DENGBR26_PE.csv não terminou').waitFor()
    await page.getByText(/^Sem conexão desde/).waitFor()
    await reconnect(visited)
    await page.getByRole('button', { name: 'Enviar de novo' }).click()
    await page.getByText(/Muitas consultas; volto em \d s/).waitFor()
    await page.getByText(/não diz o agravo/).waitFor()
    const sent = () => asked.filter(({ name }) => name === SEND)
    assert.equal(sent().length, 6)
    const keys = sent().map(({ headers }) => headers['idempotency-key'])
    assert.equal(new Set(keys.slice(0, 3)).size, 1, 'a repeated request has its key')
    await page.getByRole('button', { name: 'Enviar de novo' }).click()
    await page.getByText('Informe o agravo antes de enviar').waitFor()
    await page.getByLabel('Agravo de todos os casos do arquivo').selectOption('zika')
    await page.getByRole('button', { name: 'Enviar de novo' }).click()
    await page.waitForURL(/job=job_zika$/)
    assert.match(String(sent().at(-1)?.body), /name="tipo_agravo"\s+zika/)
  })

  it('read free texts where somebody asks for it, of diseases that have own fields', async () => {
    const answers = { ...checked(), [SEND]: [accepted(JOB)] }
    const box = (page: Page) => page.getByLabel('Ler também os textos livres')
    {
      await using known = await visit(NOVA, { answers })
      await known.page.locator('input[type=file]').waitFor({ state: 'attached' })
      assert.equal(await box(known.page).count(), 0)
    }
    await using visited = await visit(NOVA, {
      answers: { ...answers, [TIPOS]: { body: { total: 4, tipos: [...KNOWN, tipo('malaria', 'Malária')] } } },
    })
    const { page, asked } = visited
    await box(page).check()
    await choose(page)
    await page.waitForURL(new RegExp(`job=${JOB}$`))
    const [sent] = asked.filter(({ name }) => name === SEND)
    assert.match(String(sent?.body), /name="textos"\s+true/)
  })

  it('say that a checked file is gone, and cancel what is under way', async () => {
    await using visited = await visit(`${CHECK}&etapa=conferencia`, {
      answers: {
        ...checked(),
        [SEND]: [refusal(404, 'NOT_FOUND'), accepted(IMPORT)],
        [`GET /api/v1/jobs/${IMPORT}`]: [
          job({ ...RUNNING, job_id: IMPORT, trabalho: 'importacao' }),
          job({ job_id: IMPORT, trabalho: 'importacao', status: 'canceled', codigo: 'CANCELED' }),
        ],
        [`DELETE /api/v1/jobs/${IMPORT}`]: job({ ...RUNNING, job_id: IMPORT, trabalho: 'importacao' }),
      },
    })
    const { page, asked } = visited
    const button = page.getByRole('button', { name: /^Importar 1.511/ })
    await button.click()
    await page.getByText(/não está mais guardado/).waitFor()
    await button.click()
    await page.getByRole('button', { name: 'Cancelar a importação' }).click()
    await page.getByRole('heading', { name: 'Importação cancelada' }).waitFor()
    assert.ok(asked.some(({ name }) => name === `DELETE /api/v1/jobs/${IMPORT}`))
  })

  it('undo after a simulation, and only once the number of cases is typed', async () => {
    await using visited = await visit('/importacoes/9', {
      answers: {
        ...imported,
        ...CASOS,
        [ONE]: [
          { body: importacao() },
          { body: importacao({ desfeita_em: '2026-11-14T16:00:00.000Z', desfeita_por: 'Ana' }) },
        ],
        [UNDO]: [accepted('job_simulacao'), accepted('job_desfazer')],
        'GET /api/v1/jobs/job_simulacao': undoing(EFFECT),
        'GET /api/v1/jobs/job_desfazer': undoing(EFFECT, {
          job_id: 'job_desfazer',
          trabalho: 'desfazimento',
        }),
      },
    })
    const { page, asked } = visited
    await page.getByRole('button', { name: 'Simular' }).click()
    await page.getByText(/alterados depois desta importação: 4418801, 4418802\./).waitFor()
    const undo = page.getByRole('button', { name: 'Desfazer em 1.509 casos' })
    await undo.click()
    await page.getByText('Digite 1.509 para confirmar.').waitFor()
    assert.equal(asked.filter(({ name }) => name === UNDO).length, 1, 'only the simulation')
    await page.getByLabel(/digite o número de casos/).fill('1.509')
    await page.keyboard.press('Enter')
    await page.getByText('Importação desfeita.').waitFor()
    await page.getByText(/Desfeita em .*, por Ana/).waitFor()
    assert.equal(await page.getByRole('button', { name: /Desfazer em/ }).count(), 0)
  })

  it('offer no undo to somebody who may not', async () => {
    await using visited = await visit('/importacoes/9', {
      answers: { ...IMPORTER, ...CASOS, [ONE]: { body: importacao({ usuario: { id: 8, nome: 'Bia' } }) } },
    })
    const { page, asked } = visited
    await page.getByText(/Só quem importou, ou quem pode excluir casos/).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Simular' }).count(), 0)
    assert.ok(!asked.some(({ name }) => name.startsWith('GET /api/v1/jobs/')))
  })

  it('tells the possible duplicates once the cases are compared, and leads to exactly those', async () => {
    const done = (more: object) =>
      job({
        ...{ job_id: IMPORT, trabalho: 'importacao', completed_at: new Date().toISOString() },
        resultado: { ...RESULTADO, ...more },
      })
    await using visited = await visit(`${NOVA}?job=${IMPORT}`, {
      alone: true,
      answers: {
        ...imported,
        'GET /api/v1/usuarios/me': perfil([...DECIDER]),
        [`GET /api/v1/jobs/${IMPORT}`]: [
          done({}),
          done({ duplicidades: { quase_certas: 1, provaveis: 0, possiveis: 1 } }),
        ],
      },
    })
    const { page } = visited
    await page.getByText('Procurando casos repetidos…').waitFor()
    await page.getByText('2 possíveis duplicidades, 1 quase certa.').waitFor()
    const link = page.getByRole('link', { name: 'Ver as 2 possíveis duplicidades' })
    assert.equal(await link.getAttribute('href'), '/duplicidades?importacao=9')
  })
})
