import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CONHECIDAS } from '../../../../src/domain/casos/agravos/registro.ts'
import { tableOf, USUAL } from '../../../../src/domain/importacao/layouts/tabela.ts'
import { definicaoOf, modelo, vigentesCom } from '../../../harness/agravos.ts'
import {
  avisosOf,
  camposOf,
  converted,
  FEBRE_DO_RIO,
  layoutFor,
  RIO,
  valid,
  vigentes,
} from './agravos-definidos.ts'
import { layoutOf, SINAN } from './rows.ts'

const own = (linha: Record<string, string>, textos = false) =>
  Object.fromEntries(
    Object.entries(camposOf({ ...RIO, ...linha }, textos)).filter(
      ([nome, value]) =>
        value !== null &&
        FEBRE_DO_RIO.campos.some((campo) => 'nome' in campo && nome.endsWith(`.${campo.nome}`)),
    ),
  )

describe('the disease of a row', () => {
  const tipoOf = (ID_AGRAVO: string) => {
    const row = converted({ ...RIO, ID_AGRAVO })
    return row.ok ? row.campos.tipo_agravo : row.erro
  }
  for (const [text, tipo] of Object.entries({
    Z981: 'febre_do_rio',
    ' z98.1 ': 'febre_do_rio',
    'Z98.9': 'febre_do_rio',
    A279: 'leptospirose',
    'A27.8': 'leptospirose',
    B550: 'leishmaniose_visceral',
    'B55.1': 'leishmaniose_tegumentar',
    A90: 'dengue',
    'A92.0': 'chikungunya',
    zika: 'zika',
    B559: 'Agravo "B559" desconhecido',
    Z97: 'Agravo "Z97" desconhecido',
  }))
    it(`${JSON.stringify(text)} → ${tipo}`, () => assert.equal(tipoOf(text), tipo))

  it('goes by the exact value before a prefix, and by the longest prefix', () => {
    const other = (codigo: string, sinan: object) =>
      definicaoOf({ ...modelo('malaria'), codigo, nome: codigo, sinan: { colunas: {}, ...sinan } })
    const agravos = vigentesCom(
      other('curta', { agravos: ['Y121'], prefixos: ['Y1'] }),
      other('longa', { agravos: [], prefixos: ['Y12'] }),
    )
    const layout = layoutFor(Object.keys(RIO), false, agravos)
    const tipoOf = (ID_AGRAVO: string) => {
      const row = layout.convert(Object.values({ ...RIO, ID_AGRAVO }))
      return row.ok && row.campos.tipo_agravo
    }
    assert.deepEqual(['Y121', 'Y122', 'Y130'].map(tipoOf), ['curta', 'longa', 'curta'])
  })

  it('is unknown where it is not active', () => {
    const agravos = { ...vigentes, todos: vigentes.todos.map((one) => ({ ...one, ativo: false })) }
    const row = layoutFor(Object.keys(RIO), false, agravos).convert(Object.values(RIO))
    assert.equal(!row.ok && row.erro, 'Agravo "Z98.1" desconhecido')
  })
})

