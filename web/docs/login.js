// The login of the page. Swagger UI's own shows no text of a refusal and knows no second factor.

const dialog = document.getElementById('login')
const form = dialog.querySelector('form')
const { username, password, mfa_code, token } = form.elements
const notice = document.getElementById('login-notice')
const code = document.getElementById('login-code')

/** A plugin of Swagger UI: its button and its locks open this login instead. */
export function preferOwnLogin(open) {
  const showDefinitions = () => (definitions) => {
    if (definitions) open()
    return { type: 'own_login' }
  }
  return () => ({ statePlugins: { auth: { wrapActions: { showDefinitions } } } })
}

export function openLogin(ui) {
  dialog.classList.toggle('connected', ui.authSelectors.authorized().size > 0)
  form.onsubmit = (event) => {
    event.preventDefault()
    submit(ui)
  }
  document.getElementById('logout').onclick = () => {
    ui.authActions.logout(['bearer'])
    openLogin(ui)
  }
  say('')
  if (!dialog.open) dialog.showModal()
  if (!dialog.classList.contains('connected')) username.focus()
}

document.getElementById('login-close').onclick = () => dialog.close()
dialog.addEventListener('close', () => {
  form.reset()
  code.hidden = true
})

async function submit(ui) {
  if (token.value !== '') {
    enter(ui, token.value.trim())
    return
  }
  const { status, body } = await login()
  if (status === 200) {
    enter(ui, body.access_token)
    return
  }
  say(body?.error?.message ?? 'Não foi possível falar com o servidor. Tente novamente.')
  const { code: reason, details = [] } = body?.error ?? {}
  const asksForCode = reason === 'MFA_REQUIRED' || details.some(({ field }) => field === 'mfa_code')
  if (asksForCode) code.hidden = false
  const wanted = asksForCode ? mfa_code : password
  wanted.focus()
  wanted.select()
}

async function login() {
  const fields = { username: username.value, password: password.value }
  try {
    const response = await fetch('/api/v1/auth/login', {
      method: 'POST',
      // The language of the page.
      headers: { 'content-type': 'application/json', 'accept-language': 'pt-BR' },
      body: JSON.stringify(mfa_code.value === '' ? fields : { ...fields, mfa_code: mfa_code.value.trim() }),
    })
    return { status: response.status, body: await response.json() }
  } catch {
    return { status: 0 }
  }
}

function enter(ui, accessToken) {
  ui.preauthorizeApiKey('bearer', accessToken)
  dialog.close()
}

function say(text) {
  notice.textContent = text
  notice.hidden = text === ''
}
