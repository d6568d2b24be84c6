import type { Permission } from '../../caller/permissions.ts'

/** A kind of event: the permission that its receivers need, the schema of its `dados`, and an example. */
export interface EventoDescription {
  descricao: string
  permissao: Permission
  /** JSON Schema of each field of `dados`. */
  dados: Record<string, object>
  exemplo: Record<string, unknown>
}

const integer = (description: string) => ({ type: 'integer', description })
const text = (description: string) => ({ type: 'string', description })
const number = (description: string) => ({ type: 'number', description })
const maybe = (type: string, description: string) => ({ type: [type, 'null'], description })

const caso = {
  id: integer('O caso'),
  tipo_agravo: text('Código do agravo'),
  numero_notificacao: text('Número da notificação'),
  versao: integer('Aumenta a cada alteração do caso'),
}
const exemploDeCaso = { id: 123, tipo_agravo: 'dengue', numero_notificacao: '2026001234', versao: 2 }
const usuario = { id: integer('A conta') }

const epizootia = {
  id: integer('O evento em animais'),
  suspeita: text('A doença de que se suspeita'),
  especie_grupo: text('Grupo de animais: pnh, canideo, quiroptero…'),
  classificacao: text('em_investigacao, confirmada, indeterminada ou descartada'),
  municipio: text('Código IBGE do município de ocorrência'),
  estado: text('UF de ocorrência'),
  versao: integer('Aumenta a cada alteração'),
}
const exemploDeEpizootia = {
  id: 31,
  suspeita: 'febre_amarela',
  especie_grupo: 'pnh',
  classificacao: 'em_investigacao',
  municipio: '3550308',
  estado: 'SP',
  versao: 1,
}
const deEpizootia = (descricao: string, exemplo: Record<string, unknown> = {}) => ({
  descricao,
  permissao: 'epizootias.listar' as const,
  dados: epizootia,
  exemplo: { ...exemploDeEpizootia, ...exemplo },
})

