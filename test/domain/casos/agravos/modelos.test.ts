import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CAMPOS_DO_BLOCO, padraoOf } from '../../../../src/domain/casos/agravos/blocos.ts'
import { CONHECIDOS } from '../../../../src/domain/casos/agravos/conhecidos.ts'
import { BLOCOS, GRUPOS, isProprio, type Lista } from '../../../../src/domain/casos/agravos/definicao.ts'
import { lerDefinicao } from '../../../../src/domain/casos/agravos/ler.ts'
import { MODELOS } from '../../../../src/domain/casos/agravos/modelos.ts'
import { VOCABULARIO } from '../../../../src/domain/casos/agravos/vocabulario.ts'
import { FIELD_NAMES } from '../../../../src/domain/casos/campos.ts'
import {
  CLASSIFICACOES,
  CONFIRMADOS,
  CRITERIOS,
  EVOLUCOES,
  TIPOS_AGRAVO,
} from '../../../../src/domain/casos/enumeracoes.ts'
import {
  CLASSIFICACAO,
  CRITERIO,
  decode,
  EVOLUCAO,
  readAgravo,
} from '../../../../src/domain/importacao/layouts/codes.ts'

const codesOf = (list: readonly { codigo: string }[]) => list.map(({ codigo }) => codigo)
const listOf = (lista: Lista) => VOCABULARIO.filter((one) => one.lista === lista)

describe('the vocabulary', () => {
  it("begins with today's codes in today's order", () => {
    assert.deepEqual(codesOf(listOf('classificacao')).slice(0, 10), CLASSIFICACOES)
    assert.deepEqual(codesOf(listOf('criterio')).slice(0, 3), CRITERIOS)
    assert.deepEqual(codesOf(listOf('evolucao')).slice(0, 5), EVOLUCOES)
    assert.deepEqual(
      [16, 4, 16],
      (['classificacao', 'criterio', 'evolucao'] as const).map((lista) => listOf(lista).length),
    )
  })

  it('has each code once, in a group of its list', () => {
    for (const { lista, codigo, grupo } of VOCABULARIO)
      assert.ok((GRUPOS[lista] as readonly string[]).includes(grupo), codigo)
    assert.equal(
      new Set(VOCABULARIO.map(({ lista, codigo }) => `${lista} ${codigo}`)).size,
      VOCABULARIO.length,
    )
  })

  it('confirms and counts as the service does', () => {
    const today = listOf('classificacao').slice(0, 10)
    assert.deepEqual(codesOf(today.filter(({ grupo }) => grupo === 'confirmado')), CONFIRMADOS)
    assert.deepEqual(codesOf(VOCABULARIO.filter(({ grave }) => grave)), [
      'dengue_com_sinais_alarme',
      'dengue_grave',
      'dengue_com_complicacoes',
      'febre_hemorragica_dengue',
      'sindrome_choque_dengue',
    ])
    assert.deepEqual(codesOf(VOCABULARIO.filter(({ grupo }) => grupo === 'obito_agravo')), ['obito'])
    assert.deepEqual(codesOf(VOCABULARIO.filter(({ grupo }) => grupo === 'aberto')), ['em_investigacao'])
  })
})

describe('the three known diseases', () => {
  it('have all standard fields and none of their own', () => {
    assert.deepEqual(codesOf(CONHECIDOS), TIPOS_AGRAVO)
    for (const definicao of CONHECIDOS) {
      assert.deepEqual([...definicao.blocos].toSorted(), [...BLOCOS].toSorted())
      assert.deepEqual(padraoOf(definicao), FIELD_NAMES)
      assert.deepEqual(definicao.campos, [])
    }
    assert.equal(Object.values(CAMPOS_DO_BLOCO).flat().length, FIELD_NAMES.length)
  })

  it('read codes of SINAN as the importer does', () => {
    for (const definicao of CONHECIDOS) {
      const tables = [
        [CLASSIFICACAO[definicao.codigo as keyof typeof CLASSIFICACAO], definicao.classificacoes],
        [CRITERIO, definicao.criterios],
        [EVOLUCAO, definicao.evolucoes],
      ] as const
      for (const [table, codigos] of tables)
        for (let code = 0; code <= 20; code++) {
          const named = codigos.find(({ sinan }) => sinan.includes(String(code)))?.codigo
          assert.equal(named, decode<string>(table, String(code)), `${definicao.codigo} ${code}`)
        }
    }
    const [dengue, ...others] = CONHECIDOS
    assert.deepEqual(codesOf(dengue?.classificacoes ?? []), CLASSIFICACOES)
    for (const other of others)
      assert.deepEqual(codesOf(other.classificacoes), ['confirmado', 'descartado', 'inconclusivo'])
  })

  it('claim the values of ID_AGRAVO that the importer reads', () => {
    const claimed = (id: string) =>
      CONHECIDOS.find(({ sinan }) => sinan.agravos.includes(id)) ??
      CONHECIDOS.find(({ sinan }) => sinan.prefixos.some((prefix) => id.startsWith(prefix)))
    for (const letter of 'AU')
      for (let number = 0; number < 1_000; number++)
        for (const id of [
          `${letter}${String(number).padStart(2, '0')}`,
          `${letter}${String(number).padStart(3, '0')}`,
        ])
          assert.equal(claimed(id)?.codigo, readAgravo(id), id)
  })
})

describe('the models', () => {
  const OWN = {
    chagas_aguda: 43,
    febre_amarela: 20,
    hanseniase: 12,
    leishmaniose_tegumentar: 14,
    leishmaniose_visceral: 23,
    leptospirose: 43,
    malaria: 9,
    meningite: 12,
    sifilis_congenita: 28,
    tuberculose: 21,
  }

  it('are ten, each with its fields', () => {
    assert.deepEqual(
      Object.fromEntries(MODELOS.map(({ codigo, campos }) => [codigo, campos.filter(isProprio).length])),
      OWN,
    )
  })

  it('may all be in force together', () => {
    const all = [...CONHECIDOS, ...MODELOS]
    for (const definicao of all)
      assert.deepEqual(lerDefinicao(definicao, { vocabulario: VOCABULARIO, outras: all }).problems, [])
  })

  it('bring no code that the vocabulary does not have', () => {
    for (const { classificacoes, criterios, evolucoes } of MODELOS) {
      for (const codigo of codesOf(classificacoes))
        assert.ok(codesOf(listOf('classificacao')).includes(codigo))
      for (const codigo of codesOf(criterios)) assert.ok(codesOf(listOf('criterio')).includes(codigo))
      for (const codigo of codesOf(evolucoes)) assert.ok(codesOf(listOf('evolucao')).includes(codigo))
    }
  })

  it('keep the infection with HIV and free texts encrypted', () => {
    for (const { codigo, campos } of MODELOS)
      for (const campo of campos.filter(isProprio))
        if (campo.tipo === 'texto' || /hiv|aids/.test(campo.nome))
          assert.ok(campo.sigiloso, `${codigo} ${campo.nome}`)
  })
})
