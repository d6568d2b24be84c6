/** Every permission the service knows, once. The order is the order of seeding, so new ones come last. */
export const PERMISSIONS = {
  'usuarios.listar': 'Listar e ver usuários',
  'usuarios.criar': 'Criar usuários',
  'usuarios.editar': 'Editar usuários',
  'usuarios.deletar': 'Desativar e remover usuários',
  'usuarios.gerenciar_grupos': 'Definir os grupos de um usuário',
  'usuarios.gerenciar_permissoes': 'Definir permissões diretas e membros de grupos',
  'usuarios.exportar': 'Exportar usuários',
  'grupos.listar': 'Listar e ver grupos',
  'grupos.criar': 'Criar grupos',
  'grupos.editar': 'Editar grupos e suas permissões',
  'grupos.deletar': 'Excluir grupos',
  'agravos.listar': 'Listar e ver casos',
  'agravos.criar': 'Registrar casos',
  'agravos.editar': 'Editar casos',
  'agravos.deletar': 'Excluir e restaurar casos',
  'agravos.importar': 'Importar casos',
  'agravos.estatisticas': 'Ver estatísticas e mapas',
  'agravos.panorama': 'Ver totais de todo o país, sem números pequenos',
  'agravos.exportar': 'Exportar casos',
  'agravos.extrair': 'Extrair dados anonimizados para pesquisa',
  'agravos.duplicidades': 'Decidir duplicidades e fundir casos',
  'agravos.identificar': 'Ver dados identificados de pacientes',
  'relatorios.gerar': 'Gerar relatórios',
  'relatorios.exportar': 'Exportar relatórios',
  'noticias.listar': 'Ler notícias',
  'noticias.criar': 'Publicar notícias',
  'noticias.editar': 'Editar notícias',
  'noticias.deletar': 'Excluir notícias',
  'dashboard.visualizar': 'Ver o painel',
  'webhooks.gerenciar': 'Gerenciar os webhooks de outras pessoas',
  'auditoria.ver': 'Ler a auditoria',
  admin: 'Acesso total',
  'chaves.gerenciar': 'Gerenciar contas de serviço e suas chaves',
  'series.listar': 'Ver séries ambientais e de animais',
  'series.importar': 'Importar valores de séries',
  'series.definir': 'Registrar e alterar séries',
  'agravos.definir': 'Definir agravos e seus campos',
  'epizootias.listar': 'Ver epizootias',
  'epizootias.registrar': 'Registrar, alterar e importar epizootias',
  'epizootias.deletar': 'Excluir e restaurar epizootias',
} as const

export type Permission = keyof typeof PERMISSIONS

/** Held by administrators alone, unless they give it to others. */
const RESERVED: readonly Permission[] = ['agravos.definir']

const everyOf = (...modules: string[]) =>
  (Object.keys(PERMISSIONS) as Permission[]).filter(
    (name) => modules.includes(name.split('.')[0] as string) && !RESERVED.includes(name),
  )

const READING: Permission[] = [
  'agravos.listar',
  'agravos.estatisticas',
  'noticias.listar',
  'dashboard.visualizar',
  'series.listar',
  'epizootias.listar',
]

/** The groups of a new installation. They can be neither renamed nor deleted. */
export const DEFAULT_GROUPS: Record<string, { descricao: string; permissoes: Permission[] }> = {
  admin: { descricao: 'Acesso total', permissoes: ['admin'] },
  gestor: {
    descricao: 'Gerencia usuários e recursos',
    permissoes: [
      ...everyOf('usuarios', 'grupos', 'agravos', 'relatorios', 'noticias', 'series', 'epizootias'),
      'dashboard.visualizar',
      'webhooks.gerenciar',
    ],
  },
  analista: {
    descricao: 'Registra e analisa dados',
    permissoes: [
      'agravos.listar',
      'agravos.criar',
      'agravos.editar',
      'agravos.importar',
      'agravos.estatisticas',
      'agravos.exportar',
      ...everyOf('relatorios'),
      'noticias.listar',
      'dashboard.visualizar',
      'series.listar',
      'series.importar',
      'epizootias.listar',
      'epizootias.registrar',
    ],
  },
  usuario: {
    descricao: 'Acesso básico',
    permissoes: READING,
  },
  visualizador: {
    descricao: 'Somente leitura',
    permissoes: READING,
  },
}
