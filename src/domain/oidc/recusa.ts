/**
 * Reasons why a single sign-on is refused; the console has a text for each (`web/console/texts`). Told to the browser in the
 * address of the sign-in, and to the audit: they name no claim and no account.
 */
export const MOTIVOS_DO_SSO = [
  'provedor_desconhecido',
  'provedor_indisponivel',
  'recusado_pelo_provedor',
  'resposta_invalida',
  'tentativa_invalida',
  'email_nao_verificado',
  'cpf_invalido',
  'sem_conta',
  'conflito',
  'ja_vinculada',
  'conta_desativada',
  'conta_bloqueada',
  'grupos_invalidos',
  'ultimo_administrador',
] as const
export type MotivoDoSso = (typeof MOTIVOS_DO_SSO)[number]

export class SsoRefusal extends Error {
  readonly motivo: MotivoDoSso

  constructor(motivo: MotivoDoSso, options?: ErrorOptions) {
    super(motivo, options)
    this.motivo = motivo
  }
}
