import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { FIELD_NAMES } from '../../src/domain/casos/campos.ts'
import { CAMPOS_DA_LISTA, COLUMN_NAMES, readRows, withRows } from '../../web/console/screens/casos/address.ts'
import { timelineOf } from '../../web/console/screens/casos/detalhe.ts'
import { BLOCK_FIELDS } from '../../web/console/state/caso-campos.ts'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, perfil, refusal, type Visit } from '../harness/console-page.ts'
import { eventually } from '../harness/eventually.ts'
import {
  CASO,
  casoListado,
  casosOf,
  detalhe,
  excluidos,
  identified,
  LIST,
  lista,
  PLANTED,
} from './casos-data.ts'

describe('The rows of the list', () => {
  it('are their address: order, page, number and columns, read as they were written', () => {
    const order = fc.record(
      {
        by: fc.constantFrom('idade', 'data_notificacao'),
        direction: fc.constantFrom('asc' as const, 'desc' as const),
      },
      { noNullPrototype: true },
    )
    const columns = fc
      .subarray([...COLUMN_NAMES])
      .map((some) => COLUMN_NAMES.filter((one) => one === 'numero' || some.includes(one)))
    const rows = fc.record(
      {
        order,
        columns: fc.option(columns, { nil: null }),
        size: fc.constantFrom(25, 50, 100),
        page: fc.integer({ min: 1, max: 1_000_000 }),
      },
      { noNullPrototype: true },
    )
    fc.assert(
      fc.property(rows, (given) => {
        const search = withRows('/x', 'uf=PE', given).split('?')[1] ?? ''
        assert.deepEqual(readRows(search, ['idade', 'data_notificacao']), given)
        assert.equal(new URLSearchParams(search).get('uf'), 'PE')
      }),
    )
    assert.equal(readRows('pagina=-3&linhas=7&ordem=segredo', ['idade']).page, 1)
    assert.equal(
      withRows('/x', 'pagina=4&uf=PE', { order: { by: 'idade', direction: 'asc' } }),
      '/x?uf=PE&ordem=idade',
    )
  })
})

describe('The blocks of a case', () => {
  it('have every field once', () => {
    const fields = BLOCK_FIELDS.flatMap(([, names]) => names)
    assert.deepEqual(fields.toSorted(), FIELD_NAMES.toSorted())
    assert.ok(BLOCK_FIELDS.every(([, names]) => names.length > 2))
  })

  it('have a timeline in the order of the dates, with the days between', () => {
    const steps = timelineOf(detalhe({ data_obito: '2026-03-01' }))
    assert.deepEqual(
      steps.map(({ nome, days }) => [nome, days]),
      [
        ['data_obito', null],
        ['data_inicio_sintomas', 7],
        ['data_notificacao', 4],
        ['data_investigacao', 1],
        ['data_encerramento', 51],
      ],
    )
  })
})

