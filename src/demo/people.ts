import { type Random, sharesOf, weighted } from './random.ts'

/** Fictitious people: random combinations of common names. */

const NAMES = {
  F: 'Maria Ana Francisca Antônia Adriana Juliana Márcia Fernanda Patrícia Aline Sandra Camila Amanda Bruna Jéssica Letícia Júlia Luciana Vanessa Mariana Gabriela Vera Vitória Larissa Cláudia Beatriz Rita Luana Sônia Renata Eliane Josefa Simone Natália Cristiane Carla Débora Rosângela Jaqueline Rosa Daniela Aparecida Marlene Terezinha Raimunda Andréia Fabiana Lúcia Raquel Ângela',
  M: 'José João Antônio Francisco Carlos Paulo Pedro Lucas Luiz Marcos Luís Gabriel Rafael Daniel Marcelo Bruno Eduardo Felipe Raimundo Rodrigo Manoel Mateus André Fernando Fábio Leonardo Gustavo Guilherme Leandro Tiago Anderson Ricardo Márcio Jorge Sebastião Alexandre Roberto Edson Diego Vítor Sérgio Cláudio Matheus Geraldo Adriano Luciano Júlio Renato Alex Vinícius',
}
const FIRST_NAMES = { F: NAMES.F.split(' '), M: NAMES.M.split(' ') }
const SURNAMES =
  'da Silva,dos Santos,Oliveira,de Souza,Rodrigues,Ferreira,Alves,Pereira,Lima,Gomes,Costa,Ribeiro,Martins,Carvalho,Almeida,Lopes,Soares,Fernandes,Vieira,Barbosa,Rocha,Dias,Nascimento,Andrade,Moreira,Nunes,Marques,Machado,Mendes,Freitas,Cardoso,Ramos,Gonçalves,Santana,Teixeira,Araújo,Cavalcanti,Moura,Campos,Batista,Barros,Pinto,Correia,Monteiro,Moraes,Castro,Bezerra,Borges,Melo,Farias'.split(
    ',',
  )

const SEXOS = sharesOf({ F: 55, M: 44.8, I: 0.2 })
const RACAS = sharesOf({
  branca: 36,
  parda: 34,
  preta: 5,
  amarela: 0.8,
  indigena: 0.4,
  ignorado: 14,
  '': 9.8,
})
const ESCOLARIDADES = sharesOf({
  analfabeto: 1,
  fundamental_1_4_incompleto: 6,
  fundamental_4_completo: 3,
  fundamental_5_8_incompleto: 7,
  fundamental_completo: 5,
  medio_incompleto: 5,
  medio_completo: 13,
  superior_incompleto: 2,
  superior_completo: 4,
  ignorado: 14,
  '': 40,
})
/** Age distribution by decade. */
const DECADES = weighted([0, 10, 20, 30, 40, 50, 60, 70, 80, 90], [9, 15, 20, 17, 14, 11, 8, 4, 1.7, 0.3])
const PREGNANCY = { from: 10, to: 49, share: 0.035 }
const SCHOOL_AGE = 7

export interface Person {
  nome: string
  idade: number
  sexo: 'F' | 'M' | 'I'
  gestante: boolean
  raca: string
  escolaridade: string
}

export function somebody(random: Random): Person {
  const sexo = SEXOS.pick(random)
  const idade = DECADES.pick(random) + random.below(10)
  const { from, to, share } = PREGNANCY
  const escolaridade = ESCOLARIDADES.pick(random)
  return {
    nome: nameOf(sexo === 'I' ? random.pick(['F', 'M'] as const) : sexo, random),
    idade,
    sexo,
    gestante: sexo === 'F' && idade >= from && idade <= to && random.chance(share),
    raca: RACAS.pick(random),
    escolaridade: idade < SCHOOL_AGE ? 'nao_se_aplica' : escolaridade,
  }
}

function nameOf(sexo: 'F' | 'M', random: Random): string {
  const first = random.pick(FIRST_NAMES[sexo])
  const second = random.chance(0.35) ? ` ${random.pick(FIRST_NAMES[sexo])}` : ''
  return `${first}${second} ${random.pick(SURNAMES)} ${random.pick(SURNAMES)}`
}
