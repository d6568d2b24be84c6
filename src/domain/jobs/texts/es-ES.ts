import type { JobTexts, Trabalho } from './texts.ts'

const works: Record<Trabalho, string> = {
  importacao: 'Importación',
  validacao: 'Validación',
  exportacao: 'Exportación',
  desfazimento: 'Reversión',
  simulacao: 'Simulación',
  boletim: 'Boletín',
  verificacao: 'Verificación de la auditoría',
  varredura: 'Búsqueda de duplicados',
}
const running: Record<Trabalho, string> = {
  importacao: 'Comparando con los casos y guardando',
  validacao: 'Comparando con los casos',
  exportacao: 'Generando el archivo de exportación',
  desfazimento: 'Revirtiendo la importación',
  simulacao: 'Simulando la reversión',
  boletim: 'Preparando el boletín',
  verificacao: 'Verificando la auditoría',
  varredura: 'Buscando duplicados',
}
const completed: Record<Trabalho, string> = {
  importacao: 'Importación terminada',
  validacao: 'Validación terminada',
  exportacao: 'Exportación terminada',
  desfazimento: 'Importación revertida',
  simulacao: 'Simulación terminada',
  boletim: 'Boletín listo',
  verificacao: 'Auditoría verificada',
  varredura: 'Búsqueda de duplicados terminada',
}

export const esES: JobTexts = {
  works,
  messages: {
    WAITING: ({ trabalho }) => `${works[trabalho]} en cola`,
    INTERRUPTED: ({ trabalho }) => `${works[trabalho]} en cola para continuar, tras una interrupción`,
    READING: () => 'Leyendo y comprobando el archivo',
    RUNNING: ({ trabalho }) => running[trabalho],
    CANCELING: () => 'Cancelación en curso',
    COMPLETED: ({ trabalho, rejeitadas }) =>
      rejeitadas > 0
        ? `${completed[trabalho]}, con ${rejeitadas} ${rejeitadas === 1 ? 'fila rechazada' : 'filas rechazadas'}`
        : completed[trabalho],
    REFUSED: ({ trabalho, linhas }) =>
      `${trabalho === 'validacao' ? 'No se importaría nada' : 'No se importó nada'}: ${linhas} ${linhas === 1 ? 'fila' : 'filas'} con error`,
    INVALID_FILE: ({ motivo }) => `No se puede importar el archivo: ${motivo}`,
    WITHOUT_DISEASE: ({ motivo }) => `No se puede importar el archivo: ${motivo}`,
    TOO_MANY_ROWS: ({ linhas, limite }) =>
      `Son ${linhas} filas, y el archivo admite ${limite}: exporte en csv, o por partes`,
    TOTAL_DIFFERS: ({ contadas, linhas }) =>
      `El encabezado del archivo diría ${contadas} líneas, y se leyeron ${linhas}: no se guardó nada. Pídalo de nuevo, o en csv; si vuelve a ocurrir, avise a quien administra el servicio`,
    TOO_FEW_CASES: ({ k }) =>
      `Son pocos casos para que ${k} sean iguales entre sí: amplíe el filtro o pida menos cuasi-identificadores`,
    ALREADY_UNDONE: () => 'La importación ya fue revertida',
    LEVELS_COMPUTED: () => 'Niveles de alerta calculados',
    PAIRS_FOUND: () => 'Duplicados buscados',
    CANCELED: () => 'Job cancelado',
    ACCOUNT_OFF: () => 'Job cancelado: la cuenta fue desactivada',
    NOT_PERMITTED: () => 'La cuenta ya no tiene permiso para esto; no se guardó nada',
    STALLED: () => 'Terminado tras un minuto de procesamiento sin avanzar',
    FAILED: () => 'Error interno',
  },
}
