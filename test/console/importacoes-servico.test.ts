import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { csv, type Linha, linha } from '../contracts/b/importacoes-app.ts'
import { noBrowser, openBrowser } from '../harness/browser.ts'
import { consoleService, signIn } from '../harness/console-service.ts'
import { HANG_MS } from '../harness/eventually.ts'

/** Lines without a name, with a date that is none, and one that comes twice; one that a case is known of. */
const KNOWN = linha({ bairro_residencia: 'Boa Viagem' })
const NAMELESS = [1, 2, 3].map(() => linha({ paciente_nome: '' }))
const UNDATED = [1, 2].map(() => linha({ data_notificacao: '31/02/2024' }))
const GOOD = Array.from({ length: 193 }, () => linha())
const REPEATED: Linha = { ...(GOOD[0] as Linha), paciente_nome: 'Joana Repetida' }
const WITH_BAIRRO = [KNOWN, ...GOOD.slice(0, 90), ...NAMELESS, ...GOOD.slice(90), ...UNDATED, REPEATED].map(
  (one) => ({ ...one, bairro_residencia: one.bairro_residencia ?? '' }),
)
const BAD = [...NAMELESS, ...UNDATED].map(({ numero_notificacao }) => numero_notificacao as string)
const FILE = { name: 'casos de teste.csv', mimeType: 'text/csv', buffer: Buffer.from(csv(...WITH_BAIRRO)) }

describe('The import screens over the real service', { skip: noBrowser }, () => {
  it('bring a file in and take it back: check, causes, import, its cases, rejected lines, undo', async () => {
    await using service = await consoleService()
    const { t, origin } = service
    const ana = await t.person({ grupos: ['gestor'] })
    const api = t.as(ana)
    assert.equal((await api.post('/agravos/casos', { ...KNOWN, bairro_residencia: 'Pina' })).status, 201)
    const totalOf = async (query = '') => (await api.get(`/agravos/casos?size=1${query}`)).body.total
    assert.equal(WITH_BAIRRO.length, 200)

    const browser = await openBrowser()
    await using _closing = { [Symbol.asyncDispose]: () => browser.close() }
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'pt-BR' })
    const page = await context.newPage()
    page.setDefaultTimeout(HANG_MS)
    const link = (name: string | RegExp) => page.getByRole('link', { name })
    const button = (name: string | RegExp) => page.getByRole('button', { name })

    await page.goto(`${origin}/importacoes`)
    // Outside production every page says so, the sign-in included.
    await page.getByText('Ambiente de testes').waitFor()
    await signIn(page, ana.email)
    await link('Escolher um arquivo').click()
    await page.locator('input[type=file]').setInputFiles(FILE)
    await page.getByText('Na fila', { exact: true }).waitFor()
    await t.jobWorker.runAll()
    await page.getByText('7 de 7 colunas usadas').waitFor()

    // Left in the middle, it is found again.
    await link('Importações').first().click()
    await page.getByText('Conferido, não importado').waitFor()
    await link('Continuar a importação de casos de teste.csv').click()
    await link('Continuar para a conferência').click()
    await page.getByText('O que aconteceria com 200 linhas').waitFor()
    const counts = async () => (await page.locator('.sum dd').allTextContents()).map(Number)
    assert.deepEqual(await counts(), [193, 1, 0, 1, 5])
    await page.getByText('5 linhas em 2 causas').waitFor()
    assert.deepEqual(
      (await page.locator('.problems details:not(:has(.tag)) .count').allTextContents()).slice(0, 2),
      ['3', '2'],
    )
    assert.equal(await totalOf(), 1, 'nothing is stored yet')

    await button('Importar 194 casos').click()
    await page.getByText('Na fila', { exact: true }).waitFor()
    await t.jobWorker.runAll()
    await page.getByText('193 casos novos e 1 atualizado').waitFor()
    assert.deepEqual(await counts(), [193, 1, 0, 1, 5])
    const [imported] = (await api.get('/agravos/importacoes')).body.items
    assert.equal(await totalOf(`&importacao_id=${imported.id}`), 194)
    assert.equal(await totalOf(), 194)

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      link('Baixar as 5 linhas rejeitadas').click(),
    ])
    const rejected = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    assert.match(rejected[0] ?? '', /^\uFEFF?tipo_agravo;numero_notificacao;.*;erro$/)
    assert.deepEqual(
      rejected.slice(1).map((line) => line.split(';')[1]),
      BAD,
      'all of them, in the order of the file',
    )

    await link('Ver os 194 casos').click()
    await page.waitForURL(/\/casos\?.*importacao=/)
    await page
      .getByText(/194 casos/)
      .first()
      .waitFor()
    await page.goto(`${origin}/importacoes/${imported.id}`)
    await button('Simular').click()
    await page.getByText('Na fila', { exact: true }).waitFor()
    await t.jobWorker.runAll()
    await page.getByText('Simulação pronta. Nada mudou ainda.').waitFor()
    assert.deepEqual(await counts(), [193, 1, 0, 1, 5, 193, 1, 0])
    assert.equal(await totalOf(), 194, 'a simulation changes nothing')
    await button('Desfazer em 194 casos').click()
    await page.getByText('Na fila', { exact: true }).waitFor()
    await t.jobWorker.runAll()
    await page.getByText('Importação desfeita.').waitFor()
    assert.deepEqual([await totalOf(), await totalOf(`&importacao_id=${imported.id}`)], [1, 0])
    const [restored] = (await api.get('/agravos/casos')).body.tipos
    const { endereco } = (await api.get(`/agravos/casos/${restored.id}`)).body
    assert.equal(endereco.bairro, 'Pina', 'as it was before')
  })
})
