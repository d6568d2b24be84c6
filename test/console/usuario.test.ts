import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, perfil, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { isOnlyKept } from './shown-password.ts'
import {
  conta,
  listed,
  MANAGER_RIGHTS,
  ONE,
  ONE_USER,
  RIGHTS,
  SITUACAO,
  usuario,
} from './usuarios-answers.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('dialog').getByLabel(name, { exact: true })
const press = (name: string) => (page: Page) => button(page, name).click()
const LOCKED = {
  mfa_habilitado: true,
  situacao: {
    ...SITUACAO,
    bloqueado_ate: '2026-11-14T15:10:00.000Z',
    codigos_backup: 3,
    trocar_senha: true,
  },
}
const DEACTIVATION = { sessoes_encerradas: 1, grupos_removidos: 1, casos: 48 }
const leaving: Answers = { ...ONE_USER, [ONE]: { body: conta({ desativacao: DEACTIVATION }) } }

const VIEWS: View[] = [
  { name: 'usuario', picture: true, path: '/usuarios/31', answers: ONE_USER, seen: 'Grupo usuario' },
  {
    name: 'usuario-bloqueado',
    picture: true,
    path: '/usuarios/31',
    answers: { ...ONE_USER, [ONE]: { body: conta(LOCKED) } },
    seen: /^Entrada bloqueada até/,
  },
  {
    name: 'usuario-desativar',
    picture: true,
    path: '/usuarios/31',
    answers: leaving,
    act: press('Desativar'),
    seen: '48 casos continuam com a conta desativada.',
  },
  {
    name: 'usuario-territorio',
    picture: true,
    path: '/usuarios/31',
    answers: ONE_USER,
    act: press('Alterar território'),
    seen: 'Incluir um lugar',
  },
  {
    name: 'usuario-limite',
    picture: true,
    path: '/usuarios/31',
    answers: { ...ONE_USER, 'GET /api/v1/usuarios/me': perfil(['admin'], true) },
    async act(page) {
      await press('Alterar limite')(page)
      await page.getByRole('radio', { name: /^Premium/ }).check()
    },
    seen: 'Vale a partir do próximo pedido.',
  },
  {
    name: 'usuario-permissoes',
    path: '/usuarios/31',
    answers: ONE_USER,
    async act(page) {
      await press('Alterar permissões diretas')(page)
      await page.getByRole('group', { name: 'Casos', exact: true }).waitFor()
    },
    seen: 'Você não tem esta permissão, e por isso não pode dá-la.',
  },
  {
    name: 'usuario-grupos',
    path: '/usuarios/31',
    answers: ONE_USER,
    act: press('Alterar grupos'),
    seen: 'Gerencia usuários e recursos',
  },
  {
    name: 'usuario-editar',
    path: '/usuarios/31',
    answers: ONE_USER,
    act: press('Editar dados'),
    seen: 'O novo endereço vale na hora, e o antigo é avisado.',
  },
  {
    name: 'usuario-fator',
    path: '/usuarios/31',
    answers: { ...ONE_USER, [ONE]: { body: conta(LOCKED) } },
    act: press('Encerrar segundo fator'),
    seen: /^Para quem perdeu o aparelho/,
  },
  {
    name: 'usuario-ausente',
    path: '/usuarios/31',
    answers: { ...ONE_USER, [ONE]: refusal(404, 'NOT_FOUND') },
    seen: 'pedido-0001',
  },
]

