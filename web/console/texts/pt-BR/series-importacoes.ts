import { formats } from './formats.ts'

const { number } = formats
const counted = (value: number, one: string, many: string) => `${number(value)} ${value === 1 ? one : many}`
const day = (date: string) => date.split('-').reverse().join('/')

export const seriesImportacoes = {
  number,
  day,
  none: '–',
  columns: {
    serie: 'Série',
    valores: 'Valores',
    lugares: 'Lugares',
    alcance: 'De – até',
  },
  fromTo: (first: string, last: string) => `${first} – ${last}`,
  start: 'Importar arquivo',
  series: 'Todas as séries',
  lead: 'Arquivos e pedidos que trouxeram valores; cada um pode ser desfeito.',
  empty: 'Nenhuma importação de séries ainda.',
  layouts: {
    inmet: 'Estação do INMET',
    infodengue: 'Tabela do InfoDengue',
    larga: 'Tabela larga',
    longa: 'Tabela longa',
    liraa: 'LIRAa',
    valores: 'Valores por pedido',
  },
  values: 'Valores',
  summary: (created: number, updated: number, rejected: number) =>
    `${counted(created, 'novo', 'novos')}, ${counted(updated, 'alterado', 'alterados')}, ${counted(rejected, 'linha rejeitada', 'linhas rejeitadas')}`,
  steps: {
    arquivo: 'Arquivo',
    reconhecido: 'O que há nele',
    conferencia: 'Conferência',
    importacao: 'Importação',
    resultado: 'Resultado',
  },
  formats:
    'CSV, XLSX, DBF ou DBC, também em ZIP; estação do INMET, InfoDengue, TabNet, LIRAa ou tabela longa',
  note: 'O arquivo é enviado só para conferência. Valores que o Vigia já tem não mudam.',
  notInFile: 'O que o arquivo não diz',
  notInFileNote: 'Só o que falta nele. Depois de mudar, envie-o de novo.',
  serie: 'Série',
  noSerie: 'O arquivo diz',
  municipio: 'Município',
  estado: 'Estado',
  noEstado: 'O arquivo diz',
  ano: 'Ano',
  anoProblem: 'Quatro algarismos, de 1950 em diante.',
  recognised: (name: string) => `Reconhecido: ${name}`,
  layout: 'Modelo',
  seriesOf: 'Séries no arquivo',
  withoutSeries: 'Nenhum valor foi lido. Veja os problemas na conferência.',
  sem_lugar: 'Linhas sem lugar',
  next: 'Continuar para a conferência',
  back: 'Ver o que há nele',
  parts: {
    importados: 'Valores novos',
    atualizados: 'Valores alterados',
    inalterados: 'Valores já iguais',
    duplicados_no_arquivo: 'Repetidos no arquivo',
    erros: 'Linhas rejeitadas',
  },
  import: (values: number) => `Importar ${counted(values, 'valor', 'valores')}`,
  nothing: 'Nada a importar: o Vigia já tem estes valores.',
  resultTitle: (created: number, updated: number) =>
    created + updated === 0
      ? 'Importação concluída; nada mudou'
      : `${counted(created, 'valor novo', 'valores novos')} e ${counted(updated, 'alterado', 'alterados')}`,
  removed: 'Valores removidos',
  confirmUndo: (values: number) => `Desfazer em ${counted(values, 'valor', 'valores')}`,
  notAllowed: 'Só quem importou, ou quem pode registrar séries, desfaz esta importação.',
  wroteNothing: 'Esta importação não mudou valor algum.',
  stages: { RUNNING: 'Comparando com os valores' },
  mayLeave: 'Você pode sair desta tela: o andamento fica em Importações de séries.',
  all: 'Todas as importações de séries',
  notAnImport: 'Este endereço não é de uma importação de séries.',
}
