import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FieldName } from '../../../../src/domain/casos/campos.ts'
import { SINAIS_GRAVIDADE } from '../../../../src/domain/casos/enumeracoes.ts'
import { SINAN_COLUMNS } from '../../../../src/domain/importacao/layouts/columns.ts'
import { casoOf, fieldOf, type Linha, SINAN } from './rows.ts'

const CHIK: Linha = { ...SINAN, ID_AGRAVO: 'A92.0' }
const ZIKA: Linha = { ...SINAN, ID_AGRAVO: 'A928' }
const INTERNADA: Linha = { ...SINAN, HOSPITALIZ: '1' }
const OBITO: Linha = { ...SINAN, EVOLUCAO: '2' }

type Row = [coluna: string, campo: FieldName, codes: Record<string, unknown>, base?: Linha]

const SIM_NAO = {
  1: true,
  2: false,
  9: null,
  '': null,
  NA: null,
  '1.0': true,
  '2.0': false,
  '01': true,
  Sim: true,
  NÃO: false,
  nao: false,
  Ignorado: null,
}
const RESULTADO = {
  1: 'positivo',
  2: 'negativo',
  3: 'inconclusivo',
  4: 'nao_realizado',
  '': null,
  '4.0': 'nao_realizado',
  Positivo: 'positivo',
  Negativo: 'negativo',
  Reagente: 'positivo',
  'Não Reagente': 'negativo',
  Inconclusivo: 'inconclusivo',
  'Não realizado': 'nao_realizado',
}
const DATA = { '2024-04-22': '2024-04-22', '20240422': '2024-04-22', '22/4/2024': '2024-04-22', NA: null }
const NA_NOTIFICACAO = { '2024-04-25': '2024-04-25', '25/04/2024': '2024-04-25', '': null }

const MUNICIPIO = {
  261160: 2611606,
  2611606: 2611606,
  '261160.0': 2611606,
  999999: null,
  '000000': null,
  '': null,
}