describe('An account', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('are deactivated with a reason, their cases handed over, the effect told before', async () => {
    await using visited = await visit('/usuarios/31', {
      answers: { ...leaving, ...listed([usuario({ id: 35, nome: 'Fábio Melo' })]) },
    })
    const { page, asked } = visited
    const dialog = page.getByRole('dialog')
    await press('Desativar')(page)
    await dialog.getByText('1 sessão é encerrada.').waitFor()
    await dialog.getByRole('button', { name: 'Desativar' }).click()
    await dialog.getByText('Diga o motivo.').waitFor()
    await dialog.getByLabel('Motivo').fill(' Mudou de secretaria ')
    await dialog.getByRole('combobox', { name: 'Passar os casos para' }).fill('fab')
    await dialog.getByRole('option', { name: /^Fábio Melo/ }).click()
    await dialog.getByText('48 casos passam para Fábio Melo.').waitFor()
    visited.answers['DELETE /api/v1/usuarios/31'] = { body: {} }
    await dialog.getByRole('button', { name: 'Desativar' }).click()
    await page.getByText('Conta desativada.').waitFor()
    const sent = asked.find(({ name }) => name === 'DELETE /api/v1/usuarios/31')
    assert.deepEqual(Object.fromEntries(sent?.query ?? []), {
      motivo: 'Mudou de secretaria',
      transferir_para: '35',
    })
  })

  it('are reactivated, unlocked, and their second factor and sessions ended', async () => {
    const off = {
      ...ONE_USER,
      [ONE]: { body: conta({ ativo: false }) },
      'PUT /api/v1/usuarios/31': { body: {} },
    }
    {
      await using visited = await visit('/usuarios/31', { answers: off })
      await press('Reativar')(visited.page)
      await visited.page.getByText(/^Conta reativada/).waitFor()
      const sent = visited.asked.find(({ name }) => name === 'PUT /api/v1/usuarios/31')
      assert.deepEqual(sent?.body, { ativo: true })
    }
    const ended = { body: { message: '', sessoes_encerradas: 1 } }
    await using visited = await visit('/usuarios/31', {
      answers: {
        ...ONE_USER,
        [ONE]: { body: conta(LOCKED) },
        'POST /api/v1/usuarios/31/desbloquear': { body: {} },
        'DELETE /api/v1/usuarios/31/mfa': ended,
        'DELETE /api/v1/usuarios/31/sessoes': ended,
      },
    })
    const { page } = visited
    await press('Desbloquear')(page)
    await page.getByText('A entrada foi desbloqueada.').waitFor()
    for (const what of ['Encerrar segundo fator', 'Encerrar sessões']) {
      await press(what)(page)
      await page.getByRole('dialog').getByRole('button', { name: what }).click()
      await page.getByText('Encerrado; 1 sessão terminou.').waitFor()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  })

  it('are set a password, which is shown once, to be changed at sign-in', async () => {
    const path = 'POST /api/v1/usuarios/31/alterar-senha'
    const answers = { ...ONE_USER, [path]: { body: { sessoes_invalidadas: 2 } } }
    await using visited = await visit('/usuarios/31', { answers })
    const { page, asked } = visited
    const dialog = page.getByRole('dialog')
    await press('Definir senha')(page)
    await dialog.getByRole('button', { name: 'Definir senha' }).click()
    await dialog.getByText('Senha definida; 2 sessões encerradas.').waitFor()
    const shown = await dialog.locator('code').textContent()
    const sent = asked.find(({ name }) => name === path)
    assert.deepEqual(sent?.body, { nova_senha: shown, forcar_troca: true })
    await isOnlyKept(page)
    await press('Guardei a senha')(page)
    assert.equal(await page.getByText(shown as string).count(), 0)
  })

  it('are invited again while nobody has entered', async () => {
    const answers = {
      ...ONE_USER,
      [ONE]: { body: conta({ ultimo_login: null, ultimo_acesso: null, sessoes: [] }) },
      'POST /api/v1/usuarios/31/convite': { body: {} },
    }
    await using visited = await visit('/usuarios/31', { answers })
    await press('Enviar convite de novo')(visited.page)
    await visited.page.getByText('Um novo convite está a caminho.').waitFor()
  })

  it('get another photo from those who may change them, and lead to all that they did', async () => {
    const SEND = 'POST /api/v1/usuarios/31/foto-perfil'
    const me = perfil([...MANAGER_RIGHTS, 'auditoria.ver'])
    const answers = { ...ONE_USER, 'GET /api/v1/usuarios/me': me, [SEND]: { body: {} } }
    await using visited = await visit('/usuarios/31', { answers })
    const { page, asked } = visited
    const acts = page.getByRole('link', { name: 'O que esta conta fez' })
    assert.equal(await acts.getAttribute('href'), '/auditoria?ator=31')
    const buffer = PNG.sync.write(new PNG({ width: 40, height: 30 }))
    await page.getByLabel('Escolher a foto').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer })
    await page.getByRole('dialog').getByRole('button', { name: 'Usar esta foto' }).click()
    await page.getByText('Foto trocada.').waitFor()
    assert.match(String(asked.find(({ name }) => name === SEND)?.body), /filename="foto\.jpg"/)
  })

  it('send only what changed of their data', async () => {
    const answers = { ...ONE_USER, 'PUT /api/v1/usuarios/31': { body: {} } }
    await using visited = await visit('/usuarios/31', { answers })
    const { page, asked } = visited
    await press('Editar dados')(page)
    await field(page, 'Cargo').fill('Epidemiologista')
    await field(page, 'Departamento').fill('')
    await press('Salvar')(page)
    await page.getByText('Alterações salvas.').waitFor()
    const sent = asked.find(({ name }) => name === 'PUT /api/v1/usuarios/31')
    assert.deepEqual(sent?.body, { cargo: 'Epidemiologista', departamento: null })
  })

  it('have a limit of requests, which administrators change after they were told what it does', async () => {
    const answers = {
      ...ONE_USER,
      [ONE]: { body: conta({ plano: 'premium' }), headers: { etag: '"1"' } },
      'GET /api/v1/usuarios/me': perfil(['admin'], true),
      'PUT /api/v1/usuarios/31': { body: {} },
    }
    await using visited = await visit('/usuarios/31', { answers })
    const { page, asked } = visited
    const dialog = page.getByRole('dialog')
    await page.getByText('200 pedidos por minuto, 10.000 por hora').waitFor()
    await press('Alterar limite')(page)
    await dialog.getByRole('radio', { name: 'Enterprise' }).check()
    await dialog
      .getByText('De 200 para 1.000 pedidos por minuto, e de 10.000 para 50.000 por hora.')
      .waitFor()
    const refused = dialog.getByText(/^Programas que pedem mais do que isso são recusados/)
    assert.equal(await refused.count(), 0)
    await dialog.getByRole('radio', { name: 'Básico' }).check()
    await refused.waitFor()
    await press('Salvar')(page)
    await page.getByText('Alterações salvas.').waitFor()
    const sent = asked.find(({ name }) => name === 'PUT /api/v1/usuarios/31')
    assert.deepEqual(sent?.body, { plano: 'basico' })
    assert.equal(sent?.headers['if-match'], '"1"')
  })

  it('show their limit of requests alone to those who are no administrators', async () => {
    await using visited = await visit('/usuarios/31', { answers: ONE_USER })
    await visited.page.getByText('50 pedidos por minuto, 1.000 por hora').waitFor()
    assert.equal(await button(visited.page, 'Alterar limite').count(), 0)
  })

  it('show no action to those who may only look, and a refusal in the words of the service', async () => {
    {
      const answers = { ...ONE_USER, 'GET /api/v1/usuarios/me': perfil(['usuarios.listar']) }
      await using visited = await visit('/usuarios/31', { answers })
      await visited.page.getByText('Grupo usuario').waitFor()
      for (const name of ['Desativar', 'Definir senha', 'Editar dados', 'Alterar grupos', 'Encerrar sessões'])
        assert.equal(await button(visited.page, name).count(), 0, name)
    }
    const answers = {
      ...ONE_USER,
      [ONE]: { body: conta(LOCKED) },
      'POST /api/v1/usuarios/31/desbloquear': refusal(403, 'PERMISSION_DENIED'),
    }
    await using visited = await visit('/usuarios/31', { answers })
    await press('Desbloquear')(visited.page)
    await visited.page.getByText('mensagem PERMISSION_DENIED').waitFor()
  })

  it('go on with the rest of the account where its rights cannot be read', async () => {
    const answers = { ...ONE_USER, [RIGHTS]: refusal(422, 'VALIDATION_ERROR') }
    await using visited = await visit('/usuarios/31', { answers })
    await visited.page.getByText('pedido-0001').waitFor()
    await visited.page.getByText('Firefox em Windows').waitFor()
  })
})
