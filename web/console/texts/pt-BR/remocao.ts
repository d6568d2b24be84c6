/** Removal of what was deleted, for good. */
export const remocao = {
  action: 'Remover de vez',
  column: 'Remover',
  caso: {
    of: (numero: string) => `Remover de vez o caso ${numero}`,
    title: (numero: string) => `Remover de vez o caso ${numero}`,
    note: 'O caso, o histórico e os anexos deixam de existir, e ninguém os traz de volta. Na auditoria ficam quem removeu, quando e por quê.',
    typed: 'Para confirmar, digite o número da notificação',
    done: (numero: string) => `Caso ${numero} removido de vez.`,
  },
  conta: {
    title: (nome: string) => `Remover de vez a conta de ${nome}`,
    note: 'A conta deixa de existir, e ninguém a traz de volta. O que ela fez continua na auditoria, com o nome, e os casos que registrou ficam.',
    typed: 'Para confirmar, digite o nome da conta',
  },
  wrong: (word: string) => `Digite ${word}.`,
  reason: 'Motivo',
  reasonMissing: 'Diga o motivo.',
}
