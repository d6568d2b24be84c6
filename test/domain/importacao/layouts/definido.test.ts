import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chooseLayout } from '../../../../src/domain/importacao/layouts/choose.ts'
import { definicaoOf, vigentesCom } from '../../../harness/agravos.ts'
import {
  avisosOf,
  camposOf,
  converted,
  FEBRE_DO_RIO,
  layoutFor,
  valid,
  vigentes,
} from './agravos-definidos.ts'
import { contexto, PROPRIO } from './rows.ts'

const PLANILHA = {
  CODIGO: '17',
  PRAIA: 'Boa',
  QUANDO: '21/04/2024',
  ANOS: '0,9',
  SEXO: 'F',
  ESTADO: 'PE',
  CIDADE: '261160',
  FIM: 'obito',
  MERGULHOS: '3',
  BANHO: 'NÃO',
  RELATO: 'nadou',
}

describe('a layout that a definition describes', () => {
  it('is recognised by its columns, also with accents and in lower case', () => {
    assert.equal(layoutFor(Object.keys(PLANILHA)).nome, 'definido')
    assert.equal(layoutFor(['codigo', ' Práia', '"quando"']).nome, 'definido')
    assert.throws(() => layoutFor(['CODIGO', 'QUANDO']), /Layout não reconhecido/)
  })

  it('makes a case of each row, with constants and substitutes', () => {
    const campos = camposOf(PLANILHA)
    const expected = {
      tipo_agravo: 'febre_do_rio',
      numero_notificacao: 'RIO-17',
      data_notificacao: '2024-04-21',
      data_inicio_sintomas: '2024-04-21',
      paciente_idade: 0,
      paciente_sexo: 'F',
      estado_residencia: 'PE',
      municipio_residencia: 2611606,
      classificacao_final: 'confirmado',
      criterio_confirmacao: 'clinico',
      evolucao: 'obito',
      status: 'encerrado',
      'dados_especificos.mergulhos': 3,
      'dados_especificos.banho': false,
    }
    for (const [nome, value] of Object.entries(expected)) assert.deepEqual(campos[nome], value, nome)
    assert.equal(campos['dados_sigilosos.relato'], undefined)
    assert.equal(camposOf(PLANILHA, true)['dados_sigilosos.relato'], 'nadou')
    assert.deepEqual(avisosOf(PLANILHA), [])
  })

  it('leaves out what it does not know, with a warning', () => {
    const linha = { ...PLANILHA, FIM: 'fuga', ANOS: '200', MERGULHOS: '2,5', ESTADO: 'XX' }
    const campos = camposOf(linha)
    for (const nome of ['evolucao', 'paciente_idade']) assert.equal(campos[nome], null)
    assert.equal(campos['dados_especificos.mergulhos'], undefined)
    assert.equal(campos.estado_residencia, 'PE', 'of the municipality')
    assert.deepEqual(
      avisosOf(linha)
        .map((aviso) => aviso.split(':')[0])
        .toSorted(),
      ['ANOS', 'ESTADO', 'FIM', 'MERGULHOS'],
    )
  })

  it('rejects a row without a date, of another width or of the future', () => {
    const erro = (linha: Record<string, string>) => {
      const row = converted(linha)
      return row.ok ? null : [row.erro, row.numero_notificacao, row.causas[0]?.codigo]
    }
    const undated = ['Linha sem data de notificação legível', 'RIO-17', 'REQUIRED']
    for (const QUANDO of ['', 'Assintomático', '00/04/2000'])
      assert.deepEqual(erro({ ...PLANILHA, QUANDO }), undated)
    assert.deepEqual(erro({ ...PLANILHA, QUANDO: '30/12/2026' }), [
      'Data de notificação 2026-12-30 no futuro',
      'RIO-17',
      'IN_FUTURE',
    ])
    const long = layoutFor(Object.keys(PLANILHA)).convert([...Object.values(PLANILHA), 'mais'])
    assert.equal(!long.ok && long.erro, 'Linha com 12 valores; o cabeçalho tem 11 colunas')
  })

  it('derives a number where the row has none', () => {
    const row = valid({ ...PLANILHA, CODIGO: '' })
    assert.ok(row.derivado)
    assert.match(row.campos.numero_notificacao, /^DATASUS-[0-9a-f]{16}$/)
    assert.equal(valid(PLANILHA).derivado, false)
  })

  it('tells of substitutes once, and of columns that it does not read', () => {
    const { avisos } = layoutFor([...Object.keys(PLANILHA), 'NADA'])
    assert.deepEqual(
      avisos.map(({ message }) => message),
      [
        'Colunas desconhecidas, não lidas: NADA',
        'Layout planilha_do_rio: onde não há data_notificacao, vale data_inicio_sintomas',
      ],
    )
  })

  it('changes the fields of its columns, not those of its constants', () => {
    const { fields } = layoutFor(Object.keys(PLANILHA))
    assert.ok(!fields.includes('classificacao_final'))
    assert.ok(fields.includes('evolucao') && fields.includes('dados_especificos.mergulhos' as never))
  })

  it('must be the only one that fits, and comes after our own and that of SINAN', () => {
    const other = definicaoOf({ ...FEBRE_DO_RIO, codigo: 'outra', nome: 'Outra', sinan: { colunas: {} } })
    const two = { ...contexto(), agravos: vigentesCom(FEBRE_DO_RIO, other) }
    const refused = chooseLayout(Object.keys(PLANILHA), two)
    assert.ok('refusal' in refused)
    assert.match(refused.refusal, /planilha_do_rio \(febre_do_rio\), planilha_do_rio \(outra\)/)
    const chosen = chooseLayout(Object.keys(PLANILHA), { ...two, tipoAgravo: 'outra' })
    assert.ok(!('refusal' in chosen))
    assert.equal(chosen.nome, 'definido')
    assert.equal(layoutFor([...Object.keys(PROPRIO), 'PRAIA', 'QUANDO']).nome, 'proprio')
    assert.equal(
      layoutFor(['ID_AGRAVO', 'DT_NOTIFIC', 'SG_UF', 'CS_SEXO', 'NU_ANO', 'PRAIA', 'QUANDO']).nome,
      'sinan',
    )
  })
})

