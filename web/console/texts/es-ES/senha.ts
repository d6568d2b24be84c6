import type { esqueci as esqueciTexts, trocar as trocarTexts } from '../pt-BR/senha.ts'

export const esqueci: typeof esqueciTexts = {
  lead: 'Indique el correo de su cuenta. Si está registrado, enviaremos un enlace para elegir otra contraseña.',
  submit: 'Enviar enlace',
  sending: 'Enviando…',
  done: 'Si el correo está registrado, recibirá las instrucciones en un momento.',
  back: 'Volver a la entrada',
}

export const trocar: typeof trocarTexts = {
  lead: 'La contraseña actual fue generada por el sistema o definida por otra persona. Elija una que solo usted conozca para continuar.',
  atual: 'Contraseña actual',
  nova: 'Nueva contraseña',
  confirmar: 'Repita la nueva contraseña',
  submit: 'Guardar nueva contraseña',
  sending: 'Guardando…',
  mismatch: 'Las dos contraseñas son distintas.',
  rulesTitle: 'La nueva contraseña debe tener:',
  rules: {
    length: 'De 8 a 128 caracteres',
    uppercase: 'Al menos una letra mayúscula',
    lowercase: 'Al menos una letra minúscula',
    digit: 'Al menos una cifra',
    special: 'Al menos un carácter especial',
  },
  met: 'cumplida',
}
