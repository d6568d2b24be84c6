import { chooseTexts, hideNotice, onToken, post, showNotice, showTitle, whileSending } from '/conta/conta.js'

const texts = chooseTexts({
  'pt-BR': {
    title: 'Escolha uma nova senha',
    newPassword: 'Nova senha',
    confirmation: 'Repita a nova senha',
    show: 'Mostrar as senhas',
    submit: 'Salvar nova senha',
    rules: {
      length: 'De 8 a 128 caracteres',
      uppercase: 'Ao menos uma letra maiúscula',
      lowercase: 'Ao menos uma letra minúscula',
      digit: 'Ao menos um algarismo',
      special: 'Ao menos um caractere especial',
    },
    met: 'cumprida',
    required: 'Digite a nova senha.',
    mismatch: 'As duas senhas são diferentes.',
    weak: 'A senha não cumpre as regras:',
    doneTitle: 'Senha alterada',
    done: 'Sua senha foi alterada. Entre com a nova senha; as sessões que estavam abertas foram encerradas.',
    invalidLink:
      'Este link não é válido: já foi usado, expirou ou está incompleto. Peça um novo e-mail de redefinição de senha.',
  },
  'en-US': {
    title: 'Choose a new password',
    newPassword: 'New password',
    confirmation: 'Repeat the new password',
    show: 'Show the passwords',
    submit: 'Save new password',
    rules: {
      length: 'From 8 to 128 characters',
      uppercase: 'At least one uppercase letter',
      lowercase: 'At least one lowercase letter',
      digit: 'At least one digit',
      special: 'At least one special character',
    },
    met: 'met',
    required: 'Enter the new password.',
    mismatch: 'The two passwords differ.',
    weak: 'The password does not meet the rules:',
    doneTitle: 'Password changed',
    done: 'Your password was changed. Log in with the new one; sessions that were open have been ended.',
    invalidLink:
      'This link is not valid: it was already used, has expired or is incomplete. Ask for a new password-reset email.',
  },
  'es-ES': {
    title: 'Elija una nueva contraseña',
    newPassword: 'Nueva contraseña',
    confirmation: 'Repita la nueva contraseña',
    show: 'Mostrar las contraseñas',
    submit: 'Guardar nueva contraseña',
    rules: {
      length: 'De 8 a 128 caracteres',
      uppercase: 'Al menos una letra mayúscula',
      lowercase: 'Al menos una letra minúscula',
      digit: 'Al menos una cifra',
      special: 'Al menos un carácter especial',
    },
    met: 'cumplida',
    required: 'Escriba la nueva contraseña.',
    mismatch: 'Las dos contraseñas son distintas.',
    weak: 'La contraseña no cumple las reglas:',
    doneTitle: 'Contraseña cambiada',
    done: 'Su contraseña fue cambiada. Entre con la nueva; las sesiones que estaban abiertas se cerraron.',
    invalidLink:
      'Este enlace no es válido: ya se usó, ha caducado o está incompleto. Solicite un nuevo correo de restablecimiento.',
  },
})

// As the service judges them (src/domain/senhas/regras.ts). They guide here and decide there.
const RULES = {
  length: (senha) => [...senha].length >= 8 && [...senha].length <= 128,
  uppercase: (senha) => /\p{Lu}/u.test(senha),
  lowercase: (senha) => /\p{Ll}/u.test(senha),
  digit: (senha) => /\p{Nd}/u.test(senha),
  special: (senha) => /[^\p{L}\p{N}\s]/u.test(senha),
}

const form = document.getElementById('form')
const fields = {
  senha_nova: document.getElementById('senha_nova'),
  confirmar_senha: document.getElementById('confirmar_senha'),
}
let token = null

const ruleItems = Object.keys(RULES).map((rule) => {
  const item = document.createElement('li')
  const state = document.createElement('span')
  state.className = 'hidden-text'
  item.append(texts.rules[rule], ' ', state)
  document.getElementById('rules').append(item)
  return { rule, item, state }
})

function showRules() {
  const senha = fields.senha_nova.value.normalize('NFC')
  for (const { rule, item, state } of ruleItems) {
    const met = RULES[rule](senha)
    item.classList.toggle('met', met)
    state.textContent = met ? `(${texts.met})` : ''
  }
}

/** Shows what is wrong with each field and focuses the first; answers whether anything is. */
function showProblems(problems) {
  for (const [name, field] of Object.entries(fields)) {
    document.getElementById(`${name}-error`).textContent = problems[name] ?? ''
    if (problems[name]) field.setAttribute('aria-invalid', 'true')
    else field.removeAttribute('aria-invalid')
  }
  const first = Object.keys(fields).find((name) => problems[name])
  if (first) fields[first].focus()
  return first !== undefined
}

function ownProblems() {
  if (fields.senha_nova.value === '') return { senha_nova: texts.required }
  if (fields.senha_nova.value !== fields.confirmar_senha.value) return { confirmar_senha: texts.mismatch }
  return {}
}

function finish(kind, title, text) {
  token = null
  form.reset()
  form.hidden = true
  showTitle(title)
  showNotice(kind, text)
}

function showRefusal({ status, code, message, details = [] }) {
  const badToken = status === 422 && details.some(({ field }) => field === 'token')
  if (code === 'INVALID_RESET_TOKEN' || badToken)
    return finish('error', texts.invalidTitle, texts.invalidLink)
  if (code === 'WEAK_PASSWORD') {
    showProblems({ senha_nova: `${texts.weak} ${details.join('; ')}` })
    return
  }
  if (status === 422) {
    const messages = Object.fromEntries(details.map(({ field, message }) => [field, message]))
    if (showProblems(messages)) return
  }
  showNotice('error', status === undefined ? texts.unreachable : (message ?? texts.failed))
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  hideNotice()
  if (showProblems(ownProblems())) return
  await whileSending(document.getElementById('submit'), texts.sending, async () => {
    const senha_nova = fields.senha_nova.value
    const confirmar_senha = fields.confirmar_senha.value
    const { ok, error } = await post('/api/v1/auth/reset-password', { token, senha_nova, confirmar_senha })
    if (ok) finish('success', texts.doneTitle, texts.done)
    else showRefusal(error)
  })
})

fields.senha_nova.addEventListener('input', showRules)
document.getElementById('show').addEventListener('change', (event) => {
  for (const field of Object.values(fields)) field.type = event.target.checked ? 'text' : 'password'
})

onToken((given) => {
  token = given
  if (token === null) return finish('error', texts.invalidTitle, texts.invalidLink)
  hideNotice()
  showTitle(texts.title)
  showProblems({})
  showRules()
  form.hidden = false
  fields.senha_nova.focus()
})
