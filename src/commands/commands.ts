import type { Command } from './command.ts'

/** Each is read when it is asked for: most need little of what serving needs. */
export const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./serve.ts')).serve,
  migrate: async () => (await import('./migrate.ts')).runMigrate,
  'admin:password': async () => (await import('./admin-password.ts')).setAdminPassword,
  'keys:rotate': async () => (await import('./keys-rotate.ts')).rotateKeys,
  'keys:rotate-data': async () => (await import('./keys-rotate-data.ts')).rotateDataKey,
  'audit:verify': async () => (await import('./audit-verify.ts')).verifyAudit,
  'counters:verify': async () => (await import('./counters-verify.ts')).verifyCounters,
  'series:compactar': async () => (await import('./series-compactar.ts')).compactSeries,
  databases: async () => (await import('./databases.ts')).listDatabases,
  backup: async () => (await import('./backup.ts')).runBackup,
  restore: async () => (await import('./backup.ts')).runRestore,
  demo: async () => (await import('./demo.ts')).fillWithDemo,
}
