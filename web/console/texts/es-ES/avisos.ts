import type { avisos as pt } from '../pt-BR/avisos.ts'

const LOCALE = 'es-ES'

export const avisos: typeof pt = {
  title: 'Notificaciones',
  open: (unread: number) => (unread === 0 ? 'Notificaciones' : `Notificaciones, ${unread} sin leer`),
  none: 'Nada todavía. Aquí aparece lo que terminó mientras usted estaba en otra pantalla: importaciones, exportaciones, boletines.',
  unread: 'Nueva:',
  file: 'Descargar el archivo',
  jobOver: 'Un trabajo terminó',
  tipos: {
    webhook_desligado: 'Un webhook suyo fue desactivado: su destino no responde',
    sessoes_encerradas: 'Un administrador cerró sus sesiones',
    mfa_encerrado: 'Un administrador retiró su segundo factor',
    senha_definida: 'Un administrador definió su contraseña',
  },
  moment: (at: Date) =>
    `${at.toLocaleDateString(LOCALE)} a las ${at.toLocaleTimeString(LOCALE, { hour: '2-digit', minute: '2-digit' })}`,
  outOfDate: 'Hay datos nuevos.',
  refresh: 'Actualizar',
}
