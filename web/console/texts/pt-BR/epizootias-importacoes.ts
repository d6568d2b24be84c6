import { formats } from './formats.ts'

const { number } = formats
const counted = (value: number, one: string, many: string) => `${number(value)} ${value === 1 ? one : many}`

export const epizootiasImportacoes = {
  start: 'Importar arquivo',
  epizootias: 'Todas as epizootias',
  lead: 'Arquivos que trouxeram epizootias; cada um pode ser desfeito.',
  empty: 'Nenhuma importação de epizootias ainda.',
  layouts: { epizootias: 'Modelo do Vigia', ministerio_pnh: 'Primatas, Ministério da Saúde' } as Record<
    string,
    string
  >,
  values: 'Eventos',
  summary: (created: number, updated: number, rejected: number) =>
    `${counted(created, 'novo', 'novos')}, ${counted(updated, 'alterado', 'alterados')}, ${counted(rejected, 'linha rejeitada', 'linhas rejeitadas')}`,
  steps: {
    arquivo: 'Arquivo',
    conferencia: 'Conferência',
    importacao: 'Importação',
    resultado: 'Resultado',
  },
  formats:
    'CSV, XLSX, DBF ou DBC, também em ZIP; colunas com os nomes dos campos, ou o arquivo aberto de primatas do Ministério da Saúde',
  note: 'O arquivo é enviado só para conferência. Uma célula vazia deixa o campo como está.',
  parts: {
    importados: 'Eventos novos',
    atualizados: 'Eventos alterados',
    inalterados: 'Eventos já iguais',
    duplicados_no_arquivo: 'Repetidos no arquivo',
    erros: 'Linhas rejeitadas',
  },
  import: (count: number) => `Importar ${counted(count, 'evento', 'eventos')}`,
  nothing: 'Nada a importar: o Vigia já tem estes eventos.',
  resultTitle: (created: number, updated: number) =>
    created + updated === 0
      ? 'Importação concluída; nada mudou'
      : `${counted(created, 'evento novo', 'eventos novos')} e ${counted(updated, 'alterado', 'alterados')}`,
  seeEvents: 'Ver os eventos',
  removed: 'Eventos removidos',
  confirmUndo: (count: number) => `Desfazer em ${counted(count, 'evento', 'eventos')}`,
  notAllowed: 'Só quem importou, ou quem pode excluir epizootias, desfaz esta importação.',
  wroteNothing: 'Esta importação não mudou evento algum.',
  stages: { RUNNING: 'Comparando com os eventos' },
  mayLeave: 'Você pode sair desta tela: o andamento fica em Importações de epizootias.',
  all: 'Todas as importações de epizootias',
  notAnImport: 'Este endereço não é de uma importação de epizootias.',
}
