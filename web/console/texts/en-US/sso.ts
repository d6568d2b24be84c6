import type { sso as pt } from '../pt-BR/sso.ts'

/** Of the sign-in by a provider. */
export const sso: typeof pt = {
  withProvider: (nome: string) => `Sign in with ${nome}`,
  or: 'or',
  beside: 'Opens in another window; come back to this one afterwards.',
  codeLead: (nome: string) =>
    `${nome} confirmed who you are. The code of the second factor is still missing.`,
  restart: 'Begin again',
  unknown: 'Signing in failed. Try again.',
  errors: {
    provedor_desconhecido: 'This way to sign in does not exist any more. Choose another one.',
    provedor_indisponivel:
      'The provider did not answer. Try again in a moment, or sign in with your password.',
    recusado_pelo_provedor: 'The provider refused or cancelled the sign-in.',
    resposta_invalida:
      'The answer of the provider could not be verified. Tell the administration if this happens again.',
    tentativa_invalida: 'The sign-in expired, was used already or began in another browser. Begin again.',
    email_nao_verificado: 'The provider has not verified your e-mail. Verify it there and try again.',
    cpf_invalido: 'The provider gave an invalid CPF. Correct it there and try again.',
    sem_conta: 'There is no Vigia account for this identity. Ask the administration for one.',
    conflito: 'The e-mail and the CPF that the provider gave do not fit one account. Ask the administration.',
    ja_vinculada:
      'Your account is linked to another identity of this provider. Unlink it in “My account”, or ask the administration.',
    conta_desativada: 'This account is deactivated. Ask the administration.',
    conta_bloqueada: 'Account locked after too many attempts. Try again in some minutes.',
    grupos_invalidos: 'The groups that the provider gave cannot be used. Tell the administration.',
    ultimo_administrador:
      'The provider would end the access of the last administrator. Sign in with the password and tell the administration.',
  },
}
