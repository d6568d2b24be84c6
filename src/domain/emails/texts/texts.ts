/** Mails that carry a link with a one-time token. */
export type TipoComLink = 'redefinir_senha' | 'verificar_email'
export type TipoDeAviso =
  | 'senha_alterada'
  | 'senha_definida'
  | 'email_alterado'
  | 'email_devolvido'
  | 'mfa_ativado'
  | 'mfa_desativado'
  | 'webhook_desligado'
export type TipoDeEmail = TipoComLink | TipoDeAviso
/** A notice may carry a link, too, that undoes what it tells of. */
export type TipoDeToken = TipoComLink | 'desfazer_email' | 'desfazer_mfa'

/** What a text may tell. It names no address and no password: mail is read by more people than the one it is for. */
export interface Fatos {
  /** When it happened, as people of the language write it. */
  quando: string
  /** `senha_definida`: it has to be changed at the next login. */
  trocar_senha: boolean
  /** `email_alterado`: the new address still has to be verified. */
  pendente: boolean
  /** A link that undoes it follows. */
  desfazivel: boolean
}

/** One mail, paragraph by paragraph; its plain and its HTML form are both made from this (`../compose.ts`). */
export interface Aviso {
  assunto: string
  paragrafos: string[]
}

export interface AvisoComLink extends Aviso {
  /** What the link does. */
  acao: string
  depoisDoLink: string[]
}

/** The texts of one language. A kind without a text does not compile. */
export interface Textos {
  saudacao: (nome: string | null) => string
  rodape: string
  comLink: Record<TipoComLink, AvisoComLink>
  avisos: Record<TipoDeAviso, (fatos: Fatos) => Aviso>
  /** The end of a notice that can be undone. */
  naoFuiEu: Pick<AvisoComLink, 'paragrafos' | 'acao' | 'depoisDoLink'>
}
