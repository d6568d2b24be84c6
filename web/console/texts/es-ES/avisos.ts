import type { avisos as pt } from '../pt-BR/avisos.ts'
import { formats } from './formats.ts'

/** Places that are told by name. */
const MOST_NAMED = 2

/** Rows by the list that they are new in. */
const NEW_ROWS: Record<string, [one: string, many: string]> = {
  casos: ['caso nuevo', 'casos nuevos'],
  alertas: ['alerta nueva', 'alertas nuevas'],
  importacoes: ['importación nueva', 'importaciones nuevas'],
  'epizootias-importacoes': ['importación nueva', 'importaciones nuevas'],
  'series-importacoes': ['importación nueva', 'importaciones nuevas'],
  usuarios: ['cuenta nueva', 'cuentas nuevas'],
  'contas-de-servico': ['cuenta nueva', 'cuentas nuevas'],
  epizootias: ['epizootia nueva', 'epizootias nuevas'],
  series: ['serie nueva', 'series nuevas'],
  duplicidades: ['par nuevo', 'pares nuevos'],
  noticias: ['noticia nueva', 'noticias nuevas'],
  boletins: ['boletín nuevo', 'boletines nuevos'],
  grupos: ['grupo nuevo', 'grupos nuevos'],
  agendas: ['agenda nueva', 'agendas nuevas'],
  auditoria: ['registro nuevo', 'registros nuevos'],
}

export const avisos: typeof pt = {
  title: 'Notificaciones',
  open: (unread: number) => (unread === 0 ? 'Notificaciones' : `Notificaciones, ${unread} sin leer`),
  none: 'Nada todavía. Aquí aparece lo que terminó mientras usted estaba en otra pantalla: importaciones, exportaciones, boletines; y las alertas y noticias nuevas.',
  sending: (percent) => `Enviando ${percent} %`,
  notSent: 'Envío interrumpido',
  unread: 'Nueva:',
  file: 'Descargar el archivo',
  jobOver: 'Un trabajo terminó',
  tipos: {
    webhook_desligado: 'Un webhook suyo fue desactivado: su destino no responde',
    sessoes_encerradas: 'Un administrador cerró sus sesiones',
    mfa_encerrado: 'Un administrador retiró su segundo factor',
    senha_definida: 'Un administrador definió su contraseña',
    alertas: 'Subieron niveles de alerta',
    noticia: 'Se publicó una noticia',
  },
  alertas: (agravo: string, nivel: string, lugar: string, total: number) =>
    total === 1
      ? `${agravo}: el nivel subió a ${nivel} en ${lugar}`
      : `${agravo}: ${formats.number(total)} alertas nuevas; la más alta, ${nivel}, en ${lugar}`,
  noticia: (titulo: string) => `Noticia: ${titulo}`,
  moment: (at: Date) =>
    `${formats.date(at)} a las ${formats.date(at, { hour: '2-digit', minute: '2-digit' })}`,
  live: 'En vivo',
  liveHint: 'Los cambios aparecen a medida que ocurren',
  lost: (minutes: number) => `sin avisos hace ${minutes} min`,
  cut: 'Sin conexión',
  lostHint: 'Los cambios no están llegando; la consola reintenta sola',
  outOfDate: (lugares: string[] | null) => {
    if (lugares === null) return 'Hay datos nuevos.'
    return lugares.length > MOST_NAMED
      ? `Hay datos nuevos de ${lugares.length} lugares.`
      : `Hay datos nuevos: ${lugares.join('; ')}.`
  },
  gained: (list: string, rows: number) => {
    if (rows < 0)
      return rows === -1
        ? '1 fila salió de este recorte.'
        : `${formats.number(-rows)} filas salieron de este recorte.`
    return `${formats.number(rows)} ${NEW_ROWS[list]?.[rows === 1 ? 0 : 1]} en este recorte.`
  },
  refresh: 'Actualizar',
}
