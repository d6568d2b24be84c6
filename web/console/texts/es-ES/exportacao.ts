import type { exportacao as pt } from '../pt-BR/exportacao.ts'

export const exportacao: typeof pt = {
  formatNotes: {
    csv: 'Se abre en hojas de cálculo y TabWin',
    xlsx: 'Para Excel y LibreOffice',
    parquet: 'Columnas con tipo y el archivo más pequeño: para R, Python y DuckDB',
    dbf: 'Para TabWin, bases estatales, InfoDengue y read.dbf de R',
    dbc: 'El DBF comprimido que publica el DATASUS: para TabWin y microdatasus',
    csv_sinan: 'En Latin-1, como los archivos del SINAN: para programas que esperan sus nombres',
    json: 'Una línea por caso, para programas',
    extrato: 'Anónimo: nadie puede ser encontrado en él; para quien está fuera de la vigilancia',
  },
  oneDisease: 'Elija antes una sola enfermedad en el filtro',
  compressed: 'Comprimir (gzip)',
  compressedNote: 'Un sexto del tamaño; R, Python y DuckDB lo leen así.',
  extract: {
    finalidade: 'Finalidad',
    orgao: 'Quién lo recibe',
    protocolo: 'Protocolo del comité de ética (si lo hay)',
  },
  extractNote:
    'Lugar, edad, sexo, raza e inicio se vuelven menos precisos hasta que haya al menos tantos casos iguales; como máximo el 5 % de los casos queda fuera. Finalidad y destinatario quedan en la auditoría.',
  extractShort: (least) => `Al menos ${least} caracteres.`,
  extractK: 'Casos iguales, al menos',
  extractParquet: 'En Parquet, en lugar de un ZIP con CSV',
  identifiedExport: 'Con nombre, nacimiento, dirección y código postal',
  identifiedNote:
    'Sin esto el archivo es desidentificado, no anónimo. Queda registrado en la auditoría con su nombre.',
  downloadNote: 'El enlace vale 24 horas. La descarga queda registrada.',
  columns: 'Columnas',
  columnsOf: { todas: 'Todas', lista: 'Las de la lista', escolhidas: 'Elegir' },
  columnsNotes: {
    todas: 'También las que solo tiene esta enfermedad',
    lista: 'Como están en la pantalla',
    escolhidas: 'Una por una; las que solo tiene esta enfermedad vienen únicamente con todas',
  },
  noColumn: 'Elija al menos una columna.',
  wholeBlock: 'Todas de este bloque',
  chosenOf: (count: number, all: number) => `${count} de ${all}`,
  /** Columns that are no fields of the form. */
  computed: {
    id: 'Número interno',
    paciente_iniciais: 'Iniciales del paciente',
    semana_epidemiologica: 'Semana de la notificación',
    semana_epidemiologica_sintomas: 'Semana de los síntomas',
    municipio_residencia_nome: 'Municipio de residencia (nombre)',
    municipio_infeccao_nome: 'Municipio de infección (nombre)',
    criado_em: 'Registrado el',
    atualizado_em: 'Actualizado el',
  },
}
