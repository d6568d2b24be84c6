import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CONHECIDOS } from '../../../../src/domain/casos/agravos/conhecidos.ts'
import { LIMITES } from '../../../../src/domain/casos/agravos/definicao.ts'
import { canonical } from '../../../../src/domain/casos/agravos/ler.ts'
import { MODELOS } from '../../../../src/domain/casos/agravos/modelos.ts'
import { FIELD_NAMES, leafOf } from '../../../../src/domain/casos/campos.ts'
import { CAMPOS, definicaoOf, indexOf, type Json, ler, PEQUENA, proprioOf, withValue } from './definicoes.ts'

const told = (json: unknown) => ler(json).problems.map(({ path, code }) => `${path.join('.')} ${code}`)

/** Path with the name of a field in place of its index. */
const at = (path: string) =>
  path.replace(/^campos\.([a-z_]+)/, (_, nome: string) => `campos.${nome === 'febre' ? 0 : indexOf(nome)}`)

const refuses = (path: string, value: unknown, ...expected: string[]) => {
  const problems = told(withValue(PEQUENA, at(path), value))
  assert.deepEqual(problems, expected.map(at), `${path} = ${JSON.stringify(value)}`)
}

const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i))
const campo = (more: Json): Json => ({ nome: 'novo', rotulo: 'Novo', tipo: 'bool', grupo: 'Outros', ...more })
const withCampo = (more: Json) => ({ ...PEQUENA, campos: [...CAMPOS, campo(more)] })
/** Problems of a field that stands last, by the path inside it. */
const refusesCampo = (more: Json, ...expected: string[]) =>
  assert.deepEqual(
    told(withCampo(more)),
    expected.map((one) => `campos.${CAMPOS.length}.${one}`),
    JSON.stringify(more),
  )

