import type { JobTexts, Trabalho } from './texts.ts'

const works: Record<Trabalho, string> = {
  importacao: 'Importação',
  validacao: 'Validação',
  exportacao: 'Exportação',
  desfazimento: 'Desfazimento',
  simulacao: 'Simulação',
  boletim: 'Boletim',
  verificacao: 'Verificação da auditoria',
  varredura: 'Busca de duplicidades',
}
const running: Record<Trabalho, string> = {
  importacao: 'Comparando com os casos e gravando',
  validacao: 'Comparando com os casos',
  exportacao: 'Exportando',
  desfazimento: 'Desfazendo a importação',
  simulacao: 'Simulando o desfazimento',
  boletim: 'Montando o boletim',
  verificacao: 'Verificando a auditoria',
  varredura: 'Procurando duplicidades',
}
const completed: Record<Trabalho, string> = {
  importacao: 'Importação concluída',
  validacao: 'Validação concluída',
  exportacao: 'Exportação concluída',
  desfazimento: 'Importação desfeita',
  simulacao: 'Simulação concluída',
  boletim: 'Boletim pronto',
  verificacao: 'Auditoria verificada',
  varredura: 'Busca de duplicidades concluída',
}

export const ptBR: JobTexts = {
  works,
  messages: {
    WAITING: ({ trabalho }) => `${works[trabalho]} na fila`,
    INTERRUPTED: ({ trabalho }) => `${works[trabalho]} na fila para continuar, depois de uma interrupção`,
    READING: () => 'Lendo e conferindo o arquivo',
    RUNNING: ({ trabalho }) => running[trabalho],
    CANCELING: () => 'Cancelando',
    COMPLETED: ({ trabalho, rejeitadas }) =>
      rejeitadas > 0
        ? `${completed[trabalho]}, com ${rejeitadas} ${rejeitadas === 1 ? 'linha rejeitada' : 'linhas rejeitadas'}`
        : completed[trabalho],
    REFUSED: ({ trabalho, linhas }) =>
      `Nada ${trabalho === 'validacao' ? 'seria' : 'foi'} importado: ${linhas} ${linhas === 1 ? 'linha' : 'linhas'} com erro`,
    INVALID_FILE: ({ motivo }) => motivo,
    WITHOUT_DISEASE: ({ motivo }) => motivo,
    TOO_MANY_ROWS: ({ linhas, limite }) =>
      `São ${linhas} linhas, e o arquivo comporta ${limite}: exporte em csv, ou em partes`,
    TOTAL_DIFFERS: ({ contadas, linhas }) =>
      `O cabeçalho do arquivo diria ${contadas} linhas, e foram lidas ${linhas}: nada foi gravado. Peça-o de novo, ou em csv; se acontecer outra vez, avise quem administra o serviço`,
    TOO_FEW_CASES: ({ k }) =>
      `São poucos casos para que ${k} fiquem iguais entre si: amplie o filtro ou peça menos quase-identificadores`,
    ALREADY_UNDONE: () => 'A importação já foi desfeita',
    LEVELS_COMPUTED: () => 'Níveis de alerta calculados',
    PAIRS_FOUND: () => 'Duplicidades procuradas',
    CANCELED: () => 'Cancelado',
    ACCOUNT_OFF: () => 'Cancelado: a conta foi desativada',
    NOT_PERMITTED: () => 'A conta não tem mais permissão para isto; nada foi gravado',
    STALLED: () => 'Encerrado depois de um minuto de processamento sem avançar',
    FAILED: () => 'Erro interno',
  },
}
