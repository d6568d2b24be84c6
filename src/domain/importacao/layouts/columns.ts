import type { CAMPOS, NomeDeCampo } from '../../casos/campos.ts'
import type { SINAIS_GRAVIDADE, TipoAgravo } from '../../casos/enumeracoes.ts'
import {
  APRESENTACAO,
  AUTOCTONE,
  type Codigos,
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
 * Every column of the SINAN files once: its name in the DBF, its other names (the database's long names, older files,
 * misprints of the dictionary), the field it tells of and how. Rows are read in the order of this table, whatever the
 * order of the file: a state comes before its municipality, the first serum before the second.
 */

type Comum = {
  /** Only rows of this disease; the forms share columns. */
  so?: TipoAgravo
  /** Only where an earlier column did not tell. */
  reserva?: true
}
export type Leitura =
  | { le: 'numero' | 'agravo' | 'individual' | 'duplicidade' | 'semana' }
  | { le: 'classificacao' | 'gestante' | 'idade' | 'pais' | 'ocupacao' | 'cep' }
  | { le: 'soro-2' | 'data-soro-2'; so: TipoAgravo }
  | ({ le: 'data'; campo: CampoDe<'date'>; semana?: 'SEM_NOT' | 'SEM_PRI' } & Comum)
  | ({ le: 'codigo'; campo: NomeDeCampo; codigos: Codigos<string | boolean> } & Comum)
  | { le: 'alarme'; campo: CampoDe<'boolean'> }
  | { le: 'item'; campo: CampoDe<'texts' | 'list-of'>; item: string }
  | { le: 'texto'; campo: CampoDe<'text'> }
  | { le: 'cnes'; campo: 'unidade_notificante.cnes' | 'dados_especificos.hospital_cnes' }
  | { le: 'uf'; campo: `estado_${string}` & NomeDeCampo }
  | { le: 'uf'; campo: `dados_especificos.${'estado_notificacao' | 'hospital_estado'}` }
  /** A municipality by its code, whose state does not matter. */
  | { le: 'ibge'; campo: `dados_especificos.${'municipio_notificacao' | 'hospital_municipio'}` }
  | { le: 'municipio'; campo: 'municipio_residencia' | 'municipio_infeccao' }
  | ({ le: 'medida'; campo: CampoDe<'integer' | 'number'> } & Comum)
  /** Known, and of no use here; or personal beyond need, and never taken. */
  | { le: 'nada' }

type CampoDe<K extends string> = {
  [N in NomeDeCampo]: (typeof CAMPOS)[N]['kind'] extends K ? N : never
}[NomeDeCampo]

export type Coluna = Leitura & { outros?: readonly string[] }

const data = (campo: CampoDe<'date'>, ...outros: string[]): Coluna => ({ le: 'data', campo, outros })
const codigo = (campo: NomeDeCampo, codigos: Codigos<string | boolean>, ...outros: string[]): Coluna => ({
  le: 'codigo',
  campo,
  codigos,
  outros,
})
const sintoma = (campo: NomeDeCampo, ...outros: string[]) => codigo(campo, SIM_NAO, ...outros)
const alarme = (campo: CampoDe<'boolean'>): Coluna => ({ le: 'alarme', campo })
const grave = (item: (typeof SINAIS_GRAVIDADE)[number]): Coluna => ({
  le: 'item',
  campo: 'dados_especificos.sinais_gravidade',
  item,
})
const comorbidade = (item: string, ...outros: string[]): Coluna => ({
  le: 'item',
  campo: 'dados_clinicos.comorbidades',
  item,
  outros,
})
const texto = (campo: CampoDe<'text'>, ...outros: string[]): Coluna => ({ le: 'texto', campo, outros })
const NADA: Coluna = { le: 'nada' }

export const COLUNAS_SINAN: Readonly<Record<string, Coluna>> = {
  NU_NOTIFIC: { le: 'numero', outros: ['NU_NOTIFICACAO', 'NUM_NOTIFICACAO', 'NUM_NOTIFIC'] },
  TP_NOT: { le: 'individual', outros: ['TP_NOTIFICACAO'] },
  NDUPLIC_N: { le: 'duplicidade', outros: ['NDUPLIC'] },
  ID_AGRAVO: { le: 'agravo', outros: ['CO_CID', 'CO_AGRAVO', 'CID10'] },
  SEM_NOT: { le: 'semana', outros: ['DS_SEMANA_NOTIFICACAO'] },
  DT_NOTIFIC: { le: 'data', campo: 'data_notificacao', semana: 'SEM_NOT', outros: ['DT_NOTIFICACAO'] },
  SEM_PRI: { le: 'semana', outros: ['DS_SEMANA_SINTOMA'] },
  DT_SIN_PRI: {
    le: 'data',
    campo: 'data_inicio_sintomas',
    semana: 'SEM_PRI',
    outros: ['DT_DIAGNOSTICO_SINTOMA', 'DT_DIAG_SIN', 'DT_SINTOMAS'],
  },
  ID_UNIDADE: { le: 'cnes', campo: 'unidade_notificante.cnes', outros: ['CO_UNIDADE_NOTIFICACAO'] },
  DT_INVEST: data('data_investigacao', 'DT_INVESTIGACAO'),
  SG_UF_NOT: { le: 'uf', campo: 'dados_especificos.estado_notificacao', outros: ['CO_UF_NOTIFICACAO'] },
  ID_MUNICIP: {
    le: 'ibge',
    campo: 'dados_especificos.municipio_notificacao',
    outros: ['CO_MUNICIPIO_NOTIFICACAO'],
  },
  ID_REGIONA: texto('dados_especificos.regional_notificacao', 'ID_REGIONAL'),
  DT_DIGITA: data('dados_especificos.data_digitacao'),

  NM_PACIENT: texto('paciente_nome', 'NO_NOME_PACIENTE', 'NM_PACIENTE'),
  DT_NASC: data('paciente_data_nascimento', 'DT_NASCIMENTO'),
  NU_IDADE_N: { le: 'idade', outros: ['NU_IDADE'] },
  CS_SEXO: codigo('paciente_sexo', SEXO, 'TP_SEXO'),
  CS_GESTANT: { le: 'gestante', outros: ['TP_GESTANTE', 'CS_GESTANTE'] },
  CS_RACA: codigo('paciente_raca', RACA, 'TP_RACA_COR'),
  CS_ESCOL_N: codigo('paciente_escolaridade', ESCOLARIDADE, 'TP_ESCOLARIDADE', 'CS_ESCOLAR'),
  ID_OCUPA_N: { le: 'ocupacao', outros: ['CO_CBO_OCUPACAO', 'ID_OCUPACAO'] },

  SG_UF: { le: 'uf', campo: 'estado_residencia', outros: ['CO_UF_RESIDENCIA'] },
  ID_MN_RESI: {
    le: 'municipio',
    campo: 'municipio_residencia',
    outros: ['ID_MN_RESID', 'CO_MUNICIPIO_RESIDENCIA'],
  },
  NM_BAIRRO: texto('bairro_residencia', 'NO_BAIRRO_RESIDENCIA'),
  CS_ZONA: codigo('zona_residencia', ZONA, 'TP_ZONA_RESIDENCIA'),
  NM_LOGRADO: texto('logradouro_residencia', 'NOME_LOGRADOURO_RESIDENCIA', 'NO_LOGRADOURO_RESIDENCIA'),
  NU_NUMERO: texto('numero_residencia', 'NU_RESIDENCIA'),
  NU_CEP: { le: 'cep', outros: ['NU_CEP_RESIDENCIA'] },

  TPAUTOCTO: codigo('dados_especificos.autoctone', AUTOCTONE, 'TP_AUTOCTONE_RESIDENCIA'),
  COUFINF: { le: 'uf', campo: 'estado_infeccao', outros: ['CO_UF_INFECCAO'] },
  COMUNINF: { le: 'municipio', campo: 'municipio_infeccao', outros: ['CO_MUNICIPIO_INFECCAO'] },
  COPAISINF: { le: 'pais', outros: ['CO_PAIS_INFECCAO'] },

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
  PETEQUIAS: { le: 'codigo', campo: 'dados_especificos.petequias', codigos: SIM_NAO, reserva: true },
  LEUCOPENIA: sintoma('dados_especificos.leucopenia'),
  LACO: codigo('dados_especificos.prova_laco', LACO),
  LACO_N: { le: 'codigo', campo: 'dados_especificos.prova_laco', codigos: LACO, reserva: true },
  DOR_RETRO: sintoma('dados_especificos.dor_retro_orbital'),

  DIABETES: comorbidade('diabetes'),
  HEMATOLOG: comorbidade('doencas_hematologicas'),
  HEPATOPAT: comorbidade('hepatopatias'),
  RENAL: comorbidade('doenca_renal_cronica'),
  HIPERTENSA: comorbidade('hipertensao_arterial', 'HIPERTENSAO'),
  ACIDO_PEPT: comorbidade('doenca_acido_peptica'),
  AUTO_IMUNE: comorbidade('doencas_autoimunes'),

  DT_CHIK_S1: {
    le: 'data',
    campo: 'dados_laboratoriais.data_igm',
    so: 'chikungunya',
    outros: ['DT_CHIL_S1'],
  },
  RES_CHIKS1: { le: 'codigo', campo: 'dados_laboratoriais.igm', codigos: RESULTADO, so: 'chikungunya' },
  RES_CHIKS2: { le: 'soro-2', so: 'chikungunya' },
  DT_CHIK_S2: { le: 'data-soro-2', so: 'chikungunya', outros: ['DT_CHIL_S2'] },
  DT_SORO: { le: 'data', campo: 'dados_laboratoriais.data_igm', so: 'dengue', outros: ['DT_COLETA_EXAME'] },
  RESUL_SORO: {
    le: 'codigo',
    campo: 'dados_laboratoriais.igm',
    codigos: RESULTADO,
    so: 'dengue',
    outros: ['TP_RESULT_EXAME'],
  },
  DT_PRNT: data('dados_laboratoriais.data_prnt'),
  RESUL_PRNT: codigo('dados_laboratoriais.prnt', RESULTADO),
  DT_NS1: data('dados_laboratoriais.data_ns1', 'DT_COLETA_NS1'),
  RESUL_NS1: codigo('dados_laboratoriais.ns1', RESULTADO, 'TP_RESULT_NS1'),
  DT_VIRAL: data('dados_laboratoriais.data_isolamento_viral', 'DT_COLETA_ISOLAMENTO'),
  RESUL_VI_N: codigo(
    'dados_laboratoriais.isolamento_viral',
    RESULTADO,
    'TP_RESULT_ISOLAMENTO',
    'RESUL_VIRAL',
  ),
  DT_PCR: data('dados_laboratoriais.data_pcr', 'DT_COLETA_RTPCR'),
  RESUL_PCR_: codigo('dados_laboratoriais.pcr', RESULTADO, 'RESUL_PCR', 'TP_RESULT_RTPCR'),
  SOROTIPO: codigo('dados_especificos.sorotipo', SOROTIPO, 'TP_SOROTIPO'),
  HISTOPA_N: codigo('dados_laboratoriais.histopatologia', RESULTADO, 'TP_RESULT_HISTOPATOLOGIA'),
  IMUNOH_N: codigo('dados_laboratoriais.imunohistoquimica', RESULTADO, 'TP_RESULT_IMUNOHISTOQUIMICA'),
  PLAQ_MENOR: { le: 'medida', campo: 'dados_laboratoriais.plaquetas' },
  HEMA_MAIOR: { le: 'medida', campo: 'dados_laboratoriais.hematocrito' },
  HEMA_MENOR: { le: 'medida', campo: 'dados_laboratoriais.hematocrito', reserva: true },

  HOSPITALIZ: codigo('hospitalizacao', SIM_NAO, 'ST_OCORREU_HOSPITALIZACAO', 'HOSPITALIZA'),
  DT_INTERNA: data('data_internacao', 'DT_INTERNACAO'),
  UF: { le: 'uf', campo: 'dados_especificos.hospital_estado', outros: ['CO_UF_HOSPITAL'] },
  MUNICIPIO: {
    le: 'ibge',
    campo: 'dados_especificos.hospital_municipio',
    outros: ['CO_MUNICIPIO_HOSPITAL'],
  },
  HOSPITAL: { le: 'cnes', campo: 'dados_especificos.hospital_cnes', outros: ['CO_UNIDADE_HOSPITAL'] },
  DOENCA_TRA: codigo('dados_especificos.relacionada_ao_trabalho', SIM_NAO, 'ST_DOENCA_TRABALHO'),

  CLASSI_FIN: { le: 'classificacao', outros: ['TP_CLASSIFICACAO_FINAL'] },
  CRITERIO: codigo('criterio_confirmacao', CRITERIO, 'TP_CRITERIO_CONFIRMACAO'),
  CLINC_CHIK: {
    le: 'codigo',
    campo: 'dados_especificos.apresentacao_clinica',
    codigos: APRESENTACAO,
    // Filled in rows of dengue too, where it means nothing.
    so: 'chikungunya',
    outros: ['CLINIC_CHIK'],
  },
  EVOLUCAO: codigo('evolucao', EVOLUCAO, 'TP_EVOLUCAO_CASO'),
  DT_OBITO: data('data_obito'),
  DT_ENCERRA: data('data_encerramento', 'DT_ENCERRAMENTO'),

  ALRM_HIPOT: alarme('dados_especificos.hipotensao'),
  ALRM_PLAQ: alarme('dados_especificos.queda_plaquetas'),
  ALRM_VOM: alarme('dados_clinicos.sinais_sintomas.vomito_persistente'),
  ALRM_SANG: alarme('dados_clinicos.sinais_sintomas.sangramento_mucosa'),
  ALRM_HEMAT: alarme('dados_especificos.aumento_hematocrito'),
  ALRM_ABDOM: alarme('dados_clinicos.sinais_sintomas.dor_abdominal'),
  ALRM_LETAR: alarme('dados_clinicos.sinais_sintomas.letargia'),
  ALRM_HEPAT: alarme('dados_clinicos.sinais_sintomas.hepatomegalia'),
  ALRM_LIQ: alarme('dados_clinicos.sinais_sintomas.acumulo_liquidos'),
  DT_ALRM: data('dados_especificos.data_sinais_alarme'),

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
  DT_GRAV: data('dados_especificos.data_sinais_gravidade'),

  // The mother's name, the national card, telephones, the finer address and free text: more than the case needs.
  NM_MAE_PAC: NADA,
  ID_CNS_SUS: NADA,
  NU_DDD_TEL: NADA,
  NU_TELEFON: NADA,
  NM_COMPLEM: NADA,
  NM_REFEREN: NADA,
  DS_OBS: { le: 'nada', outros: ['DS_OBSERVACAO'] },
  ...semUso(
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

function semUso(...lines: string[]): Record<string, Coluna> {
  return Object.fromEntries(lines.flatMap((line) => line.split(' ')).map((nome) => [nome, NADA]))
}

/** Any of a column's names → its name in the DBF. */
export const CANONICAS: ReadonlyMap<string, string> = new Map(
  Object.entries(COLUNAS_SINAN).flatMap(([nome, { outros = [] }]) =>
    [nome, ...outros].map((one) => [one, nome]),
  ),
)
