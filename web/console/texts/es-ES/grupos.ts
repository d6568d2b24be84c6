import type { grupos as grupoTexts } from '../pt-BR/grupos.ts'
import { formats } from './formats.ts'

const { number } = formats
const members = (count: number) =>
  count === 0 ? 'Ningún miembro' : count === 1 ? '1 miembro' : `${number(count)} miembros`

export const grupos: typeof grupoTexts = {
  lead: 'Un grupo da sus permisos a quienes están en él.',
  new: 'Nuevo grupo',
  none: 'Ningún grupo todavía.',
  columns: { nome: 'Grupo', membros: 'Miembros', permissoes: 'Permisos', situacao: 'Situación' },
  active: 'Activo',
  inactive: 'Desactivado',
  members,
  permissions: (count) => (count === 1 ? '1 permiso' : `${number(count)} permisos`),
  matrix: 'Permisos por grupo',
  matrixLead:
    'Marque y desmarque; nada cambia antes de que revise las diferencias y las guarde. Las flechas recorren la tabla.',
  matrixReadOnly: 'Puede ver, pero no cambiar: le falta el permiso para editar grupos y sus permisos.',
  permission: 'Permiso',
  modules: {
    usuarios: 'Usuarios',
    grupos: 'Grupos',
    agravos: 'Casos',
    relatorios: 'Informes',
    noticias: 'Noticias',
    dashboard: 'Panel',
    webhooks: 'Webhooks',
    auditoria: 'Auditoría',
    chaves: 'Cuentas de servicio',
    series: 'Series',
    epizootias: 'Epizootias',
    geral: 'General',
  },
  cell: (permission, group) => `${permission}, para ${group}`,
  youLack: 'Usted no tiene este permiso, y por eso no puede darlo ni quitarlo.',
  lackedNote: 'que usted no tiene',
  groupAbove: (permission) => `Este grupo da «${permission}», que usted no tiene: solo puede leerse.`,
  unsaved: (count) => (count === 1 ? '1 diferencia sin guardar' : `${number(count)} diferencias sin guardar`),
  unsavedLost: (count) =>
    count === 1
      ? 'Se pierde 1 diferencia aún sin guardar.'
      : `Se pierden ${number(count)} diferencias aún sin guardar.`,
  discard: 'Deshacer todo',
  review: 'Revisar y guardar',
  differences: 'Diferencias',
  differenceOf: (group, count) => `${group} (${members(count)})`,
  effectNote: 'Vale en el acto, para todos los miembros de cada grupo.',
  save: 'Guardar',
  saved: 'Cambios guardados.',
  failedAt: (group, reason) => `${group}: ${reason}`,
  back: 'Todos los grupos',
  edit: 'Editar grupo',
  name: 'Nombre',
  nameNote: 'En minúsculas, sin espacios; los grupos del propio sistema no cambian de nombre.',
  description: 'Descripción',
  activeLabel: 'Activo',
  activeNote: 'Desactivado, el grupo no da nada a nadie.',
  requiresFactor: 'Exigir segundo factor',
  requiresFactorNote:
    'Quien está en el grupo y no tiene segundo factor debe activarlo antes de cualquier otra cosa.',
  activeEffect: (isActive, count) =>
    count === 0
      ? 'El grupo no tiene miembros.'
      : isActive
        ? `${members(count)} ${count === 1 ? 'vuelve' : 'vuelven'} a tener lo que el grupo da.`
        : `${members(count)} ${count === 1 ? 'pierde' : 'pierden'} lo que el grupo da.`,
  factorEffect: (count) =>
    count === 0
      ? 'Todos los miembros a su alcance ya tienen el segundo factor.'
      : count === 1
        ? '1 miembro a su alcance aún no tiene segundo factor: debe activarlo antes de continuar.'
        : `${number(count)} miembros a su alcance aún no tienen segundo factor: deben activarlo antes de continuar.`,
  factorTag: 'Exige segundo factor',
  required: 'Rellene este campo.',
  create: 'Crear grupo',
  membersTitle: 'Miembros',
  membersNone: 'Nadie está en este grupo, o nadie a su alcance.',
  add: 'Añadir',
  addLabel: 'Añadir una persona',
  remove: 'Quitar',
  removeOf: (name) => `Quitar a ${name} del grupo`,
  memberTitle: {
    add: (name, group) => `Incluir a ${name} en el grupo ${group}`,
    remove: (name, group) => `Retirar a ${name} del grupo ${group}`,
  },
  memberEffect: 'Lo que cambia, al instante',
  memberUnseen: {
    add: 'La cuenta gana al instante lo que el grupo da.',
    remove: 'La cuenta pierde al instante lo que solo este grupo le da.',
  },
  added: (name) => `${name} está en el grupo.`,
  removed: (name) => `${name} salió del grupo.`,
  personHint: 'Escriba al menos dos letras del nombre o del correo.',
  personNone: 'Nadie encontrado',
  inactiveMember: 'cuenta desactivada',
  permissionsTitle: 'Qué da el grupo',
  permissionsNone: 'Nada todavía.',
  toMatrix: 'Cambiar en la matriz',
  delete: 'Eliminar',
  deleteTitle: (name) => `Eliminar el grupo ${name}`,
  deleteEffect: (count, target) =>
    count === 0
      ? 'El grupo no tiene miembros.'
      : target === null
        ? `${members(count)} ${count === 1 ? 'pierde' : 'pierden'} lo que el grupo da.`
        : `${members(count)} ${count === 1 ? 'pasa' : 'pasan'} a ${target}.`,
  transfer: 'Pasar los miembros a',
  nobody: 'Ningún grupo: solo salen',
}