describe('own fields in our own layout', () => {
  const { tipo_agravo: _, ...REST } = PROPRIO
  const CASO = { tipo_agravo: 'febre_do_rio', ...REST, hiv: 'sim' }
  const erroOf = (linha: Record<string, string>) => {
    const row = converted(linha)
    return row.ok ? null : row.erro
  }

  it('are columns by their name, with or without the group', () => {
    const linha = {
      ...CASO,
      ...{ banho: 'sim', 'dados_especificos.margem': 'DIREITA', peixes: 'pacu|dourado', mergulhos: '4' },
      ...{ metros: '1,5', data_banho: '20/04/2024', porto: 'Recife', relato: 'curto' },
    }
    const campos = camposOf(linha)
    assert.deepEqual(
      ['banho', 'margem', 'peixes', 'mergulhos', 'metros', 'data_banho'].map(
        (nome) => campos[`dados_especificos.${nome}`],
      ),
      [true, 'direita', ['pacu', 'dourado'], 4, 1.5, '2024-04-20'],
    )
    assert.equal(campos['dados_especificos.porto'], 2611606)
    assert.deepEqual([campos['dados_sigilosos.relato'], campos['dados_sigilosos.hiv']], ['curto', true])
  })

  it('are refused by the rules of a creation', () => {
    const wrong: Record<string, string> = {
      banho: 'talvez',
      margem: 'meio',
      mergulhos: '51',
      metros: '1.55',
      data_banho: '2026-12-30',
      porto: 'Lugar Nenhum',
      relato: 'comprido demais',
    }
    for (const [nome, text] of Object.entries(wrong))
      assert.match(
        erroOf({ ...CASO, [nome]: text }) ?? '',
        new RegExp(`^dados_especificos\\.${nome}: `),
        nome,
      )
    assert.match(erroOf({ ...CASO, hiv: '' }) ?? '', /^dados_especificos\.hiv: /, 'it must be there')
    assert.match(
      erroOf({ ...CASO, data_banho: '2024-04-20', banho: 'não' }) ?? '',
      /data_banho: Incompatível/,
    )
  })

  it('are those of the row: one of another disease is refused, a retired one is not a column', () => {
    assert.equal(
      erroOf({ ...PROPRIO, banho: 'sim' }),
      'dados_especificos.banho: Incompatível com tipo_agravo',
    )
    assert.equal(erroOf({ ...PROPRIO, banho: '' }), null)
    assert.match(layoutFor([...Object.keys(CASO), 'antigo']).avisos[0]?.message ?? '', /antigo/)
  })

  it('go with codes of the definitions', () => {
    const campos = camposOf({ ...CASO, classificacao_final: 'confirmado', criterio_confirmacao: 'clinico' })
    assert.deepEqual([campos.criterio_confirmacao, campos.status], ['clinico', 'encerrado'])
    assert.match(
      erroOf({ ...CASO, classificacao_final: 'dengue_grave' }) ?? '',
      /classificacao_final: Incompatível/,
    )
    assert.match(erroOf({ ...CASO, tipo_agravo: 'outra' }) ?? '', /tipo_agravo: .*febre_do_rio/)
  })

  it('are among the fields of their disease alone', () => {
    const { fieldsOf } = layoutFor([...Object.keys(CASO), 'banho'])
    const specific = (tipo: string) => fieldsOf(tipo).filter((nome) => nome.startsWith('dados_'))
    assert.deepEqual(specific('febre_do_rio'), ['dados_especificos.banho', 'dados_sigilosos.hiv'])
    assert.deepEqual(specific('dengue'), [])
    assert.equal(vigentes.get('dengue')?.ativo, true)
  })
})
