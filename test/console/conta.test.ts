import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'

const ME = 'GET /api/v1/usuarios/me'
/** The same account as others see it, with the tag of its version. */
const OWN = 'GET /api/v1/usuarios/7'
const SAVE = 'PUT /api/v1/usuarios/7'
const PHOTO = 'POST /api/v1/usuarios/7/foto-perfil'
const SESSIONS = 'GET /api/v1/auth/sessions'
const METRICS = 'GET /api/v1/auth/security-metrics'
const PASSWORD = 'POST /api/v1/auth/change-password'
const ENABLE = 'POST /api/v1/auth/mfa/enable'
const VERIFY = 'POST /api/v1/auth/mfa/verify'
const DISABLE = 'POST /api/v1/auth/mfa/disable'
const NEW_CODES = 'POST /api/v1/auth/mfa/codigos'

const conta = (more: object = {}) => ({
  body: {
    id: 7,
    nome: 'Ana Souza Lima',
    email: 'ana@saude.example',
    cpf: null,
    telefone: '(81) 99999-0000',
    avatar_url: null,
    cargo: 'Epidemiologista',
    departamento: null,
    cidade: 'Recife',
    estado: 'PE',
    admin: false,
    ativo: true,
    plano: 'basico',
    email_verificado: true,
    mfa_habilitado: false,
    criado_em: '2026-01-05T12:00:00.000Z',
    atualizado_em: '2026-11-01T12:00:00.000Z',
    updated_at: '2026-11-01T12:00:00.000Z',
    ultimo_acesso: '2026-11-14T11:00:00.000Z',
    territorios: [{ nivel: 'estado', codigo: 'PE', nome: 'Pernambuco' }],
    sessoes_ativas: 3,
    permissoes_efetivas: ['agravos.listar'],
    grupos: [{ id: 3, nome: 'analista', descricao: null }],
    ...more,
  },
})
const sessao = (id: string, more: object = {}) => ({
  id,
  device: 'Firefox em Linux',
  ip_address: '203.0.113.7',
  location: null,
  created_at: '2026-11-10T12:00:00.000Z',
  last_activity: '2026-11-14T14:50:00.000Z',
  current: false,
  ...more,
})
const SESSOES = [sessao('s1', { current: true }), sessao('s2', { device: 'Chrome em Android' }), sessao('s3')]
const sessions = (items: object[]) => ({ body: { total: items.length, items } })
const METRICAS = {
  login_attempts: { successful: 41, failed: 6, last_failed: '2026-11-12T12:00:00.000Z' },
  password_strength: 'forte',
  password_age_days: 212,
  mfa_enabled: false,
  active_sessions: 3,
  suspicious_activities: ['6 tentativas de login falharam em 30 dias'],
  security_score: 33,
  recommendations: ['Ative o segundo fator de autenticação', 'Troque a senha, que tem mais de 180 dias'],
}
const ALL: Answers = {
  [ME]: conta(),
  [OWN]: conta(),
  [SESSIONS]: sessions(SESSOES),
  [METRICS]: { body: METRICAS },
}
const CODES = ['ABCD-EFGH', 'JKLM-NPQR', 'STUV-WXYZ', '2345-6789']
const png = (width: number, height: number) => {
  const picture = new PNG({ width, height })
  for (let at = 0; at < picture.data.length; at += 4) {
    const isLeft = (at / 4) % width < width / 2
    picture.data.set(isLeft ? [11, 101, 119, 255] : [224, 160, 46, 255], at)
  }
  return PNG.sync.write(picture)
}
const QR = `data:image/png;base64,${png(4, 4).toString('base64')}`
const SETUP = {
  body: { qr_code: QR, secret: 'JBSWY3DPEHPK3PXP', backup_codes: CODES, instructions: '' },
}
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
const choosePhoto = (page: Page, buffer = png(80, 40)) =>
  page.getByLabel('Escolher a foto').setInputFiles({ name: 'eu.png', mimeType: 'image/png', buffer })
const never = new Promise<void>(() => undefined)

