import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CONHECIDOS } from '../../src/domain/casos/agravos/conhecidos.ts'
import type { CampoProprio } from '../../src/domain/casos/agravos/definicao.ts'
import { formularioOf } from '../../src/domain/casos/agravos/formulario.ts'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, refusal } from '../harness/console-page.ts'
import { eventually } from '../harness/eventually.ts'
import { ALTERAR, CASO, CRIAR, detalhe, EDITOR } from './formulario-answers.ts'

const [dengue] = CONHECIDOS
if (dengue === undefined) throw new Error('dengue is known')

const own = (nome: string, rotulo: string, over: Partial<CampoProprio> = {}): CampoProprio => ({
  ...{ nome, rotulo, tipo: 'bool', grupo: 'Vacina', sinan: [], opcoes: [], obrigatorio: false },
  ...{ obrigatorio_quando_modo: 'todos', mostrar_quando_modo: 'todos' },
  ...{ sigiloso: false, filtravel: false, ativo: true },
  ...over,
})
const marcas = [
  { codigo: 'qdenga', rotulo: 'Qdenga', sinan: [], ativo: true },
  { codigo: 'butantan', rotulo: 'Butantan-DV', sinan: [], ativo: true },
]
/** Dengue with the fields of a second version: vaccinated, and with what. */
const FORMULARIO = 'GET /api/v1/agravos/tipos/dengue/formulario'
const formulario = (words: { vacina: string; marcas: typeof marcas }) => ({
  body: formularioOf(
    {
      ...dengue,
      campos: [
        ...dengue.campos,
        { padrao: 'bairro_residencia', rotulo: 'Localidade', sinan: [] },
        own('vacinado', 'Vacinado contra dengue', { filtravel: true }),
        own('vacina', words.vacina, {
          tipo: 'opcao',
          opcoes: words.marcas,
          mostrar_quando: [{ campo: 'vacinado', op: 'eq', valor: true }],
        }),
      ],
    },
    { language: 'pt-BR', vocabulario: [] },
  ),
})
const ESTENDIDA: Answers = { ...EDITOR, [FORMULARIO]: formulario({ vacina: 'Vacina recebida', marcas }) }

/** A case of it, with values of both fields. */
function vacinado() {
  const { body } = detalhe()
  const { dados_especificos: dados, ...rest } = body as Record<string, unknown>
  const own = { vacinado: true, vacina: 'qdenga' }
  return { body: { ...rest, origem: null, anexos: [], dados_especificos: { ...(dados as object), ...own } } }
}

