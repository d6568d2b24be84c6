import { envio } from './envio.ts'
import { formats } from './formats.ts'

const { number } = formats
const counted = (value: number, one: string, many: string) => `${number(value)} ${value === 1 ? one : many}`
const day = (date: string) => date.split('-').reverse().join('/')
const moment = (at: Date) => formats.date(at, { dateStyle: 'short', timeStyle: 'short' })
const week = (codigo: string) => `SE ${Number(codigo.slice(4))}/${codigo.slice(0, 4)}`

export const importacoes = {
  ...envio,
  period: (first: string, last: string) => `${day(first)} a ${day(last)}`,
  delimiterName: (delimiter: string) =>
    ({ ';': 'ponto e vírgula', ',': 'vírgula', '\t': 'tabulação', '|': 'barra vertical' })[delimiter] ??
    delimiter,
  layouts: { proprio: 'Vigia', sinan: 'SINAN', definido: 'de uma definição' },
  line: 'Linha',
  toList: 'Ver todas as importações',
  mayLeave: 'Você pode sair desta tela: o andamento fica em Importações.',
  notAnImport: 'Este endereço não é de uma importação.',
  steps: {
    arquivo: 'Arquivo',
    colunas: 'Colunas',
    conferencia: 'Conferência',
    importacao: 'Importação',
    resultado: 'Resultado',
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
  list: {
    ...envio.list,
    lead: 'Arquivos do SINAN e planilhas que trouxeram casos.',
    new: 'Importar arquivo',
    empty: 'Nenhuma importação ainda. Comece por um arquivo do SINAN ou uma planilha.',
    unfinished: 'Em aberto',
    checked: 'Conferido, não importado',
    keptUntil: (lines: number | null, until: Date) =>
      `${lines === null ? '' : `${counted(lines, 'linha', 'linhas')}; `}guardado até ${moment(until)}`,
    continue: 'Continuar',
    continueOf: (name: string) => `Continuar a importação de ${name}`,
    result: 'Resultado',
    failed: 'Com falha',
    summary: (created: number, updated: number, rejected: number) =>
      `${counted(created, 'novo', 'novos')}, ${counted(updated, 'atualizado', 'atualizados')}, ${counted(rejected, 'rejeitada', 'rejeitadas')}`,
    cases: 'Ver casos',
    casesOf: (file: string) => `Ver casos de ${file}`,
    followOf: (name: string) => `Acompanhar: ${name}`,
    see: 'Ver o que houve',
    seeOf: (name: string) => `Ver o que houve: ${name}`,
  },
  file: {
    ...envio.file,
    formats: 'CSV, XLSX, DBF, DBC ou ZIP com um deles; até 2 GB',
    note: 'O arquivo é enviado só para conferência. Linhas que já estão no Vigia não são repetidas.',
    forget: 'Escolher outro',
    withoutDisease: 'O arquivo não diz o agravo dos casos. Informe-o para continuar.',
    disease: 'Agravo de todos os casos do arquivo',
    chooseDisease: 'Escolha…',
    diseaseFirst: 'Informe o agravo antes de enviar o arquivo.',
    textos: 'Ler também os textos livres',
    textosNote: 'Só dos campos que o agravo tem. Textos livres podem trazer nomes de pessoas.',
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
    ...envio.problems,
    note: 'Agrupados pela causa; as linhas rejeitadas voltam em um arquivo pronto para corrigir.',
    none: 'Nenhum. Todas as linhas foram entendidas.',
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
    ...envio.decide,
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
    ...envio.result,
    title: (created: number, updated: number) =>
      created + updated === 0
        ? 'Importação concluída; nada mudou'
        : `${counted(created, 'caso novo', 'casos novos')} e ${counted(updated, 'atualizado', 'atualizados')}`,
    cases: 'Ver os casos',
    casesOf: (cases: number) => (cases === 1 ? 'Ver o caso' : `Ver os ${number(cases)} casos`),
    mend: 'Corrija as linhas rejeitadas no arquivo baixado e importe-o: só elas entram.',
    duplicates: (total: number, certain: number) =>
      total === 0
        ? 'Nenhum dos casos parece repetir outro.'
        : `${counted(total, 'possível duplicidade', 'possíveis duplicidades')}, ${counted(certain, 'quase certa', 'quase certas')}.`,
    seeDuplicates: (total: number) =>
      total === 1 ? 'Ver a possível duplicidade' : `Ver as ${number(total)} possíveis duplicidades`,
    searching: 'Procurando casos repetidos…',
  },
  detail: {
    title: (lines: number) => `O que aconteceu com ${counted(lines, 'linha', 'linhas')}`,
  },
  undo: {
    ...envio.undo,
    lead: 'Primeiro uma simulação mostra o que seria removido e o que voltaria a ser como antes.',
    removed: 'Casos novos, removidos',
    restored: 'Voltam a ser como antes',
    kept: 'Ficam como estão',
    keptNote: (numbers: string, more: number) =>
      `Foram alterados depois desta importação: ${numbers}${more > 0 ? ` e mais ${number(more)}` : ''}.`,
    type: (cases: number) => `Para confirmar, digite o número de casos: ${number(cases)}`,
    mistyped: (cases: number) => `Digite ${number(cases)} para confirmar.`,
    confirm: (cases: number) => `Desfazer em ${counted(cases, 'caso', 'casos')}`,
    notAllowed: 'Só quem importou, ou quem pode excluir casos, desfaz esta importação.',
    wroteNothing: 'Esta importação não mudou caso algum.',
  },
}
