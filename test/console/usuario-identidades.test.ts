import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { ALL_USERS, IDENTIDADES, listed, ONE_USER, usuario } from './usuarios-answers.ts'

const UNLINK = 'DELETE /api/v1/usuarios/31/identidades/5'
const identidade = {
  id: 5,
  provedor: 'estado',
  provedor_nome: 'Governo do Estado',
  vinculada_em: '2026-02-03T12:00:00.000Z',
  ultimo_uso_em: '2026-11-13T17:20:00.000Z',
}
const LINKED: Answers = {
  ...ONE_USER,
  [IDENTIDADES]: { body: { total: 1, items: [identidade] } },
}

const VIEWS: View[] = [
  {
    name: 'usuario-desvincular',
    path: '/usuarios/31',
    answers: LINKED,
    act: (page) => page.getByRole('button', { name: 'Desvincular Governo do Estado' }).click(),
    seen: /^A pessoa deixa de entrar por esta identidade/,
  },
]

describe('Identities of an account', { skip: noBrowser }, () => {
  const visit = consoleVisits()
  inspectViews(VIEWS, visit)

  it('are told with their use, and unlinked after a question', async () => {
    await using visited = await visit('/usuarios/31', {
      answers: {
        ...LINKED,
        [IDENTIDADES]: [{ body: { total: 1, items: [identidade] } }, { body: { total: 0, items: [] } }],
        [UNLINK]: [refusal(403, 'PERMISSION_DENIED'), { status: 204 }],
      },
    })
    const { page, asked } = visited
    await page.getByText('Vinculada em 03/02/2026, último uso em 13/11/2026').waitFor()
    await page.getByRole('button', { name: 'Desvincular Governo do Estado' }).click()
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Desvincular' })
    await confirm.click()
    await page.getByText('mensagem PERMISSION_DENIED').waitFor()
    await confirm.click()
    await page.getByText('Identidade desvinculada.').waitFor()
    await page.getByText('Nenhuma identidade vinculada.').waitFor()
    assert.equal(asked.filter(({ name }) => name === UNLINK).length, 2)
  })

  it('of a machine are none: the list says that an account is one of service', async () => {
    const machine = usuario({ nome: 'Integração LACEN', servico: true, email: 'c1@servico.invalid' })
    await using visited = await visit('/usuarios', { answers: { ...ALL_USERS, ...listed([machine]) } })
    await visited.page.getByText('conta de serviço').waitFor()
    assert.equal(await visited.page.getByText('servico.invalid').count(), 0)
  })
})
