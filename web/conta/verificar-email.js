import { chooseTexts, oneButtonPage } from '/conta/conta.js'

const texts = chooseTexts({
  'pt-BR': {
    title: 'Confirme seu e-mail',
    explanation: 'Use o botão para confirmar que o endereço em que você recebeu este link é seu.',
    submit: 'Confirmar e-mail',
    doneTitle: 'E-mail confirmado',
    done: 'Seu e-mail foi confirmado. Você já pode fechar esta página.',
    invalidLink:
      'Este link não é válido: já foi usado, expirou ou está incompleto. Peça um novo e-mail de confirmação.',
  },
  'en-US': {
    title: 'Confirm your email',
    explanation: 'Use the button to confirm that the address at which you received this link is yours.',
    submit: 'Confirm email',
    doneTitle: 'Email confirmed',
    done: 'Your email is confirmed. You can close this page.',
    invalidLink:
      'This link is not valid: it was already used, has expired or is incomplete. Ask for a new confirmation email.',
  },
  'es-ES': {
    title: 'Confirme su correo',
    explanation: 'Use el botón para confirmar que la dirección en la que recibió este enlace es suya.',
    submit: 'Confirmar correo',
    doneTitle: 'Correo confirmado',
    done: 'Su correo fue confirmado. Ya puede cerrar esta página.',
    invalidLink:
      'Este enlace no es válido: ya se usó, ha caducado o está incompleto. Solicite un nuevo correo de confirmación.',
  },
})

oneButtonPage(texts, '/api/v1/auth/verificar-email')
