import { formats } from './formats.ts'
import { niveis } from './niveis.ts'

const { number, moment, week } = niveis
const exact = (value: number) => formats.number(value, { maximumFractionDigits: 6 })

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
  rules: {
    title: 'Regras dos alertas',
    lead: 'De quantos casos e de que crescimento é feito cada nível, por agravo.',
    version: (versao: number) => `versão ${number(versao)}`,
    summary: (amarelo: number, laranja: number, vermelho: number) =>
      `Amarelo com ${number(amarelo)} casos na semana, laranja com ${number(laranja)}, vermelho com ${number(vermelho)}.`,
    growth: (percent: number) => `Crescimento acima de ${exact(percent)}\u00a0% de probabilidade.`,
    change: 'Alterar',
    changeOf: (agravo: string) => `Alterar a regra de ${agravo}`,
    titleOf: (agravo: string) => `Regra dos alertas de ${agravo}`,
    fields: {
      p_crescimento: 'Probabilidade de crescimento (%)',
      casos_janela: 'Casos na janela de crescimento',
      casos_amarelo: 'Casos para o amarelo',
      casos_laranja: 'Casos para o laranja',
      casos_vermelho: 'Casos para o vermelho',
      incidencia_4_semanas: 'Incidência em 4 semanas',
    },
    notes: {
      p_crescimento: 'De 50 a 99,99. Acima dela diz-se que os casos crescem.',
      casos_janela: 'Com menos do que isso em três semanas não se diz que crescem.',
      casos_amarelo: 'Esperados na semana, com o alarme EARS.',
      casos_laranja: 'Esperados na semana, com crescimento e incidência acima da média.',
      casos_vermelho: 'Esperados na semana, acima do limite do diagrama de controle.',
      incidencia_4_semanas: 'Por 100 mil; dá o vermelho só onde há anos de menos para um diagrama.',
    },
    notNumber: 'Escreva um número.',
    effect: 'O que muda ao salvar',
    effectOf: (field: string, from: number, to: number) =>
      `${field}: de ${exact(from)} para ${exact(to)}; ${to > from ? 'menos' : 'mais'} lugares entram em alerta.`,
    since: (versao: number) =>
      `É a versão ${number(versao)}, dos níveis calculados daqui em diante: de um lugar quando os seus casos mudam, de todos no domingo. Alertas já avisados ficam como estão.`,
    back: 'Voltar às regras',
    save: 'Salvar',
    done: (agravo: string) => `Regra de ${agravo} salva.`,
  },
}
