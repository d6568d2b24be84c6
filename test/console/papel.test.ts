import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noBrowser } from '../harness/browser.ts'
import { ADMIN, type Answers, consoleVisits, HEALTHY, refusal } from '../harness/console-page.ts'
import { ALERTAS, listed as alertasListed, WATCHER } from './alertas-answers.ts'
import { LIST as CASOS, lista as casosListed, casosOf } from './casos-data.ts'
import { decider, PARES, LIST as PARES_LIST, listed as paresListed } from './duplicidades-answers.ts'
import { LIST as EPIZOOTIAS, LISTED as EPIZOOTIAS_LISTED, REGISTERS } from './epizootias-answers.ts'
import { IMPORTER, importacao, lista, NO_JOBS } from './importacoes-answers.ts'
import { CATALOGO, DEFINES, page as listOf, LIST as SERIES } from './series-answers.ts'
import { ALL_USERS } from './usuarios-answers.ts'
import { OPENED as WEBHOOK, ALL as WEBHOOKS } from './webhooks-answers.ts'

/** A4 less margins of 12 mm. */
const PAPER = { width: 703, height: 1_000 }

const LISTS: [path: string, answers: Answers][] = [
  ['/casos', { ...casosOf(), [CASOS]: casosListed(6) }],
  ['/usuarios', ALL_USERS],
  ['/webhooks', WEBHOOKS],
  ['/webhooks/wh_a1', WEBHOOK],
  ['/duplicidades', { ...decider(), [PARES_LIST]: paresListed(PARES) }],
  ['/importacoes', { ...IMPORTER, ...NO_JOBS, ...lista(importacao()) }],
  ['/epizootias', { ...REGISTERS, [EPIZOOTIAS]: EPIZOOTIAS_LISTED }],
  ['/series', { ...DEFINES, [SERIES]: listOf(CATALOGO) }],
  ['/alertas', { ...WATCHER, ...alertasListed(ALERTAS) }],
]
const job = {
  ...{ job_id: 'job_a', tipo: 'importacao', status: 'processing', status_url: '', trabalho: 'importacao' },
  ...{ message: 'Lendo', codigo: null, progress: 41, created_at: '2026-11-14T14:58:00.000Z' },
  ...{ completed_at: null, usuario: { id: 9, nome: 'Carlos Teixeira' } },
}

describe('Paper', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  for (const [path, answers] of LISTS)
    it(`has lists as tables, with their heads, within its width: ${path}`, async () => {
      await using visited = await visit(path, { answers })
      const { page } = visited
      await page.locator('main tbody tr').first().waitFor()
      await page.setViewportSize(PAPER)
      await page.emulateMedia({ media: 'print' })
      const shown = await page.evaluate(`(() => {
        const rows = [...document.querySelectorAll('main table:has(tbody tr)')]
        const of = (selector) => rows.map((one) => getComputedStyle(one.querySelector(selector)).display)
        return { heads: of('thead'), lines: of('tbody tr'), width: document.documentElement.scrollWidth }
      })()`)
      const { heads, lines, width } = shown as { heads: string[]; lines: string[]; width: number }
      assert.deepEqual([...new Set(heads)], ['table-header-group'])
      assert.deepEqual([...new Set(lines)], ['table-row'])
      assert.ok(width <= PAPER.width, `${width} px`)
      await page.emulateMedia({ media: null })
    })

  it('has no button of a row: a job cannot be ended there', async () => {
    const answers = { ...ADMIN, ...HEALTHY, 'GET /api/v1/jobs': listOf([job]) }
    await using visited = await visit('/sistema', { answers })
    const { page } = visited
    const cancel = page.getByRole('button', { name: /^Cancelar: / })
    await cancel.waitFor()
    await page.emulateMedia({ media: 'print' })
    assert.equal(await cancel.isVisible(), false)
    await page.emulateMedia({ media: null })
  })

  it('has the backup codes of a second factor, never what makes its codes', async () => {
    const setup = {
      ...{ qr_code: 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=', secret: 'JBSWY3DPEHPK3PXP' },
      ...{ backup_codes: ['abcd-1234', 'efgh-5678'], instructions: '' },
    }
    const answers = {
      'GET /api/v1/usuarios/me': refusal(403, 'MFA_ENROLMENT_REQUIRED'),
      'POST /api/v1/auth/mfa/enable': { body: setup },
    }
    await using visited = await visit('/segundo-fator', { answers })
    const { page } = visited
    await page.getByRole('button', { name: 'Começar' }).click()
    await page.getByText('efgh-5678').waitFor()
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.getByText('efgh-5678').isVisible(), true)
    assert.equal(await page.getByText('JBSWY3DPEHPK3PXP').isVisible(), false)
    assert.equal(await page.locator('.qr').isVisible(), false)
    await page.emulateMedia({ media: null })
  })
})
