import { buildCommand, buildRouteMap } from '@stricli/core'
import type { Context } from './context.ts'
import { ARQUIVO, FLAGS, GLOBAL, ID, JOB } from './flags.ts'
import { fundir, ofDuplicidades, ofFusoes } from './routes-duplicidades.ts'

const { text, demanded, choice, yes, FILTERING, LISTING, SIMULAR, CHANGING, SAIDA } = FLAGS
const listFlags = { flags: { ...GLOBAL, ...LISTING } }

/** Commands are read when they run: `--help` needs none of them. */
const sessao = () => import('./commands/sessao.ts')
const agravos = () => import('./commands/agravos.ts')
const casos = () => import('./commands/casos.ts')
const importacoes = () => import('./commands/importar.ts')
const jobs = () => import('./commands/jobs.ts')
const leituras = () => import('./commands/leituras.ts')
const contas = () => import('./commands/contas.ts')
const api = () => import('./commands/api.ts')

const ofCasos = buildRouteMap<string, Context>({
  docs: { brief: 'Casos: listar, ver, criar, exportar, extrair, fundir' },
  routes: {
    listar: buildCommand({
      docs: { brief: 'Lista casos' },
      parameters: listFlags,
      loader: async () => (await casos()).listar,
    }),
    ver: buildCommand({
      docs: { brief: 'Mostra um caso' },
      parameters: { flags: GLOBAL, positional: ID },
      loader: async () => (await casos()).ver,
    }),
    criar: buildCommand({
      docs: { brief: 'Registra um caso, de um arquivo JSON' },
      parameters: { flags: { ...GLOBAL, ...SIMULAR }, positional: ARQUIVO('Caso em JSON; - é a entrada') },
      loader: async () => (await casos()).criar,
    }),
    exportar: buildCommand({
      docs: { brief: 'Exporta casos para um arquivo' },
      parameters: {
        flags: {
          ...GLOBAL,
          ...FILTERING,
          formato: {
            kind: 'enum',
            values: ['csv', 'xlsx', 'json', 'parquet', 'csv_sinan', 'dbf', 'dbc'],
            default: 'csv',
            brief: 'Formato do arquivo',
          },
          gzip: yes('Um arquivo .gz, de csv, json e csv_sinan'),
          layout: choice('Colunas do SINAN, em csv_sinan, dbf e dbc; padrão: as do agravo', [
            'sinan_online',
            'sinan_net',
          ]),
          campos: text('Colunas, separadas por vírgulas; padrão: todas', 'CAMPOS'),
          saida: SAIDA,
          identificado: yes('Com os dados do paciente, se permitido'),
        },
      },
      loader: async () => (await casos()).exportar,
    }),
    extrair: buildCommand({
      docs: { brief: 'Extrato para pesquisa, em que ninguém é encontrado' },
      parameters: {
        flags: {
          ...GLOBAL,
          ...FILTERING,
          formato: {
            kind: 'enum',
            values: ['csv', 'parquet'],
            default: 'csv',
            brief: 'csv é um ZIP com a tabela e a ficha de risco',
          },
          k: { kind: 'enum', values: ['5', '10', '20'], default: '5', brief: 'Ao menos tantos casos iguais' },
          finalidade: demanded('Para que serve; fica na auditoria', 'TEXTO'),
          orgao: demanded('Quem recebe; fica na auditoria', 'TEXTO'),
          protocolo: text('Protocolo do comitê de ética', 'TEXTO'),
          quase: text('Só estes: inicio,lugar,idade,sexo,raca', 'NOMES'),
          saida: SAIDA,
        },
      },
      loader: async () => (await casos()).extrair,
    }),
    fundir,
  },
})

const ofImportacoes = buildRouteMap<string, Context>({
  docs: { brief: 'Importações: listar, desfazer' },
  routes: {
    listar: buildCommand({
      docs: { brief: 'Lista importações' },
      parameters: listFlags,
      loader: async () => (await importacoes()).listar,
    }),
    desfazer: buildCommand({
      docs: { brief: 'Desfaz uma importação' },
      parameters: { flags: { ...GLOBAL, ...CHANGING }, positional: ID },
      loader: async () => (await importacoes()).desfazer,
    }),
  },
})

