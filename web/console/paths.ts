/** Every address of the console, as data: the screens are found by them (`routes.ts`), and the server answers them (`src/http/console.ts`). */
export const PATHS = {
  entrar: '/entrar',
  esqueci: '/esqueci-a-senha',
  trocarSenha: '/trocar-senha',
  segundoFator: '/segundo-fator',
  // Targets of links in mails (`src/domain/emails/compose.ts`).
  redefinirSenha: '/redefinir-senha',
  verificarEmail: '/verificar-email',
  naoFuiEu: '/nao-fui-eu',
  painel: '/painel',
  casos: '/casos',
  casosExcluidos: '/casos/excluidos',
  casoNovo: '/casos/novo',
  casoEditar: '/casos/:id/editar',
  caso: '/casos/:id',
  duplicidades: '/duplicidades',
  duplicidade: '/duplicidades/:id',
  importacoes: '/importacoes',
  importacaoNova: '/importacoes/nova',
  importacao: '/importacoes/:id',
  alertas: '/alertas',
  boletins: '/boletins',
  agendas: '/boletins/agendas',
  boletim: '/boletins/:id',
  series: '/series',
  seriesImportar: '/series/importar',
  seriesImportacoes: '/series/importacoes',
  seriesImportacao: '/series/importacoes/:id',
  serie: '/series/:codigo',
  usuarios: '/usuarios',
  usuario: '/usuarios/:id',
  grupos: '/grupos',
  grupo: '/grupos/:id',
  agravos: '/agravos',
  agravoNovo: '/agravos/novo',
  agravo: '/agravos/:codigo',
  noticias: '/noticias',
  noticia: '/noticias/:id',
  contasDeServico: '/contas-de-servico',
  contaDeServico: '/contas-de-servico/:id',
  webhooks: '/webhooks',
  webhook: '/webhooks/:id',
  auditoria: '/auditoria',
  conta: '/conta',
  sistema: '/sistema',
  ajuda: '/ajuda',
} as const

export type Path = (typeof PATHS)[keyof typeof PATHS]

/** An address with its parameters filled in. */
export const pathTo = (path: Path, params: Record<string, string | number>): string =>
  path.replace(/:(\w+)/g, (_all, name) => encodeURIComponent(String(params[name])))
