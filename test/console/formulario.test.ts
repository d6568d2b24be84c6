import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import {
  type Answer,
  consoleVisits,
  perfil,
  READER,
  reconnect,
  refusal,
  untilFocused,
  type Visit,
} from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'
import {
  ALTERAR,
  CASO,
  CRIAR,
  detalhe,
  EDITOR,
  fillRequired,
  lista,
  RASCUNHO,
  RASCUNHOS,
  rascunho,
  UUID,
  VERIFICAR,
  verificado,
} from './formulario-answers.ts'

const NOVO = '/casos/novo'
const EDITAR = '/casos/7/editar'
const FOUND = rascunho('99999999-2222-4333-8444-555555555555')

const save = (page: Page) => page.getByRole('button', { name: 'Salvar', exact: true }).click()
const field = (page: Page, name: string) => page.getByRole('textbox', { name })

const DUPLICATE = {
  id: 5,
  numero_notificacao: '4418823',
  data_notificacao: '2026-03-12',
  motivo: 'numero_e_data',
}
const CHANGED = detalhe({ bairro_residencia: 'Boa Viagem', evolucao: 'cura' }, 4)
const PROBLEMS = {
  details: [
    { field: 'numero_notificacao', message: 'Já está em uso', code: 'DUPLICATE' },
    {
      field: 'dados_laboratoriais.plaquetas',
      message: 'Incompatível com data_notificacao',
      code: 'INCONSISTENT',
    },
  ],
}