describe('Fields that a version adds to a known disease', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  it('are on its form once the disease is chosen, with what was typed before', async () => {
    await using visited = await visit('/casos/novo', { answers: ESTENDIDA })
    const { page, asked } = visited
    const field = (name: string) => page.getByRole('textbox', { name })
    await field('Nº da notificação').fill('4418823')
    await page.getByLabel('Agravo').selectOption('dengue')
    await page.getByRole('heading', { name: 'Vacina', exact: true }).waitFor()
    assert.equal(await field('Nº da notificação').inputValue(), '4418823')
    await page.getByRole('heading', { name: 'Antecedentes e sinais clínicos' }).waitFor()
    assert.equal(await page.getByLabel('Vacina recebida').count(), 0, 'hidden until its condition holds')
    await page.getByRole('radiogroup', { name: 'Vacinado contra dengue' }).getByRole('radio').first().focus()
    await page.keyboard.press('1')
    await page.getByLabel('Vacina recebida').selectOption('butantan')
    await field('Data da notificação').fill('hoje')
    await field('Nome do paciente').fill('Maria Plantada')
    const municipio = page.getByRole('combobox', { name: 'Município de residência' })
    await municipio.fill('reci')
    await page.getByRole('option', { name: /^Recife/ }).waitFor()
    await municipio.press('Tab')
    await page.keyboard.press('Control+s')
    await page.waitForURL(/\/casos\/7$/)
    const sent = asked.find(({ name }) => name === CRIAR)?.body as { dados_especificos?: unknown }
    assert.deepEqual(sent.dados_especificos, { vacinado: true, vacina: 'butantan' })
  })

  it('are shown of a case, and change with it', async () => {
    const answers = { ...ESTENDIDA, [CASO]: vacinado(), [ALTERAR]: { body: { id: 7 } } }
    await using visited = await visit('/casos/7', { answers })
    const { page, asked } = visited
    const card = page.locator('section.block', {
      has: page.getByRole('heading', { name: 'Vacina', exact: true }),
    })
    await card.getByText('Qdenga', { exact: true }).waitFor()
    const named = page.locator('.pairs > div', { has: page.getByText('Pina', { exact: true }) })
    await named.getByText('Localidade', { exact: true }).waitFor()
    await page.getByText('Início dos sintomas', { exact: true }).first().waitFor()
    await page.getByText('Pina').waitFor()
    await page.getByRole('link', { name: 'Editar' }).click()
    await page.getByLabel('Localidade', { exact: true }).waitFor()
    await page.getByLabel('Vacina recebida').selectOption('butantan')
    await page.keyboard.press('Control+s')
    await eventually(async () => {
      const sent = asked.find(({ name }) => name === ALTERAR)?.body
      assert.deepEqual(sent, { dados_especificos: { vacina: 'butantan' } })
    })
  })

  it('are in the words of the version that held, where a case is shown as it was', async () => {
    const antigas = marcas.map((one) => ({ ...one, rotulo: `${one.rotulo} (lote antigo)` }))
    const answers = {
      ...ESTENDIDA,
      [CASO]: vacinado(),
      [FORMULARIO]: [
        formulario({ vacina: 'Vacina recebida', marcas }),
        formulario({ vacina: 'Imunizante', marcas: antigas }),
      ],
    }
    const em = '2026-03-01T12:00:00.000Z'
    await using visited = await visit(`/casos/7?em=${em}`, { answers })
    const { page, asked } = visited
    await page.getByText('Qdenga (lote antigo)', { exact: true }).waitFor()
    await page.getByText('Imunizante', { exact: true }).waitFor()
    const queries = asked.filter(({ name }) => name === FORMULARIO).map(({ query }) => query.get('em'))
    assert.deepEqual(queries, [null, em])
  })

  it('may be labels alone', async () => {
    const renamed = formularioOf(
      { ...dengue, campos: [{ padrao: 'bairro_residencia', rotulo: 'Localidade', sinan: [] }] },
      { language: 'pt-BR', vocabulario: [] },
    )
    await using visited = await visit('/casos/novo', {
      answers: { ...EDITOR, [FORMULARIO]: { body: renamed } },
    })
    const { page } = visited
    await page.getByLabel('Agravo').selectOption('dengue')
    await page.getByLabel('Localidade', { exact: true }).waitFor()
    assert.equal(await page.getByLabel('Bairro', { exact: true }).count(), 0)
    assert.equal(await page.getByLabel('Início dos sintomas').count(), 1)
  })

  it('may be codes of its choices, without a code of the paper form', async () => {
    const nova = { ...dengue, versao: 2 } as typeof dengue
    const body = formularioOf(
      {
        ...nova,
        classificacoes: [
          ...nova.classificacoes,
          { codigo: 'dengue_neurologica', rotulo: 'Dengue neurológica' },
        ],
        criterios: [...nova.criterios, { codigo: 'imagem', rotulo: 'Por imagem' }],
        evolucoes: [...nova.evolucoes, { codigo: 'sequela', rotulo: 'Sequela' }],
      } as typeof dengue,
      { language: 'pt-BR', vocabulario: [] },
    )
    const answers = { ...EDITOR, [FORMULARIO]: { body } }
    await using visited = await visit('/casos/novo', { answers })
    const { page } = visited
    await page.getByLabel('Agravo').selectOption('dengue')
    for (const [label, option] of [
      ['Classificação final', 'Dengue neurológica'],
      ['Critério de confirmação', 'Por imagem'],
      ['Evolução', 'Sequela'],
    ] as const) {
      const select = page.getByLabel(label, { exact: true })
      await select.locator('option', { hasText: option }).waitFor({ state: 'attached' })
      await select.selectOption({ label: option })
    }
    assert.equal(await page.locator('.problem').count(), 0)
    await page.getByLabel('Agravo').selectOption('zika')
    await eventually(async () =>
      assert.equal(
        await page.getByLabel('Evolução', { exact: true }).locator('option', { hasText: 'Sequela' }).count(),
        0,
        'another disease has its own',
      ),
    )
  })

  it('filter its list, and the form is there without them where they cannot be asked for', async () => {
    const answers: Answers = {
      ...ESTENDIDA,
      'GET /api/v1/agravos/casos': { body: { total: 0, page: 1, size: 50, pages: 0, links: {}, tipos: [] } },
    }
    await using visited = await visit('/casos?agravo=dengue&periodo=sempre&especifico.vacinado=true', {
      answers,
    })
    await visited.page.getByText('Vacinado contra dengue: Sim').waitFor()
    const asked = visited.asked.find(({ name }) => name === 'GET /api/v1/agravos/casos')
    assert.equal(asked?.query.get('especifico.vacinado'), 'true')

    await using other = await visit('/casos/7/editar', {
      answers: { ...ESTENDIDA, [FORMULARIO]: refusal(500, 'INTERNAL') },
    })
    await other.page.getByRole('textbox', { name: 'Nº da notificação' }).waitFor()
    assert.equal(await other.page.getByRole('heading', { name: 'Vacina', exact: true }).count(), 0)
  })
})
