export const efeito = {
  difference: 'O que muda ao salvar',
  noDifference: 'Nada muda no que a conta pode.',
  gains: (permission: string) => `ganha: ${permission}`,
  loses: (permission: string) => `perde: ${permission}`,
  mustEnrol: 'Precisa ativar o segundo fator ao entrar',
}
