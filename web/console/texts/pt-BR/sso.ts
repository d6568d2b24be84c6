import type { MotivoDoSso } from '../../../../src/domain/oidc/recusa.ts'

/** Of the sign-in by a provider. */
export const sso = {
  withProvider: (nome: string) => `Entrar com ${nome}`,
  or: 'ou',
  beside: 'Abre em outra janela; volte a esta depois de entrar.',
  codeLead: (nome: string) => `${nome} confirmou quem você é. Falta o código do segundo fator.`,
  restart: 'Começar de novo',
  unknown: 'Não foi possível entrar. Tente de novo.',
  errors: {
    provedor_desconhecido: 'Esta forma de entrar não existe mais. Escolha outra.',
    provedor_indisponivel: 'O provedor não respondeu. Tente de novo em instantes ou entre com a senha.',
    recusado_pelo_provedor: 'O provedor recusou ou cancelou a entrada.',
    resposta_invalida:
      'A resposta do provedor não pôde ser conferida. Avise a administração se isto se repetir.',
    tentativa_invalida: 'A entrada expirou, já foi usada ou começou em outro navegador. Comece de novo.',
    email_nao_verificado: 'O provedor não confirmou o seu e-mail. Confirme-o lá e tente de novo.',
    cpf_invalido: 'O provedor informou um CPF inválido. Corrija o cadastro lá e tente de novo.',
    sem_conta: 'Não há conta no Vigia para esta identidade. Peça uma à administração.',
    conflito:
      'O e-mail e o CPF informados pelo provedor não combinam com uma única conta. Fale com a administração.',
    ja_vinculada:
      'A sua conta já está vinculada a outra identidade deste provedor. Desvincule-a em “Minha conta” ou fale com a administração.',
    conta_desativada: 'Esta conta está desativada. Fale com a administração.',
    conta_bloqueada: 'Conta bloqueada por excesso de tentativas. Tente de novo em alguns minutos.',
    grupos_invalidos: 'Os grupos informados pelo provedor não podem ser usados. Avise a administração.',
    ultimo_administrador:
      'O provedor retiraria o acesso do último administrador. Entre com a senha e avise a administração.',
  } satisfies Record<MotivoDoSso, string>,
}