const VIEWS: View[] = [
  { name: 'conta', picture: true, path: '/conta', answers: ALL, seen: 'Esta sessão' },
  {
    name: 'conta-segundo-fator',
    picture: true,
    path: '/conta',
    answers: { ...ALL, [ENABLE]: SETUP },
    async act(page) {
      await press(page, 'Ativar o segundo fator')
      await page.getByText('JBSWY3DPEHPK3PXP').waitFor()
      await inDialog(page, 'Ativar')
    },
    seen: 'Guarde os códigos e marque aqui antes de ativar.',
  },
  {
    name: 'conta-desativar',
    path: '/conta',
    answers: { ...ALL, [OWN]: conta({ mfa_habilitado: true }) },
    act: (page) => press(page, 'Desativar'),
    seen: 'Desativar o segundo fator?',
  },
  {
    name: 'conta-foto',
    picture: true,
    path: '/conta',
    answers: ALL,
    act: (page) => choosePhoto(page),
    seen: 'Recortar a foto',
  },
  {
    name: 'conta-senha',
    path: '/conta',
    answers: ALL,
    act: (page) => press(page, 'Trocar a senha'),
    seen: 'A nova senha precisa ter:',
  },
  {
    name: 'conta-carregando',
    path: '/conta',
    answers: { ...ALL, [SESSIONS]: { after: never }, [METRICS]: { after: never } },
    seen: 'Está demorando…',
  },
  {
    name: 'conta-erro',
    path: '/conta',
    answers: { ...ALL, [SESSIONS]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
]

describe('The own account', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('has a score that is "not yet" until it is good, never harm', async () => {
    const scored = (security_score: number) => ({
      ...ALL,
      [METRICS]: { body: { ...METRICAS, security_score } },
    })
    for (const score of [3, 48, 79, 80]) {
      await using visited = await visit('/conta', { answers: scored(score) })
      const meter = visited.page.getByRole('meter')
      await meter.waitFor()
      const [value, low, high] = await Promise.all(
        ['value', 'low', 'high'].map((name) => meter.getAttribute(name)),
      )
      assert.deepEqual([value, low, high], [String(score), null, '80'], 'below the low end it would be red')
    }
  })

  it('is one link away from everywhere', async () => {
    await using visited = await visit('/ajuda', { answers: ALL })
    const { page } = visited
    await page.getByTitle('Minha conta').click()
    await page.getByRole('link', { name: 'Dados, senha e sessões' }).click()
    await page.waitForURL('**/conta')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('sends only what was changed of the profile; an emptied field is taken away', async () => {
    const saved = {
      body: {
        id: 7,
        message: 'ok',
        campos_alterados: [],
        requer_acao: { email_verificacao: false, relogin: false },
      },
    }
    await using visited = await visit('/conta', { answers: { ...ALL, [SAVE]: saved } })
    const { page, asked } = visited
    await page.getByLabel('Cargo').fill('Coordenadora')
    await page.getByLabel('Instituição').fill('Lacen')
    await page.getByLabel('Cidade').fill('')
    await page.getByLabel('Estado').selectOption('CE')
    await press(page, 'Salvar perfil')
    await page.getByText('Perfil salvo.').waitFor()
    const sent = asked.filter(({ name }) => name === SAVE)
    assert.deepEqual(
      sent.map(({ body }) => body),
      [{ cargo: 'Coordenadora', instituicao: 'Lacen', cidade: null, estado: 'CE' }],
    )
  })

  it('says that a new address waits for its confirmation, and shows the present one', async () => {
    const waiting = {
      body: {
        id: 7,
        message: 'ok',
        campos_alterados: ['email'],
        requer_acao: { email_verificacao: true, relogin: false },
      },
    }
    await using visited = await visit('/conta', { answers: { ...ALL, [SAVE]: waiting } })
    const { page } = visited
    await page.getByLabel('E-mail').fill('nova@saude.example')
    await press(page, 'Salvar perfil')
    await page.getByText(/^Perfil salvo\. Abra o link que enviamos ao novo endereço/).waitFor()
    assert.equal(await page.getByLabel('E-mail').inputValue(), 'ana@saude.example')
  })

  it('tells later, too, which address waits, and how many backup codes are left', async () => {
    const situacao = { codigos_backup: 1, email_pendente: 'nova@saude.example' }
    const answers = { ...ALL, [OWN]: conta({ mfa_habilitado: true, situacao }) }
    await using visited = await visit('/conta', { answers })
    const { page } = visited
    const email = page.getByLabel('E-mail')
    await page.getByText('Resta 1 código de reserva.').waitFor()
    assert.equal(await email.inputValue(), 'ana@saude.example')
    const note = await email.getAttribute('aria-describedby')
    assert.match(await page.locator(`[id="${note}"]`).innerText(), /^Esperando que nova@saude\.example/)
  })

  it('shows the refusal of a field there, and sends no profile without a name', async () => {
    const details = [{ field: 'telefone', message: 'telefone inválido', code: 'INVALID_FORMAT' }]
    const answers = { ...ALL, [SAVE]: refusal(422, 'VALIDATION_ERROR', { details }) }
    await using visited = await visit('/conta', { answers })
    const { page, asked } = visited
    await page.getByLabel('Nome').fill('')
    await press(page, 'Salvar perfil')
    await page.getByText('Preencha este campo.').waitFor()
    assert.equal(asked.filter(({ name }) => name === SAVE).length, 0)
    await page.getByLabel('Nome').fill('Ana')
    await page.getByLabel('Telefone').fill('123')
    await press(page, 'Salvar perfil')
    await page.getByText('telefone inválido').waitFor()
  })

  it('takes a photo cropped to a square, by keys, and refuses what is no picture', async () => {
    const after = conta({ avatar_url: 'https://vigia.example/api/v1/usuarios/7/foto?v=2' })
    const answers = {
      ...ALL,
      [OWN]: [conta(), after],
      [PHOTO]: { body: { message: 'ok', avatar_url: 'x' } },
      'GET /api/v1/usuarios/7/foto': { status: 404 },
    }
    await using visited = await visit('/conta', { answers })
    const { page, asked } = visited
    await choosePhoto(page, Buffer.from('texto'))
    await page.getByText(/^Este arquivo não é uma imagem/).waitFor()
    await choosePhoto(page)
    // Of a copy: a canvas that is read again and again is complained about.
    const red = () =>
      page.evaluate(`(() => {
        const copy = new OffscreenCanvas(512, 512).getContext('2d', { willReadFrequently: true })
        copy.drawImage(document.querySelector('canvas'), 0, 0)
        return copy.getImageData(10, 256, 1, 1).data[0]
      })()`)
    await page.locator('canvas').waitFor()
    await eventually(async () => assert.equal(await red(), 11))
    await page.getByLabel('Da esquerda à direita').focus()
    await page.keyboard.press('End')
    await eventually(async () => assert.equal(await red(), 224))
    await inDialog(page, 'Usar esta foto')
    await page.getByText('Foto trocada.').waitFor()
    const sent = String(asked.find(({ name }) => name === PHOTO)?.body)
    assert.match(sent, /name="file"; filename="foto\.jpg"/)
    const photo = page.getByAltText('Sua foto')
    await photo.waitFor()
    assert.equal(await photo.getAttribute('src'), '/api/v1/usuarios/7/foto?v=2')
  })

  it('changes the password and tells how many sessions ended', async () => {
    const answers = { ...ALL, [PASSWORD]: { body: { message: 'ok', sessions_invalidated: 2 } } }
    await using visited = await visit('/conta', { answers })
    const { page, asked } = visited
    await press(page, 'Trocar a senha')
    await page.getByLabel('Senha atual').fill('Antiga#2025')
    await page.getByLabel('Nova senha', { exact: true }).fill('Nova#Senha26')
    await page.getByLabel('Repita a nova senha').fill('Nova#Senha27')
    await press(page, 'Salvar nova senha')
    await page.getByText('As duas senhas são diferentes.').waitFor()
    await page.getByLabel('Repita a nova senha').fill('Nova#Senha26')
    await press(page, 'Salvar nova senha')
    await page.getByText('Senha trocada. 2 outras sessões foram encerradas.').waitFor()
    assert.deepEqual(asked.find(({ name }) => name === PASSWORD)?.body, {
      senha_atual: 'Antiga#2025',
      senha_nova: 'Nova#Senha26',
      confirmar_senha: 'Nova#Senha26',
    })
  })

  it('turns the second factor on once the codes are kept and a code is right', async () => {
    const wrong = [{ field: 'code', message: 'código errado', code: 'INVALID_CODE' }]
    const answers = {
      ...ALL,
      [OWN]: [conta(), conta({ mfa_habilitado: true })],
      [ENABLE]: SETUP,
      [VERIFY]: [
        refusal(422, 'VALIDATION_ERROR', { details: wrong }),
        { body: { message: 'ok', mfa_enabled: true } },
      ],
    }
    await using visited = await visit('/conta', { answers })
    const { page, asked } = visited
    await press(page, 'Ativar o segundo fator')
    for (const code of CODES) await page.getByText(code).waitFor()
    await page.getByLabel(/^Código de seis algarismos/).fill('123 456')
    await inDialog(page, 'Ativar')
    assert.equal(asked.filter(({ name }) => name === VERIFY).length, 0)
    await page.getByLabel('Guardei os códigos de reserva').check()
    await inDialog(page, 'Ativar')
    await page.getByText('código errado').waitFor()
    await inDialog(page, 'Ativar')
    await page.getByText('Segundo fator ativado.').waitFor()
    const sent = asked.filter(({ name }) => name === VERIFY)
    assert.deepEqual(
      sent.map(({ body }) => body),
      [{ code: '123456' }, { code: '123456' }],
    )
    await page.getByRole('button', { name: 'Desativar' }).waitFor()
    assert.equal(await page.getByText(CODES[0] as string).count(), 0, 'shown once')
  })

  it('turns the second factor off with password and code', async () => {
    const answers = {
      ...ALL,
      [OWN]: conta({ mfa_habilitado: true }),
      [DISABLE]: { body: { message: 'ok' } },
    }
    await using visited = await visit('/conta', { answers })
    const { page, asked } = visited
    await press(page, 'Desativar')
    await page.getByLabel('Senha', { exact: true }).fill('Segredo#2026')
    await page.getByLabel('Código do aplicativo ou de reserva').fill('abcd-efgh')
    await inDialog(page, 'Desativar')
    await page.getByText('Segundo fator desativado.').waitFor()
    assert.deepEqual(asked.find(({ name }) => name === DISABLE)?.body, {
      senha: 'Segredo#2026',
      code: 'abcd-efgh',
    })
  })

  it('ends one session, or all but this one', async () => {
    const answers = {
      ...ALL,
      'DELETE /api/v1/auth/sessions/s2': { status: 204 },
      'DELETE /api/v1/auth/sessions/s3': { status: 204 },
    }
    await using visited = await visit('/conta', { answers })
    const { page, asked } = visited
    const ended = () =>
      asked.filter(({ name }) => name.startsWith('DELETE ')).map(({ name }) => name.slice(-2))
    await press(page, 'Encerrar a sessão em Chrome em Android')
    await page.getByText('1 sessão encerrada.').waitFor()
    assert.deepEqual(ended(), ['s2'])
    await press(page, 'Encerrar todas as outras')
    await page.getByText('2 sessões encerradas.').waitFor()
    assert.deepEqual(ended(), ['s2', 's2', 's3'])
  })

  it('keeps the height of rows and the theme that are chosen', async () => {
    await using visited = await visit('/conta', { alone: true, answers: ALL })
    const { page } = visited
    await page.getByLabel('Altura das linhas das tabelas').selectOption('compacta')
    await page.locator('table.compact').first().waitFor()
    await page.getByLabel('Tema').selectOption('escuro')
    assert.equal(await page.evaluate('document.documentElement.style.colorScheme'), 'dark')
  })

  it('new backup codes cost password and code, are shown once, and closed by a word', async () => {
    const codes = ['AAAA-1111', 'BBBB-2222']
    const answers = {
      ...ALL,
      [OWN]: conta({ mfa_habilitado: true }),
      [NEW_CODES]: [refusal(401, 'INVALID_CURRENT_PASSWORD'), { body: { backup_codes: codes } }],
    }
    await using visited = await visit('/conta', { answers })
    const { page, asked } = visited
    await press(page, 'Novos códigos de reserva')
    await inDialog(page, 'Novos códigos de reserva')
    assert.equal(await page.getByText('Preencha este campo.').count(), 2)
    await page.getByLabel('Senha', { exact: true }).fill('Senha-1234')
    await page.getByLabel('Código do aplicativo ou de reserva').fill('123 456')
    await inDialog(page, 'Novos códigos de reserva')
    await page.getByText('mensagem INVALID_CURRENT_PASSWORD').waitFor()
    await inDialog(page, 'Novos códigos de reserva')
    for (const code of codes) await page.getByText(code).waitFor()
    await page.keyboard.press('Escape')
    await inDialog(page, 'Guardei os códigos')
    await page.getByText('Códigos de reserva renovados.').waitFor()
    assert.deepEqual(asked.findLast(({ name }) => name === NEW_CODES)?.body, {
      senha: 'Senha-1234',
      code: '123456',
    })
  })

  it('the start territory is kept with the account, and the menu leads to the painel of it', async () => {
    const rights = ['dashboard.visualizar', 'agravos.estatisticas', 'agravos.listar']
    const KEEP = 'PUT /api/v1/usuarios/me/preferencias'
    const answers = {
      ...ALL,
      [ME]: conta({ permissoes_efetivas: rights }),
      [KEEP]: { body: {} },
      'GET /api/v1/territorios': { body: { total: 0, territorios: [] } },
    }
    await using visited = await visit('/conta', { answers, alone: true })
    const { page, asked } = visited
    const painel = page.getByRole('navigation').first().getByRole('link', { name: 'Painel' })
    assert.equal(await painel.getAttribute('href'), '/painel')
    await page.getByRole('combobox', { name: 'Território inicial do painel' }).fill('pernam')
    await page.getByRole('option', { name: 'Pernambuco Estado' }).click()
    await eventually(async () => assert.equal(await painel.getAttribute('href'), '/painel?uf=PE'))
    assert.deepEqual(asked.find(({ name }) => name === KEEP)?.body, { territorio: 'uf:PE' })
  })
})
