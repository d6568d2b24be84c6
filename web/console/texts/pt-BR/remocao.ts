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
  serie: {
    title: (codigo: string) => `Remover de vez a série ${codigo}`,
    note: 'A definição e o código deixam de existir, e ninguém os traz de volta. Só se remove uma série que nunca teve valores e de que nenhuma outra é calculada; as demais se arquivam. Na auditoria ficam quem removeu e quando.',
    noteDerived:
      'A definição e o código deixam de existir, e ninguém os traz de volta. As séries de que esta é calculada ficam, com os seus valores. Não se remove uma série de que outra é calculada. Na auditoria ficam quem removeu e quando.',
    typed: 'Para confirmar, digite o código da série',
  },
  wrong: (word: string) => `Digite ${word}.`,
  reason: 'Motivo',
  reasonMissing: 'Diga o motivo.',
}
