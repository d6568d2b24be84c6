// Shared by the pages: language, token, the request, the notice; and the page that is one button.

/** The texts of the first of the visitor's languages that there are texts for, else Portuguese. */
export function chooseTexts(texts) {
  const byPrimary = { pt: 'pt-BR', en: 'en-US', es: 'es-ES' }
  const wanted = navigator.languages.map((tag) => byPrimary[tag.toLowerCase().split('-')[0]])
  const language = wanted.find((tag) => tag !== undefined) ?? 'pt-BR'
  document.documentElement.lang = language
  const chosen = texts[language]
  for (const element of document.querySelectorAll('[data-text]'))
    element.textContent = chosen[element.dataset.text]
  showTitle(chosen.title)
  return { ...COMMON[language], ...chosen }
}

export function showTitle(title) {
  document.title = `Vigia: ${title}`
  document.getElementById('title').textContent = title
}

const COMMON = {
  'pt-BR': {
    taken: 'Este endereço já é o de outra conta. Fale com a administração do sistema.',
    invalidTitle: 'Link inválido',
    unreachable: 'Não foi possível falar com o servidor. Verifique sua conexão e tente novamente.',
    failed: 'Não foi possível concluir agora. Tente novamente em instantes.',
    sending: 'Enviando…',
  },
  'en-US': {
    taken: 'This address already is that of another account. Talk to the administrators of the system.',
    invalidTitle: 'Invalid link',
    unreachable: 'The server could not be reached. Check your connection and try again.',
    failed: 'This could not be done now. Try again in a moment.',
    sending: 'Sending…',
  },
  'es-ES': {
    taken: 'Esta dirección ya es la de otra cuenta. Hable con la administración del sistema.',
    invalidTitle: 'Enlace no válido',
    unreachable: 'No se pudo contactar con el servidor. Compruebe su conexión e inténtelo de nuevo.',
    failed: 'No se pudo completar ahora. Inténtelo de nuevo en un momento.',
    sending: 'Enviando…',
  },
}

/** Takes the token out of the address bar, so that it stays neither in view nor in the history. */
function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (location.hash !== '') history.replaceState(null, '', location.pathname)
  return token
}

/** Calls back with the token now, and again when another link is opened in the same tab. */
export function onToken(receive) {
  receive(takeToken())
  addEventListener('hashchange', () => {
    const token = takeToken()
    if (token !== null) receive(token)
  })
}

/** Resolves to `{ ok, error }`; `error` is what the API says, or empty when it could not be asked. */
export async function post(path, body) {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Accept-Language': document.documentElement.lang },
      body: JSON.stringify(body),
    })
    if (response.ok) return { ok: true, error: {} }
    const answer = await response.json().catch(() => ({}))
    return { ok: false, error: { status: response.status, ...answer.error } }
  } catch {
    return { ok: false, error: {} }
  }
}

const notice = document.getElementById('notice')

export function hideNotice() {
  notice.hidden = true
  notice.replaceChildren()
}

/** Focused, so that it is read out and scrolled into view. */
export function showNotice(kind, text, items = []) {
  notice.className = `notice ${kind}`
  const paragraph = document.createElement('p')
  paragraph.textContent = text
  const list = document.createElement('ul')
  for (const item of items) {
    const entry = document.createElement('li')
    entry.textContent = item
    list.append(entry)
  }
  notice.replaceChildren(paragraph, ...(items.length > 0 ? [list] : []))
  notice.hidden = false
  notice.focus()
}

/** While the request is under way a second one cannot be sent. */
export async function whileSending(button, sendingText, work) {
  const label = button.textContent
  button.disabled = true
  button.textContent = sendingText
  try {
    await work()
  } finally {
    button.disabled = false
    button.textContent = label
  }
}

/** Sends the token of the link when its button is used, and only then: programs that open the links of mails to check them change nothing. */
export function oneButtonPage(texts, path) {
  const form = document.getElementById('form')
  const button = document.getElementById('submit')
  let token = null

  function finish(kind, title, text) {
    token = null
    form.hidden = true
    showTitle(title)
    showNotice(kind, text)
  }

  function showRefusal({ status, message, details = [] }) {
    if (details.some(({ code }) => code === 'DUPLICATE')) showNotice('error', texts.taken)
    else if (status === 400 || status === 422) finish('error', texts.invalidTitle, texts.invalidLink)
    else showNotice('error', status === undefined ? texts.unreachable : (message ?? texts.failed))
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    hideNotice()
    await whileSending(button, texts.sending, async () => {
      const { ok, error } = await post(path, { token })
      if (ok) finish('success', texts.doneTitle, texts.done)
      else showRefusal(error)
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
}
