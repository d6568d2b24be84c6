/** Mails that carry a link with a one-time token. */
export type LinkTipo = 'redefinir_senha' | 'verificar_email'
export type NoticeTipo =
  | 'senha_alterada'
  | 'senha_definida'
  | 'email_alterado'
  | 'email_devolvido'
  | 'mfa_ativado'
  | 'mfa_desativado'
  | 'webhook_desligado'
export type EmailTipo = LinkTipo | NoticeTipo
/** A notice may carry a link, too, that undoes what it tells of. */
export type TokenTipo = LinkTipo | 'desfazer_email' | 'desfazer_mfa'

/** What a text may tell. It names no address and no password: mail is read by more people than the one it is for. */
export interface NoticeFacts {
  /** When it happened, as people of the language write it. */
  when: string
  /** `senha_definida`: it has to be changed at the next login. */
  trocar_senha: boolean
  /** `email_alterado`: the new address still has to be verified. */
  pending: boolean
  /** A link that undoes it follows. */
  undoable: boolean
}

/** One mail, paragraph by paragraph; its plain and its HTML form are both made from this (`../compose.ts`). */
export interface MailText {
  subject: string
  paragraphs: string[]
}

export interface LinkMailText extends MailText {
  /** What the link does. */
  action: string
  afterLink: string[]
}

/** The texts of one language. A kind without a text does not compile. */
export interface MailTexts {
  greeting: (nome: string | null) => string
  footer: string
  withLink: Record<LinkTipo, LinkMailText>
  notices: Record<NoticeTipo, (facts: NoticeFacts) => MailText>
  /** The end of a notice that can be undone. */
  disown: Pick<LinkMailText, 'paragraphs' | 'action' | 'afterLink'>
}
