// People who were notified once, twice, or again a year later; twins and namesakes among them. Names are the commonest of the censuses
// (2010, 2022) with a made-up tail after Zipf's law; nobody is meant. The same seed gives the same people.
import type { Random } from '../fuzz/random.ts'

export interface Pessoa {
  /** The same for all records of one person. */
  pessoa: number
  /** The same for records of one illness of that person. */
  episodio: number
  nome: string
  nascimento: string | null
  sexo: 'F' | 'M' | 'I'
  municipio: number
  bairro: string
  dia: string
}

const MULHERES =
  'Maria Ana Francisca Antonia Adriana Juliana Marcia Fernanda Patricia Aline Sandra Camila Amanda Bruna Jessica Leticia Julia Luciana Vanessa Mariana Gabriela Vera Vitoria Larissa Claudia Beatriz Luana Rita Sonia Renata Eliane Josefa Simone Natalia Cristiane Carla Debora Rosangela Jaqueline Rosa Daniela Aparecida Marlene Terezinha Raimunda Andreia Fabiana Lucia Raquel Angela Rafaela Joana Luzia Elaine Daniele Helena Alice Sophia Isabela Yasmin Thais Kelly Shirley Cecilia Geovana Elza Conceicao Tereza Ivone Celia Marta Edna Lorena Heloisa Manuela'.split(
    ' ',
  )
const HOMENS =
  'Jose Joao Antonio Francisco Carlos Paulo Pedro Lucas Luiz Marcos Luis Gabriel Rafael Daniel Marcelo Bruno Eduardo Felipe Raimundo Rodrigo Manoel Mateus Andre Fernando Fabio Leonardo Gustavo Guilherme Leandro Tiago Anderson Ricardo Marcio Jorge Sebastiao Alexandre Roberto Edson Diego Vitor Sergio Claudio Matheus Thiago Geraldo Adriano Luciano Julio Renato Alex Vinicius Rogerio Samuel Ronaldo Mario Flavio Douglas Igor Davi Manuel Jeferson Cicero Joaquim Miguel Robson Valter Wagner Henrique Arthur Heitor Caio Breno Murilo Nelson Otavio'.split(
    ' ',
  )
const SOBRENOMES =
  'Silva Santos Oliveira Souza Pereira Ferreira Lima Alves Rodrigues Costa Sousa Gomes Ribeiro Martins Carvalho Almeida Barbosa Nascimento Araujo Lopes Soares Fernandes Vieira Rocha Dias Andrade Moreira Nunes Marques Batista'.split(
    ' ',
  )
const SILABAS =
  'ba be bi bo ca ce co cu da de do fa fe fi ga go gue ja jo la le li lo ma me mi mo na ne no pa pe po que ra re ri ro sa se so ta te ti to va ve vi za ze zo bran cam cas tel men gal lei nha lho'.split(
    ' ',
  )

/** Rank by Zipf's law with this exponent, from 0. */
function zipf(random: Random, size: number, exponent: number): number {
  const u = random.next()
  const reach = size ** (1 - exponent)
  return Math.min(size - 1, Math.floor((1 - u * (1 - reach)) ** (1 / (1 - exponent))) - 1)
}

const madeUp = (rank: number): string => {
  let text = ''
  for (let n = rank + 7; n > 0; n = Math.floor(n / SILABAS.length)) text += SILABAS[n % SILABAS.length]
  return `${text[0]?.toUpperCase()}${text.slice(1)}${rank % 3 === 0 ? 's' : rank % 3 === 1 ? 'a' : 'ro'}`
}

const TAIL = 20_000
function sobrenome(random: Random): string {
  const rank = zipf(random, SOBRENOMES.length + TAIL, 1.1)
  return SOBRENOMES[rank] ?? madeUp(rank)
}

const primeiro = (random: Random, sexo: 'F' | 'M') => {
  const names = sexo === 'F' ? MULHERES : HOMENS
  const rank = zipf(random, names.length + 1_500, 1.05)
  return names[rank] ?? madeUp(rank + 40_000)
}

const date = (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10)
const DAY = (text: string) => Date.parse(text) / 86_400_000

export const MUNICIPIOS = Array.from({ length: 40 }, (_, i) => 2_600_054 + i * 103)

export interface Mistura {
  /** Shares of the records: same illness again, another illness of the person, twins and siblings, namesakes. */
  duplicados: number
  episodios: number
  gemeos: number
  homonimos: number
}
export const MISTURA: Mistura = { duplicados: 0.02, episodios: 0.01, gemeos: 0.004, homonimos: 0.006 }

