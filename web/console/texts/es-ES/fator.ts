import type { fator as fatorTexts } from '../pt-BR/fator.ts'

export const fator: typeof fatorTexts = {
  lead: 'Uno de sus grupos exige segundo factor: además de la contraseña, un código de su teléfono. Lleva dos minutos.',
  offer:
    'Esta cuenta administra Vigia. Con el segundo factor, quien descubra la contraseña no entra sin un código de su teléfono. Lleva dos minutos.',
  later: 'Ahora no',
  laterNote: 'El segundo factor sigue en “Mi cuenta”, y esta pantalla no vuelve.',
  start: 'Empezar',
  starting: 'Preparando…',
  app: 'Instale en el teléfono una aplicación de autenticación y lea con ella este código.',
  qr: 'Código QR con el secreto',
  secret: 'Sin cámara, escriba en la aplicación este secreto:',
  backupTitle: 'Códigos de reserva',
  backup:
    'Cada uno vale una vez, si el teléfono no está a mano. Imprímalos o cópielos ahora: no se muestran de nuevo.',
  kept: 'He guardado los códigos de reserva',
  keptMissing: 'Guarde los códigos antes de continuar.',
  code: 'Código de la aplicación',
  codeMissing: 'Escriba las seis cifras que muestra la aplicación.',
  confirm: 'Activar el segundo factor',
  print: 'Imprimir',
}
