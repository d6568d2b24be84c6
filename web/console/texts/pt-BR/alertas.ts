import { formats } from './formats.ts'
import { niveis } from './niveis.ts'

const { number, moment, week } = niveis

export const alertas = {
  lead: 'Mudanças de nível de cada lugar, como foram avisadas; as mais recentes primeiro.',
  place: 'Lugar',
  agravo: 'Agravo',
  level: 'Nível',
  since: 'Desde',
  reasons: 'Motivos',
  cases: 'Casos esperados',
  state: 'Reconhecimento',
  actions: 'Ações',
  anyLevel: 'Todos os níveis',
  states: { todos: 'Todos', abertos: 'Sem reconhecimento', reconhecidos: 'Reconhecidos' },
  first: 'primeiro aviso',
  before: (nivel: string) => `antes: ${nivel.toLowerCase()}`,
  told: (at: Date) => `avisado em ${formats.date(at)}`,
  ofKnown: (known: number) => `${number(known)} conhecidos então`,
  kinds: { pais: 'país', estado: 'estado', regiao_saude: 'região de saúde', municipio: 'município' },
  painelOf: (place: string) => `Painel de ${place}`,
  painel: 'Painel',
  casesOf: (place: string, semana: string) => `Casos de ${place} na ${week(semana)}`,
  casesLink: 'Casos da semana',
  none: 'Nenhum alerta ainda. Os níveis são calculados depois de cada importação e todo domingo; um alerta aparece quando o nível de um lugar muda.',
  noneFiltered: 'Nenhum alerta com estes filtros.',
  acknowledge: 'Reconhecer',
  acknowledgeOf: (nivel: string, place: string) => `Reconhecer: ${nivel}, ${place}`,
  acknowledgeTitle: (nivel: string, place: string) => `Reconhecer o alerta: ${nivel}, ${place}`,
  acknowledgeNote:
    'Fica registrado que você tomou conhecimento. Não pode ser desfeito; a nota é lida por quem vê os alertas.',
  note: 'O que se fez ou se sabe',
  noteMissing: 'Escreva uma nota.',
  noteLeft: (left: number) => `Restam ${number(left)} caracteres`,
  done: (place: string) => `Alerta de ${place} reconhecido.`,
  conflict: (who: string | null, when: Date | null) =>
    `${who ?? 'Outra pessoa'} já reconheceu este alerta${when === null ? '' : ` em ${moment(when)}`}. Sua nota não foi gravada.`,
  theirNote: 'Nota gravada',
  by: (who: string | null) => (who === null ? 'Reconhecido' : `Reconhecido por ${who}`),
  noteOf: (place: string) => `Nota do reconhecimento, ${place}`,
}
