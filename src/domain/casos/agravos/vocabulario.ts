import type { CodigoDoVocabulario, Lista } from './definicao.ts'

/** Codes that mean the same in every disease: those of the three known ones, in the order of their forms, then those of the shipped ones. */

type Linha = readonly [codigo: string, rotulo: string, grupo: string, grave?: 'grave']

const of = (lista: Lista, linhas: readonly Linha[]): CodigoDoVocabulario[] =>
  linhas.map(([codigo, rotulo, grupo, grave]) => ({
    lista,
    codigo,
    rotulo,
    grupo,
    grave: grave !== undefined,
  }))

export const VOCABULARIO: readonly CodigoDoVocabulario[] = [
  ...of('classificacao', [
    ['dengue_sem_sinais_alarme', 'Dengue sem sinais de alarme', 'confirmado'],
    ['dengue_com_sinais_alarme', 'Dengue com sinais de alarme', 'confirmado', 'grave'],
    ['dengue_grave', 'Dengue grave', 'confirmado', 'grave'],
    ['confirmado', 'Confirmado', 'confirmado'],
    ['dengue_classico', 'Dengue clássico (antes de 2014)', 'confirmado'],
    ['dengue_com_complicacoes', 'Dengue com complicações (antes de 2014)', 'confirmado', 'grave'],
    ['febre_hemorragica_dengue', 'Febre hemorrágica da dengue (antes de 2014)', 'confirmado', 'grave'],
    ['sindrome_choque_dengue', 'Síndrome do choque da dengue (antes de 2014)', 'confirmado', 'grave'],
    ['descartado', 'Descartado', 'descartado'],
    ['inconclusivo', 'Inconclusivo', 'inconclusivo'],
    ['febre_amarela_silvestre', 'Febre amarela silvestre', 'confirmado'],
    ['febre_amarela_urbana', 'Febre amarela urbana', 'confirmado'],
    ['sifilis_congenita_recente', 'Sífilis congênita recente', 'confirmado'],
    ['sifilis_congenita_tardia', 'Sífilis congênita tardia', 'confirmado'],
    ['aborto_por_sifilis', 'Aborto por sífilis', 'confirmado'],
    ['natimorto_por_sifilis', 'Natimorto por sífilis', 'confirmado'],
  ]),
  ...of('criterio', [
    ['laboratorial', 'Laboratorial', 'final'],
    ['clinico_epidemiologico', 'Clínico-epidemiológico', 'final'],
    ['em_investigacao', 'Em investigação', 'aberto'],
    ['clinico', 'Clínico', 'final'],
  ]),
  ...of('evolucao', [
    ['cura', 'Cura', 'cura'],
    ['obito', 'Óbito pelo agravo', 'obito_agravo'],
    ['obito_outras_causas', 'Óbito por outras causas', 'obito_outras'],
    ['obito_em_investigacao', 'Óbito em investigação', 'obito_investigacao'],
    ['ignorado', 'Ignorado', 'ignorado'],
    ['vivo', 'Vivo', 'cura'],
    ['abandono', 'Abandono', 'outro'],
    ['transferencia', 'Transferência', 'outro'],
    ['mudanca_diagnostico', 'Mudança de diagnóstico', 'outro'],
    ['aborto', 'Aborto', 'outro'],
    ['natimorto', 'Natimorto', 'outro'],
    ['tb_drogarresistente', 'TB drogarresistente', 'outro'],
    ['mudanca_esquema', 'Mudança de esquema', 'outro'],
    ['falencia', 'Falência', 'outro'],
    ['abandono_primario', 'Abandono primário', 'outro'],
    ['obito_sem_causa', 'Óbito sem causa informada', 'outro'],
  ]),
]
