import { formats } from './formats.ts'

const hour = (moment: Date) => formats.date(moment, { hour: '2-digit', minute: '2-digit' })
const dayAndHour = (moment: Date) =>
  `${formats.date(moment, { day: '2-digit', month: '2-digit', year: 'numeric' })} ${hour(moment)}`

/** Of records that are changed: drafts, and versions that contradict each other. */
export const registro = {
  conflict: {
    title: 'Alguém alterou este registro',
    lead: (nome: string | null, moment: Date | null) =>
      `${
        moment === null
          ? 'O registro mudou enquanto você editava.'
          : nome === null
            ? `Outra versão foi salva em ${dayAndHour(moment)}, enquanto você editava.`
            : `${nome} salvou outra versão em ${dayAndHour(moment)}, enquanto você editava.`
      } Escolha o que vale em cada campo e salve de novo.`,
    field: 'Campo',
    mine: 'O seu',
    theirs: 'O que está salvo',
    before: 'Era:',
    in: 'incluído',
    out: 'retirado',
    changed:
      'Alguém alterou este registro enquanto ele estava aberto. Veja como está agora e decida de novo.',
    others: 'Também mudou, e fica como está salvo:',
    empty: 'vazio',
    none: 'As mudanças não são nos mesmos campos: as suas podem ser salvas junto com as outras.',
    send: 'Salvar com estas escolhas',
    back: 'Voltar ao formulário',
  },
  draft: {
    saving: 'Salvando rascunho…',
    saved: (moment: Date) => `Rascunho salvo ${hour(moment)}`,
    failed: 'Rascunho ainda não salvo. O que você digitou continua nesta aba.',
    full: 'Você tem rascunhos demais. Descarte algum para que este seja salvo.',
    foundTitle: 'Rascunhos que você deixou',
    foundEdit: (moment: Date) => `Você deixou alterações deste caso sem enviar em ${dayAndHour(moment)}.`,
    found: (moment: Date) => `Ficha de ${dayAndHour(moment)}`,
    goOn: 'Continuar',
    discard: 'Descartar',
    restored: (moment: Date) => `Você continua o rascunho de ${dayAndHour(moment)}.`,
    gone: 'Este rascunho não existe mais: já foi enviado, descartado, ou passou de 30 dias.',
  },
}
