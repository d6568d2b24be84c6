import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noBrowser, openBrowser } from '../harness/browser.ts'
import { consoleService, signIn } from '../harness/console-service.ts'
import { HANG_MS } from '../harness/eventually.ts'

const LINES = [
  'numero;data_ocorrencia;municipio;especie_grupo;suspeita;classificacao;criterio;animais_mortos',
  'T-1;2022-01-12;2611606;pnh;febre_amarela;confirmada;laboratorial;2',
  'T-2;2022-01-13;2609600;pnh;febre_amarela;descartada;;1',
  'T-3;2022-01-14;2609600;pnh;febre_amarela;confirmada;;1',
]
const FILE = { name: 'macacos de teste.csv', mimeType: 'text/csv', buffer: Buffer.from(LINES.join('\n')) }

describe('The screens of events in animals over the real service', { skip: noBrowser }, () => {
  it('register, refuse, change, delete, restore, import, map and undo', async () => {
    await using service = await consoleService()
    const { t, origin } = service
    const ana = await t.person({ grupos: ['gestor'] })
    const api = t.as(ana)
    const browser = await openBrowser()
    await using _closing = { [Symbol.asyncDispose]: () => browser.close() }
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'pt-BR' })
    const page = await context.newPage()
    page.setDefaultTimeout(HANG_MS)
    const link = (name: string | RegExp) => page.getByRole('link', { name })
    const button = (name: string | RegExp) => page.getByRole('button', { name })

    await page.goto(`${origin}/epizootias`)
    await signIn(page, ana.email)
    await page.getByText(/^Nenhuma epizootia ainda/).waitFor()
    await link('Nova epizootia').click()
    await page.getByLabel('Número *').fill('2022000123')
    await page.getByLabel('Data da ocorrência').fill('12012022')
    await page.getByLabel('Data da notificação').fill('10/01/2022')
    await page.getByRole('combobox', { name: 'Município *' }).fill('Recife')
    await page.getByRole('option', { name: /^Recife/ }).click()
    await page.getByLabel('Grupo de animais *').selectOption('pnh')
    await page.getByLabel('Suspeita *').selectOption('febre_amarela')
    await page.getByLabel('Animais mortos').fill('0')
    await page.getByLabel('Classificação *').selectOption('confirmada')
    await button('Gravar').click()
    // Rules between fields are the service's; each answer stands at its field.
    await page.getByText('3 campos a corrigir').waitFor()
    for (const label of ['Data da notificação', 'Animais mortos', 'Critério'])
      assert.equal(await page.getByLabel(label).getAttribute('aria-invalid'), 'true', label)
    assert.equal((await api.get('/epizootias')).body.total, 0)
    await page.getByLabel('Data da notificação').fill('13/01/2022')
    await page.getByLabel('Animais mortos').fill('1')
    await page.getByLabel('Critério').selectOption('laboratorial')
    await button('Gravar').click()
    await page.getByRole('heading', { name: 'Febre amarela, nº 2022000123' }).waitFor()
    const [{ id }] = (await api.get('/epizootias')).body.items

    await link('Editar').click()
    await page.getByLabel('Localidade').fill('Dois Irmãos')
    await api.put(`/epizootias/${id}`, { localidade: 'Várzea', animais_doentes: 2 })
    await button('Gravar').click()
    const conflict = page.locator('dialog.conflict')
    await conflict.getByText('Animais doentes').waitFor()
    await conflict.locator('.button.primary').click()
    await page.getByRole('heading', { name: 'Histórico' }).waitFor()
    await page.getByText('Dois Irmãos').first().waitFor()
    const stored = (await api.get(`/epizootias/${id}`)).body
    assert.deepEqual([stored.localidade, stored.animais_doentes], ['Dois Irmãos', 2])

    await button('Excluir').click()
    await page
      .getByRole('dialog')
      .getByLabel(/^Motivo/)
      .fill('registrada duas vezes')
    await page.getByRole('dialog').getByRole('button', { name: 'Excluir' }).click()
    await page.getByText('Epizootia excluída.').waitFor()
    assert.equal((await api.get(`/epizootias/${id}`)).status, 404)
    // Also after a reload, which knows nothing of the deletion.
    await page.reload()
    await page.getByText('Se foi excluída, você pode trazê-la de volta.').waitFor()
    await button('Restaurar').click()
    await page.getByText('Motivo: registrada duas vezes').waitFor()
    assert.equal((await api.get(`/epizootias/${id}`)).status, 200)

    await page.goto(`${origin}/epizootias/importar`)
    await page.locator('input[type=file]').setInputFiles(FILE)
    await page.getByText('Na fila', { exact: true }).waitFor()
    await t.jobWorker.runAll()
    await page.getByText('O que aconteceria com 3 linhas').waitFor()
    assert.deepEqual((await page.locator('.sum dd').allTextContents()).map(Number), [2, 0, 0, 0, 1])
    assert.equal((await api.get('/epizootias')).body.total, 1, 'nothing is stored yet')
    await button('Importar 2 eventos').click()
    await page.getByText('Na fila', { exact: true }).waitFor()
    await t.jobWorker.runAll()
    await page.getByText('2 eventos novos e 0 alterados').waitFor()
    await link('Ver os eventos').click()
    await link('T-1').waitFor()
    assert.equal(await link('2022000123').count(), 0)
    await page.goto(`${origin}/epizootias?uf=PE&de=2022-01-01&ate=2022-12-31&busca=T-`)
    await link('T-2').waitFor()
    assert.deepEqual(await page.locator('.class-numbers b').allTextContents(), ['2', '0', '1', '0', '1'])
    await button('Mapa').click()
    await page.locator('.map canvas[role="img"]').waitFor()
    await page.getByText('2 eventos').first().waitFor()
    await button('Tabela').click()
    await page.getByRole('rowheader', { name: 'Olinda (PE)' }).waitFor()

    await page.goto(`${origin}/epizootias/importacoes`)
    await link('macacos de teste.csv').first().click()
    await button('Simular').click()
    await page.getByText('Na fila', { exact: true }).waitFor()
    await t.jobWorker.runAll()
    await button('Desfazer em 2 eventos').click()
    await page.getByText('Na fila', { exact: true }).waitFor()
    await t.jobWorker.runAll()
    await page.getByText('Importação desfeita.').waitFor()
    assert.equal((await api.get('/epizootias')).body.total, 1)
  })

  it('take a suspicion that was added, which then stays as long as an event or a series has it', async () => {
    await using service = await consoleService()
    const { t, origin } = service
    const ana = await t.person({ grupos: ['gestor'] })
    const browser = await openBrowser()
    await using _closing = { [Symbol.asyncDispose]: () => browser.close() }
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'pt-BR' })
    const page = await context.newPage()
    page.setDefaultTimeout(HANG_MS)
    const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click()
    const codes = async () =>
      (await t.as(ana).get('/epizootias/valores')).body.items.map(({ codigo }: { codigo: string }) => codigo)

    await page.goto(`${origin}/epizootias`)
    await signIn(page, ana.email)
    await press('Suspeitas e espécies')
    await page.getByLabel('Nome', { exact: true }).fill('Mormo')
    await press('Acrescentar')
    await page.getByText('Mormo: acrescentada.').waitFor()
    const evento = {
      ...{ numero: '1', data_ocorrencia: '2022-01-12', municipio: '2611606', especie_grupo: 'equideo' },
      ...{ suspeita: 'mormo', animais_doentes: 1 },
    }
    const used = await t.as(ana).post('/epizootias', evento)
    assert.equal(used.status, 201, used.text)
    await press('Remover Mormo')
    await press('Remover')
    await page.getByText('Mormo: Ainda está em uso.').waitFor()
    assert.ok((await codes()).includes('mormo'))
    await press('Remover Encefalite equina')
    await press('Remover')
    await page.getByText('Encefalite equina: removida.').waitFor()
    assert.ok(!(await codes()).includes('encefalite_equina'))
  })
})
