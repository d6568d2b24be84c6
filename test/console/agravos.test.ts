import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answer, type Asked, consoleVisits, READER, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'
import { ALTERAR, DEFINIDOR, DEFINIR, lido, MALARIA, simulada } from './agravos-answers.ts'
import { CASO, detalhe, EDITOR } from './formulario-answers.ts'

const check = (page: Page) => page.getByRole('button', { name: 'Conferir' }).click()
const row = (page: Page, place: number) => page.getByRole('group', { name: `Campo ${place}`, exact: true })

const more = (page: Page) => page.getByText('Arquivos e estatísticas')

async function advanced(page: Page): Promise<void> {
  await more(page).click()
  await page.getByLabel('Acrescentar coluna de').selectOption('hospitalizacao')
  await page.getByLabel(/^Coluna de Hospitaliza/).fill('ate_hosp')
  await page.getByLabel('Intervalo de geração').check()
  await page.getByRole('button', { name: 'Acrescentar leiaute' }).click()
}

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
    seen: 'Alguém alterou este registro',
  },
  {
    name: 'agravo-avancado',
    picture: true,
    path: '/agravos/malaria',
    answers: DEFINIDOR,
    act: advanced,
    seen: 'Reconhecer por',
  },
  { name: 'agravos-sem-acesso', path: '/agravos', answers: READER, seen: 'Sem acesso' },
  {
    name: 'ficha-malaria',
    picture: true,
    path: '/casos/novo',
    answers: { ...EDITOR, ...DEFINIDOR },
    act: (page) => page.getByLabel('Agravo').selectOption('malaria'),
    seen: 'Principal atividade nos últimos 15 dias',
  },
]

