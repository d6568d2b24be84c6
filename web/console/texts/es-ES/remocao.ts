import type { remocao as remocaoTexts } from '../pt-BR/remocao.ts'

export const remocao: typeof remocaoTexts = {
  action: 'Eliminar para siempre',
  column: 'Eliminar',
  caso: {
    of: (numero) => `Eliminar para siempre el caso ${numero}`,
    title: (numero) => `Eliminar para siempre el caso ${numero}`,
    note: 'El caso, su historial y sus anexos dejan de existir, y nadie puede recuperarlos. En la auditoría quedan quién lo eliminó, cuándo y por qué.',
    typed: 'Para confirmar, escriba el número de la notificación',
    done: (numero) => `Caso ${numero} eliminado para siempre.`,
  },
  conta: {
    title: (nome) => `Eliminar para siempre la cuenta de ${nome}`,
    note: 'La cuenta deja de existir, y nadie puede recuperarla. Lo que hizo queda en la auditoría, con su nombre, y los casos que registró quedan.',
    typed: 'Para confirmar, escriba el nombre de la cuenta',
  },
  serie: {
    title: (codigo) => `Eliminar para siempre la serie ${codigo}`,
    note: 'La definición y el código dejan de existir, y nadie puede recuperarlos. Solo se elimina una serie que nunca tuvo valores y de la que no se calcula ninguna otra; las demás se archivan. En la auditoría quedan quién la eliminó y cuándo.',
    noteDerived:
      'La definición y el código dejan de existir, y nadie puede recuperarlos. Las series de las que esta se calcula permanecen, con sus valores. No se elimina una serie de la que se calcula otra. En la auditoría quedan quién la eliminó y cuándo.',
    typed: 'Para confirmar, escriba el código de la serie',
  },
  wrong: (word) => `Escriba ${word}.`,
  reason: 'Motivo',
  reasonMissing: 'Diga el motivo.',
}
