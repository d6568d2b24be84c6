import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { verifyContagens } from '../../../src/domain/casos/counters/counters.ts'
import { testApp } from '../../harness/app.ts'
import { eventually } from '../../harness/eventually.ts'

/**
 * Random sequences of definition changes and case writes: no stored case becomes unreadable, no value is lost, and the history tells
 * each. The model beside the service is the last value written to each field. `PROPERTY_RUNS` asks for more sequences than a test
 * run should take, `PROPERTY_SEED` for others.
 */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 12)
const SEED = Number(process.env.PROPERTY_SEED ?? 28)

// Each change of a definition is another OpenAPI document, whose checks are most of the time: the sequences of a test run have them.
const t = await testApp({ checked: process.env.PROPERTY_RUNS === undefined })
after(() => t.close())
const admin = await t.person({ admin: true })

interface Field {
  nome: string
  tipo: 'bool' | 'opcao' | 'inteiro' | 'texto'
  ativo: boolean
  obrigatorio: boolean
  maximo: number
  opcoes: { codigo: string; rotulo: string; ativo: boolean; sinan: string[] }[]
}

const TIPOS = ['bool', 'opcao', 'inteiro', 'texto'] as const
const opcao = (n: number) => ({ codigo: `o${n}`, rotulo: `Opção ${n}`, ativo: true, sinan: [] })
const fieldOf = (n: number): Field => {
  const tipo = TIPOS[n % TIPOS.length] as Field['tipo']
  return {
    ...{ nome: `campo_${n}`, tipo, ativo: true, obrigatorio: false, maximo: 100 },
    opcoes: tipo === 'opcao' ? [opcao(1), opcao(2)] : [],
  }
}

const definicaoOf = (codigo: string, campos: readonly Field[]) => ({
  ...{ codigo, nome: codigo, descricao: 'Gerada', cid10_codes: ['R05'], fonte: 'Teste' },
  ...{ notificacao_obrigatoria: false, notificacao_imediata: false, prazo_encerramento_dias: 30 },
  ...{ data_de_inicio: 'sintomas', blocos: ['notificacao', 'paciente', 'residencia', 'conclusao'] },
  sinan: { agravos: [], prefixos: [] },
  classificacoes: [{ codigo: 'confirmado', sinan: [] }],
  ...{ criterios: [], evolucoes: [] },
  campos: campos.map(({ nome, tipo, ativo, obrigatorio, maximo, opcoes }) => ({
    ...{ nome, rotulo: nome, tipo, grupo: 'Campos', sinan: [], ativo, obrigatorio },
    ...(tipo === 'opcao' && { opcoes }),
    ...(tipo === 'inteiro' && { minimo: 0, maximo }),
    // Every second text is sealed.
    ...(tipo === 'texto' && { max: 40, sigiloso: Number(nome.slice(6)) % 8 === 3 }),
  })),
})

type Step =
  | { kind: 'add' | 'option' | 'require'; n: number }
  | { kind: 'retire' | 'narrow' | 'retireOption'; n: number }
  | { kind: 'create' | 'change'; n: number; values: number[] }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('add', 'option', 'require', 'retire', 'narrow', 'retireOption'),
    n: fc.nat(30),
  }) as fc.Arbitrary<Step>,
  fc.record({
    kind: fc.constantFrom('create', 'change'),
    n: fc.nat(30),
    values: fc.array(fc.nat(200), { minLength: 1, maxLength: 6 }),
  }) as fc.Arbitrary<Step>,
)

let made = 0
const place = { municipio_residencia: 'Recife', estado_residencia: 'PE' }

/** A value that the field takes today; undefined where there is none. */
function valueFor({ tipo, ativo, maximo, opcoes }: Field, n: number): unknown {
  if (!ativo) return undefined
  if (tipo === 'bool') return n % 2 === 0
  if (tipo === 'inteiro') return n % (maximo + 1)
  if (tipo === 'texto') return `texto ${n}`
  const open = opcoes.filter((one) => one.ativo)
  return open.length === 0 ? undefined : open[n % open.length]?.codigo
}

