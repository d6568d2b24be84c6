import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { linha } from '../contracts/b/importacoes-app.ts'
import { noBrowser, openBrowser } from '../harness/browser.ts'
import { consoleService, signIn } from '../harness/console-service.ts'
import { HANG_MS } from '../harness/eventually.ts'

const WEEKS = Array.from(
  { length: 104 },
  (_, i) => `${2022 + Math.floor(i / 52)}${String((i % 52) + 1).padStart(2, '0')}`,
)
const LINES = [
  'municipio;semana;temp_min_sem',
  ...WEEKS.map((semana, i) => `2611606;${semana};${i % 2 === 0 ? '23,5' : '24'}`),
  '2611606;202360;22',
  '2609600;202352;99',
]
const FILE = { name: 'clima de teste.csv', mimeType: 'text/csv', buffer: Buffer.from(LINES.join('\n')) }

describe('The screens of series over the real service', { skip: noBrowser }, () => {
  it('bring a file in, show it, lay it over the curve, change the definition and take the file back', async () => {
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

    await page.goto(`${origin}/series`)
    await signIn(page, ana.email)
    await link('Temperatura mínima da semana').waitFor()
    await link('Importar séries').click()
    await page.locator('input[type=file]').setInputFiles(FILE)
    await page.getByText('Na fila', { exact: true }).waitFor()
    await t.jobWorker.runAll()
    await page.getByText('Reconhecido: Tabela longa').waitFor()
    await link('Continuar para a conferência').click()
    await page.getByText('O que aconteceria com 106 linhas').waitFor()
    assert.deepEqual((await page.locator('.sum dd').allTextContents()).map(Number), [104, 0, 0, 0, 2])
    assert.equal((await api.get('/series/temp_min_sem')).body.valores, 0, 'nothing is stored yet')
    await button('Importar 104 valores').click()
    await page.getByText('Na fila', { exact: true }).waitFor()
    await t.jobWorker.runAll()
    await page.getByText('104 valores novos e 0 alterados').waitFor()

    await link('temp_min_sem').click()
    // It opens where it has values; the country has none.
    await page.locator('.line-chart svg').waitFor()
    await page.goto(`${origin}/series/temp_min_sem?municipio=2611606`)
    await page.locator('.line-chart svg').waitFor()
    await page.locator('.line-chart rect.threshold').first().waitFor()
    await page.getByText('Lugares, SE 52/2023').waitFor()
    await page.getByText('1 de 185 lugares com valor').waitFor()
    await page.getByText(/^Correlação não é causa/).waitFor()
    await button('Editar definição').click()
    await page.getByRole('dialog').getByLabel('Licença').fill('CC BY 4.0')
    await page.getByRole('dialog').getByRole('button', { name: 'Gravar' }).click()
    await page.getByText('Definição gravada.').waitFor()
    assert.equal((await api.get('/series/temp_min_sem')).body.licenca, 'CC BY 4.0')

    assert.equal((await api.post('/agravos/casos', linha())).status, 201)
    await page.goto(`${origin}/painel?municipio=2611606&periodo=202301..202352&series=temp_min_sem:4`)
    await page.locator('.curve path.serie.n0').waitFor()
    await page.getByText(/Fonte: InfoDengue\. Licença: CC BY 4\.0\./).waitFor()
    await page.locator('.curve').focus()
    await page.keyboard.press('Home')
    // The 49th week of the year before stands in the first.
    await page.getByText(/; Temperatura mínima da semana: 23,5 °C$/).waitFor()
    await page.goto(`${origin}/series/importacoes`)
    await link('clima de teste.csv').first().click()
    await button('Simular').click()
    await page.getByText('Na fila', { exact: true }).waitFor()
    await t.jobWorker.runAll()
    await button('Desfazer em 104 valores').click()
    await page.getByText('Na fila', { exact: true }).waitFor()
    await t.jobWorker.runAll()
    await page.getByText('Importação desfeita.').waitFor()
    assert.equal((await api.get('/series/temp_min_sem')).body.valores, 0)
  })

  it('register a series, and archive it', async () => {
    await using service = await consoleService()
    const { t, origin } = service
    const ana = await t.person({ grupos: ['gestor'] })
    const browser = await openBrowser()
    await using _closing = { [Symbol.asyncDispose]: () => browser.close() }
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'pt-BR' })
    const page = await context.newPage()
    page.setDefaultTimeout(HANG_MS)
    await page.goto(`${origin}/series`)
    await signIn(page, ana.email)
    await page.getByRole('button', { name: 'Nova série' }).click()
    const dialog = page.getByRole('dialog')
    for (const [label, text] of [
      ['Código', 'importar'],
      ['Nome', 'Risco de foco'],
      ['Descrição', 'Classe do risco'],
      ['Fonte', 'SMS'],
      ['Licença', 'CC BY 4.0'],
    ] as const)
      await dialog.getByLabel(label, { exact: true }).fill(text)
    await dialog.getByLabel('Tipo de valor').selectOption('categoria')
    await dialog.getByLabel('Agregação no tempo').selectOption('ultimo')
    await dialog.getByLabel('Agregação no espaço').selectOption('nenhuma')
    for (const [at, codigo] of [
      [1, 'baixo'],
      [2, 'alto'],
    ] as const) {
      await dialog.getByRole('button', { name: 'Acrescentar categoria' }).click()
      const group = dialog.getByRole('group', { name: `Categoria ${at}` })
      await group.getByLabel('Código').fill(codigo)
      await group.getByLabel('Rótulo').fill(codigo.toUpperCase())
    }
    await dialog.getByRole('button', { name: 'Registrar' }).click()
    // A code that an address of the console has.
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Código', { exact: true }).first().fill('risco_de_foco')
    await dialog.getByRole('button', { name: 'Registrar' }).click()
    await page.waitForURL('**/series/risco_de_foco')
    await page.getByText(/^Sem valores ainda/).waitFor()
    await page.getByRole('button', { name: 'Arquivar' }).click()
    await page.getByText('Série arquivada: não recebe valores novos.').waitFor()
    const { categorias, ativa } = (await t.as(ana).get('/series/risco_de_foco')).body
    assert.equal(ativa, false)
    assert.deepEqual(categorias, [
      { codigo: 'baixo', rotulo: 'BAIXO', ordem: 1 },
      { codigo: 'alto', rotulo: 'ALTO', ordem: 2 },
    ])
  })
})