const ROWS: Row[] = [
  ['DT_SIN_PRI', 'data_inicio_sintomas', DATA],
  ['DT_INVEST', 'data_investigacao', NA_NOTIFICACAO],
  ['DT_ENCERRA', 'data_encerramento', NA_NOTIFICACAO],
  ['DT_DIGITA', 'dados_especificos.data_digitacao', NA_NOTIFICACAO],
  ['SG_UF_NOT', 'dados_especificos.estado_notificacao', { 26: 'PE', PE: 'PE', '': null }],
  ['ID_MUNICIP', 'dados_especificos.municipio_notificacao', MUNICIPIO],
  [
    'ID_REGIONA',
    'dados_especificos.regional_notificacao',
    { 1497: '1497', '1497.0': '1497', 'I GERES': 'I GERES', '': null },
  ],
  ['UF', 'dados_especificos.hospital_estado', { 26: 'PE', '35.0': 'SP', '': null }],
  ['MUNICIPIO', 'dados_especificos.hospital_municipio', MUNICIPIO],
  ['HOSPITAL', 'dados_especificos.hospital_cnes', { 477: '0000477', '477.0': '0000477', '': null }],
  ['DOENCA_TRA', 'dados_especificos.relacionada_ao_trabalho', SIM_NAO],
  ['DT_OBITO', 'data_obito', DATA, OBITO],
  ['DT_INTERNA', 'data_internacao', DATA, INTERNADA],
  ['DT_ALRM', 'dados_especificos.data_sinais_alarme', DATA],
  ['DT_GRAV', 'dados_especificos.data_sinais_gravidade', DATA],
  ['DT_NS1', 'dados_laboratoriais.data_ns1', DATA],
  ['DT_SORO', 'dados_laboratoriais.data_igm', DATA],
  ['DT_PCR', 'dados_laboratoriais.data_pcr', DATA],
  ['DT_VIRAL', 'dados_laboratoriais.data_isolamento_viral', DATA],
  ['DT_PRNT', 'dados_laboratoriais.data_prnt', DATA],
  ['DT_CHIK_S1', 'dados_laboratoriais.data_igm', DATA, CHIK],
  ['DT_CHIK_S2', 'dados_laboratoriais.data_igm', DATA, CHIK],
  [
    'DT_NASC',
    'paciente_data_nascimento',
    { '1990-05-20': '1990-05-20', '20/5/1990': '1990-05-20', '': null },
  ],

  [
    'ID_UNIDADE',
    'unidade_notificante.cnes',
    { 477: '0000477', 2711923: '2711923', '477.0': '0000477', '': null },
  ],
  ['NM_PACIENT', 'paciente_nome', { 'JOANA TESTE': 'JOANA TESTE', '': null }],
  [
    'NU_IDADE_N',
    'paciente_idade',
    { 4029: 29, 3009: 0, 2000: 0, A029: 29, M003: 0, D010: 0, '4029.0': 29, '': null },
  ],
  [
    'CS_SEXO',
    'paciente_sexo',
    { M: 'M', F: 'F', I: 'I', f: 'F', Feminino: 'F', MASCULINO: 'M', Ignorado: 'I', '': null },
  ],
  [
    'CS_RACA',
    'paciente_raca',
    {
      1: 'branca',
      2: 'preta',
      3: 'amarela',
      4: 'parda',
      5: 'indigena',
      9: 'ignorado',
      '': null,
      '4.0': 'parda',
      Branca: 'branca',
      Indígena: 'indigena',
      Ignorado: 'ignorado',
    },
  ],
  [
    'CS_ESCOL_N',
    'paciente_escolaridade',
    {
      0: 'analfabeto',
      '00': 'analfabeto',
      1: 'fundamental_1_4_incompleto',
      '02': 'fundamental_4_completo',
      3: 'fundamental_5_8_incompleto',
      4: 'fundamental_completo',
      5: 'medio_incompleto',
      '06': 'medio_completo',
      7: 'superior_incompleto',
      8: 'superior_completo',
      '09': 'ignorado',
      '9.0': 'ignorado',
      10: 'nao_se_aplica',
      '': null,
      'Ensino médio completo (antigo colegial ou 2º grau)': 'medio_completo',
      '1ª a 4ª série incompleta do EF': 'fundamental_1_4_incompleto',
      'Educação superior completa': 'superior_completo',
    },
  ],
  ['ID_OCUPA_N', 'paciente_ocupacao', { 999991: '999991', '999992.0': '999992', 10105: '010105', XXX: null }],

  [
    'SG_UF',
    'estado_residencia',
    { 35: 'SP', '35.0': 'SP', SP: 'SP', 'São Paulo': 'SP', '': null },
    semLugar(),
  ],
  [
    'ID_MN_RESI',
    'municipio_residencia',
    // One of the nine whose check digit the formula does not give is among them.
    { 261160: 2611606, 2611606: 2611606, '261160.0': 2611606, Recife: 2611606, 261153: 2611533, '': null },
  ],
  ['NM_BAIRRO', 'bairro_residencia', { 'BOA VIAGEM': 'BOA VIAGEM', NA: null }],
  [
    'CS_ZONA',
    'zona_residencia',
    { 1: 'urbana', 2: 'rural', 3: 'periurbana', 9: 'ignorado', 0: null, Urbana: 'urbana' },
  ],
  ['NM_LOGRADO', 'logradouro_residencia', { 'RUA INVENTADA': 'RUA INVENTADA', '': null }],
  ['NU_NUMERO', 'numero_residencia', { 123: '123', '123.0': '123', 'S/N': 'S/N', '': null }],
  [
    'NU_CEP',
    'cep_residencia',
    { 51020000: '51020000', '51020-000': '51020000', '51020000.0': '51020000', '': null },
  ],

  [
    'TPAUTOCTO',
    'dados_especificos.autoctone',
    { 1: 'sim', 2: 'nao', 3: 'indeterminado', '': null, Sim: 'sim' },
  ],
  ['COUFINF', 'estado_infeccao', { 35: 'SP', '': null }],
  ['COMUNINF', 'municipio_infeccao', { 355030: 3550308, '0': null, '': null }],
  ['COMUNINF', 'estado_infeccao', { 355030: 'SP', '': null }],
  [
    'COPAISINF',
    'pais_infeccao',
    {
      1: 'Brasil',
      '1.0': 'Brasil',
      BRASIL: 'Brasil',
      0: null,
      '': null,
      Paraguai: 'Paraguai',
      46: 'Exterior (código 46)',
    },
  ],

  ['FEBRE', 'dados_especificos.febre', SIM_NAO],
  ['MIALGIA', 'dados_especificos.mialgia', SIM_NAO],
  ['CEFALEIA', 'dados_especificos.cefaleia', SIM_NAO],
  ['EXANTEMA', 'dados_especificos.exantema', SIM_NAO],
  ['VOMITO', 'dados_especificos.vomito', SIM_NAO],
  ['NAUSEA', 'dados_especificos.nausea', SIM_NAO],
  ['DOR_COSTAS', 'dados_especificos.dor_costas', SIM_NAO],
  ['CONJUNTVIT', 'dados_especificos.conjuntivite', SIM_NAO],
  ['ARTRITE', 'dados_especificos.artrite', SIM_NAO],
  ['ARTRALGIA', 'dados_especificos.artralgia', SIM_NAO],
  ['PETEQUIA_N', 'dados_especificos.petequias', SIM_NAO],
  ['PETEQUIAS', 'dados_especificos.petequias', SIM_NAO],
  ['LEUCOPENIA', 'dados_especificos.leucopenia', SIM_NAO],
  ['DOR_RETRO', 'dados_especificos.dor_retro_orbital', SIM_NAO],
  [
    'LACO',
    'dados_especificos.prova_laco',
    { 1: 'positiva', 2: 'negativa', 9: 'nao_realizada', '': 'nao_realizada' },
  ],
  [
    'LACO_N',
    'dados_especificos.prova_laco',
    { 1: 'positiva', 2: 'negativa', 9: 'nao_realizada', '': 'nao_realizada' },
  ],
  ['ALRM_HIPOT', 'dados_especificos.hipotensao', SIM_NAO],
  ['ALRM_PLAQ', 'dados_especificos.queda_plaquetas', SIM_NAO],
  ['ALRM_HEMAT', 'dados_especificos.aumento_hematocrito', SIM_NAO],
  ['ALRM_VOM', 'dados_clinicos.sinais_sintomas.vomito_persistente', SIM_NAO],
  ['ALRM_SANG', 'dados_clinicos.sinais_sintomas.sangramento_mucosa', SIM_NAO],
  ['ALRM_ABDOM', 'dados_clinicos.sinais_sintomas.dor_abdominal', SIM_NAO],
  ['ALRM_LETAR', 'dados_clinicos.sinais_sintomas.letargia', SIM_NAO],
  ['ALRM_HEPAT', 'dados_clinicos.sinais_sintomas.hepatomegalia', SIM_NAO],
  ['ALRM_LIQ', 'dados_clinicos.sinais_sintomas.acumulo_liquidos', SIM_NAO],

  ['RESUL_NS1', 'dados_laboratoriais.ns1', RESULTADO],
  ['RESUL_SORO', 'dados_laboratoriais.igm', RESULTADO],
  ['RES_CHIKS1', 'dados_laboratoriais.igm', RESULTADO, CHIK],
  ['RES_CHIKS2', 'dados_laboratoriais.igm', RESULTADO, CHIK],
  ['RESUL_PRNT', 'dados_laboratoriais.prnt', RESULTADO],
  ['RESUL_VI_N', 'dados_laboratoriais.isolamento_viral', RESULTADO],
  ['RESUL_PCR_', 'dados_laboratoriais.pcr', RESULTADO],
  ['HISTOPA_N', 'dados_laboratoriais.histopatologia', RESULTADO],
  ['IMUNOH_N', 'dados_laboratoriais.imunohistoquimica', RESULTADO],
  [
    'SOROTIPO',
    'dados_especificos.sorotipo',
    { 1: 'DENV1', 2: 'DENV2', '3.0': 'DENV3', 4: 'DENV4', 'DEN 2': 'DENV2', DENV3: 'DENV3', '': null },
  ],
  ['PLAQ_MENOR', 'dados_laboratoriais.plaquetas', { '54000.0': 54000, '0.0': null, '': null }],
  ['HEMA_MAIOR', 'dados_laboratoriais.hematocrito', { '41,5': 41.5, '0': null }],
  ['HEMA_MENOR', 'dados_laboratoriais.hematocrito', { '38.5': 38.5 }],

  ['HOSPITALIZ', 'hospitalizacao', SIM_NAO],
  [
    'CRITERIO',
    'criterio_confirmacao',
    {
      1: 'laboratorial',
      2: 'clinico_epidemiologico',
      3: 'em_investigacao',
      '': null,
      Laboratório: 'laboratorial',
      'Clínico-epidemiológico': 'clinico_epidemiologico',
    },
  ],
  [
    'CLINC_CHIK',
    'dados_especificos.apresentacao_clinica',
    { 1: 'aguda', 2: 'cronica', Crônica: 'cronica', '': null },
    CHIK,
  ],
  ['CLINC_CHIK', 'dados_especificos.apresentacao_clinica', { 1: null }],
  [
    'EVOLUCAO',
    'evolucao',
    {
      1: 'cura',
      2: 'obito',
      3: 'obito_outras_causas',
      4: 'obito_em_investigacao',
      9: 'ignorado',
      '9.0': 'ignorado',
      '': null,
      Cura: 'cura',
      'Óbito pelo agravo': 'obito',
      'Óbito por outras causas': 'obito_outras_causas',
      'Óbito em investigação': 'obito_em_investigacao',
    },
  ],
  [
    'CLASSI_FIN',
    'classificacao_final',
    {
      10: 'dengue_sem_sinais_alarme',
      11: 'dengue_com_sinais_alarme',
      12: 'dengue_grave',
      5: 'descartado',
      8: 'inconclusivo',
      1: 'dengue_classico',
      2: 'dengue_com_complicacoes',
      3: 'febre_hemorragica_dengue',
      4: 'sindrome_choque_dengue',
      '10.0': 'dengue_sem_sinais_alarme',
      '': null,
      Dengue: 'dengue_sem_sinais_alarme',
      'Dengue com sinais de alarme': 'dengue_com_sinais_alarme',
      'Dengue grave': 'dengue_grave',
      'Febre Hemorrágica do Dengue': 'febre_hemorragica_dengue',
      Descartado: 'descartado',
      13: null,
    },
  ],
  [
    'CLASSI_FIN',
    'classificacao_final',
    {
      13: 'confirmado',
      5: 'descartado',
      8: 'inconclusivo',
      Chikungunya: 'confirmado',
      10: null,
      11: null,
      12: null,
      1: null,
    },
    CHIK,
  ],
  [
    'CLASSI_FIN',
    'classificacao_final',
    { 1: 'confirmado', 2: 'descartado', 8: 'inconclusivo', Confirmado: 'confirmado', 5: null, 13: null },
    ZIKA,
  ],
  [
    'CS_GESTANT',
    'paciente_gestante',
    {
      1: true,
      2: true,
      3: true,
      4: true,
      5: false,
      6: false,
      9: null,
      '': null,
      'Não se aplica': false,
      '2º trimestre': true,
    },
  ],
  [
    'CS_GESTANT',
    'dados_especificos.idade_gestacional',
    {
      1: 'primeiro_trimestre',
      2: 'segundo_trimestre',
      3: 'terceiro_trimestre',
      4: 'idade_gestacional_ignorada',
      5: null,
      9: null,
    },
  ],
]

