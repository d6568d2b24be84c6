export const saida = {
  title: 'Sair sem salvar?',
  stay: 'Continuar aqui',
  discard: 'Sair e descartar',
}
