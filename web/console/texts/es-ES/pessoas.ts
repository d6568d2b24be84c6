import { formats } from './formats.ts'

const { number } = formats
const counted = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`

export const pessoas = {
  lead: 'Casos de todas las enfermedades en que el nombre y la fecha de nacimiento, o el municipio, se parecen a los de una persona.',
  recorded:
    'Cada búsqueda queda registrada en la auditoría con el motivo y los casos hallados; el nombre buscado, no. Son hasta 30 búsquedas por hora.',
  name: 'Nombre',
  birth: 'Nacimiento',
  birthNote: 'Día, mes o año: 06/05/1990, 05/1990 o 1990.',
  birthWrong: 'Escriba un día, un mes o un año, como 06/05/1990, 05/1990 o 1990.',
  town: 'Municipio de residencia',
  townNote: 'Sin la fecha de nacimiento hace falta el municipio.',
  oneOf: 'Indique el nacimiento o el municipio.',
  required: 'Rellene este campo.',
  motive: 'Motivo',
  motiveNote: 'Queda cifrado en la auditoría; solo lo lee quien puede identificar pacientes.',
  search: 'Buscar',
  searching: 'Buscando…',
  found: (count: number) =>
    count === 0
      ? 'Ningún caso que su cuenta puede abrir se parece a esta persona.'
      : `${counted(count, 'caso se parece', 'casos se parecen')} a esta persona.`,
  most: 'Solo se muestran los 50 más parecidos; con el día de nacimiento y el municipio la búsqueda es más exacta.',
  columns: {
    caso: 'Caso',
    nome: 'Nombre',
    nascimento: 'Nacimiento',
    agravo: 'Enfermedad',
    lugar: 'Residencia',
    semelhanca: 'Semejanza',
  },
  openOf: (numero: string) => `Notificación ${numero} (en otra pestaña)`,
  notified: (day: string) => `notificado el ${day}`,
  score: (value: number) => `${number(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} puntos`,
  selected: (count: number) => counted(count, 'caso seleccionado', 'casos seleccionados'),
  unselect: 'Quitar la selección',
  report: {
    open: 'Informe de la persona…',
    title: 'Informe de lo que se guarda de la persona',
    effect: (count: number) =>
      `Todo lo que el servicio guarda en ${counted(count, 'caso', 'casos')}: todos los campos, los cambios, los adjuntos y quién leyó los datos. Sirve para responder al pedido de la propia persona (LGPD, art. 18). Compruebe antes que los casos son suyos.`,
    recorded: 'El informe queda registrado en la auditoría de cada caso, con el motivo.',
    tooMany: (most: number) => `Un informe tiene como máximo ${most} casos.`,
    make: 'Generar el informe',
    making: 'Generando…',
    done: 'El informe está listo. El archivo identifica a la persona: entréguelo solo a ella y bórrelo después.',
    download: 'Descargar el informe',
    file: 'informe-de-la-persona.html',
  },
}
