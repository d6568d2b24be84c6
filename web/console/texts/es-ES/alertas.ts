import type { alertas as alertaTexts } from '../pt-BR/alertas.ts'
import { formats } from './formats.ts'
import { niveis } from './niveis.ts'

const { number, moment, week } = niveis

export const alertas: typeof alertaTexts = {
  lead: 'Cambios de nivel de cada lugar, como fueron avisados; los más recientes primero.',
  place: 'Lugar',
  agravo: 'Enfermedad',
  level: 'Nivel',
  since: 'Desde',
  reasons: 'Motivos',
  cases: 'Casos esperados',
  state: 'Reconocimiento',
  actions: 'Acciones',
  anyLevel: 'Todos los niveles',
  states: { todos: 'Todos', abertos: 'Sin reconocimiento', reconhecidos: 'Reconocidas' },
  first: 'primer aviso',
  before: (nivel) => `antes: ${nivel.toLowerCase()}`,
  told: (at) => `avisado el ${formats.date(at)}`,
  ofKnown: (known) => `${number(known)} conocidos entonces`,
  kinds: { pais: 'país', estado: 'estado', regiao_saude: 'región de salud', municipio: 'municipio' },
  painelOf: (place) => `Panel de ${place}`,
  painel: 'Panel',
  casesOf: (place, semana) => `Casos de ${place} en la ${week(semana)}`,
  casesLink: 'Casos de la semana',
  none: 'Ninguna alerta todavía. Los niveles se calculan después de cada importación y cada domingo; una alerta aparece cuando cambia el nivel de un lugar.',
  noneFiltered: 'Ninguna alerta con estos filtros.',
  acknowledge: 'Reconocer',
  acknowledgeOf: (nivel, place) => `Reconocer: ${nivel}, ${place}`,
  acknowledgeTitle: (nivel, place) => `Reconocer la alerta: ${nivel}, ${place}`,
  acknowledgeNote:
    'Queda registrado que usted tomó conocimiento. No puede deshacerse; la nota la lee quien ve las alertas.',
  note: 'Qué se hizo o se sabe',
  noteMissing: 'Escriba una nota.',
  noteLeft: (left) => `Quedan ${number(left)} caracteres`,
  done: (place) => `Alerta de ${place} reconocida.`,
  conflict: (who, when) =>
    `${who ?? 'Otra persona'} ya reconoció esta alerta${when === null ? '' : ` el ${moment(when)}`}. Su nota no se guardó.`,
  theirNote: 'Nota guardada',
  by: (who) => (who === null ? 'Reconocida' : `Reconocida por ${who}`),
  noteOf: (place) => `Nota del reconocimiento, ${place}`,
}
