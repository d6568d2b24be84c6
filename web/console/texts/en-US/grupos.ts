import type { grupos as grupoTexts } from '../pt-BR/grupos.ts'
import { formats } from './formats.ts'

const { number } = formats
const members = (count: number) =>
  count === 0 ? 'No member' : count === 1 ? '1 member' : `${number(count)} members`

export const grupos: typeof grupoTexts = {
  lead: 'A group gives its permissions to its members.',
  new: 'New group',
  none: 'No group yet.',
  columns: { nome: 'Group', membros: 'Members', permissoes: 'Permissions', situacao: 'State' },
  active: 'Active',
  inactive: 'Deactivated',
  members,
  permissions: (count) => (count === 1 ? '1 permission' : `${number(count)} permissions`),
  matrix: 'Permissions by group',
  matrixLead:
    'Tick and untick; nothing changes before you have reviewed the differences and saved them. Arrows go through the table.',
  matrixReadOnly:
    'You may look but not change: the permission to edit groups and their permissions is missing.',
  permission: 'Permission',
  modules: {
    usuarios: 'Users',
    grupos: 'Groups',
    agravos: 'Cases',
    relatorios: 'Reports',
    noticias: 'News',
    dashboard: 'Dashboard',
    webhooks: 'Webhooks',
    auditoria: 'Audit',
    chaves: 'Service accounts',
    series: 'Series',
    epizootias: 'Animal events',
    geral: 'General',
  },
  cell: (permission, group) => `${permission}, for ${group}`,
  youLack: 'You do not hold this permission, so you can neither give nor take it.',
  lackedNote: 'which you do not hold',
  groupAbove: (permission) => `This group gives “${permission}”, which you do not hold: it can only be read.`,
  unsaved: (count) => (count === 1 ? '1 difference not saved' : `${number(count)} differences not saved`),
  unsavedLost: (count) =>
    count === 1
      ? '1 difference that is not saved yet will be lost.'
      : `${number(count)} differences that are not saved yet will be lost.`,
  discard: 'Undo all',
  review: 'Review and save',
  differences: 'Differences',
  differenceOf: (group, count) => `${group} (${members(count)})`,
  effectNote: 'It holds at once, for all members of each group.',
  save: 'Save',
  saved: 'Changes saved.',
  failedAt: (group, reason) => `${group}: ${reason}`,
  back: 'All groups',
  edit: 'Edit group',
  name: 'Name',
  nameNote: 'Lowercase, without spaces; groups of the system itself keep their names.',
  description: 'Description',
  activeLabel: 'Active',
  activeNote: 'Deactivated, the group gives nothing to anybody.',
  requiresFactor: 'Require a second factor',
  requiresFactorNote: 'Members without a second factor have to turn it on before anything else.',
  activeEffect: (isActive, count) =>
    count === 0
      ? 'The group has no members.'
      : isActive
        ? `${members(count)} will have again what the group gives.`
        : `${members(count)} will lose what the group gives.`,
  factorEffect: (count) =>
    count === 0
      ? 'All members within your reach have the second factor.'
      : count === 1
        ? '1 member within your reach has no second factor yet, and must turn it on before going on.'
        : `${number(count)} members within your reach have no second factor yet, and must turn it on before going on.`,
  factorTag: 'Requires second factor',
  required: 'Fill in this field.',
  create: 'Create group',
  membersTitle: 'Members',
  membersNone: 'Nobody is in this group, or nobody within your reach.',
  add: 'Add',
  addLabel: 'Add a person',
  remove: 'Remove',
  removeOf: (name) => `Remove ${name} from the group`,
  memberTitle: {
    add: (name, group) => `Add ${name} to the group ${group}`,
    remove: (name, group) => `Remove ${name} from the group ${group}`,
  },
  memberEffect: 'What changes, at once',
  memberUnseen: {
    add: 'The account gains at once what the group gives.',
    remove: 'The account loses at once what only this group gives it.',
  },
  added: (name) => `${name} is in the group.`,
  removed: (name) => `${name} left the group.`,
  personHint: 'Type at least two letters of the name or the e-mail.',
  personNone: 'Nobody found',
  inactiveMember: 'deactivated account',
  permissionsTitle: 'What the group gives',
  permissionsNone: 'Nothing yet.',
  toMatrix: 'Change in the matrix',
  delete: 'Delete',
  deleteTitle: (name) => `Delete the group ${name}`,
  deleteEffect: (count, target) =>
    count === 0
      ? 'The group has no members.'
      : target === null
        ? `${members(count)} will lose what the group gives.`
        : `${members(count)} will go to ${target}.`,
  transfer: 'Move the members to',
  nobody: 'No group: they just leave',
}
