import type { registro as pt } from '../pt-BR/registro.ts'
import { formats } from './formats.ts'

const hour = (moment: Date) => formats.date(moment, { hour: '2-digit', minute: '2-digit' })
const dayAndHour = (moment: Date) =>
  `${formats.date(moment, { day: '2-digit', month: '2-digit', year: 'numeric' })} ${hour(moment)}`

export const registro: typeof pt = {
  conflict: {
    title: 'Alguien modificó este registro',
    lead: (nome, moment) =>
      `${
        moment === null
          ? 'El registro cambió mientras usted editaba.'
          : nome === null
            ? `Otra versión se guardó el ${dayAndHour(moment)}, mientras usted editaba.`
            : `${nome} guardó otra versión el ${dayAndHour(moment)}, mientras usted editaba.`
      } Elija qué vale en cada campo y guarde de nuevo.`,
    field: 'Campo',
    mine: 'El suyo',
    theirs: 'Lo guardado',
    before: 'Era:',
    in: 'incluido',
    out: 'retirado',
    changed: 'Alguien modificó este registro mientras estaba abierto. Vea cómo está ahora y decida de nuevo.',
    others: 'También cambió, y queda como está guardado:',
    empty: 'vacío',
    none: 'Los cambios no son en los mismos campos: los suyos se pueden guardar junto con los otros.',
    send: 'Guardar con estas opciones',
    back: 'Volver al formulario',
  },
  draft: {
    saving: 'Guardando borrador…',
    saved: (moment) => `Borrador guardado ${hour(moment)}`,
    failed: 'Borrador aún no guardado. Lo que escribió sigue en esta pestaña.',
    full: 'Tiene demasiados borradores. Descarte alguno para que este se guarde.',
    foundTitle: 'Borradores que dejó',
    foundEdit: (moment) => `Dejó cambios de este caso sin enviar el ${dayAndHour(moment)}.`,
    found: (moment) => `Ficha del ${dayAndHour(moment)}`,
    goOn: 'Continuar',
    discard: 'Descartar',
    restored: (moment) => `Continúa el borrador del ${dayAndHour(moment)}.`,
    gone: 'Este borrador ya no existe: fue enviado, descartado o pasó de 30 días.',
  },
}
