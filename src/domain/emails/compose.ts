import { DEFAULT_LANGUAGE, type Language } from '../../errors/texts.ts'
import { escapeHtml } from '../escape-html.ts'
import type { Mail } from './mail.ts'
import { enUS } from './texts/en-US.ts'
import { esES } from './texts/es-ES.ts'
import { ptBR } from './texts/pt-BR.ts'
import type {
  BoletimNoEmail,
  LinkTipo,
  MailTexts,
  NoticeFacts,
  NoticeTipo,
  TokenTipo,
} from './texts/texts.ts'

const TEXTS: Record<Language, MailTexts> = { 'pt-BR': ptBR, 'en-US': enUS, 'es-ES': esES }

const PAGES: Record<TokenTipo, string> = {
  redefinir_senha: 'redefinir-senha',
  verificar_email: 'verificar-email',
  convite: 'redefinir-senha',
  desfazer_email: 'nao-fui-eu',
  desfazer_mfa: 'nao-fui-eu',
}

export interface Recipient {
  to: string
  nome: string
  idioma: Language
}

interface Content {
  subject: string
  paragraphs: string[]
  link: { url: string; action: string; after: string[] } | null
}

/** Token in the fragment, which browsers send neither to the server nor as Referer. */
export function linkOf(tipo: TokenTipo, publicUrl: string, token: string): string {
  return `${publicUrl}/${PAGES[tipo]}#token=${token}`
}

export function composeLink(tipo: LinkTipo, recipient: Recipient, url: string): Mail {
  const { action, afterLink, ...text } = TEXTS[recipient.idioma].withLink[tipo]
  return toMail(recipient, { ...text, link: { url, action, after: afterLink } })
}

export function composeBoletim(
  recipient: Recipient,
  { lugar, semana, agravos, nomes: defined = {}, secoes }: BoletimNoEmail,
  url: string,
): Mail {
  const { boletim, nomes } = TEXTS[recipient.idioma]
  const nameOf = (codigo: string) => nomes[codigo] ?? defined[codigo] ?? codigo
  const { action, afterLink, ...text } = boletim({
    lugar,
    semana,
    agravos: agravos.map(nameOf).join(', '),
    secoes: secoes.map(({ agravo, nivel, ...numeros }) => ({
      agravo: nameOf(agravo),
      nivel: nameOf(nivel),
      ...numeros,
    })),
  })
  return toMail(recipient, { ...text, link: { url, action, after: afterLink } })
}

export function composeNotice(
  tipo: NoticeTipo,
  recipient: Recipient,
  { instant, ...facts }: Omit<NoticeFacts, 'when' | 'undoable'> & { instant: Date },
  /** Link that undoes the change. */
  undo: string | null,
): Mail {
  const { notices, disown } = TEXTS[recipient.idioma]
  const when = formatInstant(instant, recipient.idioma)
  const { subject, paragraphs } = notices[tipo]({ ...facts, when, undoable: undo !== null })
  if (undo === null) return toMail(recipient, { subject, paragraphs, link: null })
  const link = { url: undo, action: disown.action, after: disown.afterLink }
  return toMail(recipient, { subject, paragraphs: [...paragraphs, ...disown.paragraphs], link })
}

/** Falls back to the default for a language that this version does not know. */
export function knownLanguage(idioma: string | null): Language {
  return idioma !== null && Object.hasOwn(TEXTS, idioma) ? (idioma as Language) : DEFAULT_LANGUAGE
}

function toMail({ to, nome, idioma }: Recipient, content: Content): Mail {
  const greeting = TEXTS[idioma].greeting(addressableName(nome))
  const text = toText(greeting, content, TEXTS[idioma].footer)
  const html = toHtml(idioma, greeting, content, TEXTS[idioma].footer)
  return { to, subject: content.subject, text, html }
}

function toText(greeting: string, { paragraphs, link }: Content, footer: string): string {
  const parts = [greeting, ...paragraphs, ...(link === null ? [] : [link.url, ...link.after])]
  return `${parts.join('\n\n')}\n\n-- \n${footer}\n`
}

/** Inline styles, since mail programs drop others; no external resources. */
function toHtml(
  idioma: Language,
  greeting: string,
  { subject, paragraphs, link }: Content,
  footer: string,
): string {
  const title = escapeHtml(subject)
  const body = [greeting, ...paragraphs].map(htmlParagraph)
  if (link !== null) {
    const url = escapeHtml(link.url)
    body.push(
      `<p style="margin:24px 0"><a href="${url}" style="${BUTTON_STYLE}">${escapeHtml(link.action)}</a></p>`,
      `<p style="${SMALL_STYLE};margin:0 0 16px;word-break:break-all">${url}</p>`,
      ...link.after.map(htmlParagraph),
    )
  }
  return `<!doctype html>
<html lang="${idioma}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body style="${BODY_STYLE}">
<div style="margin:0 auto;max-width:560px">
${body.join('\n')}
<p style="${SMALL_STYLE};border-top:1px solid #d5dbe1;margin:24px 0 0;padding-top:12px">${escapeHtml(footer)}</p>
</div>
</body>
</html>
`
}

const BODY_STYLE =
  'background:#ffffff;color:#1b2733;font-family:Arial,Helvetica,sans-serif;font-size:16px;line-height:1.5;margin:0;padding:24px'
const BUTTON_STYLE =
  'background:#0b5cad;border-radius:6px;color:#ffffff;display:inline-block;font-weight:bold;padding:12px 20px;text-decoration:none'
const SMALL_STYLE = 'color:#56616c;font-size:13px'

const htmlParagraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`

const LONGEST_NAME = 60
/** Texts that mail programs turn into links. */
const LINK_LIKE = /:\/\/|www\.|@|[\p{L}\p{N}]\.\p{L}{2,}/iu

/**
 * Name for the greeting, or null if it could carry a message or a link: the creator of an account chooses both its name and
 * the address that the mail goes to.
 */
function addressableName(nome: string): string | null {
  const clean = nome.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
  return clean === '' || clean.length > LONGEST_NAME || LINK_LIKE.test(clean) ? null : clean
}

function formatInstant(instant: Date, idioma: Language): string {
  return new Intl.DateTimeFormat(idioma, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'America/Sao_Paulo',
  }).format(instant)
}
