import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { loadCertificate } from '../../src/http/listener/certificate.ts'
import { tlsListener } from '../../src/http/listener/listener.ts'
import { PASSWORD, testApp } from '../harness/app.ts'
import { noBrowser, openBrowser } from '../harness/browser.ts'
import { HANG_MS } from '../harness/eventually.ts'

/** Name of what has the focus: of its group, of its label, or its own text. */
const FOCUSED = `(() => {
  const at = document.activeElement
  const group = at.closest('[role=radiogroup]')?.getAttribute('aria-labelledby')
  return (group && document.getElementById(group).textContent) || at.labels?.[0]?.textContent || at.textContent
})()`

/** Tab until the field has the focus: everything is on the way, in the order of the paper form. */
async function tabTo(page: Page, name: string, limit = 60): Promise<void> {
  for (let steps = 0; steps < limit; steps++) {
    await page.keyboard.press('Tab')
    if (((await page.evaluate(FOCUSED)) as string).startsWith(name)) return
  }
  assert.fail(`no way by Tab to ${name}`)
}

describe('The case form over the real service', { skip: noBrowser }, () => {
  it('registers a case by keys alone, finds its draft on another machine, and settles two changes of it', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'vigia-ficha-'))
    after(() => rm(dataDir, { recursive: true, force: true }))
    const t = await testApp({
      listener: tlsListener({
        certificate: await loadCertificate({ dataDir, hosts: [] }),
        renderClientError: () => '{}',
        refusePlain: () => ({ status: 403, headers: {}, body: '{}' }),
      }),
    })
    after(() => t.close())
    await t.server.listen({ host: '127.0.0.1', port: 0 })
    const origin = `https://127.0.0.1:${(t.server.server.address() as AddressInfo).port}`
    const ana = await t.person({ grupos: ['gestor'] })
    const admin = t.as(await t.administrador())
    const browser = await openBrowser()
    after(() => browser.close())

    /** A machine of its own: nothing is shared but the service. */
    const enter = async (path: string) => {
      const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'pt-BR' })
      const page = await context.newPage()
      page.setDefaultTimeout(HANG_MS)
      await page.goto(`${origin}${path}`)
      await page.getByLabel('E-mail').waitFor()
      await page.keyboard.type(ana.email)
      await page.keyboard.press('Tab')
      await page.keyboard.type(PASSWORD)
      await page.keyboard.press('Enter')
      return page
    }

    const first = await enter('/casos/novo')
    await first.getByRole('heading', { name: 'Novo caso', level: 1 }).waitFor()
    await tabTo(first, 'Agravo')
    await first.keyboard.type('Dengue')
    await tabTo(first, 'Nº da notificação', 1)
    await first.keyboard.type('4418823')
    await tabTo(first, 'Data da notificação', 1)
    await first.keyboard.type('hoje')
    await tabTo(first, 'Nome do paciente')
    await first.keyboard.type('Maria Plantada')
    await first.getByText(/Rascunho salvo/).waitFor()

    const second = await enter('/casos/novo')
    await second.getByRole('button', { name: 'Continuar' }).waitFor()
    await tabTo(second, 'Continuar')
    await second.keyboard.press('Enter')
    await second.getByText(/Você continua o rascunho/).waitFor()
    await tabTo(second, 'Sexo')
    await second.keyboard.type('F')
    await tabTo(second, 'Município de residência')
    await second.keyboard.type('reci')
    await second.getByRole('option', { name: /^Recife/ }).waitFor()
    await tabTo(second, 'UF de residência', 1)
    await tabTo(second, 'Febre')
    await second.keyboard.press('1')
    await second.keyboard.press('Control+s')
    await second.waitForURL(/\/casos\/\d+$/)
    const id = Number(second.url().split('/').at(-1))
    const { body } = await admin.get(`/agravos/casos/${id}?identificado=true`)
    assert.equal(body.paciente.nome, 'Maria Plantada')
    assert.equal(body.paciente.sexo, 'F')
    assert.equal(body.endereco.codigo_ibge, '2611606')
    assert.equal(body.dados_especificos.febre, true)

    await second.goto(`${origin}/casos/${id}/editar`)
    await second.getByRole('textbox', { name: 'Bairro' }).fill('Pina')
    assert.equal(
      (await admin.put(`/agravos/casos/${id}`, { bairro_residencia: 'Boa Viagem', evolucao: 'cura' })).status,
      200,
    )
    await second.keyboard.press('Control+s')
    await second.getByRole('dialog').getByText('Boa Viagem').waitFor()
    await tabTo(second, 'Salvar com estas escolhas')
    await second.keyboard.press('Enter')
    await second.waitForURL(/\/casos\/\d+$/)
    const changed = (await admin.get(`/agravos/casos/${id}`)).body
    assert.deepEqual([changed.endereco.bairro, changed.evolucao, changed.versao], ['Pina', 'cura', 3])
  })
})
