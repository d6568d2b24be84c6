import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { padraoOf } from '../../../../src/domain/casos/agravos/blocos.ts'
import { CONHECIDOS } from '../../../../src/domain/casos/agravos/conhecidos.ts'
import { type Definicao, isProprio } from '../../../../src/domain/casos/agravos/definicao.ts'
import { type CampoDoFormulario, formularioOf } from '../../../../src/domain/casos/agravos/formulario.ts'
import { MODELOS } from '../../../../src/domain/casos/agravos/modelos.ts'
import { VOCABULARIO } from '../../../../src/domain/casos/agravos/vocabulario.ts'
import { wordsOf } from '../../../../src/domain/casos/agravos/vocabulario-textos.ts'
import { CAMPOS } from '../../../../src/domain/casos/campos.ts'
import type { Language } from '../../../../src/errors/texts.ts'
import { definicaoOf, PEQUENA } from './definicoes.ts'

const formOf = (json: unknown, language: Language = 'pt-BR') =>
  formularioOf(definicaoOf(json), { language, vocabulario: VOCABULARIO })
const fieldsOf = (form: ReturnType<typeof formOf>) =>
  new Map(form.grupos.flatMap(({ campos }) => campos.map((campo) => [campo.nome, campo] as const)))
const fieldIn = (json: unknown, nome: string, language?: Language) =>
  fieldsOf(formOf(json, language)).get(nome) as CampoDoFormulario
const shared = (codigo: string) => VOCABULARIO.find((one) => one.codigo === codigo)?.rotulo
const ownWord = ({ classificacoes, criterios, evolucoes }: Definicao, codigo: string) =>
  [...classificacoes, ...criterios, ...evolucoes].find((one) => one.codigo === codigo)?.rotulo

