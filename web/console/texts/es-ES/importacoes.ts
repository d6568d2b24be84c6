import type { importacoes as model } from '../pt-BR/importacoes.ts'
import { envio } from './envio.ts'
import { formats } from './formats.ts'

const { number } = formats
const counted = (value: number, one: string, many: string) => `${number(value)} ${value === 1 ? one : many}`
const day = (date: string) => date.split('-').reverse().join('/')
const moment = (at: Date) => formats.date(at, { dateStyle: 'short', timeStyle: 'short' })
const week = (codigo: string) => `SE ${Number(codigo.slice(4))}/${codigo.slice(0, 4)}`

export const importacoes: typeof model = {
  ...envio,
  period: (first, last) => `${day(first)} a ${day(last)}`,
  delimiterName: (delimiter) =>
    ({ ';': 'punto y coma', ',': 'coma', '\t': 'tabulación', '|': 'barra vertical' })[delimiter] ?? delimiter,
  layouts: { proprio: 'Vigia', sinan: 'SINAN', definido: 'de una definición' },
  line: 'Línea',
  toList: 'Ver todas las importaciones',
  mayLeave: 'Puede salir de esta pantalla: el progreso queda en Importaciones.',
  notAnImport: 'Esta dirección no es de una importación.',
  steps: {
    arquivo: 'Archivo',
    colunas: 'Columnas',
    conferencia: 'Revisión',
    importacao: 'Importación',
    resultado: 'Resultado',
  },
  works: {
    importacao: 'Importación',
    validacao: 'Revisión',
    exportacao: 'Exportación',
    desfazimento: 'Deshacer',
    simulacao: 'Simulación de deshacer',
    boletim: 'Boletín',
    verificacao: 'Verificación de la auditoría',
    varredura: 'Búsqueda de duplicados',
  },
  parts: {
    importados: 'Nuevos',
    atualizados: 'Actualizados',
    inalterados: 'Ya iguales',
    duplicados_no_arquivo: 'Repetidas en el archivo',
    erros: 'Rechazadas',
  },
  partsBefore: {
    importados: 'Nuevos',
    atualizados: 'Actualizan un caso existente',
    inalterados: 'Ya iguales',
    duplicados_no_arquivo: 'Repetidas en el archivo',
    erros: 'Rechazadas',
  },
  list: {
    ...envio.list,
    lead: 'Archivos del SINAN y hojas de cálculo que trajeron casos.',
    new: 'Importar archivo',
    empty: 'Todavía no hay importaciones. Empiece por un archivo del SINAN o una hoja de cálculo.',
    unfinished: 'Sin terminar',
    checked: 'Revisado, no importado',
    keptUntil: (lines, until) =>
      `${lines === null ? '' : `${counted(lines, 'línea', 'líneas')}; `}guardado hasta ${moment(until)}`,
    continue: 'Continuar',
    continueOf: (name) => `Continuar la importación de ${name}`,
    result: 'Resultado',
    failed: 'Con fallo',
    summary: (created, updated, rejected) =>
      `${counted(created, 'nuevo', 'nuevos')}, ${counted(updated, 'actualizado', 'actualizados')}, ${counted(rejected, 'rechazada', 'rechazadas')}`,
    cases: 'Ver casos',
    casesOf: (file) => `Ver casos de ${file}`,
    followOf: (name) => `Seguir: ${name}`,
    see: 'Ver qué pasó',
    seeOf: (name) => `Ver qué pasó: ${name}`,
  },
  file: {
    ...envio.file,
    formats: 'CSV, XLSX, DBF, DBC o un ZIP con uno de ellos; hasta 2 GB',
    note: 'El archivo se envía solo para revisarlo. Las líneas que Vigia ya tiene no se repiten.',
    forget: 'Elegir otro',
    withoutDisease: 'El archivo no dice la enfermedad de los casos. Indíquela para continuar.',
    disease: 'Enfermedad de todos los casos del archivo',
    chooseDisease: 'Elija…',
    diseaseFirst: 'Indique la enfermedad antes de enviar el archivo.',
    textos: 'Leer también los textos libres',
    textosNote:
      'Solo de los campos que la enfermedad tiene. Los textos libres pueden traer nombres de personas.',
  },
  columns: {
    title: (used, all) => `${number(used)} de ${counted(all, 'columna usada', 'columnas usadas')}`,
    used: (used, all) => `${number(used)} de ${number(all)} usadas`,
    next: 'Continuar a la revisión',
    columns: 'Columnas del archivo',
    columnsNote: 'En qué se convierte cada columna en Vigia.',
    column: 'Columna',
    field: 'Campo',
    use: 'Uso',
    example: 'Ejemplo',
    uses: { usada: 'Usada', ignorada: 'Ignorada a propósito', desconhecida: 'Desconocida' },
    suggestion: (name) => `Se parece a ${name}`,
    sample: (lines) => (lines === 1 ? 'La primera línea' : `Las primeras ${number(lines)} líneas`),
    sampleNote: 'Los datos de pacientes aparecen como ***.',
  },
  check: {
    title: (lines) => `Qué pasaría con ${counted(lines, 'línea', 'líneas')}`,
    problems: (lines) =>
      lines === 0 ? 'ningún problema' : counted(lines, 'línea con problema', 'líneas con problema'),
  },
  problems: {
    ...envio.problems,
    note: 'Agrupados por causa; las líneas rechazadas vuelven en un archivo listo para corregir.',
    none: 'Ninguno. Se entendieron todas las líneas.',
    rejected: 'Rechazadas',
    causes: (lines, causes) =>
      `${counted(lines, 'línea', 'líneas')} en ${counted(causes, 'causa', 'causas')}`,
    warnings: 'Avisos',
    warningsNote: (warnings) => `${counted(warnings, 'aviso', 'avisos')}; las líneas entran igualmente`,
    said: 'Qué hay en la línea',
    firstLines: (shown, all) =>
      shown === 1
        ? `La primera de ${number(all)} líneas.`
        : `Las primeras ${number(shown)} de ${number(all)} líneas.`,
  },
  effect: {
    title: 'Cómo cambia la curva',
    note: 'Casos por semana de inicio de síntomas, en los municipios del archivo.',
    none: 'La curva no cambia.',
    today: 'Hoy en Vigia',
    added: 'La importación agrega',
    removed: 'La importación quita',
    table: 'Ver la tabla por semana',
    week: 'Semana',
    before: 'Antes',
    after: 'Después',
    number,
    weekName: week,
    shortWeek: (codigo) => `SE ${Number(codigo.slice(4))}`,
    withoutWeek: (cases) =>
      `${counted(cases, 'caso nuevo', 'casos nuevos')} sin semana de inicio de síntomas fuera de la curva.`,
    summary: (weeks, added, removed) =>
      `Casos por semana antes y después, en ${counted(weeks, 'semana', 'semanas')}: ${number(added)} más, ${number(removed)} menos.`,
  },
  decide: {
    ...envio.decide,
    title: 'Cómo importar',
    good: 'Importar las líneas buenas',
    goodNote: (lines) =>
      lines === 1
        ? 'La rechazada queda aparte para corregir y reenviar.'
        : `Las ${number(lines)} rechazadas quedan aparte para corregir y reenviar.`,
    all: 'Importar solo si todo está bien',
    allNote: (lines) =>
      `Con ${counted(lines, 'línea rechazada', 'líneas rechazadas')}, no se guardaría nada.`,
    mend: 'Corrija el archivo y envíelo de nuevo, o importe las líneas buenas.',
    import: (cases) => `Importar ${counted(cases, 'caso', 'casos')}`,
    starting: 'Iniciando…',
    back: 'Ver columnas',
    safe: 'Se puede deshacer después, con vista previa de lo que vuelve. Los casos que alguien edite entretanto se conservan.',
    keptUntil: (until) => `El archivo revisado se guarda hasta ${moment(until)}.`,
    gone: 'El archivo revisado ya no está guardado, o ya se importó. Vea en Importaciones, o envíelo de nuevo.',
    nothing: 'Nada que importar: Vigia ya tiene las líneas buenas de este archivo.',
    allWrong: 'Nada que importar: se rechazaron todas las líneas. Corrija el archivo y envíelo de nuevo.',
    same: (at) => `Este archivo ya se importó el ${moment(at)}; nada cambia.`,
    seeEarlier: 'Ver aquella importación',
    other: (file) => `Otra importación suya está en curso (${file}). Esta espera su turno.`,
  },
  result: {
    ...envio.result,
    title: (created, updated) =>
      created + updated === 0
        ? 'Importación concluida; nada cambió'
        : `${counted(created, 'caso nuevo', 'casos nuevos')} y ${counted(updated, 'actualizado', 'actualizados')}`,
    cases: 'Ver los casos',
    casesOf: (cases) => (cases === 1 ? 'Ver el caso' : `Ver los ${number(cases)} casos`),
    mend: 'Corrija las líneas rechazadas en el archivo descargado e impórtelo: solo ellas entran.',
    duplicates: (total, certain) =>
      total === 0
        ? 'Ninguno de los casos parece repetir otro.'
        : `${counted(total, 'posible duplicado', 'posibles duplicados')}, ${counted(certain, 'casi seguro', 'casi seguros')}.`,
    seeDuplicates: (total) =>
      total === 1 ? 'Ver el posible duplicado' : `Ver los ${number(total)} posibles duplicados`,
    searching: 'Buscando casos repetidos…',
  },
  detail: {
    title: (lines) => `Qué pasó con ${counted(lines, 'línea', 'líneas')}`,
  },
  undo: {
    ...envio.undo,
    lead: 'Primero una simulación muestra qué se quitaría y qué volvería a ser como antes.',
    removed: 'Casos nuevos, quitados',
    restored: 'Vuelven a ser como antes',
    kept: 'Quedan como están',
    keptNote: (numbers, more) =>
      `Se modificaron después de esta importación: ${numbers}${more > 0 ? ` y ${number(more)} más` : ''}.`,
    type: (cases) => `Para confirmar, escriba el número de casos: ${number(cases)}`,
    mistyped: (cases) => `Escriba ${number(cases)} para confirmar.`,
    confirm: (cases) => `Deshacer en ${counted(cases, 'caso', 'casos')}`,
    notAllowed: 'Solo quien importó, o quien puede eliminar casos, deshace esta importación.',
    wroteNothing: 'Esta importación no cambió ningún caso.',
  },
}
