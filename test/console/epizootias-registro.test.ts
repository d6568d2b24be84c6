import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { formularioOf } from '../../src/domain/casos/agravos/formulario.ts'
import { MODELOS } from '../../src/domain/casos/agravos/modelos.ts'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, perfil, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'
import { PERNAMBUCO, TERRITORIOS } from './casos-data.ts'
import {
  detalhe,
  epizootia,
  LIST,
  LISTED,
  MANAGES,
  ONE,
  OPENED,
  PROXIMAS,
  PUT,
  RASCUNHOS,
  RESTORE,
  rascunho,
  rascunhos,
  SEES,
} from './epizootias-answers.ts'
import { CASO, detalhe as caso, EDITOR } from './formulario-answers.ts'
import { page as pageOf } from './series-answers.ts'

const EXCLUIDAS = 'GET /api/v1/epizootias/excluidas'
const EXPORTAR = 'POST /api/v1/epizootias/exportar'
const UUID = '99999999-2222-4333-8444-555555555555'
const excluida = epizootia({
  excluido_em: '2026-10-21T12:00:00.000Z',
  excluido_por: { id: 8, nome: 'Carlos Teixeira' },
})
const ALL: Answers = { ...MANAGES, [LIST]: LISTED, [TERRITORIOS]: PERNAMBUCO }
const DELETED: Answers = { ...ALL, [EXCLUIDAS]: pageOf([excluida]) }
const press = (name: string) => (page: Page) => page.getByRole('button', { name }).click()

const VIEWS: View[] = [
  { name: 'epizootias-excluidas', path: '/epizootias/excluidas', answers: DELETED, seen: 'Carlos Teixeira' },
  {
    name: 'epizootias-excluidas-vazio',
    path: '/epizootias/excluidas',
    answers: { ...ALL, [EXCLUIDAS]: pageOf([]) },
    seen: 'Nenhuma epizootia excluída.',
  },
  {
    name: 'epizootias-exportar',
    path: '/epizootias',
    answers: ALL,
    act: press('Exportar'),
    seen: 'Com a observação e o ponto exato',
  },
  {
    name: 'epizootia-rascunhos',
    path: '/epizootias/nova',
    answers: { ...ALL, [RASCUNHOS]: rascunhos(rascunho(UUID)) },
    seen: 'Rascunho de',
  },
]