describe('a definition as JSON', () => {
  it('is read with every default', () => {
    const definicao = definicaoOf(PEQUENA)
    assert.deepEqual(
      [definicao.descricao, definicao.fonte, definicao.layouts, definicao.prazo_encerramento_dias],
      ['', '', [], 60],
    )
    assert.deepEqual(definicao.epidemiologia, { curva: true, alertas: false, intervalo_geracao: null })
    assert.deepEqual([definicao.notificacao_obrigatoria, definicao.notificacao_imediata], [true, false])
    assert.equal(definicao.data_de_inicio, 'sintomas')
    assert.deepEqual(proprioOf(definicao, 'vacinado'), {
      nome: 'vacinado',
      rotulo: 'Vacinado',
      tipo: 'bool',
      grupo: 'Vacina',
      sinan: ['VACINADO'],
      opcoes: [],
      obrigatorio: false,
      obrigatorio_quando_modo: 'todos',
      mostrar_quando_modo: 'todos',
      sigiloso: false,
      filtravel: true,
      ativo: true,
    })
    assert.equal(proprioOf(definicao, 'obs').sigiloso, true)
    assert.equal(proprioOf(definicao, 'lote').sigiloso, false)
    assert.equal(proprioOf(definicao, 'lote').max, LIMITES.texto)
    assert.equal(proprioOf(definicao, 'exame').opcoes[0]?.ativo, true)
    assert.deepEqual(definicao.evolucoes[1], {
      codigo: 'mudanca_diagnostico',
      sinan: ['5'],
      classificacao: 'descartado',
    })
  })

  it('is the same when it is read again, whatever the order of its keys', () => {
    for (const definicao of [definicaoOf(PEQUENA), ...CONHECIDOS, ...MODELOS]) {
      const again = ler(JSON.parse(JSON.stringify(definicao)), [])
      assert.deepEqual(again, { definicao, problems: [] })
      const reversed = Object.fromEntries(Object.entries(definicao).toReversed())
      assert.equal(canonical(ler(reversed, []).definicao), canonical(definicao))
    }
  })

  it('takes null for an absent key, and adds the blocks that every disease has', () => {
    const { definicao, problems } = ler({ ...PEQUENA, fonte: null, layouts: null, blocos: ['gestacao'] })
    assert.deepEqual(problems, [])
    assert.deepEqual(definicao.blocos, ['gestacao', 'notificacao', 'paciente', 'residencia', 'conclusao'])
  })

  it('names what is missing', () => {
    assert.deepEqual(told({}), [
      'codigo REQUIRED',
      'nome REQUIRED',
      'cid10_codes REQUIRED',
      'classificacoes REQUIRED',
      'criterios REQUIRED',
      'evolucoes REQUIRED',
    ])
    refusesCampo(
      { rotulo: undefined, tipo: undefined, grupo: undefined, nome: undefined },
      'nome REQUIRED',
      'tipo REQUIRED',
      'rotulo REQUIRED',
      'grupo REQUIRED',
    )
  })

  it('refuses what is no definition', () => {
    for (const json of [null, undefined, 1, 'x', true, [], [PEQUENA]])
      assert.deepEqual(told(json)[0], ' INVALID_TYPE')
  })

  it('refuses unknown keys everywhere', () => {
    for (const path of [
      'extra',
      'sinan.extra',
      'classificacoes.0.extra',
      'criterios.0.grave',
      'evolucoes.0.extra',
      'campos.febre.grupo',
      'campos.exame.extra',
      'campos.exame.opcoes.0.extra',
      'campos.data_dose.mostrar_quando.0.extra',
    ])
      refuses(path, 'x', `${path} UNKNOWN_FIELD`)
    refuses('epidemiologia', { extra: 1 }, 'epidemiologia.extra UNKNOWN_FIELD')
    refuses(
      'layouts',
      [{ nome: 'x', reconhecer: ['A'], colunas: [{ coluna: 'A', campo: 'obs', le: 'texto', x: 1 }], y: 1 }],
      'layouts.0.y UNKNOWN_FIELD',
      'layouts.0.colunas.0.x UNKNOWN_FIELD',
    )
    assert.deepEqual(told(JSON.parse(`{"__proto__": {"codigo": "x"}, ${JSON.stringify(PEQUENA).slice(1)}`)), [
      '__proto__ UNKNOWN_FIELD',
    ])
  })

  it('checks the head', () => {
    for (const codigo of ['X', 'a', '1a', 'a b', 'á', 'a'.repeat(41), 'constructor', '__proto__'])
      refuses('codigo', codigo, 'codigo INVALID_FORMAT')
    refuses('codigo', 'modelos', 'codigo PROTECTED')
    refuses('codigo', 7, 'codigo INVALID_TYPE')
    refuses('nome', ' ', 'nome REQUIRED')
    refuses('nome', 'a\u0007', 'nome INVALID_FORMAT')
    refuses('nome', '\ud800', 'nome INVALID_FORMAT')
    refuses('nome', 'x'.repeat(101), 'nome TOO_LONG')
    refuses('descricao', `duas\nlinhas`)
    refuses('descricao', 'x'.repeat(1_001), 'descricao TOO_LONG')
    refuses('fonte', 'x\0', 'fonte INVALID_FORMAT')
    refuses('cid10_codes', [], 'cid10_codes TOO_FEW')
    refuses(
      'cid10_codes',
      many(51, (i) => `A${String(i).padStart(2, '0')}`),
      'cid10_codes TOO_MANY',
    )
    refuses(
      'cid10_codes',
      ['A37', 'A37', 'a37', 'A370'],
      'cid10_codes.1 REPEATED',
      'cid10_codes.2 INVALID_FORMAT',
      'cid10_codes.3 INVALID_FORMAT',
    )
    refuses('prazo_encerramento_dias', 0, 'prazo_encerramento_dias TOO_SMALL')
    refuses('prazo_encerramento_dias', 1_001, 'prazo_encerramento_dias TOO_LARGE')
    refuses('prazo_encerramento_dias', 1.5, 'prazo_encerramento_dias INVALID_TYPE')
    refuses('notificacao_obrigatoria', 1, 'notificacao_obrigatoria INVALID_TYPE')
    refuses('data_de_inicio', 'outra', 'data_de_inicio INVALID_VALUE')
    refuses('blocos', ['paciente', 'paciente', 'x'], 'blocos.1 REPEATED', 'blocos.2 INVALID_VALUE')
  })

  it('checks columns and values of SINAN', () => {
    refuses('sinan.agravos', ['A37.9'], 'sinan.agravos.0 INVALID_FORMAT')
    refuses('sinan.prefixos', ['A37', 'A37'], 'sinan.prefixos.1 REPEATED')
    refuses('sinan.arquivo', 'coqu', 'sinan.arquivo INVALID_FORMAT')
    refuses(
      'sinan.colunas',
      { evolucao: 'evo', nada: 'X', __proto_: null },
      'sinan.colunas.evolucao INVALID_FORMAT',
      'sinan.colunas.nada UNKNOWN',
      'sinan.colunas.__proto_ UNKNOWN',
    )
    refuses(
      'sinan.colunas',
      { febre: 'A', 'dados_especificos.febre': 'B' },
      'sinan.colunas.dados_especificos.febre REPEATED',
    )
    refuses('sinan.colunas', { constructor: 'A' }, 'sinan.colunas.constructor INVALID_FORMAT')
    refuses('sinan.agravos', ['A92'], 'sinan.agravos.0 DUPLICATE')
    refuses('sinan.prefixos', ['A37', 'A91'], 'sinan.prefixos.1 DUPLICATE')
    // An exact value wins over a prefix: both may be told apart.
    refuses('sinan.agravos', ['A90'])
    refuses('codigo', 'dengue')
    assert.deepEqual(told({ ...PEQUENA, codigo: 'dengue', sinan: { prefixos: ['A90'] } }), [])
    assert.deepEqual(
      definicaoOf({ ...PEQUENA, sinan: { colunas: { 'dados_especificos.febre': 'X' } } }).sinan.colunas,
      { febre: 'X' },
    )
  })

  it('checks codes of the vocabularies', () => {
    const nova = { codigo: 'provado', rotulo: 'Provado', grupo: 'confirmado', grave: true, sinan: ['7'] }
    refuses('classificacoes.2', nova)
    refuses(
      'classificacoes.2',
      { codigo: 'provado' },
      'classificacoes.2.rotulo REQUIRED',
      'classificacoes.2.grupo REQUIRED',
    )
    refuses('classificacoes.2', { ...nova, grupo: 'cura' }, 'classificacoes.2.grupo INVALID_VALUE')
    for (const codigo of ['provavel', 'em_investigacao', 'suspeito'])
      refuses('classificacoes.2', { ...nova, codigo }, 'classificacoes.2.codigo DUPLICATE')
    refuses('classificacoes.0.grupo', 'descartado', 'classificacoes.0.grupo INCONSISTENT')
    refuses('classificacoes.0.grupo', 'confirmado')
    refuses('classificacoes.0.grave', true, 'classificacoes.0.grave INCONSISTENT')
    refuses('classificacoes.2', { codigo: 'confirmado' }, 'classificacoes.2.codigo REPEATED')
    refuses('classificacoes.1.sinan', ['01'], 'classificacoes.1.sinan.0 REPEATED')
    refuses('classificacoes.1.sinan', [1], 'classificacoes.1.sinan.0 INVALID_TYPE')
    refuses('classificacoes.0.codigo', 'constructor', 'classificacoes.0.codigo INVALID_FORMAT')
    refuses(
      'evolucoes.2',
      { codigo: 'morte', rotulo: 'M', grupo: 'obito_agravo' },
      'evolucoes.2.grupo INVALID_VALUE',
    )
    refuses(
      'criterios.1',
      { codigo: 'aguarda', rotulo: 'A', grupo: 'aberto' },
      'criterios.1.grupo INVALID_VALUE',
    )
    refuses('evolucoes.1.classificacao', 'inconclusivo', 'evolucoes.1.classificacao UNKNOWN')
    refuses('classificacao_padrao', 'inconclusivo', 'classificacao_padrao UNKNOWN')
    refuses('classificacao_padrao', 'confirmado')
    const codes = (count: number) => many(count, (i) => ({ ...nova, codigo: `c${i}`, sinan: [] }))
    refuses('classificacoes', codes(185), 'classificacoes TOO_MANY', 'evolucoes.1.classificacao UNKNOWN')
    refuses(
      'epidemiologia',
      { intervalo_geracao: 3 },
      'epidemiologia.intervalo_geracao INVALID_TYPE',
      'epidemiologia.intervalo_geracao.media REQUIRED',
      'epidemiologia.intervalo_geracao.desvio REQUIRED',
    )
    refuses('epidemiologia', { intervalo_geracao: { media: 3, desvio: 1 } })
  })

  it('is bounded as a whole and tells a hundred problems at most', () => {
    const long = { opcoes: many(100, (i) => ({ codigo: `o${i}`, rotulo: 'x'.repeat(200) })), tipo: 'opcao' }
    const campos = many(12, (i) => campo({ nome: `c${i}`, ...long }))
    assert.deepEqual(told({ ...PEQUENA, campos }), [' TOO_LONG'])
    assert.deepEqual(told({ ...PEQUENA, campos: campos.slice(0, 10) }), [])
    assert.equal(told({ ...PEQUENA, campos: many(250, () => 1) }).length, LIMITES.problemas)
    assert.equal(told(Object.fromEntries(many(10_000, (i) => [`k${i}`, i]))).length, LIMITES.problemas)
  })

  it('does not go deeper than its shape', () => {
    let deep: unknown = {}
    for (let i = 0; i < 100_000; i++) deep = i % 2 === 0 ? { campos: deep } : [deep]
    for (const path of [
      'codigo',
      'sinan',
      'campos',
      'classificacoes',
      'layouts',
      'campos.exame.opcoes',
      'campos.lote.obrigatorio_quando',
    ])
      assert.ok(told(setDeep(path, deep)).length > 0, path)
  })
})

