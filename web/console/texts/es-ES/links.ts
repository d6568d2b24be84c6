import type { links as linksTexts } from '../pt-BR/links.ts'

export const links: typeof linksTexts = {
  invalidTitle: 'Enlace no válido',
  askAnother: 'Pedir otro enlace',
  goOn: 'Ir a Vigia',
  sending: 'Enviando…',
  taken: 'Esta dirección ya es la de otra cuenta. Hable con la administración del sistema.',
  redefinir: {
    doneTitle: 'Contraseña cambiada',
    done: 'Su contraseña fue cambiada. Entre con la nueva; las sesiones que estaban abiertas se cerraron.',
    invalid:
      'Este enlace no es válido: ya se usó, ha caducado o está incompleto. Solicite un nuevo correo de restablecimiento.',
  },
  verificar: {
    lead: 'Use el botón para confirmar que la dirección en la que recibió este enlace es suya.',
    submit: 'Confirmar correo',
    doneTitle: 'Correo confirmado',
    done: 'Su correo fue confirmado.',
    invalid:
      'Este enlace no es válido: ya se usó, ha caducado o está incompleto. Para recibir otro, cambie de nuevo el correo en “Mi cuenta” o hable con la administración del sistema.',
  },
  naoFuiEu: {
    lead: 'Si no fue usted, use el botón: lo que contó el correo se deshace, todas las sesiones de la cuenta se cierran y usted recibe un enlace para elegir una nueva contraseña.',
    submit: 'No fui yo: deshacer',
    doneTitle: 'Deshecho',
    done: 'Está deshecho, y todas las sesiones de la cuenta se cerraron. Elija ahora una nueva contraseña, con el enlace que enviamos a esta dirección: otra persona puede conocer la actual.',
    invalid:
      'Este enlace no es válido: ya se usó, ha caducado o está incompleto. Si no fue usted, restablezca su contraseña y hable con la administración del sistema.',
  },
}
