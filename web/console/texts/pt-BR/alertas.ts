const LOCALE = 'pt-BR'
const number = (value: number) => value.toLocaleString(LOCALE, { maximumFractionDigits: 1 })
const percent = (share: number) =>
  `${(100 * share).toLocaleString(LOCALE, { maximumFractionDigits: share > 0.99 ? 1 : 0 })} %`
const moment = (at: Date) =>
  `${at.toLocaleDateString(LOCALE)} às ${at.toLocaleTimeString(LOCALE, { hour: '2-digit', minute: '2-digit' })}`
const week = (semana: string) => `SE ${Number(semana.slice(4))}/${semana.slice(0, 4)}`

/** Levels of alert, wherever they are shown. */
export const niveis = {
  nomes: { verde: 'Verde', amarelo: 'Amarelo', laranja: 'Laranja', vermelho: 'Vermelho' },
  significados: {
    verde: 'sem sinal de aumento',
    amarelo: 'atenção',
    laranja: 'transmissão sustentada',
    vermelho: 'epidemia',
  },
  motivos: {
    crescimento: 'Os casos crescem: é muito provável que cada um gere mais de um.',
    ears_c2: 'Casos muito acima das semanas anteriores (alarme EARS C2).',
    acima_da_media: 'Incidência acima da média histórica da semana.',
    acima_do_limite: 'Incidência acima do limite superior do diagrama de controle por duas semanas.',
    incidencia_4_semanas:
      'Incidência alta somada em quatro semanas; há anos de menos para um diagrama de controle.',
    carencia: 'Acima do limite até a semana anterior; o nível permanece por mais uma.',
    dados_alterados: 'Os casos desta semana mudaram depois do primeiro aviso.',
  },
  motivosCurtos: {
    crescimento: 'crescimento',
    ears_c2: 'alarme EARS',
    acima_da_media: 'acima da média',
    acima_do_limite: 'acima do limite',
    incidencia_4_semanas: 'incidência em 4 semanas',
    carencia: 'carência',
    dados_alterados: 'dados alterados',
  },
  alerta: 'Nível de alerta',
  at: (semana: string) => `na ${week(semana)}`,
  why: 'Por quê',
  noReason: 'Nenhuma condição de alerta se cumpre nesta semana.',
  known: 'Prováveis conhecidos',
  expected: 'Prováveis esperados',
  incidence: 'Incidência por 100 mil',
  limit: 'Limite superior por 100 mil',
  noLimit: 'anos de menos',
  growth: 'Probabilidade de crescimento',
  scope:
    'De todos os casos prováveis do lugar, quaisquer que sejam os outros filtros; as semanas recentes são estimadas.',
  mapNote: (semana: string) =>
    `${week(semana)}: o nível da última semana encerrada, de todos os casos prováveis.`,
  open: 'Ver os alertas deste lugar',
  number,
  percent,
  week,
  moment,
}

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
  told: (at: Date) => `avisado em ${at.toLocaleDateString(LOCALE)}`,
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
