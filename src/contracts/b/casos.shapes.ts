import type { Static } from 'typebox'
import { codigoDaSemana } from '../../brasil/epi-week.ts'
import type { Municipios } from '../../brasil/municipios.ts'
import type { Anexo } from '../../domain/anexos/anexos.ts'
import { type CampoAberto, leafOf, openFieldsOf } from '../../domain/casos/campos.ts'
import type { CasoListado } from '../../domain/casos/casos.sql.ts'
import type { CasoWithHistory } from '../../domain/casos/reading/read.ts'
import type { HistoryEntry } from '../../domain/casos/visao.ts'
import { toAnexo } from './anexos.shapes.ts'
import { type CasoDetalhe, type CasoResumo, SINAIS } from './caso-saida.shapes.ts'

/** Calendar dates are dates of Brazil; where the interface wants a moment, it is their beginning. */
export const atMidnight = (date: string) => `${date}T00:00:00-03:00`

const formatted = (cep: string | null) => cep && `${cep.slice(0, 5)}-${cep.slice(5)}`

const groupFields = (group: string) => openFieldsOf(group).map((nome) => [nome, leafOf(nome)] as const)
const ESPECIFICOS = groupFields('dados_especificos')
const LABORATORIAIS = groupFields('dados_laboratoriais')

/** The fields that have a value. */
function especificosOf(read: (nome: CampoAberto, chave: string) => unknown): Record<string, unknown> {
  const present: Record<string, unknown> = {}
  for (const [nome, chave] of ESPECIFICOS) {
    const value = read(nome, chave)
    if (value !== null && value !== undefined) present[chave] = value
  }
  return present
}

/** A case of a list, where nobody is identified. */
export function toResumo(caso: CasoListado, municipios: Municipios): Static<typeof CasoResumo> {
  const { dados } = caso
  return resumoOf(caso, municipios, {
    nome: caso.paciente_iniciais,
    dados_especificos: especificosOf((nome, chave) => dados[chave] ?? caso[nome as keyof CasoListado]),
    unidade: (dados.nome as string | undefined) ?? null,
    criado_em: caso.criado_em,
    atualizado_em: caso.atualizado_em,
  })
}

function resumoOf(
  caso: Omit<CasoListado, 'dados' | 'criado_em' | 'atualizado_em'>,
  municipios: Municipios,
  {
    nome,
    dados_especificos,
    unidade,
    criado_em,
    atualizado_em,
  }: Pick<Static<typeof CasoResumo>, 'dados_especificos' | 'criado_em' | 'atualizado_em'> & {
    nome: string | null
    unidade: string | null
  },
): Static<typeof CasoResumo> {
  const municipio = municipioOf(caso.municipio_residencia, municipios)
  const onset = caso.data_inicio_sintomas
  return {
    id: caso.id,
    tipo_agravo: caso.tipo_agravo,
    numero_notificacao: caso.numero_notificacao,
    data_notificacao: atMidnight(caso.data_notificacao),
    semana_epidemiologica: codigoDaSemana(caso.data_notificacao),
    data_inicio_sintomas: onset,
    semana_epidemiologica_sintomas: onset && codigoDaSemana(onset),
    paciente: {
      nome,
      idade: caso.paciente_idade,
      sexo: caso.paciente_sexo,
      gestante: caso.paciente_gestante,
    },
    endereco: {
      municipio_residencia: municipio.nome,
      codigo_ibge: municipio.codigo,
      estado_residencia: caso.estado_residencia,
      bairro: caso.bairro_residencia,
      zona: caso.zona_residencia,
    },
    classificacao_final: caso.classificacao_final,
    criterio_confirmacao: caso.criterio_confirmacao,
    evolucao: caso.evolucao,
    hospitalizacao: caso.hospitalizacao,
    status: caso.status,
    dados_especificos,
    unidade_notificante: {
      nome: unidade,
      cnes: caso['unidade_notificante.cnes'],
    },
    criado_em,
    atualizado_em,
  }
}

