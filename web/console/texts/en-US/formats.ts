import { formatsOf } from '../formats.ts'

export const formats = formatsOf('en-US')
