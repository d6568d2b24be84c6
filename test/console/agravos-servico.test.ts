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

/** Ten fields as a person types them: label, kind by its first letters, options or range. */
const CAMPOS: { rotulo: string; tipo?: string; limites?: string[] }[] = [
  { rotulo: 'Mordida de morcego' },
  { rotulo: 'Animal agressor', tipo: 'opcao', limites: ['1=Cão; 2=Gato; 3=Morcego'] },
  { rotulo: 'Data da agressão', tipo: 'data' },
  { rotulo: 'Hidrofobia' },
  { rotulo: 'Aerofobia' },
  { rotulo: 'Doses de vacina', tipo: 'inteiro' },
  { rotulo: 'Soro' },
  { rotulo: 'Lugares do corpo', tipo: 'opcoes', limites: ['Mão; Pé; Cabeça'] },
  { rotulo: 'Observação', tipo: 'texto' },
  { rotulo: 'Município da agressão', tipo: 'municipio' },
]

async function defineByKeys(page: Page): Promise<void> {
  await page.getByLabel('Nome', { exact: true }).waitFor()
  await page.keyboard.type('Raiva humana')
  await page.getByLabel('CID-10').fill('A82.9')
  await page.getByLabel('Rótulo').first().focus()
  for (const [at, { rotulo, tipo, limites = [] }] of CAMPOS.entries()) {
    const row = page.getByRole('group', { name: `Campo ${at + 1}`, exact: true })
    await page.keyboard.type(rotulo)
    if (tipo !== undefined) await row.getByLabel('Tipo').selectOption(tipo)
    if (at === 0) await row.getByLabel('Grupo').fill('Exposição')
    for (const text of limites) await row.getByLabel('Opções').fill(text)
    if (at === CAMPOS.length - 1) break
    await row.getByLabel('Rótulo').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: `Campo ${at + 2}`, exact: true }).waitFor()
  }
}

