import type { alertas as alertaTexts } from '../pt-BR/alertas.ts'
import { formats } from './formats.ts'
import { niveis } from './niveis.ts'

const { number, moment, week } = niveis
const exact = (value: number) => formats.number(value, { maximumFractionDigits: 6 })

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
  rules: {
    title: 'Reglas de las alertas',
    lead: 'De cuántos casos y de qué crecimiento está hecho cada nivel, por enfermedad.',
    version: (versao) => `versión ${number(versao)}`,
    summary: (amarelo, laranja, vermelho) =>
      `Amarillo con ${number(amarelo)} casos en la semana, naranja con ${number(laranja)}, rojo con ${number(vermelho)}.`,
    growth: (percent) => `Crecimiento por encima de ${exact(percent)}\u00a0% de probabilidad.`,
    change: 'Cambiar',
    changeOf: (agravo) => `Cambiar la regla de ${agravo}`,
    titleOf: (agravo) => `Regla de las alertas de ${agravo}`,
    fields: {
      p_crescimento: 'Probabilidad de crecimiento (%)',
      casos_janela: 'Casos en la ventana de crecimiento',
      casos_amarelo: 'Casos para el amarillo',
      casos_laranja: 'Casos para el naranja',
      casos_vermelho: 'Casos para el rojo',
      incidencia_4_semanas: 'Incidencia en 4 semanas',
    },
    notes: {
      p_crescimento: 'De 50 a 99,99. Por encima de ella se dice que los casos crecen.',
      casos_janela: 'Con menos que eso en tres semanas no se dice que crecen.',
      casos_amarelo: 'Esperados en la semana, con la alarma EARS.',
      casos_laranja: 'Esperados en la semana, con crecimiento e incidencia por encima de la media.',
      casos_vermelho: 'Esperados en la semana, por encima del límite del diagrama de control.',
      incidencia_4_semanas: 'Por 100 mil; da el rojo solo donde hay años de menos para un diagrama.',
    },
    notNumber: 'Escriba un número.',
    effect: 'Qué cambia al guardar',
    effectOf: (field, from, to) =>
      `${field}: de ${exact(from)} a ${exact(to)}; ${to > from ? 'menos' : 'más'} lugares entran en alerta.`,
    since: (versao) =>
      `Es la versión ${number(versao)}, de los niveles calculados de aquí en adelante: de un lugar cuando cambian sus casos, de todos el domingo. Las alertas ya avisadas quedan como están.`,
    back: 'Volver a las reglas',
    save: 'Guardar',
    done: (agravo) => `Regla de ${agravo} guardada.`,
  },
}
