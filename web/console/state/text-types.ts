/** Shape of the texts alone, for modules that are also run without a page. */
export type { Texts } from '../texts/pt-BR.ts'
