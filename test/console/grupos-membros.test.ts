import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, perfil, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'
import {
  conta,
  GRUPO,
  grupo,
  MEMBERS,
  ONE_GROUP,
  P_CASOS,
  RIGHTS_BODY,
  SITUACAO,
} from './usuarios-answers.ts'

const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click()

/** Effective permissions of an account with their sources: `nome`, whether it is given directly, groups that give it. */
const rights = (...fontes: [string, boolean, string[]][]) => ({
  body: { ...RIGHTS_BODY, fontes: fontes.map(([nome, direta, grupos]) => ({ nome, direta, grupos })) },
})
const GILDA = { id: 50, nome: 'Gilda Paz', email: 'gilda@saude.example', grupos: [] }
const BOTH = [P_CASOS, { id: 1, nome: 'usuarios.listar', descricao: 'Listar e ver usuários' }]
/** Of what the group gives, each of two people has one permission from elsewhere, too. */
const TWO_SIDED: Answers = {
  ...ONE_GROUP,
  [GRUPO]: { body: grupo({ exige_mfa: true, permissoes: BOTH }) },
  'GET /api/v1/usuarios/50': { body: conta(GILDA) },
  'GET /api/v1/usuarios/50/permissoes': rights(['agravos.listar', false, ['vigilancia_recife']]),
  'GET /api/v1/usuarios/31': { body: conta({ situacao: { ...SITUACAO, exige_mfa: true } }) },
  'GET /api/v1/usuarios/31/permissoes': rights(
    ['agravos.listar', false, ['usuario']],
    ['usuarios.listar', true, ['usuario']],
  ),
}
/** Accounts to whom the group makes no difference. */
const NO_EFFECT: Record<string, Answers> = {
  'an administrator with a second factor': {
    'GET /api/v1/usuarios/50': { body: conta({ ...GILDA, admin: true, mfa_habilitado: true }) },
  },
  'a member of another group like it': {
    'GET /api/v1/usuarios/50': { body: conta({ ...GILDA, situacao: { ...SITUACAO, exige_mfa: true } }) },
    'GET /api/v1/usuarios/50/permissoes': rights(
      ['agravos.listar', false, ['gestor']],
      ['usuarios.listar', false, ['gestor']],
    ),
  },
  'a group that is not active': {
    [GRUPO]: { body: grupo({ ativo: false, exige_mfa: true, permissoes: BOTH }) },
  },
}

async function include(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Incluir uma pessoa' }).fill('gil')
  await page.getByRole('option', { name: /^Gilda Paz/ }).click()
  await press('Incluir')(page)
}

const VIEWS: View[] = [
  {
    name: 'grupo-incluir',
    picture: true,
    path: '/grupos/4',
    answers: TWO_SIDED,
    act: include,
    seen: 'ganha: Listar e ver usuários',
  },
  {
    name: 'grupo-retirar',
    path: '/grupos/4',
    answers: TWO_SIDED,
    act: press('Retirar Beatriz Nascimento do grupo'),
    seen: 'perde: Listar e ver casos',
  },
  {
    name: 'grupo-incluir-erro',
    path: '/grupos/4',
    answers: { ...TWO_SIDED, 'GET /api/v1/usuarios/50/permissoes': refusal(404, 'NOT_FOUND') },
    act: include,
    seen: 'pedido-0001',
  },
]

describe('The members of a group', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('join and leave once it is told what they gain or lose', async () => {
    await using visited = await visit('/grupos/4', {
      answers: {
        ...TWO_SIDED,
        'POST /api/v1/grupos/4/usuarios/50': { body: {} },
        'DELETE /api/v1/grupos/4/usuarios/31': { status: 204 },
      },
    })
    const { page, asked } = visited
    const dialog = page.getByRole('dialog')
    const told = () => dialog.getByRole('status').getByRole('listitem').allInnerTexts()
    const sent = () => asked.filter(({ name }) => /^(POST|DELETE)/.test(name)).map(({ name }) => name)
    await include(page)
    await dialog.getByText('Incluir Gilda Paz no grupo usuario').waitFor()
    await dialog.getByText('ganha: Listar e ver usuários').waitFor()
    assert.deepEqual(
      await told(),
      ['ganha: Listar e ver usuários', 'Precisa ativar o segundo fator ao entrar'],
      'what another group gives already is not gained',
    )
    assert.deepEqual(sent(), [], 'nothing is sent before')
    await dialog.getByRole('button', { name: 'Incluir', exact: true }).click()
    await page.getByText('Gilda Paz está no grupo.').waitFor()
    await press('Retirar Beatriz Nascimento do grupo')(page)
    await dialog.getByText('perde: Listar e ver casos').waitFor()
    assert.deepEqual(await told(), ['perde: Listar e ver casos'], 'what is given directly, too, is not lost')
    await dialog.getByRole('button', { name: 'Cancelar' }).click()
    assert.equal(sent().length, 1, 'nothing is sent of what is cancelled')
    await press('Retirar Beatriz Nascimento do grupo')(page)
    await dialog.getByRole('button', { name: 'Retirar', exact: true }).click()
    await page.getByText('Beatriz Nascimento saiu do grupo.').waitFor()
    assert.deepEqual(sent(), ['POST /api/v1/grupos/4/usuarios/50', 'DELETE /api/v1/grupos/4/usuarios/31'])
    await eventually(() => assert.ok(asked.filter(({ name }) => name === MEMBERS).length >= 3))
  })

  for (const [who, answers] of Object.entries(NO_EFFECT))
    it(`gain nothing where nothing is new to them: ${who}`, async () => {
      await using visited = await visit('/grupos/4', { answers: { ...TWO_SIDED, ...answers } })
      const { page } = visited
      await include(page)
      const effect = page.getByRole('dialog').getByRole('status')
      await effect.getByText('Nada muda no que a conta pode.').waitFor()
      assert.equal(await effect.getByRole('listitem').count(), 0)
    })

  it('are told of in general by those who may not look at accounts', async () => {
    const me = perfil(['grupos.listar', 'agravos.listar', 'usuarios.gerenciar_permissoes'])
    const answers = { ...ONE_GROUP, 'GET /api/v1/usuarios/me': me }
    await using visited = await visit('/grupos/4', { answers })
    const { page, asked } = visited
    await press('Retirar Beatriz Nascimento do grupo')(page)
    await page.getByText('A conta perde, na hora, o que só este grupo lhe dá.').waitFor()
    assert.equal(asked.filter(({ name }) => name.startsWith('GET /api/v1/usuarios/31')).length, 0)
  })
})
