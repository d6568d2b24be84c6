import type { ProprioCompilado } from '../../casos/agravos/conferir.ts'
import type { CAMPOS, FieldName } from '../../casos/campos.ts'
import type { SINAIS_GRAVIDADE, TipoAgravo } from '../../casos/enumeracoes.ts'
import {
  APRESENTACAO,
  AUTOCTONE,
  type CodeTable,
  CRITERIO,
  ESCOLARIDADE,
  EVOLUCAO,
  LACO,
  RACA,
  RESULTADO,
  SEXO,
  SIM_NAO,
  SOROTIPO,
  ZONA,
} from './codes.ts'

/**
 * Columns of the SINAN files: name in the DBF, other names (long names of the database, older files, misprints of the
 * dictionary), the field it sets and its parser. Rows are parsed in the order of this table, whatever the order of the
 * file: a state before its municipality, the first serum before the second.
 */

type Conditions = {
  /** Only rows of this disease; the forms share columns. */
  only?: TipoAgravo
  /** Only where an earlier column set nothing. */
  fallback?: true
}
export type ColumnReading =
  | { reads: 'numero' | 'agravo' | 'individual' | 'duplicidade' | 'semana' }
  | { reads: 'classificacao' | 'gestante' | 'idade' | 'pais' | 'ocupacao' | 'cep' }
  | { reads: 'soro-2' | 'date-soro-2'; only: TipoAgravo }
  | ({ reads: 'date'; campo: FieldOf<'date'>; semana?: 'SEM_NOT' | 'SEM_PRI' | 'SEM_DIAG' } & Conditions)
  | ({ reads: 'code'; campo: FieldName; codes: CodeTable<string | boolean> } & Conditions)
  | { reads: 'alarme'; campo: FieldOf<'boolean'> }
  | { reads: 'item'; campo: FieldOf<'texts' | 'list-of'>; item: string }
  | { reads: 'text'; campo: FieldOf<'text'> }
  | { reads: 'cnes'; campo: 'unidade_notificante.cnes' | 'dados_especificos.hospital_cnes' }
  | { reads: 'uf'; campo: `estado_${string}` & FieldName }
  | { reads: 'uf'; campo: `dados_especificos.${'estado_notificacao' | 'hospital_estado'}` }
  /** A municipality by its code, whose state does not matter. */
  | { reads: 'ibge'; campo: `dados_especificos.${'municipio_notificacao' | 'hospital_municipio'}` }
  | { reads: 'municipio'; campo: 'municipio_residencia' | 'municipio_infeccao' }
  | ({ reads: 'measure'; campo: FieldOf<'integer' | 'number'> } & Conditions)
  /** A field that the disease has of its own. */
  | { reads: 'proprio'; proprio: ProprioCompilado; fallback?: true }
  /** Known and not used; or personal beyond need, and never taken. */
  | { reads: 'nothing' }

type FieldOf<K extends string> = {
  [N in FieldName]: (typeof CAMPOS)[N]['kind'] extends K ? N : never
}[FieldName]

export type SinanColumn = ColumnReading & { otherNames?: readonly string[] }

const date = (campo: FieldOf<'date'>, ...otherNames: string[]): SinanColumn => ({
  reads: 'date',
  campo,
  otherNames,
})
const code = (
  campo: FieldName,
  codes: CodeTable<string | boolean>,
  ...otherNames: string[]
): SinanColumn => ({
  reads: 'code',
  campo,
  codes,
  otherNames,
})
const sintoma = (campo: FieldName, ...otherNames: string[]) => code(campo, SIM_NAO, ...otherNames)
const alarme = (campo: FieldOf<'boolean'>): SinanColumn => ({ reads: 'alarme', campo })
const grave = (item: (typeof SINAIS_GRAVIDADE)[number]): SinanColumn => ({
  reads: 'item',
  campo: 'dados_especificos.sinais_gravidade',
  item,
})
const comorbidade = (item: string, ...otherNames: string[]): SinanColumn => ({
  reads: 'item',
  campo: 'dados_clinicos.comorbidades',
  item,
  otherNames,
})
const text = (campo: FieldOf<'text'>, ...otherNames: string[]): SinanColumn => ({
  reads: 'text',
  campo,
  otherNames,
})
export const NOTHING: SinanColumn = { reads: 'nothing' }

