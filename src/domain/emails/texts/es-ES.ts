import type { MailTexts } from './texts.ts'

export const esES: MailTexts = {
  greeting: (nome) => (nome === null ? 'Hola:' : `Hola, ${nome}:`),
  footer: 'Mensaje automático de Vigia; las respuestas no se leen.',
  withLink: {
    redefinir_senha: {
      subject: 'Vigia: restablecer la contraseña',
      paragraphs: [
        'Recibimos una solicitud para restablecer la contraseña de su cuenta en Vigia.',
        'Para elegir una nueva contraseña, abra el enlace siguiente. Es válido durante 1 hora y funciona una sola vez.',
      ],
      action: 'Elegir nueva contraseña',
      afterLink: ['Si usted no lo solicitó, ignore este mensaje: su contraseña sigue siendo la misma.'],
    },
    verificar_email: {
      subject: 'Vigia: confirme su correo',
      paragraphs: [
        'Esta dirección fue indicada como el correo de una cuenta en Vigia.',
        'Para confirmar que es suya, abra el enlace siguiente. Es válido durante 24 horas y funciona una sola vez.',
      ],
      action: 'Confirmar correo',
      afterLink: ['Si no conoce esa cuenta, ignore este mensaje: no se confirmará nada.'],
    },
    convite: {
      subject: 'Vigia: invitación para usar el sistema',
      paragraphs: [
        'Se ha creado para usted una cuenta en Vigia, el sistema de vigilancia en salud. Su nombre de usuario es esta dirección de correo.',
        'Para elegir su contraseña y entrar, abra el enlace de abajo. Vale 7 días y funciona una sola vez.',
      ],
      action: 'Elegir la contraseña',
      afterLink: [
        'Si el enlace ha vencido, pida otra invitación a quien administra el sistema.',
        'Si no esperaba esto, ignore este mensaje: sin la contraseña nadie entra en la cuenta.',
      ],
    },
  },
  notices: {
    senha_alterada: ({ when }) => ({
      subject: 'Vigia: su contraseña fue cambiada',
      paragraphs: [
        `La contraseña de su cuenta en Vigia fue cambiada el ${when} (hora de Brasilia).`,
        'Si no fue usted, restablezca la contraseña ahora y avise a la administración del sistema.',
      ],
    }),
    senha_definida: ({ when, trocar_senha }) => ({
      subject: 'Vigia: la administración definió una nueva contraseña',
      paragraphs: [
        `La administración definió una nueva contraseña para su cuenta en Vigia el ${when} (hora de Brasilia). La contraseña anterior ya no es válida y sus sesiones fueron cerradas.`,
        trocar_senha
          ? 'Por seguridad, la nueva contraseña no se envía por correo: pídala a quien la definió. En su próximo acceso tendrá que cambiarla.'
          : 'Por seguridad, la nueva contraseña no se envía por correo: pídala a quien la definió.',
        'Si no lo esperaba, hable con la administración del sistema.',
      ],
    }),
    email_alterado: ({ when, pending, undoable }) => ({
      subject: pending
        ? 'Vigia: solicitud de cambio de su correo'
        : 'Vigia: el correo de su cuenta fue cambiado',
      paragraphs: [
        pending
          ? `El ${when} (hora de Brasilia) se solicitó cambiar el correo de su cuenta en Vigia. El cambio solo vale cuando se confirme la nueva dirección; hasta entonces, esta sigue en uso.`
          : `El correo de su cuenta en Vigia fue cambiado el ${when} (hora de Brasilia). Esta dirección ya no se usará.`,
        ...(undoable ? [] : ['Si no lo esperaba, hable con la administración del sistema.']),
      ],
    }),
    email_devolvido: ({ when }) => ({
      subject: 'Vigia: el cambio de correo fue deshecho',
      paragraphs: [
        `El cambio del correo de una cuenta en Vigia a esta dirección fue deshecho el ${when} (hora de Brasilia), con el enlace enviado a la dirección anterior. Esta dirección ya no se usará, y las sesiones de la cuenta fueron cerradas.`,
        'Si no lo esperaba, hable con la administración del sistema.',
      ],
    }),
    mfa_ativado: ({ when, undoable }) => ({
      subject: 'Vigia: el segundo factor fue activado',
      paragraphs: [
        `El segundo factor de su cuenta en Vigia fue activado el ${when} (hora de Brasilia). En cada acceso se pedirá también un código.`,
        ...(undoable ? [] : ['Si no lo esperaba, hable con la administración del sistema.']),
      ],
    }),
    mfa_desativado: ({ when }) => ({
      subject: 'Vigia: el segundo factor fue desactivado',
      paragraphs: [
        `El segundo factor de su cuenta en Vigia fue desactivado el ${when} (hora de Brasilia). Para entrar, basta ahora la contraseña.`,
        'Si no fue usted, restablezca la contraseña ahora y avise a la administración del sistema.',
      ],
    }),
    mfa_encerrado: ({ when }) => ({
      subject: 'Vigia: la administración terminó el segundo factor',
      paragraphs: [
        `La administración terminó el segundo factor de su cuenta en Vigia el ${when} (hora de Brasilia). Para entrar basta ahora la contraseña, y sus sesiones terminaron.`,
        'Si no lo pidió, restablezca la contraseña ahora y avise a la administración del sistema. Si lo pidió, active de nuevo el segundo factor en cuanto pueda.',
      ],
    }),
    codigos_renovados: ({ when }) => ({
      subject: 'Vigia: nuevos códigos de reserva',
      paragraphs: [
        `Se generaron nuevos códigos de reserva para su cuenta en Vigia el ${when} (hora de Brasilia). Los anteriores ya no valen.`,
        'Si no fue usted, restablezca la contraseña ahora y avise a la administración del sistema.',
      ],
    }),
    sessoes_encerradas: ({ when }) => ({
      subject: 'Vigia: sus sesiones terminaron',
      paragraphs: [
        `La administración terminó las sesiones de su cuenta en Vigia el ${when} (hora de Brasilia). Para continuar, entre de nuevo.`,
        'Si no esperaba esto, hable con la administración del sistema.',
      ],
    }),
    muitas_fusoes: ({ when }) => ({
      subject: 'Vigia: muchas fusiones de casos en un día',
      paragraphs: [
        `Una cuenta fusionó más de 50 casos el mismo día, hasta ${when} (hora de Brasilia). Un caso fusionado en otro sale de todos los recuentos.`,
        'La auditoría dice quién fusionó qué casos (acción caso.fundido). Cada fusión puede deshacerse en la pantalla Duplicados.',
      ],
    }),
    identidade_vinculada: ({ when }) => ({
      subject: 'Vigia: inicio de sesión único vinculado a su cuenta',
      paragraphs: [
        `Su cuenta en Vigia se vinculó a una identidad de inicio de sesión único el ${when} (hora de Brasilia). Ahora también se entra en la cuenta con ella.`,
        'Si no fue usted, desvincúlela en “Mi cuenta”, cierre las demás sesiones y avise a la administración del sistema.',
      ],
    }),
    identidade_desvinculada: ({ when }) => ({
      subject: 'Vigia: inicio de sesión único desvinculado de su cuenta',
      paragraphs: [
        `Una identidad de inicio de sesión único se desvinculó de su cuenta en Vigia el ${when} (hora de Brasilia). Para entrar sin ella, use la contraseña; quien no tiene una la elige en “Olvidé la contraseña”.`,
        'Si no esperaba esto, hable con la administración del sistema.',
      ],
    }),
    webhook_desligado: ({ when }) => ({
      subject: 'Vigia: uno de sus webhooks fue desactivado',
      paragraphs: [
        `Uno de sus webhooks en Vigia fue desactivado el ${when} (hora de Brasilia), porque el receptor respondió 410 o no aceptó ninguna entrega durante cinco días.`,
        'Los eventos se conservan: corrija el receptor y reanude el webhook para recibirlos. El registro de entregas dice qué ocurrió.',
      ],
    }),
  },
  boletim: ({ lugar, semana, agravos, secoes }) => ({
    subject: `Vigia: boletín de ${lugar}, semana ${semana}`,
    paragraphs: [
      `El boletín epidemiológico de ${lugar}, semana ${semana} (${agravos}), está listo.`,
      ...secoes.map(
        ({ agravo, nivel, casos_ano, casos_4_semanas }) =>
          `${agravo}: nivel ${nivel}; casos probables del año: ${casos_ano ?? 'suprimidos'}; de las últimas cuatro semanas: ${casos_4_semanas ?? 'suprimidos'}.`,
      ),
    ],
    action: 'Abrir el boletín',
    afterLink: ['Para abrirlo hay que entrar con su cuenta.'],
  }),
  nomes: {
    dengue: 'Dengue',
    zika: 'Zika',
    chikungunya: 'Chikungunya',
    verde: 'verde',
    amarelo: 'amarillo',
    laranja: 'naranja',
    vermelho: 'rojo',
  },
  disown: {
    paragraphs: [
      'Si no fue usted, abra el enlace siguiente: esto se deshace, todas las sesiones de la cuenta se cierran y usted recibe un enlace para elegir una nueva contraseña.',
    ],
    action: 'No fui yo',
    afterLink: ['El enlace es válido durante 7 días y funciona una sola vez. Si fue usted, ignórelo.'],
  },
}
