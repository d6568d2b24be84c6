import { formats } from './formats.ts'

const { number } = formats
const members = (count: number) =>
  count === 0 ? 'Nenhum membro' : count === 1 ? '1 membro' : `${number(count)} membros`

export const grupos = {
  lead: 'Um grupo dá as suas permissões a quem está nele.',
  new: 'Novo grupo',
  none: 'Nenhum grupo ainda.',
  columns: { nome: 'Grupo', membros: 'Membros', permissoes: 'Permissões', situacao: 'Situação' },
  active: 'Ativo',
  inactive: 'Desativado',
  members,
  permissions: (count: number) => (count === 1 ? '1 permissão' : `${number(count)} permissões`),
  matrix: 'Permissões por grupo',
  matrixLead:
    'Marque e desmarque; nada muda antes de você conferir as diferenças e salvar. As setas andam pela tabela.',
  matrixReadOnly: 'Você pode ver, mas não alterar: falta a permissão “Editar grupos e suas permissões”.',
  permission: 'Permissão',
  modules: {
    usuarios: 'Usuários',
    grupos: 'Grupos',
    agravos: 'Casos',
    relatorios: 'Relatórios',
    noticias: 'Notícias',
    dashboard: 'Painel',
    webhooks: 'Webhooks',
    auditoria: 'Auditoria',
    chaves: 'Contas de serviço',
    series: 'Séries',
    epizootias: 'Epizootias',
    geral: 'Geral',
  } as Record<string, string>,
  cell: (permission: string, group: string) => `${permission}, para ${group}`,
  youLack: 'Você não tem esta permissão, e por isso não pode dá-la nem tirá-la.',
  lackedNote: 'que você não tem',
  groupAbove: (permission: string) => `Este grupo dá “${permission}”, que você não tem: só pode ser lido.`,
  unsaved: (count: number) =>
    count === 1 ? '1 diferença não salva' : `${number(count)} diferenças não salvas`,
  unsavedLost: (count: number) =>
    count === 1
      ? '1 diferença ainda não salva se perde.'
      : `${number(count)} diferenças ainda não salvas se perdem.`,
  discard: 'Desfazer tudo',
  review: 'Conferir e salvar',
  differences: 'Diferenças',
  differenceOf: (group: string, count: number) => `${group} (${members(count)})`,
  effectNote: 'Vale na hora, para todos os membros de cada grupo.',
  save: 'Salvar',
  saved: 'Alterações salvas.',
  failedAt: (group: string, reason: string) => `${group}: ${reason}`,
  back: 'Todos os grupos',
  edit: 'Editar grupo',
  name: 'Nome',
  nameNote: 'Minúsculo, sem espaços; os grupos do próprio sistema não mudam de nome.',
  description: 'Descrição',
  activeLabel: 'Ativo',
  activeNote: 'Desativado, o grupo não dá nada a ninguém.',
  requiresFactor: 'Exigir segundo fator',
  requiresFactorNote:
    'Quem está no grupo e não tem segundo fator precisa ativá-lo antes de qualquer outra coisa.',
  activeEffect: (isActive: boolean, count: number) =>
    count === 0
      ? 'O grupo não tem membros.'
      : isActive
        ? `${members(count)} ${count === 1 ? 'volta' : 'voltam'} a ter o que o grupo dá.`
        : `${members(count)} ${count === 1 ? 'perde' : 'perdem'} o que o grupo dá.`,
  factorEffect: (count: number) =>
    count === 0
      ? 'Todos os membros ao seu alcance já têm o segundo fator.'
      : count === 1
        ? '1 membro ao seu alcance ainda não tem segundo fator: precisa ativá-lo antes de continuar.'
        : `${number(count)} membros ao seu alcance ainda não têm segundo fator: precisam ativá-lo antes de continuar.`,
  factorTag: 'Exige segundo fator',
  required: 'Preencha este campo.',
  create: 'Criar grupo',
  membersTitle: 'Membros',
  membersNone: 'Ninguém está neste grupo, ou ninguém ao seu alcance.',
  add: 'Incluir',
  addLabel: 'Incluir uma pessoa',
  remove: 'Retirar',
  removeOf: (name: string) => `Retirar ${name} do grupo`,
  memberTitle: {
    add: (name: string, group: string) => `Incluir ${name} no grupo ${group}`,
    remove: (name: string, group: string) => `Retirar ${name} do grupo ${group}`,
  },
  memberEffect: 'O que muda, na hora',
  memberUnseen: {
    add: 'A conta ganha, na hora, o que o grupo dá.',
    remove: 'A conta perde, na hora, o que só este grupo lhe dá.',
  },
  added: (name: string) => `${name} está no grupo.`,
  removed: (name: string) => `${name} saiu do grupo.`,
  personHint: 'Digite ao menos duas letras do nome ou do e-mail.',
  personNone: 'Ninguém encontrado',
  inactiveMember: 'conta desativada',
  permissionsTitle: 'O que o grupo dá',
  permissionsNone: 'Nada ainda.',
  toMatrix: 'Alterar na matriz',
  delete: 'Excluir',
  deleteTitle: (name: string) => `Excluir o grupo ${name}`,
  deleteEffect: (count: number, target: string | null) =>
    count === 0
      ? 'O grupo não tem membros.'
      : target === null
        ? `${members(count)} ${count === 1 ? 'perde' : 'perdem'} o que o grupo dá.`
        : `${members(count)} ${count === 1 ? 'passa' : 'passam'} para ${target}.`,
  transfer: 'Passar os membros para',
  nobody: 'Nenhum grupo: apenas saem',
}
