import type { duplicidades as duplicidadeTexts } from '../pt-BR/duplicidades.ts'

const LOCALE = 'es-ES'
const number = (value: number) => value.toLocaleString(LOCALE)
const moment = (at: Date) =>
  `${at.toLocaleDateString(LOCALE)} a las ${at.toLocaleTimeString(LOCALE, { hour: '2-digit', minute: '2-digit' })}`
const counted = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`

export const duplicidades: typeof duplicidadeTexts = {
  lead: (total) =>
    total === undefined
      ? 'Casos que pueden ser de la misma persona.'
      : `${counted(total, 'par', 'pares')} de casos en este filtro.`,
  none: 'Ningún par espera una decisión. Los casos se comparan a medida que llegan.',
  noneFiltered: 'Ningún par en este filtro.',
  bar: 'Filtro de duplicados',
  import: 'Importación',
  importOf: (id) => `de la importación ${id}`,
  score: (value) =>
    `${value.toLocaleString(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} puntos`,
  scan: 'Buscar en todos los casos',
  scanning: 'Pidiendo…',
  scanAsked: 'La búsqueda en todos los casos empezó. Los pares aparecen aquí a medida que se encuentran.',
  band: 'Franja',
  anyBand: 'Todas',
  bands: { quase_certa: 'Casi segura', provavel: 'Probable', possivel: 'Posible' },
  bandNotes: {
    quase_certa: 'Desde 12 puntos',
    provavel: 'De 6 a 12 puntos',
    possivel: 'Hasta 6 puntos',
  },
  state: 'Situación',
  states: {
    pendente: 'Espera decisión',
    mesmo_caso: 'Mismo caso: fusionados',
    outro_episodio: 'Otro episodio',
    outra_pessoa: 'Otra persona',
  },
  columns: {
    par: 'Par',
    casos: 'Casos',
    agravo: 'Enfermedad',
    lugar: 'Residencia',
    razoes: 'Razones',
    situacao: 'Situación',
    acoes: 'Acciones',
  },
  notified: (day) => `notificado el ${day}`,
  compare: 'Comparar',
  compareOf: (one, other) => `Comparar ${one} y ${other}`,
  see: 'Ver',
  seeOf: (one, other) => `Ver ${one} y ${other}`,
  title: (one, other) => `Notificaciones ${one} y ${other}`,
  missing: 'Este par ya no existe: uno de los casos cambió o se eliminó, o está fuera de su territorio.',
  back: 'Volver a los duplicados',
  reasons: 'Por qué parecen el mismo caso',
  kinds: { a_favor: 'a favor', contra: 'en contra', neutra: 'neutra' },
  name: (equal, words, alike) =>
    `Nombre: ${equal} de ${counted(words, 'palabra igual', 'palabras iguales')}${alike === 0 ? '' : `, ${counted(alike, 'parecida', 'parecidas')}`}`,
  first: {
    igual: 'Mismo primer nombre',
    parecido: 'Primer nombre parecido',
    outro: 'Primer nombre diferente',
  },
  birth: {
    igual: 'Misma fecha de nacimiento',
    trocado: 'Día y mes de nacimiento intercambiados',
    duas_partes: 'Fecha de nacimiento con dos de tres partes iguales',
    uma_parte: 'Fecha de nacimiento con una de tres partes igual',
    outro: 'Otra fecha de nacimiento',
    desconhecido: 'Fecha de nacimiento desconocida en uno de los casos',
  },
  sex: { igual: 'Mismo sexo', outro: 'Otro sexo', desconhecido: 'Sexo desconocido en uno de los casos' },
  town: {
    igual: 'Mismo municipio de residencia',
    outro: 'Otro municipio de residencia',
    desconhecido: 'Municipio desconocido en uno de los casos',
  },
  district: { igual: 'Mismo barrio', outro: 'Otro barrio', desconhecido: '' },
  days: (days) =>
    days === 0 ? 'Notificados el mismo día' : `Notificados con ${counted(days, 'día', 'días')} de distancia`,
  sideBySide: 'Lado a lado',
  field: 'Campo',
  caseOf: (numero) => `Notificación ${numero}`,
  absorbed: 'fusionado en el otro',
  excluded: 'eliminado',
  differs: 'difiere',
  onlyDifferences: 'Mostrar solo lo que difiere',
  differences: (count) =>
    count === 0 ? 'Ningún campo visible difiere.' : `${counted(count, 'campo difiere', 'campos difieren')}.`,
  unknown: 'no informado',
  openCase: 'Abrir el caso',
  decision: 'Decisión',
  question: '¿Los dos registros son de la misma enfermedad de la misma persona?',
  same: 'Mismo caso: fusionar…',
  otherPerson: 'No es la misma persona',
  otherEpisode: 'Misma persona, otro episodio',
  later: 'Decidir después',
  next: 'Próximo par',
  noNext: 'No hay otro par en este filtro.',
  keys: 'Teclas: F fusiona, N otra persona, O otro episodio, D decide después, Esc vuelve.',
  decided: (state, who, at) =>
    `${state}. ${who === null ? 'Decidido' : `Decidido por ${who}`} el ${moment(at)}.`,
  reasonWas: 'Motivo',
  done: {
    mesmo_caso: 'Casos fusionados. La fusión puede deshacerse aquí.',
    outro_episodio: 'Decisión registrada: otro episodio de la misma persona.',
    outra_pessoa: 'Decisión registrada: no es la misma persona.',
  },
  undone: 'Fusión deshecha: los dos casos existen de nuevo, y el par espera decisión.',
  motive: 'Motivo (opcional)',
  motiveNote: 'Queda cifrado; solo lo lee quien puede identificar pacientes.',
  confirm: {
    outro_episodio: 'Los dos casos quedan como están, y el par sale de la lista.',
    outra_pessoa: 'Los dos casos quedan como están, y el par no se propone más.',
  },
  register: 'Registrar la decisión',
  sending: 'Enviando…',
  stale:
    'Uno de los casos cambió desde que usted abrió este par. No se hizo nada. Recargue y compare de nuevo.',
  reload: 'Recargar el par',
  merge: {
    title: 'Fusionar los dos casos',
    lead: 'Un caso queda; el otro sale de todas las listas y recuentos, sin perderse. Puede deshacerse.',
    keep: '¿Qué caso queda?',
    earlier: 'notificación más antigua',
    values: '¿Qué valor queda?',
    valuesNote:
      'Lo que le falta al caso que queda viene del otro, y las listas se unen. Número, fechas de notificación y de digitación, enfermedad y situación son siempre del caso que queda.',
    sealedNote: 'Para elegir nombre, nacimiento y dirección, muestre antes los datos del paciente.',
    none: 'Ningún campo informado en ambos difiere.',
    simulate: 'Ver lo que va a pasar',
    back: 'Cambiar las elecciones',
    result: (keeps, goes) => `La notificación ${keeps} queda. La ${goes} sale de los recuentos.`,
    changes: 'Lo que cambia en el caso que queda',
    nothingChanges: 'Ningún campo del caso que queda cambia.',
    fromOther: 'del otro caso',
    fromBoth: 'de los dos',
    derived: 'calculado',
    sealed: 'protegido',
    leftOut: (fields) => `Queda fuera, porque contradiría al caso que queda: ${fields}.`,
    submit: 'Fusionar',
  },
  undo: {
    open: 'Deshacer la fusión…',
    title: 'Deshacer la fusión',
    lead: (goes) => `La notificación ${goes} vuelve a las listas y recuentos.`,
    back: (fields) => `Vuelven a lo que eran en el caso que quedó: ${fields}.`,
    backNone: 'Ningún campo del caso que quedó cambia.',
    kept: (fields) => `Quedan como están, porque cambiaron después de la fusión: ${fields}.`,
    submit: 'Deshacer',
  },
  ask: {
    title: 'Este paciente ya puede haber sido notificado',
    lead: (count) =>
      `${count === 1 ? 'Hay un caso' : `Hay ${number(count)} casos`} de la misma enfermedad, en días cercanos, que ${count === 1 ? 'parece' : 'parecen'} de la misma persona. Todavía no se guardó nada.`,
    caso: (numero, day) => `Notificación ${numero}, de ${day}`,
    unnamed: (id) => `Caso ${id}`,
    open: 'Abrir ese caso',
    openOf: (name) => `Abrir: ${name} (en otra pestaña)`,
    back: 'Volver a la ficha',
    save: 'Guardar de todos modos',
  },
}
