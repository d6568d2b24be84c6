import { formats } from './formats.ts'

/** Places that are told by name. */
const MOST_NAMED = 2

/** Rows by the list that they are new in. */
const NEW_ROWS: Record<string, [one: string, many: string]> = {
  casos: ['caso novo', 'casos novos'],
  alertas: ['alerta novo', 'alertas novos'],
  importacoes: ['importação nova', 'importações novas'],
  'epizootias-importacoes': ['importação nova', 'importações novas'],
  'series-importacoes': ['importação nova', 'importações novas'],
  usuarios: ['conta nova', 'contas novas'],
  'contas-de-servico': ['conta nova', 'contas novas'],
  epizootias: ['epizootia nova', 'epizootias novas'],
  series: ['série nova', 'séries novas'],
  duplicidades: ['par novo', 'pares novos'],
  noticias: ['notícia nova', 'notícias novas'],
  boletins: ['boletim novo', 'boletins novos'],
  grupos: ['grupo novo', 'grupos novos'],
  agendas: ['agenda nova', 'agendas novas'],
  auditoria: ['registro novo', 'registros novos'],
}

export const avisos = {
  title: 'Notificações',
  open: (unread: number) =>
    unread === 0 ? 'Notificações' : `Notificações, ${unread} ${unread === 1 ? 'não lida' : 'não lidas'}`,
  none: 'Nada ainda. Aqui aparece o que terminou enquanto você estava em outra tela: importações, exportações, boletins; e os alertas e notícias novos.',
  sending: (percent: number) => `Enviando ${percent} %`,
  notSent: 'Envio interrompido',
  unread: 'Nova:',
  file: 'Baixar o arquivo',
  jobOver: 'Um trabalho terminou',
  tipos: {
    webhook_desligado: 'Um webhook seu foi desligado: o destino não responde',
    sessoes_encerradas: 'Suas sessões foram encerradas por um administrador',
    mfa_encerrado: 'Seu segundo fator foi retirado por um administrador',
    senha_definida: 'Sua senha foi definida por um administrador',
    alertas: 'Níveis de alerta subiram',
    noticia: 'Uma notícia foi publicada',
  },
  alertas: (agravo: string, nivel: string, lugar: string, total: number) =>
    total === 1
      ? `${agravo}: o nível subiu para ${nivel} em ${lugar}`
      : `${agravo}: ${formats.number(total)} alertas novos; o mais alto, ${nivel}, em ${lugar}`,
  noticia: (titulo: string) => `Notícia: ${titulo}`,
  moment: (at: Date) => `${formats.date(at)} às ${formats.date(at, { hour: '2-digit', minute: '2-digit' })}`,
  live: 'Ao vivo',
  liveHint: 'Mudanças aparecem à medida que acontecem',
  lost: (minutes: number) => `sem avisos há ${minutes} min`,
  cut: 'Sem conexão',
  lostHint: 'As mudanças não estão chegando; o console tenta de novo sozinho',
  outOfDate: (lugares: string[] | null) => {
    if (lugares === null) return 'Há novos dados.'
    return lugares.length > MOST_NAMED
      ? `Há novos dados de ${lugares.length} lugares.`
      : `Há novos dados: ${lugares.join('; ')}.`
  },
  gained: (list: string, rows: number) => {
    if (rows < 0)
      return rows === -1
        ? '1 linha saiu deste recorte.'
        : `${formats.number(-rows)} linhas saíram deste recorte.`
    return `${formats.number(rows)} ${NEW_ROWS[list]?.[rows === 1 ? 0 : 1]} neste recorte.`
  },
  refresh: 'Atualizar',
}
