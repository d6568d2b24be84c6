import { DEFAULT_LANGUAGE, type Language } from '../../errors/texts.ts'
import type { Mail } from './mail.ts'
import { enUS } from './texts/en-US.ts'
import { esES } from './texts/es-ES.ts'
import { ptBR } from './texts/pt-BR.ts'
import type { Fatos, Textos, TipoComLink, TipoDeAviso, TipoDeToken } from './texts/textos.ts'

const TEXTOS: Record<Language, Textos> = { 'pt-BR': ptBR, 'en-US': enUS, 'es-ES': esES }

const PAGES: Record<TipoDeToken, string> = {
  redefinir_senha: 'redefinir-senha',
  verificar_email: 'verificar-email',
  desfazer_email: 'nao-fui-eu',
  desfazer_mfa: 'nao-fui-eu',
}

export interface Recipient {
  to: string
  nome: string
  idioma: Language
}

interface Content {
  assunto: string
  paragrafos: string[]
  link: { url: string; acao: string; depois: string[] } | null
}

/** The token is in the fragment, which browsers send neither to the server nor as a Referer. */
export function linkOf(tipo: TipoDeToken, publicUrl: string, token: string): string {
  return `${publicUrl}/${PAGES[tipo]}#token=${token}`
}

export function composeLink(tipo: TipoComLink, recipient: Recipient, url: string): Mail {
  const { acao, depoisDoLink, ...texto } = TEXTOS[recipient.idioma].comLink[tipo]
  return toMail(recipient, { ...texto, link: { url, acao, depois: depoisDoLink } })
}

export function composeNotice(
  tipo: TipoDeAviso,
  recipient: Recipient,
  { instante, ...fatos }: Omit<Fatos, 'quando' | 'desfazivel'> & { instante: Date },
  /** The address by which it can be undone. */
  undo: string | null,
): Mail {
  const { avisos, naoFuiEu } = TEXTOS[recipient.idioma]
  const quando = formatInstant(instante, recipient.idioma)
  const { assunto, paragrafos } = avisos[tipo]({ ...fatos, quando, desfazivel: undo !== null })
  if (undo === null) return toMail(recipient, { assunto, paragrafos, link: null })
  const link = { url: undo, acao: naoFuiEu.acao, depois: naoFuiEu.depoisDoLink }
  return toMail(recipient, { assunto, paragrafos: [...paragrafos, ...naoFuiEu.paragrafos], link })
}

/** What an account has may be a language that this version no longer knows. */
export function knownLanguage(idioma: string | null): Language {
  return idioma !== null && Object.hasOwn(TEXTOS, idioma) ? (idioma as Language) : DEFAULT_LANGUAGE
}

function toMail({ to, nome, idioma }: Recipient, content: Content): Mail {
  const greeting = TEXTOS[idioma].saudacao(addressableName(nome))
  const text = toText(greeting, content, TEXTOS[idioma].rodape)
  const html = toHtml(idioma, greeting, content, TEXTOS[idioma].rodape)
  return { to, subject: content.assunto, text, html }
}

function toText(greeting: string, { paragrafos, link }: Content, footer: string): string {
  const paragraphs = [greeting, ...paragrafos, ...(link === null ? [] : [link.url, ...link.depois])]
  return `${paragraphs.join('\n\n')}\n\n-- \n${footer}\n`
}

/** Styles are inline because mail programs drop the rest; nothing is loaded from anywhere. */
function toHtml(
  idioma: Language,
  greeting: string,
  { assunto, paragrafos, link }: Content,
  footer: string,
): string {
  const title = escapeHtml(assunto)
  const body = [greeting, ...paragrafos].map(htmlParagraph)
  if (link !== null) {
    const url = escapeHtml(link.url)
    body.push(
      `<p style="margin:24px 0"><a href="${url}" style="${BUTTON_STYLE}">${escapeHtml(link.acao)}</a></p>`,
      `<p style="${SMALL_STYLE};margin:0 0 16px;word-break:break-all">${url}</p>`,
      ...link.depois.map(htmlParagraph),
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
const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] as string)

const LONGEST_NAME = 60
/** What mail programs turn into a link by themselves. */
const LINK_LIKE = /:\/\/|www\.|@|[\p{L}\p{N}]\.\p{L}{2,}/iu

/**
 * Whoever opens an account chooses its name and the address the mail goes to: a name that could carry a message or a
 * link of theirs to a stranger is left out.
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
