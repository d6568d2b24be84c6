import type { AnswerOf } from '../../api/rows.ts'

export type Perfil = AnswerOf<'GET', '/api/v1/usuarios/me'>

/** Key of all that this screen asks for. */
export const CONTA = ['conta']
