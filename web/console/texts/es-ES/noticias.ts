import type { noticias as pt } from '../pt-BR/noticias.ts'
import { formats } from './formats.ts'

const date = (at: Date) => formats.date(at, { day: 'numeric', month: 'long', year: 'numeric' })
const moment = (at: Date) =>
  `${formats.date(at)} a las ${formats.date(at, { hour: '2-digit', minute: '2-digit' })}`

export const noticias: typeof pt = {
  lead: 'Lo publicado para quienes usan Vigia, de lo más nuevo a lo más antiguo.',
  new: 'Publicar noticia',
  none: 'Ninguna noticia todavía.',
  noneCreate: 'Ninguna noticia todavía. Publique la primera.',
  all: 'Todas las noticias',
  scheduled: (at) => `Programada para ${moment(at)}`,
  source: 'Fuente',
  original: 'Leer el original',
  originalNote: '(se abre en otra ventana)',
  changed: (at) => `Modificada el ${moment(at)}`,
  edit: 'Editar',
  remove: 'Eliminar',
  removeTitle: '¿Eliminar esta noticia?',
  removeNote: 'Nadie más la lee. No hay vuelta atrás.',
  saved: 'Noticia guardada.',
  form: {
    create: 'Publicar noticia',
    edit: 'Editar noticia',
    titulo: 'Título',
    resumo: 'Resumen (opcional)',
    conteudo: 'Texto',
    conteudoNote: 'Texto simple: una línea vacía separa párrafos.',
    fonte: 'Fuente (opcional)',
    url: 'Dirección del original (opcional)',
    publicado: 'Publicar el (hora de este equipo)',
    publicadoNote: 'Vacío: ahora. Con fecha futura, aparece como programada.',
    missing: 'Complete este campo.',
    preview: 'Ver cómo queda',
    write: 'Seguir escribiendo',
    publish: 'Publicar',
    save: 'Guardar',
  },
  date,
  moment,
}
