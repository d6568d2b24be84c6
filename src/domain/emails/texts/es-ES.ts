import type { Textos } from './textos.ts'

export const esES: Textos = {
  saudacao: (nome) => (nome === null ? 'Hola:' : `Hola, ${nome}:`),
  rodape: 'Mensaje automático de Vigia; las respuestas no se leen.',
  comLink: {
    redefinir_senha: {
      assunto: 'Vigia: restablecer la contraseña',
      paragrafos: [
        'Recibimos una solicitud para restablecer la contraseña de su cuenta en Vigia.',
        'Para elegir una nueva contraseña, abra el enlace siguiente. Es válido durante 1 hora y funciona una sola vez.',
      ],
      acao: 'Elegir nueva contraseña',
      depoisDoLink: ['Si usted no lo solicitó, ignore este mensaje: su contraseña sigue siendo la misma.'],
    },
    verificar_email: {
      assunto: 'Vigia: confirme su correo',
      paragrafos: [
        'Esta dirección fue indicada como el correo de una cuenta en Vigia.',
        'Para confirmar que es suya, abra el enlace siguiente. Es válido durante 24 horas y funciona una sola vez.',
      ],
      acao: 'Confirmar correo',
      depoisDoLink: ['Si no conoce esa cuenta, ignore este mensaje: no se confirmará nada.'],
    },
  },
  avisos: {
    senha_alterada: ({ quando }) => ({
      assunto: 'Vigia: su contraseña fue cambiada',
      paragrafos: [
        `La contraseña de su cuenta en Vigia fue cambiada el ${quando} (hora de Brasilia).`,
        'Si no fue usted, restablezca la contraseña ahora y avise a la administración del sistema.',
      ],
    }),
    senha_definida: ({ quando, trocar_senha }) => ({
      assunto: 'Vigia: la administración definió una nueva contraseña',
      paragrafos: [
        `La administración definió una nueva contraseña para su cuenta en Vigia el ${quando} (hora de Brasilia). La contraseña anterior ya no es válida y sus sesiones fueron cerradas.`,
        trocar_senha
          ? 'Por seguridad, la nueva contraseña no se envía por correo: pídala a quien la definió. En su próximo acceso tendrá que cambiarla.'
          : 'Por seguridad, la nueva contraseña no se envía por correo: pídala a quien la definió.',
        'Si no lo esperaba, hable con la administración del sistema.',
      ],
    }),
    email_alterado: ({ quando, pendente, desfazivel }) => ({
      assunto: pendente
        ? 'Vigia: solicitud de cambio de su correo'
        : 'Vigia: el correo de su cuenta fue cambiado',
      paragrafos: [
        pendente
          ? `El ${quando} (hora de Brasilia) se solicitó cambiar el correo de su cuenta en Vigia. El cambio solo vale cuando se confirme la nueva dirección; hasta entonces, esta sigue en uso.`
          : `El correo de su cuenta en Vigia fue cambiado el ${quando} (hora de Brasilia). Esta dirección ya no se usará.`,
        ...(desfazivel ? [] : ['Si no lo esperaba, hable con la administración del sistema.']),
      ],
    }),
    email_devolvido: ({ quando }) => ({
      assunto: 'Vigia: el cambio de correo fue deshecho',
      paragrafos: [
        `El cambio del correo de una cuenta en Vigia a esta dirección fue deshecho el ${quando} (hora de Brasilia), con el enlace enviado a la dirección anterior. Esta dirección ya no se usará, y las sesiones de la cuenta fueron cerradas.`,
        'Si no lo esperaba, hable con la administración del sistema.',
      ],
    }),
    mfa_ativado: ({ quando, desfazivel }) => ({
      assunto: 'Vigia: el segundo factor fue activado',
      paragrafos: [
        `El segundo factor de su cuenta en Vigia fue activado el ${quando} (hora de Brasilia). En cada acceso se pedirá también un código.`,
        ...(desfazivel ? [] : ['Si no lo esperaba, hable con la administración del sistema.']),
      ],
    }),
    mfa_desativado: ({ quando }) => ({
      assunto: 'Vigia: el segundo factor fue desactivado',
      paragrafos: [
        `El segundo factor de su cuenta en Vigia fue desactivado el ${quando} (hora de Brasilia). Para entrar, basta ahora la contraseña.`,
        'Si no fue usted, restablezca la contraseña ahora y avise a la administración del sistema.',
      ],
    }),
    webhook_desligado: ({ quando }) => ({
      assunto: 'Vigia: uno de sus webhooks fue desactivado',
      paragrafos: [
        `Uno de sus webhooks en Vigia fue desactivado el ${quando} (hora de Brasilia), porque el receptor respondió 410 o no aceptó ninguna entrega durante cinco días.`,
        'Los eventos se conservan: corrija el receptor y reanude el webhook para recibirlos. El registro de entregas dice qué ocurrió.',
      ],
    }),
  },
  naoFuiEu: {
    paragrafos: [
      'Si no fue usted, abra el enlace siguiente: esto se deshace, todas las sesiones de la cuenta se cierran y usted recibe un enlace para elegir una nueva contraseña.',
    ],
    acao: 'No fui yo',
    depoisDoLink: ['El enlace es válido durante 7 días y funciona una sola vez. Si fue usted, ignórelo.'],
  },
}