export const SINAN_COLUMNS: Readonly<Record<string, SinanColumn>> = {
  NU_NOTIFIC: { reads: 'numero', otherNames: ['NU_NOTIFICACAO', 'NUM_NOTIFICACAO', 'NUM_NOTIFIC'] },
  TP_NOT: { reads: 'individual', otherNames: ['TP_NOTIFICACAO'] },
  NDUPLIC_N: { reads: 'duplicidade', otherNames: ['NDUPLIC'] },
  ID_AGRAVO: { reads: 'agravo', otherNames: ['CO_CID', 'CO_AGRAVO', 'CID10'] },
  SEM_NOT: { reads: 'semana', otherNames: ['DS_SEMANA_NOTIFICACAO'] },
  DT_NOTIFIC: { reads: 'date', campo: 'data_notificacao', semana: 'SEM_NOT', otherNames: ['DT_NOTIFICACAO'] },
  SEM_PRI: { reads: 'semana', otherNames: ['DS_SEMANA_SINTOMA'] },
  DT_SIN_PRI: {
    reads: 'date',
    campo: 'data_inicio_sintomas',
    semana: 'SEM_PRI',
    otherNames: ['DT_DIAGNOSTICO_SINTOMA', 'DT_DIAG_SIN', 'DT_SINTOMAS'],
  },
  ID_UNIDADE: { reads: 'cnes', campo: 'unidade_notificante.cnes', otherNames: ['CO_UNIDADE_NOTIFICACAO'] },
  DT_INVEST: date('data_investigacao', 'DT_INVESTIGACAO'),
  SG_UF_NOT: {
    reads: 'uf',
    campo: 'dados_especificos.estado_notificacao',
    otherNames: ['CO_UF_NOTIFICACAO'],
  },
  ID_MUNICIP: {
    reads: 'ibge',
    campo: 'dados_especificos.municipio_notificacao',
    otherNames: ['CO_MUNICIPIO_NOTIFICACAO'],
  },
  ID_REGIONA: text('dados_especificos.regional_notificacao', 'ID_REGIONAL'),
  DT_DIGITA: date('dados_especificos.data_digitacao'),

  NM_PACIENT: text('paciente_nome', 'NO_NOME_PACIENTE', 'NM_PACIENTE'),
  DT_NASC: date('paciente_data_nascimento', 'DT_NASCIMENTO'),
  NU_IDADE_N: { reads: 'idade', otherNames: ['NU_IDADE'] },
  CS_SEXO: code('paciente_sexo', SEXO, 'TP_SEXO'),
  CS_GESTANT: { reads: 'gestante', otherNames: ['TP_GESTANTE', 'CS_GESTANTE'] },
  CS_RACA: code('paciente_raca', RACA, 'TP_RACA_COR'),
  CS_ESCOL_N: code('paciente_escolaridade', ESCOLARIDADE, 'TP_ESCOLARIDADE', 'CS_ESCOLAR'),
  ID_OCUPA_N: { reads: 'ocupacao', otherNames: ['CO_CBO_OCUPACAO', 'ID_OCUPACAO'] },

  SG_UF: { reads: 'uf', campo: 'estado_residencia', otherNames: ['CO_UF_RESIDENCIA'] },
  ID_MN_RESI: {
    reads: 'municipio',
    campo: 'municipio_residencia',
    otherNames: ['ID_MN_RESID', 'CO_MUNICIPIO_RESIDENCIA'],
  },
  NM_BAIRRO: text('bairro_residencia', 'NO_BAIRRO_RESIDENCIA'),
  CS_ZONA: code('zona_residencia', ZONA, 'TP_ZONA_RESIDENCIA'),
  NM_LOGRADO: text('logradouro_residencia', 'NOME_LOGRADOURO_RESIDENCIA', 'NO_LOGRADOURO_RESIDENCIA'),
  NU_NUMERO: text('numero_residencia', 'NU_RESIDENCIA'),
  NU_CEP: { reads: 'cep', otherNames: ['NU_CEP_RESIDENCIA'] },

  TPAUTOCTO: code('dados_especificos.autoctone', AUTOCTONE, 'TP_AUTOCTONE_RESIDENCIA'),
  COUFINF: { reads: 'uf', campo: 'estado_infeccao', otherNames: ['CO_UF_INFECCAO'] },
  COMUNINF: { reads: 'municipio', campo: 'municipio_infeccao', otherNames: ['CO_MUNICIPIO_INFECCAO'] },
  COPAISINF: { reads: 'pais', otherNames: ['CO_PAIS_INFECCAO'] },

  FEBRE: sintoma('dados_especificos.febre'),
  MIALGIA: sintoma('dados_especificos.mialgia'),
  CEFALEIA: sintoma('dados_especificos.cefaleia'),
  EXANTEMA: sintoma('dados_especificos.exantema'),
  VOMITO: sintoma('dados_especificos.vomito'),
  NAUSEA: sintoma('dados_especificos.nausea', 'NAUSEAS'),
  DOR_COSTAS: sintoma('dados_especificos.dor_costas'),
  CONJUNTVIT: sintoma('dados_especificos.conjuntivite', 'CONJUTIVITE', 'CONJUNTIVITE', 'CONJUNTIVIT'),
  ARTRITE: sintoma('dados_especificos.artrite'),
  ARTRALGIA: sintoma('dados_especificos.artralgia'),
  PETEQUIA_N: sintoma('dados_especificos.petequias'),
  PETEQUIAS: { reads: 'code', campo: 'dados_especificos.petequias', codes: SIM_NAO, fallback: true },
  LEUCOPENIA: sintoma('dados_especificos.leucopenia'),
  LACO: code('dados_especificos.prova_laco', LACO),
  LACO_N: { reads: 'code', campo: 'dados_especificos.prova_laco', codes: LACO, fallback: true },
  DOR_RETRO: sintoma('dados_especificos.dor_retro_orbital'),

  DIABETES: comorbidade('diabetes'),
  HEMATOLOG: comorbidade('doencas_hematologicas'),
  HEPATOPAT: comorbidade('hepatopatias'),
  RENAL: comorbidade('doenca_renal_cronica'),
  HIPERTENSA: comorbidade('hipertensao_arterial', 'HIPERTENSAO'),
  ACIDO_PEPT: comorbidade('doenca_acido_peptica'),
  AUTO_IMUNE: comorbidade('doencas_autoimunes'),

  DT_CHIK_S1: {
    reads: 'date',
    campo: 'dados_laboratoriais.data_igm',
    only: 'chikungunya',
    otherNames: ['DT_CHIL_S1'],
  },
  RES_CHIKS1: { reads: 'code', campo: 'dados_laboratoriais.igm', codes: RESULTADO, only: 'chikungunya' },
  RES_CHIKS2: { reads: 'soro-2', only: 'chikungunya' },
  DT_CHIK_S2: { reads: 'date-soro-2', only: 'chikungunya', otherNames: ['DT_CHIL_S2'] },
  DT_SORO: {
    reads: 'date',
    campo: 'dados_laboratoriais.data_igm',
    only: 'dengue',
    otherNames: ['DT_COLETA_EXAME'],
  },
  RESUL_SORO: {
    reads: 'code',
    campo: 'dados_laboratoriais.igm',
    codes: RESULTADO,
    only: 'dengue',
    otherNames: ['TP_RESULT_EXAME'],
  },
  DT_PRNT: date('dados_laboratoriais.data_prnt'),
  RESUL_PRNT: code('dados_laboratoriais.prnt', RESULTADO),
  DT_NS1: date('dados_laboratoriais.data_ns1', 'DT_COLETA_NS1'),
  RESUL_NS1: code('dados_laboratoriais.ns1', RESULTADO, 'TP_RESULT_NS1'),
  DT_VIRAL: date('dados_laboratoriais.data_isolamento_viral', 'DT_COLETA_ISOLAMENTO'),
  RESUL_VI_N: code('dados_laboratoriais.isolamento_viral', RESULTADO, 'TP_RESULT_ISOLAMENTO', 'RESUL_VIRAL'),
  DT_PCR: date('dados_laboratoriais.data_pcr', 'DT_COLETA_RTPCR'),
  RESUL_PCR_: code('dados_laboratoriais.pcr', RESULTADO, 'RESUL_PCR', 'TP_RESULT_RTPCR'),
  SOROTIPO: code('dados_especificos.sorotipo', SOROTIPO, 'TP_SOROTIPO'),
  HISTOPA_N: code('dados_laboratoriais.histopatologia', RESULTADO, 'TP_RESULT_HISTOPATOLOGIA'),
  IMUNOH_N: code('dados_laboratoriais.imunohistoquimica', RESULTADO, 'TP_RESULT_IMUNOHISTOQUIMICA'),
  PLAQ_MENOR: { reads: 'measure', campo: 'dados_laboratoriais.plaquetas' },
  HEMA_MAIOR: { reads: 'measure', campo: 'dados_laboratoriais.hematocrito' },
  HEMA_MENOR: { reads: 'measure', campo: 'dados_laboratoriais.hematocrito', fallback: true },

  HOSPITALIZ: code('hospitalizacao', SIM_NAO, 'ST_OCORREU_HOSPITALIZACAO', 'HOSPITALIZA'),
  DT_INTERNA: date('data_internacao', 'DT_INTERNACAO'),
  UF: { reads: 'uf', campo: 'dados_especificos.hospital_estado', otherNames: ['CO_UF_HOSPITAL'] },
  MUNICIPIO: {
    reads: 'ibge',
    campo: 'dados_especificos.hospital_municipio',
    otherNames: ['CO_MUNICIPIO_HOSPITAL'],
  },
  HOSPITAL: { reads: 'cnes', campo: 'dados_especificos.hospital_cnes', otherNames: ['CO_UNIDADE_HOSPITAL'] },
  DOENCA_TRA: code('dados_especificos.relacionada_ao_trabalho', SIM_NAO, 'ST_DOENCA_TRABALHO'),

  CLASSI_FIN: { reads: 'classificacao', otherNames: ['TP_CLASSIFICACAO_FINAL'] },
  CRITERIO: code('criterio_confirmacao', CRITERIO, 'TP_CRITERIO_CONFIRMACAO'),
  CLINC_CHIK: {
    reads: 'code',
    campo: 'dados_especificos.apresentacao_clinica',
    codes: APRESENTACAO,
    // Filled in rows of dengue too, where it means nothing.
    only: 'chikungunya',
    otherNames: ['CLINIC_CHIK'],
  },
  EVOLUCAO: code('evolucao', EVOLUCAO, 'TP_EVOLUCAO_CASO'),
  DT_OBITO: date('data_obito'),
  DT_ENCERRA: date('data_encerramento', 'DT_ENCERRAMENTO'),

  ALRM_HIPOT: alarme('dados_especificos.hipotensao'),
  ALRM_PLAQ: alarme('dados_especificos.queda_plaquetas'),
  ALRM_VOM: alarme('dados_clinicos.sinais_sintomas.vomito_persistente'),
  ALRM_SANG: alarme('dados_clinicos.sinais_sintomas.sangramento_mucosa'),
  ALRM_HEMAT: alarme('dados_especificos.aumento_hematocrito'),
  ALRM_ABDOM: alarme('dados_clinicos.sinais_sintomas.dor_abdominal'),
  ALRM_LETAR: alarme('dados_clinicos.sinais_sintomas.letargia'),
  ALRM_HEPAT: alarme('dados_clinicos.sinais_sintomas.hepatomegalia'),
  ALRM_LIQ: alarme('dados_clinicos.sinais_sintomas.acumulo_liquidos'),
  DT_ALRM: date('dados_especificos.data_sinais_alarme'),

  GRAV_PULSO: grave('pulso_debil'),
  GRAV_CONV: grave('pa_convergente'),
  GRAV_ENCH: grave('enchimento_capilar'),
  GRAV_INSUF: grave('insuficiencia_respiratoria'),
  GRAV_TAQUI: grave('taquicardia'),
  GRAV_EXTRE: grave('extremidades_frias'),
  GRAV_HIPOT: grave('hipotensao'),
  GRAV_HEMAT: grave('hematemese'),
  GRAV_MELEN: grave('melena'),
  GRAV_METRO: grave('metrorragia'),
  GRAV_SANG: grave('sangramento_snc'),
  GRAV_AST: grave('ast_alt'),
  GRAV_MIOC: grave('miocardite'),
  GRAV_CONSC: grave('alteracao_consciencia'),
  GRAV_ORGAO: grave('outros_orgaos'),
  DT_GRAV: date('dados_especificos.data_sinais_gravidade'),

  // The mother's name, the national card, telephones, the finer address and free text: more than the case needs.
  NM_MAE_PAC: NOTHING,
  ID_CNS_SUS: NOTHING,
  NU_DDD_TEL: NOTHING,
  NU_TELEFON: NOTHING,
  NM_COMPLEM: NOTHING,
  NM_REFEREN: NOTHING,
  DS_OBS: { reads: 'nothing', otherNames: ['DS_OBSERVACAO'] },
  ...unused(
    'NU_ANO NOTIFICACAO_ANO',
    'ANO_NASC ID_RG_RESI CO_REGIONAL_RESIDENCIA ID_DISTRIT CO_DISTRITO_RESIDENCIA ID_BAIRRO',
    'CO_BAIRRO_RESIDENCIA ID_LOGRADO CO_LOGRADOURO_RESIDENCIA ID_GEO1 ID_GEO2 ID_PAIS CO_PAIS_RESIDENCIA',
    'DDD_HOSP NU_DDD_HOSPITAL TEL_HOSP',
    'NU_TELEFONE_HOSPITAL CODISINF CO_DISTRITO_INFECCAO CO_BAINF CO_BAINFC CO_BAIRRO_INFECCAO NOBAIINF',
    'NO_BAIRRO_INFECCAO MANI_HEMOR EPISTAXE GENGIVO METRO HEMATURA SANGRAM PLASMATICO',
    'EVIDENCIA CON_FHD COMPLICA PALQ_MAIOR NU_LOTE_I NU_LOTE_V NU_LOTE_H TP_SISTEMA CS_FLXRET FLXRECEBI MIGRADO_W',
    'IN_VINCULA TPUNINOT CS_SUSPEIT IDENT_MICR DT_TRANSUS DT_TRANSDM DT_TRANSSM DT_TRANSRM DT_TRANSRS DT_TRANSSE',
    'CS_ESCOLA NU_ANO_NOT ID_UNID_HOSP',
  ),
}

function unused(...lines: string[]): Record<string, SinanColumn> {
  return Object.fromEntries(lines.flatMap((line) => line.split(' ')).map((nome) => [nome, NOTHING]))
}

/** Name in the DBF of any of a column's names. */
export const CANONICAL_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(SINAN_COLUMNS).flatMap(([nome, { otherNames = [] }]) =>
    [nome, ...otherNames].map((one) => [one, nome]),
  ),
)