describe('columns of a defined disease', () => {
  it('hold codes of the definition', () => {
    const { classificacao_final, criterio_confirmacao, evolucao, status } = camposOf({
      ...RIO,
      ...{ CLASSI_FIN: '7', CRITERIO: '3', EVOLUCAO: '2' },
    })
    assert.deepEqual(
      [classificacao_final, criterio_confirmacao, evolucao, status],
      ['confirmado', 'clinico', 'cura', 'encerrado'],
    )
    assert.equal(camposOf({ ...RIO, CLASSI_FIN: '1' }).classificacao_final, 'descartado')
    assert.equal(camposOf({ ...RIO, CLASSI_FIN: 'Confirmado' }).classificacao_final, 'confirmado')
  })

  it('mean another thing in each disease of a file', () => {
    const linha = { ...RIO, EVOLUCAO: '3', CLASSI_FIN: '1', UF: '26', FEBRE: '1' }
    const layout = layoutFor(Object.keys(linha))
    const of = (ID_AGRAVO: string, more: object = {}) => {
      const row = layout.convert(Object.values({ ...linha, ID_AGRAVO, ...more }))
      assert.ok(row.ok)
      return row.campos as unknown as Record<string, unknown>
    }
    assert.equal(of('B550').evolucao, 'obito')
    assert.equal(of('A279').evolucao, 'obito_outras_causas')
    assert.equal(of('A90').classificacao_final, 'dengue_classico')
    assert.equal(of('A90')['dados_especificos.hospital_estado'], 'PE')
    assert.equal(of('Z981', { UF: '2' })['dados_especificos.margem'], 'direita')
    assert.equal(of('Z981', { UF: '2' })['dados_especificos.hospital_estado'], null)
    assert.equal(of('B550')['dados_especificos.febre'], true)
    assert.equal(of('A279')['dados_especificos.febre'], null, 'its fever has another column')
  })

  it('are where the definition moves them, and nowhere else', () => {
    const linha = {
      ...RIO,
      HOSPITALIZ: '2',
      RIO_HOSP: '1',
      DT_INTERNA: '2024-04-22',
      DT_INVEST: '2024-04-26',
    }
    const { hospitalizacao, data_internacao, data_investigacao } = camposOf(linha)
    assert.deepEqual([hospitalizacao, data_internacao, data_investigacao], [true, '2024-04-22', null])
  })

  it('are taken only for fields that it has', () => {
    const linha = {
      ...RIO,
      CS_GESTANT: '1',
      CEFALEIA: '1',
      ALRM_VOM: '1',
      RESUL_NS1: '1',
      LACO: '1',
      CS_SEXO: 'F',
    }
    const campos = camposOf(linha)
    for (const nome of ['paciente_gestante', 'dados_especificos.cefaleia', 'dados_laboratoriais.ns1'])
      assert.equal(campos[nome], null)
    assert.equal(campos['dados_especificos.prova_laco'], null)
    assert.deepEqual(avisosOf(linha), [])
  })

  it('stand in for one another in the order of the definition', () => {
    const febre = (RIO_FEBRE: string, RIO_FEBR2: string) =>
      camposOf({ ...RIO, RIO_FEBR2, RIO_FEBRE })['dados_especificos.febre']
    assert.deepEqual([febre('2', '1'), febre('9', '1'), febre('', '2')], [false, true, false])
  })

  it('hold the date of diagnosis where that is the beginning; the usual column stands in for it', () => {
    const hanseniase = { ...RIO, ID_AGRAVO: 'A309' }
    const inicio = (more: object) => camposOf({ ...hanseniase, ...more }).data_inicio_sintomas
    assert.equal(inicio({ DT_DIAG: '2024-03-01', DT_SIN_PRI: '2020-01-01' }), '2024-03-01')
    assert.equal(inicio({ DT_DIAG: '', DT_SIN_PRI: '2024-02-01' }), '2024-02-01')
    assert.ok(
      avisosOf({ ...hanseniase, DT_DIAG: '', DT_SIN_PRI: '' }).includes('DT_DIAG: Sem data de diagnóstico'),
    )
  })

  it('of the known diseases are the usual ones', () => {
    for (const agravo of CONHECIDAS.todos)
      assert.deepEqual(tableOf(agravo, { vocabulario: CONHECIDAS.vocabulario, textos: true }), USUAL)
  })
})

describe('own fields of a disease', () => {
  it('are read by their kinds', () => {
    const linha = {
      ...{ RIO_BANHO: '1', UF: '01', RIO_PEIXES: '2,1', RIO_MERG: '3.0', RIO_METROS: '2,5' },
      ...{ RIO_DT: '20240420', RIO_PORTO: '261160', HIV: '2' },
    }
    assert.deepEqual(own(linha), {
      'dados_especificos.banho': true,
      'dados_especificos.margem': 'esquerda',
      'dados_especificos.peixes': ['dourado', 'pacu'],
      'dados_especificos.mergulhos': 3,
      'dados_especificos.metros': 2.5,
      'dados_especificos.data_banho': '2024-04-20',
      'dados_especificos.porto': 2611606,
      'dados_sigilosos.hiv': false,
    })
    assert.deepEqual(avisosOf({ ...RIO, ...linha }), [])
  })

  it('are not there where the form says unknown or nothing', () => {
    const linha = {
      RIO_BANHO: '9',
      UF: '9',
      RIO_PEIXES: '0',
      RIO_MERG: '0',
      RIO_METROS: '',
      RIO_PORTO: '0',
      HIV: '9',
    }
    assert.deepEqual(own(linha), {})
    assert.deepEqual(avisosOf({ ...RIO, ...linha }), [])
  })

  it('leave out what the definition does not allow, naming column and value', () => {
    const linha = {
      RIO_BANHO: '5',
      UF: '3',
      RIO_PEIXES: '1,8',
      RIO_MERG: '51',
      RIO_METROS: '2.55',
      RIO_PORTO: '999999',
    }
    assert.deepEqual(own(linha), { 'dados_especificos.peixes': ['pacu'] })
    assert.deepEqual(
      avisosOf({ ...RIO, ...linha }),
      [
        ['RIO_BANHO', '5'],
        ['UF', '3'],
        ['RIO_PEIXES', '8'],
        ['RIO_MERG', '51'],
        ['RIO_METROS', '2.55'],
        ['RIO_PORTO', '999999'],
      ].map(([column, value]) => `${column}: Valor "${value}" desconhecido ou implausível: não aproveitado`),
    )
    assert.deepEqual(avisosOf({ ...RIO, RIO_DT: '31/02/2024' }), [
      'RIO_DT: Data "31/02/2024" ilegível: não aproveitada',
    ])
    assert.deepEqual(avisosOf({ ...RIO, RIO_DT: '2026-12-30' }), ['RIO_DT: Data no futuro: não aproveitada'])
  })

  it('never tell a value of an encrypted one', () => {
    assert.deepEqual(avisosOf({ ...RIO, HIV: '7' }), [
      'HIV: Valor desconhecido ou implausível: não aproveitado',
    ])
  })

  it('are kept with a warning where they contradict others, and need not be there', () => {
    const linha = { ...RIO, RIO_BANHO: '2', RIO_DT: '2024-04-20' }
    assert.equal(camposOf(linha)['dados_especificos.data_banho'], '2024-04-20')
    assert.deepEqual(avisosOf(linha), [
      'RIO_DT: Incompatível com dados_especificos.banho: valor "2024-04-20" mantido',
    ])
    const later = { ...RIO, RIO_BANHO: '1', RIO_DT: '2024-05-20' }
    assert.match(avisosOf(later).join(), /^RIO_DT: .*valor "2024-05-20" mantido$/)
  })

  it('of text are taken when they are asked for; personal and retired ones never', () => {
    const linha = { RIO_RELATO: 'nadou bem longe', NM_MAE_PAC: 'Maria Teste', RIO_ANTIGO: '1' }
    assert.deepEqual(own(linha), {})
    assert.deepEqual(own(linha, true), { 'dados_sigilosos.relato': 'nadou bem' })
    assert.deepEqual(avisosOf({ ...RIO, ...linha }, true), [
      'RIO_RELATO: Texto longo demais: cortado em 10 caracteres',
    ])
    const { avisosOf: ofFile } = layoutFor(Object.keys({ ...RIO, ...linha }))
    assert.deepEqual(ofFile(['febre_do_rio']), [], 'their columns are known')
  })
})

