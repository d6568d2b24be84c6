import type { visoes as pt } from '../pt-BR/visoes.ts'

export const visoes: typeof pt = {
  none: {
    casos: 'None yet. Save filter, columns and order of this list under a name.',
    painel: 'None yet. Save the filter of this dashboard under a name.',
  },
  mine: 'My views',
  shared: 'Of my groups',
  sharedBy: (group, person) => `${group}, by ${person}`,
  sharedWith: (group) => `shared with ${group}`,
  remove: (name) => `Delete the view ${name}`,
  title: { casos: 'Save this list', painel: 'Save this dashboard' },
  name: 'Name',
  nameMissing: 'Give the view a name.',
  share: 'Share with',
  nobody: 'Nobody, just me',
  save: 'Save view',
  saved: (name) => `View “${name}” saved.`,
  removed: (name) => `View “${name}” deleted.`,
}
