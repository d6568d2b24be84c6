const LOCALE = 'pt-BR'

export const avisos = {
  title: 'Notificações',
  open: (unread: number) =>
    unread === 0 ? 'Notificações' : `Notificações, ${unread} ${unread === 1 ? 'não lida' : 'não lidas'}`,
  none: 'Nada ainda. Aqui aparece o que terminou enquanto você estava em outra tela: importações, exportações, boletins.',
  unread: 'Nova:',
  file: 'Baixar o arquivo',
  jobOver: 'Um trabalho terminou',
  tipos: {
    webhook_desligado: 'Um webhook seu foi desligado: o destino não responde',
    sessoes_encerradas: 'Suas sessões foram encerradas por um administrador',
    mfa_encerrado: 'Seu segundo fator foi retirado por um administrador',
    senha_definida: 'Sua senha foi definida por um administrador',
  },
  moment: (at: Date) =>
    `${at.toLocaleDateString(LOCALE)} às ${at.toLocaleTimeString(LOCALE, { hour: '2-digit', minute: '2-digit' })}`,
  outOfDate: 'Há novos dados.',
  refresh: 'Atualizar',
}
