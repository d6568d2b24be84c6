import type { exportacao as pt } from '../pt-BR/exportacao.ts'

export const exportacao: typeof pt = {
  formatNotes: {
    csv: 'Opens in spreadsheets and TabWin',
    xlsx: 'For Excel and LibreOffice',
    parquet: 'Typed columns and the smallest file: for R, Python and DuckDB',
    dbf: 'For TabWin, state databases, InfoDengue and read.dbf of R',
    dbc: 'The compressed DBF that DATASUS publishes: for TabWin and microdatasus',
    csv_sinan: 'In Latin-1, as the files of SINAN: for programs that expect its names',
    json: 'One line a case, for programs',
    extrato: 'Anonymous: nobody can be found in it; for those outside of surveillance',
  },
  oneDisease: 'First choose a single disease in the filter',
  compressed: 'Compress (gzip)',
  compressedNote: 'A sixth of the size; R, Python and DuckDB read it as it is.',
  extract: {
    finalidade: 'Purpose',
    orgao: 'Recipient',
    protocolo: 'Protocol of the ethics committee (if any)',
  },
  extractNote:
    'Place, age, sex, race and onset become less precise until there are at least so many equal cases; at most 5 % of the cases are left out. Purpose and recipient are kept in the audit log.',
  extractShort: (least) => `At least ${least} characters.`,
  extractK: 'Equal cases, at least',
  extractParquet: 'As Parquet, instead of a ZIP with CSV',
  identifiedExport: 'With name, birth, address and postal code',
  identifiedNote:
    'Without it the file is de-identified, not anonymous. It is recorded in the audit log with your name.',
  downloadNote: 'The link is valid for 24 hours. The download is recorded.',
  columns: 'Columns',
  columnsOf: { todas: 'All', lista: 'Those of the list', escolhidas: 'Choose' },
  columnsNotes: {
    todas: 'Also those that only this disease has',
    lista: 'As they are on the screen',
    escolhidas: 'One by one; those that only this disease has come with all alone',
  },
  noColumn: 'Choose at least one column.',
  wholeBlock: 'All of this block',
  chosenOf: (count: number, all: number) => `${count} of ${all}`,
  /** Columns that are no fields of the form. */
  computed: {
    id: 'Internal number',
    paciente_iniciais: 'Initials of the patient',
    semana_epidemiologica: 'Week of notification',
    semana_epidemiologica_sintomas: 'Week of onset',
    municipio_residencia_nome: 'Municipality of residence (name)',
    municipio_infeccao_nome: 'Municipality of infection (name)',
    criado_em: 'Registered at',
    atualizado_em: 'Updated at',
  },
}
