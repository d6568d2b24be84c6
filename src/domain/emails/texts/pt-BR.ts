import type { Textos } from './textos.ts'

export const ptBR: Textos = {
  saudacao: (nome) => (nome === null ? 'Olá,' : `Olá, ${nome},`),
  rodape: 'Mensagem automática do Vigia; respostas não são lidas.',
  comLink: {
    redefinir_senha: {
      assunto: 'Vigia: redefinição de senha',
      paragrafos: [
        'Recebemos um pedido para redefinir a senha da sua conta no Vigia.',
        'Para escolher uma nova senha, abra o link abaixo. Ele vale por 1 hora e funciona uma só vez.',
      ],
      acao: 'Escolher nova senha',
      depoisDoLink: ['Se você não fez esse pedido, ignore esta mensagem: sua senha continua a mesma.'],
    },
    verificar_email: {
      assunto: 'Vigia: confirme seu e-mail',
      paragrafos: [
        'Este endereço foi informado como o e-mail de uma conta no Vigia.',
        'Para confirmar que ele é seu, abra o link abaixo. Ele vale por 24 horas e funciona uma só vez.',
      ],
      acao: 'Confirmar e-mail',
      depoisDoLink: ['Se você não conhece essa conta, ignore esta mensagem: nada será confirmado.'],
    },
  },
  avisos: {
    senha_alterada: ({ quando }) => ({
      assunto: 'Vigia: sua senha foi alterada',
      paragrafos: [
        `A senha da sua conta no Vigia foi alterada em ${quando} (horário de Brasília).`,
        'Se não foi você, redefina a senha agora e avise a administração do sistema.',
      ],
    }),
    senha_definida: ({ quando, trocar_senha }) => ({
      assunto: 'Vigia: nova senha definida pela administração',
      paragrafos: [
        `A administração definiu uma nova senha para a sua conta no Vigia em ${quando} (horário de Brasília). A senha anterior não vale mais e suas sessões foram encerradas.`,
        trocar_senha
          ? 'Por segurança, a nova senha não é enviada por e-mail: peça-a a quem a definiu. No próximo acesso você precisará trocá-la.'
          : 'Por segurança, a nova senha não é enviada por e-mail: peça-a a quem a definiu.',
        'Se você não esperava por isso, fale com a administração do sistema.',
      ],
    }),
    email_alterado: ({ quando, pendente, desfazivel }) => ({
      assunto: pendente
        ? 'Vigia: pedido de troca do seu e-mail'
        : 'Vigia: o e-mail da sua conta foi alterado',
      paragrafos: [
        pendente
          ? `Em ${quando} (horário de Brasília) foi pedida a troca do e-mail da sua conta no Vigia. A troca só vale depois que o novo endereço for confirmado; até lá, este continua em uso.`
          : `O e-mail da sua conta no Vigia foi alterado em ${quando} (horário de Brasília). Este endereço não será mais usado.`,
        ...(desfazivel ? [] : ['Se você não esperava por isso, fale com a administração do sistema.']),
      ],
    }),
    email_devolvido: ({ quando }) => ({
      assunto: 'Vigia: a troca do e-mail foi desfeita',
      paragrafos: [
        `A troca do e-mail de uma conta no Vigia para este endereço foi desfeita em ${quando} (horário de Brasília), pelo link enviado ao endereço anterior. Este endereço não será mais usado, e as sessões da conta foram encerradas.`,
        'Se você não esperava por isso, fale com a administração do sistema.',
      ],
    }),
    mfa_ativado: ({ quando, desfazivel }) => ({
      assunto: 'Vigia: o segundo fator foi ativado',
      paragrafos: [
        `O segundo fator da sua conta no Vigia foi ativado em ${quando} (horário de Brasília). A cada acesso será pedido também um código.`,
        ...(desfazivel ? [] : ['Se você não esperava por isso, fale com a administração do sistema.']),
      ],
    }),
    mfa_desativado: ({ quando }) => ({
      assunto: 'Vigia: o segundo fator foi desativado',
      paragrafos: [
        `O segundo fator da sua conta no Vigia foi desativado em ${quando} (horário de Brasília). Para entrar, basta agora a senha.`,
        'Se não foi você, redefina a senha agora e avise a administração do sistema.',
      ],
    }),
    webhook_desligado: ({ quando }) => ({
      assunto: 'Vigia: um webhook seu foi desligado',
      paragrafos: [
        `Um dos seus webhooks no Vigia foi desligado em ${quando} (horário de Brasília), porque o receptor respondeu 410 ou não aceitou nenhuma entrega por cinco dias.`,
        'Os eventos continuam guardados: corrija o receptor e retome o webhook para recebê-los. O registro de entregas diz o que houve.',
      ],
    }),
  },
  naoFuiEu: {
    paragrafos: [
      'Se não foi você, abra o link abaixo: isso é desfeito, todas as sessões da conta são encerradas e você recebe um link para escolher uma nova senha.',
    ],
    acao: 'Não fui eu',
    depoisDoLink: ['O link vale por 7 dias e funciona uma só vez. Se foi você, ignore-o.'],
  },
}
