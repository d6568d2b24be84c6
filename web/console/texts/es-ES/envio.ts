import type { envio as pt } from '../pt-BR/envio.ts'
import { formats } from './formats.ts'

const { number } = formats
const counted = (value: number, one: string, many: string) => `${number(value)} ${value === 1 ? one : many}`
const moment = (at: Date) => formats.date(at, { dateStyle: 'short', timeStyle: 'short' })
const bytes = (size: number) =>
  size < 1024 ** 2
    ? `${number(Math.max(1, Math.round(size / 1024)))} KB`
    : `${formats.number(size / 1024 ** 2, { maximumFractionDigits: 1 })} MB`

/** Words of every import, whatever it brings. */
export const envio: typeof pt = {
  lead: 'Nada se guarda antes de que usted lo revise y decida.',
  number,
  moment,
  bytes,
  ofBytes: (sent, total) => `${bytes(sent)} de ${bytes(total)}`,
  percent: (value) => `${number(value)} %`,
  changeFile: 'Cambiar el archivo',
  checking: 'Revisando el archivo',
  importing: 'Importando',
  withheld: 'El territorio de su cuenta cambió desde este envío, y el resultado ya no se muestra.',
  lineRead: (line) => `Línea ${number(line)}.`,
  linesPerSecond: (lines) => `${number(lines)} líneas por segundo.`,
  remaining: (seconds) =>
    seconds < 60
      ? 'Falta menos de un minuto.'
      : `Faltan unos ${counted(Math.round(seconds / 60), 'minuto', 'minutos')}.`,
  stages: {
    WAITING: 'En espera',
    INTERRUPTED: 'En espera para continuar, después de una interrupción',
    READING: 'Leyendo y revisando el archivo',
    RUNNING: 'Comparando con los casos',
    CANCELING: 'Cancelando',
  },
  cancelJob: {
    importacao: 'Cancelar la importación',
    validacao: 'Cancelar la revisión',
    exportacao: 'Cancelar',
    desfazimento: 'Cancelar',
    simulacao: 'Cancelar',
    boletim: 'Cancelar',
    verificacao: 'Cancelar',
    varredura: 'Cancelar',
  },
  facts: {
    file: 'Archivo',
    format: 'Formato',
    layout: 'Diseño',
    encoding: 'Codificación',
    delimiter: 'Separador',
    size: 'Tamaño',
    lines: 'Líneas',
    period: 'Notificaciones de',
    warnings: 'Avisos',
  },
  list: {
    first: 'Elegir un archivo',
    file: 'Archivo',
    who: 'Quién',
    when: 'Cuándo',
    lines: 'Líneas',
    state: 'Estado',
    actions: 'Acciones',
    done: 'Concluida',
    undone: 'Deshecha',
    open: 'Abrir',
    openUndo: 'Abrir o deshacer',
    openOf: (file) => `Abrir la importación de ${file}`,
    follow: 'Seguir',
    importOf: (id) => `importación ${id}`,
  },
  file: {
    title: 'Elija el archivo',
    drop: 'Elija un archivo o suéltelo aquí',
    empty: 'El archivo está vacío. Elija otro.',
    tooLarge: 'El archivo pasa de 2 GB. Divídalo en partes.',
    sending: (name) => `Enviando ${name}`,
    sendingNote: 'El envío continúa si abre otra pantalla de Vigia; no cierre esta pestaña.',
    stop: 'Parar el envío',
    failed: (name, reason) => `El envío de ${name} no terminó. ${reason}`,
    kept: (name) => `${name} sigue aquí.`,
    again: 'Enviar de nuevo',
    refused: (reason) => `No se pudo leer el archivo. ${reason}`,
    canceled: 'La revisión se canceló. No se guardó nada.',
  },
  problems: {
    title: 'Problemas encontrados',
    download: (lines) =>
      lines === 1 ? 'Descargar la línea rechazada' : `Descargar las ${number(lines)} líneas rechazadas`,
  },
  decide: {},
  result: {
    took: (seconds, file) => `${file}, en ${number(seconds)} s.`,
    undo: 'Ver o deshacer',
    another: 'Importar otro archivo',
  },
  failed: {
    title: 'La importación no se hizo',
    canceled: 'Importación cancelada',
    nothing: 'No se guardó nada.',
    resume: 'Volver a la revisión',
    again: 'Empezar de nuevo',
  },
  undo: {
    title: 'Deshacer',
    simulate: 'Simular',
    simulated: 'Simulación lista. Nada cambió todavía.',
    nothing: 'No hay nada que deshacer.',
    sending: 'Deshaciendo…',
    done: 'Importación deshecha.',
    undone: (at, by) => `Deshecha el ${at}${by === null ? '' : `, por ${by}`}.`,
  },
  /** Of imports that are checked line by line. */
  check: {
    checkTitle: (lines: number) => `Qué pasaría con ${counted(lines, 'línea', 'líneas')}`,
    problems: 'Líneas rechazadas',
    warnings: 'Avisos',
    noProblems: 'Ningún problema: se entendieron todas las líneas.',
    line: 'Línea',
    said: 'Qué hay en la línea',
    firstOf: (shown: number, all: number) => `Las primeras ${number(shown)} de ${number(all)}.`,
    decide: 'Cómo importar',
    good: 'Importar las líneas buenas',
    goodNote: 'Las rechazadas vuelven en un archivo para corregir.',
    allOr: 'Importar solo si todo está bien',
    allOrNote: (lines: number) =>
      `Con ${counted(lines, 'línea rechazada', 'líneas rechazadas')}, no se grabaría nada.`,
    allWrong: 'Nada que importar: se rechazaron todas las líneas.',
    safe: 'Se puede revertir después, con vista previa de lo que vuelve.',
    chooseAgain: (name: string) =>
      `La página se recargó y ya no tiene el archivo. Elija ${name} de nuevo para importarlo.`,
    otherFile: (name: string) => `No es el archivo verificado. Elija ${name}.`,
    sendingImport: 'Enviando para importar…',
    detailTitle: 'Qué pasó',
    undoLead: 'Primero una simulación muestra qué se eliminaría y qué volvería a ser como antes.',
    restored: 'Vuelven a ser como antes',
    kept: 'Quedan como están: alguien los cambió después',
    running: 'En curso',
    follow: (name: string) => `Seguir: ${name}`,
  },
}
