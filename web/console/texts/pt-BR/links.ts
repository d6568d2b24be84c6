/** Screens that links in mails lead to. */
export const links = {
  invalidTitle: 'Link inválido',
  askAnother: 'Pedir outro link',
  goOn: 'Ir para o Vigia',
  sending: 'Enviando…',
  taken: 'Este endereço já é o de outra conta. Fale com a administração do sistema.',
  redefinir: {
    doneTitle: 'Senha alterada',
    done: 'Sua senha foi alterada. Entre com a nova senha; as sessões que estavam abertas foram encerradas.',
    invalid:
      'Este link não é válido: já foi usado, expirou ou está incompleto. Peça um novo e-mail de redefinição de senha.',
  },
  verificar: {
    lead: 'Use o botão para confirmar que o endereço em que você recebeu este link é seu.',
    submit: 'Confirmar e-mail',
    doneTitle: 'E-mail confirmado',
    done: 'Seu e-mail foi confirmado.',
    invalid:
      'Este link não é válido: já foi usado, expirou ou está incompleto. Para receber outro, mude de novo o e-mail em “Minha conta” ou fale com a administração do sistema.',
  },
  naoFuiEu: {
    lead: 'Se não foi você, use o botão: o que o e-mail contou é desfeito, todas as sessões da conta são encerradas e você recebe um link para escolher uma nova senha.',
    submit: 'Não fui eu: desfazer',
    doneTitle: 'Desfeito',
    done: 'Está desfeito, e todas as sessões da conta foram encerradas. Escolha agora uma nova senha, com o link que enviamos a este endereço: outra pessoa pode conhecer a atual.',
    invalid:
      'Este link não é válido: já foi usado, expirou ou está incompleto. Se não foi você, redefina sua senha e fale com a administração do sistema.',
  },
}
