import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Flow, strikeFlows, TOO_MANY, UNAVAILABLE } from '../harness/console-flows.ts'
import { type Answer, consoleVisits } from '../harness/console-page.ts'
import { CASO, casosOf, detalhe, excluidos, identified, LIST, lista, PLANTED } from './casos-data.ts'
import { ALTERAR, CRIAR, EDITOR } from './formulario-answers.ts'

const all = casosOf()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const field = (page: Page, name: string) => page.getByRole('textbox', { name })
const search = (page: Page) => page.getByLabel('Buscar por nº da notificação ou bairro')
const save = (page: Page) => button(page, /^Salv/).first().click()
const job = (status: string, more = {}) => ({
  body: { job_id: 'job_1', tipo: 'exportacao', status, message: `agora ${status}`, progress: 40, ...more },
})
const EXPORTAR = 'POST /api/v1/agravos/casos/exportar'
const JOB = 'GET /api/v1/jobs/job_1'
const started = { status: 202, body: { job_id: 'job_1', status: 'processing' } }
const finished = job('completed', { arquivo_url: 'https://x.example/api/v1/jobs/job_1/arquivo' })
const download = (page: Page) => page.getByRole('link', { name: 'Baixar o arquivo' }).waitFor()
const openExport = async (page: Page) => {
  await button(page, 'Exportar').click()
  await dialog(page).getByText('Excel (XLSX)').click()
}

