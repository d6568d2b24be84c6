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
    : `${number(Math.round(time / 86_400))} dias`
}
const moment = (at: Date) =>
  `${formats.date(at)} às ${formats.date(at, { hour: '2-digit', minute: '2-digit' })}`

export const sistema = {
  lead: 'Estado de cada parte do serviço.',
  healthy: 'Tudo funciona',
  failing: 'Há partes com falha',
  version: 'Versão',
  environment: 'Ambiente',
  environments: { production: 'Produção', staging: 'Homologação', sandbox: 'Testes' } as Record<
    string,
    string
  >,
  checkedAt: 'Verificado às',
  part: 'Parte',
  state: 'Estado',
  latency: 'Resposta',
  parts: {
    database: 'Banco de dados',
    migrations: 'Migrações',
    jobs: 'Importações e exportações',
    webhooks: 'Webhooks',
    disk: 'Disco',
  },
  ok: 'Em ordem',
  error: 'Com falha',
  milliseconds: (ms: number) => `${formats.number(ms, { maximumFractionDigits: 1 })} ms`,
  time: (moment: Date) => formats.date(moment, { hour: 'numeric', minute: 'numeric', second: 'numeric' }),
  refresh: 'Verificar agora',
  health: 'Saúde',
  refreshed: 'Medido às',
  queues: 'Filas',
  queue: 'Fila',
  waiting: 'Esperando',
  oldest: 'O mais antigo espera há',
  more: 'Além disso',
  queueNames: {
    jobs: 'Importações e exportações',
    entregas: 'Entregas de webhooks',
    emails: 'E-mails',
    contagens: 'Contagens de casos',
  } as Record<string, string>,
  running: (count: number) => (count === 1 ? '1 em andamento' : `${number(count)} em andamento`),
  failedLastHour: (count: number) =>
    count === 1 ? '1 desistência na última hora' : `${number(count)} desistências na última hora`,
  retrying: (count: number) => `${number(count)} com falha antes`,
  webhooksFailing: (count: number) =>
    count === 1 ? '1 webhook falhando' : `${number(count)} webhooks falhando`,
  webhooksOff: (count: number) =>
    count === 1 ? '1 webhook desligado' : `${number(count)} webhooks desligados`,
  sizes: 'Espaço',
  database: 'Tamanho do banco',
  diskFree: 'Disco livre',
  diskOf: (free: string, total: string) => `${free} de ${total}`,
  backup: 'Última cópia de segurança',
  noBackup: 'Nenhuma ainda',
  backupOf: (at: string, size: string) => `${at}, ${size}`,
  noBackupNote: 'Sem cópia, uma falha do disco perde tudo. Veja docs/operations.md.',
  oldBackup: (days: number) => `Há ${number(days)} dias.`,
  limits: 'Quem mais usa nesta hora',
  account: 'Conta',
  minute: 'Neste minuto',
  hour: 'Nesta hora',
  inConsole: 'no console',
  byPrograms: 'por programas',
  noUse: 'Nenhum uso nesta hora.',
  use: (used: number, limit: number) => `${number(used)} de ${number(limit)}`,
  jobs: 'Trabalhos de todas as contas',
  noJobs: 'Nenhum trabalho nos últimos 30 dias.',
  job: 'Trabalho',
  who: 'De quem',
  when: 'Pedido em',
  progress: 'Andamento',
  actions: 'Ações',
  cancel: 'Cancelar',
  cancelOf: (what: string, who: string) => `Cancelar: ${what}, de ${who}`,
  cancelTitle: 'Cancelar este trabalho?',
  cancelNote: (what: string, who: string) => `${what}, de ${who}. O que ele fez até aqui é desfeito.`,
  keep: 'Deixar seguir',
  statuses: { processing: 'Em andamento', completed: 'Concluído', failed: 'Falhou', canceled: 'Cancelado' },
  tipos: {
    importacao: 'Importação de casos',
    desfazer_importacao: 'Desfazer importação',
    importacao_series: 'Importação de séries',
    desfazer_series: 'Desfazer importação de séries',
    importacao_epizootias: 'Importação de epizootias',
    desfazer_epizootias: 'Desfazer importação de epizootias',
    exportacao_casos: 'Exportação de casos',
    exportacao_usuarios: 'Exportação de usuários',
    exportacao_auditoria: 'Exportação da auditoria',
    exportacao_epizootias: 'Exportação de epizootias',
    extrato_casos: 'Extrato para pesquisa',
    boletim: 'Boletim',
    verificacao_auditoria: 'Verificação da auditoria',
    varredura_duplicidades: 'Busca de duplicidades',
  } as Record<string, string>,
  number,
  bytes,
  seconds,
  moment,
}
