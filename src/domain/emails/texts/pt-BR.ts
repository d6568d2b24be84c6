import type { MailTexts } from './texts.ts'

export const ptBR: MailTexts = {
  greeting: (nome) => (nome === null ? 'Olá,' : `Olá, ${nome},`),
  footer: 'Mensagem automática do Vigia; respostas não são lidas.',
  withLink: {
    redefinir_senha: {
      subject: 'Vigia: redefinição de senha',
      paragraphs: [
        'Recebemos um pedido para redefinir a senha da sua conta no Vigia.',
        'Para escolher uma nova senha, abra o link abaixo. Ele vale por 1 hora e funciona uma só vez.',
      ],
      action: 'Escolher nova senha',
      afterLink: ['Se você não fez esse pedido, ignore esta mensagem: sua senha continua a mesma.'],
    },
    verificar_email: {
      subject: 'Vigia: confirme seu e-mail',
      paragraphs: [
        'Este endereço foi informado como o e-mail de uma conta no Vigia.',
        'Para confirmar que ele é seu, abra o link abaixo. Ele vale por 24 horas e funciona uma só vez.',
      ],
      action: 'Confirmar e-mail',
      afterLink: ['Se você não conhece essa conta, ignore esta mensagem: nada será confirmado.'],
    },
    convite: {
      subject: 'Vigia: convite para usar o sistema',
      paragraphs: [
        'Uma conta no Vigia, o sistema de vigilância em saúde, foi criada para você. O seu nome de usuário é este endereço de e-mail.',
        'Para escolher a sua senha e entrar, abra o link abaixo. Ele vale por 7 dias e funciona uma só vez.',
      ],
      action: 'Escolher a senha',
      afterLink: [
        'Se o link tiver vencido, peça um novo convite a quem administra o sistema.',
        'Se você não esperava por isso, ignore esta mensagem: sem a senha ninguém entra na conta.',
      ],
    },
  },
  notices: {
    senha_alterada: ({ when }) => ({
      subject: 'Vigia: sua senha foi alterada',
      paragraphs: [
        `A senha da sua conta no Vigia foi alterada em ${when} (horário de Brasília).`,
        'Se não foi você, redefina a senha agora e avise a administração do sistema.',
      ],
    }),
    senha_definida: ({ when, trocar_senha }) => ({
      subject: 'Vigia: nova senha definida pela administração',
      paragraphs: [
        `A administração definiu uma nova senha para a sua conta no Vigia em ${when} (horário de Brasília). A senha anterior não vale mais e suas sessões foram encerradas.`,
        trocar_senha
          ? 'Por segurança, a nova senha não é enviada por e-mail: peça-a a quem a definiu. No próximo acesso você precisará trocá-la.'
          : 'Por segurança, a nova senha não é enviada por e-mail: peça-a a quem a definiu.',
        'Se você não esperava por isso, fale com a administração do sistema.',
      ],
    }),
    email_alterado: ({ when, pending, undoable }) => ({
      subject: pending ? 'Vigia: pedido de troca do seu e-mail' : 'Vigia: o e-mail da sua conta foi alterado',
      paragraphs: [
        pending
          ? `Em ${when} (horário de Brasília) foi pedida a troca do e-mail da sua conta no Vigia. A troca só vale depois que o novo endereço for confirmado; até lá, este continua em uso.`
          : `O e-mail da sua conta no Vigia foi alterado em ${when} (horário de Brasília). Este endereço não será mais usado.`,
        ...(undoable ? [] : ['Se você não esperava por isso, fale com a administração do sistema.']),
      ],
    }),
    email_devolvido: ({ when }) => ({
      subject: 'Vigia: a troca do e-mail foi desfeita',
      paragraphs: [
        `A troca do e-mail de uma conta no Vigia para este endereço foi desfeita em ${when} (horário de Brasília), pelo link enviado ao endereço anterior. Este endereço não será mais usado, e as sessões da conta foram encerradas.`,
        'Se você não esperava por isso, fale com a administração do sistema.',
      ],
    }),
    mfa_ativado: ({ when, undoable }) => ({
      subject: 'Vigia: o segundo fator foi ativado',
      paragraphs: [
        `O segundo fator da sua conta no Vigia foi ativado em ${when} (horário de Brasília). A cada acesso será pedido também um código.`,
        ...(undoable ? [] : ['Se você não esperava por isso, fale com a administração do sistema.']),
      ],
    }),
    mfa_desativado: ({ when }) => ({
      subject: 'Vigia: o segundo fator foi desativado',
      paragraphs: [
        `O segundo fator da sua conta no Vigia foi desativado em ${when} (horário de Brasília). Para entrar, basta agora a senha.`,
        'Se não foi você, redefina a senha agora e avise a administração do sistema.',
      ],
    }),
    mfa_encerrado: ({ when }) => ({
      subject: 'Vigia: o segundo fator foi encerrado pela administração',
      paragraphs: [
        `A administração encerrou o segundo fator da sua conta no Vigia em ${when} (horário de Brasília). Para entrar, basta agora a senha, e suas sessões foram encerradas.`,
        'Se você não pediu isso, redefina a senha agora e avise a administração do sistema. Se pediu, ative o segundo fator de novo assim que puder.',
      ],
    }),
    codigos_renovados: ({ when }) => ({
      subject: 'Vigia: novos códigos de reserva',
      paragraphs: [
        `Novos códigos de reserva foram gerados para a sua conta no Vigia em ${when} (horário de Brasília). Os anteriores não valem mais.`,
        'Se não foi você, redefina a senha agora e avise a administração do sistema.',
      ],
    }),
    sessoes_encerradas: ({ when }) => ({
      subject: 'Vigia: suas sessões foram encerradas',
      paragraphs: [
        `A administração encerrou as sessões da sua conta no Vigia em ${when} (horário de Brasília). Para continuar, entre de novo.`,
        'Se você não esperava por isso, fale com a administração do sistema.',
      ],
    }),
    muitas_fusoes: ({ when }) => ({
      subject: 'Vigia: muitas fusões de casos em um dia',
      paragraphs: [
        `Uma conta fundiu mais de 50 casos no mesmo dia, até ${when} (horário de Brasília). Um caso fundido em outro sai de todas as contagens.`,
        'A auditoria diz quem fundiu quais casos (ação caso.fundido). Cada fusão pode ser desfeita na tela Duplicidades.',
      ],
    }),
    identidade_vinculada: ({ when }) => ({
      subject: 'Vigia: entrada única vinculada à sua conta',
      paragraphs: [
        `A sua conta no Vigia foi vinculada a uma identidade de entrada única em ${when} (horário de Brasília). Agora se entra na conta também por ela.`,
        'Se não foi você, desvincule-a em “Minha conta”, encerre as outras sessões e avise a administração do sistema.',
      ],
    }),
    identidade_desvinculada: ({ when }) => ({
      subject: 'Vigia: entrada única desvinculada da sua conta',
      paragraphs: [
        `Uma identidade de entrada única foi desvinculada da sua conta no Vigia em ${when} (horário de Brasília). Para entrar sem ela, use a senha; quem não tem senha escolhe uma em “Esqueci a senha”.`,
        'Se você não esperava por isso, fale com a administração do sistema.',
      ],
    }),
    webhook_desligado: ({ when }) => ({
      subject: 'Vigia: um webhook seu foi desligado',
      paragraphs: [
        `Um dos seus webhooks no Vigia foi desligado em ${when} (horário de Brasília), porque o receptor respondeu 410 ou não aceitou nenhuma entrega por cinco dias.`,
        'Os eventos continuam guardados: corrija o receptor e retome o webhook para recebê-los. O registro de entregas diz o que houve.',
      ],
    }),
  },
  boletim: ({ lugar, semana, agravos, secoes }) => ({
    subject: `Vigia: boletim de ${lugar}, semana ${semana}`,
    paragraphs: [
      `O boletim epidemiológico de ${lugar}, semana ${semana} (${agravos}), está pronto.`,
      ...secoes.map(
        ({ agravo, nivel, casos_ano, casos_4_semanas }) =>
          `${agravo}: nível ${nivel}; casos prováveis no ano: ${casos_ano ?? 'suprimidos'}; nas últimas quatro semanas: ${casos_4_semanas ?? 'suprimidos'}.`,
      ),
    ],
    action: 'Abrir o boletim',
    afterLink: ['Para abrir, é preciso entrar com a sua conta.'],
  }),
  nomes: {
    dengue: 'Dengue',
    zika: 'Zika',
    chikungunya: 'Chikungunya',
    verde: 'verde',
    amarelo: 'amarelo',
    laranja: 'laranja',
    vermelho: 'vermelho',
  },
  disown: {
    paragraphs: [
      'Se não foi você, abra o link abaixo: isso é desfeito, todas as sessões da conta são encerradas e você recebe um link para escolher uma nova senha.',
    ],
    action: 'Não fui eu',
    afterLink: ['O link vale por 7 dias e funciona uma só vez. Se foi você, ignore-o.'],
  },
}
