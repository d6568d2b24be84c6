import type { remocao as remocaoTexts } from '../pt-BR/remocao.ts'

export const remocao: typeof remocaoTexts = {
  action: 'Remove for good',
  column: 'Remove',
  caso: {
    of: (numero) => `Remove case ${numero} for good`,
    title: (numero) => `Remove case ${numero} for good`,
    note: 'The case, its history and its attachments cease to exist, and nobody can bring them back. The audit keeps who removed it, when and why.',
    typed: 'To confirm, type the notification number',
    done: (numero) => `Case ${numero} removed for good.`,
  },
  conta: {
    title: (nome) => `Remove the account of ${nome} for good`,
    note: 'The account ceases to exist, and nobody can bring it back. What it did stays in the audit, with its name, and the cases that it registered stay.',
    typed: 'To confirm, type the name of the account',
  },
  serie: {
    title: (codigo) => `Remove series ${codigo} for good`,
    note: 'The definition and the code cease to exist, and nobody can bring them back. Only a series that never had values and that no other is computed from can be removed; others are archived. The audit keeps who removed it and when.',
    noteDerived:
      'The definition and the code cease to exist, and nobody can bring them back. The series that this one is computed from stay, with their values. A series that another is computed from cannot be removed. The audit keeps who removed it and when.',
    typed: 'To confirm, type the code of the series',
  },
  wrong: (word) => `Type ${word}.`,
  reason: 'Reason',
  reasonMissing: 'Say why.',
}
