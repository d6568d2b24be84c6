import type { ComponentType } from 'preact'
import type { Permission } from '../../src/caller/permissions.ts'
import { PATHS, type Path } from './paths.ts'
import type { Texts } from './texts/pt-BR.ts'
import type { IconName } from './ui/icon.tsx'
import type { MenuEntry } from './ui/menu-link.tsx'

/** Given to every screen. */
export interface ScreenProps {
  menu: MenuEntry[]
}

/** A screen is a row of data. */
export interface ScreenRow {
  path: Path
  title: keyof Texts['screens']
  /** Access: holders of a mail's link, whatever session there is; everybody; accounts that are signed in, those that hold all of these, or one of them. */
  access: 'link' | 'anyone' | 'signedIn' | readonly Permission[] | { anyOf: readonly Permission[] }
  load: () => Promise<{ default: ComponentType<ScreenProps> }>
  /** Its place in the menu, which is in the order of the rows. */
  menu?: { icon: IconName; key: string }
  /** Beside the menu: the palette has it, with this icon. */
  palette?: IconName
}

/** In the order of the menu: the first that a person may open is where they start. */
export const SCREENS: ScreenRow[] = [
  {
    path: PATHS.entrar,
    title: 'entrar',
    access: 'anyone',
    load: () => import('./screens/entrar/entrar.tsx'),
  },
  {
    path: PATHS.esqueci,
    title: 'esqueci',
    access: 'anyone',
    load: () => import('./screens/esqueci-a-senha/esqueci-a-senha.tsx'),
  },
  {
    path: PATHS.trocarSenha,
    title: 'trocarSenha',
    access: 'anyone',
    load: () => import('./screens/trocar-senha/trocar-senha.tsx'),
  },
  {
    path: PATHS.segundoFator,
    title: 'segundoFator',
    access: 'anyone',
    load: () => import('./screens/segundo-fator/segundo-fator.tsx'),
  },
  {
    path: PATHS.redefinirSenha,
    title: 'trocarSenha',
    access: 'link',
    load: () => import('./screens/redefinir-senha/redefinir-senha.tsx'),
  },
  {
    path: PATHS.verificarEmail,
    title: 'verificarEmail',
    access: 'link',
    load: () => import('./screens/verificar-email/verificar-email.tsx'),
  },
  {
    path: PATHS.naoFuiEu,
    title: 'naoFuiEu',
    access: 'link',
    load: () => import('./screens/nao-fui-eu/nao-fui-eu.tsx'),
  },
  {
    path: PATHS.painel,
    title: 'painel',
    access: ['dashboard.visualizar', 'agravos.estatisticas'],
    load: () => import('./screens/painel/painel.tsx'),
    menu: { icon: 'painel', key: 'p' },
  },
  {
    path: PATHS.qualidade,
    title: 'qualidade',
    access: ['agravos.estatisticas'],
    load: () => import('./screens/qualidade/qualidade.tsx'),
    palette: 'done',
  },
  {
    path: PATHS.tabelas,
    title: 'tabelas',
    access: ['agravos.estatisticas'],
    load: () => import('./screens/tabelas/tabelas.tsx'),
    palette: 'columns',
  },
  {
    path: PATHS.panorama,
    title: 'panorama',
    access: ['agravos.panorama'],
    load: () => import('./screens/panorama/panorama.tsx'),
    palette: 'painel',
  },
  {
    path: PATHS.casos,
    title: 'casos',
    access: ['agravos.listar'],
    load: () => import('./screens/casos/casos.tsx'),
    menu: { icon: 'casos', key: 'c' },
  },
  {
    path: PATHS.casosExcluidos,
    title: 'casosExcluidos',
    access: ['agravos.deletar'],
    load: () => import('./screens/casos/excluidos.tsx'),
    palette: 'remove',
  },
  {
    path: PATHS.pessoas,
    title: 'pessoas',
    access: ['agravos.identificar'],
    load: () => import('./screens/pessoas/pessoas.tsx'),
    palette: 'person',
  },
  {
    path: PATHS.casoNovo,
    title: 'casoNovo',
    access: ['agravos.criar'],
    load: () => import('./screens/formulario/novo.tsx'),
  },
  {
    path: PATHS.casoEditar,
    title: 'casoEditar',
    access: ['agravos.editar'],
    load: () => import('./screens/formulario/editar.tsx'),
  },
  {
    path: PATHS.casoFundir,
    title: 'casoFundir',
    access: ['agravos.duplicidades', 'agravos.listar'],
    load: () => import('./screens/duplicidades/fundir.tsx'),
  },
  {
    path: PATHS.caso,
    title: 'caso',
    access: ['agravos.listar'],
    load: () => import('./screens/casos/caso.tsx'),
  },
  {
    path: PATHS.duplicidades,
    title: 'duplicidades',
    access: ['agravos.duplicidades'],
    load: () => import('./screens/duplicidades/duplicidades.tsx'),
    menu: { icon: 'duplicidades', key: 'd' },
  },
  {
    path: PATHS.duplicidade,
    title: 'duplicidade',
    access: ['agravos.duplicidades'],
    load: () => import('./screens/duplicidades/duplicidade.tsx'),
  },
  {
    path: PATHS.importacoes,
    title: 'importacoes',
    access: ['agravos.importar'],
    load: () => import('./screens/importacoes/importacoes.tsx'),
    menu: { icon: 'importacoes', key: 'i' },
  },
  {
    path: PATHS.importacaoNova,
    title: 'importacaoNova',
    access: ['agravos.importar'],
    load: () => import('./screens/importacoes/nova.tsx'),
  },
  {
    path: PATHS.importacao,
    title: 'importacao',
    access: ['agravos.importar'],
    load: () => import('./screens/importacoes/importacao.tsx'),
  },
  {
    path: PATHS.alertas,
    title: 'alertas',
    access: ['agravos.estatisticas'],
    load: () => import('./screens/alertas/alertas.tsx'),
    menu: { icon: 'alertas', key: 'l' },
  },
  {
    path: PATHS.boletins,
    title: 'boletins',
    access: ['relatorios.gerar'],
    load: () => import('./screens/boletins/boletins.tsx'),
    menu: { icon: 'boletins', key: 'b' },
  },
  {
    path: PATHS.agendas,
    title: 'agendas',
    access: ['relatorios.gerar'],
    load: () => import('./screens/boletins/agendas.tsx'),
  },
  {
    path: PATHS.boletim,
    title: 'boletim',
    access: ['relatorios.gerar'],
    load: () => import('./screens/boletins/boletim.tsx'),
  },
  {
    path: PATHS.series,
    title: 'series',
    access: ['series.listar'],
    load: () => import('./screens/series/series.tsx'),
    menu: { icon: 'series', key: 'o' },
  },
  {
    path: PATHS.seriesImportar,
    title: 'seriesImportar',
    access: ['series.importar'],
    load: () => import('./screens/series/importar.tsx'),
  },
  {
    path: PATHS.seriesImportacoes,
    title: 'seriesImportacoes',
    access: ['series.importar'],
    load: () => import('./screens/series/importacoes.tsx'),
  },
  {
    path: PATHS.seriesImportacao,
    title: 'seriesImportacao',
    access: ['series.importar'],
    load: () => import('./screens/series/importacao.tsx'),
  },
  {
    path: PATHS.serie,
    title: 'serie',
    access: ['series.listar'],
    load: () => import('./screens/series/serie.tsx'),
  },
  {
    path: PATHS.epizootias,
    title: 'epizootias',
    access: ['epizootias.listar'],
    load: () => import('./screens/epizootias/epizootias.tsx'),
    menu: { icon: 'epizootias', key: 'z' },
  },
  {
    path: PATHS.epizootiaNova,
    title: 'epizootiaNova',
    access: ['epizootias.registrar'],
    load: () => import('./screens/epizootias/nova.tsx'),
  },
  {
    path: PATHS.epizootiasExcluidas,
    title: 'epizootiasExcluidas',
    access: ['epizootias.deletar'],
    load: () => import('./screens/epizootias/excluidas.tsx'),
  },
  {
    path: PATHS.epizootiasImportar,
    title: 'epizootiasImportar',
    access: ['epizootias.registrar'],
    load: () => import('./screens/epizootias/importar.tsx'),
  },
  {
    path: PATHS.epizootiasImportacoes,
    title: 'epizootiasImportacoes',
    access: ['epizootias.registrar'],
    load: () => import('./screens/epizootias/importacoes.tsx'),
  },
  {
    path: PATHS.epizootiasImportacao,
    title: 'epizootiasImportacao',
    access: ['epizootias.registrar'],
    load: () => import('./screens/epizootias/importacao.tsx'),
  },
  {
    path: PATHS.epizootiaEditar,
    title: 'epizootiaEditar',
    access: ['epizootias.registrar'],
    load: () => import('./screens/epizootias/editar.tsx'),
  },
  {
    path: PATHS.epizootia,
    title: 'epizootia',
    access: ['epizootias.listar'],
    load: () => import('./screens/epizootias/epizootia.tsx'),
  },
  {
    path: PATHS.noticias,
    title: 'noticias',
    access: ['noticias.listar'],
    load: () => import('./screens/noticias/noticias.tsx'),
    menu: { icon: 'noticias', key: 'n' },
  },
  {
    path: PATHS.noticia,
    title: 'noticia',
    access: ['noticias.listar'],
    load: () => import('./screens/noticias/noticia.tsx'),
  },
  {
    path: PATHS.usuarios,
    title: 'usuarios',
    access: ['usuarios.listar'],
    load: () => import('./screens/usuarios/usuarios.tsx'),
    menu: { icon: 'person', key: 'u' },
  },
  {
    path: PATHS.usuario,
    title: 'usuario',
    access: ['usuarios.listar'],
    load: () => import('./screens/usuarios/usuario.tsx'),
  },
  {
    path: PATHS.grupos,
    title: 'grupos',
    access: ['grupos.listar'],
    load: () => import('./screens/grupos/grupos.tsx'),
    menu: { icon: 'grupos', key: 'r' },
  },
  {
    path: PATHS.grupo,
    title: 'grupo',
    access: ['grupos.listar'],
    load: () => import('./screens/grupos/grupo.tsx'),
  },
  {
    path: PATHS.agravos,
    title: 'agravos',
    access: ['agravos.definir'],
    load: () => import('./screens/agravos/agravos.tsx'),
    menu: { icon: 'columns', key: 'v' },
  },
  {
    path: PATHS.agravoNovo,
    title: 'agravo',
    access: ['agravos.definir'],
    load: () => import('./screens/agravos/agravo.tsx'),
  },
  {
    path: PATHS.agravo,
    title: 'agravo',
    access: ['agravos.definir'],
    load: () => import('./screens/agravos/agravo.tsx'),
  },
  {
    path: PATHS.contasDeServico,
    title: 'contasDeServico',
    access: ['chaves.gerenciar'],
    load: () => import('./screens/contas-de-servico/contas.tsx'),
    menu: { icon: 'lock', key: 'k' },
  },
  {
    path: PATHS.contaDeServico,
    title: 'contaDeServico',
    access: ['chaves.gerenciar'],
    load: () => import('./screens/contas-de-servico/conta.tsx'),
  },
  {
    path: PATHS.webhooks,
    title: 'webhooks',
    access: { anyOf: ['agravos.listar', 'webhooks.gerenciar'] },
    load: () => import('./screens/webhooks/webhooks.tsx'),
    menu: { icon: 'webhooks', key: 'w' },
  },
  {
    path: PATHS.webhook,
    title: 'webhook',
    access: { anyOf: ['agravos.listar', 'webhooks.gerenciar'] },
    load: () => import('./screens/webhooks/webhook.tsx'),
  },
  {
    path: PATHS.auditoria,
    title: 'auditoria',
    access: ['auditoria.ver'],
    load: () => import('./screens/auditoria/auditoria.tsx'),
    menu: { icon: 'auditoria', key: 'a' },
  },
  {
    path: PATHS.conta,
    title: 'conta',
    access: 'signedIn',
    load: () => import('./screens/conta/conta.tsx'),
  },
  {
    path: PATHS.sistema,
    title: 'sistema',
    access: ['admin'],
    load: () => import('./screens/sistema/sistema.tsx'),
    menu: { icon: 'sistema', key: 's' },
  },
  {
    path: PATHS.ajuda,
    title: 'ajuda',
    access: 'signedIn',
    load: () => import('./screens/ajuda/ajuda.tsx'),
    menu: { icon: 'ajuda', key: 'h' },
  },
]
