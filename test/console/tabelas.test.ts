import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Permission } from '../../src/caller/permissions.ts'
import { CONHECIDOS } from '../../src/domain/casos/agravos/conhecidos.ts'
import type { CampoProprio } from '../../src/domain/casos/agravos/definicao.ts'
import { formularioOf } from '../../src/domain/casos/agravos/formulario.ts'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, perfil, READER, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { MALARIA } from './agravos-answers.ts'
import { PERNAMBUCO, TERRITORIOS } from './casos-data.ts'

const FREQUENCIAS = 'GET /api/v1/agravos/casos/estatisticas/frequencias'
const FORMULARIO = 'GET /api/v1/agravos/tipos/dengue/formulario'
const AT = '2026-11-14T15:00:00Z'
const never = new Promise<void>(() => undefined)

const [dengue] = CONHECIDOS
if (dengue === undefined) throw new Error('dengue is known')
const proprio = (nome: string, rotulo: string, over: Partial<CampoProprio> = {}): CampoProprio => ({
  ...{ nome, rotulo, tipo: 'bool', grupo: 'Vacina', sinan: [], opcoes: [], obrigatorio: false },
  ...{ obrigatorio_quando_modo: 'todos', mostrar_quando_modo: 'todos' },
  ...{ sigiloso: false, filtravel: false, ativo: true },
  ...over,
})
const option = (codigo: string, rotulo: string) => ({ codigo, rotulo, sinan: [], ativo: true })
const words = { language: 'pt-BR', vocabulario: [] } as const
const formulario = formularioOf(
  {
    ...dengue,
    campos: [
      ...dengue.campos,
      proprio('vacinado', 'Vacinado contra dengue', { filtravel: true }),
      proprio('reacao', 'Reação à vacina', { tipo: 'texto' }),
      proprio('contato', 'Contato informado', { sigiloso: true }),
      proprio('doses', 'Doses recebidas', {
        tipo: 'opcoes',
        opcoes: [option('primeira', 'Primeira dose'), option('segunda', 'Segunda dose')],
      }),
    ],
  },
  words,
)

const valor = (codigo: string, total: number, rotulo = codigo) => ({
  ...{ valor: codigo, rotulo, total, confirmado: Math.floor(total / 2), descartado: 0 },
  ...{ inconclusivo: 1, em_investigacao: total - Math.floor(total / 2) - 1 },
})
const answered = (campo: string, valores: object[], { total = 1_200, sem_informacao = 200 } = {}) => ({
  body: {
    tipo_agravo: 'dengue',
    total,
    campos: [{ campo, rotulo: campo, valores, sem_informacao }],
    calculado_em: AT,
  },
})
const FEBRE = answered('febre', [valor('true', 900, 'Sim'), valor('false', 100, 'Não')])

const me = (permissoes: Permission[] = ['agravos.estatisticas', 'agravos.listar']): Answers => ({
  'GET /api/v1/usuarios/me': perfil(permissoes),
  [TERRITORIOS]: PERNAMBUCO,
  [FORMULARIO]: { body: formulario },
})
const ALL: Answers = { ...me(), [FREQUENCIAS]: FEBRE }
const OF_PE = '/tabelas?uf=PE&campo=febre'
const WAITING: Answers = { ...ALL, [FREQUENCIAS]: { after: never } }

