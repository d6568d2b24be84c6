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
    : `${number(Math.round(time / 86_400))} days`
}
const moment = (at: Date) =>
  `${formats.date(at)} at ${formats.date(at, { hour: '2-digit', minute: '2-digit' })}`

export const sistema: typeof pt = {
  lead: 'State of each part of the service.',
  healthy: 'Everything works',
  failing: 'Some parts are failing',
  version: 'Version',
  environment: 'Environment',
  environments: { production: 'Production', staging: 'Staging', sandbox: 'Testing' } as Record<
    string,
    string
  >,
  checkedAt: 'Checked at',
  part: 'Part',
  state: 'State',
  latency: 'Answer',
  parts: {
    database: 'Database',
    migrations: 'Migrations',
    jobs: 'Imports and exports',
    webhooks: 'Webhooks',
    disk: 'Disk',
  },
  ok: 'In order',
  error: 'Failing',
  milliseconds: (ms: number) => `${formats.number(ms, { maximumFractionDigits: 1 })} ms`,
  time: (moment: Date) => formats.date(moment, { hour: 'numeric', minute: 'numeric', second: 'numeric' }),
  refresh: 'Check now',
  health: 'Health',
  refreshed: 'Measured at',
  queues: 'Queues',
  queue: 'Queue',
  waiting: 'Waiting',
  oldest: 'The oldest waits for',
  more: 'Beside that',
  queueNames: {
    jobs: 'Imports and exports',
    entregas: 'Deliveries of webhooks',
    emails: 'E-mails',
    contagens: 'Counts of cases',
  },
  running: (count) => `${number(count)} under way`,
  failedLastHour: (count) => `${number(count)} given up in the last hour`,
  retrying: (count) => `${number(count)} failed before`,
  webhooksFailing: (count) => (count === 1 ? '1 webhook failing' : `${number(count)} webhooks failing`),
  webhooksOff: (count) => (count === 1 ? '1 webhook switched off' : `${number(count)} webhooks switched off`),
  sizes: 'Space',
  database: 'Size of the database',
  diskFree: 'Free disk',
  diskOf: (free, total) => `${free} of ${total}`,
  backup: 'Last backup',
  noBackup: 'None yet',
  backupOf: (at, size) => `${at}, ${size}`,
  noBackupNote: 'Without a backup a broken disk loses everything. See docs/operations.md.',
  oldBackup: (days) => `${number(days)} days ago.`,
  limits: 'Most use in this hour',
  account: 'Account',
  minute: 'This minute',
  hour: 'This hour',
  inConsole: 'in the console',
  byPrograms: 'by programs',
  noUse: 'No use in this hour.',
  use: (used, limit) => `${number(used)} of ${number(limit)}`,
  jobs: 'Jobs of all accounts',
  noJobs: 'No job in the last 30 days.',
  job: 'Job',
  who: 'Whose',
  when: 'Asked for',
  progress: 'Progress',
  actions: 'Actions',
  cancel: 'Cancel',
  cancelOf: (what, who) => `Cancel: ${what}, of ${who}`,
  cancelTitle: 'Cancel this job?',
  cancelNote: (what, who) => `${what}, of ${who}. What it did so far is undone.`,
  keep: 'Let it go on',
  statuses: { processing: 'Under way', completed: 'Completed', failed: 'Failed', canceled: 'Canceled' },
  tipos: {
    importacao: 'Import of cases',
    desfazer_importacao: 'Undo of an import',
    importacao_series: 'Import of series',
    desfazer_series: 'Undo of an import of series',
    importacao_epizootias: 'Import of epizootics',
    desfazer_epizootias: 'Undo of an import of epizootics',
    exportacao_casos: 'Export of cases',
    exportacao_usuarios: 'Export of users',
    exportacao_auditoria: 'Export of the audit',
    exportacao_epizootias: 'Export of epizootics',
    extrato_casos: 'Research extract',
    boletim: 'Bulletin',
    verificacao_auditoria: 'Verification of the audit',
    varredura_duplicidades: 'Search for duplicates',
  },
  number,
  bytes,
  seconds,
  moment,
}
