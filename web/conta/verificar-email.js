import { chooseTexts, hideNotice, onToken, post, showNotice, showTitle, whileSending } from '/conta/conta.js'

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

const form = document.getElementById('form')
const button = document.getElementById('submit')
let token = null

function finish(kind, title, text) {
  token = null
  form.hidden = true
  showTitle(title)
  showNotice(kind, text)
}

// Only this request changes anything: programs that open the links of mails to check them confirm nothing.
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  hideNotice()
  await whileSending(button, texts.sending, async () => {
    const { ok, error } = await post('/api/v1/auth/verificar-email', { token })
    if (ok) finish('success', texts.doneTitle, texts.done)
    else if ([400, 422].includes(error.status)) finish('error', texts.invalidTitle, texts.invalidLink)
    else showNotice('error', error.status === undefined ? texts.unreachable : (error.message ?? texts.failed))
  })
})

onToken((given) => {
  token = given
  if (token === null) return finish('error', texts.invalidTitle, texts.invalidLink)
  hideNotice()
  showTitle(texts.title)
  form.hidden = false
  button.focus()
})
