/** Mails that carry a link with a one-time token. */
export type LinkTipo = 'redefinir_senha' | 'verificar_email' | 'convite'
export type NoticeTipo =
  | 'senha_alterada'
  | 'senha_definida'
  | 'email_alterado'
  | 'email_devolvido'
  | 'mfa_ativado'
  | 'mfa_desativado'
  | 'mfa_encerrado'
  | 'codigos_renovados'
  | 'sessoes_encerradas'
  | 'identidade_vinculada'
  | 'identidade_desvinculada'
  | 'webhook_desligado'
  | 'muitas_fusoes'
export type EmailTipo = LinkTipo | NoticeTipo | 'boletim_pronto'
/** A notice may carry a link, too, that undoes the change. */
export type TokenTipo = LinkTipo | 'desfazer_email' | 'desfazer_mfa'

/** Facts that a notice may mention: no address and no password, since others may read the mail. */
export interface NoticeFacts {
  /** Formatted date and time of the change. */
  when: string
  /** `senha_definida`: it has to be changed at the next login. */
  trocar_senha: boolean
  /** `email_alterado`: the new address still has to be verified. */
  pending: boolean
  /** True if a link that undoes the change follows. */
  undoable: boolean
}

/** Figures of one disease in a mail about a public bulletin. */
export interface BoletimFigures {
  agravo: string
  nivel: string
  /** Null: hidden. */
  casos_ano: number | null
  casos_4_semanas: number | null
}

/** Facts of a mail about a bulletin, as they are queued: no figures unless the bulletin may be published. */
export interface BoletimNoEmail {
  lugar: string
  /** Number of the week and year. */
  semana: string
  agravos: readonly string[]
  /** Names of defined diseases, by code. */
  nomes?: Readonly<Record<string, string>>
  secoes: readonly BoletimFigures[]
}

/** The same in words. */
export type BoletimFacts = Omit<BoletimNoEmail, 'agravos' | 'nomes'> & { agravos: string }

/** One mail by paragraphs, source of its plain and its HTML form (`../compose.ts`). */
export interface MailText {
  subject: string
  paragraphs: string[]
}

export interface LinkMailText extends MailText {
  /** Label of the link. */
  action: string
  afterLink: string[]
}

/** Texts of one language. A kind without a text does not compile. */
export interface MailTexts {
  greeting: (nome: string | null) => string
  footer: string
  withLink: Record<LinkTipo, LinkMailText>
  notices: Record<NoticeTipo, (facts: NoticeFacts) => MailText>
  boletim: (facts: BoletimFacts) => LinkMailText
  /** Names of diseases and levels; one that is not there is written as it is. */
  nomes: Record<string, string>
  /** The end of a notice that can be undone. */
  disown: Pick<LinkMailText, 'paragraphs' | 'action' | 'afterLink'>
}