function semLugar(): Linha {
  const { ID_MN_RESI: _, ...rest } = SINAN
  return rest
}

for (const [coluna, campo, codes, base = SINAN] of ROWS)
  describe(`${coluna} tells ${campo} (${base.ID_AGRAVO})`, () => {
    for (const [text, expected] of Object.entries(codes))
      it(`${JSON.stringify(text)} → ${JSON.stringify(expected)}`, () =>
        assert.deepEqual(fieldOf(casoOf({ ...base, [coluna]: text }), campo), expected))
  })

it('every column that tells something is tried above or below', () => {
  const tried = new Set([
    ...ROWS.map(([coluna]) => coluna),
    ...Object.keys(ITENS),
    ...Object.keys(SINAN),
    'NDUPLIC_N',
    'SEM_NOT',
    'SEM_PRI',
  ])
  const telling = Object.entries(SINAN_COLUMNS).filter(([, { reads }]) => reads !== 'nothing')
  assert.deepEqual(
    telling.map(([nome]) => nome).filter((nome) => !tried.has(nome)),
    [],
  )
})

const GRAVES = [
  'PULSO',
  'CONV',
  'ENCH',
  'INSUF',
  'TAQUI',
  'EXTRE',
  'HIPOT',
  'HEMAT',
  'MELEN',
  'METRO',
  'SANG',
  'AST',
  'MIOC',
  'CONSC',
  'ORGAO',
]
const ITENS: Record<string, [FieldName, string]> = {
  DIABETES: ['dados_clinicos.comorbidades', 'diabetes'],
  HEMATOLOG: ['dados_clinicos.comorbidades', 'doencas_hematologicas'],
  HEPATOPAT: ['dados_clinicos.comorbidades', 'hepatopatias'],
  RENAL: ['dados_clinicos.comorbidades', 'doenca_renal_cronica'],
  HIPERTENSA: ['dados_clinicos.comorbidades', 'hipertensao_arterial'],
  ACIDO_PEPT: ['dados_clinicos.comorbidades', 'doenca_acido_peptica'],
  AUTO_IMUNE: ['dados_clinicos.comorbidades', 'doencas_autoimunes'],
  ...Object.fromEntries(
    GRAVES.map((sinal, i): [string, [FieldName, string]] => [
      `GRAV_${sinal}`,
      ['dados_especificos.sinais_gravidade', SINAIS_GRAVIDADE[i] as string],
    ]),
  ),
}

describe('columns that are items of a list', () => {
  for (const [coluna, [campo, item]] of Object.entries(ITENS))
    it(`${coluna} adds ${item} where it is 1, and nothing where it is 2, 9 or blank`, () => {
      assert.deepEqual(fieldOf(casoOf({ ...SINAN, [coluna]: '1' }), campo), [item])
      for (const text of ['2', '9', '', 'NA'])
        assert.equal(fieldOf(casoOf({ ...SINAN, [coluna]: text }), campo), null)
    })

  it('several make one list, in the order of the form whatever the order of the file', () => {
    const { 'dados_clinicos.comorbidades': lista } = casoOf({
      ...SINAN,
      RENAL: '1',
      HEMATOLOG: '2',
      DIABETES: '1',
    })
    assert.deepEqual(lista, ['diabetes', 'doenca_renal_cronica'])
  })
})
