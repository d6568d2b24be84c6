/** The dialog that exports cases. */
export const exportacao = {
  formatNotes: {
    csv: 'Abre em planilhas e no TabWin',
    xlsx: 'Para Excel e LibreOffice',
    parquet: 'Colunas com tipo e o menor arquivo: para R, Python e DuckDB',
    dbf: 'Para o TabWin, bases estaduais, o InfoDengue e o read.dbf do R',
    dbc: 'O DBF compactado que o DATASUS publica: para o TabWin e o microdatasus',
    csv_sinan: 'Em Latin-1, como os arquivos do SINAN: para programas que esperam os nomes dele',
    json: 'Uma linha por caso, para programas',
    extrato: 'Anônimo: ninguém pode ser encontrado nele; para quem está fora da vigilância',
  },
  oneDisease: 'Escolha antes um só agravo no filtro',
  compressed: 'Compactar (gzip)',
  compressedNote: 'O arquivo fica com um sexto do tamanho; R, Python e DuckDB o leem assim.',
  extract: {
    finalidade: 'Finalidade',
    orgao: 'Quem recebe',
    protocolo: 'Protocolo do comitê de ética (se houver)',
  },
  extractNote:
    'Lugar, idade, sexo, raça e início ficam menos precisos até que haja ao menos tantos casos iguais; no máximo 5 % dos casos ficam de fora. Finalidade e destinatário ficam na auditoria.',
  extractShort: (least: number) => `Ao menos ${least} caracteres.`,
  extractK: 'Casos iguais, ao menos',
  extractParquet: 'Em Parquet, em vez de um ZIP com CSV',
  identifiedExport: 'Com nome, nascimento, endereço e CEP',
  identifiedNote:
    'Sem isso o arquivo é desidentificado, não anônimo. Fica registrado na auditoria com seu nome.',
  downloadNote: 'O link vale por 24 horas. O download fica registrado.',
  columns: 'Colunas',
  columnsOf: { todas: 'Todas', lista: 'As da lista', escolhidas: 'Escolher' },
  columnsNotes: {
    todas: 'Também as que só este agravo tem',
    lista: 'Como estão na tela',
    escolhidas: 'Uma a uma; as que só este agravo tem vêm apenas com todas',
  },
  noColumn: 'Escolha ao menos uma coluna.',
  wholeBlock: 'Todas deste bloco',
  chosenOf: (count: number, all: number) => `${count} de ${all}`,
  /** Columns that are no fields of the form. */
  computed: {
    id: 'Número interno',
    paciente_iniciais: 'Iniciais do paciente',
    semana_epidemiologica: 'Semana da notificação',
    semana_epidemiologica_sintomas: 'Semana dos sintomas',
    municipio_residencia_nome: 'Município de residência (nome)',
    municipio_infeccao_nome: 'Município de infecção (nome)',
    criado_em: 'Registrado em',
    atualizado_em: 'Atualizado em',
  },
}