const VIEWS: View[] = [
  { name: 'tabelas', picture: true, path: OF_PE, answers: ALL, seen: '900' },
  {
    name: 'tabelas-varias-respostas',
    path: '/tabelas?campo=doses',
    answers: { ...ALL, [FREQUENCIAS]: answered('doses', [valor('primeira', 7), valor('segunda', 4)]) },
    seen: /Um caso conta em cada resposta/,
  },
  {
    name: 'tabelas-vazia',
    path: OF_PE,
    answers: { ...ALL, [FREQUENCIAS]: answered('febre', [], { total: 0, sem_informacao: 0 }) },
    seen: 'Nenhum caso neste recorte.',
  },
  {
    name: 'tabelas-sem-perguntas',
    path: '/tabelas',
    answers: { ...ALL, [FORMULARIO]: { body: { ...formulario, grupos: [] } } },
    seen: /não tem perguntas/,
  },
  { name: 'tabelas-carregando', path: OF_PE, answers: WAITING, seen: 'Está demorando…' },
  {
    name: 'tabelas-erro',
    path: OF_PE,
    answers: { ...ALL, [FREQUENCIAS]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
  {
    name: 'tabelas-erro-na-ficha',
    path: OF_PE,
    answers: { ...ALL, [FORMULARIO]: refusal(404, 'NOT_FOUND') },
    seen: 'pedido-0001',
  },
  { name: 'tabelas-sem-acesso', path: '/tabelas', answers: READER, seen: 'agravos.estatisticas' },
]

describe('Tables of cases', { skip: noBrowser }, () => {
  inspectViews(VIEWS)
  const visit = consoleVisits()

  it('are asked for the cases of the address and its question', async () => {
    await using visited = await visit(`${OF_PE}&periodo=2025-11-15..2026-11-14&base=notificacao`, {
      answers: ALL,
      at: AT,
    })
    await visited.page.getByText('900').waitFor()
    const asked = visited.asked.filter(({ name }) => name === FREQUENCIAS)
    assert.deepEqual(
      asked.map(({ query }) => Object.fromEntries(query)),
      [
        {
          ...{ tipo_agravo: 'dengue', estado: 'PE', classificacao: 'provavel', campos: 'febre' },
          ...{ data_inicio: '2025-11-15', data_fim: '2026-11-14' },
        },
      ],
    )
  })

  it('say answers, shares and classes in words and numbers, with the cases that have no answer', async () => {
    await using visited = await visit(OF_PE, { answers: ALL, at: AT })
    const { page } = visited
    await page.getByText('1.200 casos, 200 sem informação.').waitFor()
    assert.deepEqual(
      (await page.locator('.chart-table tr').allInnerTexts()).map((row) => row.split('\t')),
      [
        ['Resposta', 'Casos', 'Dos que têm resposta', 'Confirmado', 'Em investigação', 'Inconclusivo'].concat(
          'Descartado',
        ),
        ['Sim', '900', '90 %', '450', '449', '1', '0'],
        ['Não', '100', '10 %', '50', '49', '1', '0'],
        ['Sem informação', '200', '–', '–', '–', '–', '–'],
      ],
    )
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Baixar CSV' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'tabela-febre.csv')
  })

  it('offer what the service counts: few answers, not sealed, not in a column', async () => {
    await using visited = await visit(OF_PE, { answers: ALL, at: AT })
    const field = visited.page.getByLabel('Pergunta da ficha')
    await field.waitFor()
    const offered = await field.locator('option').evaluateAll((all) => all.map((one) => one.textContent))
    for (const name of ['Febre', 'Vacinado contra dengue', 'Doses recebidas', 'Sorotipo'])
      assert.ok(offered.includes(name), name)
    for (const name of ['Reação à vacina', 'Contato informado', 'Sexo', 'Plaquetas'])
      assert.ok(!offered.includes(name), name)
  })

  it('change question and disease by the address', async () => {
    const malaria = 'GET /api/v1/agravos/tipos/zika/formulario'
    const answers = { ...ALL, [malaria]: { body: formularioOf(MALARIA, words) } }
    await using visited = await visit(OF_PE, { answers, at: AT })
    const { page } = visited
    await page.getByLabel('Pergunta da ficha').selectOption('Vacinado contra dengue')
    await page.waitForURL('**/tabelas?uf=PE&campo=vacinado')
    await page.goBack()
    await page.waitForURL('**/tabelas?uf=PE&campo=febre')
    await page.getByRole('button', { name: 'Agravo' }).click()
    await page.getByRole('radio', { name: 'Zika' }).click()
    await page.waitForURL('**/tabelas?agravo=zika&uf=PE')
  })

  it('lead from an answer to its cases where lists can be filtered by it', async () => {
    const answers = { ...ALL, [FREQUENCIAS]: answered('vacinado', [valor('true', 31), valor('false', 0)]) }
    const path = '/tabelas?uf=PE&campo=vacinado'
    await using visited = await visit(path, { answers, at: AT })
    const link = visited.page.getByRole('link', { name: '31', exact: true })
    assert.equal(await link.getAttribute('href'), '/casos?agravo=dengue&uf=PE&especifico.vacinado=true')
    assert.equal(await visited.page.locator('.chart-table td a').count(), 1)
    await using other = await visit(path, {
      answers: { ...answers, ...me(['agravos.estatisticas']) },
      at: AT,
    })
    await other.page.getByText('31', { exact: true }).waitFor()
    assert.equal(await other.page.locator('.chart-table td a').count(), 0)
  })

  it('name a question that the form does not have', async () => {
    await using visited = await visit('/tabelas?campo=humor', { answers: ALL, at: AT })
    await visited.page.getByText(/ficaram de fora: campo=humor\./).waitFor()
    await visited.page.getByText('900').waitFor()
  })
})