async function play(steps: readonly Step[]): Promise<void> {
  const codigo = `gerada_${++made}`
  const campos: Field[] = [fieldOf(0), fieldOf(1)]
  const stored = new Map<number, Record<string, unknown>>()
  const put = async () => {
    const answer = await t
      .as(admin)
      .put(`/agravos/tipos/${codigo}`, { ...definicaoOf(codigo, campos), ativar: true })
    assert.equal(answer.status, 200, answer.text)
  }
  const created = await t.as(admin).post('/agravos/tipos', { ...definicaoOf(codigo, campos), ativar: true })
  assert.equal(created.status, 201, created.text)
  for (const one of steps) await take(one)
  for (const [id, values] of stored) await assertKept(id, values)
  // Of those that take cases there are at most 200.
  await t.as(admin).post(`/agravos/tipos/${codigo}/desativar`)

  async function take({ kind, n, ...rest }: Step): Promise<void> {
    const field = campos[n % campos.length] as Field
    if (kind === 'create' || kind === 'change') return write(kind, n, (rest as { values: number[] }).values)
    if (kind === 'add') campos.push(fieldOf(campos.length))
    else if (kind === 'option' && field.tipo === 'opcao') field.opcoes.push(opcao(field.opcoes.length + 1))
    else if (kind === 'retireOption' && field.opcoes[0]) field.opcoes[0].ativo = false
    else if (kind === 'require') field.obrigatorio = field.ativo && !field.obrigatorio
    else if (kind === 'narrow') field.maximo = Math.max(1, field.maximo - 30)
    else if (kind === 'retire') Object.assign(field, { ativo: false, obrigatorio: false })
    else return
    await put()
  }

  async function write(kind: 'create' | 'change', n: number, numbers: readonly number[]): Promise<void> {
    const chosen = numbers.map((number) => campos[number % campos.length] as Field)
    const wanted = [...chosen, ...campos.filter(({ obrigatorio }) => obrigatorio)]
    const values = Object.fromEntries(
      wanted.flatMap((field) => {
        const value = valueFor(field, n + field.nome.length)
        return value === undefined ? [] : [[field.nome, value]]
      }),
    )
    const ids = [...stored.keys()]
    const id = ids[n % Math.max(1, ids.length)]
    if (kind === 'create' || id === undefined) {
      const { status, body, text } = await t.as(admin).post('/agravos/casos', {
        ...{ tipo_agravo: codigo, numero_notificacao: `${codigo}-${stored.size}`, ...place },
        ...{ data_notificacao: '2024-04-25', paciente_nome: 'Joana Teste', dados_especificos: values },
      })
      if (status === 422) return assertAnswerable(text)
      assert.equal(status, 201, text)
      stored.set(body.id, values)
      return
    }
    const { status, text } = await t.as(admin).put(`/agravos/casos/${id}`, { dados_especificos: values })
    assert.equal(status, 200, text)
    stored.set(id, { ...stored.get(id), ...values })
  }

  /** Only where a required field has no option left. */
  function assertAnswerable(text: string): void {
    assert.ok(
      campos.some((field) => field.obrigatorio && valueFor(field, 0) === undefined),
      text,
    )
  }
}

async function assertKept(id: number, values: Record<string, unknown>): Promise<void> {
  const { body, status } = await t.as(admin).get(`/agravos/casos/${id}?identificado=true`)
  assert.equal(status, 200)
  const { data_digitacao: _, ...own } = body.dados_especificos
  assert.deepEqual(own, values)
  const { body: history } = await t.as(admin).get(`/agravos/casos/${id}/historico?identificado=true&size=100`)
  const said: Record<string, unknown> = {}
  for (const { detalhes } of history.items.toReversed())
    for (const { campo, novo } of detalhes.alteracoes ?? []) said[campo] = novo
  for (const [campo, novo] of Object.entries(said))
    assert.deepEqual(values[campo.replace('dados_especificos.', '')], novo, campo)
}

describe('Versions of a definition', () => {
  it('lose no value and leave no case unreadable, whatever the order of changes and writes', async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), play)
    await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: true })
    assert.deepEqual(await verifyContagens(t.database.pool), [])
  })

  it('are seen by another instance at once', async () => {
    const other = await testApp({ database: t.database, dataKey: t.dataKey })
    try {
      await t.as(admin).post('/agravos/tipos', { modelo: 'hanseniase', ativar: true })
      const tipos = () => other.app.agravos.vigentes().codigos
      await eventually(() => assert.ok(tipos().includes('hanseniase')))
      await t.as(admin).delete('/agravos/tipos/hanseniase')
      await eventually(() => assert.ok(!tipos().includes('hanseniase')))
    } finally {
      await other.server.close()
    }
  })
})
