/** Choosing another password. */
export const esqueci = {
  lead: 'Informe o e-mail da sua conta. Se ele estiver cadastrado, enviaremos um link para escolher outra senha.',
  submit: 'Enviar link',
  sending: 'Enviando…',
  done: 'Se o e-mail estiver cadastrado, você receberá as instruções em instantes.',
  back: 'Voltar para a entrada',
}

export const trocar = {
  lead: 'A senha atual foi gerada pelo sistema ou definida por outra pessoa. Escolha uma que só você saiba para continuar.',
  atual: 'Senha atual',
  nova: 'Nova senha',
  confirmar: 'Repita a nova senha',
  submit: 'Salvar nova senha',
  sending: 'Salvando…',
  mismatch: 'As duas senhas são diferentes.',
  rulesTitle: 'A nova senha precisa ter:',
  rules: {
    length: 'De 8 a 128 caracteres',
    uppercase: 'Ao menos uma letra maiúscula',
    lowercase: 'Ao menos uma letra minúscula',
    digit: 'Ao menos um algarismo',
    special: 'Ao menos um caractere especial',
  },
  met: 'cumprida',
}