/** Records in the order of their making; each derived one comes right after the one it comes from. */
export function people(random: Random, total: number, days = 365, mistura = MISTURA): Pessoa[] {
  const all: Pessoa[] = []
  let pessoa = 0
  let episodio = 0
  const start = DAY('2024-01-01')
  while (all.length < total) {
    const sexo = random.chance(0.55) ? 'F' : 'M'
    const nomes = Array.from({ length: random.pick([1, 2, 2, 2, 3]) }, () => sobrenome(random))
    const segundo = random.chance(0.35) ? [primeiro(random, sexo)] : []
    const one: Pessoa = {
      pessoa: ++pessoa,
      episodio: ++episodio,
      nome: [primeiro(random, sexo), ...segundo, ...nomes].join(random.chance(0.3) ? ' da ' : ' '),
      nascimento: random.chance(0.06) ? null : date(DAY('1935-01-01') + random.integer(0, 31_000)),
      sexo,
      municipio: random.pick(MUNICIPIOS),
      bairro: `Bairro ${random.integer(1, 60)}`,
      dia: date(start + random.integer(0, days)),
    }
    all.push(one)
    const near = (max: number) => date(DAY(one.dia) + random.integer(0, max))
    if (random.chance(mistura.duplicados)) all.push(corrupted(random, { ...one, dia: near(20) }))
    if (random.chance(mistura.episodios))
      all.push(
        corrupted(random, {
          ...one,
          episodio: ++episodio,
          dia: date(DAY(one.dia) + random.integer(91, 300)),
        }),
      )
    if (random.chance(mistura.gemeos)) {
      const outro = [primeiro(random, sexo), ...one.nome.split(' ').slice(1)].join(' ')
      if (outro !== one.nome)
        all.push({ ...one, pessoa: ++pessoa, episodio: ++episodio, nome: outro, dia: near(10) })
    }
    if (random.chance(mistura.homonimos))
      all.push({
        ...one,
        pessoa: ++pessoa,
        episodio: ++episodio,
        nascimento: date(DAY('1935-01-01') + random.integer(0, 31_000)),
        municipio: random.pick(MUNICIPIOS),
        dia: near(40),
      })
  }
  return all.slice(0, total)
}

const RESPELT: readonly (readonly [RegExp, string])[] = [
  [/z/, 's'],
  [/s(?=[aeiou])/, 'z'],
  [/i(?=[aeo])/, 'y'],
  [/t(?=[aeio])/, 'th'],
  [/c(?=[aou])/, 'k'],
  [/l(?=[aeo])/, 'll'],
  [/n(?=[aeo])/, 'nn'],
  [/f/, 'ph'],
  [/v/, 'w'],
]

/** A record as somebody else wrote it down. */
export function corrupted(random: Random, one: Pessoa): Pessoa {
  let words = one.nome.split(' ')
  const change = (act: (word: string) => string) => {
    const at = random.integer(0, words.length - 1)
    words = words.map((word, i) => (i === at ? act(word) : word))
  }
  if (random.chance(0.22)) change((word) => respelt(random, word))
  if (random.chance(0.18)) change((word) => mistyped(random, word))
  if (random.chance(0.15) && words.length > 2) words = words.filter((_, i) => i !== 1)
  if (random.chance(0.05) && words.length > 2)
    words = words.map((word, i) => (i === 1 ? word.slice(0, 1) : word))
  if (random.chance(0.06)) words = [...words, sobrenome(random)]
  if (random.chance(0.05) && words.length > 2) words = words.slice(0, -1)
  const nome = random.chance(0.5) ? words.join(' ').toUpperCase() : words.join(' ')
  return {
    ...one,
    nome,
    nascimento: birthAgain(random, one.nascimento),
    sexo: random.chance(0.01) ? 'I' : one.sexo,
    ...(random.chance(0.12) && {
      municipio: random.pick(MUNICIPIOS),
      bairro: `Bairro ${random.integer(1, 60)}`,
    }),
  }
}

function respelt(random: Random, word: string): string {
  const fitting = RESPELT.filter(([pattern]) => pattern.test(word))
  if (fitting.length === 0) return word
  const [pattern, sound] = random.pick(fitting)
  return word.replace(pattern, sound)
}

function mistyped(random: Random, word: string): string {
  if (word.length < 4) return word
  const at = random.integer(1, word.length - 2)
  const letter = random.pick([...'aeiourstlnm'])
  return random.pick([
    `${word.slice(0, at)}${word.slice(at + 1)}`,
    `${word.slice(0, at)}${letter}${word.slice(at + 1)}`,
    `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`,
  ])
}

function birthAgain(random: Random, nascimento: string | null): string | null {
  if (nascimento === null || random.chance(0.06)) return null
  const [ano = '', mes = '', dia = ''] = nascimento.split('-')
  if (random.chance(0.04) && Number(dia) <= 12) return `${ano}-${dia}-${mes}`
  if (!random.chance(0.06)) return nascimento
  return random.pick([
    `${Number(ano) + random.pick([-1, 1, 10])}-${mes}-${dia}`,
    `${ano}-${String(random.integer(1, 12)).padStart(2, '0')}-${dia > '28' ? '28' : dia}`,
    `${ano}-${mes}-${String(random.integer(1, 28)).padStart(2, '0')}`,
  ])
}
