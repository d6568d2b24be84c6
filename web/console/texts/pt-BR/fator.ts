export const fator = {
  lead: 'Um dos seus grupos exige segundo fator: além da senha, um código do seu celular. Leva dois minutos.',
  offer:
    'Esta conta administra o Vigia. Com o segundo fator, quem descobrir a senha não entra sem um código do seu celular. Leva dois minutos.',
  later: 'Agora não',
  laterNote: 'O segundo fator continua em “Minha conta”, e esta tela não volta.',
  start: 'Começar',
  starting: 'Preparando…',
  app: 'Instale no celular um aplicativo autenticador e leia nele este código.',
  qr: 'Código QR com o segredo',
  secret: 'Sem câmera, digite no aplicativo este segredo:',
  backupTitle: 'Códigos de reserva',
  backup:
    'Cada um vale uma vez, se o celular não estiver à mão. Imprima ou copie agora: não aparecem de novo.',
  kept: 'Guardei os códigos de reserva',
  keptMissing: 'Guarde os códigos antes de continuar.',
  code: 'Código do aplicativo',
  codeMissing: 'Digite os seis algarismos que o aplicativo mostra.',
  confirm: 'Ativar segundo fator',
  print: 'Imprimir',
}
