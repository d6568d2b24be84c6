import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CONHECIDOS } from '../../../../src/domain/casos/agravos/conhecidos.ts'
import type { Definicao } from '../../../../src/domain/casos/agravos/definicao.ts'
import { menoresMax, mudancasEntre, refusalsOf } from '../../../../src/domain/casos/agravos/versoes.ts'
import { CAMPOS, definicaoOf, indexOf, type Json, PEQUENA, withValue } from './definicoes.ts'

const anterior = definicaoOf(PEQUENA)
const [dengue] = CONHECIDOS as [Definicao]

const at = (path: string) =>
  path.replace(/^campos\.([a-z_]+)\./, (_, nome: string) => `campos.${indexOf(nome)}.`)
const changed = (path: string, value: unknown) => definicaoOf(withValue(PEQUENA, at(path), value))
const told = (nova: Definicao, before = anterior, protegido = false) =>
  refusalsOf(before, nova, { protegido }).map(({ path, code }) => `${path.join('.')} ${code}`)
const refuses = (path: string, value: unknown, ...expected: string[]) =>
  assert.deepEqual(
    told(changed(path, value)),
    expected.map((one) => `${at(one)} NOT_EDITABLE`),
    path,
  )
const without = (nome: string) => CAMPOS.filter((campo) => campo.nome !== nome)

describe('a new version', () => {
  it('keeps code, fields, kinds, options and encryption', () => {
    refuses('codigo', 'outra', 'codigo')
    refuses('campos.vacinado.sigiloso', false)
    refuses('campos.obs.sigiloso', false, 'campos.obs.sigiloso')
    refuses('campos.lote.sigiloso', true, 'campos.lote.sigiloso')
    refuses('campos.origem.tipo', 'bool', 'campos.origem.tipo')
    refuses(
      'campos.sinais.opcoes',
      [{ codigo: 'tosse', rotulo: 'T' }],
      'campos.sinais.opcoes.coriza',
      'campos.sinais.opcoes.soluco',
    )
    assert.deepEqual(told(definicaoOf({ ...PEQUENA, campos: without('obs') })), ['campos.obs NOT_EDITABLE'])
    refuses('campos.obs.nome', 'observacoes', 'campos.obs')
  })

  it('may add, retire, bring back, and change all else', () => {
    assert.deepEqual(told(anterior), [])
    refuses('campos.obs.ativo', false)
    refuses('campos.exame.opcoes.0.ativo', false)
    refuses('campos.sinais.opcoes.2.ativo', true)
    refuses('campos.obs.rotulo', 'Outro')
    refuses('campos.doses.maximo', 3)
    refuses('campos.obs.obrigatorio', true)
    refuses('campos.obs.max', 10)
    refuses('prazo_encerramento_dias', 90)
    refuses('cid10_codes', ['A37.0'])
    refuses('blocos', [...(PEQUENA.blocos as string[]), 'gestacao'])
    refuses('classificacoes', [
      { codigo: 'confirmado' },
      { codigo: 'descartado' },
      { codigo: 'inconclusivo' },
    ])
    assert.deepEqual(
      told(
        definicaoOf({
          ...PEQUENA,
          campos: CAMPOS.toReversed()
            .filter(({ nome }) => nome !== 'lote' && nome !== 'data_dose')
            .concat(CAMPOS.filter(({ nome }) => nome === 'lote' || nome === 'data_dose')),
        }),
      ),
      [],
    )
  })

  it('of a protected disease loses nothing that files and cases rely on', () => {
    const shrunk = (change: Partial<Definicao>) => told({ ...dengue, ...change }, dengue, true)
    assert.deepEqual(shrunk({}), [])
    assert.deepEqual(shrunk({ campos: anterior.campos, nome: 'Dengue clássica' }), [])
    assert.deepEqual(shrunk({ cid10_codes: dengue.cid10_codes.slice(1) }), ['cid10_codes NOT_EDITABLE'])
    assert.deepEqual(shrunk({ blocos: dengue.blocos.slice(0, 10) }), ['blocos NOT_EDITABLE'])
    assert.deepEqual(shrunk({ blocos: dengue.blocos.toReversed() }), [])
    assert.deepEqual(shrunk({ classificacoes: dengue.classificacoes.slice(1) }), [
      'classificacoes NOT_EDITABLE',
    ])
    assert.deepEqual(shrunk({ criterios: [] }), ['criterios NOT_EDITABLE'])
    assert.deepEqual(
      shrunk({ evolucoes: dengue.evolucoes.map((one) => ({ ...one, sinan: [] })) }),
      dengue.evolucoes.map((_, i) => `evolucoes.${i}.sinan NOT_EDITABLE`),
    )
    assert.deepEqual(shrunk({ sinan: { agravos: [], prefixos: ['A90'], colunas: {} } }), [
      'sinan.prefixos NOT_EDITABLE',
    ])
    assert.deepEqual(told({ ...dengue, criterios: [] }, dengue, false), [])
  })

  it('tells shorter texts, which stored ones decide about', () => {
    assert.deepEqual(menoresMax(anterior, changed('campos.obs.max', 10)), [{ nome: 'obs', max: 10 }])
    assert.deepEqual(menoresMax(anterior, changed('campos.obs.max', 31)), [])
    assert.deepEqual(menoresMax(anterior, changed('campos.lote.max', 999)), [{ nome: 'lote', max: 999 }])
    assert.deepEqual(menoresMax(anterior, anterior), [])
  })
})

