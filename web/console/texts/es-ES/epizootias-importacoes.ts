import type { epizootiasImportacoes as pt } from '../pt-BR/epizootias-importacoes.ts'
import { formats } from './formats.ts'

const { number } = formats
const counted = (value: number, one: string, many: string) => `${number(value)} ${value === 1 ? one : many}`

export const epizootiasImportacoes: typeof pt = {
  start: 'Importar archivo',
  epizootias: 'Todas las epizootias',
  lead: 'Archivos que trajeron epizootias; cada uno puede revertirse.',
  empty: 'Ninguna importación de epizootias todavía.',
  layouts: { epizootias: 'Modelo de Vigia', ministerio_pnh: 'Primates, Ministerio de Salud' },
  values: 'Eventos',
  summary: (created: number, updated: number, rejected: number) =>
    `${counted(created, 'nuevo', 'nuevos')}, ${counted(updated, 'modificado', 'modificados')}, ${counted(rejected, 'línea rechazada', 'líneas rechazadas')}`,
  steps: {
    arquivo: 'Archivo',
    conferencia: 'Verificación',
    importacao: 'Importación',
    resultado: 'Resultado',
  },
  formats:
    'CSV, XLSX, DBF o DBC, también en ZIP; columnas con los nombres de los campos, o el archivo abierto de primates del Ministerio de Salud',
  note: 'El archivo se envía solo para verificarlo. Una celda vacía deja el campo como está.',
  parts: {
    importados: 'Eventos nuevos',
    atualizados: 'Eventos modificados',
    inalterados: 'Eventos ya iguales',
    duplicados_no_arquivo: 'Repetidos en el archivo',
    erros: 'Líneas rechazadas',
  },
  import: (count: number) => `Importar ${counted(count, 'evento', 'eventos')}`,
  nothing: 'Nada que importar: Vigia ya tiene estos eventos.',
  resultTitle: (created: number, updated: number) =>
    created + updated === 0
      ? 'Importación concluida; nada cambió'
      : `${counted(created, 'evento nuevo', 'eventos nuevos')} y ${counted(updated, 'modificado', 'modificados')}`,
  seeEvents: 'Ver los eventos',
  removed: 'Eventos eliminados',
  confirmUndo: (count: number) => `Revertir en ${counted(count, 'evento', 'eventos')}`,
  notAllowed: 'Solo quien importó, o quien puede eliminar epizootias, revierte esta importación.',
  wroteNothing: 'Esta importación no cambió ningún evento.',
  stages: { RUNNING: 'Comparando con los eventos' },
  mayLeave: 'Puede salir de esta pantalla: el progreso queda en Importaciones de epizootias.',
  all: 'Todas las importaciones de epizootias',
  notAnImport: 'Esta dirección no es de una importación de epizootias.',
}
