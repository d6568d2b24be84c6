import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noBrowser } from '../harness/browser.ts'
import { ADMIN, consoleVisits, HEALTHY, perfil, refusal } from '../harness/console-page.ts'
import { eventually } from '../harness/eventually.ts'
import { casosOf, EMPTY, LIST, lista, PERNAMBUCO, TERRITORIOS } from './casos-data.ts'
import { painelAnswer, painelAnswers } from './painel-answer.ts'

const BRASIL = painelAnswers(painelAnswer())

describe('The frame of the console', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  it('finds municipalities for those who see the painel alone, and no cases', async () => {
    const me = perfil(['dashboard.visualizar', 'agravos.estatisticas'])
    const answers = { ...BRASIL, 'GET /api/v1/usuarios/me': me, [TERRITORIOS]: PERNAMBUCO }
    await using visited = await visit('/painel', { answers })
    const { page, asked } = visited
    await page.locator('.figures').waitFor()
    await page.keyboard.press('Control+k')
    const box = page.getByRole('combobox', { name: 'Tela, ação ou município' })
    await box.fill('44188')
    await page.getByText('Nada encontrado').waitFor()
    await box.fill('Caruaru')
    await page.getByRole('option', { name: /Caruaru, PE/ }).click()
    await page.waitForURL('**/painel?uf=PE&municipio=2604106')
    assert.equal(asked.filter(({ name }) => name === LIST).length, 0)
  })

  it('has the country among the places of the filter', async () => {
    await using visited = await visit('/painel?uf=PE', { answers: { ...ADMIN, ...BRASIL } })
    const { page } = visited
    await page.getByRole('button', { name: /^Território/ }).click()
    await page.getByRole('combobox', { name: 'Território' }).fill('bras')
    await page.getByRole('option', { name: 'Brasil' }).click()
    await page.waitForURL('**/painel')
  })

  it('lists the keys of the form, the curve and the map', async () => {
    await using visited = await visit('/ajuda', { answers: ADMIN })
    const { page } = visited
    const keysOf = (does: string) => page.getByRole('row', { name: does }).locator('td').first().innerText()
    assert.equal(await keysOf('Salvar o caso e registrar outro'), 'Ctrl + Enter')
    assert.equal(await keysOf('Sim, não, ignorado'), '1 / 2 / 9')
    assert.equal(await keysOf('Escolher um período na curva'), 'Shift + ← / →')
    await page.getByRole('row', { name: 'Um nível acima no mapa' }).waitFor()
  })

  it('says without a connection that there is none, in the place of the state of the stream', async () => {
    await using visited = await visit('/ajuda', { answers: ADMIN })
    const { page } = visited
    await page.locator('button.bell').waitFor()
    await page.evaluate("dispatchEvent(new Event('offline'))")
    await page.locator('.live', { hasText: 'Sem conexão' }).waitFor()
  })

  it('asks in the chosen language from the first request on', async () => {
    await using visited = await visit('/sistema', { answers: { ...ADMIN, ...HEALTHY }, alone: true })
    const { page, asked } = visited
    await page.getByText('Banco de dados').waitFor()
    await page.evaluate(`localStorage.setItem('vigia.preferencias', '{"idioma":"es-ES"}')`)
    asked.length = 0
    await page.reload()
    await eventually(() => assert.ok(asked.length > 2))
    assert.deepEqual([...new Set(asked.map(({ headers }) => headers['accept-language']))], ['es-ES'])
  })

  it('names the request of a refused send, to be copied', async () => {
    const answers = { ...casosOf(), 'DELETE /api/v1/agravos/casos/7': refusal(403, 'PERMISSION_DENIED') }
    await using visited = await visit('/casos/7', { answers, alone: true })
    const { page } = visited
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Excluir' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Motivo').fill('duplicado')
    await dialog.getByRole('button', { name: 'Excluir' }).click()
    await dialog.getByText('pedido-0001').waitFor()
    await dialog.getByRole('button', { name: 'Copiar' }).click()
    await dialog.getByText('Copiado').waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'pedido-0001')
  })

  it('leaves own fields behind with the other filters', async () => {
    const answers = { ...casosOf(), [LIST]: [EMPTY, lista(965), EMPTY] }
    await using visited = await visit('/casos?agravo=dengue&especifico.prova=sim', { answers })
    const { page, asked } = visited
    const all = page.getByRole('link', { name: 'Todos', exact: true })
    assert.equal(await all.getAttribute('href'), '/casos?agravo=dengue')
    await eventually(() => {
      const wider = asked.filter(({ name, query }) => name === LIST && query.get('size') === '1')
      assert.ok(
        wider.some(({ query }) => query.get('tipo_agravo') === 'dengue' && !query.has('especifico.prova')),
      )
    })
  })
})