const VIEWS: View[] = [
  {
    name: 'ficha-tudo',
    picture: true,
    path: NOVO,
    answers: { ...EDITOR, [RASCUNHOS]: lista(FOUND), [VERIFICAR]: verificado([DUPLICATE], true) },
    async act(page) {
      await fillRequired(page)
      for (const name of ['Hospitalização', 'Sinais de alarme', 'Esteve em UTI', 'Gestante'])
        await page.getByRole('radiogroup', { name }).getByRole('radio', { name: 'Sim' }).check()
      await page.getByLabel('Evolução').selectOption('obito')
      await page.getByLabel('NS1', { exact: true }).selectOption('positivo')
      await page.getByLabel('Taquicardia').check()
      await page.getByRole('button', { name: 'Acrescentar lugar' }).click()
      await page.getByText('Parece com outro caso').first().waitFor()
    },
    seen: 'Rascunhos que você deixou',
  },
  {
    name: 'ficha-problemas',
    picture: true,
    path: NOVO,
    answers: EDITOR,
    act: save,
    seen: 'Falta corrigir 6 campos',
  },
  {
    name: 'ficha-recusada',
    path: `${NOVO}?rascunho=${UUID}`,
    answers: {
      ...EDITOR,
      [`GET ${RASCUNHO}`]: refusal(404, 'NOT_FOUND'),
      [CRIAR]: refusal(403, 'OUT_OF_TERRITORY'),
    },
    async act(page) {
      await page.getByText('Este rascunho não existe mais').waitFor()
      await fillRequired(page)
      await save(page)
    },
    seen: /O caso não foi salvo. mensagem OUT_OF_TERRITORY/,
  },
  {
    name: 'ficha-editar',
    picture: true,
    path: EDITAR,
    answers: { ...EDITOR, [RASCUNHOS]: lista(rascunho(UUID, 7)) },
    seen: /Guardado: M. S./,
  },
  {
    name: 'ficha-conflito',
    picture: true,
    path: EDITAR,
    answers: { ...EDITOR, [CASO]: [detalhe(), CHANGED], [ALTERAR]: refusal(409, 'CONFLICT') },
    async act(page) {
      await field(page, 'Bairro').fill('Encruzilhada')
      await save(page)
    },
    seen: /Bia Reis salvou outra versão/,
  },
  {
    name: 'ficha-sem-caso',
    path: EDITAR,
    answers: { ...EDITOR, [CASO]: refusal(404, 'NOT_FOUND') },
    seen: 'Este caso não existe',
  },
  {
    name: 'ficha-erro',
    path: EDITAR,
    answers: { ...EDITOR, [CASO]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
  { name: 'ficha-sem-acesso', path: NOVO, answers: READER, seen: 'Sem acesso' },
]

const asked = ({ asked }: Visit, name: string) => asked.filter((one) => one.name === name)

describe('The case form', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('takes codes of the paper form and dates by keys, and shows what follows', async () => {
    await using visited = await visit(NOVO, { answers: EDITOR })
    const { page } = visited
    await page.getByLabel('Agravo').focus()
    await page.keyboard.type('Chik')
    await page.keyboard.press('Tab')
    await page.keyboard.type('9-A')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowUp')
    const today = await field(page, 'Data da notificação').inputValue()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    assert.equal(await field(page, 'Data da notificação').inputValue(), today)
    await page.keyboard.press('Tab')
    await page.keyboard.type('08032026')
    await page.keyboard.press('Tab')
    assert.equal(await field(page, 'Início dos sintomas').inputValue(), '08/03/2026')
    await page.getByText('SE 10/2026').waitFor()
    await field(page, 'Data de nascimento').fill('31129999')
    await page.keyboard.press('Tab')
    await page.getByText('Está no futuro.').waitFor()
    await field(page, 'Data de nascimento').fill('20051990')
    await page.getByText('Está no futuro.').waitFor({ state: 'detached' })
    await page.getByText('35 anos').waitFor()
    await page.getByLabel('Sexo').focus()
    await page.keyboard.type('M')
    assert.equal(await page.getByRole('radiogroup', { name: 'Gestante' }).count(), 0)
    await page.getByLabel('Sexo').selectOption('F')
    await page.getByRole('radiogroup', { name: 'Gestante' }).waitFor()
    const febre = page.getByRole('radiogroup', { name: 'Febre' })
    await febre.getByRole('radio').first().focus()
    for (const [key, name] of [
      ['1', 'Sim'],
      ['2', 'Não'],
      ['9', 'Ignorado'],
    ] as const) {
      await page.keyboard.press(key)
      assert.equal(await febre.getByRole('radio', { name }).isChecked(), true)
    }
    await page.keyboard.press('Delete')
    assert.equal(await febre.getByRole('radio', { checked: true }).count(), 0)
    assert.equal(await page.getByLabel('Apresentação clínica').count(), 1, 'chikungunya has its form')
    assert.equal(await page.getByText('Dengue grave').count(), 0, 'and nothing of dengue alone')
    await page.getByLabel('Raça/cor').focus()
    await page.keyboard.type('4')
    assert.equal(await page.getByLabel('Raça/cor').inputValue(), 'parda')
  })

  it('puts problems of the service on their fields, with a focused summary that leads to them', async () => {
    await using visited = await visit(NOVO, {
      answers: { ...EDITOR, [CRIAR]: refusal(422, 'VALIDATION_ERROR', PROBLEMS) },
    })
    const { page } = visited
    await fillRequired(page)
    await save(page)
    await page.getByRole('alert').getByText('Falta corrigir 2 campos').waitFor()
    await untilFocused(page, 'className', 'problem-summary')
    assert.equal(
      await page.getByText('Incompatível com Data da notificação').count(),
      2,
      'in the words of the form',
    )
    assert.match(await page.getByRole('navigation', { name: 'Seções' }).innerText(), /Laboratório\s+1/)
    await page.getByRole('alert').getByRole('link', { name: 'Nº da notificação' }).click()
    await untilFocused(page, 'id', 'campo-numero_notificacao')
    await page.keyboard.type('1')
    await page.getByText('Falta corrigir 1 campo').waitFor()
  })

  it('tells the problems of fields that are not seen, too, whether others are seen or none', async () => {
    const hidden = { field: 'outro.membro', message: 'Não é aceito aqui', code: 'UNKNOWN' }
    for (const details of [[hidden], [hidden, PROBLEMS.details[0]]]) {
      const answers = { ...EDITOR, [CRIAR]: refusal(422, 'VALIDATION_ERROR', { details }) }
      await using visited = await visit(NOVO, { answers })
      const { page } = visited
      await fillRequired(page)
      await save(page)
      await page.getByText('outro.membro: Não é aceito aqui.').waitFor()
      const isAlone = details.length === 1
      const summary = page.locator('.problem-summary', { hasText: 'Falta corrigir 1 campo' })
      assert.equal(await summary.count(), isAlone ? 0 : 1)
      assert.equal(await page.getByText(/O caso não foi salvo/).count(), isAlone ? 1 : 0)
    }
  })

  it('loses nothing in a network cut, and registers once', async () => {
    await using visited = await visit(NOVO, { answers: EDITOR, alone: true })
    const { page, answers } = visited
    await page.route('**/api/v1/rascunhos/*', (route) => route.abort())
    answers[CRIAR] = { cut: true }
    await fillRequired(page)
    await save(page)
    await page.getByText(/O caso não foi salvo\. O serviço não respondeu/).waitFor()
    await page.getByText('Rascunho ainda não salvo').waitFor()
    await page.getByText(/Sem conexão desde/).waitFor()
    const warns = `(() => { const event = new Event('beforeunload', { cancelable: true }); dispatchEvent(event); return event.defaultPrevented })()`
    assert.equal(await page.evaluate(warns), true, 'closing the tab warns')
    assert.equal(await field(page, 'Nome do paciente').inputValue(), 'Maria Plantada')
    answers[CRIAR] = [
      refusal(429, 'RATE_LIMITED', {}, { 'retry-after': '3' }),
      refusal(503, 'UNAVAILABLE', {}, { 'retry-after': '1' }),
      refusal(401, 'UNAUTHORIZED'),
      EDITOR[CRIAR] as object,
    ]
    answers['POST /api/v1/auth/sessao'] = { body: {} }
    await page.getByRole('button', { name: 'Sem conexão; aguardando' }).first().waitFor()
    await page.keyboard.press('Control+s')
    assert.equal(asked(visited, CRIAR).length, 3, 'nothing is sent without a connection, by keys neither')
    await reconnect(visited)
    await save(page)
    await page.getByText(/Muitas consultas; volto em/).waitFor()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Senha', { exact: true }).fill('Segredo#2026')
    assert.equal(await field(page, 'Nome do paciente').inputValue(), 'Maria Plantada')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/casos/7')
    const sent = asked(visited, CRIAR)
    assert.equal(sent.length, 7, 'three that were cut, then one for each answer')
    assert.equal(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size, 1)
    assert.equal(await page.evaluate(warns), false, 'nothing is left to lose')
    const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')
    assert.doesNotMatch(stored as string, /Plantada|4418823/)
  })

  it('saves a draft two seconds after the last key, finds it again, and removes it once sent', async () => {
    await using visited = await visit(NOVO, { answers: { ...EDITOR, [RASCUNHOS]: lista(FOUND) } })
    const { page, answers } = visited
    await field(page, 'Data da notificação').fill('120')
    await field(page, 'Nome do paciente').pressSequentially('Maria Plantada')
    await page.getByText(/Rascunho salvo \d\d:\d\d/).waitFor()
    const saves = () => visited.asked.filter(({ name }) => name.startsWith('PUT /api/v1/rascunhos/'))
    const saved = await eventually(() => {
      const [last] = saves().slice(-1)
      assert.match(JSON.stringify(last?.body), /Maria Plantada/)
      return last as NonNullable<typeof last>
    })
    assert.ok(saves().length < 'Maria Plantada'.length / 2, 'not for each key')
    assert.deepEqual(saved.body, {
      conteudo: { campos: { data_notificacao: '120', paciente_nome: 'Maria Plantada' } },
      caso_id: null,
    })
    const uuid = saved.name.split('/').at(-1)
    assert.equal(page.url(), `${visited.origin}${NOVO}?rascunho=${uuid}`)
    answers[`GET /api/v1/rascunhos/${uuid}`] = {
      body: rascunho(uuid as string, null, (saved.body as { conteudo: object }).conteudo),
    }

    await page.reload()
    await page.getByText(/Você continua o rascunho de/).waitFor()
    assert.equal(await field(page, 'Data da notificação').inputValue(), '120', 'half a date too')
    assert.equal(await field(page, 'Nome do paciente').inputValue(), 'Maria Plantada')
    await fillRequired(page)
    await page.getByRole('button', { name: 'Salvar e registrar outro' }).click()
    await page.getByText('Notificação 4418823 registrada.').waitFor()
    assert.equal(asked(visited, `DELETE /api/v1/rascunhos/${uuid}`).length, 1)
    assert.equal(page.url(), `${visited.origin}${NOVO}`)
    await untilFocused(page, 'id', 'campo-numero_notificacao')
    assert.equal(await field(page, 'Data da notificação').inputValue(), '12/03/2026')
    assert.equal(await page.getByRole('combobox', { name: 'Município de residência' }).inputValue(), 'Recife')
    assert.equal(await field(page, 'Nome do paciente').inputValue(), '')

    await page.getByRole('button', { name: 'Descartar' }).click()
    await page.getByText('Rascunhos que você deixou').waitFor({ state: 'detached' })
  })

  it('keeps a municipality that was typed and left before the answer came', async () => {
    let release = () => {}
    const late = new Promise<void>((resolve) => {
      release = resolve
    })
    const TERRITORIOS = 'GET /api/v1/territorios'
    await using visited = await visit(NOVO, {
      answers: { ...EDITOR, [TERRITORIOS]: { ...(EDITOR[TERRITORIOS] as Answer), after: late } },
    })
    const { page } = visited
    const residencia = page.getByRole('combobox', { name: 'Município de residência' })
    const notificacao = page.getByRole('combobox', { name: 'Município da notificação' })
    const infeccao = page.getByRole('combobox', { name: 'Município provável da infecção' })
    for (const [municipio, text] of [
      [residencia, 'récife'],
      [notificacao, 'Recifezinho'],
      [infeccao, 'i'],
    ] as const) {
      await municipio.fill(text)
      await municipio.press('Tab')
      assert.equal(await municipio.inputValue(), text)
    }
    release()
    await eventually(async () => assert.equal(await residencia.inputValue(), 'Recife'))
    assert.equal(await page.getByLabel('UF de residência').inputValue(), 'PE')
    await page.getByText('“Recifezinho” não é um município conhecido.').waitFor()
    assert.deepEqual([await notificacao.inputValue(), await infeccao.inputValue()], ['Recifezinho', 'i'])
    await save(page)
    await page.getByRole('alert').getByRole('link', { name: 'Município da notificação' }).waitFor()
    assert.deepEqual(asked(visited, CRIAR), [])
  })

  it('erases what is stored and not seen here only for those who may see it, and keeps drafts without the right to register', async () => {
    const answers = {
      ...EDITOR,
      'GET /api/v1/usuarios/me': perfil(['agravos.listar', 'agravos.editar', 'agravos.identificar']),
      [ALTERAR]: { body: { id: 7, message: '', atualizado_em: '', campos_alterados: [] } },
    }
    await using visited = await visit(EDITAR, { answers })
    const { page } = visited
    await page.getByRole('button', { name: 'Apagar o que está guardado em CEP' }).click()
    await page.getByRole('button', { name: 'Apagar o que está guardado em Logradouro' }).click()
    await page.getByRole('button', { name: 'Não apagar Logradouro' }).click()
    await page.getByText('Será apagado ao salvar.').waitFor()
    assert.equal(await page.getByRole('button', { name: /guardado em Nome/ }).count(), 0, 'a case has a name')
    await page.getByText(/Rascunho salvo/).waitFor()
    const draft = visited.asked.findLast(({ name }) => name.startsWith('PUT /api/v1/rascunhos/'))
    assert.match(JSON.stringify(draft?.body), /"apagar":\["cep_residencia"\]/)
    await save(page)
    await page.waitForURL('**/casos/7')
    assert.deepEqual(asked(visited, ALTERAR)[0]?.body, { cep_residencia: null })
    await using other = await visit(EDITAR, { answers: EDITOR })
    await field(other.page, 'CEP').waitFor()
    assert.equal(await other.page.getByRole('button', { name: /^Apagar/ }).count(), 0)
  })

  it('sends what changed over the version it was read in; after 409 what was chosen, over the new one', async () => {
    await using visited = await visit(EDITAR, {
      answers: {
        ...EDITOR,
        [CASO]: [detalhe(), CHANGED],
        [ALTERAR]: [
          refusal(409, 'CONFLICT'),
          { body: { id: 7, message: '', atualizado_em: '', campos_alterados: [] } },
        ],
      },
    })
    const { page } = visited
    await save(page)
    await page.getByText('Nada mudou').waitFor()
    await field(page, 'Bairro').fill('Encruzilhada')
    await page.getByLabel('Zona').selectOption('rural')
    await save(page)
    const dialog = page.getByRole('dialog')
    const choice = dialog.getByRole('group', { name: 'Bairro' })
    assert.match(await choice.innerText(), /Era: Pina\s+O seu\s+Encruzilhada\s+O que está salvo\s+Boa Viagem/)
    assert.match(await dialog.innerText(), /Evolução: Cura/)
    await choice.getByText('Boa Viagem').click()
    await dialog.getByRole('button', { name: 'Salvar com estas escolhas' }).click()
    await page.waitForURL('**/casos/7')
    assert.deepEqual(
      asked(visited, ALTERAR).map(({ headers, body }) => [headers['if-match'], body]),
      [
        ['"3"', { bairro_residencia: 'Encruzilhada', zona_residencia: 'rural' }],
        ['"4"', { zona_residencia: 'rural' }],
      ],
    )
  })
})