/** No personal data in any of them: a receiver that may know more reads the record. */
export const EVENTOS = {
  'agravo.criado': {
    descricao: 'Um caso foi registrado',
    permissao: 'agravos.listar',
    dados: caso,
    exemplo: { ...exemploDeCaso, versao: 1 },
  },
  'agravo.atualizado': {
    descricao: 'Um caso foi alterado',
    permissao: 'agravos.listar',
    dados: caso,
    exemplo: exemploDeCaso,
  },
  'agravo.excluido': {
    descricao:
      'Um caso foi excluído; `definitivo` quando não pode mais ser restaurado, `fundido_com` quando outro o absorveu',
    permissao: 'agravos.listar',
    dados: {
      ...caso,
      definitivo: { type: 'boolean', description: 'Foi removido para sempre' },
      fundido_com: maybe('integer', 'O caso que o absorveu; nulo em outra exclusão'),
    },
    exemplo: { ...exemploDeCaso, versao: 3, definitivo: false, fundido_com: null },
  },
  'agravo.restaurado': {
    descricao: 'Um caso excluído voltou',
    permissao: 'agravos.listar',
    dados: caso,
    exemplo: { ...exemploDeCaso, versao: 4 },
  },
  'importacao.concluida': {
    descricao: 'Uma importação terminou: um só evento por todos os seus casos',
    permissao: 'agravos.listar',
    dados: {
      id: integer('A importação: os casos têm este número em `importacao_id`'),
      job_id: text('O job que a fez'),
      total_linhas: integer('Linhas do arquivo'),
      importados: integer('Casos novos'),
      atualizados: integer('Casos alterados'),
      inalterados: integer('Casos que já eram assim'),
      erros: integer('Linhas rejeitadas'),
      alvo: text('O que trouxe: casos ou epizootias'),
    },
    exemplo: {
      id: 7,
      job_id: 'job_2fQm0rTjvYkq1cW8aZb3xNdE',
      total_linhas: 230,
      importados: 200,
      atualizados: 20,
      inalterados: 8,
      erros: 2,
      alvo: 'casos',
    },
  },
  'importacao.desfeita': {
    descricao: 'Uma importação foi desfeita: um só evento por todos os seus casos',
    permissao: 'agravos.listar',
    dados: {
      id: integer('A importação'),
      job_id: text('O job que a desfez'),
      removidos: integer('Casos removidos'),
      restaurados: integer('Casos que voltaram ao que eram'),
      mantidos: integer('Casos alterados depois, que ficaram como estão'),
      alvo: text('O que trouxera: casos ou epizootias'),
    },
    exemplo: {
      id: 7,
      job_id: 'job_9xKp2LrTjvYkq1cW8aZb3NdE',
      removidos: 198,
      restaurados: 20,
      mantidos: 2,
      alvo: 'casos',
    },
  },
  'alerta.alterado': {
    descricao: 'O nível de alerta de um lugar mudou na última semana encerrada',
    permissao: 'agravos.estatisticas',
    dados: {
      id: integer('O alerta'),
      tipo_agravo: text('Código do agravo'),
      lugar: {
        type: 'object',
        description:
          '`nivel` (pais, estado, regiao_saude, municipio), `codigo` (nulo: o país), `nome`, `estado`',
      },
      semana: text('Semana epidemiológica, AAAASS'),
      nivel: text('verde, amarelo, laranja ou vermelho'),
      nivel_anterior: maybe('string', 'O último contado; nulo no primeiro alerta do lugar'),
      motivos: { type: 'array', items: { type: 'string' }, description: 'Por que está neste nível' },
      casos: integer('Casos prováveis já conhecidos'),
      casos_estimados: number('Casos prováveis esperados'),
      incidencia: maybe('number', 'Dos esperados, por 100 mil residentes; nula: população desconhecida'),
      p_rt_maior_1: number('Probabilidade de Rt acima de 1'),
      limite_superior: maybe('number', 'Do diagrama de controle; nulo: anos de menos'),
      qualidade: text('Do diagrama de controle: insuficiente, baixa ou adequada'),
    },
    exemplo: {
      id: 41,
      tipo_agravo: 'dengue',
      lugar: { nivel: 'municipio', codigo: '2611606', nome: 'Recife', estado: 'PE' },
      semana: '202607',
      nivel: 'laranja',
      nivel_anterior: 'amarelo',
      motivos: ['crescimento', 'acima_da_media'],
      casos: 112,
      casos_estimados: 171,
      incidencia: 10.7386,
      p_rt_maior_1: 0.998,
      limite_superior: 14.2,
      qualidade: 'adequada',
    },
  },
  'serie.atualizada': {
    descricao: 'Valores de uma série mudaram: um só evento por série de uma gravação ou importação',
    permissao: 'series.listar',
    dados: {
      codigo: text('A série'),
      importacao_id: integer('A importação, que pode ser desfeita'),
      lugares: integer('Lugares com valores enviados'),
      valores_novos: integer('Valores novos'),
      valores_alterados: integer('Valores alterados ou apagados'),
      primeiro: text('Primeiro período enviado'),
      ultimo: text('Último período enviado'),
    },
    exemplo: {
      codigo: 'temp_min',
      importacao_id: 41,
      lugares: 1,
      valores_novos: 91,
      valores_alterados: 0,
      primeiro: '2020-01-01',
      ultimo: '2020-03-31',
    },
  },
  'tipo_agravo.alterado': {
    descricao: 'A definição de um agravo entrou em vigor, ou ele foi desativado ou removido',
    permissao: 'agravos.listar',
    dados: {
      codigo: text('O agravo'),
      versao: integer('A versão da definição'),
      estado: text('`ativa`, `inativa` ou `removida`'),
    },
    exemplo: { codigo: 'leptospirose', versao: 1, estado: 'ativa' },
  },
  'epizootia.criada': deEpizootia('Um evento em animais foi registrado'),
  'epizootia.atualizada': deEpizootia('Um evento em animais foi alterado', { versao: 2 }),
  'epizootia.excluida': deEpizootia('Um evento em animais foi excluído', { versao: 3 }),
  'epizootia.restaurada': deEpizootia('Um evento em animais excluído voltou', { versao: 4 }),
  'epizootia.confirmada': deEpizootia('Um evento em animais foi confirmado', {
    classificacao: 'confirmada',
    versao: 2,
  }),
  'usuario.criado': {
    descricao: 'Uma conta foi criada',
    permissao: 'usuarios.listar',
    dados: usuario,
    exemplo: { id: 45 },
  },
  'usuario.desativado': {
    descricao: 'Uma conta foi desativada ou removida',
    permissao: 'usuarios.listar',
    dados: usuario,
    exemplo: { id: 45 },
  },
  'usuario.territorio_alterado': {
    descricao: 'O território de uma conta mudou',
    permissao: 'usuarios.listar',
    dados: usuario,
    exemplo: { id: 45 },
  },
  'usuario.chaves_alteradas': {
    descricao: 'Uma chave de uma conta de serviço foi criada, renovada ou revogada',
    permissao: 'chaves.gerenciar',
    dados: usuario,
    exemplo: { id: 45 },
  },
} as const satisfies Record<string, EventoDescription>

export type TipoDeEvento = keyof typeof EVENTOS
export const TIPOS_DE_EVENTO = Object.keys(EVENTOS) as TipoDeEvento[]

/** Sent by the test of a webhook; it cannot be subscribed to. */
export const TEST_EVENTO = 'webhook.teste'
