import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { consoleVisits } from '../harness/console-page.ts'
import { eventually } from '../harness/eventually.ts'
import { ONE_USER } from './usuarios-answers.ts'

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
})
