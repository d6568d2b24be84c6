/**
 * Indicators of real files. Source of the figures: indicadores_recife_dengue_2020.json, indicadores_recife_dengue_2022.json,
 * indicadores_recife_dengue_2023.json, indicadores_zika_brasil_2021.json and indicadores_amostra_dengue_500.json, computed with
 * another program.
 */

/** Percent, with the limits of its interval where the source has them. */
type Share = readonly [pct: number | null, inferior?: number, superior?: number]

export interface IndicadoresDeExemplo {
  notificados: number
  provaveis: number
  confirmados: number
  obitos: number
  investigados: number
  graves: number
  hospitalizados: number
  informados: number
  letalidade: { confirmados: Share; provaveis: Share; graves: Share }
  hospitalizacao: Share
  sorotipos: Readonly<Record<string, number>>
  /** Of each age band, in order: probable cases of men and women, then population and incidence of both where the source has them. */
  piramide: string
  semSexoOuIdade: number
}

export const DENGUE_RECIFE_2020: IndicadoresDeExemplo = {
  notificados: 3540,
  provaveis: 1620,
  confirmados: 1497,
  obitos: 0,
  investigados: 0,
  graves: 12,
  hospitalizados: 110,
  informados: 1996,
  letalidade: {
    confirmados: [0, 0, 0.256],
    provaveis: [0, 0, 0.2366],
    graves: [0],
  },
  hospitalizacao: [5.51, 4.5927, 6.6003],
  sorotipos: {},
  piramide: `
<1 43 56 8941 8567 480.93 653.67
1-4 44 20 38894 37020 113.13 54.02
5-9 60 48 52019 49318 115.34 97.33
10-14 79 47 52057 49519 151.76 94.91
15-19 57 58 56814 54973 100.33 105.51
20-39 265 301 242455 260802 109.3 115.41
40-59 160 240 192406 239173 83.16 100.35
60-79 42 80 84789 131514 49.53 60.83
80+ 7 8 11233 27704 62.32 28.88`,
  semSexoOuIdade: 5,
}

export const DENGUE_RECIFE_2022: IndicadoresDeExemplo = {
  notificados: 2876,
  provaveis: 1354,
  confirmados: 1353,
  obitos: 0,
  investigados: 0,
  graves: 40,
  hospitalizados: 222,
  informados: 1818,
  letalidade: {
    confirmados: [0, 0, 0.2831],
    provaveis: [0, 0, 0.2829],
    graves: [0],
  },
  hospitalizacao: [12.21, 10.7853, 13.7965],
  sorotipos: { DENV1: 1 },
  piramide: `
<1 10 17 8137 7820 122.9 217.39
1-4 29 33 37946 36110 76.42 91.39
5-9 54 56 51612 48916 104.63 114.48
10-14 61 37 51117 48366 119.33 76.5
15-19 38 41 54447 52493 69.79 78.11
20-39 278 318 237820 252726 116.9 125.83
40-59 129 149 195366 241776 66.03 61.63
60-79 34 59 90261 139662 37.67 42.24
80+ 2 5 11645 28677 17.17 17.44`,
  semSexoOuIdade: 4,
}

export const DENGUE_RECIFE_2023: IndicadoresDeExemplo = {
  notificados: 3523,
  provaveis: 1514,
  confirmados: 1430,
  obitos: 1,
  investigados: 2,
  graves: 24,
  hospitalizados: 195,
  informados: 2201,
  letalidade: {
    confirmados: [0.07, 0.0123, 0.3951],
    provaveis: [0.07, 0.0117, 0.3732],
    graves: [0],
  },
  hospitalizacao: [8.86, 7.743, 10.1196],
  sorotipos: {},
  piramide: `
<1 17 13 7681 7376 221.33 176.25
1-4 36 23 36600 34869 98.36 65.96
5-9 78 65 51117 48551 152.59 133.88
10-14 62 51 50985 48203 121.6 105.8
15-19 44 54 53427 51332 82.36 105.2
20-39 353 351 235261 248634 150.05 141.17
40-59 115 187 196850 242907 58.42 76.98
60-79 21 35 93361 143814 22.49 24.34
80+ 3 3 12007 29387 24.99 10.21`,
  semSexoOuIdade: 3,
}

export const ZIKA_BRASIL_2021: IndicadoresDeExemplo = {
  notificados: 19090,
  provaveis: 6055,
  confirmados: 4308,
  obitos: 5,
  investigados: 0,
  graves: 0,
  hospitalizados: 0,
  informados: 0,
  letalidade: {
    confirmados: [0.12, 0.0496, 0.2714],
    provaveis: [0.08, 0.0353, 0.1932],
    graves: [null],
  },
  hospitalizacao: [null],
  sorotipos: {},
  piramide: `
<1 109 121
1-4 173 154
5-9 203 194
10-14 197 209
15-19 149 281
20-39 627 1606
40-59 471 1029
60-79 200 283
80+ 19 29`,
  semSexoOuIdade: 1,
}

export const AMOSTRA_DENGUE: IndicadoresDeExemplo = {
  notificados: 500,
  provaveis: 500,
  confirmados: 364,
  obitos: 3,
  investigados: 18,
  graves: 119,
  hospitalizados: 130,
  informados: 309,
  letalidade: {
    confirmados: [0.82, 0.2807, 2.3948],
    provaveis: [0.6, 0.2043, 1.749],
    graves: [1.68],
  },
  hospitalizacao: [42.07, 36.6972, 47.6399],
  sorotipos: { DENV1: 4, DENV2: 4 },
  piramide: `
<1 32 15
1-4 15 9
5-9 24 15
10-14 22 9
15-19 12 24
20-39 76 107
40-59 45 57
60-79 17 15
80+ 1 2`,
  semSexoOuIdade: 3,
}
