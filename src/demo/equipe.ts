import type { LugarDoTerritorio } from '../caller/territorio.ts'

/** Made-up staff of a state and its municipalities: groups, people, news. Nobody of them exists; their addresses lead nowhere. */

export interface DemoGrupo {
  nome: string
  descricao: string
  exige_mfa: boolean
  permissoes: string[]
}

const READS = [
  ...['agravos.listar', 'agravos.estatisticas', 'noticias.listar', 'dashboard.visualizar'],
  'series.listar',
]

export const GRUPOS: DemoGrupo[] = [
  {
    nome: 'vigilancia_estadual',
    descricao: 'Coordenação estadual de arboviroses',
    exige_mfa: false,
    permissoes: [
      ...READS,
      'agravos.criar',
      'agravos.editar',
      'agravos.importar',
      'agravos.exportar',
      'agravos.duplicidades',
      'agravos.identificar',
      'relatorios.gerar',
      'noticias.criar',
      'noticias.editar',
      'usuarios.listar',
      'grupos.listar',
    ],
  },
  {
    nome: 'vigilancia_municipal',
    descricao: 'Equipes de vigilância dos municípios',
    exige_mfa: false,
    permissoes: [...READS, 'agravos.criar', 'agravos.editar', 'agravos.importar', 'agravos.exportar'],
  },
  {
    nome: 'laboratorio',
    descricao: 'Laboratório central: resultados de exames',
    exige_mfa: true,
    permissoes: [...READS, 'agravos.editar'],
  },
]

export interface DemoPessoa {
  nome: string
  email: string
  cargo: string
  instituicao: string
  cidade: string
  grupo: string
  territorios: LugarDoTerritorio[]
  ativo: boolean
}

const SES = 'Secretaria Estadual de Saúde (exemplo)'
const PE: LugarDoTerritorio[] = [{ nivel: 'uf', codigo: 'PE' }]
const municipio = (codigo: string): LugarDoTerritorio[] => [{ nivel: 'municipio', codigo }]

export const PESSOAS: DemoPessoa[] = [
  {
    nome: 'Helena Barros Cavalcanti',
    email: 'helena.barros@vigia.example',
    cargo: 'Coordenadora de arboviroses',
    instituicao: SES,
    cidade: 'Recife',
    grupo: 'vigilancia_estadual',
    territorios: PE,
    ativo: true,
  },
  {
    nome: 'Otávio Lins Moreira',
    email: 'otavio.lins@vigia.example',
    cargo: 'Epidemiologista',
    instituicao: SES,
    cidade: 'Recife',
    grupo: 'vigilancia_estadual',
    territorios: PE,
    ativo: true,
  },
  {
    nome: 'Marta Nunes Ferreira',
    email: 'marta.nunes@vigia.example',
    cargo: 'Vigilância epidemiológica',
    instituicao: 'Secretaria Municipal de Saúde do Recife (exemplo)',
    cidade: 'Recife',
    grupo: 'vigilancia_municipal',
    territorios: municipio('2611606'),
    ativo: true,
  },
  {
    nome: 'Joaquim Teles Prado',
    email: 'joaquim.teles@vigia.example',
    cargo: 'Digitador do SINAN',
    instituicao: 'Secretaria Municipal de Saúde de Olinda (exemplo)',
    cidade: 'Olinda',
    grupo: 'vigilancia_municipal',
    territorios: municipio('2609600'),
    ativo: true,
  },
  {
    nome: 'Célia Andrade Rocha',
    email: 'celia.andrade@vigia.example',
    cargo: 'Vigilância epidemiológica',
    instituicao: 'Secretaria Municipal de Saúde de Caruaru (exemplo)',
    cidade: 'Caruaru',
    grupo: 'vigilancia_municipal',
    territorios: municipio('2604106'),
    ativo: false,
  },
  {
    nome: 'Renata Duarte Campos',
    email: 'renata.duarte@vigia.example',
    cargo: 'Biomédica',
    instituicao: 'Laboratório central (exemplo)',
    cidade: 'Recife',
    grupo: 'laboratorio',
    territorios: PE,
    ativo: true,
  },
]

export interface DemoNoticia {
  titulo: string
  resumo: string
  conteudo: string
  fonte: string
  /** Days before the demo was made. */
  dias: number
}

export const NOTICIAS: DemoNoticia[] = [
  {
    titulo: 'Dengue cresce na região metropolitana do Recife',
    resumo:
      'A temporada começou mais cedo: confira os alertas do seu município e encerre os casos em aberto.',
    conteudo:
      'As últimas semanas mostram crescimento acima do esperado em Recife, Jaboatão dos Guararapes e Olinda.\n\nPedimos às equipes que registrem os casos no mesmo dia da notificação, confiram a lista de possíveis duplicidades e encerrem as investigações dentro do prazo de 60 dias.',
    fonte: 'Coordenação estadual de arboviroses (exemplo)',
    dias: 2,
  },
  {
    titulo: 'Como corrigir linhas recusadas de uma importação',
    resumo:
      'O arquivo das linhas recusadas volta com o motivo de cada uma, pronto para ser corrigido e enviado de novo.',
    conteudo:
      'Em Importações, abra a importação e baixe as linhas recusadas. Cada linha traz o campo e a regra que não cumpriu.\n\nCorrija o arquivo e envie só ele: o que já foi importado não muda.',
    fonte: 'Suporte do Vigia (exemplo)',
    dias: 9,
  },
  {
    titulo: 'Boletim semanal agora sai às segundas-feiras',
    resumo: 'O boletim da semana encerrada chega por e-mail aos grupos cadastrados, e fica em Boletins.',
    conteudo:
      'O boletim reúne curva, diagrama de controle, níveis de alerta e municípios sem notificação.\n\nOs números ficam congelados na data em que foi feito: quem abrir depois vê os mesmos.',
    fonte: 'Coordenação estadual de arboviroses (exemplo)',
    dias: 23,
  },
]
