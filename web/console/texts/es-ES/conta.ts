import type { conta as pt } from '../pt-BR/conta.ts'
import { formats } from './formats.ts'

const { number } = formats
const moment = (at: Date) =>
  `${formats.date(at)} a las ${formats.date(at, { hour: '2-digit', minute: '2-digit' })}`

export const conta: typeof pt = {
  lead: 'Sus datos, su seguridad, sus sesiones y preferencias.',
  profile: {
    title: 'Perfil',
    nome: 'Nombre',
    email: 'Correo',
    emailPending: (email) =>
      `A la espera de que ${email} se confirme por el enlace enviado; hasta entonces vale este.`,
    emailNote: 'Una dirección nueva solo vale después de confirmada por el enlace que le enviamos.',
    telefone: 'Teléfono',
    telefoneNote: 'Como (81) 99999-0000.',
    cargo: 'Cargo',
    departamento: 'Departamento',
    instituicao: 'Institución',
    cidade: 'Ciudad',
    estado: 'Estado',
    noEstado: 'No informado',
    required: 'Complete este campo.',
    save: 'Guardar perfil',
    saving: 'Guardando…',
    saved: 'Perfil guardado.',
    nothing: 'No se cambió nada.',
    confirmEmail:
      'Perfil guardado. Abra el enlace que enviamos a la nueva dirección para confirmarla; hasta entonces vale la actual.',
    grupos: 'Grupos',
    territorios: 'Territorio',
    everywhere: 'Todo Brasil',
  },
  photo: {
    change: 'Cambiar la foto',
    choose: 'Elegir la foto',
    alt: 'Su foto',
    title: 'Recortar la foto',
    lead: 'Arrastre para elegir el cuadrado, o use los controles.',
    zoom: 'Acercar',
    horizontal: 'De izquierda a derecha',
    vertical: 'De arriba abajo',
    preview: 'La foto como quedará',
    unreadable: 'Este archivo no es una imagen legible. Use JPEG, PNG o WebP.',
    send: 'Usar esta foto',
    sending: 'Enviando…',
    done: 'Foto cambiada.',
  },
  password: {
    title: 'Contraseña',
    lead: 'Cambiarla cierra las otras sesiones.',
    open: 'Cambiar la contraseña',
    done: (ended) =>
      ended === 0
        ? 'Contraseña cambiada.'
        : ended === 1
          ? 'Contraseña cambiada. Se cerró 1 otra sesión.'
          : `Contraseña cambiada. Se cerraron ${number(ended)} otras sesiones.`,
  },
  mfa: {
    title: 'Segundo factor',
    on: 'Activo',
    off: 'Apagado',
    lead: 'Además de la contraseña, un código de su teléfono. Quien descubra la contraseña no entra sin él.',
    enable: 'Activar el segundo factor',
    disable: 'Desactivar',
    scan: 'Léalo con la aplicación de autenticación',
    qr: 'Código QR del segundo factor',
    orType: 'O escriba este secreto en la aplicación:',
    codes: 'Códigos de reserva',
    codesLeft: (count) =>
      count === 0
        ? 'No queda ningún código de reserva: genere nuevos.'
        : count === 1
          ? 'Queda 1 código de reserva.'
          : `Quedan ${count} códigos de reserva.`,
    codesNote: 'Cada uno vale una vez, para cuando el teléfono no esté a mano. Solo se muestran ahora.',
    print: 'Imprimir',
    kept: 'Guardé los códigos de reserva',
    keptMissing: 'Guarde los códigos y marque aquí antes de activar.',
    code: 'Código de seis cifras de la aplicación',
    codeMissing: 'Escriba el código.',
    confirm: 'Activar',
    enabled: 'Segundo factor activado.',
    newCodes: 'Nuevos códigos de reserva',
    newCodesNote: 'Los códigos que usted tiene dejan de valer. Recibe un aviso por correo.',
    keptCodes: 'Guardé los códigos',
    codesRenewed: 'Códigos de reserva renovados.',
    disableTitle: '¿Desactivar el segundo factor?',
    disableNote: 'Su cuenta pasa a depender solo de la contraseña. Recibirá un aviso por correo.',
    senha: 'Contraseña',
    anyCode: 'Código de la aplicación o de reserva',
    disabled: 'Segundo factor desactivado.',
    missing: 'Complete este campo.',
  },
  sessions: {
    title: 'Sesiones',
    lead: 'Dónde está abierta su cuenta ahora.',
    device: 'Dónde',
    address: 'Dirección',
    last: 'Último uso',
    actions: 'Acciones',
    current: 'Esta sesión',
    opened: (at) => `abierta el ${moment(at)}`,
    end: 'Cerrar',
    endOf: (device) => `Cerrar la sesión en ${device}`,
    endOthers: 'Cerrar todas las otras',
    ended: (count) => (count === 1 ? '1 sesión cerrada.' : `${number(count)} sesiones cerradas.`),
  },
  identities: {
    title: 'Inicio de sesión único',
    lead: 'Identidades con las que se entra en su cuenta sin la contraseña.',
    none: 'Ninguna identidad vinculada. La primera entrada por un proveedor la vincula.',
    provider: 'Proveedor',
    linked: 'Vinculada el',
    last: 'Último uso',
    actions: 'Acciones',
    unlink: 'Desvincular',
    unlinkOf: (nome: string) => `Desvincular ${nome}`,
    done: 'Identidad desvinculada. Para entrar sin ella, use la contraseña.',
  },
  security: {
    title: 'Seguridad de la cuenta',
    score: (points) => `${points} de 100`,
    scoreLabel: 'Puntuación de seguridad',
    advice: 'Qué la mejora',
    fine: 'Nada que mejorar.',
    suspicious: 'Atención',
    strength: 'Fuerza de la contraseña',
    strengths: {
      muito_fraca: 'Muy débil',
      fraca: 'Débil',
      media: 'Media',
      forte: 'Fuerte',
      muito_forte: 'Muy fuerte',
    },
    age: 'Edad de la contraseña',
    days: (days) => (days === 1 ? '1 día' : `${number(days)} días`),
    logins: 'Entradas en 30 días',
    failed: 'Intentos fallidos',
  },
  preferences: {
    title: 'Preferencias',
    startPlace: 'Territorio inicial del panel',
    startNote: 'El panel se abre en este lugar, desde el menú y al entrar.',
    density: 'Altura de las filas de las tablas',
    densities: { confortavel: 'Cómoda', compacta: 'Compacta' },
  },
  moment,
  number,
}