describe('the form of a disease', () => {
  it('has blocks and headings in the order of the paper form', () => {
    const { grupos } = formOf(PEQUENA)
    assert.deepEqual(
      grupos.map(({ bloco, rotulo }) => bloco ?? rotulo),
      ['notificacao', 'paciente', 'residencia', 'Vacina', 'Laboratório', 'Clínica', 'conclusao'],
    )
    // A standard field outside the blocks stands beside its neighbour.
    assert.deepEqual(
      grupos[3]?.campos.map(({ nome }) => nome.replace('dados_especificos.', '')),
      ['febre', 'vacinado', 'doses', 'data_dose', 'lote'],
    )
  })

  it('has every field of every shipped disease once, in three languages', () => {
    for (const definicao of [...CONHECIDOS, ...MODELOS])
      for (const language of ['pt-BR', 'en-US', 'es-ES'] as const) {
        const { grupos } = formularioOf(definicao, { language, vocabulario: VOCABULARIO })
        const nomes = grupos.flatMap(({ campos }) => campos.map(({ nome }) => nome))
        const own = definicao.campos.filter(isProprio).map(({ nome }) => `dados_especificos.${nome}`)
        assert.deepEqual(nomes.toSorted(), [...padraoOf(definicao), ...own].toSorted(), definicao.codigo)
        for (const { rotulo, campos } of grupos) {
          assert.ok(rotulo.length > 0)
          for (const campo of campos) {
            assert.ok(campo.rotulo.length > 0, campo.nome)
            for (const opcao of campo.opcoes) assert.ok(opcao.rotulo.length > 0, campo.nome)
          }
        }
      }
  })

  it('labels every code of standard fields in three languages, and codes of a definition in its own', () => {
    const languages = ['pt-BR', 'en-US', 'es-ES'] as const
    for (const definicao of [...CONHECIDOS, ...MODELOS])
      for (const language of languages)
        for (const campo of fieldsOf(
          formularioOf(definicao, { language, vocabulario: VOCABULARIO }),
        ).values())
          if (Object.hasOwn(CAMPOS, campo.nome) && !/tipo_agravo|estado/.test(campo.nome))
            for (const { codigo, rotulo } of campo.opcoes)
              assert.equal(
                rotulo,
                ownWord(definicao, codigo) ?? wordsOf(codigo, language) ?? shared(codigo),
                codigo,
              )
    for (const { codigo, rotulo } of VOCABULARIO) {
      assert.ok([undefined, rotulo].includes(wordsOf(codigo, 'pt-BR')), codigo)
      for (const language of ['en-US', 'es-ES'] as const)
        assert.ok((wordsOf(codigo, language) ?? '').length > 0, `${codigo} ${language}`)
    }
    const optionsOf = (nome: string, language: Language) =>
      fieldIn(PEQUENA, nome, language).opcoes.map((one) => one.rotulo)
    assert.deepEqual(
      languages.map((language) => optionsOf('evolucao', language)[0]),
      ['Cura', 'Recovered', 'Curación'],
    )
    assert.equal(optionsOf('paciente_raca', 'pt-BR')[4], 'Indígena')
    assert.equal(optionsOf('classificacao_inicial', 'es-ES')[0], 'Sospechoso')
    const worded = {
      ...PEQUENA,
      evolucoes: [{ codigo: 'cura', rotulo: 'Sarou', sinan: ['1'] }],
    }
    assert.equal(fieldIn(worded, 'evolucao', 'en-US').opcoes[0]?.rotulo, 'Sarou')
  })

  it('labels fields in the language that is asked for, else in Portuguese', () => {
    const nome = 'dados_especificos.exame'
    assert.equal(fieldIn(PEQUENA, nome).rotulo, 'Exame')
    assert.equal(fieldIn(PEQUENA, nome, 'en-US').rotulo, 'Test')
    assert.equal(fieldIn(PEQUENA, nome, 'es-ES').rotulo, 'Exame')
    assert.equal(fieldIn(PEQUENA, 'data_inicio_sintomas', 'en-US').rotulo, 'Date of first symptoms')
    const standard = (['pt-BR', 'en-US', 'es-ES'] as const).map(
      (language) => fieldIn(PEQUENA, 'numero_notificacao', language).rotulo,
    )
    assert.deepEqual(standard, ['Nº da notificação', 'Notification no.', 'Nº de notificación'])
    const diagnosed = { ...PEQUENA, data_de_inicio: 'diagnostico' }
    assert.equal(fieldIn(diagnosed, 'data_inicio_sintomas').rotulo, 'Data do diagnóstico')
    const renamed = { ...PEQUENA, campos: [{ padrao: 'data_obito', rotulo: 'Dia da morte' }] }
    assert.equal(fieldIn(renamed, 'data_obito').rotulo, 'Dia da morte')
  })

  it('lists only the allowed codes of vocabularies, in the words of the definition', () => {
    const words = { ...PEQUENA, evolucoes: [{ codigo: 'cura', rotulo: 'Alta' }] }
    assert.deepEqual(fieldIn(words, 'evolucao').opcoes, [{ codigo: 'cura', rotulo: 'Alta', ativo: true }])
    assert.deepEqual(
      fieldIn(PEQUENA, 'classificacao_inicial').opcoes.map(({ rotulo }) => rotulo),
      ['Suspeito', 'Confirmado', 'Descartado'],
    )
    assert.deepEqual(fieldIn(PEQUENA, 'tipo_agravo').opcoes, [
      { codigo: 'coqueluche', rotulo: 'Coqueluche', ativo: true },
    ])
  })

  it('describes kinds, ranges, conditions', () => {
    assert.deepEqual(fieldIn(PEQUENA, 'dados_especificos.data_dose'), {
      nome: 'dados_especificos.data_dose',
      rotulo: 'Data da dose',
      renomeado: true,
      ajuda: null,
      tipo: 'data',
      formato: null,
      opcoes: [],
      minimo: null,
      maximo: null,
      casas: null,
      max: null,
      itens: null,
      depois_de: 'paciente_data_nascimento',
      antes_de: 'data_notificacao',
      obrigatorio: false,
      obrigatorio_quando: null,
      mostrar_quando: {
        modo: 'todos',
        condicoes: [{ campo: 'dados_especificos.vacinado', op: 'eq', valor: true }],
      },
      sigiloso: false,
      filtravel: false,
      ativo: true,
    })
    const { minimo, maximo, casas } = fieldIn(PEQUENA, 'dados_especificos.peso')
    assert.deepEqual([minimo, maximo, casas], [0.5, 300, 1])
    assert.deepEqual(
      fieldIn(PEQUENA, 'dados_especificos.sinais').opcoes.map(({ ativo }) => ativo),
      [true, true, false],
    )
    const cep = fieldIn(PEQUENA, 'cep_residencia')
    assert.deepEqual([cep.formato, cep.sigiloso, cep.obrigatorio], ['cep', true, false])
    assert.equal(fieldIn(PEQUENA, 'paciente_nome').obrigatorio, true)
  })

  it('has a heading for standard fields without a neighbour', () => {
    const { grupos } = formOf({ ...PEQUENA, campos: [{ padrao: 'dados_especificos.febre' }] })
    assert.deepEqual(
      grupos.filter(({ bloco }) => bloco === null).map(({ rotulo }) => rotulo),
      ['Quadro clínico'],
    )
  })
})
