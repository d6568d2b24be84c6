import type { visoes as pt } from '../pt-BR/visoes.ts'

export const visoes: typeof pt = {
  none: {
    casos: 'Ninguna todavía. Guarde el filtro, las columnas y el orden de esta lista con un nombre.',
    painel: 'Ninguna todavía. Guarde el recorte de este panel con un nombre.',
  },
  mine: 'Mis vistas',
  shared: 'De mis grupos',
  sharedBy: (group, person) => `${group}, de ${person}`,
  sharedWith: (group) => `compartida con ${group}`,
  remove: (name) => `Eliminar la vista ${name}`,
  title: { casos: 'Guardar esta lista', painel: 'Guardar este panel' },
  name: 'Nombre',
  nameMissing: 'Dé un nombre a la vista.',
  share: 'Compartir con',
  nobody: 'Nadie, solo yo',
  save: 'Guardar vista',
  saved: (name) => `Vista “${name}” guardada.`,
  removed: (name) => `Vista “${name}” eliminada.`,
}
