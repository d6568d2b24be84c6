import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  actionsOf,
  auditPath,
  readAddress,
  THEME_NAMES,
} from '../../web/console/screens/auditoria/address.ts'
import { auditoria } from '../../web/console/texts/pt-BR/auditoria.ts'
import { usuarios } from '../../web/console/texts/pt-BR/usuarios.ts'
import { noBrowser } from '../harness/browser.ts'
import { ADMIN, type Answers, consoleVisits, perfil, READER, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'

const LIST = 'GET /api/v1/auditoria'
const AUDITOR: Answers = { 'GET /api/v1/usuarios/me': perfil(['auditoria.ver']) }
const ATOR = { id: 9, nome: 'Carlos Teixeira' }

const registro = (id: number, acao: string, more: object = {}) => ({
  id,
  data: '2026-11-14T14:30:05.000Z',
  ator: ATOR,
  acao,
  recurso: null,
  recurso_id: null,
  detalhes: {},
  endereco_ip: '203.0.113.7',
  request_id: 'pedido-abc',
  hash: '3f1c9a0b7d2e4856'.repeat(4),
  ...more,
})
const REGISTROS = [
  registro(90, 'caso.identificado', { recurso: 'caso', recurso_id: '123', detalhes: { motivo: true } }),
  registro(89, 'usuario.alterado', { recurso: 'usuario', recurso_id: '7', detalhes: { campos: ['cargo'] } }),
  registro(88, 'webhook.criado', { recurso: 'webhook', recurso_id: 'wh_a1' }),
  registro(87, 'login.falhou', { ator: null, recurso: 'usuario', recurso_id: '7' }),
  registro(86, 'coisa.nova', { endereco_ip: null }),
]
const WITH_SCREENS = [
  registro(96, 'serie.alterada', { recurso: 'serie', recurso_id: 'chuva' }),
  registro(95, 'agravo.ativado', { recurso: 'agravo', recurso_id: 'malaria' }),
  registro(94, 'epizootia.restaurada', { recurso: 'epizootia', recurso_id: '12' }),
  registro(93, 'duplicidade.decidida', { recurso: 'duplicidade', recurso_id: '13' }),
  registro(92, 'serie.importacao_desfazer', { recurso: 'importacao', recurso_id: '14' }),
  registro(91, 'epizootia.importacao_desfazer', { recurso: 'importacao', recurso_id: '15' }),
]
const INTACT = {
  integra: true,
  ate: '2026-11-14T14:30:00.000Z',
  verificada_em: '2026-11-14T14:30:02.000Z',
}
const listed = (items: object[], verificacao: object | null = INTACT): Answers => ({
  [LIST]: { body: { items, total: items.length, page: 1, size: 50, pages: 1, links: {}, verificacao } },
})
const ALL = { ...AUDITOR, ...listed(REGISTROS) }
const never = new Promise<void>(() => undefined)

const VIEWS: View[] = [
  { name: 'auditoria', picture: true, path: '/auditoria', answers: ALL, seen: /viu dados do paciente/ },
  {
    name: 'auditoria-registro',
    picture: true,
    path: '/auditoria?tema=casos&recurso=caso&id=123&ator=9&de=2026-11-01',
    answers: ALL,
    act: (page) => page.getByRole('button', { name: 'Ver registro 90' }).click(),
    seen: 'Tudo sobre este registro',
  },
  {
    name: 'auditoria-periodo',
    path: '/auditoria',
    answers: ALL,
    act: (page) => page.getByRole('button', { name: /^Período/ }).click(),
    seen: 'Aplicar',
  },
  {
    name: 'auditoria-vazia',
    path: '/auditoria',
    answers: { ...AUDITOR, ...listed([]) },
    seen: 'Nenhum registro ainda.',
  },
  {
    name: 'auditoria-nenhum',
    path: '/auditoria?tema=webhooks',
    answers: { ...AUDITOR, ...listed([]) },
    seen: 'Nenhum registro neste filtro.',
  },
  {
    name: 'auditoria-carregando',
    path: '/auditoria',
    answers: { ...AUDITOR, [LIST]: { after: never } },
    seen: 'Está demorando…',
  },
  {
    name: 'auditoria-erro',
    path: '/auditoria',
    answers: { ...AUDITOR, [LIST]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
  { name: 'auditoria-sem-acesso', path: '/auditoria', answers: READER, seen: 'auditoria.ver' },
]

/** Actions that the domain writes down, as literals of its source. */
function recordedActions(): string[] {
  const root = fileURLToPath(new URL('../../src/domain/', import.meta.url))
  const literal =
    /(?:acao: |acao = [^\n]*?|openFile\(app, caller, job, |membership\()'([a-z_]+(?:\.[a-z_]+)?)'/g
  const found = globSync('**/*.ts', { cwd: root }).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return text.includes('auditoria')
      ? Array.from(text.matchAll(literal), ([, action]) => action as string)
      : []
  })
  return [...new Set(found)]
}

describe('The sentences of the audit', () => {
  it('are there for every action that is recorded', () => {
    const actions = recordedActions().filter((action) => action.includes('.') || action === 'logout')
    assert.ok(actions.length > 40, String(actions.length))
    assert.deepEqual(
      actions.filter((action) => auditoria.sentences[action] === undefined),
      [],
    )
  })

  it('name every kind of record, so that each can be filtered by', () => {
    const root = fileURLToPath(new URL('../../src/domain/', import.meta.url))
    const kinds = globSync('**/*.ts', { cwd: root }).flatMap((file) =>
      Array.from(
        readFileSync(join(root, file), 'utf8').matchAll(/recurso: '([a-z_]+)'/g),
        ([, kind]) => kind as string,
      ),
    )
    assert.ok(new Set(kinds).size > 12)
    assert.deepEqual(
      [...new Set(kinds)].filter((kind) => auditoria.resources[kind] === undefined),
      [],
    )
  })

  it('of an account have short words in its history, too', () => {
    const about = Object.entries(auditoria.sentences).filter(([, text]) => / conta {id}/.test(text))
    assert.ok(about.length > 12, String(about.length))
    const unworded = about.map(([action]) => action).filter((action) => !(action in usuarios.actions))
    assert.deepEqual(unworded, [])
  })

  it('each belong to one subject, and each subject fits a filter', () => {
    const actions = Object.keys(auditoria.sentences)
    const themed = THEME_NAMES.flatMap((theme) => actionsOf(theme, actions))
    assert.deepEqual(themed.toSorted(), actions.toSorted())
  })

  it('have an address for every filter, and the same filter again from it', () => {
    const path = auditPath(
      { tema: 'casos', recurso: 'caso', id: 'a/b c', ator: '9', de: '2026-11-01', ate: '2026-11-14' },
      3,
    )
    const { filters, page } = readAddress(path.split('?')[1] as string)
    assert.equal(auditPath(filters, page), path)
    const wrong = readAddress('tema=x&recurso=A&id=1&ator=-1&de=ontem&ate=2026-13-01&pagina=-2')
    assert.equal(auditPath(wrong.filters, wrong.page), '/auditoria')
  })
})

describe('The audit', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('leads to the record where it has a screen, and to all about it', async () => {
    await using visited = await visit('/auditoria', { answers: ALL })
    const { page } = visited
    const link = (name: string) => page.getByRole('link', { name, exact: true }).first()
    await link('123').waitFor()
    assert.equal(await link('123').getAttribute('href'), '/casos/123')
    assert.equal(await link('wh_a1').getAttribute('href'), '/webhooks/wh_a1')
    assert.equal(await link('7').getAttribute('href'), '/usuarios/7')
    await page.getByText('Carlos Teixeira fez coisa.nova').waitFor()
    await page.getByText(/^Uma tentativa de entrar na conta/).waitFor()
    await page.getByRole('button', { name: 'Ver registro 89' }).click()
    await page.getByText('"cargo"').waitFor()
    assert.equal(
      await link('Tudo sobre este registro').getAttribute('href'),
      '/auditoria?recurso=usuario&id=7',
    )
  })

  it('leads to series, diseases, events in animals, pairs, and each import to the screen of its kind', async () => {
    await using visited = await visit('/auditoria', { answers: { ...ALL, ...listed(WITH_SCREENS) } })
    const links = visited.page.locator('.record p:first-child a')
    await links.first().waitFor()
    const hrefs = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    assert.deepEqual(hrefs, [
      '/series/chuva',
      '/agravos/malaria',
      '/epizootias/12',
      '/duplicidades/13',
      '/series/importacoes/14',
      '/epizootias/importacoes/15',
    ])
  })

  it('is one link away from a webhook, for those who may read it', async () => {
    const answers = {
      ...ALL,
      'GET /api/v1/usuarios/me': perfil(['auditoria.ver', 'agravos.listar']),
      'GET /api/v1/webhooks/wh_a1': refusal(404, 'NOT_FOUND'),
    }
    await using visited = await visit('/webhooks/wh_a1', { answers })
    const { page } = visited
    const link = page.locator('main').getByRole('link', { name: 'Auditoria' })
    await link.click()
    await page.waitForURL('**/auditoria?recurso=webhook&id=wh_a1')
  })

  it('is verified by administrators, and tells until when it is intact', async () => {
    const result = { integra: true, registros: 1_204, ate: '2026-11-14T17:30:00.000Z' }
    const job = {
      job_id: 'job_v',
      status: 'completed',
      message: 'Auditoria verificada',
      progress: 100,
      result,
    }
    const answers = {
      ...ALL,
      ...ADMIN,
      'POST /api/v1/auditoria/verificar': { status: 202, body: { job_id: 'job_v' } },
      'GET /api/v1/jobs/job_v': { body: job },
    }
    await using visited = await visit('/auditoria', { answers })
    const { page } = visited
    await page.getByRole('button', { name: 'Verificar a cadeia' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Verificar a cadeia' }).click()
    await page.getByText('Cadeia íntegra até 14/11/2026 às 14:30:00: 1.204 registros.').waitFor()
  })

  it('tells by itself until when the chain was found intact, that it was not, or that nobody looked', async () => {
    const seen = async (verificacao: object | null, text: string | RegExp) => {
      const answers = { ...AUDITOR, ...listed(REGISTROS, verificacao) }
      await using visited = await visit('/auditoria', { answers })
      await visited.page.getByText(text).waitFor()
      assert.equal(visited.asked.filter(({ name }) => name.startsWith('POST')).length, 0)
    }
    await seen(INTACT, 'Cadeia íntegra até 14/11/2026 às 11:30')
    await seen({ ...INTACT, integra: false, ate: null }, /^A cadeia não conferiu na última verificação/)
    await seen(null, 'A cadeia não foi verificada nos últimos 30 dias.')
  })

  it('tells where it is broken', async () => {
    const result = { integra: false, registro: 77, problema: 'changed' }
    const job = {
      job_id: 'job_v',
      status: 'completed',
      message: 'Auditoria verificada',
      progress: 100,
      result,
    }
    const answers = {
      ...ALL,
      ...ADMIN,
      'POST /api/v1/auditoria/verificar': { status: 202, body: { job_id: 'job_v' } },
      'GET /api/v1/jobs/job_v': { body: job },
    }
    await using visited = await visit('/auditoria', { answers })
    const { page } = visited
    await page.getByRole('button', { name: 'Verificar a cadeia' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Verificar a cadeia' }).click()
    await page.getByText(/^A cadeia não confere a partir do registro 77/).waitFor()
  })

  it('is filtered by subject, record, period and person; the address is the filter', async () => {
    await using visited = await visit('/auditoria?pagina=2', { answers: ALL })
    const { page, asked } = visited
    const last = () => Object.fromEntries(asked.filter(({ name }) => name === LIST).at(-1)?.query ?? [])
    await page.getByRole('button', { name: /^Assunto/ }).click()
    await page.getByLabel('Webhooks').click()
    await page.waitForURL('**/auditoria?tema=webhooks')
    await eventually(() =>
      assert.equal(
        last()['acao[in]'],
        'webhook.criado,webhook.alterado,webhook.removido,webhook.segredo_trocado',
      ),
    )
    await page
      .getByRole('button', { name: /^Registro/ })
      .first()
      .click()
    await page.getByRole('dialog', { name: 'Registro' }).locator('select').selectOption('webhook')
    await page.getByLabel('Nº do registro').fill('wh_a1')
    await page.getByRole('button', { name: 'Aplicar' }).click()
    await page.waitForURL('**/auditoria?tema=webhooks&recurso=webhook&id=wh_a1')
    await page.getByRole('button', { name: /^Período/ }).click()
    await page.getByLabel('De', { exact: true }).fill('2026-11-01')
    await page.getByLabel('Até', { exact: true }).fill('2026-11-14')
    await page.getByRole('button', { name: 'Aplicar' }).click()
    await page.getByRole('link', { name: 'Só o que Carlos Teixeira fez' }).first().click()
    await page.waitForURL(/ator=9/)
    await page.locator('.chip', { hasText: 'Carlos Teixeira' }).waitFor()
    await eventually(() => {
      const { 'acao[in]': _actions, ...rest } = last()
      assert.deepEqual(rest, {
        recurso: 'webhook',
        recurso_id: 'wh_a1',
        ator_id: '9',
        'data[gte]': '2026-11-01T03:00:00.000Z',
        'data[lte]': '2026-11-15T02:59:59.999Z',
        page: '1',
        size: '50',
      })
    })
    await page.getByRole('button', { name: 'Limpar filtros' }).click()
    await page.waitForURL('**/auditoria')
  })

  it('is exported as it is filtered', async () => {
    const SEND = 'POST /api/v1/auditoria/exportar'
    const job = {
      ...{ job_id: 'job_1', tipo: 'exportacao_auditoria', status: 'completed', progress: 100 },
      message: 'Exportação concluída',
      arquivo_url: 'https://vigia.example/api/v1/jobs/job_1/arquivo',
    }
    const answers = { ...ALL, [SEND]: { body: { job_id: 'job_1' } }, 'GET /api/v1/jobs/job_1': { body: job } }
    await using visited = await visit('/auditoria?recurso=caso&id=123&ator=9', { answers })
    const { page, asked } = visited
    await page.getByRole('button', { name: 'Exportar' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('5 registros, neste filtro.').waitFor()
    await dialog.getByRole('button', { name: 'Exportar' }).click()
    const link = dialog.getByRole('link', { name: 'Baixar' })
    assert.equal(await link.getAttribute('href'), '/api/v1/jobs/job_1/arquivo')
    const filtros = { recurso: 'caso', recurso_id: '123', ator_id: '9' }
    assert.deepEqual(asked.find(({ name }) => name === SEND)?.body, { formato: 'csv', filtros })
  })

  it('are narrowed to a person, who is looked for by name, and to an address of the network', async () => {
    const person = { id: 9, nome: 'Carlos Teixeira', email: 'carlos@saude.example' }
    const answers = {
      ...ALL,
      'GET /api/v1/usuarios/me': perfil(['auditoria.ver', 'usuarios.listar']),
      'GET /api/v1/usuarios': { body: { items: [person], total: 1, page: 1, size: 20, pages: 1, links: {} } },
    }
    await using visited = await visit('/auditoria', { answers })
    const { page, asked } = visited
    await page.getByRole('button', { name: /^Quem/ }).click()
    await page.getByRole('combobox', { name: 'Quem' }).fill('carlos')
    await page.getByRole('option', { name: /Carlos Teixeira/ }).click()
    await page.waitForURL(/ator=9/)
    await page.getByRole('button', { name: /^Endereço de rede/ }).click()
    await page.getByRole('textbox', { name: 'Endereço de rede' }).fill('203.0.113.9')
    await page.getByRole('button', { name: 'Aplicar' }).click()
    await page.waitForURL(/ator=9&ip=203\.0\.113\.9/)
    await eventually(async () => {
      const query = asked.filter(({ name }) => name === LIST).at(-1)?.query
      assert.deepEqual([query?.get('ator_id'), query?.get('endereco_ip')], ['9', '203.0.113.9'])
    })
  })
})
