import { formatsOf } from '../formats.ts'

export const formats = formatsOf('pt-BR')
