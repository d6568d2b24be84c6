import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, reconnect, refusal } from '../harness/console-page.ts'
import { eventually } from '../harness/eventually.ts'
import { CASO, casosOf, detalhe } from './casos-data.ts'

const all = casosOf()
const SEND = 'POST /api/v1/agravos/casos/7/anexos'
const IMAGE = 'GET /api/v1/agravos/casos/7/anexos/3'
const HISTORY = 'GET /api/v1/agravos/casos/7/historico'
const PDF = { name: 'Maria.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1') }
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

describe('The attachments of a case', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  it('are sent after looking at its type and size', async () => {
    const answers = { ...all, [SEND]: { status: 201, body: { id: 4 } } }
    await using visited = await visit('/casos/7', { answers })
    const { page, asked } = visited
    await button(page, 'Anexar arquivo').click()
    const dialog = page.getByRole('dialog')
    const file = dialog.getByLabel(/^Arquivo/)
    const send = dialog.getByRole('button', { name: 'Enviar' })
    await file.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
    await dialog.getByText('Este tipo de arquivo não é aceito').waitFor()
    await file.setInputFiles({
      name: 'a.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.alloc(11 * 1024 * 1024),
    })
    await dialog.getByText('O arquivo tem 11.0 MB').waitFor()
    await send.click()
    assert.equal(asked.filter(({ name }) => name.startsWith('POST')).length, 0)
    await file.setInputFiles(PDF)
    await send.click()
    await dialog.waitFor({ state: 'detached' })
    const sent = asked.find(({ name }) => name.startsWith('POST'))
    assert.match(sent?.headers['content-type'] ?? '', /^multipart\/form-data; boundary=/)
    assert.match(String(sent?.body), /name="tipo"\r\n\r\nexame/)
    assert.ok(!String(sent?.body).includes('Maria'), 'the name of the file may identify')
  })

  it('tell how far they are while they are sent, and stop when the dialog is left', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const answers: Answers = { ...all, [SEND]: { after: promise, status: 201, body: { id: 4 } } }
    await using visited = await visit('/casos/7', { answers })
    const { page } = visited
    await button(page, 'Anexar arquivo').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^Arquivo/).setInputFiles({ ...PDF, buffer: Buffer.alloc(4_096_000, '%PDF-1') })
    // An intercepted request has no way to be on: its progress is told as the browser would.
    await page.evaluate(`{
      const { send } = XMLHttpRequest.prototype
      XMLHttpRequest.prototype.send = function (body) {
        send.call(this, body)
        this.upload.dispatchEvent(new ProgressEvent('progress', { loaded: 1024000, total: 4096000 }))
      }
    }`)
    await dialog.getByRole('button', { name: 'Enviar' }).click()
    const bar = dialog.getByRole('progressbar', { name: 'Enviando…' })
    await eventually(async () =>
      assert.deepEqual(
        [await bar.getAttribute('max'), await bar.getAttribute('value')],
        ['4096000', '1024000'],
      ),
    )
    await dialog.getByText('1.000 KB de 3,9 MB').waitFor()
    await dialog.getByRole('button', { name: 'Cancelar' }).click()
    await dialog.waitFor({ state: 'detached' })
    resolve()
  })

  it('are sent once: what the service may have stored is not sent again by itself', async () => {
    const answers: Answers = { ...all, [SEND]: [{ cut: true }, { status: 201, body: { id: 4 } }] }
    await using visited = await visit('/casos/7', { answers })
    const { page, asked } = visited
    await button(page, 'Anexar arquivo').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^Arquivo/).setInputFiles(PDF)
    const send = dialog.getByRole('button', { name: 'Enviar' })
    await send.click()
    await dialog.getByRole('alert').waitFor()
    const sent = () => asked.filter(({ name }) => name === SEND)
    assert.equal(sent().length, 1)
    assert.equal(sent()[0]?.headers['idempotency-key'], undefined)
    await reconnect(visited)
    await send.click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(sent().length, 2)
  })

  it('open as a blob where they are pictures, and as a download in a new tab otherwise', async () => {
    const [anexo] = detalhe().anexos
    const anexos = [anexo, { ...anexo, id: 4, nome: 'anexo-4.pdf', formato: 'application/pdf' }]
    const answers: Answers = {
      ...all,
      [CASO]: { body: detalhe({ anexos }) },
      [IMAGE]: [refusal(403, 'PERMISSION_DENIED'), { body: {} }],
    }
    await using visited = await visit('/casos/7', { answers })
    const { page, asked } = visited
    await button(page, 'Abrir').click()
    await page.getByRole('dialog').getByText('mensagem PERMISSION_DENIED').waitFor()
    await page.keyboard.press('Escape')
    assert.equal(await button(page, 'Abrir').count(), 1, 'a PDF is not drawn by the page')
    await button(page, 'Abrir').click()
    const image = page.getByRole('dialog').locator('img')
    await image.waitFor({ state: 'attached' })
    assert.match((await image.getAttribute('src')) ?? '', /^blob:/)
    const read = asked.filter(({ name }) => name === IMAGE)
    assert.equal(read.at(-1)?.headers['x-vigia-console'], '1')
    await page.keyboard.press('Escape')
    const links = page.getByRole('link', { name: 'Baixar' })
    const attributes = await links.evaluateAll((all) =>
      all.map((one) => ['href', 'target', 'download'].map((name) => one.getAttribute(name))),
    )
    assert.deepEqual(attributes[1], ['/api/v1/agravos/casos/7/anexos/4', '_blank', 'anexo-4.pdf'])
  })
})

describe('The history of a case', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  it('goes on beyond the lines that come with it, to its registration', async () => {
    const line = (at: number) => ({
      data: new Date(Date.UTC(2026, 4, 3) - at * 3_600_000).toISOString(),
      acao: at === 204 ? 'criado' : 'atualizado',
      usuario: { id: 7, nome: `Pessoa ${at}` },
      detalhes: {},
    })
    const lines = Array.from({ length: 205 }, (_, at) => line(at))
    const page = (number: number) => ({
      body: { items: lines.slice((number - 1) * 100, number * 100), total: 205, page: number, size: 100 },
    })
    const answers: Answers = {
      ...all,
      [CASO]: { body: detalhe({ historico: lines.slice(0, 100) }) },
      [HISTORY]: [refusal(500, 'INTERNAL_ERROR'), page(2), page(3)],
    }
    await using visited = await visit('/casos/7', { answers })
    const { page: tab, asked } = visited
    const more = button(tab, 'Mostrar alterações mais antigas')
    const shown = tab.locator('ol.history > li')
    await more.click()
    await eventually(async () => assert.equal(await shown.count(), 200))
    await more.click()
    await tab.getByText('Pessoa 204').waitFor()
    assert.equal(await shown.count(), 205)
    assert.equal(await more.count(), 0)
    assert.deepEqual(
      asked.filter(({ name }) => name === HISTORY).map(({ query }) => query.get('page')),
      ['2', '2', '3'],
    )
  })

  it('is whole where the registration is among its lines', async () => {
    await using visited = await visit('/casos/7', { answers: all })
    const { page } = visited
    await page.getByText('Linha do tempo').waitFor()
    assert.equal(await button(page, 'Mostrar alterações mais antigas').count(), 0)
  })
})
