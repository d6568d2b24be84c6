import { formats } from './formats.ts'

const { number } = formats
const counted = (value: number, one: string, many: string) => `${number(value)} ${value === 1 ? one : many}`
const moment = (at: Date) => formats.date(at, { dateStyle: 'short', timeStyle: 'short' })
const bytes = (size: number) =>
  size < 1024 ** 2
    ? `${number(Math.max(1, Math.round(size / 1024)))} KB`
    : `${formats.number(size / 1024 ** 2, { maximumFractionDigits: 1 })} MB`

/** Words of every import, whatever it brings. */
export const envio = {
  lead: 'Nada é gravado antes de você conferir e decidir.',
  number,
  moment,
  bytes,
  ofBytes: (sent: number, total: number) => `${bytes(sent)} de ${bytes(total)}`,
  percent: (value: number) => `${number(value)} %`,
  changeFile: 'Trocar arquivo',
  checking: 'Conferindo o arquivo',
  importing: 'Importando',
  withheld: 'O território da sua conta mudou desde este envio, e o resultado não é mais mostrado.',
  lineRead: (line: number) => `Linha ${number(line)}.`,
  linesPerSecond: (lines: number) => `${number(lines)} linhas por segundo.`,
  remaining: (seconds: number) =>
    seconds < 60
      ? 'Falta menos de um minuto.'
      : `Faltam cerca de ${counted(Math.round(seconds / 60), 'minuto', 'minutos')}.`,
  stages: {
    WAITING: 'Na fila',
    INTERRUPTED: 'Na fila para continuar, depois de uma interrupção',
    READING: 'Lendo e conferindo o arquivo',
    RUNNING: 'Comparando com os casos',
    CANCELING: 'Cancelando',
  },
  cancelJob: {
    importacao: 'Cancelar a importação',
    validacao: 'Cancelar a conferência',
    exportacao: 'Cancelar',
    desfazimento: 'Cancelar',
    simulacao: 'Cancelar',
    boletim: 'Cancelar',
    verificacao: 'Cancelar',
    varredura: 'Cancelar',
  },
  facts: {
    file: 'Arquivo',
    format: 'Formato',
    layout: 'Layout',
    encoding: 'Codificação',
    delimiter: 'Separador',
    size: 'Tamanho',
    lines: 'Linhas',
    period: 'Notificações de',
    warnings: 'Avisos',
  },
  list: {
    first: 'Escolher um arquivo',
    file: 'Arquivo',
    who: 'Quem',
    when: 'Quando',
    lines: 'Linhas',
    state: 'Situação',
    actions: 'Ações',
    done: 'Concluída',
    undone: 'Desfeita',
    open: 'Abrir',
    openUndo: 'Abrir ou desfazer',
    openOf: (file: string) => `Abrir a importação de ${file}`,
    follow: 'Acompanhar',
    importOf: (id: number) => `importação ${id}`,
  },
  file: {
    title: 'Escolha o arquivo',
    drop: 'Escolha um arquivo ou solte-o aqui',
    empty: 'O arquivo está vazio. Escolha outro.',
    tooLarge: 'O arquivo passa de 2 GB. Divida-o em partes.',
    sending: (name: string) => `Enviando ${name}`,
    sendingNote: 'O envio continua se você abrir outra tela do Vigia; não feche esta aba.',
    stop: 'Parar o envio',
    failed: (name: string, reason: string) => `O envio de ${name} não terminou. ${reason}`,
    kept: (name: string) => `${name} ainda está aqui.`,
    again: 'Enviar de novo',
    refused: (reason: string) => `Não foi possível ler o arquivo. ${reason}`,
    canceled: 'A conferência foi cancelada. Nada foi gravado.',
  },
  problems: {
    title: 'Problemas encontrados',
    download: (lines: number) =>
      lines === 1 ? 'Baixar a linha rejeitada' : `Baixar as ${number(lines)} linhas rejeitadas`,
  },
  decide: {},
  result: {
    took: (seconds: number, file: string) => `${file}, em ${number(seconds)} s.`,
    undo: 'Ver ou desfazer',
    another: 'Importar outro arquivo',
  },
  failed: {
    title: 'A importação não foi feita',
    canceled: 'Importação cancelada',
    nothing: 'Nada foi gravado.',
    resume: 'Voltar à conferência',
    again: 'Começar de novo',
  },
  undo: {
    title: 'Desfazer',
    simulate: 'Simular',
    simulated: 'Simulação pronta. Nada mudou ainda.',
    nothing: 'Não há o que desfazer.',
    sending: 'Desfazendo…',
    done: 'Importação desfeita.',
    undone: (at: string, by: string | null) => `Desfeita em ${at}${by === null ? '' : `, por ${by}`}.`,
  },
  /** Of imports that are checked line by line. */
  check: {
    checkTitle: (lines: number) => `O que aconteceria com ${counted(lines, 'linha', 'linhas')}`,
    problems: 'Linhas rejeitadas',
    warnings: 'Avisos',
    noProblems: 'Nenhum problema: todas as linhas foram entendidas.',
    line: 'Linha',
    said: 'O que há na linha',
    firstOf: (shown: number, all: number) => `As primeiras ${number(shown)} de ${number(all)}.`,
    decide: 'Como importar',
    good: 'Importar as linhas boas',
    goodNote: 'As rejeitadas voltam em um arquivo para corrigir.',
    allOr: 'Só importar se tudo estiver certo',
    allOrNote: (lines: number) =>
      `Com ${counted(lines, 'linha rejeitada', 'linhas rejeitadas')}, nada seria gravado.`,
    allWrong: 'Nada a importar: todas as linhas foram rejeitadas.',
    safe: 'Pode ser desfeita depois, com prévia do que volta.',
    chooseAgain: (name: string) =>
      `A página foi recarregada e não tem mais o arquivo. Escolha ${name} de novo para importá-lo.`,
    otherFile: (name: string) => `Não é o arquivo conferido. Escolha ${name}.`,
    sendingImport: 'Enviando para importar…',
    detailTitle: 'O que aconteceu',
    undoLead: 'Primeiro uma simulação mostra o que seria removido e o que voltaria a ser como antes.',
    restored: 'Voltam a ser como antes',
    kept: 'Ficam como estão: alguém os mudou depois',
    running: 'Em andamento',
    follow: (name: string) => `Acompanhar: ${name}`,
  },
}
