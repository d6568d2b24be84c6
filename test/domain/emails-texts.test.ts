import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  composeLink,
  composeNotice,
  knownLanguage,
  linkOf,
  type Recipient,
} from '../../src/domain/emails/compose.ts'
import type { Mail } from '../../src/domain/emails/mail.ts'
import { LANGUAGES, type Language } from '../../src/errors/texts.ts'

const URL_BASE = 'https://vigia.example:8443/base'
const TOKEN = 'A_b-c'.repeat(8)
const languages = Object.keys(LANGUAGES) as Language[]
const instant = new Date('2026-03-09T02:30:00Z')
const hostile = `<img src=x onerror='a()'> & "Zé"`

interface Case {
  name: string
  mail: (recipient: Recipient) => Mail
  link: string | null
}

const notice = (tipo: Parameters<typeof composeNotice>[0], trocar_senha = false, pending = false): Case => ({
  name: [tipo, trocar_senha && 'trocar', pending && 'pending'].filter(Boolean).join(' '),
  mail: (recipient) => composeNotice(tipo, recipient, { instant, trocar_senha, pending }, null),
  link: null,
})
const UNDO = `${URL_BASE}/nao-fui-eu#token=${TOKEN}`
const undoable = (tipo: Parameters<typeof composeNotice>[0], pending = false): Case => ({
  name: [tipo, pending && 'pending', 'undoable'].filter(Boolean).join(' '),
  mail: (recipient) => composeNotice(tipo, recipient, { instant, trocar_senha: false, pending }, UNDO),
  link: UNDO,
})
const withLink = (tipo: Parameters<typeof composeLink>[0], page: string): Case => ({
  name: tipo,
  mail: (recipient) => composeLink(tipo, recipient, linkOf(tipo, URL_BASE, TOKEN)),
  link: `${URL_BASE}/${page}#token=${TOKEN}`,
})

const CASES: Case[] = [
  withLink('redefinir_senha', 'redefinir-senha'),
  withLink('verificar_email', 'verificar-email'),
  notice('senha_alterada'),
  notice('senha_definida'),
  notice('senha_definida', true),
  notice('email_alterado'),
  notice('email_alterado', false, true),
  undoable('email_alterado'),
  undoable('email_alterado', true),
  notice('email_devolvido'),
  notice('mfa_ativado'),
  undoable('mfa_ativado'),
  notice('mfa_desativado'),
  notice('webhook_desligado'),
]

const to = 'ana@teste.local'
const addresses = (text: string) => text.match(/(?:https?:|\/\/|www\.)[^\s"<>]*/gi) ?? []

for (const idioma of languages)
  describe(`mails in ${idioma}`, () => {
    it('say the same in plain text and in HTML, completely', () => {
      for (const { name, mail } of CASES) {
        const { subject, text, html, ...rest } = mail({ to, nome: 'Ana Souza', idioma })
        assert.deepEqual(rest, { to })
        assert.match(subject, /^Vigia: \S.{5,60}$/)
        for (const part of [text, html]) {
          assert.ok(part.includes('Ana Souza'), name)
          assert.doesNotMatch(part, /undefined|null|\[object|\$\{/, name)
        }
        assert.ok(html.includes(`<html lang="${idioma}">`), name)
        for (const paragraph of text.split('\n\n').slice(0, -1))
          assert.ok(html.includes(paragraph), `${name}: ${paragraph}`)
      }
    })

    it("name no address but the service's own and load nothing", () => {
      for (const { name, mail, link } of CASES) {
        const { text, html } = mail({ to, nome: 'Ana', idioma })
        assert.deepEqual(addresses(text), link === null ? [] : [link], name)
        assert.deepEqual(addresses(html), link === null ? [] : [link, link], name)
        assert.doesNotMatch(html, /<(?:img|script|link|iframe|style|base)\b|url\(|@import/i, name)
      }
    })

    it('take a name for text and nothing else', () => {
      for (const { name, mail } of CASES) {
        const { html, subject, text } = mail({ to, nome: hostile, idioma })
        assert.doesNotMatch(html, /<img/, name)
        assert.ok(html.includes('&lt;img src=x onerror=&#39;a()&#39;&gt; &amp; &quot;Zé&quot;'), name)
        assert.ok(text.includes(hostile), name)
        assert.ok(!subject.includes('Zé'), name)
      }
    })

    it('have a subject for each kind', () => {
      const subjects = CASES.filter(({ name }) => !/trocar|undoable/.test(name)).map(
        ({ mail }) => mail({ to, nome: 'Ana', idioma }).subject,
      )
      assert.equal(new Set(subjects).size, subjects.length)
    })
  })

describe('a mail', () => {
  const greeting = (nome: string) =>
    composeNotice(
      'senha_alterada',
      { to, nome, idioma: 'pt-BR' },
      { instant, trocar_senha: false, pending: false },
      null,
    ).text.split('\n')[0]

  it('carries no message of whoever chose the name', () => {
    for (const nome of [
      'Ganhe em http://mal.example/x',
      'www.mal.example',
      'veja mal.com agora',
      'escreva a x@mal.com',
      'x'.repeat(61),
      '\u202e\u0000 ',
    ])
      assert.equal(greeting(nome), 'Olá,', nome)
    assert.equal(greeting('Ana\r\nBcc: x\u2028y'), 'Olá, Ana Bcc: x y,')
    for (const nome of ['Dr. José D’Ávila', 'J.R.R. Tolkien', 'Ana-Lúcia (UBS 3)'])
      assert.equal(greeting(nome), `Olá, ${nome},`)
  })

  it('tells the time as it was in Brasília', () => {
    const times: Record<Language, RegExp> = {
      'pt-BR': /8 de março de 2026 às 23:30 \(horário de Brasília\)/,
      'en-US': /March 8, 2026 at 11:30\sPM \(Brasília time\)/,
      'es-ES': /8 de marzo de 2026(?:,| a las) 23:30 \(hora de Brasilia\)/,
    }
    for (const idioma of languages) {
      const recipient = { to, nome: 'Ana', idioma }
      const facts = { instant, trocar_senha: false, pending: false }
      assert.match(composeNotice('senha_alterada', recipient, facts, null).text, times[idioma])
    }
  })

  it('is in Portuguese when the language is unknown', () => {
    for (const idioma of [null, '', 'fr-FR', 'toString', '__proto__'])
      assert.equal(knownLanguage(idioma), 'pt-BR')
    assert.equal(knownLanguage('es-ES'), 'es-ES')
  })
})
