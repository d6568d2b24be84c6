import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { problems } from '../refusals.ts'
import { consultaApp } from './casos-consulta-app.ts'

const { t, vigilante, identificador, newCaso, read } = await consultaApp()
after(() => t.close())

for (const [i, data_inicio_sintomas] of ['2024-01-04', '2023-12-29', null, '2024-01-01'].entries())
  await newCaso({
    data_inicio_sintomas,
    data_notificacao: `2024-01-${10 + i}`,
    bairro_residencia: 'Boa Viagem',
    paciente_idade: 30 + i,
    dados_especificos: { febre: true },
    unidade_notificante: { nome: 'UBS Central', cnes: '0012345' },
  })

type Caso = Record<string, unknown>
const LISTA = '/agravos/casos'
const whole: Caso[] = (await read(LISTA)).tipos
const casosOf = async (campos: string, query: Record<string, string> = {}): Promise<Caso[]> =>
  (await read(LISTA, { campos, ...query })).tipos
/** Paths of members, groups opened; `dados_especificos` is one member. */
const pathsOf = (caso: Caso): string[] =>
  Object.entries(caso).flatMap(([key, value]) =>
    ['paciente', 'endereco', 'unidade_notificante'].includes(key)
      ? Object.keys(value as object).map((leaf) => `${key}.${leaf}`)
      : [key],
  )
const at = (caso: Caso, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Caso)[key], caso)

describe('GET /agravos/casos?campos=', () => {
  it('answers these members alone, with the id, in the order and with the values of the whole answer', async () => {
    const casos = await casosOf('paciente.idade, status,numero_notificacao')
    assert.deepEqual(
      casos,
      whole.map(({ id, numero_notificacao, paciente, status }) => ({
        id,
        numero_notificacao,
        paciente: { idade: (paciente as Caso).idade },
        status,
      })),
    )
    assert.equal(Object.keys(casos[0] as Caso).join(), 'id,numero_notificacao,paciente,status')
  })

  it('takes every member of the list by itself, a group for all of its own, and all together', async () => {
    const paths = pathsOf(whole[0] as Caso)
    assert.ok(paths.includes('unidade_notificante.nome') && paths.includes('dados_especificos'))
    for (const path of paths) {
      const casos = await casosOf(path)
      assert.deepEqual(pathsOf(casos[0] as Caso), path === 'id' ? ['id'] : ['id', path])
      for (const [i, caso] of casos.entries()) assert.deepEqual(at(caso, path), at(whole[i] as Caso, path))
    }
    const [grouped] = await casosOf('endereco,unidade_notificante')
    const { id, endereco, unidade_notificante } = whole[0] as Caso
    assert.deepEqual(grouped, { id, endereco, unidade_notificante })
    assert.deepEqual(await casosOf(paths.join()), whole)
  })

  it('keeps filters, order, total and the parameter in the links to other pages', async () => {
    const body = await read(LISTA, { campos: 'status', size: '1', page: '2', sort: 'idade' })
    assert.deepEqual([body.total, body.pages, body.page], [4, 4, 2])
    assert.deepEqual(Object.keys(body.tipos[0]), ['id', 'status'])
    assert.match(body.links.next, /campos=status/)
    // Beyond the pages that the index of days reads by itself, the same members come another way.
    assert.deepEqual(await casosOf('status', { 'idade[gte]': '33' }), [
      { id: (whole[0] as Caso).id, status: (whole[0] as Caso).status },
    ])
  })

  it('shows nobody more than the whole answer does: the name stays initials, also for those who may identify', async () => {
    const [caso] = (await read(LISTA, { campos: 'paciente.nome' }, identificador)).tipos
    assert.deepEqual(caso.paciente, { nome: 'M. S. S.' })
  })

  for (const [campos, code, detail] of [
    ['numero_notificacao,cpf,paciente.mae', 'UNKNOWN', /cpf, paciente\.mae/],
    ['paciente.data_nascimento', 'UNKNOWN', /paciente\.data_nascimento/],
    ['versao', 'UNKNOWN', /versao/],
    ['toString', 'UNKNOWN', /toString/],
    ['', 'REQUIRED', /./],
    [' , ', 'REQUIRED', /./],
  ] as const)
    it(`refuses "${campos}", naming what does not exist`, async () => {
      const answer = await t.as(vigilante).get(`${LISTA}?${new URLSearchParams({ campos })}`)
      assert.equal(answer.status, 422)
      assert.deepEqual(problems(answer.body.error.details), [`campos ${code}`])
      assert.match(answer.text, detail)
    })
})

describe('Orders by week', () => {
  const weeks = async (sort: string, order: string) =>
    (await casosOf(sort, { sort, order })).map((caso) => caso[sort])

  it('follow the weeks of onset, cases without one last', async () => {
    const field = 'semana_epidemiologica_sintomas'
    assert.deepEqual(await weeks(field, 'asc'), ['202352', '202401', '202401', null])
    assert.deepEqual(await weeks(field, 'desc'), ['202401', '202401', '202352', null])
  })

  it('follow the weeks of notification', async () => {
    assert.deepEqual(await weeks('semana_epidemiologica', 'asc'), ['202402', '202402', '202402', '202402'])
    assert.deepEqual(
      await casosOf('id', { sort: 'semana_epidemiologica', order: 'desc' }),
      await casosOf('id'),
    )
  })
})
