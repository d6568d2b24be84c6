const LOCALE = 'pt-BR'
const number = (value: number) => value.toLocaleString(LOCALE)
const counted = (value: number, one: string, many: string) => `${number(value)} ${value === 1 ? one : many}`
const day = (date: string) => date.split('-').reverse().join('/')
const moment = (at: Date) => at.toLocaleString(LOCALE, { dateStyle: 'short', timeStyle: 'short' })
const week = (codigo: string) => `SE ${Number(codigo.slice(4))}/${codigo.slice(0, 4)}`
const bytes = (size: number) =>
  size < 1024 ** 2
    ? `${number(Math.max(1, Math.round(size / 1024)))} KB`
    : `${(size / 1024 ** 2).toLocaleString(LOCALE, { maximumFractionDigits: 1 })} MB`

export const importacoes = {
  lead: 'Nada é gravado antes de você conferir e decidir.',
  number,
  moment,
  bytes,
  ofBytes: (sent: number, total: number) => `${bytes(sent)} de ${bytes(total)}`,
  percent: (value: number) => `${number(value)} %`,
  period: (first: string, last: string) => `${day(first)} a ${day(last)}`,
  delimiterName: (delimiter: string) =>
    ({ ';': 'ponto e vírgula', ',': 'vírgula', '\t': 'tabulação', '|': 'barra vertical' })[delimiter] ??
    delimiter,
  layouts: { proprio: 'Vigia', sinan: 'SINAN' },
  line: 'Linha',
  changeFile: 'Trocar arquivo',
  toList: 'Ver todas as importações',
  checking: 'Conferindo o arquivo',
  importing: 'Importando',
  mayLeave: 'Você pode sair desta tela: o andamento fica em Importações.',
  withheld: 'O território da sua conta mudou desde este envio, e o resultado não é mais mostrado.',
  notAnImport: 'Este endereço não é de uma importação.',
  lineRead: (line: number) => `Linha ${number(line)}.`,
  linesPerSecond: (lines: number) => `${number(lines)} linhas por segundo.`,
  remaining: (seconds: number) =>
    seconds < 60
      ? 'Falta menos de um minuto.'
      : `Faltam cerca de ${counted(Math.round(seconds / 60), 'minuto', 'minutos')}.`,
  steps: {
    arquivo: 'Arquivo',
    colunas: 'Colunas',
    conferencia: 'Conferência',
    importacao: 'Importação',
    resultado: 'Resultado',
  },
  stages: {
    WAITING: 'Na fila',
    INTERRUPTED: 'Na fila para continuar, depois de uma interrupção',
    READING: 'Lendo e conferindo o arquivo',
    RUNNING: 'Comparando com os casos',
    CANCELING: 'Cancelando',
  },
  works: {
    importacao: 'Importação',
    validacao: 'Conferência',
    exportacao: 'Exportação',
    desfazimento: 'Desfazer',
    simulacao: 'Simulação de desfazer',
    boletim: 'Boletim',
    verificacao: 'Verificação da auditoria',
    varredura: 'Busca de duplicidades',
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
  parts: {
    importados: 'Novos',
    atualizados: 'Atualizados',
    inalterados: 'Já iguais',
    duplicados_no_arquivo: 'Repetidas no arquivo',
    erros: 'Rejeitadas',
  },
  partsBefore: {
    importados: 'Novos',
    atualizados: 'Atualizam caso existente',
    inalterados: 'Já iguais',
    duplicados_no_arquivo: 'Repetidas no arquivo',
    erros: 'Rejeitadas',
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
    lead: 'Arquivos do SINAN e planilhas que trouxeram casos.',
    new: 'Importar arquivo',
    first: 'Escolher um arquivo',
    empty: 'Nenhuma importação ainda. Comece por um arquivo do SINAN ou uma planilha.',
    unfinished: 'Em aberto',
    checked: 'Conferido, não importado',
    keptUntil: (lines: number | null, until: Date) =>
      `${lines === null ? '' : `${counted(lines, 'linha', 'linhas')}; `}guardado até ${moment(until)}`,
    continue: 'Continuar',
    continueOf: (name: string) => `Continuar a importação de ${name}`,
    file: 'Arquivo',
    who: 'Quem',
    when: 'Quando',
    lines: 'Linhas',
    result: 'Resultado',
    state: 'Situação',
    actions: 'Ações',
    done: 'Concluída',
    undone: 'Desfeita',
    failed: 'Com falha',
    summary: (created: number, updated: number, rejected: number) =>
      `${counted(created, 'novo', 'novos')}, ${counted(updated, 'atualizado', 'atualizados')}, ${counted(rejected, 'rejeitada', 'rejeitadas')}`,
    cases: 'Ver casos',
    casesOf: (file: string) => `Ver casos de ${file}`,
    open: 'Abrir',
    openUndo: 'Abrir ou desfazer',
    openOf: (file: string) => `Abrir a importação de ${file}`,
    follow: 'Acompanhar',
    followOf: (name: string) => `Acompanhar: ${name}`,
    see: 'Ver o que houve',
    seeOf: (name: string) => `Ver o que houve: ${name}`,
    importOf: (id: number) => `importação ${id}`,
  },
  file: {
    title: 'Escolha o arquivo',
    drop: 'Escolha um arquivo ou solte-o aqui',
    formats: 'CSV, XLSX, DBF, DBC ou ZIP com um deles; até 2 GB',
    note: 'O arquivo é enviado só para conferência. Linhas que já estão no Vigia não são repetidas.',
    empty: 'O arquivo está vazio. Escolha outro.',
    tooLarge: 'O arquivo passa de 2 GB. Divida-o em partes.',
    sending: (name: string) => `Enviando ${name}`,
    sendingNote: 'O envio continua se você abrir outra tela do Vigia; não feche esta aba.',
    stop: 'Parar o envio',
    failed: (name: string, reason: string) => `O envio de ${name} não terminou. ${reason}`,
    kept: (name: string) => `${name} ainda está aqui.`,
    again: 'Enviar de novo',
    forget: 'Escolher outro',
    refused: (reason: string) => `Não foi possível ler o arquivo. ${reason}`,
    canceled: 'A conferência foi cancelada. Nada foi gravado.',
    withoutDisease: 'O arquivo não diz o agravo dos casos. Informe-o para continuar.',
    disease: 'Agravo de todos os casos do arquivo',
    chooseDisease: 'Escolha…',
    diseaseFirst: 'Informe o agravo antes de enviar o arquivo.',
  },
  columns: {
    title: (used: number, all: number) =>
      `${number(used)} de ${counted(all, 'coluna usada', 'colunas usadas')}`,
    used: (used: number, all: number) => `${number(used)} de ${number(all)} usadas`,
    next: 'Continuar para a conferência',
    columns: 'Colunas do arquivo',
    columnsNote: 'O que cada coluna vira no Vigia.',
    column: 'Coluna',
    field: 'Campo',
    use: 'Uso',
    example: 'Exemplo',
    uses: { usada: 'Usada', ignorada: 'Ignorada de propósito', desconhecida: 'Desconhecida' },
    suggestion: (name: string) => `Parece ${name}`,
    sample: (lines: number) => (lines === 1 ? 'A primeira linha' : `As primeiras ${number(lines)} linhas`),
    sampleNote: 'Dados de pacientes aparecem como ***.',
  },
  check: {
    title: (lines: number) => `O que aconteceria com ${counted(lines, 'linha', 'linhas')}`,
    problems: (lines: number) =>
      lines === 0 ? 'nenhum problema' : counted(lines, 'linha com problema', 'linhas com problema'),
  },
  problems: {
    title: 'Problemas encontrados',
    note: 'Agrupados pela causa; as linhas rejeitadas voltam em um arquivo pronto para corrigir.',
    none: 'Nenhum. Todas as linhas foram entendidas.',
    download: (lines: number) =>
      lines === 1 ? 'Baixar a linha rejeitada' : `Baixar as ${number(lines)} linhas rejeitadas`,
    rejected: 'Rejeitadas',
    causes: (lines: number, causes: number) =>
      `${counted(lines, 'linha', 'linhas')} em ${counted(causes, 'causa', 'causas')}`,
    warnings: 'Avisos',
    warningsNote: (warnings: number) =>
      `${counted(warnings, 'aviso', 'avisos')}; as linhas entram mesmo assim`,
    said: 'O que há na linha',
    firstLines: (shown: number, all: number) =>
      shown === 1
        ? `A primeira de ${number(all)} linhas.`
        : `As primeiras ${number(shown)} de ${number(all)} linhas.`,
  },
  effect: {
    title: 'Como a curva muda',
    note: 'Casos por semana de início dos sintomas, nos municípios do arquivo.',
    none: 'A curva não muda.',
    today: 'Hoje no Vigia',
    added: 'A importação acrescenta',
    removed: 'A importação retira',
    table: 'Ver a tabela por semana',
    week: 'Semana',
    before: 'Antes',
    after: 'Depois',
    number,
    weekName: week,
    shortWeek: (codigo: string) => `SE ${Number(codigo.slice(4))}`,
    withoutWeek: (cases: number) =>
      `${counted(cases, 'caso novo', 'casos novos')} sem semana de início dos sintomas ${cases === 1 ? 'fica' : 'ficam'} fora da curva.`,
    summary: (weeks: number, added: number, removed: number) =>
      `Casos por semana antes e depois, em ${counted(weeks, 'semana', 'semanas')}: ${number(added)} a mais, ${number(removed)} a menos.`,
  },
  decide: {
    title: 'Como importar',
    good: 'Importar as linhas boas',
    goodNote: (lines: number) =>
      lines === 1
        ? 'A rejeitada fica separada para corrigir e reenviar.'
        : `As ${number(lines)} rejeitadas ficam separadas para corrigir e reenviar.`,
    all: 'Só importar se tudo estiver certo',
    allNote: (lines: number) =>
      `Com ${counted(lines, 'linha rejeitada', 'linhas rejeitadas')}, nada seria gravado.`,
    mend: 'Corrija o arquivo e envie-o de novo, ou importe as linhas boas.',
    import: (cases: number) => `Importar ${counted(cases, 'caso', 'casos')}`,
    starting: 'Iniciando…',
    offline: 'Sem conexão; aguardando',
    back: 'Ver colunas',
    safe: 'Pode ser desfeita depois, com prévia do que volta. Casos que alguém editar nesse meio-tempo são preservados.',
    keptUntil: (until: Date) => `O arquivo conferido fica guardado até ${moment(until)}.`,
    gone: 'O arquivo conferido não está mais guardado, ou já foi importado. Veja em Importações, ou envie-o de novo.',
    nothing: 'Nada a importar: o Vigia já tem as linhas boas deste arquivo.',
    allWrong: 'Nada a importar: todas as linhas foram rejeitadas. Corrija o arquivo e envie-o de novo.',
    same: (at: Date) => `Este arquivo já foi importado em ${moment(at)}; nada muda.`,
    seeEarlier: 'Ver aquela importação',
    other: (file: string) => `Outra importação sua está em andamento (${file}). Esta espera a vez.`,
  },
  result: {
    title: (created: number, updated: number) =>
      created + updated === 0
        ? 'Importação concluída; nada mudou'
        : `${counted(created, 'caso novo', 'casos novos')} e ${counted(updated, 'atualizado', 'atualizados')}`,
    took: (seconds: number, file: string) => `${file}, em ${number(seconds)} s.`,
    cases: 'Ver os casos',
    casesOf: (cases: number) => (cases === 1 ? 'Ver o caso' : `Ver os ${number(cases)} casos`),
    undo: 'Ver ou desfazer',
    another: 'Importar outro arquivo',
    mend: 'Corrija as linhas rejeitadas no arquivo baixado e importe-o: só elas entram.',
    duplicates: (total: number, certain: number) =>
      total === 0
        ? 'Nenhum dos casos parece repetir outro.'
        : `${counted(total, 'possível duplicidade', 'possíveis duplicidades')}, ${counted(certain, 'quase certa', 'quase certas')}.`,
    seeDuplicates: (total: number) =>
      total === 1 ? 'Ver a possível duplicidade' : `Ver as ${number(total)} possíveis duplicidades`,
    searching: 'Procurando casos repetidos…',
  },
  failed: {
    title: 'A importação não foi feita',
    canceled: 'Importação cancelada',
    nothing: 'Nada foi gravado.',
    again: 'Começar de novo',
  },
  detail: {
    title: (lines: number) => `O que aconteceu com ${counted(lines, 'linha', 'linhas')}`,
  },
  undo: {
    title: 'Desfazer',
    lead: 'Primeiro uma simulação mostra o que seria removido e o que voltaria a ser como antes.',
    simulate: 'Simular',
    simulated: 'Simulação pronta. Nada mudou ainda.',
    removed: 'Casos novos, removidos',
    restored: 'Voltam a ser como antes',
    kept: 'Ficam como estão',
    keptNote: (numbers: string, more: number) =>
      `Foram alterados depois desta importação: ${numbers}${more > 0 ? ` e mais ${number(more)}` : ''}.`,
    nothing: 'Não há o que desfazer.',
    type: (cases: number) => `Para confirmar, digite o número de casos: ${number(cases)}`,
    mistyped: (cases: number) => `Digite ${number(cases)} para confirmar.`,
    confirm: (cases: number) => `Desfazer em ${counted(cases, 'caso', 'casos')}`,
    sending: 'Desfazendo…',
    done: 'Importação desfeita.',
    undone: (at: string, by: string | null) => `Desfeita em ${at}${by === null ? '' : `, por ${by}`}.`,
    notAllowed: 'Só quem importou, ou quem pode excluir casos, desfaz esta importação.',
    wroteNothing: 'Esta importação não mudou caso algum.',
  },
}
