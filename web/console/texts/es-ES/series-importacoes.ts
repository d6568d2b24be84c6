import type { seriesImportacoes as pt } from '../pt-BR/series-importacoes.ts'
import { formats } from './formats.ts'

const { number } = formats
const counted = (value: number, one: string, many: string) => `${number(value)} ${value === 1 ? one : many}`
const day = (date: string) => date.split('-').reverse().join('/')

export const seriesImportacoes: typeof pt = {
  number,
  day,
  none: '–',
  columns: {
    serie: 'Serie',
    valores: 'Valores',
    lugares: 'Lugares',
    alcance: 'De – a',
  },
  fromTo: (first: string, last: string) => `${first} – ${last}`,
  start: 'Importar archivo',
  series: 'Todas las series',
  lead: 'Archivos y pedidos que trajeron valores; cada uno se puede revertir.',
  empty: 'Ninguna importación de series todavía.',
  layouts: {
    inmet: 'Estación del INMET',
    infodengue: 'Tabla de InfoDengue',
    larga: 'Tabla ancha',
    longa: 'Tabla larga',
    liraa: 'LIRAa',
    valores: 'Valores por pedido',
  },
  values: 'Valores',
  summary: (created: number, updated: number, rejected: number) =>
    `${counted(created, 'nuevo', 'nuevos')}, ${counted(updated, 'modificado', 'modificados')}, ${counted(rejected, 'línea rechazada', 'líneas rechazadas')}`,
  steps: {
    arquivo: 'Archivo',
    reconhecido: 'Qué contiene',
    conferencia: 'Verificación',
    importacao: 'Importación',
    resultado: 'Resultado',
  },
  formats:
    'CSV, XLSX, DBF o DBC, también en ZIP; estación del INMET, InfoDengue, TabNet, LIRAa o tabla larga',
  note: 'El archivo se envía solo para verificarlo. Los valores que Vigia ya tiene no cambian.',
  notInFile: 'Lo que el archivo no dice',
  notInFileNote: 'Solo lo que le falta. Después de un cambio, envíelo de nuevo.',
  serie: 'Serie',
  noSerie: 'Lo dice el archivo',
  municipio: 'Municipio',
  estado: 'Estado',
  noEstado: 'Lo dice el archivo',
  ano: 'Año',
  anoProblem: 'Cuatro cifras, desde 1950.',
  recognised: (name: string) => `Reconocido: ${name}`,
  layout: 'Modelo',
  seriesOf: 'Series del archivo',
  withoutSeries: 'No se leyó ningún valor. Vea los problemas en la verificación.',
  sem_lugar: 'Líneas sin lugar',
  next: 'Continuar a la verificación',
  back: 'Ver qué contiene',
  parts: {
    importados: 'Valores nuevos',
    atualizados: 'Valores modificados',
    inalterados: 'Valores ya iguales',
    duplicados_no_arquivo: 'Repetidos en el archivo',
    erros: 'Líneas rechazadas',
  },
  import: (values: number) => `Importar ${counted(values, 'valor', 'valores')}`,
  nothing: 'Nada que importar: Vigia ya tiene estos valores.',
  resultTitle: (created: number, updated: number) =>
    created + updated === 0
      ? 'Importación concluida; nada cambió'
      : `${counted(created, 'valor nuevo', 'valores nuevos')} y ${counted(updated, 'modificado', 'modificados')}`,
  removed: 'Valores eliminados',
  confirmUndo: (values: number) => `Revertir en ${counted(values, 'valor', 'valores')}`,
  notAllowed: 'Solo quien importó, o quien puede registrar series, revierte esta importación.',
  wroteNothing: 'Esta importación no cambió ningún valor.',
  stages: { RUNNING: 'Comparando con los valores' },
  mayLeave: 'Puede salir de esta pantalla: el progreso queda en Importaciones de series.',
  all: 'Todas las importaciones de series',
  notAnImport: 'Esta dirección no es de una importación de series.',
}
