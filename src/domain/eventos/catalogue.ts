import type { Permission } from '../../caller/permissions.ts'

/** What can happen to tell others about: who may learn of it, what its `dados` hold and what they look like. */
export interface DescricaoDeEvento {
  descricao: string
  permissao: Permission
  /** JSON Schema of each field of `dados`. */
  dados: Record<string, object>
  exemplo: Record<string, unknown>
}

const inteiro = (description: string) => ({ type: 'integer', description })
const texto = (description: string) => ({ type: 'string', description })

const caso = {
  id: inteiro('O caso'),
  tipo_agravo: texto('dengue, zika ou chikungunya'),
  numero_notificacao: texto('Número da notificação'),
  versao: inteiro('Aumenta a cada alteração do caso'),
}
const umCaso = { id: 123, tipo_agravo: 'dengue', numero_notificacao: '2026001234', versao: 2 }
const usuario = { id: inteiro('A conta') }

/** No personal data in any of them: whoever may know more reads the record. */
export const EVENTOS = {
  'agravo.criado': {
    descricao: 'Um caso foi registrado',
    permissao: 'agravos.listar',
    dados: caso,
    exemplo: { ...umCaso, versao: 1 },
  },
  'agravo.atualizado': {
    descricao: 'Um caso foi alterado',
    permissao: 'agravos.listar',
    dados: caso,
    exemplo: umCaso,
  },
  'agravo.excluido': {
    descricao: 'Um caso foi excluído; `definitivo` quando não pode mais ser restaurado',
    permissao: 'agravos.listar',
    dados: { ...caso, definitivo: { type: 'boolean', description: 'Foi removido para sempre' } },
    exemplo: { ...umCaso, versao: 3, definitivo: false },
  },
  'agravo.restaurado': {
    descricao: 'Um caso excluído voltou',
    permissao: 'agravos.listar',
    dados: caso,
    exemplo: { ...umCaso, versao: 4 },
  },
  'importacao.concluida': {
    descricao: 'Uma importação terminou: um só evento por todos os seus casos',
    permissao: 'agravos.listar',
    dados: {
      id: inteiro('A importação: os casos têm este número em `importacao_id`'),
      job_id: texto('O job que a fez'),
      total_linhas: inteiro('Linhas do arquivo'),
      importados: inteiro('Casos novos'),
      atualizados: inteiro('Casos alterados'),
      inalterados: inteiro('Casos que já eram assim'),
      erros: inteiro('Linhas rejeitadas'),
    },
    exemplo: {
      id: 7,
      job_id: 'job_2fQm0rTjvYkq1cW8aZb3xNdE',
      total_linhas: 230,
      importados: 200,
      atualizados: 20,
      inalterados: 8,
      erros: 2,
    },
  },
  'importacao.desfeita': {
    descricao: 'Uma importação foi desfeita: um só evento por todos os seus casos',
    permissao: 'agravos.listar',
    dados: {
      id: inteiro('A importação'),
      job_id: texto('O job que a desfez'),
      removidos: inteiro('Casos removidos'),
      restaurados: inteiro('Casos que voltaram ao que eram'),
      mantidos: inteiro('Casos alterados depois, que ficaram como estão'),
    },
    exemplo: { id: 7, job_id: 'job_9xKp2LrTjvYkq1cW8aZb3NdE', removidos: 198, restaurados: 20, mantidos: 2 },
  },
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
} as const satisfies Record<string, DescricaoDeEvento>

export type TipoDeEvento = keyof typeof EVENTOS
export const TIPOS_DE_EVENTO = Object.keys(EVENTOS) as TipoDeEvento[]

/** Sent when somebody asks whether their receiver works; nobody subscribes to it. */
export const EVENTO_DE_TESTE = 'webhook.teste'
