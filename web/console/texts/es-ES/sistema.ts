import type { sistema as pt } from '../pt-BR/sistema.ts'
import { formats } from './formats.ts'

const { number } = formats
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB']
const bytes = (size: number) => {
  const at = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(size, 1)) / 10)))
  return `${formats.number(size / 1024 ** at, { maximumFractionDigits: at > 1 ? 1 : 0 })} ${UNITS[at]}`
}
const seconds = (time: number) => {
  if (time < 120) return `${number(Math.round(time))} s`
  if (time < 7_200) return `${number(Math.round(time / 60))} min`
  return time < 172_800
    ? `${number(Math.round(time / 3_600))} h`
    : `${number(Math.round(time / 86_400))} días`
}
const moment = (at: Date) =>
  `${formats.date(at)} a las ${formats.date(at, { hour: '2-digit', minute: '2-digit' })}`

export const sistema: typeof pt = {
  lead: 'Estado de cada parte del servicio.',
  healthy: 'Todo funciona',
  failing: 'Hay partes con fallos',
  version: 'Versión',
  environment: 'Entorno',
  environments: { production: 'Producción', staging: 'Homologación', sandbox: 'Pruebas' } as Record<
    string,
    string
  >,
  checkedAt: 'Comprobado a las',
  part: 'Parte',
  state: 'Estado',
  latency: 'Respuesta',
  parts: {
    database: 'Base de datos',
    migrations: 'Migraciones',
    jobs: 'Importaciones y exportaciones',
    webhooks: 'Webhooks',
    disk: 'Disco',
  },
  ok: 'En orden',
  error: 'Con fallo',
  milliseconds: (ms: number) => `${formats.number(ms, { maximumFractionDigits: 1 })} ms`,
  time: (moment: Date) => formats.date(moment, { hour: 'numeric', minute: 'numeric', second: 'numeric' }),
  refresh: 'Comprobar ahora',
  health: 'Salud',
  refreshed: 'Medido a las',
  queues: 'Colas',
  queue: 'Cola',
  waiting: 'En espera',
  oldest: 'El más antiguo espera hace',
  more: 'Además',
  queueNames: {
    jobs: 'Importaciones y exportaciones',
    entregas: 'Entregas de webhooks',
    emails: 'Correos',
    contagens: 'Conteos de casos',
  },
  running: (count) => `${number(count)} en curso`,
  failedLastHour: (count) => `${number(count)} abandonos en la última hora`,
  retrying: (count) => `${number(count)} con fallo antes`,
  webhooksFailing: (count) => (count === 1 ? '1 webhook con fallos' : `${number(count)} webhooks con fallos`),
  webhooksOff: (count) => (count === 1 ? '1 webhook apagado' : `${number(count)} webhooks apagados`),
  sizes: 'Espacio',
  database: 'Tamaño de la base',
  diskFree: 'Disco libre',
  diskOf: (free, total) => `${free} de ${total}`,
  backup: 'Última copia de seguridad',
  noBackup: 'Ninguna todavía',
  backupOf: (at, size) => `${at}, ${size}`,
  noBackupNote: 'Sin copia, un fallo del disco lo pierde todo. Vea docs/operations.md.',
  oldBackup: (days) => `Hace ${number(days)} días.`,
  limits: 'Quién más usa en esta hora',
  account: 'Cuenta',
  minute: 'Este minuto',
  hour: 'Esta hora',
  inConsole: 'en la consola',
  byPrograms: 'por programas',
  noUse: 'Ningún uso en esta hora.',
  use: (used, limit) => `${number(used)} de ${number(limit)}`,
  jobs: 'Trabajos de todas las cuentas',
  noJobs: 'Ningún trabajo en los últimos 30 días.',
  job: 'Trabajo',
  who: 'De quién',
  when: 'Pedido el',
  progress: 'Avance',
  actions: 'Acciones',
  cancel: 'Cancelar',
  cancelOf: (what, who) => `Cancelar: ${what}, de ${who}`,
  cancelTitle: '¿Cancelar este trabajo?',
  cancelNote: (what, who) => `${what}, de ${who}. Lo hecho hasta aquí se deshace.`,
  keep: 'Dejar que siga',
  statuses: { processing: 'En curso', completed: 'Terminado', failed: 'Falló', canceled: 'Cancelado' },
  tipos: {
    importacao: 'Importación de casos',
    desfazer_importacao: 'Revertir importación',
    importacao_series: 'Importación de series',
    desfazer_series: 'Revertir importación de series',
    importacao_epizootias: 'Importación de epizootias',
    desfazer_epizootias: 'Revertir importación de epizootias',
    exportacao_casos: 'Exportación de casos',
    exportacao_usuarios: 'Exportación de usuarios',
    exportacao_auditoria: 'Exportación de la auditoría',
    exportacao_epizootias: 'Exportación de epizootias',
    extrato_casos: 'Extracto para investigación',
    boletim: 'Boletín',
    verificacao_auditoria: 'Verificación de la auditoría',
    varredura_duplicidades: 'Búsqueda de duplicados',
  },
  number,
  bytes,
  seconds,
  moment,
}