describe('changes between versions', () => {
  const NONE = {
    campos_novos: [],
    campos_retirados: [],
    campos_reativados: [],
    opcoes_novas: [],
    opcoes_retiradas: [],
    opcoes_reativadas: [],
    textos: [],
    campos_alterados: [],
    outras: [],
  }
  const changes = (path: string, value: unknown, expected: object) =>
    assert.deepEqual(mudancasEntre(anterior, changed(path, value)), { ...NONE, ...expected }, path)

  it('are none where nothing changed', () => {
    assert.deepEqual(mudancasEntre(anterior, definicaoOf(PEQUENA)), NONE)
  })

  it('begin with all fields', () => {
    const nomes = CAMPOS.flatMap(({ nome }) => (nome === undefined ? [] : [nome]))
    assert.deepEqual(mudancasEntre(null, anterior), { ...NONE, campos_novos: nomes })
  })

  it('name fields, options, texts and other keys', () => {
    const novo: Json = { nome: 'novo', rotulo: 'Novo', tipo: 'bool', grupo: 'G' }
    assert.deepEqual(mudancasEntre(anterior, definicaoOf({ ...PEQUENA, campos: [novo, ...CAMPOS] })), {
      ...NONE,
      campos_novos: ['novo'],
    })
    changes('campos.obs.ativo', false, { campos_retirados: ['obs'] })
    assert.deepEqual(mudancasEntre(changed('campos.obs.ativo', false), anterior), {
      ...NONE,
      campos_reativados: ['obs'],
    })
    changes(
      'campos.exame.opcoes.2',
      { codigo: 'x', rotulo: 'X' },
      { opcoes_novas: [{ campo: 'exame', opcoes: ['x'] }] },
    )
    changes('campos.exame.opcoes.1.ativo', false, {
      opcoes_retiradas: [{ campo: 'exame', opcoes: ['nao_reagente'] }],
    })
    changes('campos.sinais.opcoes.2.ativo', true, {
      opcoes_reativadas: [{ campo: 'sinais', opcoes: ['soluco'] }],
    })
    changes('campos.exame.opcoes.1.sinan', ['3'], {
      campos_alterados: [{ campo: 'exame', chaves: ['opcoes'] }],
    })
    changes('campos.exame.opcoes.1.rotulo', 'Não', { textos: ['campos.exame.opcoes.nao_reagente.rotulo'] })
    changes('campos.obs.ajuda', 'Ajuda', { textos: ['campos.obs.ajuda'] })
    changes('campos.doses.maximo', 8, { campos_alterados: [{ campo: 'doses', chaves: ['maximo'] }] })
    changes('campos.data_dose.mostrar_quando', null, {
      campos_alterados: [{ campo: 'data_dose', chaves: ['mostrar_quando'] }],
    })
    changes('nome', 'Outro nome', { textos: ['nome'] })
    changes('prazo_encerramento_dias', 30, { outras: ['prazo_encerramento_dias'] })
    changes('classificacao_padrao', 'confirmado', { outras: ['classificacao_padrao'] })
    changes('campos.0.sinan', ['FEBRE_2'], { outras: ['campos'] })
    const [first, second, third, ...rest] = CAMPOS
    assert.deepEqual(
      mudancasEntre(anterior, definicaoOf({ ...PEQUENA, campos: [first, third, second, ...rest] })),
      { ...NONE, outras: ['campos'] },
    )
  })
})