describe('The screens of cases', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  const all = casosOf()
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
  /** Parameters of the last request of this name. */
  const lastOf = ({ asked }: Visit, name: string) =>
    Object.fromEntries(asked.findLast((one) => one.name === name)?.query ?? [])
  const row = (page: Page, numero: string) => page.getByRole('link', { name: numero, exact: true })

  it('have their whole state in the address: reloaded, gone back to, opened elsewhere', async () => {
    const path =
      '/casos?agravo=dengue&uf=PE&periodo=2025&classificacao=confirmado&colunas=numero,uf&ordem=-idade&pagina=2'
    const expected = {
      tipo_agravo: 'dengue',
      estado: 'PE',
      classificacao: 'confirmado',
      'semana_epidemiologica_sintomas[gte]': '202501',
      'semana_epidemiologica_sintomas[lte]': '202553',
      sort: 'idade',
      order: 'desc',
      page: '2',
      size: '50',
      campos: CAMPOS_DA_LISTA,
    }
    await using visited = await visit(path, { answers: { ...all, [LIST]: lista(965, 2) } })
    const { page, origin } = visited
    await row(page, '4418821').waitFor()
    assert.deepEqual(lastOf(visited, LIST), expected)
    assert.deepEqual(await page.getByRole('columnheader').allInnerTexts(), ['', 'Nº', 'UF'])
    assert.match(await page.locator('main').innerText(), /965 casos: Dengue em Pernambuco, 2025/)
    assert.match(await page.locator('.pager').innerText(), /Linhas 51 a 100 de 965/)
    visited.asked.length = 0
    await page.reload()
    await row(page, '4418821').waitFor()
    assert.deepEqual(lastOf(visited, LIST), expected)
    assert.equal(page.url(), `${origin}${path}`)

    await button(page, /^Contar por/).click()
    await page.locator('.popover :focus').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.waitForURL(/base=notificacao/)
    await page.keyboard.press('Escape')
    const changed = new URL(page.url())
    assert.equal(changed.searchParams.get('pagina'), null, 'another filter begins at its first page')
    assert.equal(changed.searchParams.get('colunas'), 'numero,uf')
    await eventually(() => assert.equal(lastOf(visited, LIST)['semana_epidemiologica[gte]'], '202501'))
    await page.goBack()
    assert.equal(page.url(), `${origin}${path}`, 'one step for the whole opening of a field')
    await button(page, 'Limpar filtros').click()
    await page.waitForURL((url) => !url.searchParams.has('uf'))
    await page.getByText('Todos os agravos no Brasil').first().waitFor()
  })

  it('have those that the reader answers for as a view, which says whose it is only to the service', async () => {
    await using visited = await visit('/casos?uf=PE&periodo=sempre', { answers: all })
    const { page } = visited
    await row(page, '4418821').waitFor()
    await page.getByRole('link', { name: 'Meus', exact: true }).click()
    await page.waitForURL('**/casos?uf=PE&periodo=sempre&responsavel=eu')
    await button(page, 'Remover o filtro Responsável').getByText('Responsável: eu').waitFor()
    const { responsavel_id, estado } = lastOf(visited, LIST)
    assert.deepEqual([responsavel_id, estado], [String(perfil().body.id), 'PE'])
    assert.equal(
      await page.getByRole('link', { name: 'Meus', exact: true }).getAttribute('aria-current'),
      'true',
    )
  })

  it('are worked with by keys', async () => {
    await using visited = await visit('/casos', { answers: all })
    const { page, origin } = visited
    await row(page, '4418822').waitFor()
    await page.keyboard.press('/')
    await eventually(async () =>
      assert.match(await page.evaluate<string>('document.activeElement.textContent'), /^Agravo/),
    )
    for (const key of ['j', 'j', 'j', 'k', 'x']) await page.keyboard.press(key)
    await page.getByText('1 caso selecionado').waitFor()
    assert.ok(await page.getByLabel('Selecionar 4418822').isChecked())
    await page.locator('h1').focus()
    await page.keyboard.press(' ')
    await page.getByRole('complementary', { name: 'Resumo do caso' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('complementary').waitFor({ state: 'detached' })
    visited.answers['GET /api/v1/agravos/casos/2'] = { body: detalhe({ id: 2 }) }
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /notificação 4418827/ }).waitFor()
    assert.equal(page.url(), `${origin}/casos/2`)
    await page.keyboard.press('Escape')
    await page.waitForURL(`${origin}/casos`)
  })

  it('search by number and neighbourhood, and say that names cannot be searched', async () => {
    await using visited = await visit('/casos', { answers: all })
    const { page } = visited
    await row(page, '4418821').waitFor()
    const box = page.getByLabel('Buscar por nº da notificação ou bairro')
    assert.match((await box.getAttribute('placeholder')) ?? '', /nomes não/)
    await box.fill('salgado')
    await page.waitForURL(/busca=salgado/)
    await page.getByText('Busca: salgado').waitFor()
    await eventually(() => assert.equal(lastOf(visited, LIST).search, 'salgado'))
    await button(page, 'Remover o filtro Busca').click()
    await page.waitForURL((url) => !url.searchParams.has('busca'))
    await eventually(async () => assert.equal(await box.inputValue(), ''))
  })

  it('find a place by its name, without accents and by keys', async () => {
    await using visited = await visit('/casos', { answers: all })
    const { page } = visited
    await row(page, '4418821').waitFor()
    await button(page, /^Território/).press('Enter')
    await page.getByRole('combobox', { name: 'Território' }).waitFor()
    await page.keyboard.type('recífe')
    await page.getByRole('option', { name: /Recife/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/uf=PE&municipio=2611606/)
    await page.getByText('Todos os agravos em Recife, ').first().waitFor()
    await eventually(() => assert.equal(lastOf(visited, LIST).municipio, '2611606'))
  })

  it('are found by a notification number, and a new one is begun, from everywhere', async () => {
    await using visited = await visit('/casos/excluidos', {
      answers: { ...all, 'GET /api/v1/agravos/casos/excluidos': excluidos },
    })
    const { page, origin } = visited
    await page.getByText('4418829').waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('combobox', { name: /nº da notificação/ })
    await palette.fill('novo')
    await page.getByRole('option', { name: /Novo caso/ }).waitFor()
    await palette.fill('caru')
    await page.getByRole('option', { name: /Caruaru, PE/ }).waitFor()
    await palette.fill('4418827')
    visited.answers[LIST] = { body: { ...lista(1).body, tipos: [casoListado(7)] } }
    await page.keyboard.press('Enter')
    await page.waitForURL(`${origin}/casos/7`)
    assert.deepEqual(lastOf(visited, LIST), { numero_notificacao: '4418827', size: '5' })
    await page.getByText('Linha do tempo').waitFor()
    await page.keyboard.press('Control+k')
    await palette.fill('441')
    await page.getByRole('option', { name: /Procurar “441” nos casos/ }).click()
    await page.waitForURL(/busca=441/)
    assert.equal(new URL(page.url()).searchParams.get('periodo'), 'sempre')
  })

  it('have as many rows as chosen, of the chosen height, and are cards of three lines where it is narrow', async () => {
    await using visited = await visit('/casos?pagina=2', { answers: { ...all, [LIST]: lista(965, 2) } })
    const { page } = visited
    await row(page, '4418821').waitFor()
    await page.getByLabel('Linhas por página').selectOption('25')
    await page.waitForURL((url) => url.search === '?linhas=25')
    await eventually(() => assert.equal(lastOf(visited, LIST).size, '25'))
    const height = async () => Math.round((await page.locator('tbody tr').nth(1).boundingBox())?.height ?? 0)
    assert.equal(await height(), 40)
    await button(page, 'Colunas').click()
    await page.getByText('Compacta').click()
    await page.keyboard.press('Escape')
    assert.equal(await height(), 32)
    await page.reload()
    await row(page, '4418821').waitFor()
    assert.equal(await height(), 32, 'this browser keeps it')
    await page.setViewportSize({ width: 360, height: 640 })
    const lines = await page.evaluate(`[...document.querySelectorAll('tbody tr')].map((row) =>
      new Set([...row.cells].filter((cell) => cell.offsetHeight > 0).map((cell) => Math.round((cell.offsetTop + cell.offsetHeight / 2) / 8))).size)`)
    assert.deepEqual(lines, [3, 3, 3, 3, 3, 3])
  })

  it('never move under the reader: what is new is announced', async () => {
    await using visited = await visit('/casos', { answers: all, alone: true })
    const { page, answers } = visited
    await page.clock.install()
    await page.reload()
    await row(page, '4418821').waitFor()
    answers[LIST] = lista(977)
    await page.clock.fastForward('01:05')
    await page.getByText('12 casos novos neste recorte.').waitFor()
    assert.match(await page.locator('main').innerText(), /965 casos:/)
    await button(page, 'Atualizar').click()
    await page.getByText('977 casos:').waitFor()
    await page.getByText('casos novos').waitFor({ state: 'detached' })
  })

  it('close several cases, and say which were refused and why', async () => {
    const problem = { field: 'classificacao_final', code: 'X', message: 'não combina com o óbito' }
    const answers: Answers = {
      ...all,
      'PUT /api/v1/agravos/casos/1': { body: { id: 1 } },
      'PUT /api/v1/agravos/casos/2': refusal(422, 'VALIDATION_ERROR', { details: [problem] }),
    }
    await using visited = await visit('/casos', { answers })
    const { page, asked } = visited
    await page.getByLabel('Selecionar 4418821').check()
    await page.getByLabel('Selecionar 4418822').check()
    await button(page, 'Encerrar').click()
    const dialog = page.getByRole('dialog', { name: 'Encerrar 2 casos' })
    await dialog.getByRole('button', { name: 'Encerrar' }).click()
    await dialog.getByText('Escolha a classificação final.').waitFor()
    await dialog.getByLabel('Classificação final').selectOption('dengue_grave')
    await dialog.getByRole('button', { name: 'Encerrar' }).click()
    await dialog.getByText('1 de 2 casos encerrados.').waitFor()
    assert.match(await dialog.innerText(), /4418822 não combina com o óbito/)
    const sent = asked.filter(({ name }) => name.startsWith('PUT'))
    assert.deepEqual(sent.map(({ name }) => name).toSorted(), [
      'PUT /api/v1/agravos/casos/1',
      'PUT /api/v1/agravos/casos/2',
    ])
    assert.equal((sent[0]?.body as Record<string, unknown> | undefined)?.classificacao_final, 'dengue_grave')
  })

  it('export exactly the filter, as a job with its link', async () => {
    const job = (status: string, more = {}) => ({
      body: {
        job_id: 'job_1',
        tipo: 'exportacao',
        status,
        status_url: '',
        message: `agora ${status}`,
        progress: 40,
        created_at: '',
        completed_at: null,
        ...more,
      },
    })
    const answers: Answers = {
      ...all,
      'POST /api/v1/agravos/casos/exportar': {
        status: 202,
        body: { job_id: 'job_1', status: 'processing', status_url: '', message: '' },
      },
      'GET /api/v1/jobs/job_1': [
        job('processing'),
        job('completed', { arquivo_url: 'https://outro.example/api/v1/jobs/job_1/arquivo' }),
      ],
    }
    await using visited = await visit('/casos?uf=PE&periodo=sempre', { answers })
    const { page, asked } = visited
    await row(page, '4418821').waitFor()
    await button(page, 'Exportar').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Excel (XLSX)').click()
    await dialog.getByRole('button', { name: 'Exportar' }).click()
    await dialog.getByText('agora processing').waitFor()
    const link = dialog.getByRole('link', { name: 'Baixar o arquivo' })
    await link.waitFor()
    assert.equal(await link.getAttribute('href'), '/api/v1/jobs/job_1/arquivo')
    assert.deepEqual(asked.find(({ name }) => name.startsWith('POST'))?.body, {
      formato: 'xlsx',
      filtros: { estado: 'PE', classificacao: 'provavel' },
    })
  })

  it('identify a patient after saying that it is recorded, for five minutes, and leave nothing behind', async () => {
    const answers: Answers = {
      ...all,
      [CASO]: [{ body: detalhe() }, { body: identified() }, { body: detalhe() }],
      'DELETE /api/v1/auth/sessao': { status: 204 },
    }
    await using visited = await visit('/casos/7', { answers, alone: true })
    const { page, asked } = visited
    await page.clock.install()
    await button(page, 'Identificar paciente').click()
    await page.getByText('Fica registrado na auditoria com seu nome.').waitFor()
    assert.ok(asked.every(({ query }) => !query.has('identificado')))
    await button(page, 'Mostrar').click()
    await page.getByText(PLANTED).first().waitFor()
    await page.getByText('Sorologia do segundo dia').waitFor()
    assert.equal(lastOf(visited, CASO).identificado, 'true')
    await page.clock.fastForward('05:01')
    await page.getByText(PLANTED).waitFor({ state: 'detached' })

    answers[CASO] = { body: identified() }
    visited.answers[CASO] = { body: identified() }
    await button(page, 'Identificar paciente').click()
    await button(page, 'Mostrar').click()
    await page.getByText(PLANTED).first().waitFor()
    await button(page, /Ana Souza/).click()
    visited.answers['GET /api/v1/usuarios/me'] = refusal(401, 'UNAUTHORIZED')
    await button(page, 'Sair').click()
    await page.getByRole('heading', { name: 'Entrar' }).waitFor()
    const kept = await page.evaluate<string>(`(async () => JSON.stringify([
      { ...localStorage }, { ...sessionStorage }, history.state, location.href, document.title, document.documentElement.outerHTML,
      (await indexedDB.databases()).length, (await caches.keys()).length,
    ]))()`)
    assert.ok(!kept.includes('Plantada'), 'no planted name anywhere')
    assert.match(kept, /,0,0\]$/)
  })

  it('lead to a case as it was, without anything to change it', async () => {
    await using visited = await visit('/casos/7', { answers: all })
    const { page } = visited
    await page.getByRole('link', { name: 'Ver como era' }).first().click()
    await page.getByText('Você vê o caso como era em').waitFor()
    await eventually(() =>
      assert.ok(visited.asked.some(({ query }) => query.get('em') === '2026-04-02T12:00:00.000Z')),
    )
    for (const name of ['Excluir', 'Encerrar', 'Anexar arquivo'])
      assert.equal(await button(page, name).count(), 0)
    await page.getByRole('link', { name: 'Voltar ao caso atual' }).click()
    await button(page, 'Excluir').waitFor()
  })

  it('exclude a case with its reason, in the version that is seen, and restore it', async () => {
    const EXCLUIDOS = 'GET /api/v1/agravos/casos/excluidos'
    const DELETE = 'DELETE /api/v1/agravos/casos/7'
    const answers: Answers = {
      ...all,
      [DELETE]: [refusal(409, 'CONFLICT'), { status: 204 }],
      [EXCLUIDOS]: excluidos,
      'POST /api/v1/agravos/casos/9/restaurar': {
        body: { id: 9, message: '', status: 'encerrado', atualizado_em: '' },
      },
    }
    await using visited = await visit('/casos/7', { answers })
    const { page, asked, origin } = visited
    await button(page, 'Excluir').click()
    const dialog = page.getByRole('dialog')
    const exclude = dialog.getByRole('button', { name: 'Excluir' })
    await exclude.click()
    await dialog.getByText('Informe o motivo.').waitFor()
    assert.equal(asked.filter(({ name }) => name === DELETE).length, 0)
    await dialog.getByLabel('Motivo').fill('duplicado')
    await exclude.click()
    await dialog.getByText('Alguém alterou este caso').waitFor()
    await exclude.click()
    await page.waitForURL(`${origin}/casos`)
    assert.equal(lastOf(visited, DELETE).motivo, 'duplicado')
    assert.equal(asked.findLast(({ name }) => name === DELETE)?.headers['if-match'], '"3"')
    await page.getByRole('link', { name: 'Casos excluídos' }).click()
    await button(page, 'Restaurar o caso 4418829').click()
    await page.getByText('Caso 4418829 restaurado.').waitFor()
    assert.ok(asked.some(({ name }) => name === 'POST /api/v1/agravos/casos/9/restaurar'))
  })
})
