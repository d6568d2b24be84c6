import { formats } from './formats.ts'

const { number } = formats
const counted = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`

export const pessoas = {
  lead: 'Casos de todos os agravos em que o nome e a data de nascimento, ou o município, se parecem com os de uma pessoa.',
  recorded:
    'Cada busca fica registrada na auditoria com o motivo e os casos achados; o nome procurado, não. São até 30 buscas por hora.',
  name: 'Nome',
  birth: 'Nascimento',
  birthNote: 'Dia, mês ou ano: 06/05/1990, 05/1990 ou 1990.',
  birthWrong: 'Escreva um dia, um mês ou um ano, como 06/05/1990, 05/1990 ou 1990.',
  town: 'Município de residência',
  townNote: 'Sem a data de nascimento, é preciso o município.',
  oneOf: 'Informe o nascimento ou o município.',
  required: 'Preencha este campo.',
  motive: 'Motivo',
  motiveNote: 'Fica cifrado na auditoria; só quem pode identificar pacientes o lê.',
  search: 'Procurar',
  searching: 'Procurando…',
  found: (count: number) =>
    count === 0
      ? 'Nenhum caso que a sua conta pode abrir se parece com esta pessoa.'
      : `${counted(count, 'caso se parece', 'casos se parecem')} com esta pessoa.`,
  most: 'Só os 50 mais parecidos são mostrados; com o dia de nascimento e o município a busca fica mais exata.',
  columns: {
    caso: 'Caso',
    nome: 'Nome',
    nascimento: 'Nascimento',
    agravo: 'Agravo',
    lugar: 'Residência',
    semelhanca: 'Semelhança',
  },
  openOf: (numero: string) => `Notificação ${numero} (em outra aba)`,
  notified: (day: string) => `notificado em ${day}`,
  score: (value: number) => `${number(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} pontos`,
  selected: (count: number) => counted(count, 'caso selecionado', 'casos selecionados'),
  unselect: 'Limpar seleção',
  report: {
    open: 'Relatório da pessoa…',
    title: 'Relatório do que se guarda da pessoa',
    effect: (count: number) =>
      `Tudo o que o serviço guarda em ${counted(count, 'caso', 'casos')}: todos os campos, as mudanças, os anexos e quem leu os dados. Serve para responder ao pedido da própria pessoa (LGPD, art. 18). Confira antes que os casos são dela.`,
    recorded: 'O relatório fica registrado na auditoria de cada caso, com o motivo.',
    tooMany: (most: number) => `Um relatório tem no máximo ${most} casos.`,
    make: 'Gerar relatório',
    making: 'Gerando…',
    done: 'O relatório está pronto. O arquivo identifica a pessoa: entregue-o só a ela, e apague-o depois.',
    download: 'Baixar o relatório',
    file: 'relatorio-da-pessoa.html',
  },
}