describe('decided classifications', () => {
  it('follow from the outcome, and win over the column', () => {
    const row = valid({ ...RIO, EVOLUCAO: '4', CLASSI_FIN: '2' })
    assert.equal(row.campos.classificacao_final, 'descartado')
    assert.deepEqual(
      row.avisos.map(({ column }) => column),
      ['CLASSI_FIN'],
    )
  })

  it('are those of the disease where every case has the same', () => {
    assert.equal(camposOf({ ...RIO, ID_AGRAVO: 'B551' }).classificacao_final, 'confirmado')
    assert.equal(camposOf({ ...RIO, ID_AGRAVO: 'B551', EVOLUCAO: '6' }).classificacao_final, 'descartado')
  })

  it('are not read where the disease has no such column', () => {
    const linha = { ...RIO, ID_AGRAVO: 'B54', CLASSI_FIN: '1', CRITERIO: '1', EVOLUCAO: '2' }
    const { classificacao_final, criterio_confirmacao, evolucao, status } = camposOf(linha)
    assert.deepEqual(
      [classificacao_final, criterio_confirmacao, evolucao, status],
      ['confirmado', null, null, 'encerrado'],
    )
    assert.deepEqual(avisosOf(linha), [])
  })
})

describe('a file', () => {
  const COLUNAS = [...Object.keys(SINAN), 'RIO_BANHO', 'HIV', 'CLI_ICTERI', 'FEBRE']

  it('has a column for other fields in each disease', () => {
    const { fieldsOf, fields } = layoutFor(COLUNAS)
    const [rio, lepto, dengue] = ['febre_do_rio', 'leptospirose', 'dengue'].map((tipo) => fieldsOf(tipo))
    const specific = (nomes: readonly string[] = []) => nomes.filter((nome) => nome.startsWith('dados_'))
    assert.deepEqual(specific(rio), ['dados_especificos.banho', 'dados_sigilosos.hiv'])
    assert.deepEqual(specific(lepto), ['dados_especificos.ictericia'])
    assert.deepEqual(dengue, layoutOf(COLUNAS).fields)
    assert.ok(fields.includes('dados_sigilosos.hiv' as never), 'an importer might learn it from the outcome')
  })

  it('is warned of columns that no disease in it knows, once', () => {
    const { avisosOf: of, avisos } = layoutFor(COLUNAS)
    const unknown = (...nomes: string[]) => [
      { column: null, message: `Colunas desconhecidas, não lidas: ${nomes.join(', ')}` },
    ]
    assert.deepEqual(avisos, unknown('RIO_BANHO', 'HIV', 'CLI_ICTERI'))
    assert.deepEqual(of(['dengue']), avisos)
    assert.deepEqual(of(['dengue', 'febre_do_rio']), unknown('CLI_ICTERI'))
    assert.deepEqual(of(['leptospirose']), unknown('RIO_BANHO', 'HIV'))
    assert.deepEqual(of(['leptospirose', 'febre_do_rio']), [])
  })

  it('without a disease column names the active diseases', () => {
    const { ID_AGRAVO: _, ...linha } = RIO
    assert.throws(
      () => layoutFor(Object.keys(linha)),
      /\(dengue, zika, chikungunya, febre_do_rio, leptospirose, .*hanseniase ou malaria\) ao enviar/,
    )
  })
})
