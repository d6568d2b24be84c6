import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noBrowser } from '../harness/browser.ts'
import { ADMIN, consoleVisits } from '../harness/console-page.ts'
import { PICTURED_AT } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'
import { PARTES, painelAnswer, painelAnswers, ROUTE } from './painel-answer.ts'

const BRASIL = { ...ADMIN, ...painelAnswers(painelAnswer()) }
const nothing = painelAnswer('pais', 0)
const WORK = {
  ...{ atrasado: 412, obito_a_investigar: 3, possivel_duplicado: 58, sem_classificacao: 9 },
  ...{ sem_inicio_sintomas: 8, sem_hospitalizacao: 700, obito_sem_investigacao: 2 },
  ...{ alarme_sem_sinais: 6, obito_sem_data: 5 },
}

describe('The painel and what it stands for', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  it('says in the table and at the pointer what the curve draws, in its measure, estimates included', async () => {
    const answer = painelAnswer()
    const arriving = answer.semanas.slice(-5, -1)
    const estimativas = arriving.map(({ semana, casos }) => ({ semana, casos: casos + 400 }))
    const answers = { ...ADMIN, ...painelAnswers({ ...answer, estimativas }) }
    await using visited = await visit('/painel', { answers, at: PICTURED_AT })
    const { page } = visited
    const card = page.locator('.curve-card')
    await card.getByRole('button', { name: 'Incidência' }).click()
    await card.locator('.curve').focus()
    for (const key of ['End', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft'])
      await page.keyboard.press(key)
    const tip = card.locator('.tip')
    await tip.getByText('Estimativa').waitFor()
    const last = await tip.locator('dd').allInnerTexts()
    assert.equal(last.length, 4)
    assert.match(String(last[1]), /^0,\d/, 'of 100,000 residents')
    await card.getByRole('button', { name: 'Tabela' }).click()
    await card.locator('thead th').first().waitFor()
    const columns = await card.locator('thead th').allInnerTexts()
    assert.deepEqual(columns.slice(0, 5), [
      'Semana',
      'Casos',
      'Incidência',
      'Estimativa (Incidência)',
      '2024–2025 (Incidência)',
    ])
    // The table grows by some rows a frame.
    await eventually(async () => assert.equal(await card.locator('tbody tr').count(), answer.semanas.length))
    const cells = await card.locator('tbody tr').nth(-5).locator('td').allInnerTexts()
    const [cases, rate, estimate, before, lower, upper] = cells
    assert.match(String(cases), /^[\d.]+$/)
    assert.deepEqual([rate, estimate, before], last.slice(0, 3))
    assert.equal(`${lower}–${upper}`, last[3])
    await card.getByRole('button', { name: 'Tabela' }).click()
    await card.getByRole('button', { name: 'Casos', exact: true }).click()
    await card.getByRole('button', { name: 'Tabela' }).click()
    await card.locator('thead th').nth(4).getByText('2024–2025', { exact: true }).waitFor()
  })

  it('compares the hospitalizations of a whole year only with a whole year', async () => {
    await using visited = await visit('/painel', { answers: BRASIL, at: PICTURED_AT })
    const figures = visited.page.locator('.figures')
    await figures.waitFor()
    assert.doesNotMatch(await figures.innerText(), /um ano antes/)
    await using later = await visit('/painel', { answers: BRASIL, at: '2027-06-14T12:00:00-03:00' })
    await later.page.locator('.figures').getByText('um ano antes').waitFor()
  })

  it('leaves the neighbourhood behind on the way up, and to another place', async () => {
    const answers = { ...ADMIN, ...painelAnswers(painelAnswer('municipio')) }
    await using visited = await visit('/painel?municipio=2611606&bairro=Salgado', { answers })
    const crumbs = visited.page.locator('.crumbs a')
    await crumbs.nth(1).waitFor()
    const hrefs = await crumbs.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    assert.deepEqual(hrefs, ['/painel', '/painel?uf=PE'])
  })

  it('paints a choice before the screen follows it', async () => {
    await using visited = await visit('/painel', { answers: BRASIL })
    const { page } = visited
    await page.locator('.figures').waitFor()
    await page.getByRole('button', { name: 'Classificação' }).click()
    await page.locator('.popover :focus').waitFor()
    const whenPainted = await page.evaluate(`new Promise((told) => {
      addEventListener('change', () => requestAnimationFrame(() => told(
        [document.activeElement.checked, location.search])), { once: true })
      const { activeElement } = document
      activeElement.closest('fieldset').querySelector('input:not(:checked)').click()
      document.querySelector('.popover input:checked').focus()
    })`)
    assert.deepEqual(whenPainted, [true, ''])
    await page.waitForURL(/classificacao=/)
  })

  it('shows the most urgent work first, and the rest on demand', async () => {
    const answers = { ...BRASIL, [PARTES]: { body: { pendencias: WORK } } }
    await using visited = await visit('/painel', { answers })
    const work = visited.page.locator('.work-card')
    const more = work.getByRole('button', { name: 'Ver mais (2)' })
    await more.waitFor()
    assert.deepEqual(await work.locator('li:not(.unprinted) span').allInnerTexts(), [
      'Óbito sem investigação após 24 h',
      'Óbito a investigar',
      'Investigação além do prazo',
      'Sem início dos sintomas',
      'Sem informação de hospitalização',
      'Sem classificação final',
      'Possível duplicidade',
    ])
    assert.equal(await work.locator('.harm').count(), 2)
    const sent = await work.getByRole('link').nth(4).getAttribute('href')
    assert.match(String(sent), /[?&]pendencia=sem_hospitalizacao$/)
    await more.click()
    assert.equal(await work.locator('li:not(.unprinted)').getByRole('link').count(), 9)
    assert.equal(await more.count(), 0)
  })

  it('offers the whole country beside an empty place only with its cases', async () => {
    const country = { body: painelAnswer() }
    for (const [path, whole, isOffered] of [
      ['/painel?uf=PE', country, true],
      ['/painel?uf=PE', { body: nothing }, false],
      ['/painel?sexo=F', country, false],
    ] as const) {
      const answers = { ...ADMIN, ...painelAnswers(nothing), [ROUTE]: [{ body: nothing }, whole] }
      await using visited = await visit(path, { answers })
      const { page, asked } = visited
      await page
        .getByText(nothing.anterior.casos > 0 ? 'no mesmo período' : 'Nenhum caso')
        .first()
        .waitFor()
      const link = page.getByRole('link', { name: /^Ver o Brasil inteiro \([\d.]+ casos\)/ })
      if (isOffered) await link.waitFor()
      else await page.locator('.months-card').waitFor()
      assert.equal(await link.count(), isOffered ? 1 : 0)
      assert.equal(asked.filter(({ name }) => name === ROUTE).length, path.includes('uf') ? 2 : 1)
    }
  })
})
