import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Permission } from '../../src/caller/permissions.ts'
import { noBrowser } from '../harness/browser.ts'
import { consoleVisits, perfil } from '../harness/console-page.ts'

const NOTHING = { body: { casos: [], total: 0, page: 1, size: 50, pages: 0, links: {} } }
const SEEING: Permission[] = ['agravos.listar']

/** A service without a single case. */
describe('An empty service', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  const offered = async (more: Permission[]) => {
    const answers = {
      'GET /api/v1/usuarios/me': perfil([...SEEING, ...more]),
      'GET /api/v1/agravos/casos': NOTHING,
    }
    await using visited = await visit('/casos', { answers })
    const empty = visited.page.locator('.empty')
    await empty.waitFor()
    await visited.page.getByText(/Nenhum caso ainda\./).waitFor()
    const links = await empty.getByRole('link').all()
    return {
      text: (await empty.textContent()) ?? '',
      links: await Promise.all(links.map((link) => link.getAttribute('href'))),
    }
  }

  it('offers the ways to the first case that the account may go, and no other', async () => {
    assert.deepEqual((await offered(['agravos.importar'])).links, ['/importacoes/nova'])
    assert.deepEqual((await offered(['agravos.criar'])).links, ['/casos/novo'])
    const both = await offered(['agravos.importar', 'agravos.criar'])
    assert.deepEqual(both.links, ['/importacoes/nova', '/casos/novo'])
    assert.doesNotMatch(both.text, /npm run/, 'made-up cases are for administrators of a sandbox')
  })

  it('tells those who may only look that there is nothing to do but wait', async () => {
    const { text, links } = await offered([])
    assert.deepEqual(links, [])
    assert.match(text, /Assim que alguém registrar ou importar casos/)
  })
})
