import { numberParser } from '@stricli/core'
import { IDIOMAS } from './texts.ts'

const text = (brief: string, placeholder: string) =>
  ({ kind: 'parsed', parse: String, optional: true, brief, placeholder }) as const
const demanded = (brief: string, placeholder: string) =>
  ({ kind: 'parsed', parse: String, brief, placeholder }) as const
const choice = <const V extends string>(brief: string, values: readonly V[]) =>
  ({ kind: 'enum', values, optional: true, brief }) as const
const yes = (brief: string) => ({ kind: 'boolean', default: false, withNegated: false, brief }) as const

/** Of every command. */
export const GLOBAL = {
  json: yes('Dados em JSON: um objeto, ou um por linha'),
  url: text('Endereço do serviço; padrão: VIGIA_URL, ou o do login', 'URL'),
  ca: text('Certificado em que confiar, além dos usuais (PEM)', 'ARQUIVO'),
  idioma: { kind: 'enum', values: IDIOMAS, default: 'pt-BR', brief: 'Idioma das mensagens' } as const,
}

const FILTERING = {
  filtro: {
    kind: 'parsed',
    parse: String,
    optional: true,
    variadic: true,
    brief: 'Filtro da API, repetível: estado=PE, idade[gte]=60',
    placeholder: 'NOME=VALOR',
  } as const,
  busca: text('Texto livre', 'TEXTO'),
}

const LISTING = {
  ...FILTERING,
  limite: {
    kind: 'parsed',
    parse: limit,
    default: '50',
    brief: 'Quantos, até 100',
    placeholder: 'N',
  } as const,
  tudo: yes('Todos, página por página'),
}

function limit(given: string): number {
  const value = numberParser(given)
  if (!Number.isInteger(value) || value < 1 || value > 100) throw new Error('1 a 100')
  return value
}

const SIMULAR = { simular: yes('Só diz o que faria') }
const CHANGING = { ...SIMULAR, sim: yes('Não pergunta') }
const SAIDA = {
  kind: 'parsed',
  parse: String,
  default: '-',
  brief: 'Onde gravar; - é a saída',
  placeholder: 'ARQUIVO',
} as const

export const FLAGS = { text, demanded, choice, yes, FILTERING, LISTING, SIMULAR, CHANGING, SAIDA }

export function idOf(given: string): number {
  const value = Number(given)
  if (!Number.isInteger(value) || value < 1) throw new Error('um número inteiro')
  return value
}

/** Arguments besides the flags. */
export const ID = {
  kind: 'tuple',
  parameters: [{ brief: 'Identificador', parse: idOf, placeholder: 'id' }],
} as const
export const JOB = {
  kind: 'tuple',
  parameters: [{ brief: 'Identificador do job', parse: String, placeholder: 'job' }],
} as const
export const ARQUIVO = (brief: string) =>
  ({ kind: 'tuple', parameters: [{ brief, parse: String, placeholder: 'arquivo' }] }) as const