describe('Diseases in the console over the real service', { skip: noBrowser }, () => {
  it('defines a disease of ten fields, registers a case of it, shows it by label and filters by it', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'vigia-agravos-'))
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
    const ana = await t.person({ grupos: ['gestor'], permissoes: ['agravos.definir'] })
    const { token } = await t.administrador()
    const browser = await openBrowser()
    after(() => browser.close())
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'pt-BR' })
    const page = await context.newPage()
    page.setDefaultTimeout(HANG_MS)
    /** Past the harness, which holds answers against the document of the known diseases. */
    const read = async (path: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await context.request.get(`${origin}/api/v1${path}`, { headers })).json()
    }
    await page.goto(`${origin}/agravos`)
    await page.getByLabel('E-mail').fill(ana.email)
    await page.getByLabel('Senha', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')

    await page.getByRole('button', { name: 'Acrescentar agravo' }).click()
    await page.getByLabel('Começar de').selectOption('nada')
    await page.getByRole('button', { name: 'Continuar' }).click()
    await defineByKeys(page)
    // Shown only of those that were bitten, and a filter of lists.
    const animal = page.getByRole('group', { name: 'Campo 2', exact: true })
    await animal.getByRole('button', { name: 'Mais de Animal agressor' }).click()
    await animal.getByRole('button', { name: 'Acrescentar condição' }).first().click()
    await animal.getByLabel('Filtra listas').check()
    const preview = page.getByRole('complementary', { name: 'Como a ficha fica' })
    assert.equal(await preview.getByLabel('Animal agressor').count(), 0, 'hidden until its condition holds')
    await preview.getByLabel('Mordida de morcego').selectOption('sim')
    await preview.getByLabel('Animal agressor').waitFor()
    await page.getByRole('button', { name: 'Conferir' }).click()
    await page.getByText(/Nenhum problema/).waitFor()
    await page.getByRole('button', { name: 'Salvar e ativar' }).click()
    await page.waitForURL(/\/agravos\/raiva_humana$/)
    await page.getByText('A primeira.').waitFor()
    const { definicao, estado } = await read('/agravos/tipos/raiva_humana')
    assert.equal(estado, 'ativa')
    assert.deepEqual(
      definicao.campos.map(({ nome, tipo, grupo }: Record<string, string>) => [nome, tipo, grupo]),
      [
        ['mordida_de_morcego', 'bool', 'Exposição'],
        ['animal_agressor', 'opcao', 'Exposição'],
        ['data_da_agressao', 'data', 'Exposição'],
        ['hidrofobia', 'bool', 'Exposição'],
        ['aerofobia', 'bool', 'Exposição'],
        ['doses_de_vacina', 'inteiro', 'Exposição'],
        ['soro', 'bool', 'Exposição'],
        ['lugares_do_corpo', 'opcoes', 'Exposição'],
        ['observacao', 'texto', 'Exposição'],
        ['municipio_da_agressao', 'municipio', 'Exposição'],
      ],
    )
    assert.deepEqual(definicao.campos[1].opcoes[2], {
      ...{ codigo: 'morcego', rotulo: 'Morcego', sinan: ['3'], ativo: true },
    })

    await page.goto(`${origin}/casos/novo`)
    await page.getByLabel('Agravo').selectOption('raiva_humana')
    await page.getByRole('heading', { name: 'Exposição' }).waitFor()
    const field = (name: string) => page.getByRole('textbox', { name })
    const choose = async (name: string, key: string) => {
      await page.getByRole('radiogroup', { name }).getByRole('radio').first().focus()
      await page.keyboard.press(key)
    }
    await field('Nº da notificação').fill('7700001')
    await field('Data da notificação').fill('hoje')
    await field('Nome do paciente').fill('Maria Plantada')
    const municipio = page.getByRole('combobox', { name: 'Município de residência' })
    await municipio.fill('reci')
    await page.getByRole('option', { name: /^Recife/ }).waitFor()
    await municipio.press('Tab')
    assert.equal(await page.getByLabel('Animal agressor').count(), 0)
    await choose('Mordida de morcego', '1')
    await page.getByLabel('Animal agressor').selectOption('morcego')
    await choose('Hidrofobia', '2')
    await field('Data da agressão').fill('01012099')
    await field('Doses de vacina').fill('4000')
    await page.keyboard.press('Tab')
    await page.getByLabel('Cabeça').check()
    await field('Observação').fill('Segredo da ficha')
    await page.keyboard.press('Control+s')
    await page.getByText('Falta corrigir 2 campos').waitFor()
    await field('Data da agressão').fill('hoje')
    await field('Doses de vacina').fill('4')
    await page.getByText(/Rascunho salvo/).waitFor()
    await page.reload()
    await page.getByText(/Você continua o rascunho/).waitFor()
    assert.equal(await field('Doses de vacina').inputValue(), '4', 'the draft knows own fields')
    await page.keyboard.press('Control+s')
    await page.waitForURL(/\/casos\/\d+$/)
    const id = Number(page.url().split('/').at(-1))
    const { dados_especificos: dados } = await read(`/agravos/casos/${id}?identificado=true`)
    assert.deepEqual(
      [dados.mordida_de_morcego, dados.animal_agressor, dados.hidrofobia, dados.doses_de_vacina],
      [true, 'morcego', false, 4],
    )
    assert.deepEqual([dados.lugares_do_corpo, dados.observacao], [['cabeca'], 'Segredo da ficha'])

    const card = page.locator('section.block', { has: page.getByRole('heading', { name: 'Exposição' }) })
    await card.getByText('Morcego', { exact: true }).waitFor()
    await card.getByText('Protegido').waitFor()
    await page.goto(`${origin}/casos/${id}/editar`)
    assert.equal(await page.getByLabel('Animal agressor').inputValue(), 'morcego')
    await choose('Hidrofobia', '1')
    await page.keyboard.press('Control+s')
    await page.waitForURL(/\/casos\/\d+$/)
    await page.locator('.history').getByText('Hidrofobia').waitFor()

    await page.goto(`${origin}/casos?agravo=raiva_humana&periodo=sempre`)
    await page.getByRole('link', { name: '7700001' }).waitFor()
    await page.getByRole('button', { name: 'Mais filtros' }).click()
    await page.getByLabel('Animal agressor').selectOption('gato')
    await page.getByRole('button', { name: 'Fechar' }).click()
    await page.getByRole('link', { name: '7700001' }).waitFor({ state: 'detached' })
    assert.match(page.url(), /especifico\.animal_agressor=gato/)
    await page.getByText('Animal agressor: Gato').waitFor()
  })
})
