import type { ajuda as pt } from '../pt-BR/ajuda.ts'

export const ajuda: typeof pt = {
  lead: 'Atajos del teclado y dónde encontrar más.',
  keys: 'Teclado',
  key: 'Tecla',
  does: 'Qué hace',
  palette: 'Abrir la búsqueda de pantallas y acciones',
  help: 'Abrir esta página',
  close: 'Cerrar lo que está abierto; de un detalle, volver a la lista',
  followedBy: 'después',
  goTo: (screen: string) => `Ir a ${screen}`,
  listKeys: [
    ['j', 'Fila siguiente de la lista'],
    ['k', 'Fila anterior'],
    ['Enter', 'Abrir la fila'],
    ['e', 'Editar la fila o el detalle, donde se puede'],
    ['x', 'Seleccionar la fila, donde hay selección'],
    ['/', 'Ir al primer filtro'],
  ],
  caseKeys: [
    ['Espacio', 'Mostrar el resumen del caso al lado de la lista'],
    ['n', 'Registrar un caso nuevo'],
  ],
  formKeys: [
    [['Ctrl', 'S'], 'Guardar el caso'],
    [['Ctrl', 'Enter'], 'Guardar el caso y registrar otro'],
    [['1', '2', '9'], 'Sí, no, ignorado, en los campos de la ficha'],
  ],
  painelKeys: [
    [['←', '→'], 'Semana anterior o siguiente de la curva; lugares del mapa'],
    [['Shift', '←', '→'], 'Elegir un período en la curva'],
    [['Enter'], 'Entrar en la semana o el lugar marcado'],
    [['Esc'], 'Un nivel arriba en el mapa'],
  ],
  lettersNote: 'Las teclas de una letra no funcionan mientras se escribe en un campo.',
  more: 'Para programas',
  api: 'Documentación de la API',
  apiNote: 'Todas las rutas, con ejemplos, para quien integra otro sistema con Vigia.',
  glossary: 'Glosario',
  terms: [
    [
      'Enfermedad (agravo)',
      'Enfermedad o condición que se notifica: en Vigia, dengue, zika, chikunguña y las que la instalación defina.',
    ],
    ['Caso probable', 'Todo caso notificado que no fue descartado.'],
    [
      'Caso confirmado',
      'Caso cuya clasificación final confirma la enfermedad, por laboratorio o por criterio clínico-epidemiológico.',
    ],
    [
      'Semana epidemiológica (SE)',
      'De domingo a sábado; la SE 1 es la primera con la mayoría de sus días en enero. Algunos años tienen 53.',
    ],
    ['Incidencia', 'Casos por 100 mil residentes en el período.'],
    [
      'Todavía llegando',
      'Las últimas cuatro semanas, cuyos casos aún se están digitando: la caída aparente no es caída.',
    ],
    [
      'Estimación (nowcast)',
      'Cuántos casos tendrán las últimas semanas cuando todos lleguen, según el retraso habitual.',
    ],
    ['Rt', 'Cuántos casos nuevos genera cada caso en promedio; por encima de 1 la transmisión crece.'],
    [
      'Diagrama de control',
      'El rango esperado de casos de cada semana, según los años anteriores; por encima del límite hay exceso.',
    ],
    [
      'Nivel de alerta',
      'Verde, amarillo, naranja o rojo, según la transmisión y la incidencia de la última semana terminada.',
    ],
    ['Completitud', 'Qué parte de los campos importantes fue completada.'],
    [
      'Oportunidad',
      'Cuántos días pasan entre un paso y el siguiente: síntomas, notificación, digitación, cierre.',
    ],
    ['Cierre', 'Clasificación final y evolución definidas; el plazo es de 60 días desde la notificación.'],
    [
      'SINAN',
      'Sistema brasileño de información de enfermedades de notificación, de donde vienen los archivos importados.',
    ],
    [
      'Territorio',
      'Los lugares a los que está ligada una cuenta: solo ve casos de quienes viven o fueron notificados allí.',
    ],
    ['Webhook', 'Dirección de otro sistema al que Vigia avisa cuando algo ocurre.'],
  ],
}