describe('Diseases in the console', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('compares part by part what somebody else saved meanwhile, and saves the choice over it', async () => {
    const theirs = {
      ...{ ...MALARIA, nome: 'Malária (deles)', prazo_encerramento_dias: 45 },
      campos: MALARIA.campos.map((campo, at) => (at === 0 ? { ...campo, rotulo: 'Rótulo deles' } : campo)),
    }
    await using visited = await visit('/agravos/malaria', {
      answers: {
        ...DEFINIDOR,
        'GET /api/v1/agravos/tipos/malaria': [
          lido(),
          lido({ versao: 3, ultima_versao: 3, definicao: theirs }),
        ],
        [ALTERAR]: [refusal(409, 'CONFLICT'), lido({ versao: 4, ultima_versao: 4, estado: 'rascunho' })],
      },
    })
    const { page, asked } = visited
    await page.getByLabel('Nome', { exact: true }).fill('Malária (minha)')
    await page.getByLabel('Descrição').fill('Só aqui')
    await page.getByRole('button', { name: 'Salvar rascunho' }).click()
    const dialog = page.getByRole('dialog', { name: 'Alguém alterou este registro' })
    await dialog.getByText(/^Ana Souza Lima salvou outra versão/).waitFor()
    assert.deepEqual(await dialog.locator('fieldset legend').allInnerTexts(), ['Nome'])
    for (const text of [`Era: ${MALARIA.nome}`, 'Malária (minha)', 'Malária (deles)'])
      await dialog.getByText(text, { exact: true }).first().waitFor()
    const others = await dialog.locator('.conflict-others li').allInnerTexts()
    assert.equal(others.length, 2)
    assert.equal(others[0], 'Prazo de encerramento (dias): 45')
    assert.match(others[1] ?? '', /^Campo: .*Rótulo deles/)
    await visited.inspect('agravo-conflito-comparado')
    await dialog.getByRole('radio', { name: /Malária \(deles\)/ }).check()
    await dialog.getByRole('button', { name: 'Salvar com estas escolhas' }).click()
    await page.getByText('Versão 4 salva como rascunho.').waitFor()
    const sent = asked.filter(({ name }) => name === ALTERAR)
    assert.deepEqual(
      sent.map(({ headers }) => headers['if-match']),
      ['"2"', '"3"'],
    )
    const { nome, descricao, prazo_encerramento_dias } = (sent[1] as Asked).body as typeof theirs
    assert.deepEqual([nome, descricao, prazo_encerramento_dias], ['Malária (deles)', 'Só aqui', 45])
  })

  it('keeps what is written when a definition comes into force meanwhile', async () => {
    const told = JSON.stringify({
      ...{ id: 'evt_1', tipo: 'tipo_agravo.alterado', timestamp: '2026-11-14T15:00:01.000Z' },
      ...{ dados: { codigo: 'malaria', versao: 3, estado: 'ativa' }, lugares: [] },
    })
    let tell: () => void = () => undefined
    const answers = {
      ...DEFINIDOR,
      'GET /api/v1/agravos/tipos/malaria': [lido(), lido({ versao: 3, ultima_versao: 3 })],
      'GET /api/v1/eventos/aovivo': [
        {
          headers: { 'content-type': 'text/event-stream' },
          text: `id: 1\nevent: inicio\ndata: {"timestamp":"2026-11-14T15:00:00.000Z"}\n\nid: 2\nevent: evento\ndata: ${told}\n\n`,
          after: new Promise<void>((resolve) => {
            tell = resolve
          }),
        },
        { status: 204 },
      ],
    }
    await using visited = await visit('/agravos/malaria', { answers })
    const { page, asked } = visited
    const name = page.getByLabel('Nome', { exact: true })
    await name.fill('Malária (minha)')
    const tipos = () => asked.filter((one) => one.name === 'GET /api/v1/agravos/tipos').length
    const before = tipos()
    tell()
    await eventually(() => assert.ok(tipos() > before, 'the event was heard'))
    assert.equal(await name.inputValue(), 'Malária (minha)')
    assert.equal(asked.filter((one) => one.name === 'GET /api/v1/agravos/tipos/malaria').length, 1)
  })

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

  it('turns to the form of a disease without an empty page between', async () => {
    await using visited = await visit('/casos/novo', { answers: { ...EDITOR, ...DEFINIDOR } })
    const { page } = visited
    await page.getByLabel('Agravo').waitFor()
    await page.evaluate(`
      window.headless = 0
      new MutationObserver(() => { window.headless += document.querySelector('h1') ? 0 : 1 })
        .observe(document.body, { childList: true, subtree: true })
    `)
    await page.getByLabel('Agravo').selectOption('malaria')
    await page.getByText('Principal atividade nos últimos 15 dias').waitFor()
    assert.equal(await page.evaluate('window.headless'), 0)
  })

  it('names the page while the form is waited for', async () => {
    const formulario = DEFINIDOR['GET /api/v1/agravos/tipos/malaria/formulario'] as Answer
    let arrive = () => {}
    const after = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await using visited = await visit('/casos/7/editar', {
      answers: {
        ...DEFINIDOR,
        ...EDITOR,
        [CASO]: detalhe({ tipo_agravo: 'malaria' as never }),
        'GET /api/v1/agravos/tipos/malaria/formulario': { ...formulario, after },
      },
    })
    const { page } = visited
    await page.getByRole('heading', { level: 1, name: 'Editar caso' }).waitFor()
    arrive()
    await page.getByText('Principal atividade nos últimos 15 dias').waitFor()
  })

  it('edits columns, statistics and layouts, and tells their problems where they are', async () => {
    const problemas = [
      { campo: 'layouts.0.colunas.1.campo', codigo: 'UNKNOWN', mensagem: 'Campo desconhecido' },
      { campo: 'sinan.colunas.hospitalizacao', codigo: 'REPEATED', mensagem: 'Coluna repetida' },
    ]
    await using visited = await visit('/agravos/malaria', {
      answers: { ...DEFINIDOR, [ALTERAR]: simulada(problemas) },
    })
    const { page, asked } = visited
    await advanced(page)
    await page.getByLabel('Prefixos de ID_AGRAVO').fill('B50, B51')
    await page.getByLabel('Níveis de alerta').check()
    await page.getByLabel('Média (semanas)').fill('2,5')
    await page.getByLabel('Classificação dos casos novos').selectOption('confirmado')
    const layout = page.getByRole('group', { name: 'Leiaute 1', exact: true })
    await layout.getByLabel('Nome do leiaute').fill('planilha')
    await layout.getByLabel('Reconhecer por').fill('DATA IS; ÓBITO')
    await layout.getByLabel('Constantes').fill('criterio_confirmacao=laboratorial')
    await layout.getByLabel('Substitutos').fill('data_notificacao=data_inicio_sintomas')
    const column = (place: number) => page.getByRole('group', { name: `Coluna ${place}`, exact: true })
    await column(1).getByLabel('Coluna do arquivo').fill('DATA IS')
    await column(1).getByLabel('Campo').selectOption('data_inicio_sintomas')
    await column(1).getByLabel('Lê como').selectOption('data')
    await layout.getByRole('button', { name: 'Acrescentar coluna' }).click()
    await column(2).getByLabel('Coluna do arquivo').fill('ÓBITO')
    await column(2).getByLabel('Campo').selectOption('evolucao')
    await column(2).getByLabel('Lê como').selectOption('codigo')
    await column(2).getByLabel('Códigos').fill('SIM=obito; NÃO=cura')
    await check(page)
    await column(2).getByText('Campo desconhecido').waitFor()
    await page.locator('.codigo').getByText('Coluna repetida').waitFor()
    const sent = asked.find(({ name }) => name === ALTERAR) ?? assert.fail('checked')
    const { sinan, epidemiologia, classificacao_padrao, layouts } = sent.body as typeof MALARIA
    assert.deepEqual(sinan.prefixos, ['B50', 'B51'])
    assert.equal(sinan.colunas.hospitalizacao, 'ATE_HOSP')
    assert.deepEqual(epidemiologia, {
      ...{ curva: true, alertas: true, intervalo_geracao: { media: 2.5, desvio: 1 } },
    })
    assert.equal(classificacao_padrao, 'confirmado')
    assert.deepEqual(layouts, [
      {
        ...{ nome: 'planilha', reconhecer: ['DATA IS', 'ÓBITO'] },
        constantes: { criterio_confirmacao: 'laboratorial' },
        substitutos: { data_notificacao: 'data_inicio_sintomas' },
        colunas: [
          { coluna: 'DATA IS', campo: 'data_inicio_sintomas', le: 'data' },
          { coluna: 'ÓBITO', campo: 'evolucao', le: 'codigo', codigos: { SIM: 'obito', NÃO: 'cura' } },
        ],
      },
    ])
  })
})