const ofJobs = buildRouteMap<string, Context>({
  docs: { brief: 'Jobs: listar, ver, acompanhar, arquivo, rejeitados, cancelar' },
  routes: {
    listar: buildCommand({
      docs: { brief: 'Lista os seus jobs' },
      parameters: listFlags,
      loader: async () => (await jobs()).listar,
    }),
    ver: buildCommand({
      docs: { brief: 'Mostra um job' },
      parameters: { flags: GLOBAL, positional: JOB },
      loader: async () => (await jobs()).ver,
    }),
    acompanhar: buildCommand({
      docs: { brief: 'Acompanha um job até o fim' },
      parameters: { flags: GLOBAL, positional: JOB },
      loader: async () => (await jobs()).acompanhar,
    }),
    arquivo: buildCommand({
      docs: { brief: 'Baixa o arquivo que um job fez' },
      parameters: { flags: { ...GLOBAL, saida: SAIDA }, positional: JOB },
      loader: async () => (await jobs()).arquivo,
    }),
    rejeitados: buildCommand({
      docs: { brief: 'Baixa as linhas rejeitadas de uma importação' },
      parameters: { flags: { ...GLOBAL, saida: SAIDA }, positional: JOB },
      loader: async () => (await jobs()).rejeitados,
    }),
    cancelar: buildCommand({
      docs: { brief: 'Cancela um job' },
      parameters: { flags: { ...GLOBAL, ...CHANGING }, positional: JOB },
      loader: async () => (await jobs()).cancelar,
    }),
  },
})

const ofUsuarios = buildRouteMap<string, Context>({
  docs: { brief: 'Contas: listar, ver, criar, desativar, reativar' },
  routes: {
    listar: buildCommand({
      docs: { brief: 'Lista contas' },
      parameters: listFlags,
      loader: async () => (await contas()).listarUsuarios,
    }),
    ver: buildCommand({
      docs: { brief: 'Mostra uma conta' },
      parameters: { flags: GLOBAL, positional: ID },
      loader: async () => (await contas()).verUsuario,
    }),
    criar: buildCommand({
      docs: { brief: 'Cria uma conta; a senha é perguntada, ou lida da entrada' },
      parameters: {
        flags: {
          ...GLOBAL,
          ...SIMULAR,
          nome: demanded('Nome da pessoa', 'NOME'),
          email: demanded('E-mail com que entra', 'EMAIL'),
          grupos: text('Grupos pelo número, separados por vírgulas', 'IDS'),
          territorios: text('Onde vale: UF, região de saúde ou município, separados por vírgulas', 'CODIGOS'),
        },
      },
      loader: async () => (await contas()).criarUsuario,
    }),
    desativar: buildCommand({
      docs: { brief: 'Desativa uma conta' },
      parameters: { flags: { ...GLOBAL, ...CHANGING }, positional: ID },
      loader: async () => (await contas()).desativar,
    }),
    reativar: buildCommand({
      docs: { brief: 'Reativa uma conta' },
      parameters: { flags: { ...GLOBAL, ...SIMULAR }, positional: ID },
      loader: async () => (await contas()).reativar,
    }),
  },
})

const ofGrupos = buildRouteMap<string, Context>({
  docs: { brief: 'Grupos: listar, ver' },
  routes: {
    listar: buildCommand({
      docs: { brief: 'Lista grupos' },
      parameters: listFlags,
      loader: async () => (await contas()).listarGrupos,
    }),
    ver: buildCommand({
      docs: { brief: 'Mostra um grupo' },
      parameters: { flags: GLOBAL, positional: ID },
      loader: async () => (await contas()).verGrupo,
    }),
  },
})

const ofEventos = buildRouteMap<string, Context>({
  docs: { brief: 'Eventos: seguir' },
  routes: {
    seguir: buildCommand({
      docs: { brief: 'Mostra eventos à medida que acontecem, um JSON por linha' },
      parameters: {
        flags: {
          ...GLOBAL,
          desde: text('Cursor, ou data e hora; padrão: o mais antigo', 'DESDE'),
          tipo: text('Tipos, separados por vírgulas', 'TIPOS'),
          umaVez: yes('Só os que já há'),
        },
      },
      loader: async () => (await leituras()).seguir,
    }),
  },
})

const METODOS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

function metodoOf(given: string): (typeof METODOS)[number] {
  const found = METODOS.find((one) => one === given.toUpperCase())
  if (found === undefined) throw new Error(`há ${METODOS.join(', ')}`)
  return found
}

/** `completar palavras` is answered before the arguments are parsed: its words are those of another command. */
const ofCompletar = buildRouteMap<string, Context>({
  docs: { brief: 'Completar comandos com Tab' },
  routes: {
    bash: buildCommand({
      docs: { brief: 'Para o .bashrc: source <(vigia completar bash)' },
      parameters: {},
      func(this: Context) {
        this.io.stdout.write(BASH)
      },
    }),
  },
})
const BASH = `_vigia() {
  local IFS=$'\\n'
  COMPREPLY=($(vigia completar palavras "\${COMP_WORDS[@]:1:$COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _vigia vigia
`