export function toDetalhe(
  { caso, historico }: CasoWithHistory,
  municipios: Municipios,
): Static<typeof CasoDetalhe> {
  const resumo = resumoOf(caso, municipios, {
    nome: caso.nome,
    dados_especificos: especificosOf((nome) => caso[nome]),
    unidade: caso['unidade_notificante.nome'],
    criado_em: caso.criado_em.toISOString(),
    atualizado_em: caso.atualizado_em.toISOString(),
  })
  const infeccao = municipioOf(caso.municipio_infeccao, municipios)
  const { sigilo } = caso
  const sinal = (nome: string) =>
    (caso as unknown as Record<string, boolean | null>)[`dados_especificos.${nome}`] ??
    (caso as unknown as Record<string, boolean | null>)[`dados_clinicos.sinais_sintomas.${nome}`] ??
    null
  return {
    ...resumo,
    paciente: {
      ...resumo.paciente,
      data_nascimento: sigilo?.paciente_data_nascimento ?? null,
      raca: caso.paciente_raca,
      escolaridade: caso.paciente_escolaridade,
      ocupacao: caso.paciente_ocupacao,
    },
    endereco: {
      ...resumo.endereco,
      logradouro: sigilo?.logradouro_residencia ?? null,
      numero: sigilo?.numero_residencia ?? null,
      cep: formatted(sigilo?.cep_residencia ?? null),
      latitude: sigilo?.latitude ?? null,
      longitude: sigilo?.longitude ?? null,
    },
    local_infeccao: {
      municipio: infeccao.nome,
      codigo_ibge: infeccao.codigo,
      estado: caso.estado_infeccao,
      pais: caso.pais_infeccao,
    },
    classificacao_inicial: caso.classificacao_inicial,
    dados_clinicos: {
      sinais_sintomas: Object.fromEntries(SINAIS.map((nome) => [nome, sinal(nome)])),
      sinais_alarme: caso['dados_especificos.sinais_alarme'],
      comorbidades: caso['dados_clinicos.comorbidades'] ?? [],
      hospitalizacao: caso.hospitalizacao,
      data_internacao: caso.data_internacao,
      uti: caso.uti,
    },
    dados_laboratoriais: Object.fromEntries(LABORATORIAIS.map(([nome, chave]) => [chave, caso[nome]])),
    data_investigacao: caso.data_investigacao,
    data_encerramento: caso.data_encerramento,
    data_obito: caso.data_obito,
    investigacao: {
      locais_frequentados: sigilo?.['investigacao.locais_frequentados'] ?? null,
      viagem_recente: caso['investigacao.viagem_recente'],
      contato_casos_similares: caso['investigacao.contato_casos_similares'],
    },
    unidade_notificante: {
      ...resumo.unidade_notificante,
      telefone: caso['unidade_notificante.telefone'],
      responsavel: caso['unidade_notificante.responsavel'],
    },
    responsavel: caso.responsavel,
    origem:
      caso.importacao_id === null
        ? null
        : { importacao_id: caso.importacao_id, linha: caso.importacao_linha },
    versao: caso.versao,
    historico: historico.map((one) => toAcontecido(one, municipios)),
  }
}

export const withAnexos = (detalhe: Static<typeof CasoDetalhe>, anexos: Anexo[], publicUrl: string) => ({
  ...detalhe,
  anexos: anexos.map((anexo) => toAnexo(anexo, publicUrl)),
})

function municipioOf(
  codigo: number | null,
  municipios: Municipios,
): { nome: string | null; codigo: string | null } {
  if (codigo === null) return { nome: null, codigo: null }
  return { nome: municipios.byCodigo(codigo)?.nome ?? null, codigo: String(codigo) }
}

export function toAcontecido(
  { data, acao, usuario, alteracoes, outros }: HistoryEntry,
  municipios: Municipios,
) {
  const shown = (campo: string, value: unknown) =>
    campo.startsWith('municipio_') && typeof value === 'number'
      ? (municipios.byCodigo(value)?.nome ?? value)
      : value
  const changes = alteracoes.map(({ campo, anterior, novo }) => ({
    campo,
    anterior: shown(campo, anterior),
    novo: shown(campo, novo),
  }))
  return {
    data: data.toISOString(),
    acao,
    usuario,
    detalhes: { ...(changes.length > 0 && { alteracoes: changes }), ...outros },
  }
}