describe('Records of events in animals', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('that were deleted are listed, and come back', async () => {
    const answers = {
      ...DELETED,
      ...OPENED,
      [EXCLUIDAS]: [pageOf([excluida]), pageOf([])],
      [RESTORE]: [refusal(503, 'UNAVAILABLE'), { body: { id: 12, versao: 5 } }],
    }
    await using visited = await visit('/epizootias', { answers })
    const { page } = visited
    await page.getByRole('link', { name: 'Excluídas' }).click()
    await press('Restaurar a epizootia 2026000123')(page)
    await page.locator('.notice.error').waitFor()
    await press('Restaurar a epizootia 2026000123')(page)
    await page.getByText('Epizootia 2026000123 restaurada.').waitFor()
    await page.getByText('Nenhuma epizootia excluída.').waitFor()
    await page.getByRole('link', { name: 'Abrir a epizootia' }).click()
    await page.getByRole('heading', { name: 'Febre amarela, nº 2026000123' }).waitFor()
  })

  it('are exported as they are filtered, with what is secret where that is asked for', async () => {
    const done = { status: 'completed', message: 'Exportação concluída', progress: 100 }
    const answers = {
      ...ALL,
      [EXPORTAR]: { status: 202, body: { job_id: 'job_1' } },
      'GET /api/v1/jobs/job_1': {
        body: { job_id: 'job_1', ...done, arquivo_url: 'https://vigia.example/api/v1/jobs/job_1/arquivo' },
      },
    }
    await using visited = await visit('/epizootias?suspeita=raiva&busca=bugio', { answers })
    const { page, asked } = visited
    await press('Exportar')(page)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Com a observação e o ponto exato').check()
    await dialog.getByRole('button', { name: 'Exportar' }).click()
    assert.equal(await dialog.getByRole('link').getAttribute('href'), '/api/v1/jobs/job_1/arquivo')
    assert.deepEqual(asked.find(({ name }) => name === EXPORTAR)?.body, {
      formato: 'csv',
      filtros: { search: 'bugio', suspeita: 'raiva' },
      identificado: true,
    })
  })

  it('are exported without it by those who only read', async () => {
    await using visited = await visit('/epizootias', { answers: { ...ALL, ...SEES } })
    const { page } = visited
    await press('Exportar')(page)
    await page.getByRole('dialog').getByText('4 epizootias').waitFor()
    assert.equal(await page.getByLabel('Com a observação e o ponto exato').count(), 0)
    assert.equal(await page.getByRole('link', { name: 'Excluídas' }).count(), 0)
  })

  it('are kept as drafts while they are typed, found after a reload, and gone once they are sent', async () => {
    await using visited = await visit('/epizootias/nova', { answers: { ...ALL, ...OPENED } })
    const { page, asked, answers } = visited
    await page.getByLabel('Número *').fill('A-1')
    await page.getByLabel('Localidade').fill('Apipucos')
    await page.getByText(/Rascunho salvo \d\d:\d\d/).waitFor()
    const saved = asked.findLast(({ name }) => name.startsWith('PUT /api/v1/rascunhos/')) ?? assert.fail()
    const { conteudo, ...alvo } = saved.body as { conteudo: { campos: Record<string, string> } }
    assert.deepEqual(alvo, { formulario: 'epizootia', epizootia_id: null })
    assert.deepEqual([conteudo.campos.numero, conteudo.campos.localidade], ['A-1', 'Apipucos'])
    const uuid = saved.name.split('/').at(-1) as string
    await page.waitForURL(`**/epizootias/nova?rascunho=${uuid}`)
    answers[`GET /api/v1/rascunhos/${uuid}`] = { body: rascunho(uuid, null, conteudo) }
    await page.reload()
    await page.getByText(/Você continua o rascunho de/).waitFor()
    assert.equal(await page.getByLabel('Localidade').inputValue(), 'Apipucos')
    await page.getByLabel('Ano da ocorrência').fill('2025')
    await page.getByRole('combobox', { name: 'Município *' }).fill('Caruaru')
    await page.getByRole('option', { name: /^Caruaru/ }).click()
    await page.getByLabel('Grupo de animais *').selectOption('pnh')
    await page.getByLabel('Suspeita *').selectOption('raiva')
    answers['POST /api/v1/epizootias'] = { status: 201, body: { id: 12 } }
    await press('Gravar')(page)
    await page.waitForURL('**/epizootias/12')
    await eventually(() =>
      assert.equal(asked.filter(({ name }) => name === `DELETE /api/v1/rascunhos/${uuid}`).length, 1),
    )
  })

  it('that are changed from a draft are sent under the version that it was typed over', async () => {
    const antes = detalhe()
    const campos = { numero: '2026000123', localidade: 'Apipucos', animais_mortos: '9' }
    const answers = {
      ...ALL,
      ...OPENED,
      [ONE]: { body: detalhe({ versao: 4, localidade: 'Várzea' }) },
      [RASCUNHOS]: rascunhos(rascunho(UUID, 12)),
      [PUT]: { body: { id: 12, versao: 5 } },
    }
    await using visited = await visit('/epizootias/12/editar', { answers })
    const { page, asked } = visited
    // What is typed of a whole form, but for two fields.
    await page.getByLabel('Localidade').fill('Outra')
    const first = await eventually(() => {
      const sent = asked.findLast(({ name }) => name.startsWith('PUT /api/v1/rascunhos/'))
      assert.ok(sent)
      return sent.body as { conteudo: { campos: object; antes: { versao: number } }; epizootia_id: number }
    })
    assert.deepEqual([first.epizootia_id, first.conteudo.antes.versao], [12, 4])
    visited.answers[`GET /api/v1/rascunhos/${UUID}`] = {
      body: rascunho(UUID, 12, { campos: { ...first.conteudo.campos, ...campos }, antes }),
    }
    await page.getByRole('button', { name: 'Continuar' }).click()
    await page.getByText(/Você continua o rascunho de/).waitFor()
    await press('Gravar')(page)
    await page.waitForURL('**/epizootias/12')
    const put = asked.find(({ name }) => name === PUT)
    assert.deepEqual(put?.body, { localidade: 'Apipucos', animais_mortos: 9 })
    assert.equal(put?.headers['if-match'], '"3"')
  })
})

describe('Events in animals near a case that is typed', { skip: noBrowser }, () => {
  const visit = consoleVisits()
  const febreAmarela = MODELOS.find(({ codigo }) => codigo === 'febre_amarela')
  if (febreAmarela === undefined) throw new Error('yellow fever is among the models')
  const tipo = {
    codigo: 'febre_amarela',
    nome: 'Febre amarela',
    descricao: '',
    notificacao_obrigatoria: true,
  }
  const answers: Answers = {
    ...EDITOR,
    'GET /api/v1/usuarios/me': perfil(['agravos.listar', 'agravos.editar', 'epizootias.listar']),
    'GET /api/v1/agravos/tipos': { body: { total: 1, tipos: [{ ...tipo, cid10_codes: ['A95.9'] }] } },
    'GET /api/v1/agravos/tipos/febre_amarela/formulario': {
      body: formularioOf(febreAmarela, { language: 'pt-BR', vocabulario: [] }),
    },
    [CASO]: { body: { ...(caso().body as object), tipo_agravo: 'febre_amarela' } },
    [PROXIMAS]: {
      body: { municipio: 'Recife', codigo_ibge: '2611606', estado: 'PE', desde: '2026-09-19', items: [] },
    },
  }

  it('are offered by the form of yellow fever, around the residence', async () => {
    await using visited = await visit('/casos/7/editar', { answers })
    const { page, asked } = visited
    await page.getByText('Animais doentes ou mortos em torno de Recife, PE.').waitFor()
    await press('Procurar')(page)
    await page.getByText('Nenhuma epizootia de febre amarela neste raio e período.').waitFor()
    assert.match(String(asked.find(({ name }) => name === PROXIMAS)?.query), /^municipio=Recife&estado=PE&/)
  })

  it('are not there on forms of other diseases', async () => {
    await using visited = await visit('/casos/7/editar', { answers: { ...answers, [CASO]: caso() } })
    await visited.page.getByRole('button', { name: 'Salvar' }).first().waitFor()
    assert.equal(await visited.page.getByText('Epizootias próximas').count(), 0)
  })
})
