import { chooseTexts, oneButtonPage } from '/conta/conta.js'

const texts = chooseTexts({
  'pt-BR': {
    title: 'Não foi você?',
    explanation:
      'Se não foi você, use o botão: o que o e-mail contou é desfeito, todas as sessões da conta são encerradas e você recebe um link para escolher uma nova senha.',
    submit: 'Não fui eu: desfazer',
    doneTitle: 'Desfeito',
    done: 'Está desfeito, e todas as sessões da conta foram encerradas. Escolha agora uma nova senha, com o link que enviamos a este endereço: outra pessoa pode conhecer a atual.',
    invalidLink:
      'Este link não é válido: já foi usado, expirou ou está incompleto. Se não foi você, redefina sua senha e fale com a administração do sistema.',
  },
  'en-US': {
    title: 'Was it not you?',
    explanation:
      'If it was not you, use the button: what the email told of is undone, all sessions of the account are ended, and you get a link to choose a new password.',
    submit: 'This was not me: undo',
    doneTitle: 'Undone',
    done: 'It is undone, and all sessions of the account were ended. Choose a new password now, with the link we sent to this address: somebody else may know the present one.',
    invalidLink:
      'This link is not valid: it was already used, has expired or is incomplete. If it was not you, reset your password and talk to the administrators of the system.',
  },
  'es-ES': {
    title: '¿No fue usted?',
    explanation:
      'Si no fue usted, use el botón: lo que contó el correo se deshace, todas las sesiones de la cuenta se cierran y usted recibe un enlace para elegir una nueva contraseña.',
    submit: 'No fui yo: deshacer',
    doneTitle: 'Deshecho',
    done: 'Está deshecho, y todas las sesiones de la cuenta se cerraron. Elija ahora una nueva contraseña, con el enlace que enviamos a esta dirección: otra persona puede conocer la actual.',
    invalidLink:
      'Este enlace no es válido: ya se usó, ha caducado o está incompleto. Si no fue usted, restablezca su contraseña y hable con la administración del sistema.',
  },
})

oneButtonPage(texts, '/api/v1/auth/nao-fui-eu')