export const ROUTES = buildRouteMap<string, Context>({
  docs: {
    brief: 'O Vigia pela linha de comando',
    fullDescription:
      'O Vigia pela linha de comando, de qualquer máquina. Os comandos de quem opera o serviço: npm run vigia.',
  },
  routes: {
    login: buildCommand({
      docs: { brief: 'Entra; a senha é perguntada, ou lida da entrada' },
      parameters: {
        flags: {
          ...GLOBAL,
          email: text('E-mail da conta', 'EMAIL'),
          codigo: text('Código do segundo fator', 'CODIGO'),
          lembrar: yes('Por 30 dias em vez de 7'),
        },
      },
      loader: async () => (await sessao()).login,
    }),
    logout: buildCommand({
      docs: { brief: 'Sai' },
      parameters: { flags: GLOBAL },
      loader: async () => (await sessao()).logout,
    }),
    'quem-sou': buildCommand({
      docs: { brief: 'Mostra a conta que entrou' },
      parameters: { flags: GLOBAL },
      loader: async () => (await sessao()).quemSou,
    }),
    agravos: buildCommand({
      docs: { brief: 'Lista os agravos que recebem casos' },
      parameters: { flags: GLOBAL },
      loader: async () => (await agravos()).agravos,
    }),
    casos: ofCasos,
    importar: buildCommand({
      docs: { brief: 'Envia um arquivo de casos (CSV, XLSX, DBF, DBC)' },
      parameters: {
        flags: {
          ...GLOBAL,
          validar: yes('Só confere o arquivo'),
          ...SIMULAR,
          acompanhar: yes('Espera o fim e diz o resultado'),
          ignorarErros: yes('Importa as linhas boas de um arquivo que tem ruins'),
          agravo: text('Código do agravo de linhas que não o dizem', 'AGRAVO'),
          textos: yes('Lê também os campos próprios de texto livre'),
          rejeitados: text('Onde gravar as linhas rejeitadas; acompanha', 'ARQUIVO'),
        },
        positional: ARQUIVO('Arquivo de casos'),
      },
      loader: async () => (await importacoes()).importar,
    }),
    importacoes: ofImportacoes,
    jobs: ofJobs,
    duplicidades: ofDuplicidades,
    fusoes: ofFusoes,
    eventos: ofEventos,
    resumo: buildCommand({
      docs: { brief: 'Números dos casos' },
      parameters: {
        flags: {
          ...GLOBAL,
          ...FILTERING,
          agregacao: choice('Série por', ['dia', 'semana', 'mes']),
          agrupar: text('Grupos, separados por vírgulas', 'GRUPOS'),
        },
      },
      loader: async () => (await leituras()).resumo,
    }),
    mapa: buildCommand({
      docs: { brief: 'Casos por lugar; com --json, GeoJSON' },
      parameters: {
        flags: {
          ...GLOBAL,
          ...FILTERING,
          nivel: {
            kind: 'enum',
            values: ['municipio', 'bairro', 'cep'],
            default: 'municipio',
            brief: 'Lugares',
          },
        },
      },
      loader: async () => (await leituras()).mapa,
    }),
    usuarios: ofUsuarios,
    grupos: ofGrupos,
    api: buildCommand({
      docs: { brief: 'Chama qualquer operação da API; a resposta é JSON' },
      parameters: {
        flags: {
          ...GLOBAL,
          corpo: text('JSON, @arquivo com ele, ou - para a entrada', 'JSON'),
          consulta: {
            kind: 'parsed',
            parse: String,
            optional: true,
            variadic: true,
            brief: 'Parâmetro da consulta, repetível: size=100, idade[gte]=60',
            placeholder: 'NOME=VALOR',
          },
          saida: SAIDA,
          simular: yes('Mostra o pedido e não o envia'),
          sim: yes('Não pergunta, em DELETE'),
        },
        positional: {
          kind: 'tuple',
          parameters: [
            { brief: METODOS.join(', '), parse: metodoOf, placeholder: 'metodo' },
            { brief: 'Como na documentação: /grupos/3', parse: String, placeholder: 'caminho' },
          ],
        },
      },
      loader: async () => (await api()).api,
    }),
    completar: ofCompletar,
  },
})