/** Like `withValue`, which could not copy a value as deep as this. */
function setDeep(path: string, deep: unknown): Json {
  const copy = structuredClone(PEQUENA)
  const parts = at(path).split('.')
  const leaf = parts.pop() as string
  parts.reduce<Json>((inner, part) => inner[part] as Json, copy)[leaf] = deep
  return copy
}

describe('a field of a definition', () => {
  it('has a name of its own', () => {
    refusesCampo({ nome: 'exame' }, 'nome REPEATED')
    for (const nome of ['febre', 'cnes', 'nome', 'evolucao']) refusesCampo({ nome }, 'nome DUPLICATE')
    for (const nome of ['constructor', '__proto__', 'Novo', '1a', '', 'x'.repeat(41)])
      refusesCampo({ nome }, 'nome INVALID_FORMAT')
    for (const nome of FIELD_NAMES.map(leafOf)) assert.deepEqual(told(withCampo({ nome })).length, 1, nome)
  })

  it('has texts without control characters', () => {
    for (const key of ['rotulo', 'rotulo_en', 'rotulo_es', 'grupo']) {
      refusesCampo({ [key]: 'a\nb' }, `${key} INVALID_FORMAT`)
      refusesCampo({ [key]: 'x'.repeat(201) }, `${key} TOO_LONG`)
      refusesCampo({ [key]: 5 }, `${key} INVALID_TYPE`)
    }
    refusesCampo({ rotulo: '' }, 'rotulo REQUIRED')
    refusesCampo({ rotulo: '<b>não é HTML</b>' })
    refusesCampo({ grupo: 'x'.repeat(61) }, 'grupo TOO_LONG')
    refusesCampo({ ajuda: 'x'.repeat(501) }, 'ajuda TOO_LONG')
    refusesCampo({ rotulo: '😀'.repeat(200) })
  })

  it('has columns that no other active field has', () => {
    refusesCampo({ sinan: ['VACINADO'] }, 'sinan.0 REPEATED')
    refusesCampo({ sinan: ['FEBRE'] }, 'sinan.0 REPEATED')
    refusesCampo({ sinan: ['X', 'X', 'x'] }, 'sinan.1 REPEATED', 'sinan.2 INVALID_FORMAT')
    refusesCampo({ sinan: ['VACINADO'], ativo: false })
    refusesCampo({ sinan: many(11, (i) => `X${i}`) }, 'sinan TOO_MANY')
  })

  it('has what its kind needs, and no more', () => {
    refusesCampo({ tipo: 'lista' }, 'tipo INVALID_VALUE')
    for (const tipo of ['opcao', 'opcoes']) {
      refusesCampo({ tipo }, 'opcoes TOO_FEW')
      refusesCampo({ tipo, opcoes: many(101, (i) => ({ codigo: `o${i}`, rotulo: 'O' })) }, 'opcoes TOO_MANY')
      refusesCampo({ tipo, opcoes: [{ codigo: 'o', rotulo: 'O', ativo: false }] }, 'opcoes TOO_FEW')
    }
    refusesCampo({ tipo: 'opcao', ativo: false, opcoes: [{ codigo: 'o', rotulo: 'O', ativo: false }] })
    refusesCampo({ opcoes: [{ codigo: 'o', rotulo: 'O' }] }, 'opcoes INCONSISTENT')
    refusesCampo({ opcoes: [] })
    refusesCampo({ tipo: 'inteiro' }, 'minimo REQUIRED', 'maximo REQUIRED')
    refusesCampo({ tipo: 'inteiro', minimo: 1.5, maximo: 2 }, 'minimo INVALID_TYPE')
    refusesCampo({ tipo: 'numero', minimo: 3, maximo: 2 }, 'maximo TOO_SMALL')
    refusesCampo({ tipo: 'numero', minimo: -1e16, maximo: 1e16 }, 'minimo TOO_SMALL', 'maximo TOO_LARGE')
    refusesCampo({ tipo: 'numero', minimo: 0, maximo: 1, casas: 7 }, 'casas TOO_LARGE')
    refusesCampo({ tipo: 'inteiro', minimo: 0, maximo: 1, casas: 0 }, 'casas INCONSISTENT')
    refusesCampo({ tipo: 'texto', max: 1_001 }, 'max TOO_LARGE')
    refusesCampo({ tipo: 'texto', max: 0 }, 'max TOO_SMALL')
    refusesCampo(
      { max: 5, minimo: 1, depois_de: 'data_notificacao' },
      'minimo INCONSISTENT',
      'max INCONSISTENT',
      'depois_de INCONSISTENT',
    )
    refusesCampo({ tipo: 'data', filtravel: true }, 'filtravel INCONSISTENT')
    refusesCampo({ filtravel: true, sigiloso: true }, 'filtravel INCONSISTENT')
    refusesCampo({ ativo: 'sim' }, 'ativo INVALID_TYPE')
  })

  it('has options with codes of their own', () => {
    refuses('campos.exame.opcoes.1.codigo', 'reagente', 'campos.exame.opcoes.1.codigo REPEATED')
    refuses('campos.exame.opcoes.1.codigo', 'Não', 'campos.exame.opcoes.1.codigo INVALID_FORMAT')
    refuses('campos.exame.opcoes.1.rotulo', 'a\0', 'campos.exame.opcoes.1.rotulo INVALID_FORMAT')
    refuses('campos.exame.opcoes.1.sinan', ['1'], 'campos.exame.opcoes.1.sinan.0 REPEATED')
    refuses('campos.exame.opcoes.1.sinan', ['1 '], 'campos.exame.opcoes.1.sinan.0 INVALID_FORMAT')
    refuses('campos.exame.opcoes.1', 'x', 'campos.exame.opcoes.1 INVALID_TYPE')
  })

  it('is one of two hundred, ten of which filter', () => {
    const some = (count: number, more: Json = {}) => many(count, (i) => campo({ nome: `c${i}`, ...more }))
    assert.deepEqual(told({ ...PEQUENA, campos: some(200) }), [])
    assert.deepEqual(told({ ...PEQUENA, campos: some(201) }), ['campos TOO_MANY'])
    assert.deepEqual(told({ ...PEQUENA, campos: some(11, { filtravel: true }) }), [
      'campos.10.filtravel TOO_MANY',
    ])
    assert.deepEqual(told({ ...PEQUENA, campos: {} }), ['campos INVALID_TYPE'])
  })

  it('may be a standard one, by its whole name, once', () => {
    const more = (...campos: Json[]) => told({ ...PEQUENA, campos: [...CAMPOS, ...campos] })
    const n = CAMPOS.length
    assert.deepEqual(more({ padrao: 'dados_especificos.febre' }), [`campos.${n}.padrao REPEATED`])
    assert.deepEqual(more({ padrao: 'mialgia' }), [`campos.${n}.padrao UNKNOWN`])
    assert.deepEqual(more({ padrao: 5 }), [`campos.${n}.padrao INVALID_TYPE`])
    assert.deepEqual(more({ padrao: null }), [`campos.${n}.padrao REQUIRED`])
    assert.deepEqual(more({ padrao: 'dados_especificos.mialgia', rotulo: 'Dores' }), [])
  })
})
