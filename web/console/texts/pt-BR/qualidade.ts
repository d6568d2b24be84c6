import { formats } from './formats.ts'

const { number } = formats
const one = (value: number) => number(value, { maximumFractionDigits: 1 })
const after = (weeks: number) =>
  weeks === 0 ? 'na mesma semana' : `${number(weeks)} ${weeks === 1 ? 'semana' : 'semanas'} depois`

export const qualidade = {
  lead: (casos: number | undefined, de: string, ate: string) =>
    `${casos === undefined ? 'Fichas' : `${number(casos)} ${casos === 1 ? 'ficha' : 'fichas'}`} com notificação de ${de} a ${ate}.`,
  file: 'Baixar (CSV)',
  none: 'Nenhuma ficha foi notificada neste lugar e período.',
  partial: 'Parte do lugar está fora do seu território e não conta aqui.',
  period: 'Notificação',
  lastYear: 'Últimos 365 dias',
  by: 'Dividir por',
  parts: {
    municipio: 'Município',
    regiao_saude: 'Região de saúde',
    estado: 'Estado',
    unidade: 'Unidade (CNES)',
  },
  records: 'Fichas',
  unknown: 'Desconhecido',
  percent: (value: number | null) => (value === null ? '–' : `${one(value)} %`),
  days: (value: number | null) => (value === null ? '–' : one(value)),
  of: (part: number, whole: number) => `${number(part)} de ${number(whole)}`,
  grades: { excelente: 'Excelente', bom: 'Bom', regular: 'Regular', ruim: 'Ruim', muito_ruim: 'Muito ruim' },
  completeness: {
    title: 'Completude',
    note: 'Parte das fichas em que o campo está preenchido; "ignorado" não conta. Excelente a partir de 95 %, bom 90 %, regular 80 %, ruim 50 %.',
    field: 'Campo',
    share: 'Preenchido',
    grade: 'Faixa',
    records: 'Fichas',
  },
  timeliness: {
    title: 'Oportunidade',
    note: 'Dias de um acontecimento a outro, e a parte das fichas no prazo.',
    measure: 'De um a outro',
    inTime: 'No prazo',
    mediana: 'Mediana (dias)',
    p90: '90 % em até (dias)',
    measures: {
      notificacao: 'Dos sintomas à notificação',
      digitacao: 'Da notificação à digitação',
      encerramento: 'Da notificação ao encerramento',
      obito: 'Do óbito pelo agravo à notificação',
    },
    limits: {
      notificacao: 'até 7 dias',
      digitacao: 'até 7 dias',
      encerramento: 'no prazo do agravo, das fichas em que ele venceu',
      obito: 'até 1 dia',
    },
    automatic: (count: number) =>
      `${number(count)} ${count === 1 ? 'ficha foi encerrada' : 'fichas foram encerradas'} como inconclusiva no 61º dia pelo SINAN, sem investigação.`,
  },
  contradictions: {
    title: 'Inconsistências',
    note: 'O que uma ficha diz e ela mesma desmente. Cada número leva às fichas.',
    none: 'Nenhuma inconsistência.',
    pairs: 'pares de fichas que podem ser da mesma pessoa',
  },
  delays: {
    title: 'Demora até a digitação',
    note: 'Semanas do início dos sintomas até o caso estar digitado, nos casos prováveis das últimas 26 semanas encerradas.',
    choose: 'Escolha um agravo.',
    few: 'São menos de 50 casos com data de digitação: poucos para dizer quanto demoram.',
    undated: (count: number) =>
      `${number(count)} ${count === 1 ? 'caso sem data de digitação não entra' : 'casos sem data de digitação não entram'}.`,
    half: (half: number, most: number | null) =>
      `Metade está digitada ${after(half)}${most === null ? '' : `, 90 % ${after(most)}`}.`,
    weeks: 'Digitados',
    share: 'Parte dos casos',
    until: 'Até então',
    after,
  },
  pending: {
    title: 'Onde há pendências',
    note: 'Por pendência e município de residência, do maior número para o menor.',
    none: 'Nada espera.',
    records: 'Fichas',
    work: 'Pendência',
    place: 'Município',
    unknown: 'Município desconhecido',
  },
  groups: {
    titles: {
      municipio: 'Por município',
      regiao_saude: 'Por região de saúde',
      estado: 'Por estado',
      unidade: 'Por unidade notificante',
    },
    note: 'Só o que tem fichas, em ordem de código.',
    inTime: {
      notificacao: 'Notificação no prazo',
      digitacao: 'Digitação no prazo',
      encerramento: 'Encerramento no prazo',
    },
    poor: 'Campos ruins ou muito ruins',
  },
}
