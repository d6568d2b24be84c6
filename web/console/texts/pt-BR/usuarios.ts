import type { Allowance } from '../../../../src/caller/planos.ts'
import { formats } from './formats.ts'

const { number } = formats
const day = (at: Date) => formats.date(at)
const moment = (at: Date) => `${day(at)} às ${formats.date(at, { hour: '2-digit', minute: '2-digit' })}`

export const usuarios = {
  lead: (total: number | undefined) =>
    total === undefined
      ? 'Quem entra no Vigia.'
      : `${number(total)} ${total === 1 ? 'conta' : 'contas'} neste filtro.`,
  new: 'Novo usuário',
  historyAll: (count: number) => `Mostrar todos os ${number(count)}`,
  acts: 'O que esta conta fez',
  photoOf: (nome: string) => `Foto de ${nome}`,
  exportTitle: 'Exportar usuários',
  none: 'Nenhuma conta além da sua ao seu alcance.',
  noneFiltered: 'Nenhuma conta neste filtro.',
  search: 'Buscar por nome ou e-mail',
  numbers: 'Números das contas',
  bar: 'Filtro de usuários',
  group: 'Grupo',
  anyGroup: 'Todos',
  state: 'Situação',
  states: {
    todas: 'Todas',
    ativas: 'Ativas',
    desativadas: 'Desativadas',
    bloqueadas: 'Com entrada bloqueada',
  },
  factor: 'Segundo fator',
  factors: { todos: 'Tanto faz', sem: 'Sem segundo fator', com: 'Com segundo fator' },
  access: 'Acesso',
  accesses: { todos: 'Tanto faz', nunca: 'Nunca entrou' },
  columns: {
    nome: 'Nome',
    grupos: 'Grupos',
    territorio: 'Território',
    fator: 'Segundo fator',
    acesso: 'Último acesso',
    situacao: 'Situação',
  },
  admin: 'Administrador',
  serviceAccount: 'conta de serviço',
  identities: {
    title: 'Entrada única',
    none: 'Nenhuma identidade vinculada.',
    since: (linked: Date, used: Date) =>
      `Vinculada em ${formats.date(linked)}, último uso em ${formats.date(used)}`,
    unlink: 'Desvincular',
    unlinkOf: (nome: string) => `Desvincular ${nome}`,
    lead: 'A pessoa deixa de entrar por esta identidade; as sessões abertas continuam. A próxima entrada pelo provedor pode vincular outra.',
    told: 'O dono da conta é avisado por e-mail, e fica registrado quem desvinculou.',
    done: 'Identidade desvinculada.',
  },
  active: 'Ativa',
  inactive: 'Desativada',
  on: 'Ativado',
  off: 'Não',
  locked: 'Entrada bloqueada',
  beside: 'Ao lado da lista',
  besideOf: (nome: string) => `Ver ${nome} ao lado da lista`,
  never: 'Nunca entrou',
  noGroup: 'Nenhum',
  country: 'Brasil',
  places: (first: string, others: number) => `${first} e mais ${others}`,
  levels: { uf: 'Estado', regiao_saude: 'Região de saúde', municipio: 'Município' },
  moment,
  day,
  back: 'Todos os usuários',
  edit: 'Editar dados',
  data: 'Dados',
  fields: {
    nome: 'Nome',
    email: 'E-mail',
    cpf: 'CPF',
    telefone: 'Telefone',
    cargo: 'Cargo',
    departamento: 'Departamento',
    instituicao: 'Instituição',
    cidade: 'Cidade',
    estado: 'Estado',
    criado: 'Criada em',
  },
  phoneNote: 'Como (81) 99999-0000.',
  emailNote: 'O novo endereço vale na hora, e o antigo é avisado.',
  noState: 'Nenhum',
  required: 'Preencha este campo.',
  save: 'Salvar',
  saved: 'Alterações salvas.',
  groups: 'Grupos',
  groupsNote: 'Cada grupo dá as suas permissões a quem está nele.',
  permissionsOf: (count: number) => (count === 1 ? '1 permissão' : `${count} permissões`),
  changeGroups: 'Alterar grupos',
  direct: 'Permissões diretas',
  directNone: 'Nenhuma: tudo vem dos grupos.',
  changeDirect: 'Alterar permissões diretas',
  cannotGive: 'Você não tem esta permissão, e por isso não pode dá-la.',
  cannotGiveGroup: (permission: string) => `Dá “${permission}”, que você não tem.`,
  effective: 'O que esta conta pode',
  permission: 'Permissão',
  source: 'De onde vem',
  ownSource: 'Direta',
  groupSource: (name: string) => `Grupo ${name}`,
  allRights: 'Administrador: pode tudo, também o que não está listado.',
  noRights: 'Esta conta não pode nada ainda.',
  territory: 'Território',
  territoryNote: 'Vê e altera só os casos destes lugares.',
  wholeCountry: 'O país inteiro.',
  changeTerritory: 'Alterar território',
  addPlace: 'Incluir um lugar',
  removePlace: (name: string) => `Retirar ${name}`,
  territoryEmpty: 'Sem nenhum lugar, a conta alcança o país inteiro.',
  plan: 'Limite de pedidos',
  plans: { basico: 'Básico', premium: 'Premium', enterprise: 'Enterprise' },
  allowance: ({ perMinute, perHour }: Allowance) =>
    `${number(perMinute)} pedidos por minuto, ${number(perHour)} por hora`,
  planNote: 'Conta os pedidos dos programas que usam esta conta. No console, o limite é o mesmo para todas.',
  changePlan: 'Alterar limite',
  planChanges: (old: Allowance, next: Allowance) =>
    `De ${number(old.perMinute)} para ${number(next.perMinute)} pedidos por minuto, e de ${number(old.perHour)} para ${number(next.perHour)} por hora.`,
  planLowered: 'Programas que pedem mais do que isso são recusados até o minuto ou a hora acabar.',
  planSince: 'Vale a partir do próximo pedido.',
  security: 'Acesso',
  lastLogin: 'Última entrada',
  lastUse: 'Último uso',
  factorOn: (codes: number) =>
    `Ativado; ${codes === 1 ? 'resta 1 código' : `restam ${codes} códigos`} de reserva`,
  mustChange: 'Precisa trocar a senha ao entrar',
  lockedUntil: (at: Date) => `Entrada bloqueada até ${moment(at)}`,
  unlock: 'Desbloquear',
  unlocked: 'A entrada foi desbloqueada.',
  emailUnverified: 'E-mail ainda não confirmado',
  emailVerified: 'E-mail confirmado',
  sessions: (count: number) =>
    count === 0 ? 'Nenhuma sessão aberta' : count === 1 ? '1 sessão aberta' : `${count} sessões abertas`,
  sessionSince: (since: Date, last: Date) => `desde ${moment(since)}; último uso ${moment(last)}`,
  thisOne: 'esta',
  history: 'Histórico',
  historyNone: 'Nada registrado ainda.',
  service: 'O próprio serviço',
  actions: {
    'usuario.criado': 'Conta criada',
    'usuario.alterado': 'Dados ou permissões alterados',
    'usuario.desativado': 'Conta desativada',
    'usuario.removido': 'Conta removida',
    'usuario.territorios_alterados': 'Território alterado',
    'senha.definida': 'Senha definida por outra pessoa',
    'senha.alterada': 'Senha trocada',
    'senha.redefinida': 'Senha redefinida por e-mail',
    'conta.bloqueada': 'Entrada bloqueada',
    'conta.desbloqueada': 'Entrada desbloqueada',
    'conta.retomada': 'Conta retomada pelo dono',
    'login.falhou': 'Tentativa de entrada recusada',
    'mfa.ativado': 'Segundo fator ativado',
    'mfa.desativado': 'Segundo fator desativado',
    'mfa.encerrado': 'Segundo fator encerrado por outra pessoa',
    'chave.criada': 'Chave criada',
    'chave.renovada': 'Chave renovada',
    'chave.revogada': 'Chave revogada',
    'mfa.codigos_renovados': 'Códigos de reserva renovados',
    'sessoes.encerradas': 'Sessões encerradas por outra pessoa',
    'usuario.convidado': 'Convite enviado',
    'convite.aceito': 'Convite aceito',
    'usuario.foto_alterada': 'Foto trocada',
    'email.verificado': 'E-mail confirmado',
    'identidade.vinculada': 'Identidade de entrada única vinculada',
    'identidade.desvinculada': 'Identidade de entrada única desvinculada',
  } as Record<string, string>,
  setPassword: 'Definir senha',
  setPasswordLead:
    'A conta recebe uma senha nova, as sessões abertas terminam e o dono é avisado por e-mail, sem a senha.',
  forceChange: 'Trocar ao entrar',
  forceChangeNote: 'A pessoa escolhe outra, que só ela sabe, antes de fazer qualquer coisa.',
  passwordKept: 'Guardei a senha',
  passwordOnce: 'Entregue esta senha por um meio seguro. Ela não será mostrada de novo.',
  passwordSet: (sessions: number) =>
    sessions === 0
      ? 'Senha definida.'
      : sessions === 1
        ? 'Senha definida; 1 sessão encerrada.'
        : `Senha definida; ${sessions} sessões encerradas.`,
  done: 'Pronto',
  deactivate: 'Desativar',
  deactivateTitle: (name: string) => `Desativar a conta de ${name}`,
  reason: 'Motivo',
  reasonMissing: 'Diga o motivo.',
  handOver: 'Passar os casos para',
  handOverNote: 'Sem ninguém aqui, os casos ficam com a conta desativada.',
  effect: 'O que acontece agora',
  effectSessions: (count: number) =>
    count === 0
      ? 'Nenhuma sessão aberta para encerrar.'
      : count === 1
        ? '1 sessão é encerrada.'
        : `${count} sessões são encerradas.`,
  effectGroups: (count: number) =>
    count === 0
      ? 'A conta não está em nenhum grupo.'
      : count === 1
        ? 'A conta sai de 1 grupo.'
        : `A conta sai de ${count} grupos.`,
  effectCases: (count: number, to: string | null) =>
    count === 0
      ? 'A conta não responde por nenhum caso.'
      : to === null
        ? `${count === 1 ? '1 caso continua' : `${number(count)} casos continuam`} com a conta desativada.`
        : `${count === 1 ? '1 caso passa' : `${number(count)} casos passam`} para ${to}.`,
  deactivated: 'Conta desativada.',
  reactivate: 'Reativar',
  reactivated: 'Conta reativada. Ela volta sem os grupos que tinha.',
  personHint: 'Digite ao menos duas letras do nome ou do e-mail.',
  personNone: 'Ninguém encontrado',
  create: 'Criar conta',
  createTitle: 'Novo usuário',
  createdTitle: 'Conta criada',
  created: (name: string) => `A conta de ${name} existe.`,
  password: 'Senha',
  open: 'Abrir a conta',
  how: 'Como a pessoa entra pela primeira vez',
  byInvitation: 'Convite por e-mail',
  byInvitationNote: 'Ela recebe um link de uso único, que vale 7 dias, e escolhe a própria senha.',
  byPassword: 'Senha gerada',
  byPasswordNote: 'Mostrada uma vez a você; precisa ser trocada ao entrar.',
  invited: (email: string) => `A conta existe, e o convite vai para ${email}.`,
  resend: 'Enviar convite de novo',
  resent: 'Um novo convite está a caminho.',
  endFactor: 'Encerrar segundo fator',
  endFactorLead:
    'Para quem perdeu o aparelho e os códigos de reserva. Antes, confirme por outro meio que é mesmo a pessoa: depois, para entrar, basta a senha.',
  endSessions: 'Encerrar sessões',
  endSessionsLead: 'Quem estiver usando a conta precisa entrar de novo.',
  ownerTold: 'O dono da conta é avisado por e-mail, e fica registrado quem encerrou.',
  ended: (sessions: number) =>
    sessions === 0
      ? 'Encerrado.'
      : sessions === 1
        ? 'Encerrado; 1 sessão terminou.'
        : `Encerrado; ${sessions} sessões terminaram.`,
  territoryDefault:
    'Sem escolha, a conta fica com o seu território. Depois ele pode ser alterado na página da conta.',
}