const FLOWS: Flow[] = [
  {
    name: 'create',
    path: '/casos/novo',
    answers: EDITOR,
    request: CRIAR,
    ok: EDITOR[CRIAR] as Answer,
    repeats: true,
    async begin(page) {
      await page.getByLabel('Agravo').selectOption('dengue')
      await field(page, 'Nº da notificação').fill('4418823')
      await field(page, 'Data da notificação').fill('12032026')
      await field(page, 'Nome do paciente').fill('Maria Plantada')
      const municipio = page.getByRole('combobox', { name: 'Município de residência' })
      await municipio.fill('Recife')
      await municipio.press('Tab')
      await page.getByText('PE', { exact: true }).first().waitFor()
    },
    send: save,
    kept: async (page) => [
      await field(page, 'Nome do paciente').inputValue(),
      await page.getByRole('combobox', { name: 'Município de residência' }).inputValue(),
    ],
    done: (page) => page.waitForURL('**/casos/7'),
  },
  {
    name: 'edit',
    path: '/casos/7/editar',
    answers: EDITOR,
    request: ALTERAR,
    ok: { body: { id: 7, message: '', atualizado_em: '', campos_alterados: [] } },
    begin: (page) => field(page, 'Bairro').fill('Encruzilhada'),
    send: save,
    kept: (page) => field(page, 'Bairro').inputValue(),
    done: (page) => page.waitForURL('**/casos/7'),
  },
  {
    name: 'close',
    path: '/casos',
    answers: all,
    request: 'PUT /api/v1/agravos/casos/1',
    ok: { body: { id: 1 } },
    async begin(page) {
      await page.getByLabel('Selecionar 4418821').check()
      await button(page, 'Encerrar').click()
      await dialog(page).getByLabel('Classificação final').selectOption('dengue_grave')
    },
    async send(page) {
      const again = button(page, 'Tentar de novo com os recusados')
      if (await again.isVisible()) await again.click()
      assert.equal(await dialog(page).getByLabel('Classificação final').inputValue(), 'dengue_grave')
      await dialog(page).getByRole('button', { name: 'Encerrar' }).click()
    },
    // The choices come back with another try.
    kept: async () => null,
    done: (page) => page.getByText('1 de 1 caso encerrado.').waitFor(),
  },
  {
    name: 'attach',
    path: '/casos/7',
    answers: all,
    request: 'POST /api/v1/agravos/casos/7/anexos',
    ok: { status: 201, body: { id: 4 } },
    async begin(page) {
      await button(page, 'Anexar arquivo').click()
      const file = { name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1') }
      await dialog(page)
        .getByLabel(/^Arquivo/)
        .setInputFiles(file)
      await field(page, 'Descrição').fill('laudo')
    },
    send: (page) => dialog(page).getByRole('button', { name: 'Enviar' }).click(),
    kept: async (page) => [
      await field(page, 'Descrição').inputValue(),
      await page.evaluate('document.querySelector("input[type=file]").files.length'),
    ],
    done: (page) => dialog(page).waitFor({ state: 'detached' }),
  },
  {
    name: 'exclude',
    path: '/casos/7',
    answers: all,
    request: 'DELETE /api/v1/agravos/casos/7',
    ok: { status: 204 },
    async begin(page) {
      await button(page, 'Excluir').click()
      await field(page, 'Motivo').fill('duplicado')
    },
    send: (page) => dialog(page).getByRole('button', { name: 'Excluir' }).click(),
    kept: (page) => field(page, 'Motivo').inputValue(),
    done: (page) => page.waitForURL('**/casos'),
  },
  {
    name: 'restore',
    path: '/casos/excluidos?linhas=25',
    answers: { ...all, 'GET /api/v1/agravos/casos/excluidos': excluidos },
    request: 'POST /api/v1/agravos/casos/9/restaurar',
    ok: { body: { id: 9, message: '', status: 'encerrado', atualizado_em: '' } },
    begin: (page) => page.getByText('4418829').waitFor(),
    send: (page) => button(page, 'Restaurar o caso 4418829').click(),
    kept: async (page) => [new URL(page.url()).search, await page.getByText('4418829').first().isVisible()],
    done: (page) => page.getByText('Caso 4418829 restaurado.').waitFor(),
  },
  {
    name: 'ask for an export',
    path: '/casos',
    answers: { ...all, [JOB]: finished },
    request: EXPORTAR,
    ok: started,
    begin: openExport,
    send: (page) => dialog(page).getByRole('button', { name: 'Exportar' }).click(),
    kept: (page) => page.getByRole('radio', { name: 'Excel' }).isChecked(),
    done: download,
  },
  {
    name: 'identify',
    path: '/casos/7',
    answers: all,
    request: CASO,
    ok: { body: identified() },
    repeats: true,
    async begin(page) {
      await button(page, 'Identificar paciente').click()
      await dialog(page).getByText('Fica registrado na auditoria').waitFor()
    },
    send: (page) => button(page, 'Mostrar').click(),
    kept: (page) => dialog(page).getByText('Fica registrado na auditoria').isVisible(),
    done: (page) => page.getByText(PLANTED).first().waitFor(),
  },
  {
    name: 'search the list',
    path: '/casos?colunas=numero,uf',
    answers: all,
    request: LIST,
    ok: lista(3),
    repeats: true,
    begin: (page) => page.getByText('4418826').waitFor(),
    async send(page) {
      const again = button(page, 'Tentar de novo')
      if (await again.isVisible()) {
        assert.equal(await search(page).inputValue(), 'salgado')
        await again.click()
      } else await search(page).fill('salgado')
    },
    kept: async (page) => new URL(page.url()).searchParams.get('colunas'),
    done: (page) => page.getByText('3 casos:').waitFor(),
  },
]

describe('A flow of cases in the middle of which the network fails', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  strikeFlows(FLOWS, visit)

  it('goes on by itself where only the progress of an export was out of reach', async () => {
    await using visited = await visit('/casos', { answers: { ...all, [EXPORTAR]: started } })
    const { page, answers } = visited
    answers[JOB] = [job('processing'), { cut: true }]
    await openExport(page)
    await dialog(page).getByRole('button', { name: 'Exportar' }).click()
    await dialog(page).getByText('agora processing').waitFor()
    await dialog(page)
      .getByText(/O serviço não respondeu/)
      .waitFor()
    answers[JOB] = [UNAVAILABLE, TOO_MANY, finished]
    await download(page)
    await dialog(page)
      .getByText(/O serviço não respondeu/)
      .waitFor({ state: 'detached' })
  })

  it('can be cancelled where a list takes long, and asked for again', async () => {
    let release = () => {}
    const slow = new Promise<void>((resolve) => {
      release = resolve
    })
    await using visited = await visit('/casos/7', {
      answers: { ...all, [CASO]: { ...all[CASO], after: slow } },
    })
    const { page, answers } = visited
    await page.getByText('Está demorando…').first().waitFor()
    await button(page, 'Cancelar').click()
    await page.getByText('Você cancelou a consulta.').waitFor()
    answers[CASO] = { body: detalhe() }
    await button(page, 'Tentar de novo').click()
    await page.getByText('Linha do tempo').waitFor()
    release()
  })
})
