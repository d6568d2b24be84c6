import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { consoleVisits, READER, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { ALTERAR, DEFINIDOR, DEFINIR, lido, MALARIA } from './agravos-answers.ts'
import { EDITOR } from './formulario-answers.ts'

const check = (page: Page) => page.getByRole('button', { name: 'Conferir' }).click()
const row = (page: Page, place: number) => page.getByRole('group', { name: `Campo ${place}`, exact: true })

const VIEWS: View[] = [
  { name: 'agravos', picture: true, path: '/agravos', answers: DEFINIDOR, seen: 'Raiva humana' },
  {
    name: 'agravos-comecar',
    path: '/agravos',
    answers: DEFINIDOR,
    act: (page) => page.getByRole('button', { name: 'Acrescentar agravo' }).click(),
    seen: 'Começar de',
  },
  {
    name: 'agravo-novo',
    picture: true,
    path: '/agravos/novo',
    answers: DEFINIDOR,
    async act(page) {
      await page.getByLabel('Nome', { exact: true }).fill('Febre do Oropouche')
      await row(page, 1).getByLabel('Rótulo').fill('Resultado do RT-PCR')
      await row(page, 1).getByLabel('Tipo').selectOption('opcao')
      await row(page, 1).getByLabel('Grupo').fill('Laboratório')
      await row(page, 1)
        .getByRole('button', { name: /^Mais de/ })
        .click()
      await row(page, 1).getByRole('button', { name: 'Acrescentar condição' }).first().click()
      await check(page)
    },
    seen: 'Falta corrigir 2 pontos',
  },
  {
    name: 'agravo-alterar',
    picture: true,
    path: '/agravos/malaria',
    answers: DEFINIDOR,
    act: check,
    seen: /1.204 casos usam este agravo/,
  },
  {
    name: 'agravo-conflito',
    path: '/agravos/malaria',
    answers: { ...DEFINIDOR, [ALTERAR]: refusal(409, 'CONFLICT') },
    act: (page) => page.getByRole('button', { name: 'Salvar rascunho' }).click(),
    seen: /Outra pessoa salvou uma versão/,
  },
  { name: 'agravos-sem-acesso', path: '/agravos', answers: READER, seen: 'Sem acesso' },
  {
    name: 'ficha-malaria',
    picture: true,
    path: '/casos/novo',
    answers: { ...EDITOR, ...DEFINIDOR },
    act: (page) => page.getByLabel('Agravo').selectOption('malaria'),
    seen: 'Unidade notificante',
  },
]

describe('Diseases in the console', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('names fields by their labels, keeps the group of the row before, and moves rows by keys', async () => {
    await using visited = await visit('/agravos/novo', { answers: DEFINIDOR })
    const { page, asked } = visited
    await page.getByLabel('Nome', { exact: true }).fill('Febre do Oropouche')
    await row(page, 1).getByLabel('Rótulo').fill('Dor nas costas')
    await row(page, 1).getByLabel('Grupo').fill('Clínica')
    await row(page, 1).getByLabel('Rótulo').press('Enter')
    await page.keyboard.type('Exame')
    await row(page, 2).getByLabel('Tipo').selectOption('opcao')
    await row(page, 2).getByLabel('Opções').fill('1=Reagente; 2=Não reagente; Não feito')
    await row(page, 2).getByLabel('Rótulo').press('Alt+ArrowUp')
    // An empty row is no field.
    await row(page, 2).getByLabel('Rótulo').press('Enter')
    await check(page)
    await page.getByText('Falta corrigir 2 pontos').waitFor()
    await row(page, 1).getByText('Informe ao menos 1 opção').waitFor()
    const sent = asked.find(({ name }) => name === DEFINIR) ?? assert.fail('checked')
    assert.equal(sent.query.get('simular'), 'true')
    const { codigo, campos } = sent.body as {
      codigo: string
      campos: { nome: string; grupo: string; opcoes: unknown[] }[]
    }
    assert.equal(codigo, 'febre_do_oropouche')
    assert.deepEqual(
      campos.map(({ nome, grupo }) => [nome, grupo]),
      [
        ['exame', 'Clínica'],
        ['dor_nas_costas', 'Clínica'],
      ],
    )
    assert.deepEqual(campos[0]?.opcoes, [
      { codigo: 'reagente', rotulo: 'Reagente', sinan: ['1'], ativo: true },
      { codigo: 'nao_reagente', rotulo: 'Não reagente', sinan: ['2'], ativo: true },
      { codigo: 'nao_feito', rotulo: 'Não feito', sinan: [], ativo: true },
    ])
  })

  it('retires what is in force instead of leaving it out, and sends the version it was read in', async () => {
    const answers = { ...DEFINIDOR, [ALTERAR]: lido({ versao: 3, ultima_versao: 3, estado: 'rascunho' }) }
    await using visited = await visit('/agravos/malaria', { answers })
    const { page, asked } = visited
    const first = MALARIA.campos.findIndex((campo) => 'nome' in campo)
    await row(page, first + 1)
      .getByRole('button', { name: /^Retirar/ })
      .click()
    await row(page, first + 1)
      .getByText('Retirado')
      .waitFor()
    await page.getByRole('button', { name: 'Salvar rascunho' }).click()
    await page.getByText('Versão 3 salva como rascunho.').waitFor()
    const sent = asked.find(({ name }) => name === ALTERAR) ?? assert.fail('saved')
    assert.equal(sent.headers['if-match'], '"2"')
    const { campos, ativar } = sent.body as { campos: { ativo?: boolean }[]; ativar: boolean }
    assert.equal(ativar, false)
    assert.equal(campos.length, MALARIA.campos.length)
    assert.equal(campos[first]?.ativo, false)
  })
})
