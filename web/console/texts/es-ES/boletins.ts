import type { boletins as boletimTexts } from '../pt-BR/boletins.ts'

const LOCALE = 'es-ES'
const week = (semana: string) => `SE ${Number(semana.slice(4))}/${semana.slice(0, 4)}`
const moment = (at: Date) =>
  `${at.toLocaleDateString(LOCALE)} a las ${at.toLocaleTimeString(LOCALE, { hour: '2-digit', minute: '2-digit' })}`

export const boletins: typeof boletimTexts = {
  lead: 'El retrato semanal de un lugar, con los números congelados el día en que se hizo.',
  new: 'Nuevo boletín',
  none: 'Ningún boletín todavía.',
  first: 'Hacer el primero',
  what: 'Boletín',
  semana: 'Semana',
  by: 'Hecho por',
  kind: 'Números',
  public: 'Público',
  internal: 'Interno',
  actions: 'Acciones',
  page: 'Página',
  pdf: 'PDF',
  pageOf: (what: string) => `Página del boletín de ${what}`,
  pdfOf: (what: string) => `PDF del boletín de ${what}`,
  todos: 'Dengue, zika y chikunguña',
  agravo: 'Enfermedad',
  everyAgravo: 'Todas, una por sección',
  estado: 'Estado',
  brasil: 'Brasil',
  municipio: 'Municipio, si es de uno solo',
  titulo: 'Título (opcional)',
  publish: 'Para publicar',
  publishNote: 'Los números pequeños se suprimen, y nadie puede ser reconocido por ellos.',
  weekNote: 'Con los números de la última semana cerrada. Los números posteriores no lo cambian.',
  make: 'Hacer el boletín',
  open: 'Abrir',
  all: 'Todos los boletines',
  frozen: 'Números congelados; siempre el mismo archivo.',
  hash: 'Huella digital (SHA-256)',
  version: 'Versión de Vigia',
  scheduled: 'Hecho por una agenda',
  week,
  moment,
}
