import type { sso as pt } from '../pt-BR/sso.ts'

/** Of the sign-in by a provider. */
export const sso: typeof pt = {
  withProvider: (nome: string) => `Entrar con ${nome}`,
  or: 'o',
  beside: 'Se abre en otra ventana; vuelva a esta después de entrar.',
  codeLead: (nome: string) => `${nome} confirmó quién es usted. Falta el código del segundo factor.`,
  restart: 'Empezar de nuevo',
  unknown: 'No fue posible entrar. Inténtelo de nuevo.',
  errors: {
    provedor_desconhecido: 'Esta forma de entrar ya no existe. Elija otra.',
    provedor_indisponivel:
      'El proveedor no respondió. Inténtelo de nuevo en unos instantes o entre con la contraseña.',
    recusado_pelo_provedor: 'El proveedor rechazó o canceló la entrada.',
    resposta_invalida:
      'La respuesta del proveedor no pudo comprobarse. Avise a la administración si se repite.',
    tentativa_invalida: 'La entrada caducó, ya se usó o empezó en otro navegador. Empiece de nuevo.',
    email_nao_verificado: 'El proveedor no ha verificado su correo. Verifíquelo allí e inténtelo de nuevo.',
    cpf_invalido: 'El proveedor indicó un CPF inválido. Corríjalo allí e inténtelo de nuevo.',
    sem_conta: 'No hay cuenta en Vigia para esta identidad. Pida una a la administración.',
    conflito:
      'El correo y el CPF que indicó el proveedor no corresponden a una sola cuenta. Hable con la administración.',
    ja_vinculada:
      'Su cuenta ya está vinculada a otra identidad de este proveedor. Desvincúlela en “Mi cuenta” o hable con la administración.',
    conta_desativada: 'Esta cuenta está desactivada. Hable con la administración.',
    conta_bloqueada: 'Cuenta bloqueada por exceso de intentos. Inténtelo de nuevo en unos minutos.',
    grupos_invalidos: 'Los grupos que indicó el proveedor no pueden usarse. Avise a la administración.',
    ultimo_administrador:
      'El proveedor quitaría el acceso del último administrador. Entre con la contraseña y avise a la administración.',
  },
}
