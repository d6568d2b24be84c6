import type { visoes as pt } from '../pt-BR/visoes.ts'

export const visoes: typeof pt = {
  open: 'Saved views',
  none: 'None yet. Save filter, columns and order of this list under a name.',
  mine: 'My views',
  shared: 'Of my groups',
  sharedBy: (group, person) => `${group}, by ${person}`,
  sharedWith: (group) => `shared with ${group}`,
  remove: (name) => `Delete the view ${name}`,
  title: 'Save this list',
  name: 'Name',
  nameMissing: 'Give the view a name.',
  share: 'Share with',
  nobody: 'Nobody, just me',
  save: 'Save view',
  saved: (name) => `View “${name}” saved.`,
  removed: (name) => `View “${name}” deleted.`,
}
