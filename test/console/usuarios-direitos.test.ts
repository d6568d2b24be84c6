import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { consoleVisits } from '../harness/console-page.ts'
import { eventually } from '../harness/eventually.ts'
import { conta, ONE, ONE_USER } from './usuarios-answers.ts'

const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click()

describe('Rights and places of an account', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  it('cannot be given a group that grants what one does not hold', async () => {
    await using visited = await visit('/usuarios/31', { answers: ONE_USER })
    const { page, asked } = visited
    await press('Alterar grupos')(page)
    const above = page.getByRole('checkbox', { name: 'admin', exact: true })
    // Told to be disabled, which the browser itself does not know.
    await above.click({ force: true })
    assert.equal(await above.isChecked(), false)
    await page.getByRole('checkbox', { name: 'gestor' }).check()
    const effect = page.getByRole('dialog').getByRole('status')
    await eventually(async () =>
      assert.deepEqual(await effect.getByRole('listitem').allInnerTexts(), [
        'ganha: Listar e ver usuários',
        'Precisa ativar o segundo fator ao entrar',
      ]),
    )
    await page.getByRole('checkbox', { name: 'gestor' }).uncheck()
    assert.equal(await effect.textContent(), '', 'as it was opened')
    await page.getByRole('checkbox', { name: 'gestor' }).check()
    visited.answers['PUT /api/v1/usuarios/31/grupos'] = { body: {} }
    await press('Salvar')(page)
    await page.getByText('Alterações salvas.').waitFor()
    const sent = asked.find(({ name }) => name === 'PUT /api/v1/usuarios/31/grupos')
    assert.deepEqual(sent?.body, { grupos_ids: [4, 2] })
  })

  it('are told what they gain and lose by their own permissions, before these are saved', async () => {
    await using visited = await visit('/usuarios/31', { answers: ONE_USER })
    const { page } = visited
    await press('Alterar permissões diretas')(page)
    const effect = page.getByRole('dialog').getByRole('status')
    const told = (...expected: string[]) =>
      eventually(async () => assert.deepEqual(await effect.getByRole('listitem').allInnerTexts(), expected))
    await page.getByRole('checkbox', { name: 'Listar e ver usuários' }).check()
    await told('ganha: Listar e ver usuários')
    await page.getByRole('checkbox', { name: 'Listar e ver usuários' }).uncheck()
    await page.getByRole('checkbox', { name: 'Listar e ver casos' }).check()
    await effect.getByText('Nada muda no que a conta pode.').waitFor()
  })

  it('are bound to places that are collected first', async () => {
    await using visited = await visit('/usuarios/31', { answers: ONE_USER })
    const { page, asked } = visited
    await press('Alterar território')(page)
    await press('Retirar Olinda (PE)')(page)
    await page.getByRole('combobox', { name: 'Incluir um lugar' }).fill('parai')
    await page.getByRole('option', { name: /^Paraíba/ }).click()
    const effect = page.getByRole('dialog').getByRole('status').getByRole('listitem')
    assert.deepEqual(await effect.allInnerTexts(), ['ganha: Paraíba', 'perde: Olinda (PE)'])
    visited.answers['PUT /api/v1/usuarios/31/territorios'] = { body: { territorios: [] } }
    await press('Salvar')(page)
    await page.getByText('Alterações salvas.').waitFor()
    const sent = asked.find(({ name }) => name === 'PUT /api/v1/usuarios/31/territorios')
    assert.deepEqual(sent?.body, {
      territorios: [
        { nivel: 'municipio', codigo: '2611606' },
        { nivel: 'uf', codigo: 'PB' },
      ],
    })
  })

  it('show their whole history on demand', async () => {
    const historico = Array.from({ length: 23 }, (_, at) => ({
      ...{ data: new Date(Date.UTC(2026, 10, 14, 12, at)).toISOString(), acao: 'login.feito' },
      usuario: { id: 9, nome: 'Carlos Teixeira' },
    }))
    await using visited = await visit('/usuarios/31', {
      answers: { ...ONE_USER, [ONE]: { body: conta({ historico }) } },
    })
    const { page } = visited
    const records = page.locator('section:has(h2:text("Histórico")) li')
    await records.first().waitFor()
    assert.equal(await records.count(), 10)
    await page.getByRole('button', { name: 'Mostrar todos os 23' }).click()
    await eventually(async () => assert.equal(await records.count(), 23))
  })
})
