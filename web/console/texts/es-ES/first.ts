import type { first as firstTexts } from '../pt-BR/first.ts'

export const first: typeof firstTexts = {
  lead: 'Todavía no hay casos. Empiece por un archivo del SINAN o una hoja de cálculo, o registre el primer caso a mano.',
  waiting:
    'Todavía no hay casos. En cuanto alguien registre o importe casos de su territorio, aparecerán aquí.',
  import: 'Importar un archivo',
  create: 'Registrar un caso',
  demo: '¿Solo para probar? Llene este entorno de pruebas con casos inventados:',
}
