import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CONHECIDOS } from '../../src/domain/casos/agravos/conhecidos.ts'
import { formularioOf } from '../../src/domain/casos/agravos/formulario.ts'
import { noBrowser } from '../harness/browser.ts'
import { ADMIN, consoleVisits, perfil } from '../harness/console-page.ts'
import { CASO, casosOf, detalhe } from './casos-data.ts'
import { checked, JOB } from './importacoes-answers.ts'
import { painelAnswer, painelAnswers } from './painel-answer.ts'
import { ALL_GROUPS, grupo, gruposListed, MANAGER_RIGHTS, ONE_USER } from './usuarios-answers.ts'

/** Single lines of the screens that no other test would miss. */
describe('A line of a screen', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  it('of the closing dialog: codes that a version added to the disease', async () => {
    const dengue = CONHECIDOS.find(({ codigo }) => codigo === 'dengue') as (typeof CONHECIDOS)[number]
    const classificacoes = [
      ...dengue.classificacoes,
      { codigo: 'dengue_neurologica', rotulo: 'Dengue neurológica' },
    ]
    const evolucoes = [...dengue.evolucoes, { codigo: 'sequela', rotulo: 'Sequela' }]
    const definicao = { ...dengue, versao: 2, classificacoes, evolucoes } as typeof dengue
    const open = detalhe({ status: 'em_investigacao', classificacao_final: null, data_encerramento: null })
    const answers = {
      ...casosOf(),
      [CASO]: { body: open },
      'GET /api/v1/agravos/tipos/dengue/formulario': {
        body: formularioOf(definicao, { language: 'pt-BR', vocabulario: [] }),
      },
      'PUT /api/v1/agravos/casos/7': {
        body: { id: 7, message: '', atualizado_em: '', campos_alterados: [] },
      },
    }
    await using visited = await visit('/casos/7', { answers })
    const { page, asked } = visited
    await page.getByRole('button', { name: 'Encerrar' }).click()
    const dialog = page.getByRole('dialog')
    for (const [label, option] of [
      ['Classificação final', 'Dengue neurológica'],
      ['Evolução', 'Sequela'],
    ] as const) {
      const select = dialog.getByLabel(label, { exact: true })
      await select.locator('option', { hasText: option }).waitFor({ state: 'attached' })
      await select.selectOption({ label: option })
    }
    await dialog.getByLabel('Critério de confirmação', { exact: true }).selectOption({ index: 1 })
    await dialog.getByRole('button', { name: 'Encerrar' }).click()
    await dialog.getByRole('button', { name: 'Fechar' }).waitFor()
    const sent = asked.find(({ name }) => name.startsWith('PUT'))?.body as Record<string, unknown>
    assert.deepEqual([sent.classificacao_final, sent.evolucao], ['dengue_neurologica', 'sequela'])
  })

  it('of an account: the way to the audit of what was done to it, for those who may read it', async () => {
    const me = { 'GET /api/v1/usuarios/me': perfil([...MANAGER_RIGHTS, 'auditoria.ver']) }
    await using visited = await visit('/usuarios/31', { answers: { ...ONE_USER, ...me } })
    const link = visited.page.locator('.head .actions').getByRole('link', { name: 'Auditoria' })
    assert.equal(await link.getAttribute('href'), '/auditoria?recurso=usuario&id=31')
    await using other = await visit('/usuarios/31', { answers: ONE_USER })
    await other.page.getByRole('heading', { name: 'Beatriz Nascimento' }).waitFor()
    assert.equal(await other.page.getByRole('link', { name: 'Auditoria' }).count(), 0)
  })

  it('of an import: each column of the file with the words of its field', async () => {
    await using visited = await visit(`/importacoes/nova?job=${JOB}`, { answers: checked() })
    const { page } = visited
    const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) }).getByRole('cell')
    await row('NU_NOTIFIC').first().waitFor()
    assert.equal(await row('NU_NOTIFIC').first().innerText(), 'Nº da notificação')
    assert.equal(await row('NM_MAE_PAC').first().innerText(), '')
  })

  it('of the painel: the last week that has cases, not the last of the period', async () => {
    const painel = painelAnswer()
    const semanas = painel.semanas.map((one, at) => (at >= 20 ? { ...one, casos: 0 } : one))
    const { semana = '' } = semanas[19] ?? {}
    await using visited = await visit('/painel', {
      answers: { ...ADMIN, ...painelAnswers({ ...painel, semanas }) },
    })
    const words = `Casos até a SE ${Number(semana.slice(4))}/${semana.slice(0, 4)}.`
    await visited.page.getByText(words).waitFor()
  })

  it('of the list on paper: the filter in words instead of its bar and tools', async () => {
    await using visited = await visit('/casos?agravo=dengue&uf=PE&sexo=F&periodo=sempre', {
      answers: casosOf(),
    })
    const { page } = visited
    await page.getByText('4418822').waitFor()
    const paper = page.locator('.paper')
    assert.equal(await paper.isVisible(), false)
    await page.emulateMedia({ media: 'print' })
    assert.equal(
      await paper.getAttribute('data-filter'),
      'Prováveis · por início dos sintomas · Sexo: Feminino',
    )
    assert.match(
      await page.evaluate<string>(`getComputedStyle(document.querySelector('.paper'), '::before').content`),
      /Sexo: Feminino/,
    )
    for (const gone of ['.filter-area', '.list-tools', '.pager ul'])
      assert.equal(await page.locator(gone).first().isVisible(), false, gone)
    await page.emulateMedia({ media: null })
  })

  it('of people and rights on paper: nothing to press, and every group in the table of permissions', async () => {
    const many = Array.from({ length: 12 }, (_, id) => grupo({ id, nome: `vigilancia_da_cidade_${id}` }))
    for (const [path, seen, answers] of [
      ['/usuarios/31', 'Grupo usuario', ONE_USER],
      ['/grupos', 'Permissões por grupo', { ...ALL_GROUPS, ...gruposListed(many) }],
    ] as const) {
      await using visited = await visit(path, { answers })
      const { page } = visited
      await page.getByText(seen).first().waitFor()
      await page.setViewportSize({ width: 794, height: 1123 })
      await page.emulateMedia({ media: 'print' })
      assert.equal(await page.locator('main .button:visible').count(), 0, path)
      const beyond = await page
        .locator('html, .table-box')
        .evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
      assert.ok(beyond.length > 1 && beyond.every((pixels) => pixels <= 0), `${path}: ${beyond}`)
      await page.emulateMedia({ media: null })
    }
  })
})
