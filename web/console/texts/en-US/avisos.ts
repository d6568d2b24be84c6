import type { avisos as pt } from '../pt-BR/avisos.ts'
import { formats } from './formats.ts'

/** Places that are told by name. */
const MOST_NAMED = 2

/** Rows by the list that they are new in. */
const NEW_ROWS: Record<string, [one: string, many: string]> = {
  casos: ['new case', 'new cases'],
  alertas: ['new alert', 'new alerts'],
  importacoes: ['new import', 'new imports'],
  'epizootias-importacoes': ['new import', 'new imports'],
  'series-importacoes': ['new import', 'new imports'],
  usuarios: ['new account', 'new accounts'],
  'contas-de-servico': ['new account', 'new accounts'],
  epizootias: ['new event', 'new events'],
  series: ['new series', 'new series'],
  duplicidades: ['new pair', 'new pairs'],
  noticias: ['new article', 'new articles'],
  boletins: ['new bulletin', 'new bulletins'],
  grupos: ['new group', 'new groups'],
  agendas: ['new schedule', 'new schedules'],
  auditoria: ['new record', 'new records'],
}

export const avisos: typeof pt = {
  title: 'Notifications',
  open: (unread: number) => (unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`),
  none: 'Nothing yet. Here you find what ended while you were on another screen: imports, exports, bulletins; and new alerts and news.',
  sending: (percent) => `Sending ${percent} %`,
  notSent: 'Sending stopped',
  unread: 'New:',
  file: 'Download the file',
  jobOver: 'A task ended',
  tipos: {
    webhook_desligado: 'A webhook of yours was switched off: its receiver does not answer',
    sessoes_encerradas: 'An administrator ended your sessions',
    mfa_encerrado: 'An administrator removed your second factor',
    senha_definida: 'An administrator set your password',
    alertas: 'Levels of alert rose',
    noticia: 'News were published',
  },
  alertas: (agravo: string, nivel: string, lugar: string, total: number) =>
    total === 1
      ? `${agravo}: the level rose to ${nivel} in ${lugar}`
      : `${agravo}: ${formats.number(total)} new alerts; the highest, ${nivel}, in ${lugar}`,
  noticia: (titulo: string) => `News: ${titulo}`,
  moment: (at: Date) => `${formats.date(at)} at ${formats.date(at, { hour: '2-digit', minute: '2-digit' })}`,
  live: 'Live',
  liveHint: 'Changes show as they happen',
  lost: (minutes: number) => `no news for ${minutes} min`,
  cut: 'No connection',
  lostHint: 'Changes are not arriving; the console tries again by itself',
  outOfDate: (lugares: string[] | null) => {
    if (lugares === null) return 'There are new data.'
    return lugares.length > MOST_NAMED
      ? `There are new data of ${lugares.length} places.`
      : `There are new data: ${lugares.join('; ')}.`
  },
  gained: (list: string, rows: number) => {
    if (rows < 0)
      return rows === -1 ? '1 row left this selection.' : `${formats.number(-rows)} rows left this selection.`
    return `${formats.number(rows)} ${NEW_ROWS[list]?.[rows === 1 ? 0 : 1]} in this selection.`
  },
  refresh: 'Update',
}
